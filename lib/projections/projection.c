#include "projections/projection.h"

#include "base/status.h"
#include "ops/check.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many samples go through the GPU at a time. */
#define PART_ROWS 1024

glnn_status glnn__projection_create(glnn_context *ctx, const char *what, int features,
                                    int components, glnn_projection **out)
{
    size_t length = (size_t)features, count = (size_t)components;
    glnn_projection *made = calloc(1, sizeof *made);
    if (made) {
        *made = (glnn_projection){.ctx = ctx, .features = features, .components = components};
        made->mean = malloc(length * sizeof(float));
        made->directions = malloc(count * length * sizeof(float));
        made->eigenvalues = malloc(count * sizeof(float));
    }
    if (!made || !made->mean || !made->directions || !made->eigenvalues) {
        glnn_projection_destroy(made);
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d components of %d features", what,
                          components, features);
    }
    *out = made;
    return GLNN_OK;
}

void glnn__projection_set(glnn_projection *projection, int index, double factor,
                          const double *direction)
{
    size_t features = (size_t)projection->features;
    double greatest = 0;
    for (size_t j = 0; j < features; ++j)
        greatest = fabs(direction[j]) > fabs(greatest) ? direction[j] : greatest;
    for (size_t j = 0; j < features; ++j)
        projection->directions[(size_t)index * features + j] =
            (float)(greatest < 0 ? -factor * direction[j] : factor * direction[j]);
}

static glnn_status check_finite(const char *what, const char *part, size_t count,
                                const float *values)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i]))
            return glnn__fail(GLNN_E_FORMAT, "%s: number %zu of the %s is %g, which is not finite",
                              what, i, part, (double)values[i]);
    }
    return GLNN_OK;
}

static glnn_status upload(glnn_projection *projection, const char *name, int rows,
                          const float *data, glnn_matrix **out)
{
    return glnn_matrix_create(
        projection->ctx,
        &(glnn_matrix_desc){
            .rows = rows, .columns = projection->features, .data = data, .name = name},
        out);
}

static glnn_status finish(const char *what, glnn_projection *projection)
{
    size_t features = (size_t)projection->features, components = (size_t)projection->components;
    GLNN__TRY(check_finite(what, "mean", features, projection->mean));
    GLNN__TRY(check_finite(what, "directions", components * features, projection->directions));
    GLNN__TRY(check_finite(what, "eigenvalues", components, projection->eigenvalues));
    GLNN__TRY(upload(projection, "mean", 1, projection->mean, &projection->shift));
    return upload(projection, "directions", projection->components, projection->directions,
                  &projection->weights);
}

glnn_status glnn__projection_finish(const char *what, glnn_projection **out)
{
    const glnn_status status = finish(what, *out);
    if (status) {
        glnn_projection_destroy(*out);
        *out = NULL;
    }
    return status;
}

glnn_status glnn__projection_from(glnn_context *ctx, const char *what, int features, int components,
                                  const float *mean, const float *directions,
                                  const float *eigenvalues, glnn_projection **out)
{
    const size_t length = (size_t)features, count = (size_t)components;
    GLNN__TRY(glnn__projection_create(ctx, what, features, components, out));
    memcpy((*out)->mean, mean, length * sizeof *mean);
    memcpy((*out)->directions, directions, count * length * sizeof *directions);
    memcpy((*out)->eigenvalues, eigenvalues, count * sizeof *eigenvalues);
    return glnn__projection_finish(what, out);
}

void glnn_projection_destroy(glnn_projection *projection)
{
    if (!projection)
        return;
    glnn_matrix_destroy(projection->shift);
    glnn_matrix_destroy(projection->weights);
    free(projection->mean);
    free(projection->directions);
    free(projection->eigenvalues);
    free(projection);
}

int glnn_projection_features(const glnn_projection *projection)
{
    return projection ? projection->features : 0;
}

int glnn_projection_components(const glnn_projection *projection)
{
    return projection ? projection->components : 0;
}

const float *glnn_projection_mean(const glnn_projection *projection)
{
    return projection ? projection->mean : NULL;
}

const float *glnn_projection_directions(const glnn_projection *projection)
{
    return projection ? projection->directions : NULL;
}

const float *glnn_projection_eigenvalues(const glnn_projection *projection)
{
    return projection ? projection->eigenvalues : NULL;
}

/* The samples of one part, and what they are projected to. */
typedef struct part {
    glnn_matrix *inputs;  /* rows x features   */
    glnn_matrix *outputs; /* rows x components */
    int rows;
} part;

static void destroy_part(part *of)
{
    glnn_matrix_destroy(of->inputs);
    glnn_matrix_destroy(of->outputs);
}

