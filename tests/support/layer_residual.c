/* The reference of residual layers. */
#include "layer_reference.h"

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const expected *other = in - net->desc.layers[layer].skip;
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j) {
            const bounded x = get_bounded(in, i, j), y = get_bounded(other, i, j);
            const bounded sum = {x.value + y.value,
                                 x.bound + y.bound + EPS * fabs(x.value + y.value)};
            set_bounded(&out, i, j, activate(network_reference_map(net, layer), sum));
        }
    return out;
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    (void)net, (void)layer, (void)in;
    expected out = expected_new(delta->value.rows, delta->value.columns);
    for (int i = 0; i < delta->value.rows; ++i)
        for (int j = 0; j < delta->value.columns; ++j)
            set_bounded(&out, i, j, get_bounded(delta, i, j));
    return out;
}

const layer_reference residual_reference = {
    .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_SIGMOID},
               {.kind = GLNN_LAYER_RESIDUAL, .activation = GLNN_ACTIVATION_TANH, .skip = 1}},
    .count = 3,
    .forward = forward,
    .backward = backward,
};
