/* The reference of convolutions. */
#include "layer_taps.h"

static bool is_inside(glnn_shape shape, int y, int x)
{
    return y >= 0 && y < shape.height && x >= 0 && x < shape.width;
}

/* Visits the taps of the windows at (y, x) of all units, in the channels of the unit's group. */
static void visit_windows(const network_reference *net, int layer, int y, int x,
                          tap_visit_fn *visit, void *data)
{
    const glnn_layer_desc *d = &net->desc.layers[layer];
    const glnn_shape in = network_reference_input(net, layer), out = net->outputs[layer];
    const int channels = in.channels / d->groups, units = d->units / d->groups;
    for (int t = 0; t < tap_count(net, layer); ++t) {
        const int row =
            y * d->stride.height - d->padding.height + t / d->kernel.width * d->dilation.height;
        const int column =
            x * d->stride.width - d->padding.width + t % d->kernel.width * d->dilation.width;
        for (int c = 0; is_inside(in, row, column) && c < channels; ++c)
            for (int u = 0; u < d->units; ++u)
                visit(&(tap){((u / units * channels + c) * in.height + row) * in.width + column,
                             (u * out.height + y) * out.width + x, t * tap_lines(channels) + c, u},
                      data);
    }
}

static void visit_all(const network_reference *net, int layer, tap_visit_fn *visit, void *data)
{
    const glnn_shape out = net->outputs[layer];
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
            visit_windows(net, layer, y, x, visit, data);
}

static taps taps_of(const network_reference *net, int layer)
{
    const int rows = net->parameters[layer].value.rows;
    return (taps){visit_all, rows - 1, rows,
                  tap_count(net, layer) * tap_lines(net->desc.layers[layer].units)};
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

/* The second one has as many channels a group as units, the last one turns the image into one
 * pixel. */
const layer_reference convolution_reference = {
    .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                .units = 6,
                .activation = GLNN_ACTIVATION_TANH,
                .kernel = {3, 2},
                .padding = {1, 1},
                .dilation = {1, 2}},
               {.kind = GLNN_LAYER_CONVOLUTION,
                .units = 4,
                .activation = GLNN_ACTIVATION_SIGMOID,
                .kernel = {2, 3},
                .stride = {2, 1},
                .dilation = {1, 2},
                .padding = {0, 2},
                .groups = 2},
               {.kind = GLNN_LAYER_CONVOLUTION,
                .units = 3,
                .activation = GLNN_ACTIVATION_SCALED_TANH,
                .kernel = {2, 3},
                .stride = {4, 9}}},
    .count = 3,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
};
