/* The reference of the spectrogram. */
#include "layer_reference.h"

#define EPSILON ((double)1e-5f)
#define PI      3.14159265358979323846

enum { MOST_BINS = 64, MOST_BANDS = 32, MOST_FRAMES = 128 };

typedef struct sizes {
    int window, hop, frames, bands, bins;
    double rate, floor;
} sizes;

static sizes sizes_of(const network_reference *net, int layer)
{
    const glnn_layer_desc *desc = &net->desc.layers[layer];
    const sizes of = {.window = desc->kernel.width,
                      .hop = desc->stride.width,
                      .frames = net->outputs[layer].width,
                      .bands = net->outputs[layer].height,
                      .bins = (desc->kernel.width - 1) / 2,
                      .rate = desc->sample_rate,
                      .floor = (double)desc->floor};
    assert_true(of.bins <= MOST_BINS && of.bands <= MOST_BANDS && of.frames <= MOST_FRAMES);
    return of;
}

/* A number of the transform, for bin k: a float. */
static bounded wave(const sizes *of, int k, int n, bool is_sine)
{
    const double height = (1 - cos(2 * PI * n / of->window)) / of->window;
    const double angle = 2 * PI * k * n / of->window;
    return (bounded){height * (is_sine ? -sin(angle) : cos(angle)), 2 * EPS * height};
}

static double corner(const sizes *of, int c)
{
    const double top = 2595 * log10(1 + of->rate / 2 / 700);
    return 700 * (pow(10, top * c / (of->bands + 1) / 2595) - 1);
}

static bounded triangle(const sizes *of, int b, int k)
{
    const double f = k * of->rate / of->window;
    const double low = corner(of, b), middle = corner(of, b + 1), high = corner(of, b + 2);
    const double height = fmin((f - low) / (middle - low), (high - f) / (high - middle));
    return (bounded){fmax(height, 0), 2 * EPS};
}

/* All that is computed of a sample. Bins are counted from 1. */
typedef struct analysis {
    bounded spectrum[MOST_FRAMES][MOST_BINS + 1][2];
    bounded energy[MOST_FRAMES][MOST_BANDS];    /* with the floor */
    bounded logarithm[MOST_FRAMES][MOST_BANDS]; /* of the energy  */
    bounded mean, scale;                        /* of all; scale: 1 / deviation */
} analysis;

static void transform(const sizes *of, const expected *in, int row, analysis *to)
{
    for (int t = 0; t < of->frames; ++t)
        for (int k = 1; k <= of->bins; ++k)
            for (int p = 0; p < 2; ++p) {
                product_sum sum = {0};
                for (int n = 0; n < of->window; ++n)
                    add_product(&sum, get_bounded(in, row, t * of->hop + n), wave(of, k, n, p));
                to->spectrum[t][k][p] = finish_sum(&sum, of->window + of->hop);
            }
}

static bounded power_of(const bounded *parts)
{
    product_sum sum = {0};
    add_product(&sum, parts[0], parts[0]);
    add_product(&sum, parts[1], parts[1]);
    return finish_sum(&sum, 2);
}

static bounded logarithm_of(bounded x)
{
    const double y = log(x.value), least = log(fmax(x.value - x.bound, 1e-30));
    return (bounded){y, y - least + 64 * EPS * (1 + fabs(y))};
}

/* 1 / x by exp(-y) of the logarithm y. */
static bounded inverse_of(bounded y)
{
    const double value = exp(-y.value), relative = 64 * EPS * (1 + fabs(y.value));
    return (bounded){value, value * (exp(y.bound) * (1 + relative) - 1)};
}

static void find_bands(const sizes *of, analysis *to)
{
    for (int t = 0; t < of->frames; ++t)
        for (int b = 0; b < of->bands; ++b) {
            product_sum sum = {0};
            for (int k = 1; k <= of->bins; ++k)
                add_product(&sum, power_of(to->spectrum[t][k]), triangle(of, b, k));
            add_product(&sum, (bounded){of->floor, 0}, (bounded){1, 0});
            to->energy[t][b] = finish_sum(&sum, of->bins + 4);
            to->logarithm[t][b] = logarithm_of(to->energy[t][b]);
        }
}

