/* Races for GLNN_TUNING_FULL: they time a matrix product with every promising plan. */
#include "ops/gemm/plan.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "gl/busy.h"
#include "pass/program.h"

#include <math.h>
#include <stdio.h>

/* A cut takes part unless its expected time is so many times the best one. */
#define HOPELESS 4.0

/* A turn repeats a short product, so that it is long enough for the clock. The least of several
 * turns counts. */
#define TURNS        5
#define LONG_TURN_US 300.0
#define MAX_REPEATS  16

/* A winner is stored as two numbers: its cut, and its reading. The bits of the reading say whether
 * fragments share, whether they sample, and whether they read layer by layer. */
#define READINGS 8u

typedef struct starter {
    glnn__plan plan;
    int number; /* of its cut in the list of all cuts */
    int repeats;
} starter;

typedef struct race {
    const glnn__product *product;
    const glnn__gemm_key *key;
    glnn_matrix *c[2]; /* the outputs: the caller's keeps its elements */
    int count;
    starter starters[GLNN__MAX_CUTS];
} race;

static unsigned reading_of(const glnn__plan *plan)
{
    return plan->shares | (unsigned)plan->fetching << 1 | (unsigned)plan->layered << 2;
}

/* Completes the plan of a cut with a reading. Returns false if the product does not allow it. */
static bool plan_reading(const glnn_context *ctx, const glnn__product *p, unsigned reading,
                         glnn__plan *plan)
{
    plan->shares = reading & 1;
    plan->fetching = (glnn__fetching)(reading >> 1 & 1);
    plan->layered = reading >> 2;
    glnn__plan_complete(ctx, p, plan);
    return reading == reading_of(plan);
}

static glnn_status run_turn(glnn_context *ctx, const race *r, const starter *s, double *us)
{
    const double start = glnn__clock_seconds();
    for (int i = 0; i < s->repeats; ++i) {
        glnn__product product = *r->product;
        product.c = r->c[i & 1];
        product.epilogue = NULL;
        if (r->product->addend == r->product->c)
            product.addend = product.c;
        GLNN__TRY(glnn__plan_run(ctx, &product, &s->plan));
    }
    glnn__gl_wait(ctx);
    *us = 1e6 * (glnn__clock_seconds() - start) / s->repeats;
    return GLNN_OK;
}

/* The first turn compiles, the second one shows how long a product takes. A starter leaves the
 * race if its program does not compile, for example for lack of registers; the first one must
 * compile. */
static glnn_status warm_up(glnn_context *ctx, race *r, int i)
{
    starter *s = &r->starters[i];
    double us = 0;
    glnn_status status = GLNN_OK;
    s->repeats = 1;
    for (int turn = 0; turn < 2 && !status; ++turn)
        status = run_turn(ctx, r, s, &us);
    s->repeats = status ? 0 : us < LONG_TURN_US ? MAX_REPEATS : 1;
    s->plan.expected_us = INFINITY;
    return status == GLNN_E_SHADER && i > 0 ? GLNN_OK : status;
}

/* Times all starters in turn, so that a disturbance meets all of them. The fastest one becomes the
 * first. */
static glnn_status run_starters(glnn_context *ctx, race *r)
{
    const starter *best = r->starters;
    for (int i = 0; i < r->count; ++i)
        GLNN__TRY(warm_up(ctx, r, i));
    for (int turn = 0; turn < TURNS; ++turn)
        for (int i = 0; i < r->count; ++i) {
            double us = INFINITY;
            if (r->starters[i].repeats > 0)
                GLNN__TRY(run_turn(ctx, r, &r->starters[i], &us));
            r->starters[i].plan.expected_us = fmin(us, r->starters[i].plan.expected_us);
        }
    for (const starter *s = r->starters; s < r->starters + r->count; ++s) {
        char text[256];
        glnn__plan_describe(ctx, r->product, &s->plan, text, sizeof text);
        glnn__log(GLNN_LOG_INFO, "race: %s%s", text,
                  s->repeats > 0 ? "" : ": not possible on this device");
        if (s->plan.expected_us < best->plan.expected_us)
            best = s;
    }
    r->starters[0] = *best;
    return GLNN_OK;
}

