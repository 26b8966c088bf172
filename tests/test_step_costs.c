/* The commands that steps and operations give to OpenGL, and the memory that they allocate, once
 * they are steady. docs/tables/counts.md has the numbers; --write writes them anew.
 *
 * Drawing commands are counted but not carried out, because their results do not matter here. Only
 * the trial of blending, on which later passes depend, is carried out. */
#include "support/cost_cases.h"
#include "support/faults.h"
#include "support/gl_calls.h"

#include "base/file.h"
#include "device/trials.h"
#include "gl/fences.h"
#include "gl/gl.h"

#include <stdio.h>

/* ---- Counts */

typedef enum counter {
    CALLS,
    DRAWS,
    DISPATCHES,
    FRAMEBUFFERS,
    PROGRAMS,
    BARRIERS,
    FLUSHES,
    FINISHES,
    FENCES,
    WAITS,
    MAPS,
    STORAGE,
    UPLOADS,
    READBACKS,
    ALLOCATIONS,
    COUNTERS
} counter;

static const char *const titles[COUNTERS] = {
    [CALLS] = "calls",       [DRAWS] = "draws",         [DISPATCHES] = "dispatches",
    [PROGRAMS] = "programs", [BARRIERS] = "barriers",   [FRAMEBUFFERS] = "framebuffers",
    [FLUSHES] = "flushes",   [FINISHES] = "finishes",   [FENCES] = "fences",
    [WAITS] = "waits",       [MAPS] = "maps",           [STORAGE] = "storage",
    [UPLOADS] = "uploads",   [READBACKS] = "readbacks", [ALLOCATIONS] = "allocations",
};

typedef struct counts {
    int of[COUNTERS];
} counts;

static counts counts_now(void)
{
    counts c;
    c.of[CALLS] = gl_calls;
    c.of[DRAWS] = calls_of_glDrawArrays + calls_of_DrawArraysInstanced + calls_of_ClearBufferfv +
                  calls_of_ClearTexImage;
    c.of[DISPATCHES] = calls_of_DispatchCompute;
    c.of[FRAMEBUFFERS] = calls_of_BindFramebuffer + calls_of_FramebufferTexture2D +
                         calls_of_FramebufferTextureLayer + calls_of_FramebufferParameteri +
                         calls_of_DrawBuffers;
    c.of[PROGRAMS] = calls_of_UseProgram;
    c.of[BARRIERS] = calls_of_MemoryBarrier;
    c.of[FLUSHES] = calls_of_glFlush;
    c.of[FINISHES] = calls_of_glFinish;
    c.of[FENCES] = calls_of_FenceSync;
    c.of[WAITS] = calls_of_ClientWaitSync;
    c.of[MAPS] = calls_of_MapBufferRange;
    c.of[STORAGE] = calls_of_TexStorage2D + calls_of_TexStorage3D + calls_of_TextureView +
                    calls_of_BufferData + calls_of_GenFramebuffers;
    c.of[UPLOADS] = calls_of_glTexSubImage2D + calls_of_TexSubImage3D;
    c.of[READBACKS] = calls_of_glReadPixels + calls_of_glGetTexImage;
    c.of[ALLOCATIONS] = faults_made();
    return c;
}

static counts difference(counts later, counts former)
{
    for (int i = 0; i < COUNTERS; ++i)
        later.of[i] -= former.of[i];
    return later;
}

/* ---- Ways */

typedef struct way {
    const char *title;
    bool on_gpu; /* how the library treats llvmpipe */
    glnn_stage stage;
    glnn_writes writes;
    glnn_tier tier;     /* 0: full */
    int render_targets; /* 0: 8 */
} way;

static const way ways[] = {
    {"llvmpipe, fragment stage", false, GLNN_STAGE_FRAGMENT, GLNN_WRITES_AUTO, 0, 0},
    {"llvmpipe, fragment stage with images", false, GLNN_STAGE_FRAGMENT, GLNN_WRITES_IMAGES, 0, 0},
    {"llvmpipe, compute stage", false, GLNN_STAGE_COMPUTE, GLNN_WRITES_AUTO, 0, 0},
    {"GPU, fragment stage", true, GLNN_STAGE_FRAGMENT, GLNN_WRITES_AUTO, 0, 0},
    {"GPU, fragment stage with images", true, GLNN_STAGE_FRAGMENT, GLNN_WRITES_IMAGES, 0, 0},
    {"GPU, compute stage", true, GLNN_STAGE_COMPUTE, GLNN_WRITES_AUTO, 0, 0},
    {"llvmpipe, tier targets", false, GLNN_STAGE_FRAGMENT, GLNN_WRITES_AUTO, GLNN_TIER_TARGETS, 0},
    {"llvmpipe, tier targets with four render targets", false, GLNN_STAGE_FRAGMENT,
     GLNN_WRITES_AUTO, GLNN_TIER_TARGETS, 4},
};

