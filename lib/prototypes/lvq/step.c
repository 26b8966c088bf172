/* One update of a classifier: from samples to winners, to how these move, to prototypes. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "data/sequence.h"
#include "learn/passes.h"
#include "ops/distances.h"
#include "ops/gemm/product.h"
#include "ops/sample.h"
#include "pass/pass.h"

#include <glnn/copy.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

enum { PRECISION_HALF = GLNN__AFTER_SAMPLE, RATE, ENTRY };

static const glnn__kernel shares_kernel = {
    .name = "prototypes/shares",
    .operands = {"CLASSES", "TARGET", "INDEX", "LOGARITHMS", "FACTORS", "Z"},
    .unviewed = 5,
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [PRECISION_HALF] = "float precision_half",
                 [RATE] = "float rate", [ENTRY] = "int entry"},
    .enumerations = {glnn__sequence_enumerators},
};

static const glnn__kernel share_sums_kernel = {
    .name = "prototypes/share_sums",
    .operands = {"SHARES"},
    .unviewed = 1,
};

enum { OF_MOVES };
enum { COUNT, RATE_LIMIT };

static const glnn__kernel own_rates_kernel = {
    .name = "prototypes/own_rates",
    .operands = {"MOVES", "RATES"},
    .unviewed = 2,
    .options = {[OF_MOVES] = "OF_MOVES"},
    .uniforms = {[COUNT] = "int count", [RATE_LIMIT] = "float rate_limit"},
};

/* A prototype's factors sum to no more than this, or its move is divided by their sum. */
#define MOST_WEIGHT 1

static float half_precision(const glnn__lvq *lvq)
{
    return 1 / (2 * lvq->desc.sigma * lvq->desc.sigma);
}

/* ---- Moves */

glnn__moves glnn__lvq_moves(const glnn__lvq *lvq, bool trains)
{
    const glnn_lvq_desc *desc = &lvq->desc;
    const float border = (1 - desc->window) / (1 + desc->window);
    return (glnn__moves){
        .rule = lvq->traits->rule,
        .rate = {.slot = trains ? &lvq->slots.rate : NULL},
        .xi = {.slot = &lvq->slots.xi},
        .least_ratio = border * border,
        .epsilon = desc->kind == GLNN_LVQ_LVQ3 ? desc->epsilon : 0,
        .precision_half = half_precision(lvq),
    };
}

void glnn__lvq_fill_slots(glnn__lvq *lvq)
{
    const glnn_lvq_desc *desc = &lvq->desc;
    const float rate = lvq->prototypes.learner.rate.f;
    lvq->slots.rate.f = lvq->traits->rule == GLNN__RULE_MARGIN ? rate * desc->scale
                        : desc->kind == GLNN_LVQ_OLVQ1         ? 1
                                                               : rate;
    lvq->slots.xi.f = (float)((double)desc->xi + (double)desc->xi_growth * lvq->epochs);
}

glnn_status glnn__lvq_forward(glnn__lvq *lvq, const glnn__batch *part, bool trains,
                              const glnn__metrics *metrics)
{
    glnn__prototypes *p = &lvq->prototypes;
    const glnn__moves moves = glnn__lvq_moves(lvq, trains);
    GLNN__TRY(glnn__prototypes_gather(p, part));
    if (lvq->traits->rule == GLNN__RULE_POSTERIOR)
        GLNN__TRY(glnn__prototypes_find_scores(p, lvq->shares));
    return glnn__prototypes_find_moves(p, part, &moves, lvq->shares, metrics);
}

/* ---- RSLVQ: every prototype has a share in every sample */