/* As in layer_layer_norm.c: sums are of differences within the range of the numbers. */
static void find_moments(const sizes *of, analysis *to)
{
    const int count = of->frames * of->bands;
    const double roundings = 3 * (fmin(count, 512) + 8) * EPS;
    double least = INFINITY, greatest = -INFINITY, variance = 0, spread = 0;
    to->mean = (bounded){0, 0};
    for (int i = 0; i < count; ++i) {
        const bounded x = to->logarithm[i / of->bands][i % of->bands];
        to->mean.value += x.value / count;
        to->mean.bound += x.bound / count;
        least = fmin(least, x.value - x.bound);
        greatest = fmax(greatest, x.value + x.bound);
    }
    for (int i = 0; i < count; ++i) {
        const bounded x = to->logarithm[i / of->bands][i % of->bands];
        const double distance = fabs(x.value - to->mean.value);
        variance += distance * distance / count;
        spread += (2 * distance + x.bound) * x.bound / count;
    }
    const double range = greatest - least;
    to->mean.bound += roundings * range + 4 * EPS * fabs(to->mean.value);
    spread += 2 * roundings * range * range;
    const double scale = 1 / sqrt(variance + EPSILON);
    const double most = 1 / sqrt(fmax(variance - spread, 0) + EPSILON);
    to->scale = (bounded){scale, most - scale + 16 * EPS * most};
}

static bounded normalised(const analysis *from, int t, int b)
{
    const bounded x = from->logarithm[t][b];
    const double distance = x.value - from->mean.value;
    return multiply((bounded){distance, x.bound + from->mean.bound + EPS * fabs(distance)},
                    from->scale);
}

static analysis *analyse(const sizes *of, const expected *in, int row)
{
    static analysis made;
    transform(of, in, row, &made);
    find_bands(of, &made);
    find_moments(of, &made);
    return &made;
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const sizes of = sizes_of(net, layer);
    expected out = expected_new(in->value.rows, of.bands * of.frames);
    for (int i = 0; i < in->value.rows; ++i) {
        const analysis *made = analyse(&of, in, i);
        for (int j = 0; j < out.value.columns; ++j)
            set_bounded(&out, i, j, normalised(made, j % of.frames, j / of.frames));
    }
    return out;
}

/* (D - mean(D) - n mean(D n)) / deviation, and the slope of the logarithm. */
static bounded energy_delta(const sizes *of, const analysis *made, const expected *delta, int row,
                            int t, int b)
{
    const int count = of->frames * of->bands;
    product_sum plain = {0}, weighted = {0}, sum = {0};
    for (int j = 0; j < count; ++j) {
        const bounded d = get_bounded(delta, row, j);
        add_product(&plain, d, (bounded){1, 0});
        add_product(&weighted, d, normalised(made, j % of->frames, j / of->frames));
    }
    const bounded share = {1.0 / count, 2 * EPS / count};
    add_product(&sum, get_bounded(delta, row, b * of->frames + t), (bounded){1, 0});
    add_product(&sum, finish_sum(&plain, count), (bounded){-share.value, share.bound});
    add_product(&sum, multiply(finish_sum(&weighted, count), normalised(made, t, b)),
                (bounded){-share.value, share.bound});
    return multiply(multiply(finish_sum(&sum, 4), made->scale), inverse_of(made->logarithm[t][b]));
}

/* The delta of a part of bin k, from those of the energies of a frame. */
static bounded spectrum_delta(const sizes *of, const bounded *energies, const bounded *parts, int k,
                              int p)
{
    product_sum sum = {0};
    for (int b = 0; b < of->bands; ++b)
        add_product(&sum, energies[b], triangle(of, b, k));
    return multiply(finish_sum(&sum, of->bands), (bounded){2 * parts[p].value, 2 * parts[p].bound});
}

static void backward_row(const sizes *of, const expected *in, const expected *delta, int row,
                         expected *out)
{
    static product_sum sums[4096];
    const analysis *made = analyse(of, in, row);
    const int columns = in->value.columns;
    assert_true(columns <= (int)COUNT_OF(sums));
    memset(sums, 0, sizeof sums);
    for (int t = 0; t < of->frames; ++t) {
        bounded energies[MOST_BANDS];
        for (int b = 0; b < of->bands; ++b)
            energies[b] = energy_delta(of, made, delta, row, t, b);
        for (int k = 1; k <= of->bins; ++k)
            for (int p = 0; p < 2; ++p) {
                const bounded d = spectrum_delta(of, energies, made->spectrum[t][k], k, p);
                for (int n = 0; n < of->window; ++n)
                    add_product(&sums[t * of->hop + n], d, wave(of, k, n, p));
            }
    }
    const int terms = (of->window / of->hop + 1) * (2 * of->bins + 8);
    for (int j = 0; j < columns; ++j)
        set_bounded(out, row, j, finish_sum(&sums[j], terms));
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const sizes of = sizes_of(net, layer);
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        backward_row(&of, in, delta, i, &out);
    return out;
}

/* Energies are far above the floor, so that logarithms keep their digits. */
const layer_reference spectrogram_reference = {
    .shape = {1, 1, 20},
    .layers = {{.units = 30, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_SPECTROGRAM,
                .units = 3,
                .kernel = {1, 11},
                .stride = {1, 4},
                .sample_rate = 1000,
                .floor = 0.015625f}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};
