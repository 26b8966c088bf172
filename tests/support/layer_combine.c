/* The references of layers with several inputs. */
#include "layer_reference.h"

/* Input `number` of a layer, from its first one: all are in one list. */
static const expected *input_of(const network_reference *net, int layer, const expected *first,
                                int number)
{
    return first + network_reference_source(net, layer, number) -
           network_reference_source(net, layer, 0);
}

static bounded add(bounded x, bounded y)
{
    return (bounded){x.value + y.value, x.bound + y.bound + EPS * fabs(x.value + y.value)};
}

static expected combine(const network_reference *net, int layer, const expected *in,
                        bounded (*with)(bounded, bounded))
{
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j) {
            bounded all = get_bounded(in, i, j);
            for (int k = 1; network_reference_source(net, layer, k) >= -1; ++k)
                all = with(all, get_bounded(input_of(net, layer, in, k), i, j));
            set_bounded(&out, i, j, activate(network_reference_map(net, layer), all));
        }
    return out;
}

static expected sum(const network_reference *net, int layer, const expected *in)
{
    return combine(net, layer, in, add);
}

static expected product(const network_reference *net, int layer, const expected *in)
{
    return combine(net, layer, in, multiply);
}

static expected same(const network_reference *net, int layer, int number, const expected *in,
                     const expected *delta)
{
    (void)net, (void)layer, (void)number, (void)in;
    expected out = expected_new(delta->value.rows, delta->value.columns);
    for (int i = 0; i < delta->value.rows; ++i)
        for (int j = 0; j < delta->value.columns; ++j)
            set_bounded(&out, i, j, get_bounded(delta, i, j));
    return out;
}

static expected times_others(const network_reference *net, int layer, int number,
                             const expected *in, const expected *delta)
{
    expected out = same(net, layer, number, in, delta);
    for (int k = 0; network_reference_source(net, layer, k) >= -1; ++k)
        for (int i = 0; k != number && i < out.value.rows; ++i)
            for (int j = 0; j < out.value.columns; ++j)
                set_bounded(&out, i, j,
                            multiply(get_bounded(&out, i, j),
                                     get_bounded(input_of(net, layer, in, k), i, j)));
    return out;
}

/* Samples are rows of channels one after the other. */
static expected concatenation(const network_reference *net, int layer, const expected *in)
{
    const glnn_shape shape = network_reference_shape(net, layer);
    expected out = expected_new(in->value.rows, shape.channels * shape.height * shape.width);
    int column = 0;
    for (int k = 0; network_reference_source(net, layer, k) >= -1; ++k) {
        const expected *from = input_of(net, layer, in, k);
        for (int i = 0; i < from->value.rows; ++i)
            for (int j = 0; j < from->value.columns; ++j)
                set_bounded(&out, i, column + j, get_bounded(from, i, j));
        column += from->value.columns;
    }
    return out;
}

static expected part(const network_reference *net, int layer, int number, const expected *in,
                     const expected *delta)
{
    const expected *of = input_of(net, layer, in, number);
    expected out = expected_new(of->value.rows, of->value.columns);
    int column = 0;
    for (int k = 0; k < number; ++k)
        column += input_of(net, layer, in, k)->value.columns;
    for (int i = 0; i < of->value.rows; ++i)
        for (int j = 0; j < of->value.columns; ++j)
            set_bounded(&out, i, j, get_bounded(delta, i, column + j));
    return out;
}

#define TWO_INPUTS                                                                                 \
    {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},                           \
    {                                                                                              \
        .kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_SIGMOID                       \
    }

const layer_reference residual_reference = {
    .layers = {TWO_INPUTS,
               {.kind = GLNN_LAYER_RESIDUAL, .activation = GLNN_ACTIVATION_TANH, .skip = 1}},
    .count = 3,
    .forward = sum,
    .backward_to = same,
};

const layer_reference add_reference = {
    .layers = {TWO_INPUTS,
               {.kind = GLNN_LAYER_ADD, .activation = GLNN_ACTIVATION_TANH, .inputs = {1, 2, 3}}},
    .count = 3,
    .forward = sum,
    .backward_to = same,
};

const layer_reference multiply_reference = {
    .layers = {TWO_INPUTS,
               {.kind = GLNN_LAYER_MULTIPLY,
                .activation = GLNN_ACTIVATION_TANH,
                .inputs = {1, 2, 2, 3}}},
    .count = 3,
    .forward = product,
    .backward_to = times_others,
};

const layer_reference concatenate_reference = {
    .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                .units = 2,
                .kernel = {1, 1},
                .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_CONVOLUTION,
                .units = 3,
                .kernel = {3, 3},
                .padding = {1, 1},
                .inputs = {2},
                .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_CONVOLUTION,
                .units = 1,
                .kernel = {1, 1},
                .inputs = {2},
                .activation = GLNN_ACTIVATION_SIGMOID},
               {.kind = GLNN_LAYER_CONCATENATE, .inputs = {2, 1, 3}}},
    .count = 4,
    .forward = concatenation,
    .backward_to = part,
};

/* The first column of a slice in its input. */
static int column_of(const network_reference *net, int layer)
{
    const glnn_shape shape = network_reference_shape(net, layer);
    return net->desc.layers[layer].first * shape.height * shape.width;
}

static expected range(const network_reference *net, int layer, const expected *in)
{
    const glnn_shape shape = network_reference_shape(net, layer);
    expected out = expected_new(in->value.rows, shape.channels * shape.height * shape.width);
    for (int i = 0; i < out.value.rows; ++i)
        for (int j = 0; j < out.value.columns; ++j)
            set_bounded(&out, i, j, get_bounded(in, i, column_of(net, layer) + j));
    return out;
}

static expected range_of_zeros(const network_reference *net, int layer, int number,
                               const expected *in, const expected *delta)
{
    expected out = expected_new(in->value.rows, in->value.columns);
    (void)number;
    for (int i = 0; i < delta->value.rows; ++i)
        for (int j = 0; j < delta->value.columns; ++j)
            set_bounded(&out, i, column_of(net, layer) + j, get_bounded(delta, i, j));
    return out;
}

/* Two slices of one output that overlap, so that one delta adds to the other. */
const layer_reference slice_reference = {
    .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                .units = 11,
                .kernel = {1, 1},
                .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_SLICE, .units = 5, .first = 6},
               {.kind = GLNN_LAYER_SLICE, .units = 7, .first = 2, .inputs = {2}},
               {.kind = GLNN_LAYER_CONCATENATE, .inputs = {1, 2}},
               {.kind = GLNN_LAYER_SLICE, .units = 1, .first = 1}},
    .count = 5,
    .forward = range,
    .backward_to = range_of_zeros,
};