/* Scores become the factors of moves. */
static glnn_status find_shares(glnn__lvq *lvq, const glnn__batch *batch, glnn__uniform rate)
{
    return glnn__pass_run(lvq->ctx,
                          &(glnn__pass){
                              .kernel = &shares_kernel,
                              .operands = {{.matrix = lvq->prototypes.classes},
                                           {.matrix = batch->data->targets},
                                           {.matrix = batch->order},
                                           {.matrix = lvq->prototypes.learner.metrics.rows},
                                           {.matrix = lvq->prototypes.learner.metrics.factors},
                                           {.matrix = lvq->shares}},
                              .output = lvq->shares,
                              .uniforms = {GLNN__SAMPLE_VALUES(glnn__batch_first(batch),
                                                               batch->count, batch->data->samples),
                                           [PRECISION_HALF] = {.f = half_precision(lvq)},
                                           [RATE] = rate, [ENTRY] = glnn__batch_entry(batch)},
                          });
}

static glnn_status add_shares(glnn__lvq *lvq, const glnn__batch *batch, const glnn__step *step)
{
    glnn__prototypes *p = &lvq->prototypes;
    GLNN__TRY(find_shares(lvq, batch, step->rate));
    GLNN__TRY(glnn__pass_run(lvq->ctx, &(glnn__pass){
                                           .kernel = &share_sums_kernel,
                                           .operands = {{.matrix = lvq->shares}},
                                           .output = p->weights,
                                           .blend = !step->is_first,
                                           .blend_factor = {.f = 1},
                                       }));
    return glnn__product_sum(lvq->ctx, lvq->shares, p->input, false, step->is_first, p->sums);
}

/* ---- The others: the winners of each sample move */

bool glnn__lvq_is_limited(const glnn__lvq *lvq)
{
    return lvq->traits->rule == GLNN__RULE_NEAREST || lvq->traits->rule == GLNN__RULE_WINDOW;
}

static glnn_status run_own_rates(glnn__lvq *lvq, const glnn_matrix *moves, int count,
                                 glnn__uniform limit, glnn_matrix *out)
{
    return glnn__pass_run(lvq->ctx,
                          &(glnn__pass){
                              .kernel = &own_rates_kernel,
                              .operands = {{.matrix = moves}, {.matrix = lvq->prototypes.learnt}},
                              .output = out,
                              .options = {[OF_MOVES] = out == moves},
                              .uniforms = {[COUNT] = {.i = count}, [RATE_LIMIT] = limit},
                          });
}

/* OLVQ1: factors of 1 and -1 become rates, and these follow the wins. */
static glnn_status follow_wins(glnn__lvq *lvq, glnn_matrix *moves, int count, glnn__uniform limit)
{
    GLNN__TRY(run_own_rates(lvq, moves, count, limit, moves));
    return run_own_rates(lvq, moves, count, limit, lvq->prototypes.learnt);
}

static glnn_status check_step(const glnn__lvq *lvq, const glnn__step *step)
{
    if (step->is_first && step->is_last && step->samples <= lvq->desc.capacity)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "a step of %d samples; olvq1 with several processes takes one batch in a "
                      "step, of no more samples than the capacity, which is %d",
                      step->samples, lvq->desc.capacity);
}

/* The rates follow the wins of all samples of the step, in their order. Each process fills in the
 * rows of its own ones, and takes them back as moves. */
static glnn_status use_own_rates(glnn__lvq *lvq, const glnn__batch *part, const glnn__step *step)
{
    glnn_matrix *moves = lvq->prototypes.learner.metrics.rows;
    const glnn_rect own = {0, 0, part->count, 4}, place = {part->place, 0, part->count, 4};
    if (!step->is_summed)
        return follow_wins(lvq, moves, part->count, step->rate);
    GLNN__TRY(check_step(lvq, step));
    GLNN__TRY(glnn_fill(lvq->ctx, 0, lvq->wins));
    if (part->count > 0)
        GLNN__TRY(glnn_copy_rect(lvq->ctx, moves, &own, lvq->wins, part->place, 0));
    GLNN__TRY(glnn__step_complete(step, lvq->wins));
    GLNN__TRY(follow_wins(lvq, lvq->wins, step->samples, step->rate));
    return part->count > 0 ? glnn_copy_rect(lvq->ctx, lvq->wins, &place, moves, 0, 0) : GLNN_OK;
}

