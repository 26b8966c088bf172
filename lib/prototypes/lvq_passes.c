/* One update of a classifier: from samples to winners, to what these do, to prototypes. */
#include "prototypes/lvq.h"

#include "base/status.h"
#include "ops/distances.h"
#include "ops/sample.h"
#include "pass/pass.h"

static const glnn__enumerator rules[] = {GLNN__ENUMERATOR(GLNN__LVQ_MARGIN),
                                         GLNN__ENUMERATOR(GLNN__LVQ_NEAREST),
                                         GLNN__ENUMERATOR(GLNN__LVQ_WINDOW),
                                         GLNN__ENUMERATOR(GLNN__LVQ_ASSIGN),
                                         {0}};

enum { RULE };
enum { RATE = GLNN__BEHIND_SAMPLE, XI, LEAST_RATIO, EPSILON };

static const glnn__kernel moves_kernel = {
    .name = "prototypes/lvq_moves",
    .operands = {"WINNERS", "DISTANCES", "CLASSES", "TARGET", "INDEX", "OLD"},
    .unviewed = 6,
    .options = {[RULE] = "RULE"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [RATE] = "float rate", [XI] = "float xi",
                 [LEAST_RATIO] = "float least_ratio", [EPSILON] = "float epsilon"},
    .enumerations = {rules},
};

enum { COUNT, RATE_LIMIT };

static const glnn__kernel own_moves_kernel = {
    .name = "prototypes/lvq_own_moves",
    .operands = {"RATES", "MOVES"},
    .unviewed = 2,
    .uniforms = {[COUNT] = "int count", [RATE_LIMIT] = "float rate_limit"},
};

static const glnn__kernel own_rates_kernel = {
    .name = "prototypes/lvq_own_rates",
    .operands = {"MOVES", "RATES"},
    .unviewed = 1,
    .uniforms = {[COUNT] = "int count", [RATE_LIMIT] = "float rate_limit"},
};

enum { ADD };
enum { EXCESS };

static const glnn__kernel apply_kernel = {
    .name = "prototypes/lvq_apply",
    .operands = {"WEIGHTS", "SUMS", "M", "SCALES", "PUSHES"},
    .unviewed = 1,
    .options = {[ADD] = "ADD"},
    .uniforms = {[EXCESS] = "float excess"},
};

/* A prototype's factors sum to no more than this, or its move is divided by their sum. */
#define MOST_WEIGHT 1

glnn_status glnn__lvq_gather_raw(glnn_lvq *lvq, const glnn__batch *batch)
{
    return glnn__batch_gather(batch, lvq->input);
}

glnn_status glnn__lvq_gather(glnn_lvq *lvq, const glnn__batch *batch)
{
    GLNN__TRY(glnn__lvq_gather_raw(lvq, batch));
    return glnn__offset_shift(lvq->ctx, &lvq->offset, lvq->input);
}

glnn__nearest glnn__lvq_nearest_of(const glnn_lvq *lvq)
{
    return (glnn__nearest){
        .search = lvq->desc.search,
        .samples = lvq->points ? lvq->points : lvq->input,
        .prototypes = lvq->images ? lvq->images : lvq->learnt[GLNN__LVQ_PROTOTYPES],
        .classes = lvq->classes,
        .winners = lvq->winners,
    };
}

static glnn_status find_distances(glnn_lvq *lvq, const glnn__nearest *nearest)
{
    return glnn__pair_distances(lvq->ctx, nearest->samples, nearest->prototypes, lvq->winners,
                                nearest->count, lvq->distances);
}

glnn_status glnn__lvq_search_input(glnn_lvq *lvq, int count)
{
    GLNN__TRY(glnn__lvq_find_images(lvq));
    glnn__nearest nearest = glnn__lvq_nearest_of(lvq);
    nearest.kind = GLNN__NEAREST_TWO;
    nearest.count = count;
    GLNN__TRY(glnn__nearest_run(lvq->ctx, &nearest));
    return find_distances(lvq, &nearest);
}

