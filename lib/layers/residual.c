/* The residual layer: adds the output of an earlier layer to its input. */
#include "layers/layer_types.h"

#include "base/status.h"
#include "ops/map.h"
#include "pass/pass.h"

#include <stdio.h>

enum { ACTIVATION };

static const glnn__kernel residual_kernel = {
    .name = "layers/residual",
    .operands = {"X", "Y"},
    .options = {[ACTIVATION] = "ACTIVATION"},
    .enumerations = {glnn__map_enumerators},
};

/* The derivative of a map, times a delta. */
static const glnn__kernel slope_kernel = {
    .name = "layers/slope",
    .operands = {"D", "Y"},
    .options = {[ACTIVATION] = "ACTIVATION"},
    .enumerations = {glnn__map_enumerators},
};

static int source(const glnn__layer *layer)
{
    return layer->number - 1 - layer->desc.skip;
}

static glnn_shape source_shape(const glnn__layer *layer, const glnn__layer *layers)
{
    const int from = source(layer);
    return from < 0 ? layers[0].input : layers[from].out.shape;
}

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    const int skip = layer->desc.skip;
    if (skip < 1 || skip > layer->number)
        return glnn__fail(
            GLNN_E_ARG,
            "layer %d, which is residual, skips %d layers; it has to skip at least 1, "
            "and %d come before it",
            layer->number, skip, layer->number);
    const glnn_shape own = layer->input, other = source_shape(layer, layers);
    char whose[32] = "the input of the network";
    if (source(layer) >= 0)
        snprintf(whose, sizeof whose, "the output of layer %d", source(layer));
    if (own.channels != other.channels || own.height != other.height || own.width != other.width)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d adds %d channels of %d x %d, %s, to its input of %d channels "
                          "of %d x %d",
                          layer->number, other.channels, other.height, other.width, whose,
                          own.channels, own.height, own.width);
    layer->out.shape = own;
    return GLNN_OK;
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    const glnn__signal *other = glnn__flow_output(flow, source(layer));
    return glnn__pass_run(flow->ctx,
                          &(glnn__pass){
                              .kernel = &residual_kernel,
                              .operands = {{.matrix = input->values}, {.matrix = other->values}},
                              .output = layer->out.values,
                              .options = {[ACTIVATION] = layer->out.activation},
                          });
}

/* delta of a term of the sum = delta * f'(term) */
static glnn__pass slope_pass(const glnn__layer *layer, const glnn__signal *term)
{
    const bool is_curved = term->activation != GLNN_MAP_IDENTITY;
    return (glnn__pass){
        .kernel = &slope_kernel,
        .operands = {{.matrix = layer->out.delta}, {.matrix = is_curved ? term->values : NULL}},
        .output = term->delta,
        .options = {[ACTIVATION] = term->activation},
    };
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    const glnn__pass pass = slope_pass(layer, input);
    return glnn__pass_run(flow->ctx, &pass);
}

static glnn_status add_to_source(const glnn__flow *flow, const glnn__layer *layer,
                                 const glnn__signal *of)
{
    glnn__pass pass = slope_pass(layer, of);
    pass.blend = true;
    pass.blend_factor.f = 1;
    return glnn__pass_run(flow->ctx, &pass);
}

const glnn__layer_type glnn__residual_layer = {
    .uses = GLNN__LAYER_ACTIVATION | GLNN__LAYER_SKIP,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .source = source,
    .add_to_source = add_to_source,
};
