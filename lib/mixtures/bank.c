#include "mixtures/bank.h"

#include "base/status.h"
#include "mixtures/covariance.h"

#include <math.h>
#include <stdlib.h>

/* Stands for the logarithm of a weight of zero: no density comes near it. */
#define LEAST_WEIGHT 1e-30

static glnn_status create_matrix(const glnn__gmm_bank *bank, int rows, int columns,
                                 const char *name, glnn_matrix **out)
{
    return glnn__matrix_create_zero(bank->ctx, bank->layout, rows, columns, name, out);
}

glnn_status glnn__gmm_bank_create(glnn_context *ctx, glnn_layout layout,
                                  const glnn__gmm_parameters *parameters, int count,
                                  glnn__gmm_bank *out)
{
    const int features = parameters->features;
    *out = (glnn__gmm_bank){.ctx = ctx, .layout = layout, .parameters = parameters, .count = count};
    out->wide = glnn__gmm_is_full(out) ? (features + 3) / 4 * 4 : 1;
    GLNN__TRY(create_matrix(out, 1, features, "offset", &out->offset));
    if (!glnn__gmm_is_full(out)) {
        GLNN__TRY(create_matrix(out, features + 1, count, "linear terms", &out->factors));
        return create_matrix(out, features, count, "quadratic terms", &out->quadratic);
    }
    GLNN__TRY(
        create_matrix(out, features + 1, count * out->wide, "inverse factors", &out->factors));
    GLNN__TRY(create_matrix(out, 1, count, "log weights", &out->constants));
    return create_matrix(out, count, out->wide, "means", &out->means);
}

static void destroy_batch(glnn__gmm_bank *bank)
{
    glnn_matrix **of_batch[] = {&bank->samples, &bank->squares, &bank->projected, &bank->densities,
                                &bank->stats};
    for (size_t i = 0; i < sizeof of_batch / sizeof *of_batch; ++i) {
        glnn_matrix_destroy(*of_batch[i]);
        *of_batch[i] = NULL;
    }
    bank->rows = 0;
}

void glnn__gmm_bank_destroy(glnn__gmm_bank *bank)
{
    destroy_batch(bank);
    glnn_matrix_destroy(bank->offset);
    glnn_matrix_destroy(bank->factors);
    glnn_matrix_destroy(bank->quadratic);
    glnn_matrix_destroy(bank->constants);
    glnn_matrix_destroy(bank->means);
    *bank = (glnn__gmm_bank){0};
}

/* A fragment makes one row of four densities: of few components, a tile would be mostly empty. */
static glnn_layout layout_of_densities(const glnn__gmm_bank *bank)
{
    return glnn__gmm_is_full(bank) && bank->layout == GLNN_LAYOUT_TILED ? GLNN_LAYOUT_PACKED
                                                                        : bank->layout;
}

static glnn_status create_scratch(const glnn__gmm_bank *bank, glnn_layout layout, int rows,
                                  int columns, const char *name, glnn_matrix **out)
{
    return glnn__matrix_create_scratch(bank->ctx, layout, rows, columns, name, out);
}

static glnn_status create_batch(glnn__gmm_bank *bank, int rows)
{
    const glnn_layout layout = bank->layout;
    const int features = bank->parameters->features;
    GLNN__TRY(create_scratch(bank, layout, rows, features, "samples", &bank->samples));
    if (glnn__gmm_is_full(bank))
        GLNN__TRY(create_scratch(bank, layout, rows, bank->count * bank->wide,
                                 "projected deviations", &bank->projected));
    else
        GLNN__TRY(create_scratch(bank, layout, rows, features, "squares", &bank->squares));
    GLNN__TRY(create_scratch(bank, layout_of_densities(bank), rows, bank->count, "densities",
                             &bank->densities));
    return create_scratch(bank, GLNN_LAYOUT_PACKED, rows, 4, "statistics", &bank->stats);
}

glnn_status glnn__gmm_bank_prepare(glnn__gmm_bank *bank, int rows)
{
    if (rows == bank->rows)
        return GLNN_OK;
    destroy_batch(bank);
    glnn_status status = create_batch(bank, rows);
    if (status)
        destroy_batch(bank);
    else
        bank->rows = rows;
    return status;
}

/* Host copies of the matrices that are made from the parameters, while they are made. */
typedef struct derived {
    float *offset, *factors, *quadratic, *constants, *means;
    double *lower, *inverse; /* FULL: features x features */
} derived;

static glnn_status derived_create(const glnn__gmm_bank *bank, derived *out)
{
    const int n = bank->parameters->features, count = bank->count;
    const bool is_full = glnn__gmm_is_full(bank);
    *out = (derived){
        .offset = malloc((size_t)n * sizeof(float)),
        .factors = calloc(glnn__gmm_size(n + 1, count) * (size_t)bank->wide, sizeof(float)),
        .quadratic = malloc(glnn__gmm_size(n, count) * sizeof(float)),
        .constants = malloc((size_t)count * sizeof(float)),
        .means = calloc(glnn__gmm_size(count, bank->wide), sizeof(float)),
        .lower = is_full ? malloc(glnn__gmm_size(n, n) * sizeof(double)) : NULL,
        .inverse = is_full ? malloc(glnn__gmm_size(n, n) * sizeof(double)) : NULL,
    };
    if (out->offset && out->factors && out->quadratic && out->constants && out->means &&
        (!is_full || (out->lower && out->inverse)))
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "no memory for the factors of %d covariances", count);
}