static glnn_status create_part(const glnn_projection *projection, int rows, part *out)
{
    *out = (part){.rows = rows < PART_ROWS ? rows : PART_ROWS};
    glnn_status status = glnn_matrix_create(
        projection->ctx,
        &(glnn_matrix_desc){.rows = out->rows, .columns = projection->features, .name = "samples"},
        &out->inputs);
    if (!status)
        status = glnn_matrix_create(projection->ctx,
                                    &(glnn_matrix_desc){.rows = out->rows,
                                                        .columns = projection->components,
                                                        .name = "projected"},
                                    &out->outputs);
    if (status)
        destroy_part(out);
    return status;
}

/* The mean comes off first: taken off the products, it would cost the digits that it has ahead of
 * the deviations. `centred` may be `samples`. */
static glnn_status project(const glnn_projection *projection, const glnn_matrix *samples,
                           glnn_matrix *centred, glnn_matrix *out)
{
    GLNN__TRY(glnn_binary_apply(projection->ctx, GLNN_BINARY_SUBTRACT, samples, projection->shift,
                                centred));
    return glnn_gemm(projection->ctx, &(glnn_gemm_desc){.transpose_b = true}, centred,
                     projection->weights, out);
}

static int rows_left(const part *of, int first, int rows)
{
    return rows - first < of->rows ? rows - first : of->rows;
}

static glnn_status project_array(const glnn_projection *projection, const part *of, int rows,
                                 const float *samples, float *out)
{
    const glnn_rect inputs = {0, 0, rows, projection->features};
    const glnn_rect outputs = {0, 0, rows, projection->components};
    GLNN__TRY(glnn_matrix_upload(projection->ctx, of->inputs, &inputs, samples, 0));
    GLNN__TRY(project(projection, of->inputs, of->inputs, of->outputs));
    return glnn_matrix_download(projection->ctx, of->outputs, &outputs, out, 0);
}

glnn_status glnn_projection_apply(const glnn_projection *projection, int rows, const float *samples,
                                  float *out)
{
    if (!projection || !samples || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_projection_apply: %s is null",
                          !projection ? "projection"
                          : !samples  ? "samples"
                                      : "out");
    if (rows < 1)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_projection_apply: %d rows, but there must be at least 1", rows);
    part of;
    GLNN__TRY(create_part(projection, rows, &of));
    glnn_status status = GLNN_OK;
    for (int first = 0; !status && first < rows; first += rows_left(&of, first, rows))
        status = project_array(projection, &of, rows_left(&of, first, rows),
                               samples + (size_t)first * (size_t)projection->features,
                               out + (size_t)first * (size_t)projection->components);
    destroy_part(&of);
    return status;
}

static glnn_status check_matrices(const glnn_projection *projection, const char *what,
                                  const glnn_matrix *samples, const glnn_matrix *out)
{
    if (!projection)
        return glnn__fail(GLNN_E_ARG, "%s: projection is null", what);
    GLNN__TRY(glnn__check_operand(projection->ctx, what, "samples", samples));
    GLNN__TRY(glnn__check_output(projection->ctx, what, "out", out));
    GLNN__TRY(glnn__check_shape(what, "samples", samples, samples->rows, projection->features));
    return glnn__check_shape(what, "out", out, samples->rows, projection->components);
}

static glnn_status project_rows(const glnn_projection *projection, const part *of, int first,
                                const glnn_matrix *samples, glnn_matrix *out)
{
    const int rows = rows_left(of, first, samples->rows);
    const glnn_rect inputs = {first, 0, rows, projection->features};
    const glnn_rect outputs = {0, 0, rows, projection->components};
    GLNN__TRY(glnn_copy_rect(projection->ctx, samples, &inputs, of->inputs, 0, 0));
    GLNN__TRY(project(projection, of->inputs, of->inputs, of->outputs));
    return glnn_copy_rect(projection->ctx, of->outputs, &outputs, out, first, 0);
}

glnn_status glnn_projection_apply_matrix(const glnn_projection *projection,
                                         const glnn_matrix *samples, glnn_matrix *out)
{
    GLNN__TRY(check_matrices(projection, __func__, samples, out));
    part of;
    GLNN__TRY(create_part(projection, samples->rows, &of));
    glnn_status status = GLNN_OK;
    if (samples->rows <= of.rows)
        status = project(projection, samples, of.inputs, out);
    else
        for (int first = 0; !status && first < samples->rows; first += of.rows)
            status = project_rows(projection, &of, first, samples, out);
    destroy_part(&of);
    return status;
}
