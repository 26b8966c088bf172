#include "layer_taps.h"

/* Sums that a visit adds to. */
typedef struct sums {
    product_sum *of;
    int columns, sample;
    const expected *left, *right; /* factors */
    array weights;
} sums;

static sums sums_new(int rows, int columns)
{
    sums s = {.of = calloc((size_t)rows * (size_t)columns, sizeof(product_sum)),
              .columns = columns};
    assert_non_null(s.of);
    return s;
}

/* The finished sums of `terms` summands. */
static expected sums_finish(const sums *s, int rows, int terms)
{
    expected out = expected_new(rows, s->columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < s->columns; ++j)
            set_bounded(&out, i, j, finish_sum(&s->of[i * s->columns + j], terms));
    free(s->of);
    return out;
}

static bounded weight_at(const sums *s, int line, int column)
{
    return (bounded){*at(s->weights, line, column), 0};
}

static void add_output(const tap *place, void *data)
{
    sums *s = data;
    add_product(&s->of[s->sample * s->columns + place->output],
                get_bounded(s->left, s->sample, place->input),
                weight_at(s, place->line, place->column));
}

static void add_biases(sums *s, int first, int plane)
{
    const int columns = s->weights.columns;
    for (int j = 0; j < s->columns; ++j)
        add_product(&s->of[s->sample * s->columns + j], (bounded){1, 0},
                    weight_at(s, first + j / plane / columns, j / plane % columns));
}

expected taps_forward(const network_reference *net, int layer, const expected *in, taps of)
{
    const glnn_shape shape = net->outputs[layer];
    const int count = in->value.rows, plane = shape.height * shape.width;
    sums s = sums_new(count, shape.channels * plane);
    s.left = in;
    s.weights = network_reference_weights(net, layer);
    for (s.sample = 0; s.sample < count; ++s.sample) {
        of.visit(net, layer, add_output, &s);
        add_biases(&s, of.first_bias, plane);
    }
    expected out = sums_finish(&s, count, of.forward_terms);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < out.value.columns; ++j)
            set_bounded(&out, i, j,
                        activate(network_reference_map(net, layer), get_bounded(&out, i, j)));
    return out;
}

static void add_input(const tap *place, void *data)
{
    sums *s = data;
    add_product(&s->of[s->sample * s->columns + place->input],
                get_bounded(s->left, s->sample, place->output),
                weight_at(s, place->line, place->column));
}

expected taps_backward(const network_reference *net, int layer, const expected *in,
                       const expected *delta, taps of)
{
    sums s = sums_new(in->value.rows, in->value.columns);
    s.left = delta;
    s.weights = network_reference_weights(net, layer);
    for (s.sample = 0; s.sample < in->value.rows; ++s.sample)
        of.visit(net, layer, add_input, &s);
    return sums_finish(&s, in->value.rows, of.backward_terms);
}

static void add_weight(const tap *place, void *data)
{
    sums *s = data;
    add_product(&s->of[place->line * s->columns + place->column],
                get_bounded(s->left, s->sample, place->input),
                get_bounded(s->right, s->sample, place->output));
}

expected taps_gradient(const network_reference *net, int layer, const expected *in,
                       const expected *delta, taps of)
{
    const glnn_shape shape = net->outputs[layer];
    const array parameters = net->parameters[layer].value;
    const int plane = shape.height * shape.width;
    sums s = sums_new(parameters.rows, parameters.columns);
    s.left = in;
    s.right = delta;
    for (s.sample = 0; s.sample < in->value.rows; ++s.sample) {
        of.visit(net, layer, add_weight, &s);
        for (int j = 0; j < delta->value.columns; ++j)
            add_product(&s.of[of.first_bias * s.columns + j / plane], (bounded){1, 0},
                        get_bounded(delta, s.sample, j));
    }
    return sums_finish(&s, parameters.rows, in->value.rows * plane + 2);
}

int tap_lines(int units)
{
    return (units + 3) / 4 * 4;
}

int tap_count(const network_reference *net, int layer)
{
    const glnn_size kernel = net->desc.layers[layer].kernel;
    return kernel.height * kernel.width;
}
