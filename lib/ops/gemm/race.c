#include "ops/gemm/race.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/tuning_store.h"

#include <math.h>
#include <stdio.h>

/* A cut that is expected to take so many times as long as the best does not start. */
#define HOPELESS 4.0

/* A program that serves one shape alone takes at most so much of the time of one for all. */
#define PROGRAM_SHARE 0.97

/* Longer loops have no literal bounds, and none over stacks, where all loops are unrolled that can be:
 * a program has no room for them. */
#define LONG_LOOP 1024

/* A turn is repeated until that is long enough for the clock; the least of some turns counts. */
#define TURNS        5
#define MAX_STARTERS 2
#define LONG_TURN_US 300.0
#define MAX_REPEATS  16

/* Shape, transposes, layouts, and what follows the sum: all that a race depends on. */
static void write_key(const glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                      const glnn__plan *plan, char *key, size_t size)
{
    const bool adds = plan->in_place || p->keep != 0;
    const char *finish = plan->maps ? " mapped" : adds ? " in place" : "";
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
        product.epilogue = NULL;
        if (p->addend == p->c)
            product.addend = product.c;
        GLNN__TRY(glnn__plan_run(ctx, &product, plan));
    }
    glnn__gl_wait(ctx);
    *us = 1e6 * (glnn__clock_seconds() - start) / repeats;
    return GLNN_OK;
}

typedef struct race {
    const glnn__product *product;
    const glnn__shape *shape;
    glnn_matrix *c[2];
    glnn__plan start; /* reads as the figures say, and is not cut */
    glnn__plan best;  /* no slices: none so far */
} race;

/* Times some plans turn by turn: what disturbs one turn disturbs all of them. */
static glnn_status time_plans(glnn_context *ctx, const race *r, glnn__plan *const plans[],
                              int count)
{
    int repeats[MAX_STARTERS];
    for (int turn = -2; turn < TURNS; ++turn)
        for (int i = 0; i < count; ++i) {
            double us;
            GLNN__TRY(run_repeats(ctx, r->product, plans[i], r->c, turn < 0 ? 1 : repeats[i], &us));
            /* The first one compiles, the second one shows how long it takes. */
            if (turn < 0)
                repeats[i] = us < LONG_TURN_US ? MAX_REPEATS : 1;
            plans[i]->expected_us = turn < 0 ? us : fmin(us, plans[i]->expected_us);
        }
    return GLNN_OK;
}

/* Against the best one so far; the challenger has to take less than `share` of its time. */
static glnn_status challenge(glnn_context *ctx, race *r, glnn__plan challenger, double share)
{
    char text[256];
    challenger.pass_us = 0;
    glnn__plan *const plans[MAX_STARTERS] = {&challenger, &r->best};
    const bool is_first = r->best.slices == 0;
    const glnn_status status = time_plans(ctx, r, plans, is_first ? 1 : 2);
    glnn__plan_describe(ctx, r->product, &challenger, text, sizeof text);
    /* What a compiler has no room for is no reason to end the race. */
    if (status == GLNN_E_SHADER && !is_first) {
        glnn__log(GLNN_LOG_INFO, "race: %s: not possible on this device", text);
        return GLNN_OK;
    }
    GLNN__TRY(status);
    glnn__log(GLNN_LOG_INFO, "race: %s", text);
    if (is_first || challenger.expected_us < share * r->best.expected_us)
        r->best = challenger;
    return GLNN_OK;
}

static glnn_status race_cut(glnn_context *ctx, race *r, const glnn__cut *cut, bool shares)
{
    glnn__plan plan = r->start;
    if (!shares && !glnn__pass_can_share(ctx, r->product->c->layout))
        return GLNN_OK;
    glnn__plan_cut(ctx, r->product, cut, shares, &plan);
    return challenge(ctx, r, plan, 1);
}

static glnn_status race_cuts(glnn_context *ctx, race *r)
{
    const glnn__figures *figures;
    glnn__cut cuts[GLNN__MAX_CUTS];
    double least = INFINITY;
    GLNN__TRY(glnn__figures_for_plans(ctx, GLNN__FIGURES_PRODUCTS(r->shape->layout), &figures));
    const bool can_stack = glnn__pass_can_stack(ctx, r->product->c);
    const int count = glnn__model_cuts(ctx, r->shape, can_stack, cuts);
    for (int i = 0; i < count; ++i) {
        cuts[i].expected_us = glnn__model_time(figures, r->shape, &cuts[i]);
        least = fmin(least, cuts[i].expected_us);
    }
    for (int i = 0; i < count; ++i) {
        if (cuts[i].expected_us > HOPELESS * least)
            continue;
        GLNN__TRY(race_cut(ctx, r, &cuts[i], true));
        GLNN__TRY(race_cut(ctx, r, &cuts[i], false));
    }
    return GLNN_OK;
}

