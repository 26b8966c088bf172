/* The reference of dropout layers. */
#include "layer_reference.h"

#include "base/random.h"

/* The factor of element (sample, index): glnn/network.h, by Philox in the order of the library. */
static double drop_factor(const network_reference *net, int layer, int sample, int index)
{
    const float rate = net->desc.layers[layer].rate;
    const glnn_shape shape = net->outputs[layer];
    const int plane = net->forms[layer] == GLNN__PIXELS ? shape.height * shape.width : 1;
    const int row = sample * plane + index % plane, column = index / plane;
    const uint32_t counter[4] = {(uint32_t)row, (uint32_t)column / 4, (uint32_t)layer,
                                 (uint32_t)(net->steps + 1)};
    uint32_t words[4];
    glnn__philox(net->desc.seed, counter, words);
    const double drawn = (double)(words[column % 4] >> 8) * 0x1p-24;
    return drawn >= (double)rate ? 1 / (1 - (double)rate) : 0;
}

static bounded drop(const network_reference *net, int layer, int row, int column, bounded x)
{
    const double factor = net->trains ? drop_factor(net, layer, row, column) : 1;
    return (bounded){factor * x.value,
                     factor * x.bound + (net->trains ? 4 * EPS * fabs(factor * x.value) : 0)};
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j)
            set_bounded(&out, i, j, drop(net, layer, i, j, get_bounded(in, i, j)));
    return out;
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    (void)in;
    return forward(net, layer, delta);
}

const layer_reference dropout_reference = {
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_DROPOUT, .rate = 0.25f}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};