static glnn_status search(glnn_lvq *lvq, const glnn__batch *batch, glnn__nearest_kind kind)
{
    glnn__nearest nearest = glnn__lvq_nearest_of(lvq);
    nearest.kind = kind;
    nearest.targets = batch->data->targets;
    nearest.order = batch->order;
    nearest.first = batch->first;
    nearest.count = batch->count;
    nearest.dataset_samples = batch->data->samples;
    GLNN__TRY(glnn__nearest_run(lvq->ctx, &nearest));
    return find_distances(lvq, &nearest);
}

static glnn_status find_moves(glnn_lvq *lvq, const glnn__lvq_part *part,
                              const glnn__metrics *metrics)
{
    const glnn_lvq_desc *desc = &lvq->desc;
    const glnn__batch *batch = &part->batch;
    const float border = (1 - desc->window) / (1 + desc->window);
    const float xi = (float)((double)desc->xi + (double)desc->xi_growth * lvq->epochs);
    const float epsilon = desc->kind == GLNN_LVQ_LVQ3 ? desc->epsilon : 0;
    float rate = part->rate;
    if (part->rule == GLNN__LVQ_MARGIN)
        rate *= desc->scale;
    else if (desc->kind == GLNN_LVQ_OLVQ1)
        rate = 1;
    return glnn__pass_run(
        lvq->ctx,
        &(glnn__pass){
            .kernel = &moves_kernel,
            .operands = {{.matrix = lvq->winners},
                         {.matrix = lvq->distances},
                         {.matrix = lvq->classes},
                         {.matrix = batch->data->targets},
                         {.matrix = batch->order},
                         {.matrix = metrics->rows}},
            .output = metrics->rows,
            .options = {[RULE] = part->rule},
            .uniforms = {GLNN__SAMPLE_VALUES(batch->first, batch->count, batch->data->samples),
                         [RATE] = {.f = rate}, [XI] = {.f = xi},
                         [LEAST_RATIO] = {.f = border * border}, [EPSILON] = {.f = epsilon}},
        });
}

glnn_status glnn__lvq_forward(glnn_lvq *lvq, const glnn__lvq_part *part,
                              const glnn__metrics *metrics)
{
    const bool labelled = part->rule == GLNN__LVQ_MARGIN || part->rule == GLNN__LVQ_ASSIGN;
    GLNN__TRY(glnn__lvq_gather(lvq, &part->batch));
    GLNN__TRY(glnn__lvq_find_images(lvq));
    if (part->rule == GLNN__LVQ_POSTERIOR)
        return glnn__lvq_find_posteriors(lvq, part, metrics);
    GLNN__TRY(search(lvq, &part->batch, labelled ? GLNN__NEAREST_LABELLED : GLNN__NEAREST_TWO));
    return find_moves(lvq, part, metrics);
}

bool glnn__lvq_is_limited(glnn__lvq_rule rule)
{
    return rule == GLNN__LVQ_NEAREST || rule == GLNN__LVQ_WINDOW;
}

/* OLVQ1: factors of 1 and -1 become rates, and these follow the wins. */
static glnn_status use_own_rates(glnn_lvq *lvq, const glnn__lvq_part *part)
{
    glnn_matrix *moves = lvq->trained.metrics.rows, *rates = lvq->learnt[GLNN__LVQ_RATES];
    GLNN__TRY(glnn__pass_run(
        lvq->ctx,
        &(glnn__pass){
            .kernel = &own_moves_kernel,
            .operands = {{.matrix = rates}, {.matrix = moves}},
            .output = moves,
            .uniforms = {[COUNT] = {.i = part->batch.count}, [RATE_LIMIT] = {.f = part->rate}},
        }));
    return glnn__pass_run(
        lvq->ctx,
        &(glnn__pass){
            .kernel = &own_rates_kernel,
            .operands = {{.matrix = moves}, {.matrix = rates}},
            .output = rates,
            .uniforms = {[COUNT] = {.i = part->batch.count}, [RATE_LIMIT] = {.f = part->rate}},
        });
}