/* The best cut, read in the other ways. */
static glnn_status race_readings(glnn_context *ctx, race *r)
{
    const glnn__plan cut = r->best;
    for (int fetching = 0; fetching < GLNN__FETCHING_COUNT; ++fetching)
        for (int layered = 0; layered < 2; ++layered) {
            glnn__plan plan = cut;
            plan.fetching = (glnn__fetching)fetching;
            plan.layered = layered;
            if ((plan.fetching == cut.fetching && plan.layered == cut.layered) ||
                (layered && !glnn__plan_can_split(ctx, r->product, &cut)))
                continue;
            GLNN__TRY(challenge(ctx, r, plan, 1));
        }
    return GLNN_OK;
}

/* The best reading by programs for this shape alone, which is to be worth them. */
static glnn_status race_literals(glnn_context *ctx, race *r)
{
    const glnn__plan reading = r->best;
    for (int literals = GLNN__LITERALS_SIZES; literals < GLNN__LITERALS_COUNT; ++literals) {
        glnn__plan plan = reading;
        if (literals == GLNN__LITERALS_ALL && (plan.slice > LONG_LOOP || plan.stack > 1))
            continue;
        plan.literals = (glnn__literals)literals;
        GLNN__TRY(challenge(ctx, r, plan, r->best.literals ? 1 : PROGRAM_SHARE));
    }
    return GLNN_OK;
}

static glnn_status hold_race(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                             glnn__plan *plan)
{
    const glnn_matrix_desc desc = {
        .rows = p->c->rows, .columns = p->c->columns, .layout = p->c->layout, .name = "race"};
    race r = {.product = p, .shape = shape, .start = *plan};
    glnn_status status = glnn_matrix_create(ctx, &desc, &r.c[0]);
    if (!status)
        status = glnn_matrix_create(ctx, &desc, &r.c[1]);
    if (!status)
        status = race_cuts(ctx, &r);
    if (!status)
        status = race_readings(ctx, &r);
    if (!status)
        status = race_literals(ctx, &r);
    glnn_matrix_destroy(r.c[0]);
    glnn_matrix_destroy(r.c[1]);
    if (!status)
        *plan = r.best;
    return status;
}

/* "4 0 0 1 1 1 0 0": slices, joined, group, stack, sharing, fetching, layered, literals. */
static void write_winner(const glnn__plan *plan, char *text, size_t size)
{
    snprintf(text, size, "%d %d %d %d %d %d %d %d", plan->slices, plan->joined, plan->group,
             plan->stack, plan->shares, (int)plan->fetching, plan->layered, (int)plan->literals);
}

/* Whether a cut that stands in a file is one that this product can have. */
static bool is_possible(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                        const glnn__cut *cut)
{
    glnn__cut cuts[GLNN__MAX_CUTS];
    const int count = glnn__model_cuts(ctx, shape, glnn__pass_can_stack(ctx, p->c), cuts);
    for (int i = 0; i < count; ++i)
        if (cut->slices >= 1 && cut->slices <= cuts[i].slices && cut->joined == cuts[i].joined &&
            cut->group == cuts[i].group && cut->stack == cuts[i].stack)
            return true;
    return false;
}

static bool read_winner(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                        const char *text, glnn__plan *plan)
{
    glnn__cut cut = {0};
    int joined, shares, layered;
    unsigned fetching, literals;
    char rest;
    if (!text || sscanf(text, "%d %d %d %d %d %u %d %u%c", &cut.slices, &joined, &cut.group,
                        &cut.stack, &shares, &fetching, &layered, &literals, &rest) != 8)
        return false;
    cut.joined = joined != 0;
    if (!is_possible(ctx, p, shape, &cut) || joined != cut.joined ||
        fetching >= GLNN__FETCHING_COUNT || literals >= GLNN__LITERALS_COUNT ||
        (literals == GLNN__LITERALS_ALL && cut.stack > 1))
        return false;
    glnn__plan kept = *plan;
    kept.fetching = (glnn__fetching)fetching;
    kept.layered = layered;
    kept.literals = (glnn__literals)literals;
    glnn__plan_cut(ctx, p, &cut, shares, &kept);
    if (kept.layered != layered)
        return false;
    *plan = kept;
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
    if (*is_known || ctx->info.tuning != GLNN_TUNING_FULL || !glnn__tuning_can_keep(ctx, programs))
        return GLNN_OK;
    glnn__plan best = *plan;
    GLNN__TRY(hold_race(ctx, p, shape, &best));
    write_winner(&best, text, sizeof text);
    const char *winner = glnn__tuning_put(ctx, programs, key, known, text);
    if (!glnn__tuning_can_keep(ctx, programs) || !read_winner(ctx, p, shape, winner, &best))
        return GLNN_OK;
    *plan = best;
    *is_known = true;
    return GLNN_OK;
}
