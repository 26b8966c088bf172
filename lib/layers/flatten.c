/* Flattening, in which pixels in rows become samples in rows, and its reverse. */
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

/* ---- The reverse */

static glnn_status image_shape(glnn__layer *layer, const glnn__layer *layers)
{
    const glnn_shape *to = &layer->desc.shape;
    const int numbers = glnn__shape_size(layer->input);
    (void)layers;
    if (glnn__shape_size(*to) != numbers)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d: unflatten makes an image of %d x %d x %d, but its input has "
                          "%d numbers",
                          layer->number, to->channels, to->height, to->width, numbers);
    layer->out.shape = *to;
    return GLNN_OK;
}

static glnn_status to_image(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    return glnn__to_pixels(flow->ctx, input->values, layer->out.shape, layer->out.values);
}

static glnn_status from_image(const glnn__flow *flow, const glnn__layer *layer,
                              const glnn__signal *input)
{
    return glnn__to_flat_times(flow->ctx, layer->out.delta, layer->out.shape, input->activation,
                               input->values, input->delta);
}

/* ---- The types */

const glnn__layer_type glnn__flatten_layer = {
    .takes = GLNN__PIXELS,
    .gives = GLNN__FLAT,
    .shape = shape,
    .forward = forward,
    .backward = backward,
};

const glnn__layer_type glnn__unflatten_layer = {
    .uses = GLNN__LAYER_SHAPE,
    .takes = GLNN__FLAT,
    .gives = GLNN__PIXELS,
    .shape = image_shape,
    .forward = to_image,
    .backward = from_image,
};
