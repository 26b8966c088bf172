#include "ops/gemm/race.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/program.h"

#include <math.h>
#include <stdio.h>

/* A cut does not start if its expected time is this many times the best one. */
#define HOPELESS 4.0

/* A turn is repeated until it is long enough for the clock; the least of several turns counts. */
#define TURNS        5
#define MAX_STARTERS 2
#define LONG_TURN_US 300.0
#define MAX_REPEATS  16

typedef struct race {
    const glnn__product *product;
    const glnn__gemm_key *key;
    glnn_matrix *c[2]; /* the outputs: the caller's keeps its elements */
    glnn__plan best;   /* no slices: none so far */
    int best_number;   /* of its cut, in the list of all cuts */
} race;

/* A winner is stored as two numbers: its cut, and its way to read, whose bits say whether fragments
 * share, sample, and read layer by layer. */
#define READINGS 8u

static unsigned reading_of(const glnn__cut *cut)
{
    return cut->shares | (unsigned)cut->fetching << 1 | (unsigned)cut->layered << 2;
}

static void set_reading(unsigned reading, glnn__cut *cut)
{
    cut->shares = reading & 1;
    cut->fetching = (glnn__fetching)(reading >> 1 & 1);
    cut->layered = reading >> 2;
}

static glnn_status run_repeats(glnn_context *ctx, const race *r, const glnn__plan *plan,
                               int repeats, double *us)
{
    const double start = glnn__clock_seconds();
    for (int i = 0; i < repeats; ++i) {
        glnn__product product = *r->product;
        product.c = r->c[i & 1];
        product.epilogue = NULL;
        if (r->product->addend == r->product->c)
            product.addend = product.c;
        GLNN__TRY(glnn__plan_run(ctx, &product, plan));
    }
    glnn__gl_wait(ctx);
    *us = 1e6 * (glnn__clock_seconds() - start) / repeats;
    return GLNN_OK;
}

/* Times plans turn by turn, so that a disturbance of one turn meets all of them. */
static glnn_status time_plans(glnn_context *ctx, const race *r, glnn__plan *const plans[],
                              int count)
{
    int repeats[MAX_STARTERS];
    for (int turn = -2; turn < TURNS; ++turn)
        for (int i = 0; i < count; ++i) {
            double us, *const least = &plans[i]->cut.expected_us;
            GLNN__TRY(run_repeats(ctx, r, plans[i], turn < 0 ? 1 : repeats[i], &us));
            /* The first turn compiles, the second one shows how long it takes. */
            if (turn < 0)
                repeats[i] = us < LONG_TURN_US ? MAX_REPEATS : 1;
            *least = turn < 0 ? us : fmin(us, *least);
        }
    return GLNN_OK;
}

/* Runs a plan against the best one so far. */
static glnn_status challenge(glnn_context *ctx, race *r, glnn__plan challenger, int number)
{
    char text[256];
    glnn__plan *const plans[MAX_STARTERS] = {&challenger, &r->best};
    const bool is_first = r->best.cut.slices == 0;
    const glnn_status status = time_plans(ctx, r, plans, is_first ? 1 : 2);
    glnn__plan_describe(ctx, r->product, &challenger, text, sizeof text);
    /* The race goes on if the compiler has no room for a program. */
    if (status == GLNN_E_SHADER && !is_first) {
        glnn__log(GLNN_LOG_INFO, "race: %s: not possible on this device", text);
        return GLNN_OK;
    }
    GLNN__TRY(status);
    glnn__log(GLNN_LOG_INFO, "race: %s", text);
    if (is_first || challenger.cut.expected_us < r->best.cut.expected_us) {
        r->best = challenger;
        r->best_number = number;
    }
    return GLNN_OK;
}

