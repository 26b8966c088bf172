#include "layers/layer_arrays.h"

#include "base/status.h"
#include "tex/matrix.h"

#include <glnn/map.h>

#include <stdlib.h>

glnn__layer_arrays glnn__layer_list_arrays(const glnn__layer *layer)
{
    glnn__layer_arrays of = {.count = 0};
    if (layer->type->arrays && !glnn__layer_shares(layer))
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
        size_t i = index % array->shape[d];
        if (d == 0 && array->block > 0)
            i = i / array->block * array->pitch + i % array->block;
        place += i * array->stride[d];
        index /= array->shape[d];
    }
    return place;
}

/* The matrix that an array is a part of, and its rows that have the elements; no other array has
 * some of these rows. */
static glnn_matrix *matrix_of(const glnn__layer *layer, const glnn__layer_array *array,
                              glnn_rect *rect)
{
    glnn_matrix *matrix = array->is_statistic ? layer->statistics : layer->parameters->values;
    const size_t columns = (size_t)matrix->columns;
    const size_t last = place_of(array, glnn__layer_array_length(array) - 1);
    const int first = (int)(array->first / columns);
    *rect = (glnn_rect){first, 0, (int)(last / columns) - first + 1, matrix->columns};
    return matrix;
}

static glnn_status make_room(const glnn_rect *rect, float **out)
{
    const size_t count = (size_t)rect->rows * (size_t)rect->columns;
    *out = calloc(count, sizeof **out);
    return *out ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu parameters", count);
}

static size_t start_of(const glnn_rect *rect)
{
    return (size_t)rect->row * (size_t)rect->columns;
}

static glnn_status read_array(glnn_context *ctx, const glnn__layer *layer,
                              const glnn__layer_array *array, float *values)
{
    glnn_rect rect;
    const glnn_matrix *matrix = matrix_of(layer, array, &rect);
    float *elements;
    GLNN__TRY(make_room(&rect, &elements));
    const glnn_status status = glnn_matrix_download(ctx, matrix, &rect, elements, 0);
    for (size_t i = 0; i < glnn__layer_array_length(array); ++i)
        values[i] = elements[place_of(array, i) - start_of(&rect)];
    free(elements);
    return status;
}

/* The low digits of the elements become 0. */
static glnn_status write_array(glnn_context *ctx, const glnn__layer *layer,
                               const glnn__layer_array *array, const float *values)
{
    glnn_rect rect;
    glnn_matrix *matrix = matrix_of(layer, array, &rect);
    glnn_matrix *low = array->is_statistic ? NULL : layer->parameters->low;
    float *elements;
    GLNN__TRY(make_room(&rect, &elements));
    glnn_status status = low ? glnn_matrix_upload(ctx, low, &rect, elements, 0) : GLNN_OK;
    for (size_t i = 0; i < glnn__layer_array_length(array); ++i)
        elements[place_of(array, i) - start_of(&rect)] = values[i];
    if (!status)
        status = glnn_matrix_upload(ctx, matrix, &rect, elements, 0);
    free(elements);
    return status;
}

glnn__tensor_place glnn__layer_place(const glnn__layer *layer, int number)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    glnn_rect rect;
    if (number >= of.count)
        return (glnn__tensor_place){GLNN__ROLE_STATE, layer->number,
                                    layer->parameters->states[number - of.count]};
    const glnn__layer_array *array = &of.list[number];
    return (glnn__tensor_place){array->is_statistic ? GLNN__ROLE_STATISTIC : GLNN__ROLE_PARAMETER,
                                layer->number, matrix_of(layer, array, &rect)};
}

glnn_status glnn__layer_read(glnn_context *ctx, const glnn__layer *layer, int number, float *values)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    return number < of.count
               ? read_array(ctx, layer, &of.list[number], values)
               : glnn_matrix_download(ctx, layer->parameters->states[number - of.count], NULL,
                                      values, 0);
}

glnn_status glnn__layer_write(glnn_context *ctx, const glnn__layer *layer, int number,
                              const float *values)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    if (number < of.count)
        return write_array(ctx, layer, &of.list[number], values);
    glnn_matrix *state = layer->parameters->states[number - of.count];
    return values ? glnn_matrix_upload(ctx, state, NULL, values, 0) : glnn_fill(ctx, 0, state);
}

glnn_status glnn__layer_check(const glnn__layer *layer, int number, const float *values)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    if (number >= of.count || !of.list[number].is_positive)
        return GLNN_OK;
    for (size_t i = 0; i < glnn__layer_array_length(&of.list[number]); ++i)
        if (values[i] < 0)
            return glnn__fail(
                GLNN_E_ARG, "has a running variance of %g for channel %zu; it must not be negative",
                (double)values[i], i);
    return GLNN_OK;
}

glnn_status glnn__layer_download(glnn_context *ctx, const glnn__layer *layer, float *const *values)
{
    const int count = glnn__layer_list_arrays(layer).count;
    for (int a = 0; a < count; ++a)
        GLNN__TRY(glnn__layer_read(ctx, layer, a, values[a]));
    return GLNN_OK;
}
