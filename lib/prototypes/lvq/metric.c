/* GRLVQ and GMLVQ: the metric that is learnt together with the prototypes. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "ops/binary.h"
#include "ops/gemm/product.h"
#include "pass/pass.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

#include <math.h>

/* Of a sample from a winner. */
typedef enum difference { DIFFERENCE_PLAIN, DIFFERENCE_WEIGHTED, DIFFERENCE_SQUARED } difference;

static const glnn__enumerator differences[] = {GLNN__ENUMERATOR(DIFFERENCE_PLAIN),
                                               GLNN__ENUMERATOR(DIFFERENCE_WEIGHTED),
                                               GLNN__ENUMERATOR(DIFFERENCE_SQUARED),
                                               {0}};

enum { DIFFERENCE };
enum { COUNT, ROW_ENTRIES, WEIGHT };

static const glnn__kernel differences_kernel = {
    .name = "prototypes/differences",
    .operands = {"MOVES", "X", "M"},
    .unviewed = 3,
    .options = {[DIFFERENCE] = "DIFFERENCE"},
    .uniforms =
        {[COUNT] = "int count", [ROW_ENTRIES] = "int row_entries", [WEIGHT] = "float weight"},
    .enumerations = {differences},
};

enum { RATE };

static const glnn__kernel relevances_kernel = {
    .name = "prototypes/relevances",
    .operands = {"SUMS", "X"},
    .unviewed = 1,
    .uniforms = {[RATE] = "float rate"},
};

/* Samples of a batch beyond which the metric goes by their mean, as if there were so many. */
#define MOST_SAMPLES 128

/* How far the metric goes for what a batch adds up: factors of moves are rate times scale times
 * twice the derivative of the loss by the distance. */
static float metric_factor(const glnn__lvq *lvq, int count)
{
    const float features = (float)lvq->desc.features;
    const float size = lvq->desc.kind == GLNN_LVQ_GRLVQ ? features : sqrtf(features);
    const float factor = lvq->desc.metric_rate / (lvq->desc.scale * size);
    return count > MOST_SAMPLES ? factor * MOST_SAMPLES / (float)count : factor;
}

/* Sums of the differences of x and m over `row_entries` entries of the moves in each row of out. */
static glnn__pass difference_pass(const glnn__lvq *lvq, int count, const glnn_matrix *x,
                                  const glnn_matrix *m, difference kind, int row_entries,
                                  glnn_matrix *out)
{
    return (glnn__pass){
        .kernel = &differences_kernel,
        .operands = {{.matrix = lvq->prototypes.learner.metrics.rows},
                     {.matrix = x},
                     {.matrix = m}},
        .output = out,
        .options = {[DIFFERENCE] = kind},
        .uniforms =
            {[COUNT] = {.i = count}, [ROW_ENTRIES] = {.i = row_entries}, [WEIGHT] = {.f = 1}},
    };
}

glnn_status glnn__lvq_sum_differences(const glnn__lvq *lvq, int count, const glnn_matrix *x,
                                      const glnn_matrix *m, float weight, glnn_matrix *out)
{
    glnn__pass pass = difference_pass(lvq, count, x, m, DIFFERENCE_WEIGHTED, 2, out);
    pass.uniforms[WEIGHT].f = weight;
    return glnn__pass_run(lvq->ctx, &pass);
}

/* The sum of factor times (x - m)^2 over both winners of each sample. */
static glnn_status add_relevances(glnn__lvq *lvq, int count, bool is_first)
{
    const glnn__prototypes *p = &lvq->prototypes;
    glnn__pass pass = difference_pass(lvq, count, p->input, p->values, DIFFERENCE_SQUARED,
                                      2 * GLNN__LVQ_SLICE_SAMPLES, lvq->slices);
    pass.blend = !is_first;
    pass.blend_factor.f = 1;
    return glnn__pass_run(lvq->ctx, &pass);
}

