/* The reference of transposed convolutions. */
#include "layer_taps.h"

/* Visits all channels and units of a pixel of the input and a tap. */
static void visit_tap(const network_reference *net, int layer, int pixel, int t,
                      tap_visit_fn *visit, void *data)
{
    const glnn_layer_desc *d = &net->desc.layers[layer];
    const glnn_shape in = network_reference_input(net, layer), out = net->outputs[layer];
    const int y = pixel / in.width * d->stride.height - d->padding.height +
                  t / d->kernel.width * d->dilation.height;
    const int x = pixel % in.width * d->stride.width - d->padding.width +
                  t % d->kernel.width * d->dilation.width;
    if (y < 0 || y >= out.height || x < 0 || x >= out.width)
        return;
    for (int c = 0; c < in.channels; ++c)
        for (int u = 0; u < d->units; ++u)
            visit(&(tap){c * in.height * in.width + pixel, (u * out.height + y) * out.width + x,
                         t * tap_lines(d->units) + u, c},
                  data);
}

static void visit_all(const network_reference *net, int layer, tap_visit_fn *visit, void *data)
{
    const glnn_shape in = network_reference_input(net, layer);
    for (int pixel = 0; pixel < in.height * in.width; ++pixel)
        for (int t = 0; t < tap_count(net, layer); ++t)
            visit_tap(net, layer, pixel, t, visit, data);
}

/* Biases come one after the other in the rows after the weights. */
static taps taps_of(const network_reference *net, int layer)
{
    const int count = tap_count(net, layer);
    const int first_bias = count * tap_lines(net->desc.layers[layer].units);
    return (taps){visit_all, first_bias, count * (net->parameters[layer].value.columns + 3) + 1,
                  first_bias};
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    return taps_forward(net, layer, in, taps_of(net, layer));
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    return taps_backward(net, layer, in, delta, taps_of(net, layer));
}

static expected gradient(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    return taps_gradient(net, layer, in, delta, taps_of(net, layer));
}

/* More units than channels, whose biases take several rows; then fewer. */
const layer_reference transposed_convolution_reference = {
    .layers = {{.kind = GLNN_LAYER_TRANSPOSED_CONVOLUTION,
                .units = 5,
                .activation = GLNN_ACTIVATION_TANH,
                .kernel = {3, 2},
                .padding = {1, 0}},
               {.kind = GLNN_LAYER_TRANSPOSED_CONVOLUTION,
                .units = 3,
                .activation = GLNN_ACTIVATION_SIGMOID,
                .kernel = {3, 2},
                .stride = {2, 3},
                .padding = {0, 1},
                .dilation = {1, 2}}},
    .count = 2,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
};
