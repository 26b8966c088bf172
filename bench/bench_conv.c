/* bench_conv - convolutional nets for images of digits: training steps, and the passes of their
 * convolutions next to matrix products of the same shapes and to the limits of the device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/integers.h"
#include "common/limits.h"
#include "common/table.h"
#include "layers/convolution.h"
#include "net/network_passes.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, CLASSES = 10 };

#define CONVOLUTION .kind = GLNN_LAYER_CONVOLUTION
#define POOL                                                                                       \
    {                                                                                              \
        .kind = GLNN_LAYER_MAX_POOL, .kernel = { 2, 2 }                                            \
    }
#define FLATTEN                                                                                    \
    {                                                                                              \
        .kind = GLNN_LAYER_FLATTEN                                                                 \
    }
#define TANH .activation = GLNN_ACTIVATION_TANH

/* The net of Simard 2003 adds a row and a column to its images. Here they are padded on each side,
 * which gives outputs of the same size. */
static const struct {
    const char *name;
    int largest_on_cpu; /* batch on a software rasteriser */
    glnn_layer_desc layers[12];
} nets[] = {
    {"lenet5",
     128,
     {{CONVOLUTION, .units = 6, .kernel = {5, 5}, .padding = {2, 2}},
      POOL,
      {CONVOLUTION, .units = 16, .kernel = {5, 5}},
      POOL,
      FLATTEN,
      {.units = 120},
      {.units = 84},
      {.units = CLASSES}}},
    {"simard",
     128,
     {{CONVOLUTION, .units = 6, .kernel = {5, 5}, .stride = {2, 2}, .padding = {1, 1}, TANH},
      {CONVOLUTION, .units = 50, .kernel = {5, 5}, .stride = {2, 2}, TANH},
      FLATTEN,
      {.units = 100, TANH},
      {.units = CLASSES}}},
    {"conv32-64-128",
     32,
     {{CONVOLUTION, .units = 32, .kernel = {3, 3}, .padding = {1, 1}},
      {CONVOLUTION, .units = 64, .kernel = {3, 3}, .padding = {1, 1}},
      POOL,
      {CONVOLUTION, .units = 128, .kernel = {3, 3}, .padding = {1, 1}},
      POOL,
      FLATTEN,
      {.units = 128},
      {.units = CLASSES}}},
};

enum { NETS = sizeof nets / sizeof nets[0] };

static glnn_network *make_network(bench *b, int net, int batch)
{
    glnn_network_desc desc = {.shape = {1, SIDE, SIDE},
                              .optimizer.momentum = 0.9f,
                              .layout = (glnn_layout)b->layout,
                              .capacity = batch,
                              .seed = 1};
    glnn_network *network;
    memcpy(desc.layers, nets[net].layers, sizeof nets[net].layers);
    CHECK(glnn_network_create(b->ctx, &desc, &network));
    return network;
}

/* ---- Training steps */

static const column step_columns[] = {
    {"net", 14, true},         {"batch", 6, false},    {"step_us", 11, false},
    {"low_us", 11, false},     {"high_us", 11, false}, {"images_per_s", 12, false},
    {"forward_us", 11, false}, {"passes", 6, false},
};

typedef struct trainee {
    glnn_network *network;
    glnn_dataset *data;
    int batch, steps;
} trainee;

static void train_epoch(void *state, int turn)
{
    const trainee *t = state;
    (void)turn;
    CHECK(glnn_network_train(
        t->network, t->data,
        &(glnn_train_desc){
            .epochs = 1, .batch = t->batch, .schedule.rate = 0.01f, .keep_order = true},
        NULL));
}

static void run_forward(void *state, int turn)
{
    const trainee *t = state;
    (void)turn;
    const glnn__flow flow = glnn__network_flow(t->network, t->batch);
    CHECK(glnn__gl_enter(t->network->ctx));
    CHECK(glnn__gl_leave(t->network->ctx, glnn__network_forward_input(t->network, &flow)));
}

static glnn_dataset *make_data(bench *b, int samples)
{
    float *inputs = random_floats((size_t)samples * PIXELS, 0, 1);
    int *labels = malloc((size_t)samples * sizeof *labels);
    glnn_dataset *data;
    if (!labels)
        exit(1);
    for (int i = 0; i < samples; ++i)
        labels[i] = i % CLASSES;
    CHECK(glnn_dataset_create(b->ctx,
                              &(glnn_dataset_desc){.samples = samples,
                                                   .features = PIXELS,
                                                   .inputs = inputs,
                                                   .labels = labels,
                                                   .classes = CLASSES},
                              &data));
    free(inputs);
    free(labels);
    return data;
}

