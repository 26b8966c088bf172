/* The windows of a convolution. */
#include "layers/convolution.h"

#include "base/integers.h"

bool glnn__convolution_is_direct(const glnn__layer *layer)
{
    return layer->desc.groups > 1 && (glnn__convolution_channels(layer) % 4 > 0 ||
                                      layer->desc.units / layer->desc.groups % 4 > 0);
}

glnn__window glnn__convolution_window(const glnn__layer *layer, glnn__window_mode mode)
{
    const bool is_backward = mode == GLNN__WINDOW_BACKWARD;
    const glnn_layer_desc *desc = &layer->desc;
    const glnn_shape *from = is_backward ? &layer->out.shape : &layer->input;
    const glnn_shape *to = is_backward ? &layer->input : &layer->out.shape;
    const glnn__sides stride = {desc->stride.height, desc->stride.width};
    const glnn__sides dilation = {desc->dilation.height, desc->dilation.width};
    return (glnn__window){
        .mode = (int)mode,
        .image = {from->height, from->width},
        .grid = {to->height, to->width},
        .kernel = {desc->kernel.height, desc->kernel.width},
        .stride = stride,
        .padding = {desc->padding.height, desc->padding.width},
        .dilation = dilation,
        .period = glnn__window_period(stride, dilation),
        .groups = glnn__ceil_div(from->channels / desc->groups, 4),
        .columns = desc->groups > 1 && !glnn__convolution_is_direct(layer)
                       ? to->channels / desc->groups
                       : 0,
    };
}