/* The sum of factor times Omega (x - m) (x - m)' over both winners of each sample. */
static glnn_status add_omega(glnn__lvq *lvq, int count, bool is_first)
{
    const glnn__prototypes *p = &lvq->prototypes;
    const glnn__pass plain =
        difference_pass(lvq, count, p->input, p->values, DIFFERENCE_PLAIN, 1, lvq->differences);
    const glnn__pass weighted =
        difference_pass(lvq, count, p->points, p->images, DIFFERENCE_WEIGHTED, 1, lvq->weighted);
    GLNN__TRY(glnn__pass_run(lvq->ctx, &plain));
    GLNN__TRY(glnn__pass_run(lvq->ctx, &weighted));
    return glnn__product_sum(lvq->ctx, lvq->weighted, lvq->differences, false, is_first,
                             lvq->gradient);
}

glnn_status glnn__lvq_add_metric(glnn__lvq *lvq, int count, bool is_first)
{
    return lvq->traits->metric == GLNN__METRIC_ROOTS ? add_relevances(lvq, count, is_first)
                                                     : add_omega(lvq, count, is_first);
}

glnn_status glnn__lvq_scale_omega(glnn__lvq *lvq)
{
    glnn_matrix *omega = lvq->prototypes.learnt;
    GLNN__TRY(
        glnn_reduce(lvq->ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, omega, lvq->norm));
    return glnn__divide_by_root(lvq->ctx, omega, lvq->norm, omega);
}

static glnn_status run_relevances(glnn_context *ctx, const glnn_matrix *gradient, float rate,
                                  glnn_matrix *relevances)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &relevances_kernel,
                                   .operands = {{.matrix = gradient}, {.matrix = relevances}},
                                   .output = relevances,
                                   .uniforms = {[RATE] = {.f = rate}},
                               });
}

glnn_status glnn__lvq_descend_relevances(glnn_context *ctx, const glnn_matrix *gradient, float rate,
                                         glnn_matrix *roots)
{
    GLNN__TRY(run_relevances(ctx, gradient, rate, roots));
    return run_relevances(ctx, NULL, 0, roots);
}

static glnn_status step_relevances(glnn__lvq *lvq, const glnn__step *step)
{
    glnn_matrix *roots = lvq->prototypes.learnt;
    GLNN__TRY(glnn__prototypes_apply(&lvq->prototypes, &(glnn__sums){.scales = roots}));
    return glnn__lvq_descend_relevances(lvq->ctx, step->is_summed ? lvq->gradient : lvq->slices,
                                        metric_factor(lvq, step->samples) / 2, roots);
}

/* Prototypes go along Omega' Omega times their moves. */
static glnn_status step_omega(glnn__lvq *lvq, int samples)
{
    glnn__prototypes *p = &lvq->prototypes;
    glnn_matrix *omega = lvq->prototypes.learnt;
    GLNN__TRY(glnn__prototypes_apply(p, &(glnn__sums){.moves = lvq->moved}));
    GLNN__TRY(glnn__prototypes_map(p, lvq->moved, lvq->moved_image));
    const glnn__product product = {
        .a = lvq->moved_image,
        .b = omega,
        .addend = p->low ? NULL : p->values,
        .c = p->low ? lvq->moved : p->values,
        .alpha = {.f = 1},
        .beta = {.f = p->low ? 0 : 1},
    };
    GLNN__TRY(glnn__product_run(lvq->ctx, &product));
    if (p->low)
        GLNN__TRY(glnn__prototypes_add_moves(p, lvq->moved));
    GLNN__TRY(glnn_axpy(lvq->ctx, -metric_factor(lvq, samples), lvq->gradient, omega));
    return glnn__lvq_scale_omega(lvq);
}

glnn_status glnn__lvq_step_metric(glnn__lvq *lvq, const glnn__step *step)
{
    return lvq->traits->metric == GLNN__METRIC_ROOTS ? step_relevances(lvq, step)
                                                     : step_omega(lvq, step->samples);
}
