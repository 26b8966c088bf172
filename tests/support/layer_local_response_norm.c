/* The reference of local response normalisation. */
#include "layer_reference.h"

static int plane_of(const network_reference *net, int layer)
{
    const glnn_shape shape = network_reference_input(net, layer);
    return shape.height * shape.width;
}

static int channels_of(const network_reference *net, int layer)
{
    return network_reference_input(net, layer).channels;
}

static double share_of(const glnn_layer_desc *of)
{
    return (double)of->alpha / of->size;
}

/* k + alpha / size * the sum of the squares, for the number in a column. */
static bounded scale_at(const network_reference *net, int layer, const expected *in, int row,
                        int column)
{
    const glnn_layer_desc *of = &net->desc.layers[layer];
    const int plane = plane_of(net, layer), channel = column / plane;
    product_sum sum = {0};
    add_product(&sum, (bounded){(double)of->k, 0}, (bounded){1, 0});
    for (int c = channel - of->size / 2; c <= channel + (of->size - 1) / 2; ++c)
        if (c >= 0 && c < channels_of(net, layer)) {
            const bounded x = get_bounded(in, row, c * plane + column % plane);
            add_product(&sum, multiply(x, x), (bounded){share_of(of), EPS * share_of(of)});
        }
    return finish_sum(&sum, of->size + 1);
}

/* s^-exponent. The relative error of a power is that of its exponent of two. */
static bounded power(bounded scale, double exponent)
{
    const double value = pow(scale.value, -exponent);
    const double most = pow(fmax(scale.value - scale.bound, 1e-30), -exponent);
    const double digits = 64 * EPS * (1 + exponent * (1 + fabs(log2(scale.value))));
    return (bounded){value, most - value + digits * most};
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const double beta = (double)net->desc.layers[layer].beta;
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j)
            set_bounded(
                &out, i, j,
                multiply(get_bounded(in, i, j), power(scale_at(net, layer, in, i, j), beta)));
    return out;
}

/* Each number is in the scales of its neighbours: d y'/d x = -2 share beta x x'/s'^(beta + 1). */
static bounded delta_at(const network_reference *net, int layer, const expected *in,
                        const expected *delta, int row, int column)
{
    const glnn_layer_desc *of = &net->desc.layers[layer];
    const int plane = plane_of(net, layer), channel = column / plane;
    const double beta = (double)of->beta, factor = 2 * share_of(of) * beta;
    product_sum sum = {0}, ratios = {0};
    for (int c = channel - (of->size - 1) / 2; c <= channel + of->size / 2; ++c)
        if (c >= 0 && c < channels_of(net, layer)) {
            const int j = c * plane + column % plane;
            add_product(&ratios, multiply(get_bounded(delta, row, j), get_bounded(in, row, j)),
                        power(scale_at(net, layer, in, row, j), beta + 1));
        }
    add_product(&sum, get_bounded(delta, row, column),
                power(scale_at(net, layer, in, row, column), beta));
    add_product(&sum, multiply((bounded){-factor, 4 * EPS * factor}, get_bounded(in, row, column)),
                finish_sum(&ratios, of->size));
    return finish_sum(&sum, 2);
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j)
            set_bounded(&out, i, j, delta_at(net, layer, in, delta, i, j));
    return out;
}

/* Strong enough to be seen in every digit. */
const layer_reference local_response_norm_reference = {
    .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                .units = 6,
                .kernel = {1, 2},
                .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_LOCAL_RESPONSE_NORM,
                .size = 4,
                .alpha = 2.5f,
                .beta = 0.625f,
                .k = 0.5f}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};
