#include <glnn/selftest.h>

#include "base/clock.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/thread.h"
#include "device/trials.h"
#include "gl/lifetime.h"
#include "gl/platform.h"
#include "selftest/cell.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Ways to compute */

/* The last one only trains. */
enum { MOST_WAYS = 4, OPERATION_WAYS = MOST_WAYS - 1 };

struct selftest;

/* A way to compute, and its column of the table. */
typedef struct way {
    struct selftest *test;
    glnn_tier tier;
    glnn_stage stage;
    glnn_writes writes;
    bool trains_only; /* the operations have the shaders of another way */
    glnn_context *ctx;
    glnn__cell *cells;
    glnn__thread thread;
    bool has_thread;
    int done; /* cells; under the lock */
} way;

/* A self-test under way. */
typedef struct selftest {
    glnn_context *ctx;
    glnn_selftest_fn line;
    void *user;
    way ways[MOST_WAYS];
    glnn_selftest_report report; /* its `ways` counts those above */
    glnn__mutex lock;
    glnn__condition progress;
} selftest;

__attribute__((format(printf, 2, 3))) static void write_line(const selftest *test,
                                                             const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (test->line)
        test->line(test->user, text);
}

static const char *writes_words(const way *w)
{
    return w->stage == GLNN_STAGE_COMPUTE ? "" : glnn_writes_name(w->writes);
}

/* A context like the given one that computes in another way. */
static glnn_status create_way(const glnn_context *ctx, way *w)
{
    glnn_context_desc desc = ctx->desc;
    desc.tier = w->tier;
    desc.stage = w->stage;
    desc.writes = w->writes;
    desc.tuning = GLNN_TUNING_OFF;
    return glnn_context_create(&desc, &w->ctx);
}

/* Another thread will use the context. */
static void add_way(selftest *test, way made)
{
    made.test = test;
    if (create_way(test->ctx, &made) != GLNN_OK) {
        write_line(test, "no context for %s %s: %s", glnn_stage_name(made.stage),
                   writes_words(&made), glnn_last_error());
        ++test->report.failed;
        return;
    }
    const glnn_context_info *info = &made.ctx->info;
    if (info->tier == made.tier && info->stage == made.stage && info->writes == made.writes) {
        glnn_context_release(made.ctx);
        test->ways[test->report.ways++] = made;
        return;
    }
    glnn_context_destroy(made.ctx);
    write_line(test, "%s %s is not tested: the library does not use it with this driver",
               glnn_stage_name(made.stage), writes_words(&made));
}

static void begin_ways(selftest *test)
{
    glnn_context *ctx = test->ctx;
    if (ctx->platform->adopted) {
        test->ways[test->report.ways++] = (way){.test = test,
                                                .tier = ctx->info.tier,
                                                .stage = ctx->info.stage,
                                                .writes = ctx->info.writes,
                                                .ctx = ctx};
        ctx->info.tuning = GLNN_TUNING_OFF;
        write_line(test, "adopted context: its own stage alone is tested");
        return;
    }
    const glnn_tier tier = ctx->info.tier;
    add_way(test, (way){.tier = tier, .stage = GLNN_STAGE_FRAGMENT, .writes = GLNN_WRITES_TARGETS});
    if (ctx->has_images)
        add_way(test,
                (way){.tier = tier, .stage = GLNN_STAGE_FRAGMENT, .writes = GLNN_WRITES_IMAGES});
    if (ctx->has_compute)
        add_way(test, (way){.tier = tier, .stage = GLNN_STAGE_COMPUTE, .writes = GLNN_WRITES_AUTO});
    if (ctx->has_images)
        add_way(test, (way){.tier = GLNN_TIER_TARGETS,
                            .stage = GLNN_STAGE_FRAGMENT,
                            .writes = GLNN_WRITES_TARGETS,
                            .trains_only = true});
}

/* ---- Computing: the contexts of the library's own compute side by side in threads, because
 * compiling programs takes most of the time. */

static int row_count(void)
{
    return glnn__operation_count + glnn__subject_count;
}

/* The ways that run operations share the work. They come before the one that does not. */
static glnn__turn turn_of(const way *w)
{
    const selftest *test = w->test;
    const int ways = test->report.ways - test->ways[test->report.ways - 1].trains_only;
    return w->trains_only ? (glnn__turn){0, 1} : (glnn__turn){(int)(w - test->ways), ways};
}

/* An adopted context runs what its way runs where there are others, so it compiles as little. */
static glnn__turn operation_turn_of(const way *w)
{
    if (w->ctx != w->test->ctx || !w->ctx->has_images)
        return turn_of(w);
    const int to_images = w->writes == GLNN_WRITES_IMAGES;
    return (glnn__turn){w->stage == GLNN_STAGE_COMPUTE ? 2 : to_images, OPERATION_WAYS};
}

