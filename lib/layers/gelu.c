/* The layer of Gaussian error linear units. Activations have their derivatives from the result, but
 * that of these units follows from x alone. So they are a layer, whose input is kept like that of
 * any. */
#include "layers/layer_types.h"

#include "base/status.h"
#include "ops/map.h"
#include "pass/pass.h"

enum { ACTIVATION };

static const glnn__kernel gelu_kernel = {
    .name = "layers/gelu",
    .operands = {"X", "DY"},
    .options = {[ACTIVATION] = "ACTIVATION"},
    .enumerations = {glnn__map_enumerators},
};

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    (void)layers;
    layer->out.shape = layer->input;
    return GLNN_OK;
}

static glnn_status run(const glnn__flow *flow, const glnn__signal *input, const glnn_matrix *dy,
                       glnn_matrix *out)
{
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &gelu_kernel,
                                         .operands = {{.matrix = input->values}, {.matrix = dy}},
                                         .output = out,
                                         .options = {[ACTIVATION] = input->activation},
                                     });
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    return run(flow, input, NULL, layer->out.values);
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    return run(flow, input, layer->out.delta, input->delta);
}

const glnn__layer_type glnn__gelu_layer = {
    .shape = shape,
    .forward = forward,
    .backward = backward,
};
