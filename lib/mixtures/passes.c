/* The passes of an iteration of expectation and maximisation. */
#include "mixtures/gmm.h"

#include "base/status.h"
#include "data/offset.h"
#include "ops/gemm/product.h"
#include "pass/pass.h"

#include <glnn/map.h>

static bool is_full(const glnn_gmm *gmm)
{
    return gmm->desc.covariance == GLNN_COVARIANCE_FULL;
}

glnn_status glnn__gmm_gather(glnn_gmm *gmm, glnn__gmm_bank *bank, const glnn__batch *batch)
{
    GLNN__TRY(glnn__pass_run(
        gmm->ctx, &(glnn__pass){
                      .kernel = GLNN__KERNEL_GATHER,
                      .operands = {{.matrix = batch->data->inputs}, {.matrix = batch->order}},
                      .output = bank->samples,
                      .integers = {batch->first, batch->count, batch->data->samples},
                  }));
    return glnn__gmm_shift(gmm, bank);
}

glnn_status glnn__gmm_shift(glnn_gmm *gmm, glnn__gmm_bank *bank)
{
    return glnn__subtract_row(gmm->ctx, bank->offset, bank->samples);
}

/* The deviations from all means at once, each times the inverse factor of its covariance. */
static glnn_status find_full_densities(glnn_gmm *gmm, glnn__gmm_bank *bank)
{
    const glnn__product product = {
        .a = bank->samples,
        .b = bank->factors,
        .c = bank->projected,
        .alpha = 1,
        .augment = true,
    };
    GLNN__TRY(glnn__product_run(gmm->ctx, &product));
    return glnn__pass_run(
        gmm->ctx, &(glnn__pass){
                      .kernel = GLNN__KERNEL_GMM_DENSITY,
                      .operands = {{.matrix = bank->projected}, {.matrix = bank->constants}},
                      .output = bank->densities,
                      .integers = {gmm->wide},
                  });
}

/* x^2 times the quadratic terms, and x with its one times the linear terms and constants. */
static glnn_status find_diagonal_densities(glnn_gmm *gmm, glnn__gmm_bank *bank)
{
    GLNN__TRY(glnn_binary_apply(gmm->ctx, GLNN_BINARY_MULTIPLY, bank->samples, bank->samples,
                                bank->squares));
    const glnn__product quadratic = {
        .a = bank->squares,
        .b = bank->quadratic,
        .c = bank->densities,
        .alpha = 1,
    };
    GLNN__TRY(glnn__product_run(gmm->ctx, &quadratic));
    const glnn__product linear = {
        .a = bank->samples,
        .b = bank->factors,
        .addend = bank->densities,
        .c = bank->densities,
        .alpha = 1,
        .beta = 1,
        .augment = true,
    };
    return glnn__product_run(gmm->ctx, &linear);
}

glnn_status glnn__gmm_expect(glnn_gmm *gmm, glnn__gmm_bank *bank, const glnn__batch *batch,
                             int classes, bool uses_labels)
{
    GLNN__TRY(is_full(gmm) ? find_full_densities(gmm, bank) : find_diagonal_densities(gmm, bank));
    return glnn__pass_run(
        gmm->ctx,
        &(glnn__pass){
            .kernel = GLNN__KERNEL_GMM_STATS,
            .operands = {{.matrix = bank->densities},
                         {.matrix = uses_labels ? batch->data->targets : NULL},
                         {.matrix = uses_labels ? batch->order : NULL}},
            .output = bank->stats,
            .options = {uses_labels},
            .integers = {batch->first, batch->count, uses_labels ? batch->data->samples : 0,
                         gmm->desc.components, classes},
        });
}

glnn_status glnn__gmm_score(glnn_gmm *gmm, const glnn__gmm_bank *bank, int count,
                            const glnn__scores *scores)
{
    return glnn__pass_run(gmm->ctx, &(glnn__pass){
                                        .kernel = GLNN__KERNEL_GMM_SCORE,
                                        .operands = {{.matrix = bank->stats}},
                                        .output = scores->rows,
                                        .integers = {count},
                                        .region = {0, 0, 1, count},
                                        .blend = true,
                                        .blend_factor = 1,
                                    });
}

glnn_status glnn__gmm_share(glnn_gmm *gmm, const glnn__gmm_bank *bank, int count,
                            glnn_matrix *responsibilities)
{
    return glnn__pass_run(gmm->ctx,
                          &(glnn__pass){
                              .kernel = GLNN__KERNEL_GMM_RESPONSIBILITY,
                              .operands = {{.matrix = bank->stats}, {.matrix = bank->densities}},
                              .output = responsibilities,
                              .integers = {count, bank->count},
                          });
}

/* sums [+]= [a 1]' b, or without the row of ones a' b */
static glnn_status add_product(glnn_gmm *gmm, const glnn_matrix *a, const glnn_matrix *b,
                               bool augment, bool is_first, glnn_matrix *sums)
{
    const glnn__product product = {
        .a = a,
        .b = b,
        .addend = is_first ? NULL : sums,
        .c = sums,
        .alpha = 1,
        .beta = is_first ? 0 : 1,
        .transpose_a = true,
        .augment = augment,
    };
    return glnn__product_run(gmm->ctx, &product);
}

glnn_status glnn__gmm_accumulate(glnn_gmm *gmm, bool is_first)
{
    const glnn__gmm_bank *own = &gmm->own;
    const glnn_matrix *responsibilities = gmm->responsibilities;
    if (!is_full(gmm)) {
        GLNN__TRY(add_product(gmm, own->samples, responsibilities, true, is_first, gmm->first));
        return add_product(gmm, own->squares, responsibilities, false, is_first, gmm->second);
    }
    GLNN__TRY(glnn__pass_run(
        gmm->ctx, &(glnn__pass){
                      .kernel = GLNN__KERNEL_GMM_WEIGHTED,
                      .operands = {{.matrix = own->samples},
                                   {.matrix = own->means},
                                   {.matrix = responsibilities}},
                      .output = gmm->weighted,
                      .integers = {gmm->wide, gmm->desc.features, own->count * gmm->wide},
                  }));
    return add_product(gmm, own->samples, gmm->weighted, true, is_first, gmm->second);
}