static void compute_cell(way *w, int row)
{
    glnn__cell *cell = &w->cells[row];
    if (row >= glnn__operation_count)
        glnn__subjects[row - glnn__operation_count].run(w->ctx, turn_of(w), cell);
    else if (!w->trains_only)
        glnn__cell_run_operation(w->ctx, &glnn__operations[row], operation_turn_of(w), cell);
}

static void *compute(void *state)
{
    way *w = state;
    selftest *test = w->test;
    for (int row = 0; row < row_count(); ++row) {
        compute_cell(w, row);
        glnn__mutex_lock(&test->lock);
        ++w->done;
        glnn__condition_signal(&test->progress);
        glnn__mutex_unlock(&test->lock);
    }
    glnn_context_release(w->ctx);
    return NULL;
}

static glnn_status start_way(way *w)
{
    w->cells = calloc((size_t)row_count(), sizeof *w->cells);
    if (!w->cells)
        return glnn__fail(GLNN_E_NOMEM, "glnn_selftest: no memory for the table");
    w->has_thread = w->ctx != w->test->ctx && glnn__thread_start(&w->thread, compute, w);
    return GLNN_OK;
}

/* Waits until a row of a way is computed, or computes it if the way has no thread. */
static void await_row(way *w, int row)
{
    selftest *test = w->test;
    if (!w->has_thread) {
        compute_cell(w, row);
        return;
    }
    glnn__mutex_lock(&test->lock);
    while (w->done <= row)
        glnn__condition_wait(&test->progress, &test->lock);
    glnn__mutex_unlock(&test->lock);
}

static void end_ways(selftest *test)
{
    for (int i = 0; i < test->report.ways; ++i) {
        way *w = &test->ways[i];
        if (w->has_thread)
            glnn__thread_join(w->thread);
        if (w->ctx != test->ctx)
            glnn_context_destroy(w->ctx);
        free(w->cells);
    }
}

/* ---- The driver */

static void write_driver(const selftest *test)
{
    const glnn_context *ctx = test->ctx;
    const glnn_context_info *info = &ctx->info;
    write_line(test, "libglnn %s, self-test", glnn_version());
    write_line(test, "vendor    %s", info->vendor);
    write_line(test, "renderer  %s", info->renderer);
    write_line(test, "version   %s", info->version);
    write_line(test, "context   %s, api %s, tier %s, stage %s, writes %s, %s",
               glnn_platform_name(ctx->desc.platform), glnn_api_name(info->api),
               glnn_tier_name(info->tier), glnn_stage_name(info->stage),
               glnn_writes_name(info->writes), info->software ? "software renderer" : "GPU");
    write_line(test,
               "limits    textures of %d texels a side and %d layers, %d of %d render targets, "
               "%zu MiB of textures",
               info->max_texture_size, info->max_array_layers, info->render_targets,
               info->max_draw_buffers, info->texture_budget >> 20);
    write_line(test, "features  timer queries %s, quad exchange %s",
               info->timer_queries ? "yes" : "no", info->quad_exchange ? "yes" : "no");
}

/* One trial in a call of its own, so that an error of OpenGL is that of the trial. */
static glnn_status try_one(glnn_context *ctx, glnn__property property, bool *has)
{
    GLNN__TRY(glnn__gl_enter_for(ctx, "glnn_selftest"));
    return glnn__gl_leave(ctx, glnn__driver_try(ctx, property, has));
}

static void try_driver(selftest *test)
{
    write_line(test, "%s", "");
    for (int p = 0; p < GLNN__PROPERTIES; ++p) {
        const glnn__driver_trial *trial = &glnn__driver_trials[p];
        bool has = false;
        if (!glnn__driver_needs(test->ctx, (glnn__property)p)) {
            write_line(test, "trial of %-16s not made: this context is without it", trial->name);
            continue;
        }
        const glnn_status status = try_one(test->ctx, (glnn__property)p, &has);
        ++test->report.trials;
        test->report.trials_failed += status || !has;
        if (status)
            write_line(test, "trial of %-16s FAILED: %s", trial->name, glnn_last_error());
        else
            write_line(test, "trial of %-16s %s%s", trial->name,
                       has ? "passed: " : "FAILED; workaround: ",
                       has ? trial->property : trial->workaround);
    }
}

/* ---- The table */

enum { NAME_WIDTH = 40, CELL_WIDTH = 10 };