/* Lists the promising cuts, with the reading that the device profile suggests. */
static glnn_status find_cuts(glnn_context *ctx, race *r)
{
    const glnn__shape *shape = &r->key->shape;
    const glnn__profile *profile;
    glnn__plan cuts[GLNN__MAX_CUTS];
    double least = INFINITY;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(shape->layout), &profile));
    const int count = glnn__cost_cuts(ctx, shape, r->key->can_stack, cuts);
    for (int i = 0; i < count; ++i)
        least = fmin(least, glnn__cost_time(profile, shape, &cuts[i]));
    for (int i = 0; i < count; ++i) {
        if (glnn__cost_time(profile, shape, &cuts[i]) > HOPELESS * least)
            continue;
        GLNN__TRY(glnn__plan_read(ctx, r->product, &cuts[i]));
        glnn__plan_complete(ctx, r->product, &cuts[i]);
        r->starters[r->count++] = (starter){.plan = cuts[i], .number = i};
    }
    return GLNN_OK;
}

/* Lists the best cut with all readings that the product allows. A race of all cuts with all
 * readings would compile several times as many programs. */
static void find_readings(const glnn_context *ctx, race *r)
{
    const starter best = r->starters[0];
    r->count = 1;
    for (unsigned reading = 0; reading < READINGS; ++reading) {
        r->starters[r->count] = best;
        if (reading != reading_of(&best.plan) &&
            plan_reading(ctx, r->product, reading, &r->starters[r->count].plan))
            ++r->count;
    }
}

/* Runs the race, and describes its winner. */
static glnn_status hold_race(glnn_context *ctx, race *r, char *text, size_t size)
{
    const glnn_matrix *c = r->product->c;
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 2 && !status; ++i)
        status = glnn__matrix_create_zero(ctx, c->layout, c->rows, c->columns, "race", &r->c[i]);
    if (!status)
        status = find_cuts(ctx, r);
    if (!status)
        status = run_starters(ctx, r);
    if (!status) {
        find_readings(ctx, r);
        status = run_starters(ctx, r);
    }
    glnn_matrix_destroy(r->c[0]);
    glnn_matrix_destroy(r->c[1]);
    snprintf(text, size, "%d %u", r->starters[0].number, reading_of(&r->starters[0].plan));
    return status;
}

/* The plan of a stored winner; false if its text is damaged. */
static bool read_winner(const glnn_context *ctx, const glnn__product *p, const glnn__gemm_key *key,
                        const char *text, glnn__plan *out)
{
    glnn__plan cuts[GLNN__MAX_CUTS];
    unsigned number, reading;
    char rest;
    const int count = glnn__cost_cuts(ctx, &key->shape, key->can_stack, cuts);
    if (!text || sscanf(text, "%u %u%c", &number, &reading, &rest) != 2 ||
        number >= (unsigned)count || reading >= READINGS)
        return false;
    *out = cuts[number];
    return plan_reading(ctx, p, reading, out);
}

glnn_status glnn__race_winner(glnn_context *ctx, const glnn__product *p, const glnn__gemm_key *key,
                              glnn__plan *out, bool *is_known)
{
    char line[GLNN__TUNING_TEXT], winner[64];
    glnn__programs *programs;
    *is_known = false;
    if (ctx->info.tuning == GLNN_TUNING_OFF)
        return GLNN_OK;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    glnn__gemm_key_write(key, line, sizeof line);
    const char *known = glnn__tuning_get(ctx, &programs->tuning, line);
    *is_known = read_winner(ctx, p, key, known, out);
    if (*is_known || ctx->info.tuning != GLNN_TUNING_FULL ||
        !glnn__tuning_can_store(ctx, &programs->tuning))
        return GLNN_OK;
    race r = {.product = p, .key = key};
    const bool announces = ctx->announces;
    ctx->announces = false;
    const glnn__label former = glnn__label_part(ctx, "try plans");
    glnn__busy_begin(ctx);
    const glnn_status status =
        glnn__label_end(ctx, former, hold_race(ctx, &r, winner, sizeof winner));
    glnn__busy_end(ctx);
    ctx->announces = announces;
    GLNN__TRY(status);
    known = glnn__tuning_put(ctx, &programs->tuning, line, known, winner);
    *is_known =
        glnn__tuning_can_store(ctx, &programs->tuning) && read_winner(ctx, p, key, known, out);
    return GLNN_OK;
}
