/* GRLVQ and GMLVQ: the metric that is learnt beside the prototypes. */
#include "prototypes/lvq.h"

#include "base/status.h"
#include "ops/gemm/product.h"
#include "pass/pass.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

#include <math.h>

enum { COUNT, SLICE_SAMPLES };

static const glnn__kernel relevance_sums_kernel = {
    .name = "prototypes/lvq_relevance_sums",
    .operands = {"MOVES", "X", "M"},
    .unviewed = 3,
    .uniforms = {[COUNT] = "int count", [SLICE_SAMPLES] = "int slice_samples"},
};

enum { WEIGHTED };

static const glnn__kernel differences_kernel = {
    .name = "prototypes/lvq_differences",
    .operands = {"MOVES", "X", "M"},
    .unviewed = 3,
    .options = {[WEIGHTED] = "WEIGHTED"},
    .uniforms = {[COUNT] = "int count"},
};

enum { RATE };

static const glnn__kernel relevances_kernel = {
    .name = "prototypes/lvq_relevances",
    .operands = {"SUMS", "ROOTS"},
    .unviewed = 1,
    .uniforms = {[RATE] = "float rate"},
};

static const glnn__kernel roots_kernel = {
    .name = "prototypes/lvq_roots",
    .operands = {"X"},
};

static const glnn__kernel unit_kernel = {
    .name = "prototypes/lvq_unit",
    .operands = {"SQUARES", "X"},
    .unviewed = 1,
};

/* out = x times the roots of the relevances, or Omega x. */
static glnn_status map_rows(glnn_lvq *lvq, const glnn_matrix *x, glnn_matrix *out)
{
    if (lvq->desc.kind == GLNN_LVQ_GRLVQ)
        return glnn_binary_apply(lvq->ctx, GLNN_BINARY_MULTIPLY, x, lvq->learnt[GLNN__LVQ_ROOTS],
                                 out);
    const glnn__product product = {
        .a = x,
        .b = lvq->learnt[GLNN__LVQ_OMEGA],
        .c = out,
        .alpha = 1,
        .transpose_b = true,
    };
    return glnn__product_run(lvq->ctx, &product);
}

glnn_status glnn__lvq_find_images(glnn_lvq *lvq)
{
    if (!lvq->images)
        return GLNN_OK;
    if (!lvq->has_images)
        GLNN__TRY(map_rows(lvq, lvq->learnt[GLNN__LVQ_PROTOTYPES], lvq->images));
    lvq->has_images = true;
    return map_rows(lvq, lvq->input, lvq->points);
}

/* Samples of a batch beyond which the metric goes by their mean, as if there were so many. */
#define MOST_SAMPLES 128

/* How far the metric goes for what a batch adds up: factors of moves are rate times scale times
 * twice the derivative of the loss by the distance. */
static float metric_factor(const glnn_lvq *lvq, int count)
{
    const float features = (float)lvq->desc.features;
    const float size = lvq->desc.kind == GLNN_LVQ_GRLVQ ? features : sqrtf(features);
    const float factor = lvq->desc.metric_rate / (lvq->desc.scale * size);
    return count > MOST_SAMPLES ? factor * MOST_SAMPLES / (float)count : factor;
}

static glnn_status add_relevances(glnn_lvq *lvq, const glnn__lvq_part *part)
{
    return glnn__pass_run(lvq->ctx,
                          &(glnn__pass){
                              .kernel = &relevance_sums_kernel,
                              .operands = {{.matrix = lvq->trained.metrics.rows},
                                           {.matrix = lvq->input},
                                           {.matrix = lvq->learnt[GLNN__LVQ_PROTOTYPES]}},
                              .output = lvq->gradient,
                              .uniforms = {[COUNT] = {.i = part->batch.count},
                                           [SLICE_SAMPLES] = {.i = GLNN__LVQ_SLICE_SAMPLES}},
                              .blend = !part->is_first,
                              .blend_factor = 1,
                          });
}

