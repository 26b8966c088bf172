/* The reference of upsampling. */
#include "layer_reference.h"

/* The column of the input that a column of the output has. */
static int source_of(const network_reference *net, int layer, int column)
{
    const glnn_size by = net->desc.layers[layer].stride;
    const glnn_shape from = network_reference_input(net, layer), to = net->outputs[layer];
    const int x = column % to.width, line = column / to.width;
    return (line / to.height * from.height + line % to.height / by.height) * from.width +
           x / by.width;
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const glnn_shape to = net->outputs[layer];
    expected out = expected_new(in->value.rows, to.channels * to.height * to.width);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < out.value.columns; ++j)
            set_bounded(&out, i, j, get_bounded(in, i, source_of(net, layer, j)));
    return out;
}

/* Each delta is rounded at most as often as the sum has terms. */
static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const glnn_size by = net->desc.layers[layer].stride;
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < delta->value.rows; ++i)
        for (int j = 0; j < delta->value.columns; ++j) {
            const bounded d = get_bounded(delta, i, j);
            const int to = source_of(net, layer, j);
            *at(out.value, i, to) += d.value;
            *at(out.bound, i, to) += d.bound + (by.height * by.width + 1) * EPS * fabs(d.value);
        }
    return out;
}

const layer_reference upsample_reference = {
    .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_UPSAMPLE, .stride = {2, 3}}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};
