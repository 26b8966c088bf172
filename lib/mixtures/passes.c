/* The passes of an iteration of expectation and maximisation. */
#include "mixtures/gmm.h"

#include "base/status.h"
#include "ops/gemm/product.h"
#include "ops/map.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "pass/pass.h"

#include <glnn/map.h>

enum { DENSITY_STRIDE };

static const glnn__kernel density_kernel = {
    .name = "mixtures/density",
    .operands = {"Y", "CONSTANT"},
    .unviewed = 2,
    .uniforms = {[DENSITY_STRIDE] = "int stride"},
};

enum { LABELS };
enum { PER_CLASS = GLNN__BEHIND_SAMPLE, CLASSES };

static const glnn__kernel stats_kernel = {
    .name = "mixtures/stats",
    .operands = {"Z", "TARGET", "INDEX"},
    .unviewed = 3,
    .options = {[LABELS] = "LABELS"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [PER_CLASS] = "int per_class", [CLASSES] = "int classes"},
    .side_outputs = {"METRICS"},
};

enum { STRIDE, FEATURES, END };

static const glnn__kernel weighted_kernel = {
    .name = "mixtures/weighted",
    .operands = {"X", "MEAN", "R"},
    .unviewed = 3,
    .uniforms = {[STRIDE] = "int stride", [FEATURES] = "int features", [END] = "int end"},
};

static bool is_full(const glnn_gmm *gmm)
{
    return gmm->desc.covariance == GLNN_COVARIANCE_FULL;
}

glnn_status glnn__gmm_gather(glnn_gmm *gmm, glnn__gmm_bank *bank, const glnn__batch *batch)
{
    GLNN__TRY(glnn__batch_gather(batch, bank->samples));
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
                      .kernel = &density_kernel,
                      .operands = {{.matrix = bank->projected}, {.matrix = bank->constants}},
                      .output = bank->densities,
                      .uniforms = {[DENSITY_STRIDE] = {.i = gmm->wide}},
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
                             int classes, bool uses_labels, const glnn__metrics *metrics)
{
    GLNN__TRY(is_full(gmm) ? find_full_densities(gmm, bank) : find_diagonal_densities(gmm, bank));
    return glnn__pass_run(
        gmm->ctx,
        &(glnn__pass){
            .kernel = &stats_kernel,
            .operands = {{.matrix = bank->densities},
                         {.matrix = uses_labels ? batch->data->targets : NULL},
                         {.matrix = uses_labels ? batch->order : NULL}},
            .output = bank->stats,
            .side_outputs = {metrics ? metrics->rows : NULL},
            .options = {[LABELS] = uses_labels},
            .uniforms = {GLNN__SAMPLE_VALUES(batch->first, batch->count,
                                             uses_labels ? batch->data->samples : 0),
                         [PER_CLASS] = {.i = gmm->desc.components}, [CLASSES] = {.i = classes}},
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

static glnn_status accumulate_diagonal(glnn_gmm *gmm, bool is_first)
{
    const glnn__gmm_bank *own = &gmm->own;
    GLNN__TRY(add_product(gmm, own->samples, gmm->responsibilities, true, is_first, gmm->first));
    return add_product(gmm, own->squares, gmm->responsibilities, false, is_first, gmm->second);
}

glnn_status glnn__gmm_accumulate(glnn_gmm *gmm, int count, bool is_first)
{
    const glnn__gmm_bank *own = &gmm->own;
    GLNN__TRY(
        glnn__softmax_rows(gmm->ctx, own->densities, own->stats, count, gmm->responsibilities));
    if (!is_full(gmm))
        return accumulate_diagonal(gmm, is_first);
    GLNN__TRY(glnn__pass_run(gmm->ctx, &(glnn__pass){
                                           .kernel = &weighted_kernel,
                                           .operands = {{.matrix = own->samples},
                                                        {.matrix = own->means},
                                                        {.matrix = gmm->responsibilities}},
                                           .output = gmm->weighted,
                                           .uniforms = {[STRIDE] = {.i = gmm->wide},
                                                        [FEATURES] = {.i = gmm->desc.features},
                                                        [END] = {.i = own->count * gmm->wide}},
                                       }));
    return add_product(gmm, own->samples, gmm->weighted, true, is_first, gmm->second);
}
