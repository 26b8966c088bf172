/* The dropout layer: inverted dropout. The mask is drawn anew from its counter in the backward pass,
 * which costs less than reading it would. */
#include "net/layer_types.h"

#include "base/status.h"
#include "pass/pass.h"

static glnn_status shape(glnn__layer *layer)
{
    if (!(layer->desc.rate > 0 && layer->desc.rate < 1))
        return glnn__fail(GLNN_E_ARG, "layer %d drops at a rate of %g; it has to be in (0, 1)",
                          layer->number, (double)layer->desc.rate);
    layer->output = layer->input;
    return GLNN_OK;
}

/* out = what the mask leaves of x, times f'(y) where y is given */
static glnn_status run(const glnn__flow *flow, const glnn__layer *layer, const glnn_matrix *x,
                       const glnn_matrix *y, glnn_map activation, glnn_matrix *out)
{
    const float rate = layer->desc.rate;
    return glnn__pass_run(
        flow->ctx, &(glnn__pass){
                       .kernel = GLNN__KERNEL_DROPOUT,
                       .operands = {{.matrix = x}, {.matrix = y}},
                       .output = out,
                       .options = {activation},
                       .scalars = {rate, 1 / (1 - rate)},
                       .integers = {(int)(uint32_t)flow->seed, (int)(uint32_t)(flow->seed >> 32),
                                    layer->number, (int)(uint32_t)flow->step, flow->first},
                   });
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    return run(flow, layer, input->values, NULL, GLNN_MAP_IDENTITY, layer->out.values);
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    const glnn_matrix *y = input->activation == GLNN_MAP_IDENTITY ? NULL : input->values;
    return run(flow, layer, layer->out.delta, y, input->activation, input->delta);
}

const glnn__layer_type glnn__dropout_layer = {
    .name = "dropout",
    .uses = GLNN__LAYER_RATE,
    .trains_only = true,
    .shape = shape,
    .forward = forward,
    .backward = backward,
};
