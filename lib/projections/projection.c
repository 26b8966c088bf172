#include "projections/projection.h"

#include "base/log.h"
#include "base/status.h"
#include "ops/check.h"
#include "tex/matrices.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of samples that are projected at a time. */
#define PART_ROWS 1024

static glnn_status create(glnn_context *ctx, const char *what, int features, int components,
                          glnn_projection **out)
{
    size_t length = (size_t)features, count = (size_t)components;
    glnn_projection *made = *out = calloc(1, sizeof *made);
    if (made) {
        *made = (glnn_projection){.ctx = ctx, .features = features, .components = components};
        made->mean = malloc(length * sizeof(float));
        made->directions = malloc(count * length * sizeof(float));
        made->eigenvalues = malloc(count * sizeof(float));
    }
    if (made && made->mean && made->directions && made->eigenvalues)
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d components of %d features", what,
                      components, features);
}

static glnn_status check_finite(const char *what, const char *part, size_t count,
                                const float *values)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(values[i]))
            return glnn__fail(GLNN_E_FORMAT, "%s: number %zu of the %s is %g; it must be finite",
                              what, i, part, (double)values[i]);
    }
    return GLNN_OK;
}

static glnn_status upload(glnn_projection *projection, const char *name, int rows,
                          const float *data, glnn_matrix **out)
{
    return glnn__matrix_create(
        projection->ctx,
        &(glnn_matrix_desc){
            .rows = rows, .columns = projection->features, .data = data, .name = name},
        out);
}

/* Checks the arrays and copies them to the GPU. */
static glnn_status upload_all(const char *what, glnn_projection *projection)
{
    size_t features = (size_t)projection->features, components = (size_t)projection->components;
    GLNN__TRY(check_finite(what, "mean", features, projection->mean));
    GLNN__TRY(check_finite(what, "directions", components * features, projection->directions));
    GLNN__TRY(check_finite(what, "eigenvalues", components, projection->eigenvalues));
    GLNN__TRY(upload(projection, "mean", 1, projection->mean, &projection->shift));
    return upload(projection, "directions", projection->components, projection->directions,
                  &projection->weights);
}

static void report(void *self)
{
    const glnn_projection *projection = self;
    glnn__log(GLNN_LOG_WARNING,
              "glnn_context_destroy: a projection still exists: %d components of %d features",
              projection->components, projection->features);
}

/* Uploads the arrays of a projection, or destroys it if creating it failed. */
static glnn_status finish(const char *what, glnn_status status, glnn_projection **out)
{
    if (!status)
        status = upload_all(what, *out);
    if (!status) {
        glnn__object_add((*out)->ctx, &(*out)->object, report, *out);
        return GLNN_OK;
    }
    glnn_projection_destroy(*out);
    *out = NULL;
    return status;
}

glnn_status glnn__projection_from(glnn_context *ctx, const char *what, int features, int components,
                                  const float *mean, const float *directions,
                                  const float *eigenvalues, glnn_projection **out)
{
    const size_t length = (size_t)features, count = (size_t)components;
    const glnn_status status = create(ctx, what, features, components, out);
    if (!status) {
        memcpy((*out)->mean, mean, length * sizeof *mean);
        memcpy((*out)->directions, directions, count * length * sizeof *directions);
        memcpy((*out)->eigenvalues, eigenvalues, count * sizeof *eigenvalues);
    }
    return finish(what, status, out);
}

static void set_direction(size_t features, const double *direction, float *out)
{
    double greatest = 0;
    for (size_t j = 0; j < features; ++j)
        greatest = fabs(direction[j]) > fabs(greatest) ? direction[j] : greatest;
    for (size_t j = 0; j < features; ++j)
        out[j] = (float)(greatest < 0 ? -direction[j] : direction[j]);
}

glnn_status glnn__projection_fitted(glnn_context *ctx, const char *what, int features,
                                    int components, const double *mean, const double *directions,
                                    const double *eigenvalues, glnn_projection **out)
{
    const size_t length = (size_t)features, count = (size_t)components;
    const glnn_status status = create(ctx, what, features, components, out);
    for (size_t j = 0; j < length && !status; ++j)
        (*out)->mean[j] = (float)mean[j];
    for (size_t c = 0; c < count && !status; ++c) {
        (*out)->eigenvalues[c] = (float)eigenvalues[c];
        set_direction(length, directions + c * length, (*out)->directions + c * length);
    }
    return finish(what, status, out);
}

void glnn_projection_destroy(glnn_projection *projection)
{
    if (!projection)
        return;
    glnn__dependent_remove(&projection->object);
    glnn_matrix_destroy(projection->shift);
    glnn_matrix_destroy(projection->weights);
    free(projection->mean);
    free(projection->directions);
    free(projection->eigenvalues);
    free(projection);
}

int glnn_projection_get_features(const glnn_projection *projection)
{
    return projection ? projection->features : 0;
}

int glnn_projection_get_components(const glnn_projection *projection)
{
    return projection ? projection->components : 0;
}