static double passes_of(glnn_context *ctx)
{
    glnn_counters counters = {.size = sizeof counters};
    CHECK(glnn_context_get_counters(ctx, &counters));
    return (double)counters.passes;
}

/* An epoch is long enough that its end costs little, if the device is fast. */
static void time_steps(bench *b, table *results, int net, int batch)
{
    trainee t = {make_network(b, net, batch), make_data(b, 2 * batch), batch, 2};
    train_epoch(&t, 0);
    const double start = glnn__clock_seconds();
    train_epoch(&t, 0);
    const double wanted = 0.05 / (glnn__clock_seconds() - start);
    t.steps = (int)fmin(fmax(2 * wanted, 2), 16384.0 / batch);
    glnn_dataset_destroy(t.data);
    t.data = make_data(b, t.steps * batch);
    train_epoch(&t, 0);
    const double former = passes_of(b->ctx);
    train_epoch(&t, 0);
    const double passes = floor((passes_of(b->ctx) - former) / t.steps);
    const timing time = bench_time(b, b->ctx, train_epoch, &t);
    const timing forward = bench_time(b, b->ctx, run_forward, &t);
    table_text(results, nets[net].name);
    table_number(results, batch);
    table_number(results, 1e6 * time.median / t.steps);
    table_number(results, 1e6 * time.low / t.steps);
    table_number(results, 1e6 * time.high / t.steps);
    table_number(results, batch * t.steps / time.median);
    table_number(results, 1e6 * forward.median);
    table_number(results, passes);
    glnn_network_destroy(t.network);
    glnn_dataset_destroy(t.data);
}

static bool takes_part(const bench *b, int net, int batch)
{
    return b->has_clock || batch <= nets[net].largest_on_cpu;
}

static void measure_steps(bench *b)
{
    static const int batches[] = {1, 32, 128, 1024};
    table results;
    table_open(&results, b->out, "conv_steps", step_columns,
               sizeof step_columns / sizeof *step_columns);
    for (int net = 0; net < NETS; ++net)
        for (int i = 0; i < 4; ++i)
            if (takes_part(b, net, batches[i]))
                time_steps(b, &results, net, batches[i]);
    table_close(&results);
}

/* ---- The passes of one convolution */

typedef enum part { OUTPUTS, WEIGHTS, INPUTS, PARTS } part;

static const char *const part_names[] = {"outputs", "weights", "inputs"};

static const column pass_columns[] = {
    {"net", 14, true},         {"layer", 5, false},    {"part", 8, true},
    {"rows", 7, false},        {"columns", 7, false},  {"inner", 7, false},
    {"us", 10, false},         {"gflops", 9, false},   {"product_us", 10, false},
    {"of_product", 10, false}, {"limit_us", 9, false}, {"of_limit", 9, false},
    {"c_us", 10, false},
};

/* A product that writes to two outputs in turn, because software rasterisers drop what is
 * overwritten unread. */
typedef struct repeated {
    glnn_context *ctx;
    glnn__product product;
    glnn_matrix *outputs[2];
} repeated;

static void run_product(void *state, int turn)
{
    repeated *r = state;
    r->product.c = r->outputs[turn & 1];
    CHECK(glnn__product_run(r->ctx, &r->product));
}

static glnn_matrix *random_matrix(bench *b, glnn_layout layout, int rows, int columns)
{
    glnn_matrix *m;
    CHECK(glnn_matrix_create(
        b->ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns, .layout = layout}, &m));
    CHECK(glnn_fill_uniform(b->ctx, 7, -1, 1, m));
    return m;
}

/* The shapes of a part: those of its factors with windows and without. */
typedef struct shapes {
    int rows, columns, inner;
    int a[2], b[2], plain_a[2], plain_b[2];
    glnn__window window;
} shapes;

static shapes shapes_of(const glnn__layer *layer, int batch, part which)
{
    const int lines = layer->parameter_shape.rows, units = layer->desc.units;
    const int taps = layer->desc.kernel.height * layer->desc.kernel.width;
    const int from = batch * layer->input.height * layer->input.width;
    const int to = batch * layer->out.shape.height * layer->out.shape.width;
    const int channels = layer->input.channels, deep = taps * glnn__round_up(units, 4);
    const glnn__window forward = glnn__convolution_window(layer, GLNN__WINDOW_FORWARD);
    const shapes all[] = {
        {to,
         units,
         lines,
         {from, channels},
         {lines + 1, units},
         {to, lines},
         {lines, units},
         forward},
        {lines, units, to, {from, channels}, {to, units}, {to, lines}, {to, units}, forward},
        {from,
         channels,
         deep,
         {to, units},
         {lines + 1, units},
         {from, deep},
         {channels, deep},
         glnn__convolution_window(layer, GLNN__WINDOW_BACKWARD)},
    };
    return all[which];
}

