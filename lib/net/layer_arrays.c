#include "net/layer_arrays.h"

#include "base/status.h"

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

static glnn_status make_room(const glnn__layer *layer, float **out)
{
    const size_t count = glnn__layer_parameter_count(layer);
    *out = calloc(count, sizeof **out);
    return *out ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu parameters", count);
}

glnn_status glnn__layer_download(glnn_context *ctx, const glnn__layer *layer, float *const *values)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    float *matrix;
    GLNN__TRY(make_room(layer, &matrix));
    const glnn_status status = glnn_matrix_download(ctx, layer->parameters.values, NULL, matrix, 0);
    for (int a = 0; a < of.count && !status; ++a)
        for (size_t i = 0; i < glnn__layer_array_length(&of.list[a]); ++i)
            values[a][i] = matrix[place_of(&of.list[a], i)];
    free(matrix);
    return status;
}

glnn_status glnn__layer_upload(glnn_context *ctx, const glnn_tensor *values, glnn__layer *layer)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    float *matrix;
    GLNN__TRY(make_room(layer, &matrix));
    for (int a = 0; a < of.count; ++a)
        for (size_t i = 0; i < glnn__layer_array_length(&of.list[a]); ++i)
            matrix[place_of(&of.list[a], i)] = values[a].data[i];
    layer->is_stale = true;
    const glnn_status status = glnn_matrix_upload(ctx, layer->parameters.values, NULL, matrix, 0);
    free(matrix);
    return status;
}