/* The promising cuts, read as the device profile says. */
static glnn_status race_cuts(glnn_context *ctx, race *r, unsigned reading)
{
    const glnn__shape *shape = &r->key->shape;
    const glnn__profile *profile;
    glnn__cut cuts[GLNN__MAX_CUTS];
    glnn__plan plan;
    double least = INFINITY;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(shape->layout), &profile));
    const int count = glnn__cost_cuts(ctx, shape, r->key->can_stack, cuts);
    for (int i = 0; i < count; ++i) {
        cuts[i].expected_us = glnn__cost_time(profile, shape, &cuts[i]);
        least = fmin(least, cuts[i].expected_us);
    }
    for (int i = 0; i < count; ++i) {
        if (cuts[i].expected_us > HOPELESS * least)
            continue;
        set_reading(reading, &cuts[i]);
        glnn__plan_make(ctx, r->product, &cuts[i], &plan);
        GLNN__TRY(challenge(ctx, r, plan, i));
    }
    return GLNN_OK;
}

/* The best cut, read in the other ways that the product allows. */
static glnn_status race_readings(glnn_context *ctx, race *r)
{
    const glnn__cut best = r->best.cut;
    for (unsigned reading = 0; reading < READINGS; ++reading) {
        glnn__cut cut = best;
        glnn__plan plan;
        set_reading(reading, &cut);
        glnn__plan_make(ctx, r->product, &cut, &plan);
        if (reading != reading_of(&best) && reading == reading_of(&plan.cut))
            GLNN__TRY(challenge(ctx, r, plan, r->best_number));
    }
    return GLNN_OK;
}

/* Runs the race, and stores its winner. */
static glnn_status hold_race(glnn_context *ctx, race *r, unsigned reading, char *text, size_t size)
{
    const glnn_matrix *c = r->product->c;
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 2 && !status; ++i)
        status = glnn__matrix_create_zero(ctx, c->layout, c->rows, c->columns, "race", &r->c[i]);
    if (!status)
        status = race_cuts(ctx, r, reading);
    if (!status)
        status = race_readings(ctx, r);
    glnn_matrix_destroy(r->c[0]);
    glnn_matrix_destroy(r->c[1]);
    snprintf(text, size, "%d %u", r->best_number, reading_of(&r->best.cut));
    return status;
}

/* The plan of a stored winner; false if its text is damaged. */
static bool read_winner(const glnn_context *ctx, const race *r, const char *text, glnn__plan *out)
{
    glnn__cut cuts[GLNN__MAX_CUTS];
    unsigned number, reading;
    char rest;
    const int count = glnn__cost_cuts(ctx, &r->key->shape, r->key->can_stack, cuts);
    if (!text || sscanf(text, "%u %u%c", &number, &reading, &rest) != 2 ||
        number >= (unsigned)count || reading >= READINGS)
        return false;
    set_reading(reading, &cuts[number]);
    glnn__plan_make(ctx, r->product, &cuts[number], out);
    return reading == reading_of(&out->cut);
}

glnn_status glnn__race_winner(glnn_context *ctx, const glnn__product *p, const glnn__gemm_key *key,
                              const glnn__cut *reading, glnn__plan *out, bool *is_known)
{
    char line[GLNN__TUNING_TEXT], winner[64];
    glnn__programs *programs;
    race r = {.product = p, .key = key};
    *is_known = false;
    if (ctx->info.tuning == GLNN_TUNING_OFF)
        return GLNN_OK;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    glnn__gemm_key_write(key, line, sizeof line);
    const char *known = glnn__tuning_get(ctx, &programs->tuning, line);
    *is_known = read_winner(ctx, &r, known, out);
    if (*is_known || ctx->info.tuning != GLNN_TUNING_FULL ||
        !glnn__tuning_can_store(ctx, &programs->tuning))
        return GLNN_OK;
    GLNN__TRY(hold_race(ctx, &r, reading_of(reading), winner, sizeof winner));
    known = glnn__tuning_put(ctx, &programs->tuning, line, known, winner);
    *is_known = glnn__tuning_can_store(ctx, &programs->tuning) && read_winner(ctx, &r, known, out);
    return GLNN_OK;
}