static void *fences_of_llvmpipe;

/* A GPU needs no fences that are kept (gl/fences.h), and nothing is drawn without them here. */
static glnn_context *create_context(const way *w)
{
    glnn_context *ctx = NULL;
    bool is_exact;
    expect_ok(glnn_context_create(&(glnn_context_desc){.stage = w->stage,
                                                       .writes = w->writes,
                                                       .tier = w->tier,
                                                       .render_targets = w->render_targets,
                                                       .tuning = GLNN_TUNING_OFF},
                                  &ctx));
    expect_ok(glnn__gl_enter(ctx));
    expect_ok(glnn__gl_leave(ctx, glnn__blending_is_exact(ctx, &is_exact)));
    expect_ok(glnn_context_finish(ctx));
    fences_of_llvmpipe = glnn__slot_state(ctx, &glnn__fences_slot);
    if (w->on_gpu) {
        ctx->info.software = false;
        ctx->avoids_powers_of_two = false;
        ctx->states[glnn__fences_slot.number] = NULL;
    }
    gl_draws_nothing = true;
    count_gl_calls(true);
    return ctx;
}

static void end_counting(void)
{
    if (gl_draws_nothing)
        count_gl_calls(false);
    gl_draws_nothing = false;
}

static void destroy_context(glnn_context *ctx)
{
    end_counting();
    ctx->states[glnn__fences_slot.number] = fences_of_llvmpipe;
    glnn_context_destroy(ctx);
}

/* Runs a case until its counts repeat. */
static counts count_steady(cost_subject *s, const cost_case *of)
{
    enum { LONGEST_START = 4, REPEATS = 3 };
    counts latest = {{0}};
    for (int i = 0; i < LONGEST_START + REPEATS; ++i) {
        const counts former = latest, begin = counts_now();
        expect_ok(of->act(s));
        latest = difference(counts_now(), begin);
        for (int j = 0; i > LONGEST_START && j < COUNTERS; ++j)
            if (latest.of[j] != former.of[j])
                fail_at(__FILE__, __LINE__, "%s: %d %s after %d", of->name, latest.of[j], titles[j],
                        former.of[j]);
    }
    return latest;
}

static counts count_case(glnn_context *ctx, const cost_case *of)
{
    cost_subject s = cost_subject_new(ctx, of);
    const counts steady = count_steady(&s, of);
    cost_subject_free(&s);
    return steady;
}

/* ---- The table */

static const char path[] = "docs/tables/counts.md";

static const char introduction[] =
    "# Counts of steps and operations\n"
    "\n"
    "The commands that the library gives to OpenGL for one steady training step, use of a network "
    "or operation on matrices, and the blocks of main memory that it allocates. The matrices have "
    "512 x 512 elements, and the nets have the inputs of MNIST. *Calls* are all commands of OpenGL "
    "together. *Framebuffers* are changes of the framebuffer or its attachments, and *storage* is "
    "textures, views, buffers and framebuffers that are created. Plans are those of the built-in "
    "profile. llvmpipe counts as it is, and as the library would treat a GPU.\n"
    "\n"
    "`tests/test_step_costs` fails if a number is not that of this table. `make drawings` writes "
    "the table anew.\n";

static bool has_llvmpipe(void)
{
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    return strncmp(info.renderer, "llvmpipe", strlen("llvmpipe")) == 0;
}

