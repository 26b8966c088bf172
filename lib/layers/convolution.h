/* The convolution layer, as its files see it. */
#ifndef GLNN__LAYERS_CONVOLUTION_H
#define GLNN__LAYERS_CONVOLUTION_H

#include "layers/layer.h"

/* The channels of the input that a unit reads. */
static inline int glnn__convolution_channels(const glnn__layer *layer)
{
    return layer->input.channels / layer->desc.groups;
}

/* One direction of the images. */
typedef struct glnn__side {
    const char *name;
    int input, kernel, padding;
    int *stride, *dilation, *output;
} glnn__side;

/* Checks the numbers of kernel, stride, padding and dilation, and fills in their defaults. */
glnn_status glnn__convolution_find_sides(glnn__layer *layer, glnn__side out[2]);

/* The pixels from the first tap of a window to the last one, both included. */
int64_t glnn__side_reach(const glnn__side *side);

/* ---- convolution_window.c */

/* Whether the layer is computed without products, which need whole column groups of each group of
 * channels. */
bool glnn__convolution_is_direct(const glnn__layer *layer);

/* The windows of a layer as constants of shaders: of the input, or backward of the output. */
glnn__window glnn__convolution_window(const glnn__layer *layer, glnn__window_mode mode);

/* The passes of a layer whose input is flat. */
glnn_status glnn__convolution_flat_prepare(glnn_context *ctx, glnn__layer *layer, int samples);
glnn_status glnn__convolution_flat_forward(const glnn__flow *flow, const glnn__layer *layer,
                                           const glnn__signal *input);
glnn_status glnn__convolution_flat_gradient(const glnn__flow *flow, glnn__layer *layer,
                                            const glnn__signal *input, const glnn__sink *sink);

/* The passes of a layer with small groups, which compute each number by itself. They are those of a
 * layer type. */
glnn_status glnn__convolution_direct_prepare(glnn_context *ctx, glnn__layer *layer, int samples);
glnn_status glnn__convolution_direct_forward(const glnn__flow *flow, const glnn__layer *layer,
                                             const glnn__signal *input);
glnn_status glnn__convolution_direct_backward(const glnn__flow *flow, const glnn__layer *layer,
                                              const glnn__signal *input);
glnn_status glnn__convolution_direct_gradient(const glnn__flow *flow, glnn__layer *layer,
                                              const glnn__signal *input, const glnn__sink *sink);

#endif
