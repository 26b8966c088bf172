/* The reference of batch normalisation layers. */
#include "layer_reference.h"

#define MOMENTUM ((double)0.1f)
#define EPSILON  ((double)1e-5f)

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Samples that are normalised together: rows [begin, end). */
typedef struct part {
    int begin, end;
} part;

/* The part that begins with a row: the capacity cuts batches into parts of about equal size. */
static part part_at(const network_reference *net, int row, int rows)
{
    const int batch = net->batch > 0 ? net->batch : rows;
    const int batch_end = least(row / batch * batch + batch, rows);
    const int parts = (batch + net->desc.capacity - 1) / net->desc.capacity;
    return (part){row, least(row + (batch + parts - 1) / parts, batch_end)};
}

/* Mean and variance of a channel over some samples. */
typedef struct moments {
    bounded mean, variance;
    int count;
} moments;

static int plane_of(const network_reference *net, int layer)
{
    const glnn_shape shape = network_reference_input(net, layer);
    return shape.height * shape.width;
}

/* The roundings that add up in the longest chain of a fold of so many numbers: at most 128 in a
 * step, and some at its end. */
static double roundings_of(int count)
{
    int steps = 1;
    for (int64_t all = 128; all < count; all *= 128)
        ++steps;
    return steps * (least(count, 128) + 8);
}

static moments moments_of(const expected *in, int channel, int plane, part of)
{
    moments m = {.count = (of.end - of.begin) * plane};
    double least_value = INFINITY, greatest = -INFINITY, off = 0, spread = 0, sum = 0;
    for (int i = of.begin; i < of.end; ++i)
        for (int p = 0; p < plane; ++p) {
            const bounded x = get_bounded(in, i, channel * plane + p);
            m.mean.value += x.value / m.count;
            off += x.bound / m.count;
            least_value = fmin(least_value, x.value - x.bound);
            greatest = fmax(greatest, x.value + x.bound);
        }
    for (int i = of.begin; i < of.end; ++i)
        for (int p = 0; p < plane; ++p) {
            const bounded x = get_bounded(in, i, channel * plane + p);
            const double distance = fabs(x.value - m.mean.value);
            sum += distance * distance / m.count;
            spread += (2 * distance + x.bound) * x.bound / m.count;
        }
    /* Sums are of differences within the range of the numbers. */
    const double range = greatest - least_value, roundings = roundings_of(m.count) * EPS;
    m.mean.bound = off + roundings * range + 4 * EPS * fabs(m.mean.value);
    m.variance = (bounded){sum, spread + 2 * roundings * range * range};
    return m;
}

static moments running_moments(const network_reference *net, int layer, int channel)
{
    return (moments){get_bounded(&net->statistics[layer], 0, channel),
                     get_bounded(&net->statistics[layer], 1, channel), 0};
}

/* 1 / sqrt(variance + epsilon) */
static bounded scale_of(bounded variance)
{
    const double scale = 1 / sqrt(variance.value + EPSILON);
    const double most = 1 / sqrt(fmax(variance.value - variance.bound, 0) + EPSILON);
    return (bounded){scale, most - scale + 16 * EPS * most};
}

static bounded normalise(bounded x, moments m)
{
    const bounded distance = {x.value - m.mean.value,
                              x.bound + m.mean.bound + EPS * fabs(x.value - m.mean.value)};
    return multiply(distance, scale_of(m.variance));
}

static bounded parameter_of(const network_reference *net, int layer, int row, int channel)
{
    return (bounded){*at(net->parameters[layer].value, row, channel), 0};
}

static void forward_part(const network_reference *net, int layer, const expected *in, int channel,
                         part of, expected *out)
{
    const int plane = plane_of(net, layer);
    const moments m =
        net->trains ? moments_of(in, channel, plane, of) : running_moments(net, layer, channel);
    for (int i = of.begin; i < of.end; ++i)
        for (int j = channel * plane; j < (channel + 1) * plane; ++j) {
            product_sum sum = {0};
            add_product(&sum, normalise(get_bounded(in, i, j), m),
                        parameter_of(net, layer, 0, channel));
            add_product(&sum, (bounded){1, 0}, parameter_of(net, layer, 1, channel));
            set_bounded(&out[0], i, j,
                        activate(network_reference_map(net, layer), finish_sum(&sum, 2)));
        }
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const int rows = in->value.rows;
    expected out = expected_new(rows, in->value.columns);
    for (int channel = 0; channel < net->parameters[layer].value.columns; ++channel)
        for (part of = part_at(net, 0, rows); of.begin < rows; of = part_at(net, of.end, rows))
            forward_part(net, layer, in, channel, of, &out);
    return out;
}

