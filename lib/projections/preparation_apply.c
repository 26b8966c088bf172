/* Makes the inputs of learners from raw samples. */
#include <glnn/preparation.h>

#include "base/status.h"
#include "gl/lifetime.h"
#include "projections/projection.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static glnn_status scale(const glnn_preparation *of, int64_t rows, float *samples)
{
    return of->scale.features > 0
               ? glnn_scale_apply(&of->scale, rows, of->columns.features, samples)
               : GLNN_OK;
}

static glnn_status project(glnn_context *ctx, const glnn_preparation *of, int64_t rows,
                           const float *samples, float *out)
{
    const size_t count = (size_t)rows * (size_t)of->columns.features;
    glnn_projection *projection = NULL;
    float *scaled = malloc(count * sizeof *scaled);
    if (!scaled)
        return glnn__fail(GLNN_E_NOMEM,
                          "glnn_preparation_apply: no memory for %" PRId64
                          " samples of %d features",
                          rows, of->columns.features);
    memcpy(scaled, samples, count * sizeof *scaled);
    glnn_status status = scale(of, rows, scaled);
    if (!status)
        status = glnn__projection_from(ctx, "glnn_preparation_apply", of->columns.features,
                                       of->components, of->mean, of->directions, of->eigenvalues,
                                       &projection);
    if (!status)
        status = glnn_projection_apply(projection, rows, scaled, out);
    glnn_projection_destroy(projection);
    free(scaled);
    return status;
}

glnn_status glnn_preparation_apply(glnn_context *ctx, const glnn_preparation *preparation,
                                   int64_t rows, const float *samples, float *out)
{
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(preparation);
    GLNN__NOT_NULL(samples);
    GLNN__NOT_NULL(out);
    if (preparation->columns.features < 1 || rows < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%s: %" PRId64 " rows of %d features; both must be at least 1", __func__,
                          rows, preparation->columns.features);
    if (preparation->components > 0)
        return project(ctx, preparation, rows, samples, out);
    if (out != samples)
        memcpy(out, samples, (size_t)rows * (size_t)preparation->columns.features * sizeof *out);
    return scale(preparation, rows, out);
}
