#include "mixtures/bank.h"

#include "base/integers.h"
#include "base/status.h"
#include "mixtures/covariance.h"

#include <math.h>
#include <stdlib.h>

/* Stands for the logarithm of a weight of zero: no density comes near it. */
#define LEAST_WEIGHT 1e-30

static glnn__matrices matrices_of(glnn__gmm_bank *bank)
{
    const glnn_layout layout = bank->layout;
    const int features = bank->parameters->features, count = bank->count;
    const int full = glnn__gmm_is_full(bank) ? 1 : 0;
    glnn_matrix **derived = bank->derived;
    return (glnn__matrices){{
        {&derived[GLNN__GMM_OFFSET], layout, 1, features, "offset"},
        {&derived[GLNN__GMM_FACTORS], layout, features + 1, count * bank->wide,
         full ? "inverse factors" : "linear terms"},
        {&derived[GLNN__GMM_QUADRATIC], layout, full ? 0 : features, count, "quadratic terms"},
        {&derived[GLNN__GMM_CONSTANTS], layout, full, count, "log weights"},
        {&derived[GLNN__GMM_MEANS], layout, full * count, bank->wide, "means"},
    }};
}

/* A fragment makes one row of four densities: of few components, a tile would be mostly empty. */
static glnn_layout layout_of_densities(const glnn__gmm_bank *bank)
{
    return glnn__gmm_is_full(bank) && bank->layout == GLNN_LAYOUT_TILED ? GLNN_LAYOUT_PACKED
                                                                        : bank->layout;
}

/* The matrices of a part. */
static glnn__matrices matrices_of_part(glnn__gmm_bank *bank, int rows)
{
    const glnn_layout layout = bank->layout;
    const int features = bank->parameters->features, count = bank->count;
    const bool full = glnn__gmm_is_full(bank);
    return (glnn__matrices){{
        {&bank->samples, layout, rows, features, "samples"},
        {&bank->projected, layout, full ? rows : 0, count * bank->wide, "projected deviations"},
        {&bank->squares, layout, full ? 0 : rows, features, "squares"},
        {&bank->densities, layout_of_densities(bank), rows, count, "densities"},
        {&bank->stats, GLNN_LAYOUT_PACKED, rows, 4, "statistics"},
    }};
}

glnn_status glnn__gmm_bank_create(glnn_context *ctx, glnn_layout layout,
                                  const glnn__gmm_parameters *parameters, int count,
                                  glnn__gmm_bank *out)
{
    *out = (glnn__gmm_bank){.ctx = ctx, .layout = layout, .parameters = parameters, .count = count};
    out->wide = glnn__gmm_is_full(out) ? glnn__round_up(parameters->features, 4) : 1;
    const glnn__matrices matrices = matrices_of(out);
    return glnn__matrices_create(ctx, glnn__matrix_create_zero, &matrices);
}

void glnn__gmm_bank_destroy(glnn__gmm_bank *bank)
{
    if (!bank->ctx)
        return;
    const glnn__matrices matrices = matrices_of(bank), part = matrices_of_part(bank, 0);
    glnn__matrices_destroy(&part);
    glnn__matrices_destroy(&matrices);
    *bank = (glnn__gmm_bank){0};
}

glnn_status glnn__gmm_bank_prepare(glnn__gmm_bank *bank, int rows)
{
    if (rows == bank->rows)
        return GLNN_OK;
    const glnn__matrices part = matrices_of_part(bank, rows);
    bank->rows = 0;
    GLNN__TRY(glnn__matrices_create(bank->ctx, glnn__matrix_create_scratch, &part));
    bank->rows = rows;
    return GLNN_OK;
}

/* The numbers of the derived matrices while they are made. */
typedef struct derived {
    float *of[GLNN__GMM_DERIVED]; /* NULL: the kind has no matrix  */
    double *lower, *inverse;      /* FULL: features x features     */
} derived;