static double time_product(bench *b, glnn_layout layout, const shapes *s, part which, bool windows)
{
    const int *a = windows ? s->a : s->plain_a, *factor = windows ? s->b : s->plain_b;
    repeated r = {.ctx = b->ctx,
                  .product = {.a = random_matrix(b, layout, a[0], a[1]),
                              .b = random_matrix(b, layout, factor[0], factor[1]),
                              .alpha = 1,
                              .transpose_a = which == WEIGHTS,
                              .transpose_b = which == INPUTS}};
    if (windows)
        r.product.window = s->window;
    for (int i = 0; i < 2; ++i)
        r.outputs[i] = random_matrix(b, layout, s->rows, s->columns);
    const double seconds = bench_time(b, b->ctx, run_product, &r).median;
    glnn_matrix_destroy((glnn_matrix *)(uintptr_t)r.product.a);
    glnn_matrix_destroy((glnn_matrix *)(uintptr_t)r.product.b);
    for (int i = 0; i < 2; ++i)
        glnn_matrix_destroy(r.outputs[i]);
    return seconds;
}

/* A layer that reads flat samples. It has passes of its own instead of products. */
typedef struct flat {
    glnn__flow flow;
    glnn__layer layers[2]; /* with two outputs, for the same reason */
    glnn__signal input;
    glnn__sink sink;
    part which;
} flat;

static void run_flat(void *state, int turn)
{
    flat *f = state;
    glnn__layer *layer = &f->layers[turn & 1];
    glnn_context *ctx = f->flow.ctx;
    CHECK(glnn__gl_enter(ctx));
    CHECK(glnn__gl_leave(ctx, f->which == OUTPUTS
                                  ? layer->type->forward(&f->flow, layer, &f->input)
                                  : layer->type->gradient(&f->flow, layer, &f->input, &f->sink)));
}

static double time_flat(bench *b, const glnn_network *network, const shapes *s, int batch,
                        part which)
{
    const glnn_layout layout = network->desc.layout;
    const glnn_shape out = network->layers[0].out.shape;
    const int pixels = batch * out.height * out.width;
    flat f = {.flow = glnn__network_flow(network, batch),
              .layers = {network->layers[0], network->layers[0]},
              .input.values = random_matrix(b, layout, batch, PIXELS),
              .sink = {.optimizer = &network->desc.optimizer, .is_first = true, .weight = 1},
              .which = which};
    for (int i = 0; i < 2; ++i) {
        glnn__layer *layer = &f.layers[i];
        layer->out.values = random_matrix(b, layout, pixels, out.channels);
        layer->out.delta = random_matrix(b, layout, pixels, out.channels);
        layer->parameters.sum = random_matrix(b, layout, s->rows + 1, out.channels);
        CHECK(layer->type->prepare(b->ctx, layer, batch));
    }
    const double seconds = bench_time(b, b->ctx, run_flat, &f).median;
    for (int i = 0; i < 2; ++i) {
        glnn_matrix_destroy(f.layers[i].parameters.sum);
        glnn__layer_destroy_batch(&f.layers[i]);
    }
    glnn_matrix_destroy(f.input.values);
    return seconds;
}

/* A convolution in C, with its loops in the order that a compiler vectorises. Images have channels
 * next to each other, as PIXELS have. */
typedef struct in_c {
    const glnn__layer *layer;
    int batch;
    float *input, *weights, *output;
} in_c;

static void add_tap(const in_c *c, int tap, const float *from, float *to)
{
    const int channels = c->layer->input.channels, units = c->layer->desc.units;
    for (int i = 0; i < channels; ++i) {
        const float *weights =
            c->weights + ((size_t)tap * (size_t)channels + (size_t)i) * (size_t)units;
        for (int u = 0; u < units; ++u)
            to[u] += from[i] * weights[u];
    }
}