static void derived_destroy(derived *of)
{
    free(of->offset);
    free(of->factors);
    free(of->quadratic);
    free(of->constants);
    free(of->means);
    free(of->lower);
    free(of->inverse);
}

static double log_weight(const glnn__gmm_bank *bank, int j)
{
    return log(fmax((double)bank->parameters->weights[j], LEAST_WEIGHT));
}

/* Component j of the mixture becomes component i of the bank. */
static glnn_status derive_full(const glnn__gmm_bank *bank, int i, derived *of)
{
    const int n = bank->parameters->features, j = bank->first + i;
    const size_t row = glnn__gmm_size(bank->count, bank->wide);
    const float *covariance = bank->parameters->covariances + glnn__gmm_size(j, n * n);
    float *factors = of->factors + glnn__gmm_size(i, bank->wide);
    for (int e = 0; e < n * n; ++e)
        of->lower[e] = (double)covariance[e];
    if (!glnn__cholesky(n, of->lower, of->lower))
        return glnn__fail(GLNN_E_DIVERGED,
                          "the covariance of component %d is not positive definite", j);
    glnn__invert_lower(n, of->lower, of->inverse);
    double constant = log_weight(bank, j) - 0.5 * n * log(2 * acos(-1));
    for (int g = 0; g < n; ++g) {
        double projected = 0;
        for (int f = 0; f <= g; ++f) {
            const double factor = of->inverse[glnn__gmm_size(g, n) + (size_t)f];
            factors[(size_t)f * row + (size_t)g] = (float)factor;
            projected +=
                factor * (double)glnn__gmm_shifted_mean(bank->parameters, j, f, of->offset[f]);
        }
        factors[(size_t)n * row + (size_t)g] = (float)-projected;
        of->means[glnn__gmm_size(i, bank->wide) + (size_t)g] =
            glnn__gmm_shifted_mean(bank->parameters, j, g, of->offset[g]);
        constant -= log(of->lower[glnn__gmm_size(g, n) + (size_t)g]);
    }
    of->constants[i] = (float)constant;
    return GLNN_OK;
}

static void derive_diagonal(const glnn__gmm_bank *bank, int i, derived *of)
{
    const int n = bank->parameters->features, j = bank->first + i, count = bank->count;
    double constant = log_weight(bank, j);
    for (int f = 0; f < n; ++f) {
        const double variance = glnn__gmm_variance(bank->parameters, j, f);
        const double mean = (double)glnn__gmm_shifted_mean(bank->parameters, j, f, of->offset[f]);
        of->quadratic[glnn__gmm_size(f, count) + (size_t)i] = (float)(-0.5 / variance);
        of->factors[glnn__gmm_size(f, count) + (size_t)i] = (float)(mean / variance);
        constant -= 0.5 * (log(2 * acos(-1) * variance) + mean * mean / variance);
    }
    of->factors[glnn__gmm_size(n, count) + (size_t)i] = (float)constant;
}

static glnn_status derive(const glnn__gmm_bank *bank, derived *of)
{
    for (int f = 0; f < bank->parameters->features; ++f)
        of->offset[f] = (float)glnn__gmm_centre(bank->parameters, bank->first, bank->count, f);
    for (int i = 0; i < bank->count; ++i) {
        if (glnn__gmm_is_full(bank))
            GLNN__TRY(derive_full(bank, i, of));
        else
            derive_diagonal(bank, i, of);
    }
    return GLNN_OK;
}

static glnn_status upload(const derived *of, glnn__gmm_bank *bank)
{
    GLNN__TRY(glnn_matrix_upload(bank->ctx, bank->offset, NULL, of->offset, 0));
    GLNN__TRY(glnn_matrix_upload(bank->ctx, bank->factors, NULL, of->factors, 0));
    if (!glnn__gmm_is_full(bank))
        return glnn_matrix_upload(bank->ctx, bank->quadratic, NULL, of->quadratic, 0);
    GLNN__TRY(glnn_matrix_upload(bank->ctx, bank->constants, NULL, of->constants, 0));
    return glnn_matrix_upload(bank->ctx, bank->means, NULL, of->means, 0);
}

glnn_status glnn__gmm_bank_load(glnn__gmm_bank *bank, int first)
{
    if (bank->is_current && bank->first == first)
        return GLNN_OK;
    derived of;
    bank->first = first;
    glnn_status status = derived_create(bank, &of);
    if (!status)
        status = derive(bank, &of);
    if (!status)
        status = upload(&of, bank);
    derived_destroy(&of);
    bank->is_current = !status;
    return status;
}