/* The sums of delta n and of delta over a part. */
typedef struct sums {
    bounded weighted, plain;
} sums;

static sums sums_of(const expected *in, const expected *delta, int channel, int plane, part of,
                    moments m)
{
    product_sum weighted = {0}, plain = {0};
    for (int i = of.begin; i < of.end; ++i)
        for (int j = channel * plane; j < (channel + 1) * plane; ++j) {
            const bounded d = get_bounded(delta, i, j);
            add_product(&weighted, d, normalise(get_bounded(in, i, j), m));
            add_product(&plain, d, (bounded){1, 0});
        }
    const int roundings = (int)roundings_of(m.count);
    return (sums){finish_sum(&weighted, roundings), finish_sum(&plain, roundings)};
}

static void backward_part(const network_reference *net, int layer, const expected *in,
                          const expected *delta, int channel, part of, expected *out)
{
    const int plane = plane_of(net, layer);
    const moments m = moments_of(in, channel, plane, of);
    const sums all = sums_of(in, delta, channel, plane, of, m);
    const bounded share = {1.0 / m.count, EPS / m.count};
    const bounded factor = multiply(scale_of(m.variance), parameter_of(net, layer, 0, channel));
    for (int i = of.begin; i < of.end; ++i)
        for (int j = channel * plane; j < (channel + 1) * plane; ++j) {
            product_sum sum = {0};
            add_product(&sum, (bounded){1, 0}, get_bounded(delta, i, j));
            add_product(&sum, (bounded){-1, 0}, multiply(all.plain, share));
            add_product(&sum, normalise(get_bounded(in, i, j), m),
                        multiply((bounded){-all.weighted.value, all.weighted.bound}, share));
            set_bounded(out, i, j, multiply(factor, finish_sum(&sum, 3)));
        }
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const int rows = in->value.rows;
    expected out = expected_new(rows, in->value.columns);
    for (int channel = 0; channel < net->parameters[layer].value.columns; ++channel)
        for (part of = part_at(net, 0, rows); of.begin < rows; of = part_at(net, of.end, rows))
            backward_part(net, layer, in, delta, channel, of, &out);
    return out;
}

static bounded add(bounded a, bounded b)
{
    return (bounded){a.value + b.value,
                     a.bound + b.bound + 2 * EPS * (fabs(a.value) + fabs(b.value))};
}

static expected gradient(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const int rows = in->value.rows, plane = plane_of(net, layer);
    const int channels = net->parameters[layer].value.columns;
    expected out = expected_new(2, channels);
    for (int channel = 0; channel < channels; ++channel)
        for (part of = part_at(net, 0, rows); of.begin < rows; of = part_at(net, of.end, rows)) {
            const moments m = moments_of(in, channel, plane, of);
            const sums all = sums_of(in, delta, channel, plane, of, m);
            set_bounded(&out, 0, channel, add(get_bounded(&out, 0, channel), all.weighted));
            set_bounded(&out, 1, channel, add(get_bounded(&out, 1, channel), all.plain));
        }
    return out;
}

static bounded moved(bounded from, bounded to)
{
    const double size = fabs(from.value) + fabs(to.value);
    return (bounded){from.value + MOMENTUM * (to.value - from.value),
                     (1 - MOMENTUM) * from.bound + MOMENTUM * to.bound + 4 * EPS * size};
}

/* Each part moves them. */
static expected statistics(const network_reference *net, int layer, const expected *in)
{
    const int rows = in->value.rows, channels = net->parameters[layer].value.columns;
    expected out = expected_new(2, channels);
    for (int channel = 0; channel < channels; ++channel) {
        moments running = running_moments(net, layer, channel);
        for (part of = part_at(net, 0, rows); of.begin < rows; of = part_at(net, of.end, rows)) {
            const moments m = moments_of(in, channel, plane_of(net, layer), of);
            const double unbiased = m.count > 1 ? m.count / (m.count - 1.0) : 1;
            running.mean = moved(running.mean, m.mean);
            running.variance =
                moved(running.variance, multiply(m.variance, (bounded){unbiased, 0}));
        }
        set_bounded(&out, 0, channel, running.mean);
        set_bounded(&out, 1, channel, running.variance);
    }
    return out;
}

/* Of pixels, and of numbers without height and width. */
const layer_reference batch_norm_reference = {
    .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = 6, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_SCALED_TANH}},
    .count = 4,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
    .statistics = statistics,
};
