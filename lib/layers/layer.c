#include "layers/layer.h"

#include "base/status.h"
#include "device/trials.h"
#include "tex/matrices.h"

#include <glnn/copy.h>

#include <limits.h>
#include <stdio.h>

int glnn__shape_size(glnn_shape shape)
{
    const int64_t plane = (int64_t)shape.height * shape.width;
    if (shape.channels < 1 || shape.height < 1 || shape.width < 1 || plane >= INT_MAX ||
        plane * shape.channels >= INT_MAX)
        return 0;
    return (int)plane * shape.channels;
}

int glnn__signal_rows(const glnn__signal *signal)
{
    return signal->form == GLNN__PIXELS ? signal->shape.height * signal->shape.width : 1;
}

int glnn__signal_columns(const glnn__signal *signal)
{
    return glnn__shape_size(signal->shape) / glnn__signal_rows(signal);
}

const glnn__signal *glnn__flow_output(const glnn__flow *flow, int layer)
{
    while (layer >= 0 && flow->layers[layer].type->trains_only && !flow->trains)
        layer = flow->layers[layer].sources[0];
    return layer >= 0 ? &flow->layers[layer].out : flow->input;
}

bool glnn__layer_has_parameters(const glnn__layer *layer)
{
    return layer->parameter_shape.rows > 0;
}

bool glnn__layer_shares(const glnn__layer *layer)
{
    return layer->owner != layer->number;
}

int glnn__layer_parameter_rows(const glnn__layer *layer)
{
    return layer->parameter_shape.rows + layer->parameter_shape.has_biases;
}

const glnn_matrix *glnn__layer_weights(const glnn__layer *layer)
{
    return layer->parameters->copy ? layer->parameters->copy : layer->parameters->values;
}

glnn_status glnn__layer_create_parameters(glnn_context *ctx, glnn_layout layout,
                                          const glnn_optimizer *optimizer, glnn__layer *layer)
{
    const int rows = glnn__layer_parameter_rows(layer), columns = layer->parameter_shape.columns;
    glnn__parameters *of = &layer->own;
    const int states = glnn__optimizer_states(optimizer);
    const glnn__matrices list = {{
        {&of->values, layout, rows, columns, "weights"},
        {&of->states[0], layout, states > 0 ? rows : 0, columns, "state"},
        {&of->states[1], layout, states > 1 ? rows : 0, columns, "state"},
        {&of->states[2], layout, states > 2 ? rows : 0, columns, "state"},
    }};
    of->number = layer->number;
    if (optimizer->two_parts)
        GLNN__TRY(glnn__driver_expect(ctx, GLNN__PROPERTY_ROUNDING_ERRORS));
    GLNN__TRY(glnn__matrices_create(ctx, glnn__matrix_create_zero, &list));
    of->low = optimizer->two_parts ? of->states[states - 1] : NULL;
    return GLNN_OK;
}

glnn_status glnn__layer_create_copy(glnn_context *ctx, glnn__layer *layer)
{
    const glnn_matrix *values = layer->own.values;
    if (!values)
        return GLNN_OK;
    layer->is_stale = true;
    return glnn__matrix_create_undefined(ctx, values->layout, GLNN_STORAGE_FLOAT16, values->rows,
                                         values->columns, "copied weights", &layer->own.copy);
}

void glnn__layer_destroy_copy(glnn__layer *layer)
{
    glnn_matrix_destroy(layer->own.copy);
    layer->own.copy = NULL;
}

glnn_status glnn__layer_refresh_copy(glnn_context *ctx, glnn__layer *layer)
{
    if (!layer->own.copy || !layer->is_stale)
        return GLNN_OK;
    GLNN__TRY(glnn_copy(ctx, layer->own.values, layer->own.copy));
    layer->is_stale = false;
    return GLNN_OK;
}

void glnn__layer_visit(glnn__layer *layer, glnn__visitor *visitor)
{
    glnn__parameters *p = &layer->own;
    const int number = layer->number;
    glnn__visit_matrix(visitor, GLNN__ROLE_PARAMETER, number, p->values, p, "layers.%d.values",
                       number);
    for (int i = 0; i < GLNN__MAX_STATES; ++i)
        glnn__visit_matrix(visitor, p->states[i] == p->low ? GLNN__ROLE_ATTACHED : GLNN__ROLE_STATE,
                           number, p->states[i], NULL, "layers.%d.state.%d", number, i);
    glnn__visit_matrix(visitor, GLNN__ROLE_STATISTIC, number, layer->statistics, NULL,
                       "layers.%d.statistics", number);
}

glnn_status glnn__layer_check_turns(const glnn_context *ctx, const glnn__layer *layer,
                                    int64_t turns)
{
    enum { MOST = 65535 };
    if (!ctx->info.software || turns <= MOST)
        return GLNN_OK;
    return glnn__fail(GLNN_E_LIMIT,
                      "layer %d: %s takes %lld turns of loops for a block of 4 x 8 numbers, but a "
                      "software rasteriser ends loops after %d; smaller windows take fewer",
                      layer->number, glnn_layer_kind_name(layer->desc.kind), (long long)turns,
                      MOST);
}

glnn_status glnn__layer_forward(const glnn__flow *flow, const glnn__layer *layer,
                                const glnn__signal *input)
{
    const glnn__layer_type *type = layer->type;
    return type->forward ? type->forward(flow, layer, input)
                         : type->both_ways(flow, layer, input->values, NULL, GLNN_MAP_IDENTITY,
                                           layer->out.values);
}

glnn_status glnn__layer_backward(const glnn__flow *flow, const glnn__layer *layer,
                                 const glnn__signal *input)
{
    const glnn__layer_type *type = layer->type;
    const glnn_matrix *y = input->activation == GLNN_MAP_IDENTITY ? NULL : input->values;
    return type->backward
               ? type->backward(flow, layer, input)
               : type->both_ways(flow, layer, layer->out.delta, y, input->activation, input->delta);
}

void glnn__signal_empty(glnn__signal *signal)
{
    glnn__matrix_empty(signal->values);
    glnn_matrix_destroy(signal->delta);
    signal->delta = NULL;
}

void glnn__layer_destroy_batch(glnn__layer *layer)
{
    glnn__signal_empty(&layer->out);
    for (int w = 0; w < GLNN__LAYER_WORK; ++w) {
        glnn_matrix_destroy(layer->work[w]);
        layer->work[w] = NULL;
    }
}

void glnn__layer_destroy(glnn__layer *layer)
{
    glnn__layer_destroy_batch(layer);
    glnn_matrix_destroy(layer->out.values);
    glnn__parameters_destroy(&layer->own);
    for (int i = 0; i < 2; ++i)
        glnn_kernel_destroy(layer->functions[i]);
    glnn_matrix_destroy(layer->statistics);
    for (int c = 0; c < GLNN__LAYER_CONSTANTS; ++c)
        glnn_matrix_destroy(layer->constants[c]);
}
