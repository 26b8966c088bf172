/* The reference of layers of Gaussian error linear units. */
#include "layer_reference.h"

static double share_below(double x)
{
    return 0.5 * erfc(-x * sqrt(0.5));
}

/* The bound of glnn/layer.h; the derivative is at most 1.13. */
static bounded gelu(bounded x)
{
    return (bounded){x.value * share_below(x.value),
                     1.13 * x.bound + 64 * EPS * (1 + fabs(x.value))};
}

/* The second derivative is at most 0.8. */
static bounded gelu_slope(bounded x)
{
    const double density = exp(-x.value * x.value / 2) * 0.398942280401432678;
    return (bounded){share_below(x.value) + x.value * density,
                     0.8 * x.bound + 64 * EPS * (1 + fabs(x.value))};
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    (void)net, (void)layer;
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j)
            set_bounded(&out, i, j, gelu(get_bounded(in, i, j)));
    return out;
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    (void)net, (void)layer;
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j)
            set_bounded(&out, i, j,
                        multiply(get_bounded(delta, i, j), gelu_slope(get_bounded(in, i, j))));
    return out;
}

const layer_reference gelu_reference = {
    .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_GELU}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};