static glnn_status find_differences(glnn_lvq *lvq, int count, const glnn_matrix *x,
                                    const glnn_matrix *m, bool weighted, glnn_matrix *out)
{
    return glnn__pass_run(
        lvq->ctx,
        &(glnn__pass){
            .kernel = &differences_kernel,
            .operands = {{.matrix = lvq->trained.metrics.rows}, {.matrix = x}, {.matrix = m}},
            .output = out,
            .options = {[WEIGHTED] = weighted},
            .uniforms = {[COUNT] = {.i = count}},
        });
}

/* The sum of factor times Omega (x - m) (x - m)' over both winners of each sample. */
static glnn_status add_omega(glnn_lvq *lvq, const glnn__lvq_part *part)
{
    const int count = part->batch.count;
    GLNN__TRY(find_differences(lvq, count, lvq->input, lvq->learnt[GLNN__LVQ_PROTOTYPES], false,
                               lvq->differences));
    GLNN__TRY(find_differences(lvq, count, lvq->points, lvq->images, true, lvq->weighted));
    const glnn__product product = {
        .a = lvq->weighted,
        .b = lvq->differences,
        .addend = part->is_first ? NULL : lvq->gradient,
        .c = lvq->gradient,
        .alpha = 1,
        .beta = part->is_first ? 0 : 1,
        .transpose_a = true,
    };
    return glnn__product_run(lvq->ctx, &product);
}

glnn_status glnn__lvq_add_metric(glnn_lvq *lvq, const glnn__lvq_part *part)
{
    return lvq->desc.kind == GLNN_LVQ_GRLVQ ? add_relevances(lvq, part) : add_omega(lvq, part);
}

glnn_status glnn__lvq_find_roots(glnn_context *ctx, glnn_matrix *relevances)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &roots_kernel,
                                   .operands = {{.matrix = relevances}},
                                   .output = relevances,
                               });
}

static glnn_status step_relevances(glnn_lvq *lvq, int count)
{
    glnn_matrix *roots = lvq->learnt[GLNN__LVQ_ROOTS];
    GLNN__TRY(glnn__lvq_apply(lvq, roots, true, lvq->learnt[GLNN__LVQ_PROTOTYPES]));
    GLNN__TRY(
        glnn__pass_run(lvq->ctx, &(glnn__pass){
                                     .kernel = &relevances_kernel,
                                     .operands = {{.matrix = lvq->gradient}, {.matrix = roots}},
                                     .output = roots,
                                     .uniforms = {[RATE] = {.f = metric_factor(lvq, count) / 2}},
                                 }));
    return glnn__lvq_find_roots(lvq->ctx, roots);
}

glnn_status glnn__lvq_scale_omega(glnn_lvq *lvq)
{
    glnn_matrix *omega = lvq->learnt[GLNN__LVQ_OMEGA];
    GLNN__TRY(
        glnn_reduce(lvq->ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, omega, lvq->norm));
    return glnn__pass_run(lvq->ctx, &(glnn__pass){
                                        .kernel = &unit_kernel,
                                        .operands = {{.matrix = lvq->norm}, {.matrix = omega}},
                                        .output = omega,
                                    });
}

/* Prototypes go along Omega' Omega times their moves. */
static glnn_status move_by_omega(glnn_lvq *lvq)
{
    glnn_matrix *prototypes = lvq->learnt[GLNN__LVQ_PROTOTYPES];
    GLNN__TRY(glnn__lvq_apply(lvq, NULL, false, lvq->moved));
    GLNN__TRY(map_rows(lvq, lvq->moved, lvq->moved_image));
    const glnn__product product = {
        .a = lvq->moved_image,
        .b = lvq->learnt[GLNN__LVQ_OMEGA],
        .addend = prototypes,
        .c = prototypes,
        .alpha = 1,
        .beta = 1,
    };
    return glnn__product_run(lvq->ctx, &product);
}

glnn_status glnn__lvq_step_metric(glnn_lvq *lvq, int count)
{
    if (lvq->desc.kind == GLNN_LVQ_GRLVQ)
        return step_relevances(lvq, count);
    GLNN__TRY(move_by_omega(lvq));
    GLNN__TRY(glnn_axpy(lvq->ctx, -metric_factor(lvq, count), lvq->gradient,
                        lvq->learnt[GLNN__LVQ_OMEGA]));
    return glnn__lvq_scale_omega(lvq);
}
