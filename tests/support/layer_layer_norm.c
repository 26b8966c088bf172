/* The reference of layer normalisation. */
#include "layer_reference.h"

#define EPSILON ((double)1e-5f)

/* Mean and 1 / deviation of a sample. */
typedef struct moments {
    bounded mean, scale;
} moments;

/* The roundings of a sum of so many numbers, which are folded in steps of about 128 rows or column
 * groups. */
static double roundings_of(int count)
{
    int steps = 1;
    for (int64_t all = 128; all < count; all *= 128)
        ++steps;
    return steps * (fmin(count, 512) + 8);
}

static moments moments_of(const expected *in, int row)
{
    const int count = in->value.columns;
    const double roundings = roundings_of(count) * EPS;
    bounded mean = {0, 0};
    double least = INFINITY, greatest = -INFINITY, variance = 0, spread = 0;
    for (int j = 0; j < count; ++j) {
        const bounded x = get_bounded(in, row, j);
        mean.value += x.value / count;
        mean.bound += x.bound / count;
        least = fmin(least, x.value - x.bound);
        greatest = fmax(greatest, x.value + x.bound);
    }
    for (int j = 0; j < count; ++j) {
        const bounded x = get_bounded(in, row, j);
        const double distance = fabs(x.value - mean.value);
        variance += distance * distance / count;
        spread += (2 * distance + x.bound) * x.bound / count;
    }
    /* Sums are of differences within the range of the numbers. */
    const double range = greatest - least;
    mean.bound += roundings * range + 4 * EPS * fabs(mean.value);
    spread += 2 * roundings * range * range;
    const double scale = 1 / sqrt(variance + EPSILON);
    const double most = 1 / sqrt(fmax(variance - spread, 0) + EPSILON);
    return (moments){mean, {scale, most - scale + 16 * EPS * most}};
}

static bounded normalise(bounded x, moments m)
{
    const double distance = x.value - m.mean.value;
    return multiply((bounded){distance, x.bound + m.mean.bound + EPS * fabs(distance)}, m.scale);
}

/* The channel of a column of a sample. */
static int channel_of(const network_reference *net, int layer, int column)
{
    const glnn_shape shape = network_reference_input(net, layer);
    return column / (shape.height * shape.width);
}

static bounded parameter_of(const network_reference *net, int layer, int row, int column)
{
    return (bounded){*at(net->parameters[layer].value, row, channel_of(net, layer, column)), 0};
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i) {
        const moments m = moments_of(in, i);
        for (int j = 0; j < in->value.columns; ++j) {
            product_sum sum = {0};
            add_product(&sum, normalise(get_bounded(in, i, j), m), parameter_of(net, layer, 0, j));
            add_product(&sum, (bounded){1, 0}, parameter_of(net, layer, 1, j));
            set_bounded(&out, i, j,
                        activate(network_reference_map(net, layer), finish_sum(&sum, 2)));
        }
    }
    return out;
}

static void backward_sample(const network_reference *net, int layer, const expected *in,
                            const expected *delta, int row, expected *out)
{
    const int count = in->value.columns, roundings = (int)roundings_of(count);
    const moments m = moments_of(in, row);
    const bounded share = {1.0 / count, EPS / count};
    product_sum weighted_sum = {0}, plain_sum = {0};
    for (int j = 0; j < count; ++j) {
        const bounded g = multiply(get_bounded(delta, row, j), parameter_of(net, layer, 0, j));
        add_product(&weighted_sum, g, normalise(get_bounded(in, row, j), m));
        add_product(&plain_sum, g, (bounded){1, 0});
    }
    const bounded weighted = multiply(finish_sum(&weighted_sum, roundings), share);
    const bounded plain = multiply(finish_sum(&plain_sum, roundings), share);
    for (int j = 0; j < count; ++j) {
        product_sum sum = {0};
        add_product(&sum, get_bounded(delta, row, j), parameter_of(net, layer, 0, j));
        add_product(&sum, (bounded){-1, 0}, plain);
        add_product(&sum, normalise(get_bounded(in, row, j), m),
                    (bounded){-weighted.value, weighted.bound});
        set_bounded(out, row, j, multiply(m.scale, finish_sum(&sum, 3)));
    }
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        backward_sample(net, layer, in, delta, i, &out);
    return out;
}

static expected gradient(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const int rows = in->value.rows, channels = net->parameters[layer].value.columns;
    const int plane = in->value.columns / channels;
    expected out = expected_new(2, channels);
    for (int channel = 0; channel < channels; ++channel) {
        product_sum weighted = {0}, plain = {0};
        for (int i = 0; i < rows; ++i) {
            const moments m = moments_of(in, i);
            for (int j = channel * plane; j < (channel + 1) * plane; ++j) {
                add_product(&weighted, get_bounded(delta, i, j),
                            normalise(get_bounded(in, i, j), m));
                add_product(&plain, get_bounded(delta, i, j), (bounded){1, 0});
            }
        }
        set_bounded(&out, 0, channel, finish_sum(&weighted, rows * plane + 2));
        set_bounded(&out, 1, channel, finish_sum(&plain, rows * plane + 2));
    }
    return out;
}

/* Of pixels, and of numbers without height and width. */
const layer_reference layer_norm_reference = {
    .layers = {{.kind = GLNN_LAYER_LAYER_NORM, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = 6, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_LAYER_NORM, .activation = GLNN_ACTIVATION_SCALED_TANH}},
    .count = 4,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
};
