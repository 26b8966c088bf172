#include "common/conv_widths.h"

#include <math.h>

#include "base/integers.h"
#include "common/conv_shapes.h"
#include "common/rounds.h"
#include "common/table.h"
#include "net/network_passes.h"

static const column columns[] = {
    {"layer", 12, true}, {"part", 9, true},      {"kernel", 6, false},
    {"width", 6, false}, {"stride", 6, false},   {"padding", 7, false},
    {"us", 10, false},   {"ps_each", 10, false}, {"of_least", 8, false},
};

enum { UNITS = 8, PIXELS = 1 << 13, PIXELS_OF_GPUS = 1 << 17, MOST_CASES = 12 };

/* Square images, and their windows. Half of the kernel pads an image if `is_padded`. */
typedef struct window_case {
    int width, stride;
    bool is_padded;
} window_case;

static const window_case first_cases[] = {
    {28, 1, true},  {28, 1, false}, {27, 1, true}, {26, 1, true},  {29, 1, false},  {100, 1, true},
    {102, 1, true}, {105, 1, true}, {28, 2, true}, {105, 2, true}, {102, 3, false},
};

/* A stride of 0 is that of the kernel. */
static const window_case pool_cases[] = {
    {28, 0, false}, {54, 0, false}, {54, 2, true}, {27, 1, true}};

/* A layer with two outputs in turn, because software rasterisers drop what is overwritten
 * unread. */
typedef struct contestant {
    glnn_learner *network;
    int samples;
    glnn__flow flow;
    glnn__layer layers[2];
    glnn__signal inputs[2];
    glnn__sink sink;
    bool is_backward;
} contestant;

static glnn_matrix *random_matrix(bench *b, glnn_layout layout, int rows, int count)
{
    glnn_matrix *m;
    CHECK(glnn_matrix_create(
        b->ctx, &(glnn_matrix_desc){.rows = rows, .columns = count, .layout = layout}, &m));
    CHECK(glnn_fill_uniform(b->ctx, 7, -1, 1, m));
    return m;
}

static void run(void *state, int turn)
{
    contestant *c = state;
    glnn__layer *layer = &c->layers[turn & 1];
    const glnn__signal *input = &c->inputs[turn & 1];
    const glnn__layer_type *type = layer->type;
    CHECK(glnn__gl_enter(c->flow.ctx));
    CHECK(glnn__gl_leave(c->flow.ctx, !c->is_backward ? type->forward(&c->flow, layer, input)
                                      : type->gradient
                                          ? type->gradient(&c->flow, layer, input, &c->sink)
                                          : type->backward(&c->flow, layer, input)));
}

static glnn_learner *network_of(bench *b, glnn_layer_kind kind, int kernel, const window_case *w)
{
    const bool has_weights = kind == GLNN_LAYER_CONVOLUTION;
    const int stride = w->stride > 0 ? w->stride : kernel;
    const int padding = w->is_padded ? (has_weights ? (kernel - 1) / 2 : kernel / 2) : 0;
    const int output = (w->width + 2 * padding - kernel) / stride + 1;
    const int larger = has_weights ? output : w->width;
    const int pixels = b->has_clock ? PIXELS_OF_GPUS : PIXELS;
    glnn_learner *network;
    CHECK(glnn_network_create(
        b->ctx,
        &(glnn_network_desc){.shape = {has_weights ? 1 : UNITS, w->width, w->width},
                             .layers = {{.kind = kind,
                                         .units = has_weights ? UNITS : 0,
                                         .kernel = {kernel, kernel},
                                         .stride = {stride, stride},
                                         .padding = {padding, padding}},
                                        {.kind = GLNN_LAYER_FLATTEN}},
                             .loss = GLNN_LOSS_SQUARED,
                             .layout = (glnn_layout)b->layout,
                             .capacity = glnn__ceil_div(pixels, larger * larger)},
        &network));
    return network;
}

