/* Contexts as in WebGL 2, which a context of OpenGL ES 3.0 takes the place of outside of browsers:
 * what they have, what they refuse, and that everything computes in them. */
#include "support/es.h"
#include "support/headless.h"
#include "support/subjects.h"

#include "selftest/cell.h"
#include "tex/buffer.h"

#include <GL/glew.h>

#include <glnn/glnn.h>

static const glnn_context_desc of_webgl = {.api = GLNN_API_WEBGL, .cache_dir = ""};

static void a_description_or_the_environment_asks_for_webgl(void **state)
{
    (void)state;
    for (int is_described = 0; is_described < 2; ++is_described) {
        assert_int_equal(setenv("GLNN_API", is_described ? "gl" : "webgl", 1), 0);
        glnn_context *ctx = created(&(glnn_context_desc){
            .api = is_described ? GLNN_API_WEBGL : GLNN_API_DEFAULT, .cache_dir = ""});
        const glnn_context_info info = info_of(ctx);
        assert_int_equal(info.api, GLNN_API_WEBGL);
        assert_int_equal(info.tier, GLNN_TIER_TARGETS);
        assert_int_equal(info.stage, GLNN_STAGE_FRAGMENT);
        glnn_context_destroy(ctx);
    }
    assert_int_equal(unsetenv("GLNN_API"), 0);
}

static void higher_tiers_are_refused(void **state)
{
    (void)state;
    glnn_context_desc desc = of_webgl;
    desc.tier = GLNN_TIER_FULL;
    expect_no_context(desc, GLNN_E_UNSUPPORTED, "the tier full needs desktop OpenGL 4.3");
    desc.tier = GLNN_TIER_ES;
    expect_no_context(desc, GLNN_E_UNSUPPORTED, "the tier es needs OpenGL ES 3.1");
    desc = of_webgl;
    desc.stage = GLNN_STAGE_COMPUTE;
    expect_no_context(desc, GLNN_E_ARG, "the tier targets has fragment shaders alone");
}

static void opengl_es_3_0_suffices(void **state)
{
    (void)state;
    es_pretend((es_driver){.version = "OpenGL ES 3.0 pretended"});
    glnn_context_destroy(created(&of_webgl));
    es_pretend((es_driver){.version = "OpenGL ES 2.0 pretended"});
    expect_no_context(of_webgl, GLNN_E_UNSUPPORTED, "offers \"OpenGL ES 2.0 pretended\"");
}

/* Unless all cases are run, an operation meets one of the layouts, as it does where the ways to
 * compute share them: programs of the tier targets meet all of them in desktop contexts. */
static void every_row_of_the_self_test_passes(void **state)
{
    (void)state;
    const glnn__turn turn = {0, all_cases_are_run() ? 1 : 3};
    glnn__cell cell = {0};
    glnn_context *ctx = created(&of_webgl);
    for (int i = 0; i < glnn__operation_count; ++i)
        glnn__cell_run_operation(ctx, &glnn__operations[i], turn, &cell);
    for (int i = 0; i < glnn__subject_count; ++i)
        glnn__subjects[i].run(ctx, turn, &cell);
    if (cell.failed > 0)
        fail_msg("%d of %d results; the first: %s", cell.failed, cell.results, cell.first);
    assert_true(cell.results > glnn__operation_count);
    assert_true(cell.worst > 0.01 && cell.worst <= 1);
    glnn_context_destroy(ctx);
}

/* The loss of each sample is an output of its own, next to the sums of all samples. */
static void samples_with_high_losses_count_as_on_the_desktop(void **state)
{
    (void)state;
    const glnn_context_desc descs[] = {of_webgl, {.api = GLNN_API_GL, .cache_dir = ""}};
    double losses[COUNT_OF(descs)];
    for (size_t i = 0; i < COUNT_OF(descs); ++i) {
        glnn_context *ctx = created(&descs[i]);
        context_use(ctx);
        random_seed(7);
        const subject of = subject_of(NETWORK);
        glnn_train_desc how = training_of(NETWORK);
        how.emphasis = 1;
        glnn_train_result result = {.size = sizeof result};
        expect_ok(train_subject(&of, dataset_of(some_samples()), &how, &result));
        losses[i] = result.training.loss;
        release_learning();
        glnn_context_destroy(ctx);
    }
    assert_true(fabs(losses[0] - losses[1]) <= 1e-5 * losses[1]);
}

static PFNGLCLIENTWAITSYNCPROC true_client_wait;
static GLuint64 longest;

static GLenum GLAPIENTRY note_wait(GLsync fence, GLbitfield flags, GLuint64 nanoseconds)
{
    longest = nanoseconds > longest ? nanoseconds : longest;
    return true_client_wait(fence, flags, nanoseconds);
}

/* Browsers may refuse any time above 0. */
static void no_fence_is_waited_for(void **state)
{
    (void)state;
    glnn_context *ctx = created(&of_webgl);
    expect_ok(glnn__gl_enter(ctx));
    true_client_wait = glClientWaitSync;
    glClientWaitSync = note_wait;
    GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    longest = 0;
    glnn__fence_wait(ctx, fence);
    assert_true(glnn__fence_has_passed(ctx, fence, 0, 1000));
    assert_int_equal(longest, 0);
    glDeleteSync(fence);
    glClientWaitSync = true_client_wait;
    expect_ok(glnn__gl_leave(ctx, GLNN_OK));
    glnn_context_destroy(ctx);
}

/* ---- Textures of a host */

enum { WIDTH = 5, HEIGHT = 3 };

static GLuint texture_of_host(const float *texels)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, WIDTH, HEIGHT);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RGBA, GL_FLOAT, texels);
    return texture;
}

static void a_texture_is_adopted_with_its_size_and_format(void **state)
{
    (void)state;
    float texels[HEIGHT * WIDTH * 4], read[HEIGHT * WIDTH * 4];
    for (size_t i = 0; i < COUNT_OF(texels); ++i)
        texels[i] = (float)i;
    const foreign host = es_headless();
    const GLuint texture = texture_of_host(texels);
    glnn_context_desc desc = of_webgl;
    desc.platform = GLNN_PLATFORM_ADOPT;
    glnn_context *ctx = created(&desc);
    glnn_matrix *matrix = NULL;
    expect_error(glnn_matrix_adopt(ctx, &(glnn_texture_desc){.texture = texture}, &matrix),
                 GLNN_E_ARG, "`width` is 0, `height` is 0 and `format` is 0");
    expect_ok(glnn_matrix_adopt(
        ctx,
        &(glnn_texture_desc){
            .texture = texture, .width = WIDTH, .height = HEIGHT, .format = GL_RGBA32F},
        &matrix));
    expect_ok(glnn_matrix_download(ctx, matrix, NULL, read, 0));
    assert_memory_equal(read, texels, sizeof read);
    glnn_matrix_destroy(matrix);
    glnn_context_destroy(ctx);
    foreign_end(&host);
}

/* ---- The program */

static int end_test(void **state)
{
    es_pretend((es_driver){0});
    return leave_nothing_current(state);
}

#define WEBGL_TEST(function) cmocka_unit_test_teardown(function, end_test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WEBGL_TEST(a_description_or_the_environment_asks_for_webgl),
        WEBGL_TEST(higher_tiers_are_refused),
        WEBGL_TEST(opengl_es_3_0_suffices),
        WEBGL_TEST(every_row_of_the_self_test_passes),
        WEBGL_TEST(samples_with_high_losses_count_as_on_the_desktop),
        WEBGL_TEST(no_fence_is_waited_for),
        WEBGL_TEST(a_texture_is_adopted_with_its_size_and_format),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
