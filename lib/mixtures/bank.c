/* Components on the GPU: what passes need of their parameters, and room for a batch of samples. */
#include "mixtures/gmm.h"

#include "base/status.h"
#include "mixtures/covariance.h"

#include <math.h>
#include <stdlib.h>

/* Stands for the logarithm of a weight of zero: no density comes near it. */
#define LEAST_WEIGHT 1e-30

static size_t size_of(int a, int b)
{
    return (size_t)a * (size_t)b;
}

static bool is_full(const glnn_gmm *gmm)
{
    return gmm->desc.covariance == GLNN_COVARIANCE_FULL;
}

static glnn_status create_matrix(glnn_gmm *gmm, int rows, int columns, const char *name,
                                 glnn_matrix **out)
{
    return glnn__matrix_create_zero(gmm->ctx, gmm->desc.layout, rows, columns, name, out);
}

glnn_status glnn__gmm_bank_create(glnn_gmm *gmm, int count, glnn__gmm_bank *out)
{
    const int features = gmm->desc.features;
    *out = (glnn__gmm_bank){.count = count};
    GLNN__TRY(create_matrix(gmm, 1, features, "offset", &out->offset));
    if (!is_full(gmm)) {
        GLNN__TRY(create_matrix(gmm, features + 1, count, "linear terms", &out->factors));
        return create_matrix(gmm, features, count, "quadratic terms", &out->quadratic);
    }
    GLNN__TRY(
        create_matrix(gmm, features + 1, count * gmm->wide, "inverse factors", &out->factors));
    GLNN__TRY(create_matrix(gmm, 1, count, "log weights", &out->constants));
    return create_matrix(gmm, count, gmm->wide, "means", &out->means);
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
static glnn_layout layout_of_densities(const glnn_gmm *gmm)
{
    return is_full(gmm) && gmm->desc.layout == GLNN_LAYOUT_TILED ? GLNN_LAYOUT_PACKED
                                                                 : gmm->desc.layout;
}

static glnn_status create_batch(glnn_gmm *gmm, glnn__gmm_bank *bank, int rows)
{
    glnn_context *ctx = gmm->ctx;
    const glnn_layout layout = gmm->desc.layout;
    const int features = gmm->desc.features;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, layout, rows, features, "samples", &bank->samples));
    if (is_full(gmm))
        GLNN__TRY(glnn__matrix_create_scratch(ctx, layout, rows, bank->count * gmm->wide,
                                              "projected deviations", &bank->projected));
    else
        GLNN__TRY(
            glnn__matrix_create_scratch(ctx, layout, rows, features, "squares", &bank->squares));
    GLNN__TRY(glnn__matrix_create_scratch(ctx, layout_of_densities(gmm), rows, bank->count,
                                          "densities", &bank->densities));
    return glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, rows, 4, "statistics",
                                       &bank->stats);
}

