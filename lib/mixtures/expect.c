#include "mixtures/expect.h"

#include "base/status.h"
#include "ops/gemm/product.h"
#include "ops/map.h"
#include "ops/sample.h"
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
enum { PER_CLASS = GLNN__AFTER_SAMPLE, CLASSES };

static const glnn__kernel stats_kernel = {
    .name = "mixtures/stats",
    .operands = {"Z", "TARGET", "INDEX"},
    .unviewed = 3,
    .options = {[LABELS] = "LABELS"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [PER_CLASS] = "int per_class", [CLASSES] = "int classes"},
    .side_outputs = {"METRICS"},
};

glnn_status glnn__gmm_gather(glnn__gmm_bank *bank, const glnn__batch *part)
{
    GLNN__TRY(glnn__batch_gather(part, bank->samples));
    return glnn__gmm_shift(bank);
}

glnn_status glnn__gmm_shift(glnn__gmm_bank *bank)
{
    return glnn__subtract_row(bank->ctx, bank->derived[GLNN__GMM_OFFSET], bank->samples);
}

/* The deviations from all means at once, each times the inverse factor of its covariance. */
static glnn_status find_full_densities(glnn__gmm_bank *bank)
{
    const glnn__product product = {
        .a = bank->samples,
        .b = bank->derived[GLNN__GMM_FACTORS],
        .c = bank->projected,
        .alpha = {.f = 1},
        .augment = true,
    };
    GLNN__TRY(glnn__product_run(bank->ctx, &product));
    return glnn__pass_run(bank->ctx,
                          &(glnn__pass){
                              .kernel = &density_kernel,
                              .operands = {{.matrix = bank->projected},
                                           {.matrix = bank->derived[GLNN__GMM_CONSTANTS]}},
                              .output = bank->densities,
                              .uniforms = {[DENSITY_STRIDE] = {.i = bank->wide}},
                          });
}

/* x^2 times the quadratic terms, and x with its one times the linear terms and constants. */
static glnn_status find_diagonal_densities(glnn__gmm_bank *bank)
{
    GLNN__TRY(glnn_binary_apply(bank->ctx, GLNN_BINARY_MULTIPLY, bank->samples, bank->samples,
                                bank->squares));
    const glnn__product quadratic = {
        .a = bank->squares,
        .b = bank->derived[GLNN__GMM_QUADRATIC],
        .c = bank->densities,
        .alpha = {.f = 1},
    };
    GLNN__TRY(glnn__product_run(bank->ctx, &quadratic));
    const glnn__product linear = {
        .a = bank->samples,
        .b = bank->derived[GLNN__GMM_FACTORS],
        .addend = bank->densities,
        .c = bank->densities,
        .alpha = {.f = 1},
        .beta = {.f = 1},
        .augment = true,
    };
    return glnn__product_run(bank->ctx, &linear);
}

static glnn_status expect(glnn__gmm_bank *bank, const glnn__batch *part, int classes,
                          bool uses_labels, const glnn__metrics *metrics)
{
    GLNN__TRY(glnn__gmm_is_full(bank) ? find_full_densities(bank) : find_diagonal_densities(bank));
    return glnn__pass_run(
        bank->ctx,
        &(glnn__pass){
            .kernel = &stats_kernel,
            .operands = {{.matrix = bank->densities},
                         {.matrix = uses_labels ? part->data->targets : NULL},
                         {.matrix = uses_labels ? part->order : NULL}},
            .output = bank->stats,
            .side_outputs = {metrics ? metrics->rows : NULL},
            .side_adds = {true},
            .options = {[LABELS] = uses_labels},
            .uniforms = {GLNN__SAMPLE_VALUES(glnn__batch_first(part), part->count,
                                             uses_labels ? part->data->samples : 0),
                         [PER_CLASS] = {.i = bank->count / classes}, [CLASSES] = {.i = classes}},
        });
}

glnn_status glnn__gmm_expect(glnn__gmm_bank *bank, const glnn__batch *part, int classes,
                             bool uses_labels, const glnn__metrics *metrics)
{
    const glnn__label former = glnn__label_part(bank->ctx, "expectation");
    return glnn__label_end(bank->ctx, former, expect(bank, part, classes, uses_labels, metrics));
}