static void prepare(bench *b, contestant *c)
{
    const glnn_layout layout = glnn__network_of(c->network)->desc.layout;
    const glnn__layer *own = &glnn__network_of(c->network)->layers[0];
    const glnn_shape in = own->input, out = own->out.shape;
    const int outputs = c->samples * out.height * out.width;
    const int pixels = c->samples * in.height * in.width;
    const bool is_flat = own->taken == GLNN__FLAT;
    static const glnn__optimizer_slots whole = {.weight.f = 1};
    c->flow = glnn__network_flow(glnn__network_of(c->network), c->samples);
    c->sink = (glnn__sink){.optimizer = &glnn__network_of(c->network)->desc.optimizer,
                           .slots = &whole,
                           .is_first = true};
    for (int i = 0; i < 2; ++i) {
        glnn__layer *layer = &c->layers[i];
        glnn__signal *input = &c->inputs[i];
        *layer = *own;
        layer->out.values = random_matrix(b, layout, outputs, out.channels);
        layer->out.delta = random_matrix(b, layout, outputs, out.channels);
        if (layer->type->gradient)
            layer->own.sum =
                random_matrix(b, layout, glnn__layer_parameter_rows(own), out.channels);
        if (layer->type->prepare)
            CHECK(layer->type->prepare(b->ctx, layer, c->samples));
        *input = (glnn__signal){.shape = in, .form = own->taken, .activation = GLNN_MAP_IDENTITY};
        input->values = is_flat ? random_matrix(b, layout, c->samples, in.height * in.width)
                                : random_matrix(b, layout, pixels, in.channels);
        if (!layer->type->gradient)
            input->delta = random_matrix(b, layout, pixels, in.channels);
    }
}

static void release(contestant *c)
{
    for (int i = 0; i < 2; ++i) {
        glnn_matrix_destroy(c->layers[i].own.sum);
        glnn__layer_destroy_batch(&c->layers[i]);
        glnn_matrix_destroy(c->layers[i].out.values);
        glnn_matrix_destroy(c->inputs[i].values);
        glnn_matrix_destroy(c->inputs[i].delta);
    }
    glnn_learner_destroy(c->network);
}

/* A pooling has one for each number of a window. */
static double multiply_adds(const contestant *c)
{
    const glnn__layer *layer = &glnn__network_of(c->network)->layers[0];
    const glnn_size kernel = layer->desc.kernel;
    return (double)c->samples * glnn__shape_size(layer->out.shape) * kernel.height * kernel.width;
}

static void write_row(table *t, const rounds *r, const contestant *c, int number, double least)
{
    const glnn_layer_desc *desc = &glnn__network_of(c->network)->layers[0].desc;
    const double seconds = rounds_timing(r, number).median, each = seconds / multiply_adds(c);
    table_text(t, glnn_layer_kind_name(desc->kind));
    table_text(t, c->is_backward ? "backward" : "forward");
    table_number(t, desc->kernel.width);
    table_number(t, glnn__network_of(c->network)->desc.shape.width);
    table_number(t, desc->stride.width);
    table_number(t, desc->padding.width);
    table_number(t, 1e6 * seconds);
    table_number(t, 1e12 * each);
    table_number(t, each / least);
}

static void measure(bench *b, table *t, contestant *all, int count, bool is_backward)
{
    rounds r = {0};
    double least = INFINITY;
    for (int i = 0; i < count; ++i) {
        all[i].is_backward = is_backward;
        rounds_add(&r, run, &all[i]);
    }
    rounds_run(&r, b, bench_choose(b, 3, 7, ROUNDS_MOST));
    for (int i = 0; i < count; ++i)
        least = fmin(least, rounds_timing(&r, i).median / multiply_adds(&all[i]));
    for (int i = 0; i < count; ++i)
        write_row(t, &r, &all[i], i, least);
}

static void measure_kernel(bench *b, table *t, glnn_layer_kind kind, int kernel,
                           const window_case *cases, int count)
{
    contestant all[MOST_CASES] = {0};
    for (int i = 0; i < count; ++i) {
        all[i].network = network_of(b, kind, kernel, &cases[i]);
        all[i].samples = glnn_network_get_desc(all[i].network)->capacity;
        prepare(b, &all[i]);
    }
    measure(b, t, all, count, false);
    measure(b, t, all, count, true);
    for (int i = 0; i < count; ++i)
        release(&all[i]);
}

void conv_widths_measure(bench *b)
{
    static const int kernels[] = {1, 2, 3, 4, 5, 7, 9}, windows[] = {2, 3, 5, 9};
    table t;
    table_open(&t, b->out, "conv_widths", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
        measure_kernel(b, &t, GLNN_LAYER_CONVOLUTION, kernels[i], first_cases,
                       sizeof first_cases / sizeof *first_cases);
    for (size_t i = 0; i < sizeof windows / sizeof *windows; ++i)
        measure_kernel(b, &t, GLNN_LAYER_MAX_POOL, windows[i], pool_cases,
                       sizeof pool_cases / sizeof *pool_cases);
    table_close(&t);
}