static void print_section(FILE *out, const way *w)
{
    glnn_context *ctx = create_context(w);
    fprintf(out, "\n## %s\n\n|", w->title);
    for (int i = 0; i < COUNTERS; ++i)
        fprintf(out, " | %s", titles[i]);
    fprintf(out, " |\n|---|");
    for (int i = 0; i < COUNTERS; ++i)
        fprintf(out, "---|");
    for (size_t i = 0; i < cost_case_count; ++i) {
        const counts steady = count_case(ctx, &cost_cases[i]);
        fprintf(out, "\n| %s", cost_cases[i].name);
        for (int j = 0; j < COUNTERS; ++j)
            fprintf(out, " | %d", steady.of[j]);
        fprintf(out, " |");
    }
    fprintf(out, "\n");
    destroy_context(ctx);
}

/* The line of `text` that the character belongs to. */
static const char *line_at(const char *text, const char *character, int *length)
{
    const char *begin = character;
    while (begin > text && begin[-1] != '\n')
        --begin;
    *length = (int)strcspn(begin, "\n");
    return begin;
}

static void compare_section(const char *section, const char *title, const char *document)
{
    char head[128];
    snprintf(head, sizeof head, "\n## %s\n", title);
    const char *want = strstr(document, head);
    if (!want)
        fail_at(__FILE__, __LINE__, "%s has no section \"%s\"", path, title);
    size_t same = 0;
    while (section[same] && section[same] == want[same])
        ++same;
    if (!section[same] && (want[same] == '\n' || want[same] == '\0'))
        return;
    int lengths[2];
    const char *got_line = line_at(section, section + same, &lengths[0]);
    const char *want_line = line_at(document, want + same, &lengths[1]);
    fail_at(__FILE__, __LINE__, "%s, %s, has other numbers:\n%.*s\n%.*s, in the table", path, title,
            lengths[0], got_line, lengths[1], want_line);
}

/* Some sanitizers have an allocator of their own. */
#ifdef OWN_ALLOCATOR
static const bool counts_allocations = false;
#else
static const bool counts_allocations = true;
#endif

static bool writes_table;

static void check_way(const way *w)
{
    if (!has_llvmpipe() || !counts_allocations)
        skip(); /* the limits of other devices can lead to other passes */
    char *section = NULL;
    unsigned char *document = NULL;
    size_t size;
    FILE *out = writes_table ? fopen(path, "a") : open_memstream(&section, &size);
    assert_non_null(out);
    print_section(out, w);
    assert_int_equal(fclose(out), 0);
    if (!writes_table) {
        expect_ok(glnn__file_read(path, &document, &size));
        compare_section(section, w->title, (const char *)document);
    }
    free(document);
    free(section);
}

#define WAY(name, number)                                                                          \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check_way(&ways[number]);                                                                  \
    }

WAY(targets_on_llvmpipe_cost_what_the_table_says, 0)
WAY(images_on_llvmpipe_cost_what_the_table_says, 1)
WAY(the_compute_stage_on_llvmpipe_costs_what_the_table_says, 2)
WAY(targets_on_a_gpu_cost_what_the_table_says, 3)
WAY(images_on_a_gpu_cost_what_the_table_says, 4)
WAY(the_compute_stage_on_a_gpu_costs_what_the_table_says, 5)
WAY(the_tier_targets_on_llvmpipe_costs_what_the_table_says, 6)
WAY(four_render_targets_on_llvmpipe_cost_what_the_table_says, 7)

static bool begin_table(void)
{
    FILE *out = fopen(path, "w");
    return out && fputs(introduction, out) >= 0 && fclose(out) == 0;
}

static int teardown(void **state)
{
    end_counting();
    return test_teardown(state);
}

#define WAY_TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        WAY_TEST(targets_on_llvmpipe_cost_what_the_table_says),
        WAY_TEST(images_on_llvmpipe_cost_what_the_table_says),
        WAY_TEST(the_compute_stage_on_llvmpipe_costs_what_the_table_says),
        WAY_TEST(targets_on_a_gpu_cost_what_the_table_says),
        WAY_TEST(images_on_a_gpu_cost_what_the_table_says),
        WAY_TEST(the_compute_stage_on_a_gpu_costs_what_the_table_says),
        WAY_TEST(the_tier_targets_on_llvmpipe_costs_what_the_table_says),
        WAY_TEST(four_render_targets_on_llvmpipe_cost_what_the_table_says),
    };
    writes_table = argc == 2 && strcmp(argv[1], "--write") == 0;
    if (writes_table && !begin_table())
        return 1;
    return cmocka_run_group_tests_name("step_costs", tests, test_group_setup, test_group_teardown);
}