bool glnn__lvq_moves_at_once(const glnn__lvq *lvq, const glnn__step *step)
{
    const bool sums = lvq->traits->rule == GLNN__RULE_POSTERIOR || lvq->prototypes.images ||
                      lvq->prototypes.low || step->is_summed;
    return !sums && step->is_first && step->is_last;
}

static glnn_status add_winners(glnn__lvq *lvq, const glnn__batch *part, const glnn__step *step)
{
    glnn__prototypes *p = &lvq->prototypes;
    const glnn_matrix *moves = p->learner.metrics.rows;
    const bool is_limited = glnn__lvq_is_limited(lvq);
    const int count = part->count;
    if (lvq->desc.kind == GLNN_LVQ_OLVQ1)
        GLNN__TRY(use_own_rates(lvq, part, step));
    GLNN__TRY(glnn__prototypes_weigh_moves(p, part, &p->learner.metrics));
    GLNN__TRY(glnn__scatter_add_link(lvq->ctx, moves, count, &p->links));
    if (glnn__lvq_moves_at_once(lvq, step))
        return glnn__scatter_add_move(
            lvq->ctx, &p->links, moves, p->input,
            (glnn__move_limits){MOST_WEIGHT, is_limited ? step->rate : (glnn__uniform){.f = 0}},
            p->values);
    const float factor = step->is_first ? 0 : 1;
    GLNN__TRY(
        glnn__scatter_add_sum(lvq->ctx, &p->links, moves, p->input, factor, p->sums, p->weights));
    if (is_limited)
        return glnn__scatter_add_sum_pushes(lvq->ctx, &p->links, moves, p->input, factor,
                                            lvq->pushes);
    return p->images ? glnn__lvq_add_metric(lvq, count, step->is_first) : GLNN_OK;
}

/* ---- Both */

static glnn_status add_samples(glnn__lvq *lvq, const glnn__batch *part, const glnn__step *step)
{
    GLNN__TRY(glnn__lvq_forward(lvq, part, true, &lvq->prototypes.learner.metrics));
    const glnn__label former = glnn__label_part(lvq->ctx, "move prototypes");
    GLNN__TRY(glnn__label_end(lvq->ctx, former,
                              lvq->traits->rule == GLNN__RULE_POSTERIOR
                                  ? add_shares(lvq, part, step)
                                  : add_winners(lvq, part, step)));
    const bool has_slices = step->is_summed && step->is_last && lvq->slices;
    return has_slices ? glnn_reduce(lvq->ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, lvq->slices,
                                    lvq->gradient)
                      : GLNN_OK;
}

/* With several processes, this one may have no samples in the step. */
static glnn_status add_nothing(glnn__lvq *lvq, const glnn__batch *part, const glnn__step *step)
{
    return lvq->desc.kind == GLNN_LVQ_OLVQ1 ? use_own_rates(lvq, part, step) : GLNN_OK;
}

glnn_status glnn__lvq_add(glnn__lvq *lvq, const glnn__batch *part, const glnn__step *step)
{
    return part->count > 0 ? add_samples(lvq, part, step) : add_nothing(lvq, part, step);
}

glnn_status glnn__lvq_finish(glnn__lvq *lvq, const glnn__step *step)
{
    glnn__prototypes_changed(&lvq->prototypes);
    if (glnn__lvq_moves_at_once(lvq, step))
        return GLNN_OK;
    if (lvq->prototypes.images)
        return glnn__lvq_step_metric(lvq, step);
    glnn__sums how = {0};
    if (glnn__lvq_is_limited(lvq))
        how = (glnn__sums){.pushes = lvq->pushes, .excess = step->rate};
    return glnn__prototypes_apply(&lvq->prototypes, &how);
}
