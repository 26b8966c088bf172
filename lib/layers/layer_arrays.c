#include "layers/layer_arrays.h"

#include "base/status.h"
#include "tex/matrix.h"

#include <stdlib.h>

glnn__layer_arrays glnn__layer_list_arrays(const glnn__layer *layer)
{
    glnn__layer_arrays of = {.count = 0};
    if (layer->type->arrays)
        of.count = layer->type->arrays(layer, of.list);
    return of;
}

size_t glnn__layer_array_length(const glnn__layer_array *array)
{
    size_t length = 1;
    for (int d = 0; d < array->dimensions; ++d)
        length *= array->shape[d];
    return length;
}

size_t glnn__layer_parameter_count(const glnn__layer *layer)
{
    return (size_t)glnn__layer_parameter_rows(layer) * (size_t)layer->parameter_shape.columns;
}

int glnn__layer_module_count(const glnn__layer *layer)
{
    const bool has_activation = layer->type->uses & GLNN__LAYER_ACTIVATION &&
                                layer->desc.activation != GLNN_ACTIVATION_IDENTITY;
    return 1 + has_activation;
}

/* Element `index` of an array, as one of the matrix. */
static size_t place_of(const glnn__layer_array *array, size_t index)
{
    size_t place = array->first;
    for (int d = array->dimensions - 1; d >= 0; --d) {
        place += index % array->shape[d] * array->stride[d];
        index /= array->shape[d];
    }
    return place;
}

/* The matrix that arrays of parameters, or of statistics, are parts of; NULL: there is none. Only
 * some rows of the statistics are kept. */
static glnn_matrix *matrix_of(const glnn__layer *layer, bool statistics, glnn_rect *rect)
{
    glnn_matrix *matrix = statistics ? layer->statistics : layer->parameters.values;
    if (matrix)
        *rect =
            (glnn_rect){0, 0, statistics ? GLNN__KEPT_STATISTICS : matrix->rows, matrix->columns};
    return matrix;
}

static glnn_status make_room(const glnn_rect *rect, float **out)
{
    const size_t count = (size_t)rect->rows * (size_t)rect->columns;
    *out = calloc(count, sizeof **out);
    return *out ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu parameters", count);
}

/* Between arrays and the elements of their matrix. */
static void gather(const glnn__layer_array *array, const float *matrix, float *values)
{
    for (size_t i = 0; i < glnn__layer_array_length(array); ++i)
        values[i] = matrix[place_of(array, i)];
}

static void scatter(const glnn__layer_array *array, const float *values, float *matrix)
{
    for (size_t i = 0; i < glnn__layer_array_length(array); ++i)
        matrix[place_of(array, i)] = values[i];
}

static glnn_status download(glnn_context *ctx, const glnn__layer *layer, bool statistics,
                            float *const *values)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    glnn_rect rect;
    const glnn_matrix *matrix = matrix_of(layer, statistics, &rect);
    float *elements;
    if (!matrix)
        return GLNN_OK;
    GLNN__TRY(make_room(&rect, &elements));
    const glnn_status status = glnn_matrix_download(ctx, matrix, &rect, elements, 0);
    for (int a = 0; a < of.count && !status; ++a)
        if (of.list[a].is_statistic == statistics)
            gather(&of.list[a], elements, values[a]);
    free(elements);
    return status;
}

static glnn_status upload(glnn_context *ctx, const glnn__layer *layer, bool statistics,
                          const glnn_tensor *values)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    glnn_rect rect;
    glnn_matrix *matrix = matrix_of(layer, statistics, &rect);
    float *elements;
    if (!matrix)
        return GLNN_OK;
    GLNN__TRY(make_room(&rect, &elements));
    for (int a = 0; a < of.count; ++a)
        if (of.list[a].is_statistic == statistics)
            scatter(&of.list[a], values[a].data, elements);
    const glnn_status status = glnn_matrix_upload(ctx, matrix, &rect, elements, 0);
    free(elements);
    return status;
}

glnn_status glnn__layer_download(glnn_context *ctx, const glnn__layer *layer, float *const *values)
{
    GLNN__TRY(download(ctx, layer, false, values));
    return download(ctx, layer, true, values);
}

glnn_status glnn__layer_upload(glnn_context *ctx, const glnn_tensor *values, glnn__layer *layer)
{
    layer->is_stale = true;
    GLNN__TRY(upload(ctx, layer, false, values));
    return upload(ctx, layer, true, values);
}
