#include "ops/gemm_race.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/tuning_store.h"

#include <math.h>
#include <stdio.h>

/* A cut that is expected to take so many times as long as the best does not start. */
#define HOPELESS 4.0

/* A turn is repeated until that is long enough for the clock; the least of some turns counts. */
#define TURNS        3
#define LONG_TURN_US 300.0
#define MAX_REPEATS  16

/* Shape, transposes, layouts, and what follows the sum: all that a race depends on. */
static void write_key(const glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                      const glnn__plan *plan, char *key, size_t size)
{
    const char *finish = plan->maps ? " mapped" : plan->in_place ? " in place" : "";
    snprintf(key, size, "%s product %d x %d x %d %c%c%s %s %s, %s %s, %s %s%s",
             glnn_stage_name(ctx->info.stage), shape->rows, shape->columns, shape->inner,
             p->transpose_a ? 't' : 'n', p->transpose_b ? 't' : 'n', p->augment ? "1" : "",
             glnn_layout_name(p->a->layout), glnn_storage_name(p->a->storage),
             glnn_layout_name(p->b->layout), glnn_storage_name(p->b->storage),
             glnn_layout_name(p->c->layout), glnn_storage_name(p->c->storage), finish);
}

/* The product into a matrix of the race's own: the caller's keeps what it has. */
static glnn_status run_repeats(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                               glnn_matrix *const c[2], int repeats, double *us)
{
    const double start = glnn__clock_seconds();
    for (int i = 0; i < repeats; ++i) {
        glnn__product product = *p;
        product.c = c[i & 1];
        product.beside = (glnn__beside){.update = GLNN__UPDATE_NONE};
        if (p->addend == p->c)
            product.addend = product.c;
        GLNN__TRY(glnn__plan_run(ctx, &product, plan));
    }
    glnn__gl_wait(ctx);
    *us = 1e6 * (glnn__clock_seconds() - start) / repeats;
    return GLNN_OK;
}

static glnn_status time_plan(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                             glnn_matrix *const c[2], double *us)
{
    double once;
    GLNN__TRY(run_repeats(ctx, p, plan, c, 1, &once)); /* this one compiles */
    GLNN__TRY(run_repeats(ctx, p, plan, c, 1, &once));
    const int repeats = once < LONG_TURN_US ? MAX_REPEATS : 1;
    *us = once;
    for (int i = 0; i < TURNS; ++i) {
        GLNN__TRY(run_repeats(ctx, p, plan, c, repeats, &once));
        *us = fmin(*us, once);
    }
    return GLNN_OK;
}

/* One starter: a cut, with or without sharing. */
static glnn_status race_one(glnn_context *ctx, const glnn__product *p, const glnn__cut *cut,
                            bool shares, glnn_matrix *const c[2], glnn__plan *best)
{
    glnn__plan plan = *best;
    if (!shares && !glnn__pass_can_share(ctx, p->c->layout))
        return GLNN_OK;
    plan.strips = 1;
    glnn__plan_cut(ctx, p, cut, shares, &plan);
    GLNN__TRY(time_plan(ctx, p, &plan, c, &plan.expected_us));
    glnn__log(GLNN_LOG_INFO,
              "race: %d x %d x %d in %d slices, groups of %d, stacks of %d%s: %.1f us", p->c->rows,
              p->c->columns, plan.inner, plan.slices, plan.group, plan.stack,
              plan.shares ? ", sharing" : "", plan.expected_us);
    if (best->slices == 0 || plan.expected_us < best->expected_us)
        *best = plan;
    return GLNN_OK;
}

static glnn_status race_all(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                            glnn_matrix *const c[2], glnn__plan *best)
{
    const glnn__figures *figures;
    int slices[GLNN__MAX_CUTS];
    double least = INFINITY;
    const int count = glnn__model_slices(ctx, shape, slices);
    GLNN__TRY(glnn__figures_measured(ctx, &figures));
    for (int i = 0; i < count; ++i) {
        /* The faster kernel first: with groups, or stacked, whichever the stage has. */
        const int group = glnn__model_group(ctx, shape, slices[i]);
        const int stack = glnn__pass_can_stack(ctx, p->c) ? GLNN__STACK : 1;
        for (int with = group > 0 || stack > 1; with >= 0; --with) {
            const glnn__cut cut = {
                .slices = slices[i], .group = with ? group : 0, .stack = with ? stack : 1};
            const double expected = glnn__model_time(figures, shape, &cut);
            least = fmin(least, expected);
            if (expected > HOPELESS * least)
                continue;
            GLNN__TRY(race_one(ctx, p, &cut, true, c, best));
            GLNN__TRY(race_one(ctx, p, &cut, false, c, best));
        }
    }
    return GLNN_OK;
}

static glnn_status hold_race(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                             glnn__plan *best)
{
    const glnn_matrix_desc desc = {
        .rows = p->c->rows, .columns = p->c->columns, .layout = p->c->layout, .name = "race"};
    glnn_matrix *c[2] = {NULL, NULL};
    glnn_status status = glnn_matrix_create(ctx, &desc, &c[0]);
    if (!status)
        status = glnn_matrix_create(ctx, &desc, &c[1]);
    if (!status)
        status = race_all(ctx, p, shape, c, best);
    glnn_matrix_destroy(c[0]);
    glnn_matrix_destroy(c[1]);
    return status;
}

/* "4 0 1 2": slices, group, sharing, stack. */
static bool read_winner(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                        const char *text, glnn__plan *plan)
{
    glnn__cut cut = {0};
    int shares;
    if (!text || sscanf(text, "%d %d %d %d", &cut.slices, &cut.group, &shares, &cut.stack) != 4 ||
        cut.slices < 1 || cut.slices > plan->inner || cut.stack < 1 ||
        cut.stack > (glnn__pass_can_stack(ctx, p->c) ? GLNN__STACK : 1) ||
        (cut.group != 0 && cut.group != glnn__model_group(ctx, shape, cut.slices)))
        return false;
    glnn__plan_cut(ctx, p, &cut, shares, plan);
    return true;
}

glnn_status glnn__race_winner(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                              glnn__plan *plan, bool *is_known)
{
    char key[GLNN__TUNING_TEXT], text[64];
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    *is_known = false;
    if (ctx->info.tuning == GLNN_TUNING_OFF)
        return GLNN_OK;
    write_key(ctx, p, shape, plan, key, sizeof key);
    const char *known = glnn__tuning_get(ctx, programs, key);
    *is_known = read_winner(ctx, p, shape, known, plan);
    if (*is_known || ctx->info.tuning != GLNN_TUNING_FULL)
        return GLNN_OK;
    GLNN__TRY(hold_race(ctx, p, shape, plan));
    snprintf(text, sizeof text, "%d %d %d %d", plan->slices, plan->group, plan->shares,
             plan->stack);
    *is_known = read_winner(ctx, p, shape, glnn__tuning_put(ctx, programs, key, known, text), plan);
    return GLNN_OK;
}
