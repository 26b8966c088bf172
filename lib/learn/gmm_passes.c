/* The passes of an iteration of expectation and maximisation. */
#include "learn/gmm.h"

#include "base/status.h"
#include "ops/gemm_plan.h"
#include "pass/pass.h"

#include <glnn/map.h>

static bool is_full(const glnn_gmm *gmm)
{
    return gmm->desc.covariance == GLNN_COVARIANCE_FULL;
}

glnn_status glnn__gmm_gather(glnn_gmm *gmm, const glnn__batch *batch)
{
    GLNN__TRY(glnn__pass_run(
        gmm->ctx, &(glnn__pass){
                      .kernel = GLNN__KERNEL_GATHER,
                      .operands = {{.matrix = batch->data->inputs}, {.matrix = batch->order}},
                      .output = gmm->samples,
                      .integers = {batch->first, batch->count, batch->data->samples},
                  }));
    return glnn__gmm_shift(gmm);
}

glnn_status glnn__gmm_shift(glnn_gmm *gmm)
{
    return glnn__pass_run(gmm->ctx,
                          &(glnn__pass){
                              .kernel = GLNN__KERNEL_MAP,
                              .operands = {{gmm->offset, glnn__view_broadcast(true, false)}},
                              .output = gmm->samples,
                              .options = {GLNN_MAP_IDENTITY},
                              .scalars = {-1},
                              .blend = true,
                              .blend_factor = 1,
                          });
}

/* The deviations from all means at once, each times the inverse factor of its covariance. */
static glnn_status find_full_densities(glnn_gmm *gmm)
{
    const glnn__product product = {
        .a = gmm->samples,
        .b = gmm->factors,
        .c = gmm->deviations,
        .alpha = 1,
        .augment = true,
    };
    GLNN__TRY(glnn__product_run(gmm->ctx, &product));
    return glnn__pass_run(gmm->ctx,
                          &(glnn__pass){
                              .kernel = GLNN__KERNEL_GMM_DENSITY,
                              .operands = {{.matrix = gmm->deviations}, {.matrix = gmm->constants}},
                              .output = gmm->densities,
                              .integers = {gmm->wide},
                          });
}

/* x^2 times the quadratic terms, and x with its one times the linear terms and constants. */
static glnn_status find_diagonal_densities(glnn_gmm *gmm)
{
    GLNN__TRY(glnn_binary_apply(gmm->ctx, GLNN_BINARY_MULTIPLY, gmm->samples, gmm->samples,
                                gmm->squares));
    const glnn__product quadratic = {
        .a = gmm->squares,
        .b = gmm->quadratic,
        .c = gmm->densities,
        .alpha = 1,
    };
    GLNN__TRY(glnn__product_run(gmm->ctx, &quadratic));
    const glnn__product linear = {
        .a = gmm->samples,
        .b = gmm->factors,
        .addend = gmm->densities,
        .c = gmm->densities,
        .alpha = 1,
        .beta = 1,
        .augment = true,
    };
    return glnn__product_run(gmm->ctx, &linear);
}

glnn_status glnn__gmm_expect(glnn_gmm *gmm, const glnn__batch *batch, bool uses_labels)
{
    GLNN__TRY(is_full(gmm) ? find_full_densities(gmm) : find_diagonal_densities(gmm));
    const bool has_classes = gmm->desc.classes > 0;
    return glnn__pass_run(
        gmm->ctx,
        &(glnn__pass){
            .kernel = GLNN__KERNEL_GMM_STATS,
            .operands = {{.matrix = gmm->densities},
                         {.matrix = uses_labels ? batch->data->targets : NULL},
                         {.matrix = uses_labels ? batch->order : NULL}},
            .output = gmm->stats,
            .options = {uses_labels},
            .integers = {batch->first, batch->count, uses_labels ? batch->data->samples : 0,
                         gmm->desc.components, has_classes ? gmm->desc.classes : 1},
        });
}

glnn_status glnn__gmm_score(glnn_gmm *gmm, int count, const glnn__scores *scores)
{
    return glnn__pass_run(gmm->ctx, &(glnn__pass){
                                        .kernel = GLNN__KERNEL_GMM_SCORE,
                                        .operands = {{.matrix = gmm->stats}},
                                        .output = scores->rows,
                                        .integers = {count},
                                        .region = {0, 0, 1, count},
                                        .blend = true,
                                        .blend_factor = 1,
                                    });
}

glnn_status glnn__gmm_share(glnn_gmm *gmm, int count)
{
    return glnn__pass_run(gmm->ctx,
                          &(glnn__pass){
                              .kernel = GLNN__KERNEL_GMM_RESPONSIBILITY,
                              .operands = {{.matrix = gmm->stats}, {.matrix = gmm->densities}},
                              .output = gmm->responsibilities,
                              .integers = {count, gmm->desc.components},
                          });
}

/* sums += [a 1]' b, or without the row of ones a' b */
static glnn_status add_product(glnn_gmm *gmm, const glnn_matrix *a, const glnn_matrix *b,
                               bool augment, glnn_matrix *sums)
{
    const glnn__product product = {
        .a = a,
        .b = b,
        .addend = sums,
        .c = sums,
        .alpha = 1,
        .beta = 1,
        .transpose_a = true,
        .augment = augment,
    };
    return glnn__product_run(gmm->ctx, &product);
}

glnn_status glnn__gmm_accumulate(glnn_gmm *gmm)
{
    GLNN__TRY(add_product(gmm, gmm->samples, gmm->responsibilities, true, gmm->first));
    if (!is_full(gmm))
        return add_product(gmm, gmm->squares, gmm->responsibilities, false, gmm->second);
    GLNN__TRY(glnn__pass_run(gmm->ctx, &(glnn__pass){
                                           .kernel = GLNN__KERNEL_GMM_DEVIATION,
                                           .operands = {{.matrix = gmm->samples},
                                                        {.matrix = gmm->means},
                                                        {.matrix = gmm->responsibilities}},
                                           .output = gmm->deviations,
                                           .integers = {gmm->wide, gmm->desc.features},
                                       }));
    return add_product(gmm, gmm->samples, gmm->deviations, true, gmm->second);
}
