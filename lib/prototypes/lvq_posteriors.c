/* RSLVQ: every prototype has a share in every sample. */
#include "prototypes/lvq.h"

#include "base/status.h"
#include "ops/distances.h"
#include "ops/gemm/product.h"
#include "ops/sample.h"
#include "pass/pass.h"

enum { PRECISION_HALF = GLNN__BEHIND_SAMPLE, RATE };

static const glnn__kernel posteriors_kernel = {
    .name = "prototypes/lvq_posteriors",
    .operands = {"Z", "CLASSES", "TARGET", "INDEX", "OLD"},
    .unviewed = 5,
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [PRECISION_HALF] = "float precision_half"},
};

static const glnn__kernel shares_kernel = {
    .name = "prototypes/lvq_shares",
    .operands = {"CLASSES", "TARGET", "INDEX", "LOGARITHMS", "Z"},
    .unviewed = 4,
    .uniforms =
        {GLNN__SAMPLE_UNIFORMS, [PRECISION_HALF] = "float precision_half", [RATE] = "float rate"},
};

static const glnn__kernel weights_kernel = {
    .name = "prototypes/lvq_weights",
    .operands = {"SHARES"},
    .unviewed = 1,
};

static float half_precision(const glnn_lvq *lvq)
{
    return 1 / (2 * lvq->desc.sigma * lvq->desc.sigma);
}

glnn_status glnn__lvq_find_scores(glnn_lvq *lvq, glnn_matrix *out)
{
    const glnn__nearest space = glnn__lvq_nearest_of(lvq);
    GLNN__TRY(glnn__row_norms(lvq->ctx, space.prototypes, lvq->norms));
    return glnn__row_scores(lvq->ctx, space.samples, space.prototypes, lvq->norms, out);
}

glnn_status glnn__lvq_find_posteriors(glnn_lvq *lvq, const glnn__lvq_part *part,
                                      const glnn__metrics *metrics)
{
    const glnn__batch *batch = &part->batch;
    GLNN__TRY(glnn__lvq_find_scores(lvq, lvq->shares));
    return glnn__pass_run(lvq->ctx, &(glnn__pass){
                                        .kernel = &posteriors_kernel,
                                        .operands = {{.matrix = lvq->shares},
                                                     {.matrix = lvq->classes},
                                                     {.matrix = batch->data->targets},
                                                     {.matrix = batch->order},
                                                     {.matrix = metrics->rows}},
                                        .output = metrics->rows,
                                        .uniforms = {GLNN__SAMPLE_VALUES(batch->first, batch->count,
                                                                         batch->data->samples),
                                                     [PRECISION_HALF] = {.f = half_precision(lvq)}},
                                    });
}

/* Scores become the factors of moves. */
static glnn_status find_shares(glnn_lvq *lvq, const glnn__lvq_part *part)
{
    const glnn__batch *batch = &part->batch;
    return glnn__pass_run(
        lvq->ctx,
        &(glnn__pass){
            .kernel = &shares_kernel,
            .operands = {{.matrix = lvq->classes},
                         {.matrix = batch->data->targets},
                         {.matrix = batch->order},
                         {.matrix = lvq->trained.metrics.rows},
                         {.matrix = lvq->shares}},
            .output = lvq->shares,
            .uniforms = {GLNN__SAMPLE_VALUES(batch->first, batch->count, batch->data->samples),
                         [PRECISION_HALF] = {.f = half_precision(lvq)}, [RATE] = {.f = part->rate}},
        });
}

glnn_status glnn__lvq_add_posteriors(glnn_lvq *lvq, const glnn__lvq_part *part)
{
    GLNN__TRY(find_shares(lvq, part));
    GLNN__TRY(glnn__pass_run(lvq->ctx, &(glnn__pass){
                                           .kernel = &weights_kernel,
                                           .operands = {{.matrix = lvq->shares}},
                                           .output = lvq->weights,
                                           .blend = !part->is_first,
                                           .blend_factor = 1,
                                       }));
    const glnn__product product = {
        .a = lvq->shares,
        .b = lvq->input,
        .addend = part->is_first ? NULL : lvq->sums,
        .c = lvq->sums,
        .alpha = 1,
        .beta = part->is_first ? 0 : 1,
        .transpose_a = true,
    };
    return glnn__product_run(lvq->ctx, &product);
}
