/* Makes the inputs of learners from raw samples. */
#include <glnn/preparation.h>

#include "base/status.h"
#include "gl/lifetime.h"
#include "io/preparation.h"
#include "projections/projection.h"
#include "tex/matrices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Images whose gradients are computed at a time, so that the sums along their lines take at most 32
 * MiB of texture. */
enum { PART_ROWS = 1024, PART_LINES = 1 << 17 };

static int part_rows(const glnn_shape *image, int64_t rows)
{
    const int most = PART_LINES / (image->height + 2);
    const int part = most < PART_ROWS ? most : PART_ROWS;
    return rows < part ? (int)rows : part;
}

static glnn_status find_part(glnn_context *ctx, const glnn_shape *image, int rows,
                             const float *pixels, glnn_matrix *images, glnn_matrix *gradients,
                             float *out)
{
    GLNN__TRY(glnn_matrix_upload(
        ctx, images, &(glnn_rect){0, 0, rows, image->height * image->width}, pixels, 0));
    GLNN__TRY(glnn_image_gradients(ctx, *image, images, gradients));
    return glnn_matrix_download(ctx, gradients, &(glnn_rect){0, 0, rows, GLNN_IMAGE_GRADIENTS}, out,
                                0);
}

static glnn_status find_gradients(glnn_context *ctx, const glnn_shape *image, int64_t rows,
                                  const float *pixels, float *out)
{
    glnn_matrix *images = NULL, *gradients = NULL;
    const int part = part_rows(image, rows), size = image->height * image->width;
    const glnn__matrices matrices = {{
        {&images, GLNN_LAYOUT_AUTO, part, size, "images"},
        {&gradients, GLNN_LAYOUT_AUTO, part, GLNN_IMAGE_GRADIENTS, "gradients"},
    }};
    GLNN__TRY(glnn__matrices_create(ctx, glnn__matrix_create_zero, &matrices));
    glnn_status status = GLNN_OK;
    for (int64_t first = 0; !status && first < rows; first += part)
        status = find_part(ctx, image, rows - first < part ? (int)(rows - first) : part,
                           pixels + (size_t)first * (size_t)size, images, gradients,
                           out + (size_t)first * GLNN_IMAGE_GRADIENTS);
    glnn__matrices_destroy(&matrices);
    return status;
}

/* The scaled features of raw samples. */
static glnn_status scale(glnn_context *ctx, const glnn_preparation *of, int64_t rows,
                         const float *samples, float *out)
{
    const int features = glnn__preparation_features(of);
    if (of->gradients.width > 0)
        GLNN__TRY(find_gradients(ctx, &of->gradients, rows, samples, out));
    else if (out != samples)
        memcpy(out, samples, (size_t)rows * (size_t)features * sizeof *out);
    return of->scale.features > 0 ? glnn_scale_apply(&of->scale, rows, features, out) : GLNN_OK;
}

static glnn_status project(glnn_context *ctx, const glnn_preparation *of, int64_t rows,
                           const float *samples, float *out)
{
    const int features = glnn__preparation_features(of);
    glnn_projection *projection = NULL;
    float *scaled = malloc((size_t)rows * (size_t)features * sizeof *scaled);
    if (!scaled)
        return glnn__fail(GLNN_E_NOMEM,
                          "glnn_preparation_apply: no memory for %" PRId64
                          " samples of %d features",
                          rows, features);
    glnn_status status = scale(ctx, of, rows, samples, scaled);
    if (!status)
        status = glnn__projection_from(ctx, "glnn_preparation_apply", features, of->components,
                                       of->mean, of->directions, of->eigenvalues, &projection);
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
    return scale(ctx, preparation, rows, samples, out);
}