static void write_head(const selftest *test)
{
    char tiers[128] = "", stages[128] = "", writes[128] = "";
    for (int i = 0; i < test->report.ways; ++i) {
        const way *w = &test->ways[i];
        const size_t used = strlen(stages);
        snprintf(tiers + used, sizeof tiers - used, "%*s", CELL_WIDTH, glnn_tier_name(w->tier));
        snprintf(stages + used, sizeof stages - used, "%*s", CELL_WIDTH, glnn_stage_name(w->stage));
        snprintf(writes + used, sizeof writes - used, "%*s", CELL_WIDTH, writes_words(w));
    }
    write_line(test, "%s", "");
    write_line(test, "%-*s%s", NAME_WIDTH, "the greatest error in units of its bound", tiers);
    write_line(test, "%-*s%s", NAME_WIDTH, "tier, stage and writes of each column", stages);
    write_line(test, "%-*s%s", NAME_WIDTH, "", writes);
}

static void count(selftest *test, const glnn__cell *cell)
{
    test->report.results += cell->results;
    test->report.failed += cell->failed;
    test->report.worst = fmax(test->report.worst, cell->worst);
}

static const char *row_name(int row)
{
    return row < glnn__operation_count ? glnn__operations[row].name
                                       : glnn__subjects[row - glnn__operation_count].name;
}

static void write_failures(const selftest *test, int row)
{
    for (int i = 0; i < test->report.ways; ++i) {
        const way *w = &test->ways[i];
        const glnn__cell *cell = &w->cells[row];
        if (cell->failed)
            write_line(test, "    %s %s, %d of %d results; the first: %s",
                       glnn_stage_name(w->stage), writes_words(w), cell->failed, cell->results,
                       cell->first);
    }
}

static void write_row(selftest *test, int row)
{
    char text[256];
    int used = snprintf(text, sizeof text, "%-*s", NAME_WIDTH, row_name(row));
    for (int i = 0; i < test->report.ways; ++i) {
        const glnn__cell *cell = &test->ways[i].cells[row];
        char *at = text + used;
        const size_t room = sizeof text - (size_t)used;
        count(test, cell);
        if (cell->failed || cell->results == 0)
            used += snprintf(at, room, "%*s", CELL_WIDTH, cell->failed ? "FAILED" : "-");
        else
            used += snprintf(at, room, "%*.3f", CELL_WIDTH, cell->worst);
    }
    write_line(test, "%s", text);
    write_failures(test, row);
}

static glnn_status fill_table(selftest *test)
{
    write_head(test);
    for (int i = 0; i < test->report.ways; ++i)
        GLNN__TRY(start_way(&test->ways[i]));
    for (int row = 0; row < row_count(); ++row) {
        for (int i = 0; i < test->report.ways; ++i)
            await_row(&test->ways[i], row);
        write_row(test, row);
    }
    return GLNN_OK;
}

static void write_total(selftest *test, double start)
{
    glnn_selftest_report *r = &test->report;
    r->seconds = glnn__clock_seconds() - start;
    write_line(test, "%s", "");
    write_line(test, "%s: %d of %d results failed, %d of %d trials failed; %.1f s",
               r->failed ? "FAILED" : "passed", r->failed, r->results, r->trials_failed, r->trials,
               r->seconds);
}

/* Fails if no call could use the context now. */
static glnn_status check_context(glnn_context *ctx)
{
    GLNN__TRY(glnn__gl_enter_for(ctx, "glnn_selftest"));
    return glnn__gl_leave(ctx, GLNN_OK);
}

glnn_status glnn_selftest(glnn_context *ctx, glnn_selftest_fn line, void *user,
                          glnn_selftest_report *out)
{
    const double start = glnn__clock_seconds();
    GLNN__CONTEXT(ctx);
    if (out)
        GLNN__TRY(GLNN__SIZED_CHECK(glnn_selftest_report, seconds, out));
    GLNN__TRY(check_context(ctx));
    const glnn_counters counters = ctx->counters;
    const glnn_tuning tuning = ctx->info.tuning;
    selftest test = {.ctx = ctx, .line = line, .user = user};
    glnn__mutex_create(&test.lock);
    glnn__condition_create(&test.progress);
    write_driver(&test);
    try_driver(&test);
    begin_ways(&test);
    const glnn_status status = fill_table(&test);
    if (!status)
        write_total(&test, start);
    end_ways(&test);
    glnn__condition_destroy(&test.progress);
    glnn__mutex_destroy(&test.lock);
    ctx->counters = counters;
    ctx->info.tuning = tuning;
    if (!status && out)
        glnn__sized_fill(out, &test.report, sizeof test.report);
    return status;
}
