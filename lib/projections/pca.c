/* Principal components. */
#include "projections/projection.h"

#include "base/status.h"
#include "projections/linear.h"
#include "projections/scatter.h"

#include <math.h>
#include <stdlib.h>

/* A smaller part of the variance than this is rounding. */
#define LEAST_PART 0x1p-20

static const char what[] = "glnn_pca_fit";

static glnn_status check(const glnn_context *ctx, const glnn_pca_desc *desc, int rows, int features,
                         const float *samples)
{
    if (!ctx || !samples)
        return glnn__fail(GLNN_E_ARG, "%s: %s is null", what, ctx ? "samples" : "ctx");
    if (rows < 2 || features < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%s: %d rows of %d features; there must be 2 rows and 1 feature", what,
                          rows, features);
    if (desc->components < 0)
        return glnn__fail(GLNN_E_ARG, "%s: %d components", what, desc->components);
    int most = features < rows - 1 ? features : rows - 1;
    if (desc->components > most)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %d components, but %d rows of %d features have at most %d", what,
                          desc->components, rows, features, most);
    return GLNN_OK;
}

/* The eigenvectors of a scatter, and how many of them are more than rounding. */
typedef struct spectrum {
    double *values, *vectors;
    int count;
} spectrum;

static glnn_status find_spectrum(const glnn_pca_desc *desc, int features, glnn__scatter *scatter,
                                 spectrum *out)
{
    int wanted = desc->components ? desc->components : features;
    double least = LEAST_PART * glnn__scatter_trace(scatter, features);
    out->values = malloc((size_t)features * sizeof *out->values);
    out->vectors = malloc((size_t)wanted * (size_t)features * sizeof *out->vectors);
    if (!out->values || !out->vectors)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d components of %d features", what,
                          wanted, features);
    GLNN__TRY(glnn__linear_eigen(what, features, wanted, scatter->sums, out->values, out->vectors));
    while (out->count < wanted && out->values[out->count] > least)
        ++out->count;
    if (out->count < desc->components)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %d components, but only %d direction%s more than 2^-20 of the "
                          "variance; features of different scale need glnn/scale.h first",
                          what, desc->components, out->count,
                          out->count == 1 ? " holds" : "s hold");
    return GLNN_OK;
}

static glnn_status make_projection(glnn_context *ctx, const glnn_pca_desc *desc, int features,
                                   const glnn__scatter *scatter, const spectrum *of,
                                   glnn_projection **out)
{
    for (int c = 0; c < of->count; ++c) {
        const double deviation = scatter->unit * sqrt(of->values[c]);
        of->values[c] = deviation * deviation;
        if (desc->whiten)
            glnn__linear_scale(features, 1 / deviation, of->vectors + (size_t)c * (size_t)features);
    }
    return glnn__projection_fitted(ctx, what, features, of->count, scatter->mean, of->vectors,
                                   of->values, out);
}

static glnn_status fit(glnn_context *ctx, const glnn_pca_desc *desc, int features,
                       glnn__scatter *scatter, glnn_projection **out)
{
    if (scatter->unit == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the samples are all the same", what);
    spectrum of = {0};
    glnn_status status = find_spectrum(desc, features, scatter, &of);
    if (!status)
        status = make_projection(ctx, desc, features, scatter, &of, out);
    free(of.values);
    free(of.vectors);
    return status;
}

glnn_status glnn_pca_fit(glnn_context *ctx, const glnn_pca_desc *desc, int rows, int features,
                         const float *samples, glnn_projection **out)
{
    if (!out)
        return glnn__fail(GLNN_E_ARG, "%s: out is null", what);
    *out = NULL;
    const glnn_pca_desc asked = desc ? *desc : (glnn_pca_desc){0};
    GLNN__TRY(check(ctx, &asked, rows, features, samples));
    glnn__scatter scatter;
    GLNN__TRY(glnn__scatter_create(
        ctx,
        &(glnn__samples){
            .what = what, .rows = rows, .features = features, .values = samples, .classes = 1},
        &scatter));
    glnn_status status = fit(ctx, &asked, features, &scatter, out);
    glnn__scatter_free(&scatter);
    return status;
}