glnn_status glnn__gmm_bank_prepare(glnn_gmm *gmm, glnn__gmm_bank *bank, int rows)
{
    if (rows == bank->rows)
        return GLNN_OK;
    destroy_batch(bank);
    glnn_status status = create_batch(gmm, bank, rows);
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

static glnn_status derived_create(const glnn_gmm *gmm, int count, derived *out)
{
    const int features = gmm->desc.features;
    *out = (derived){
        .offset = malloc((size_t)features * sizeof(float)),
        .factors = calloc(size_of(features + 1, count) * (size_t)gmm->wide, sizeof(float)),
        .quadratic = malloc(size_of(features, count) * sizeof(float)),
        .constants = malloc((size_t)count * sizeof(float)),
        .means = calloc(size_of(count, gmm->wide), sizeof(float)),
    };
    if (is_full(gmm)) {
        out->lower = malloc(size_of(features, features) * sizeof(double));
        out->inverse = malloc(size_of(features, features) * sizeof(double));
    }
    const bool has_squares = out->lower && out->inverse;
    if (out->offset && out->factors && out->quadratic && out->constants && out->means &&
        (has_squares || !is_full(gmm)))
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

static double log_weight(const glnn_gmm *gmm, int j)
{
    return log(fmax((double)gmm->parameters.weights[j], LEAST_WEIGHT));
}

float glnn__gmm_shifted_mean(const glnn_gmm *gmm, int j, int f, float offset)
{
    return gmm->parameters.means[size_of(j, gmm->desc.features) + (size_t)f] - offset;
}

/* Component j of the mixture becomes component i of the bank. */
static glnn_status derive_full(const glnn_gmm *gmm, const glnn__gmm_bank *bank, int i, derived *of)
{
    const int n = gmm->desc.features, j = bank->first + i;
    const size_t row = size_of(bank->count, gmm->wide);
    const float *covariance = gmm->parameters.covariances + size_of(j, n * n);
    float *factors = of->factors + size_of(i, gmm->wide);
    for (int e = 0; e < n * n; ++e)
        of->lower[e] = (double)covariance[e];
    if (!glnn__cholesky(n, of->lower, of->lower))
        return glnn__fail(GLNN_E_DIVERGED,
                          "the covariance of component %d is not positive definite", j);
    glnn__invert_lower(n, of->lower, of->inverse);
    double constant = log_weight(gmm, j) - 0.5 * n * log(2 * acos(-1));
    for (int g = 0; g < n; ++g) {
        double projected = 0;
        for (int f = 0; f <= g; ++f) {
            const double factor = of->inverse[size_of(g, n) + (size_t)f];
            factors[(size_t)f * row + (size_t)g] = (float)factor;
            projected += factor * (double)glnn__gmm_shifted_mean(gmm, j, f, of->offset[f]);
        }
        factors[(size_t)n * row + (size_t)g] = (float)-projected;
        of->means[size_of(i, gmm->wide) + (size_t)g] =
            glnn__gmm_shifted_mean(gmm, j, g, of->offset[g]);
        constant -= log(of->lower[size_of(g, n) + (size_t)g]);
    }
    of->constants[i] = (float)constant;
    return GLNN_OK;
}

static void derive_diagonal(const glnn_gmm *gmm, const glnn__gmm_bank *bank, int i, derived *of)
{
    const int n = gmm->desc.features, j = bank->first + i, count = bank->count;
    double constant = log_weight(gmm, j);
    for (int f = 0; f < n; ++f) {
        const double variance = glnn__gmm_variance(gmm, j, f);
        const double mean = (double)glnn__gmm_shifted_mean(gmm, j, f, of->offset[f]);
        of->quadratic[size_of(f, count) + (size_t)i] = (float)(-0.5 / variance);
        of->factors[size_of(f, count) + (size_t)i] = (float)(mean / variance);
        constant -= 0.5 * (log(2 * acos(-1) * variance) + mean * mean / variance);
    }
    of->factors[size_of(n, count) + (size_t)i] = (float)constant;
}

static glnn_status derive(const glnn_gmm *gmm, const glnn__gmm_bank *bank, derived *of)
{
    for (int f = 0; f < gmm->desc.features; ++f)
        of->offset[f] = (float)glnn__gmm_centre(gmm, bank->first, bank->count, f);
    for (int i = 0; i < bank->count; ++i) {
        if (is_full(gmm))
            GLNN__TRY(derive_full(gmm, bank, i, of));
        else
            derive_diagonal(gmm, bank, i, of);
    }
    return GLNN_OK;
}

static glnn_status upload(glnn_gmm *gmm, const derived *of, glnn__gmm_bank *bank)
{
    GLNN__TRY(glnn_matrix_upload(gmm->ctx, bank->offset, NULL, of->offset, 0));
    GLNN__TRY(glnn_matrix_upload(gmm->ctx, bank->factors, NULL, of->factors, 0));
    if (!is_full(gmm))
        return glnn_matrix_upload(gmm->ctx, bank->quadratic, NULL, of->quadratic, 0);
    GLNN__TRY(glnn_matrix_upload(gmm->ctx, bank->constants, NULL, of->constants, 0));
    return glnn_matrix_upload(gmm->ctx, bank->means, NULL, of->means, 0);
}

glnn_status glnn__gmm_bank_load(glnn_gmm *gmm, int first, glnn__gmm_bank *bank)
{
    derived of;
    bank->first = first;
    glnn_status status = derived_create(gmm, bank->count, &of);
    if (!status)
        status = derive(gmm, bank, &of);
    if (!status)
        status = upload(gmm, &of, bank);
    derived_destroy(&of);
    return status;
}

glnn_status glnn__gmm_use_all(glnn_gmm *gmm, int rows)
{
    if (!gmm->all_is_current)
        GLNN__TRY(glnn__gmm_bank_load(gmm, 0, &gmm->all));
    gmm->all_is_current = true;
    return glnn__gmm_bank_prepare(gmm, &gmm->all, rows);
}

void glnn__gmm_parameters_changed(glnn_gmm *gmm)
{
    gmm->all_is_current = false;
    gmm->own_class = -1;
}
