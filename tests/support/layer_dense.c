/* The reference of dense layers. */
#include "layer_reference.h"

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const array w = network_reference_weights(net, layer);
    const int inputs = w.rows - 1, units = w.columns;
    expected out = expected_new(in->value.rows, units);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < units; ++j) {
            product_sum sum = {0};
            for (int p = 0; p < inputs; ++p)
                add_product(&sum, get_bounded(in, i, p), (bounded){*at(w, p, j), 0});
            add_product(&sum, (bounded){1, 0}, (bounded){*at(w, inputs, j), 0});
            set_bounded(&out, i, j,
                        activate(network_reference_map(net, layer), finish_sum(&sum, inputs + 1)));
        }
    return out;
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const array w = network_reference_weights(net, layer);
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int p = 0; p < in->value.columns; ++p) {
            product_sum sum = {0};
            for (int j = 0; j < w.columns; ++j)
                add_product(&sum, get_bounded(delta, i, j), (bounded){*at(w, p, j), 0});
            set_bounded(&out, i, p, finish_sum(&sum, w.columns));
        }
    return out;
}

static expected gradient(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    (void)net, (void)layer;
    const int count = in->value.rows, inputs = in->value.columns;
    expected out = expected_new(inputs + 1, delta->value.columns);
    for (int p = 0; p <= inputs; ++p)
        for (int j = 0; j < delta->value.columns; ++j) {
            product_sum sum = {0};
            for (int i = 0; i < count; ++i)
                add_product(&sum, p < inputs ? get_bounded(in, i, p) : (bounded){1, 0},
                            get_bounded(delta, i, j));
            set_bounded(&out, p, j, finish_sum(&sum, count + 2));
        }
    return out;
}

const layer_reference dense_reference = {
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH},
               {.units = 5, .activation = GLNN_ACTIVATION_SCALED_TANH}},
    .count = 2,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
};
