#include "common/conv_cpu.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_IMAGES = 16 };

typedef struct in_c {
    const glnn__layer *layer;
    int batch;
    conv_part part;
    float *input, *weights, *output; /* for gradients, one of them is written */
    float *written;
    size_t written_count;
} in_c;

/* A pixel of the input, one of the output, and the weights of the tap between them. The inner loop
 * has the order that a compiler vectorises. */
static void add_tap(const in_c *c, float *weights, float *from, float *to)
{
    const int channels = c->layer->input.channels, units = c->layer->desc.units;
    for (int i = 0; i < channels; ++i, weights += units)
        switch (c->part) {
        case CONV_OUTPUTS:
            for (int u = 0; u < units; ++u)
                to[u] += from[i] * weights[u];
            break;
        case CONV_WEIGHTS:
            for (int u = 0; u < units; ++u)
                weights[u] += from[i] * to[u];
            break;
        default:
            for (int u = 0; u < units; ++u)
                from[i] += to[u] * weights[u];
            break;
        }
}

static void add_pixel(const in_c *c, int row)
{
    const glnn_layer_desc *d = &c->layer->desc;
    const glnn_shape in = c->layer->input, out = c->layer->out.shape;
    const int n = row / (out.height * out.width), tap_size = in.channels * d->units;
    const int top = row / out.width % out.height * d->stride.height - d->padding.height;
    const int left = row % out.width * d->stride.width - d->padding.width;
    for (int tap = 0; tap < d->kernel.height * d->kernel.width; ++tap) {
        const int y = top + tap / d->kernel.width, x = left + tap % d->kernel.width;
        if (y >= 0 && y < in.height && x >= 0 && x < in.width)
            add_tap(c, c->weights + (size_t)tap * (size_t)tap_size,
                    c->input + (size_t)((n * in.height + y) * in.width + x) * (size_t)in.channels,
                    c->output + (size_t)row * (size_t)d->units);
    }
}

static void convolve(void *state, int turn)
{
    const in_c *c = state;
    const glnn_shape out = c->layer->out.shape;
    (void)turn;
    memset(c->written, 0, c->written_count * sizeof *c->written);
    for (int row = 0; row < c->batch * out.height * out.width; ++row)
        add_pixel(c, row);
}

double conv_cpu_time(bench *b, const glnn__layer *layer, int images, conv_part part)
{
    const int batch = images < MOST_IMAGES ? images : MOST_IMAGES;
    const size_t taps = (size_t)layer->desc.kernel.height * (size_t)layer->desc.kernel.width;
    const size_t weights = taps * (size_t)layer->input.channels * (size_t)layer->desc.units;
    const size_t inputs = (size_t)batch * (size_t)glnn__shape_size(layer->input);
    const size_t outputs = (size_t)batch * (size_t)glnn__shape_size(layer->out.shape);
    in_c c = {.layer = layer,
              .batch = batch,
              .part = part,
              .input = random_floats(inputs, -1, 1),
              .weights = random_floats(weights, -1, 1),
              .output = random_floats(outputs, -1, 1)};
    c.written = part == CONV_OUTPUTS ? c.output : part == CONV_WEIGHTS ? c.weights : c.input;
    c.written_count = part == CONV_OUTPUTS ? outputs : part == CONV_WEIGHTS ? weights : inputs;
    const double seconds = bench_time(b, NULL, convolve, &c).median;
    free(c.input);
    free(c.weights);
    free(c.output);
    return seconds * images / batch;
}