static void convolve(void *state, int turn)
{
    const in_c *c = state;
    const glnn_layer_desc *d = &c->layer->desc;
    const glnn_shape in = c->layer->input, out = c->layer->out.shape;
    (void)turn;
    memset(c->output, 0, (size_t)c->batch * (size_t)glnn__shape_size(out) * sizeof *c->output);
    for (int row = 0; row < c->batch * out.height * out.width; ++row) {
        const int n = row / (out.height * out.width);
        const int top = row / out.width % out.height * d->stride.height - d->padding.height;
        const int left = row % out.width * d->stride.width - d->padding.width;
        for (int tap = 0; tap < d->kernel.height * d->kernel.width; ++tap) {
            const int y = top + tap / d->kernel.width, x = left + tap % d->kernel.width;
            if (y >= 0 && y < in.height && x >= 0 && x < in.width)
                add_tap(c, tap,
                        c->input +
                            (size_t)((n * in.height + y) * in.width + x) * (size_t)in.channels,
                        c->output + (size_t)row * (size_t)d->units);
        }
    }
}

static double time_in_c(bench *b, const glnn__layer *layer, int batch)
{
    const size_t taps = (size_t)layer->desc.kernel.height * (size_t)layer->desc.kernel.width;
    const size_t outputs = (size_t)batch * (size_t)glnn__shape_size(layer->out.shape);
    in_c c = {
        layer, batch, random_floats((size_t)batch * (size_t)glnn__shape_size(layer->input), -1, 1),
        random_floats(taps * (size_t)layer->input.channels * (size_t)layer->desc.units, -1, 1),
        random_floats(outputs, 0, 0)};
    const double seconds = bench_time(b, NULL, convolve, &c).median;
    free(c.input);
    free(c.weights);
    free(c.output);
    return seconds;
}

/* The time that multiply-adds or fetches alone would take. */
static double limit_of(const limits *l, glnn_layout layout, const shapes *s)
{
    const double multiply_adds = (double)s->rows * s->columns * s->inner;
    return fmax(multiply_adds / l->rates[PROBE_MULTIPLY_ADD],
                2 * multiply_adds / limits_product(l, layout, GLNN_STORAGE_FLOAT32));
}

static void time_part(bench *b, table *results, const limits *l, const glnn_network *network,
                      int number, int net, part which)
{
    const glnn__layer *layer = &network->layers[number];
    const int batch = network->desc.capacity;
    const glnn_layout layout = layer->parameters.values->layout;
    const shapes s = shapes_of(layer, batch, which);
    const double useful = (double)batch * glnn__shape_size(layer->out.shape) *
                          layer->desc.kernel.height * layer->desc.kernel.width *
                          layer->input.channels;
    const double seconds = layer->taken == GLNN__FLAT ? time_flat(b, network, &s, batch, which)
                                                      : time_product(b, layout, &s, which, true);
    const double product = time_product(b, layout, &s, which, false);
    const double limit = limit_of(l, layout, &s);
    table_text(results, nets[net].name);
    table_number(results, layer->number);
    table_text(results, part_names[which]);
    table_number(results, s.rows);
    table_number(results, s.columns);
    table_number(results, s.inner);
    table_number(results, 1e6 * seconds);
    table_number(results, 2e-9 * useful / seconds);
    table_number(results, 1e6 * product);
    table_number(results, product / seconds);
    table_number(results, 1e6 * limit);
    table_number(results, limit / seconds);
    table_number(results, which == OUTPUTS ? 1e6 * time_in_c(b, layer, batch) : NAN);
}

static void measure_passes(bench *b)
{
    limits l;
    table results;
    limits_measure(b, &l);
    table_open(&results, b->out, "conv_passes", pass_columns,
               sizeof pass_columns / sizeof *pass_columns);
    for (int net = 0; net < NETS; ++net) {
        /* The network lessens the batch to what a texture holds. */
        glnn_network *network = make_network(b, net, b->has_clock ? 128 : nets[net].largest_on_cpu);
        for (int i = 0; i < network->desc.layer_count; ++i)
            for (part which = OUTPUTS; which < PARTS; ++which)
                if (network->layers[i].desc.kind == GLNN_LAYER_CONVOLUTION &&
                    (which != INPUTS || i > 0))
                    time_part(b, &results, &l, network, i, net, which);
        glnn_network_destroy(network);
    }
    table_close(&results);
}

int main(int argc, char **argv)
{
    bench b;
    bench_open(&b, "bench_conv", "Measures training steps and passes of convolutional nets.", argc,
               argv);
    measure_steps(&b);
    measure_passes(&b);
    return bench_close(&b);
}
