/* The reference of convolutions. Samples are flat: ordered by channel, then by row, then by
 * column. */
#include "layer_reference.h"

/* The places that a convolution multiplies: a tap of the window of an output, in a channel of the
 * output's group. */
typedef struct place {
    int unit, output; /* unit and column of the output  */
    int input;        /* column of the input            */
    int line;         /* row of the parameters          */
} place;

typedef void visit_fn(const place *at, void *data);

static glnn_shape input_of(const network_reference *net, int layer)
{
    return network_reference_input(net, layer);
}

static bool is_inside(glnn_shape shape, int y, int x)
{
    return y >= 0 && y < shape.height && x >= 0 && x < shape.width;
}

/* Visits the taps of the windows at (y, x) of all units. */
static void visit_windows(const network_reference *net, int layer, int y, int x, visit_fn *visit,
                          void *data)
{
    const glnn_layer_desc *d = &net->desc.layers[layer];
    const glnn_shape in = input_of(net, layer), out = net->outputs[layer];
    const int channels = in.channels / d->groups, units = d->units / d->groups;
    for (int tap = 0; tap < d->kernel.height * d->kernel.width; ++tap) {
        const int row =
            y * d->stride.height - d->padding.height + tap / d->kernel.width * d->dilation.height;
        const int column =
            x * d->stride.width - d->padding.width + tap % d->kernel.width * d->dilation.width;
        for (int c = 0; is_inside(in, row, column) && c < channels; ++c)
            for (int u = 0; u < d->units; ++u)
                visit(&(place){u, (u * out.height + y) * out.width + x,
                               ((u / units * channels + c) * in.height + row) * in.width + column,
                               tap * ((channels + 3) / 4 * 4) + c},
                      data);
    }
}

static void visit_all(const network_reference *net, int layer, visit_fn *visit, void *data)
{
    const glnn_shape out = net->outputs[layer];
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
            visit_windows(net, layer, y, x, visit, data);
}

/* Sums that a visit adds to. */
typedef struct sums {
    product_sum *of;
    int columns, sample;
    const expected *left, *right; /* factors */
    array weights;
} sums;

static sums sums_new(int rows, int columns)
{
    const size_t size = (size_t)rows * (size_t)columns * sizeof(product_sum);
    sums s = {.of = malloc(size), .columns = columns};
    assert_non_null(s.of);
    memset(s.of, 0, size);
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

static void add_output(const place *at_, void *data)
{
    sums *s = data;
    add_product(&s->of[s->sample * s->columns + at_->output],
                get_bounded(s->left, s->sample, at_->input),
                (bounded){*at(s->weights, at_->line, at_->unit), 0});
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const glnn_shape shape = net->outputs[layer];
    const int count = in->value.rows, plane = shape.height * shape.width;
    const array w = network_reference_weights(net, layer);
    sums s = sums_new(count, shape.channels * plane);
    s.left = in;
    s.weights = w;
    for (s.sample = 0; s.sample < count; ++s.sample) {
        visit_all(net, layer, add_output, &s);
        for (int j = 0; j < s.columns; ++j)
            add_product(&s.of[s.sample * s.columns + j], (bounded){1, 0},
                        (bounded){*at(w, w.rows - 1, j / plane), 0});
    }
    expected out = sums_finish(&s, count, w.rows);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < out.value.columns; ++j)
            set_bounded(&out, i, j,
                        activate(network_reference_map(net, layer), get_bounded(&out, i, j)));
    return out;
}

static void add_input(const place *at_, void *data)
{
    sums *s = data;
    add_product(&s->of[s->sample * s->columns + at_->input],
                get_bounded(s->left, s->sample, at_->output),
                (bounded){*at(s->weights, at_->line, at_->unit), 0});
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const glnn_layer_desc *d = &net->desc.layers[layer];
    sums s = sums_new(in->value.rows, in->value.columns);
    s.left = delta;
    s.weights = network_reference_weights(net, layer);
    for (s.sample = 0; s.sample < in->value.rows; ++s.sample)
        visit_all(net, layer, add_input, &s);
    return sums_finish(&s, in->value.rows,
                       d->kernel.height * d->kernel.width * ((d->units + 3) / 4 * 4));
}

static void add_weight(const place *at_, void *data)
{
    sums *s = data;
    add_product(&s->of[at_->line * s->columns + at_->unit],
                get_bounded(s->left, s->sample, at_->input),
                get_bounded(s->right, s->sample, at_->output));
}

static expected gradient(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const glnn_shape shape = net->outputs[layer];
    const int rows = net->parameters[layer].value.rows, plane = shape.height * shape.width;
    sums s = sums_new(rows, shape.channels);
    s.left = in;
    s.right = delta;
    for (s.sample = 0; s.sample < in->value.rows; ++s.sample) {
        visit_all(net, layer, add_weight, &s);
        for (int j = 0; j < delta->value.columns; ++j)
            add_product(&s.of[(rows - 1) * s.columns + j / plane], (bounded){1, 0},
                        get_bounded(delta, s.sample, j));
    }
    return sums_finish(&s, rows, in->value.rows * plane + 2);
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