static glnn_status derived_create(const glnn__gmm_bank *bank, derived *out)
{
    const int n = glnn__gmm_is_full(bank) ? bank->parameters->features : 1;
    *out = (derived){.lower = malloc(glnn__gmm_size(n, n) * sizeof(double)),
                     .inverse = malloc(glnn__gmm_size(n, n) * sizeof(double))};
    bool has_all = out->lower && out->inverse;
    for (int i = 0; i < GLNN__GMM_DERIVED; ++i) {
        const glnn_matrix *matrix = bank->derived[i];
        if (matrix)
            out->of[i] = calloc(glnn__gmm_size(matrix->rows, matrix->columns), sizeof(float));
        has_all = has_all && (out->of[i] || !matrix);
    }
    return has_all ? GLNN_OK
                   : glnn__fail(GLNN_E_NOMEM, "no memory for the factors of %d covariances",
                                bank->count);
}

static void derived_destroy(derived *of)
{
    for (int i = 0; i < GLNN__GMM_DERIVED; ++i)
        free(of->of[i]);
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
    const float *offset = of->of[GLNN__GMM_OFFSET];
    float *means = of->of[GLNN__GMM_MEANS] + glnn__gmm_size(i, bank->wide);
    const size_t row = glnn__gmm_size(bank->count, bank->wide);
    float *factors = of->of[GLNN__GMM_FACTORS] + glnn__gmm_size(i, bank->wide);
    GLNN__TRY(glnn__gmm_factor(bank->parameters, j, of->lower));
    glnn__invert_lower(n, of->lower, of->inverse);
    double constant = log_weight(bank, j) - 0.5 * n * log(2 * acos(-1));
    for (int g = 0; g < n; ++g) {
        double projected = 0;
        for (int f = 0; f <= g; ++f) {
            const double factor = of->inverse[glnn__gmm_size(g, n) + (size_t)f];
            factors[(size_t)f * row + (size_t)g] = (float)factor;
            projected += factor * (double)glnn__gmm_shifted_mean(bank->parameters, j, f, offset[f]);
        }
        factors[(size_t)n * row + (size_t)g] = (float)-projected;
        means[g] = glnn__gmm_shifted_mean(bank->parameters, j, g, offset[g]);
        constant -= log(of->lower[glnn__gmm_size(g, n) + (size_t)g]);
    }
    of->of[GLNN__GMM_CONSTANTS][i] = (float)constant;
    return GLNN_OK;
}

static void derive_diagonal(const glnn__gmm_bank *bank, int i, derived *of)
{
    const int n = bank->parameters->features, j = bank->first + i;
    const size_t count = (size_t)bank->count;
    float *linear = of->of[GLNN__GMM_FACTORS] + i, *quadratic = of->of[GLNN__GMM_QUADRATIC] + i;
    double constant = log_weight(bank, j);
    for (int f = 0; f < n; ++f, linear += count, quadratic += count) {
        const float offset = of->of[GLNN__GMM_OFFSET][f];
        const double variance = glnn__gmm_variance(bank->parameters, j, f);
        const double mean = (double)glnn__gmm_shifted_mean(bank->parameters, j, f, offset);
        *quadratic = (float)(-0.5 / variance);
        *linear = (float)(mean / variance);
        constant -= 0.5 * (log(2 * acos(-1) * variance) + mean * mean / variance);
    }
    *linear = (float)constant;
}

static glnn_status derive(const glnn__gmm_bank *bank, derived *of)
{
    for (int f = 0; f < bank->parameters->features; ++f)
        of->of[GLNN__GMM_OFFSET][f] =
            (float)glnn__gmm_centre(bank->parameters, bank->first, bank->count, f);
    for (int i = 0; i < bank->count; ++i) {
        if (glnn__gmm_is_full(bank))
            GLNN__TRY(derive_full(bank, i, of));
        else
            derive_diagonal(bank, i, of);
    }
    for (int i = 0; i < GLNN__GMM_DERIVED; ++i)
        if (of->of[i])
            GLNN__TRY(glnn_matrix_upload(bank->ctx, bank->derived[i], NULL, of->of[i], 0));
    return GLNN_OK;
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
    derived_destroy(&of);
    bank->is_current = !status;
    return status;
}
