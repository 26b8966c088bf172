/* The reference of transposed convolutions. Samples are flat: ordered by channel, then by row, then
 * by column. */
#include "layer_reference.h"

/* A pixel of the input, and the tap by which it adds to a pixel of the output. */
typedef struct place {
    int channel, unit;
    int input, output; /* columns of the samples */
    int line;          /* row of the parameters  */
} place;

typedef void visit_fn(const place *at, void *data);

/* Visits all channels and units of a pixel of the input and a tap. */
static void visit_tap(const network_reference *net, int layer, int pixel, int tap, visit_fn *visit,
                      void *data)
{
    const glnn_layer_desc *d = &net->desc.layers[layer];
    const glnn_shape in = network_reference_input(net, layer), out = net->outputs[layer];
    const int y = pixel / in.width * d->stride.height - d->padding.height +
                  tap / d->kernel.width * d->dilation.height;
    const int x = pixel % in.width * d->stride.width - d->padding.width +
                  tap % d->kernel.width * d->dilation.width;
    if (y < 0 || y >= out.height || x < 0 || x >= out.width)
        return;
    for (int c = 0; c < in.channels; ++c)
        for (int u = 0; u < d->units; ++u)
            visit(&(place){c, u, c * in.height * in.width + pixel,
                           (u * out.height + y) * out.width + x,
                           tap * ((d->units + 3) / 4 * 4) + u},
                  data);
}

static int tap_count(const network_reference *net, int layer)
{
    return net->desc.layers[layer].kernel.height * net->desc.layers[layer].kernel.width;
}

static void visit_all(const network_reference *net, int layer, visit_fn *visit, void *data)
{
    const glnn_shape in = network_reference_input(net, layer);
    for (int pixel = 0; pixel < in.height * in.width; ++pixel)
        for (int tap = 0; tap < tap_count(net, layer); ++tap)
            visit_tap(net, layer, pixel, tap, visit, data);
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
    sums s = {.of = calloc((size_t)rows * (size_t)columns, sizeof(product_sum)),
              .columns = columns};
    assert_non_null(s.of);
    return s;
}

static expected sums_finish(const sums *s, int rows, int terms)
{
    expected out = expected_new(rows, s->columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < s->columns; ++j)
            set_bounded(&out, i, j, finish_sum(&s->of[i * s->columns + j], terms));
    free(s->of);
    return out;
}

/* The row of the biases, one after the other after the weights. */
static int first_bias(const network_reference *net, int layer)
{
    return tap_count(net, layer) * ((net->desc.layers[layer].units + 3) / 4 * 4);
}

static bounded bias_of(const network_reference *net, int layer, array weights, int unit)
{
    const int line = first_bias(net, layer) + unit / weights.columns;
    return (bounded){*at(weights, line, unit % weights.columns), 0};
}

static void add_output(const place *at_, void *data)
{
    sums *s = data;
    add_product(&s->of[s->sample * s->columns + at_->output],
                get_bounded(s->left, s->sample, at_->input),
                (bounded){*at(s->weights, at_->line, at_->channel), 0});
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const glnn_shape shape = net->outputs[layer];
    const int count = in->value.rows, plane = shape.height * shape.width;
    sums s = sums_new(count, shape.channels * plane);
    s.left = in;
    s.weights = network_reference_weights(net, layer);
    for (s.sample = 0; s.sample < count; ++s.sample) {
        visit_all(net, layer, add_output, &s);
        for (int j = 0; j < s.columns; ++j)
            add_product(&s.of[s.sample * s.columns + j], (bounded){1, 0},
                        bias_of(net, layer, s.weights, j / plane));
    }
    expected out = sums_finish(&s, count, tap_count(net, layer) * (s.weights.columns + 3) + 1);
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
                (bounded){*at(s->weights, at_->line, at_->channel), 0});
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    sums s = sums_new(in->value.rows, in->value.columns);
    s.left = delta;
    s.weights = network_reference_weights(net, layer);
    for (s.sample = 0; s.sample < in->value.rows; ++s.sample)
        visit_all(net, layer, add_input, &s);
    return sums_finish(&s, in->value.rows, first_bias(net, layer));
}

static void add_weight(const place *at_, void *data)
{
    sums *s = data;
    add_product(&s->of[at_->line * s->columns + at_->channel],
                get_bounded(s->left, s->sample, at_->input),
                get_bounded(s->right, s->sample, at_->output));
}

static expected gradient(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const glnn_shape shape = net->outputs[layer];
    const array parameters = net->parameters[layer].value;
    const int plane = shape.height * shape.width;
    sums s = sums_new(parameters.rows, parameters.columns);
    s.left = in;
    s.right = delta;
    for (s.sample = 0; s.sample < in->value.rows; ++s.sample) {
        visit_all(net, layer, add_weight, &s);
        for (int j = 0; j < delta->value.columns; ++j)
            add_product(&s.of[first_bias(net, layer) * s.columns + j / plane], (bounded){1, 0},
                        get_bounded(delta, s.sample, j));
    }
    return sums_finish(&s, parameters.rows, in->value.rows * plane + 2);
}

/* More units than channels, whose biases take several rows; then fewer. */
const layer_reference transposed_convolution_reference = {
    .layers = {{.kind = GLNN_LAYER_TRANSPOSED_CONVOLUTION,
                .units = 5,
                .activation = GLNN_ACTIVATION_TANH,
                .kernel = {3, 2},
                .padding = {1, 0}},
               {.kind = GLNN_LAYER_TRANSPOSED_CONVOLUTION,
                .units = 3,
                .activation = GLNN_ACTIVATION_SIGMOID,
                .kernel = {3, 2},
                .stride = {2, 3},
                .padding = {0, 1},
                .dilation = {1, 2}}},
    .count = 2,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
};