const float *glnn_projection_get_mean(const glnn_projection *projection)
{
    return projection ? projection->mean : NULL;
}

const float *glnn_projection_get_directions(const glnn_projection *projection)
{
    return projection ? projection->directions : NULL;
}

const float *glnn_projection_get_eigenvalues(const glnn_projection *projection)
{
    return projection ? projection->eigenvalues : NULL;
}

/* Samples and their projections, in main memory or in matrices. */
typedef struct ends {
    int64_t rows;
    const float *inputs; /* NULL: both are matrices */
    float *outputs;
    const glnn_matrix *samples;
    glnn_matrix *projected;
} ends;

/* A part of the samples on the GPU. */
typedef struct part {
    int rows;
    glnn_matrix *inputs;  /* rows x features   */
    glnn_matrix *outputs; /* rows x components */
} part;

static glnn__matrices matrices_of(const glnn_projection *projection, part *of)
{
    const glnn_layout layout = GLNN_LAYOUT_AUTO;
    return (glnn__matrices){{
        {&of->inputs, layout, of->rows, projection->features, "samples"},
        {&of->outputs, layout, of->rows, projection->components, "projected"},
    }};
}

/* The mean is subtracted first. If it were subtracted from the products, digits would be lost when
 * it is larger than the deviations. `centred` may be `samples`. */
static glnn_status project(const glnn_projection *projection, const glnn_matrix *samples,
                           glnn_matrix *centred, glnn_matrix *out)
{
    GLNN__TRY(glnn_binary_apply(projection->ctx, GLNN_BINARY_SUBTRACT, samples, projection->shift,
                                centred));
    return glnn_gemm(projection->ctx, &(glnn_gemm_desc){.transpose_b = true}, 1, centred,
                     projection->weights, 0, out);
}

static glnn_status project_part(const glnn_projection *projection, const part *of, const ends *all,
                                int64_t first)
{
    const size_t row = (size_t)first;
    const int rows = all->rows - first < of->rows ? (int)(all->rows - first) : of->rows;
    const glnn_rect inputs = {0, 0, rows, projection->features};
    const glnn_rect samples = {(int)first, 0, rows, projection->features}; /* of a matrix */
    const glnn_rect outputs = {0, 0, rows, projection->components};
    glnn_context *ctx = projection->ctx;
    GLNN__TRY(all->inputs ? glnn_matrix_upload(ctx, of->inputs, &inputs,
                                               all->inputs + row * (size_t)projection->features, 0)
                          : glnn_copy_rect(ctx, all->samples, &samples, of->inputs, 0, 0));
    GLNN__TRY(project(projection, of->inputs, of->inputs, of->outputs));
    return all->inputs
               ? glnn_matrix_download(ctx, of->outputs, &outputs,
                                      all->outputs + row * (size_t)projection->components, 0)
               : glnn_copy_rect(ctx, of->outputs, &outputs, all->projected, (int)first, 0);
}

static glnn_status project_all(const glnn_projection *projection, const ends *all)
{
    part of = {.rows = all->rows < PART_ROWS ? (int)all->rows : PART_ROWS};
    const glnn__matrices matrices = matrices_of(projection, &of);
    GLNN__TRY(glnn__matrices_create(projection->ctx, glnn__matrix_create_zero, &matrices));
    glnn_status status = GLNN_OK;
    if (!all->inputs && all->rows == of.rows)
        status = project(projection, all->samples, of.inputs, all->projected);
    else
        for (int64_t first = 0; !status && first < all->rows; first += of.rows)
            status = project_part(projection, &of, all, first);
    glnn__matrices_destroy(&matrices);
    return status;
}

glnn_status glnn_projection_apply(const glnn_projection *projection, int64_t rows,
                                  const float *samples, float *out)
{
    GLNN__HELD(projection);
    GLNN__NOT_NULL(samples);
    GLNN__NOT_NULL(out);
    if (rows < 1)
        return glnn__fail(GLNN_E_ARG, "%s: `rows` is %" PRId64 "; it must be at least 1", __func__,
                          rows);
    return project_all(projection, &(ends){.rows = rows, .inputs = samples, .outputs = out});
}

static glnn_status check_matrices(const glnn_projection *projection, const char *what,
                                  const glnn_matrix *samples, const glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(projection->ctx, what, "samples", samples));
    GLNN__TRY(glnn__check_output(projection->ctx, what, "out", out));
    GLNN__TRY(glnn__check_shape(what, "samples", samples, samples->rows, projection->features));
    return glnn__check_shape(what, "out", out, samples->rows, projection->components);
}

glnn_status glnn_projection_apply_matrix(const glnn_projection *projection,
                                         const glnn_matrix *samples, glnn_matrix *out)
{
    GLNN__HELD(projection);
    GLNN__TRY(check_matrices(projection, __func__, samples, out));
    return project_all(projection,
                       &(ends){.rows = samples->rows, .samples = samples, .projected = out});
}
