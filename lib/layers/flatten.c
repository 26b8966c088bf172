/* The flatten layer: pixels in rows become samples in rows. */
#include "layers/layer_types.h"
#include "layers/pixels.h"

#include "base/status.h"

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    (void)layers;
    layer->out.shape = (glnn_shape){glnn__shape_size(layer->input), 1, 1};
    return GLNN_OK;
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    return glnn__to_flat(flow->ctx, input->values, layer->input, layer->out.values);
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    return glnn__to_pixels_times(flow->ctx, layer->out.delta, layer->input, input->activation,
                                 input->values, input->delta);
}

const glnn__layer_type glnn__flatten_layer = {
    .takes = GLNN__PIXELS,
    .gives = GLNN__FLAT,
    .shape = shape,
    .forward = forward,
    .backward = backward,
};