static glnn_status add_members(glnn_lvq *lvq, const glnn__lvq_part *part)
{
    const glnn_matrix *moves = lvq->trained.metrics.rows;
    if (lvq->desc.kind == GLNN_LVQ_OLVQ1 && part->rule == GLNN__LVQ_NEAREST)
        GLNN__TRY(use_own_rates(lvq, part));
    GLNN__TRY(glnn__members_link(lvq->ctx, moves, part->batch.count, &lvq->members));
    if (part->moves)
        return glnn__members_move(
            lvq->ctx, &lvq->members, moves, lvq->input,
            (glnn__member_limits){MOST_WEIGHT, glnn__lvq_is_limited(part->rule) ? part->rate : 0},
            lvq->learnt[GLNN__LVQ_PROTOTYPES]);
    const float keep = part->is_first ? 0 : 1;
    GLNN__TRY(glnn__members_sum(lvq->ctx, &lvq->members, moves, lvq->input, keep, lvq->sums,
                                lvq->weights));
    if (glnn__lvq_is_limited(part->rule))
        return glnn__members_sum_pushes(lvq->ctx, &lvq->members, moves, lvq->input, keep,
                                        lvq->pushes);
    return part->rule == GLNN__LVQ_MARGIN && lvq->images ? glnn__lvq_add_metric(lvq, part)
                                                         : GLNN_OK;
}

static glnn__pass apply_pass(const glnn_lvq *lvq, glnn_matrix *out)
{
    return (glnn__pass){
        .kernel = &apply_kernel,
        .operands = {{.matrix = lvq->weights},
                     {.matrix = lvq->sums},
                     {.matrix = lvq->learnt[GLNN__LVQ_PROTOTYPES]}},
        .output = out,
    };
}

glnn_status glnn__lvq_apply(glnn_lvq *lvq, const glnn_matrix *scales, bool add, glnn_matrix *out)
{
    glnn__pass pass = apply_pass(lvq, out);
    pass.operands[3] = (glnn__operand){scales, glnn__view_broadcast(true, false)};
    pass.options[ADD] = add;
    return glnn__pass_run(lvq->ctx, &pass);
}

static glnn_status apply_limited(glnn_lvq *lvq, float excess)
{
    glnn__pass pass = apply_pass(lvq, lvq->learnt[GLNN__LVQ_PROTOTYPES]);
    pass.operands[4].matrix = lvq->pushes;
    pass.options[ADD] = true;
    pass.uniforms[EXCESS].f = excess;
    return glnn__pass_run(lvq->ctx, &pass);
}

glnn_status glnn__lvq_add(glnn_lvq *lvq, const glnn__batch *batch, glnn__lvq_part *part)
{
    for (int offset = 0; offset < batch->count; offset += lvq->rows) {
        part->batch = glnn__batch_part(batch, offset, lvq->rows);
        GLNN__TRY(glnn__lvq_forward(lvq, part, &lvq->trained.metrics));
        if (part->rule == GLNN__LVQ_POSTERIOR)
            GLNN__TRY(glnn__lvq_add_posteriors(lvq, part));
        else
            GLNN__TRY(add_members(lvq, part));
        part->is_first = false;
    }
    return GLNN_OK;
}

glnn_status glnn__lvq_finish(glnn_lvq *lvq, const glnn__lvq_part *last, int count)
{
    lvq->has_images = false;
    if (last->moves)
        return GLNN_OK;
    if (last->rule == GLNN__LVQ_MARGIN && lvq->images)
        return glnn__lvq_step_metric(lvq, count);
    if (glnn__lvq_is_limited(last->rule))
        return apply_limited(lvq, last->rate);
    return glnn__lvq_apply(lvq, NULL, true, lvq->learnt[GLNN__LVQ_PROTOTYPES]);
}
