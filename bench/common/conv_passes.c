#include "common/conv_passes.h"

#include <math.h>

#include "common/conv_cpu.h"
#include "common/conv_nets.h"
#include "common/limits.h"
#include "common/rounds.h"
#include "common/table.h"
#include "net/network_passes.h"

static const column columns[] = {
    {"net", 14, true},
    {"layer", 5, false},
    {"part", 8, true},
    {"batch", 6, false},
    {"rows", 7, false},
    {"columns", 7, false},
    {"inner", 7, false},
    {"us", 10, false},
    {"low_us", 10, false},
    {"high_us", 10, false},
    {"gflops", 9, false},
    {"product_us", 10, false},
    {"product_percent", 15, false},
    {"fetch_percent", 13, false},
    {"peak_percent", 12, false},
    {"copy_percent", 12, false},
    {"c_us", 10, false},
};

static glnn_matrix *random_matrix(bench *b, glnn_layout layout, int rows, int columns_count)
{
    glnn_matrix *m;
    CHECK(glnn_matrix_create(
        b->ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns_count, .layout = layout}, &m));
    CHECK(glnn_fill_uniform(b->ctx, 7, -1, 1, m));
    return m;
}

/* ---- Products */

/* A product that writes to two outputs in turn, because software rasterisers drop what is
 * overwritten unread. */
typedef struct repeated {
    glnn_context *ctx;
    glnn__product product;
    glnn_matrix *operands[2], *outputs[2];
} repeated;

static void run_product(void *state, int turn)
{
    repeated *r = state;
    r->product.c = r->outputs[turn & 1];
    CHECK(glnn__product_run(r->ctx, &r->product));
}

static repeated product_new(bench *b, glnn_layout layout, const conv_shapes *s, bool windows)
{
    const int *a = windows ? s->a : s->plain_a, *factor = windows ? s->b : s->plain_b;
    repeated r = {
        .ctx = b->ctx,
        .operands = {random_matrix(b, layout, a[0], a[1]),
                     random_matrix(b, layout, factor[0], factor[1])},
        .product = {.alpha.f = 1, .transpose_a = s->transpose_a, .transpose_b = s->transpose_b}};
    r.product.a = r.operands[0];
    r.product.b = r.operands[1];
    if (windows)
        r.product.window = s->window;
    for (int i = 0; i < 2; ++i)
        r.outputs[i] = random_matrix(b, layout, s->rows, s->columns);
    return r;
}

static void product_free(const repeated *r)
{
    for (int i = 0; i < 2; ++i) {
        glnn_matrix_destroy(r->operands[i]);
        glnn_matrix_destroy(r->outputs[i]);
    }
}

/* ---- A layer that reads flat samples */

/* It has passes of its own instead of products; two layers, so that there are two outputs. */
typedef struct flat {
    glnn__flow flow;
    glnn__layer layers[2];
    glnn__signal input;
    glnn__sink sink;
    conv_part part;
} flat;

static void run_flat(void *state, int turn)
{
    flat *f = state;
    glnn__layer *layer = &f->layers[turn & 1];
    glnn_context *ctx = f->flow.ctx;
    CHECK(glnn__gl_enter(ctx));
    CHECK(glnn__gl_leave(ctx, f->part == CONV_OUTPUTS
                                  ? layer->type->forward(&f->flow, layer, &f->input)
                                  : layer->type->gradient(&f->flow, layer, &f->input, &f->sink)));
}

static flat flat_new(bench *b, const glnn_learner *network, const conv_shapes *s, conv_part part)
{
    const glnn_layout layout = glnn__network_of(network)->desc.layout;
    const int batch = glnn__network_of(network)->desc.capacity;
    const glnn_shape out = glnn__network_of(network)->layers[0].out.shape;
    const int pixels = batch * out.height * out.width;
    static const glnn__optimizer_slots whole = {.weight.f = 1};
    flat f = {
        .flow = glnn__network_flow(glnn__network_of(network), batch),
        .layers = {glnn__network_of(network)->layers[0], glnn__network_of(network)->layers[0]},
        .input.values = random_matrix(b, layout, batch, CONV_PIXELS),
        .sink = {.optimizer = &glnn__network_of(network)->desc.optimizer,
                 .slots = &whole,
                 .is_first = true},
        .part = part};
    for (int i = 0; i < 2; ++i) {
        glnn__layer *layer = &f.layers[i];
        layer->out.values = random_matrix(b, layout, pixels, out.channels);
        layer->out.delta = random_matrix(b, layout, pixels, out.channels);
        layer->own.sum = random_matrix(b, layout, s->rows + 1, out.channels);
        CHECK(layer->type->prepare(b->ctx, layer, batch));
    }
    return f;
}

static void flat_free(flat *f)
{
    for (int i = 0; i < 2; ++i) {
        glnn_matrix_destroy(f->layers[i].own.sum);
        glnn__layer_destroy_batch(&f->layers[i]);
        glnn_matrix_destroy(f->layers[i].out.values);
    }
    glnn_matrix_destroy(f->input.values);
}

/* ---- Rows */

/* The convolution and the product take turns. */
static void race(bench *b, const glnn_learner *network, const glnn__layer *layer,
                 const conv_shapes *s, conv_part part, rounds *r)
{
    const glnn_layout layout = layer->own.values->layout;
    const bool is_flat = layer->taken == GLNN__FLAT;
    flat own = {.part = part};
    repeated windows = {.ctx = b->ctx}, plain = product_new(b, layout, s, false);
    if (is_flat) {
        own = flat_new(b, network, s, part);
        rounds_add(r, run_flat, &own);
    } else {
        windows = product_new(b, layout, s, true);
        rounds_add(r, run_product, &windows);
    }
    rounds_add(r, run_product, &plain);
    rounds_run(r, b, bench_choose(b, 3, 7, ROUNDS_MOST));
    if (is_flat)
        flat_free(&own);
    else
        product_free(&windows);
    product_free(&plain);
}

static void measure_part(bench *b, table *t, const limits *l, const glnn_learner *network, int net,
                         const glnn__layer *layer, conv_part part)
{
    const int batch = glnn__network_of(network)->desc.capacity;
    const glnn_layout layout = layer->own.values->layout;
    const conv_shapes s = conv_shapes_of(layer, batch, part);
    rounds r = {0};
    race(b, network, layer, &s, part, &r);
    const timing time = rounds_timing(&r, 0);
    const double rate = conv_multiply_adds(layer, batch) / time.median;
    const double fetch_rate = limits_product(l, layout, GLNN_STORAGE_FLOAT32) / 2;
    table_text(t, conv_nets[net].name);
    table_number(t, layer->number);
    table_text(t, conv_part_name(part));
    table_number(t, batch);
    table_number(t, s.rows);
    table_number(t, s.columns);
    table_number(t, s.inner);
    table_number(t, 1e6 * time.median);
    table_number(t, 1e6 * time.low);
    table_number(t, 1e6 * time.high);
    table_number(t, 2e-9 * rate);
    table_number(t, 1e6 * rounds_timing(&r, 1).median);
    table_number(t, 100 * rounds_ratio(&r, 1, 0));
    table_number(t, 100 * rate / fetch_rate);
    table_number(t, 100 * rate / l->rates[PROBE_MULTIPLY_ADD]);
    table_number(t, 100 * conv_bytes(layer, batch) / time.median / l->copy[layout]);
    table_number(t, bench_has(b, BENCH_CPU) ? 1e6 * conv_cpu_time(b, layer, batch, part) : NAN);
}

static void measure_net(bench *b, table *t, const limits *l, int net)
{
    /* The network lessens the batch to what a texture holds. */
    glnn_learner *network =
        conv_network(b, net, b->has_clock ? 128 : conv_nets[net].largest_on_cpu);
    for (int i = 0; i < glnn__network_of(network)->desc.layer_count; ++i)
        for (conv_part part = CONV_OUTPUTS; part < CONV_PARTS; ++part)
            if (glnn__network_of(network)->layers[i].desc.kind == GLNN_LAYER_CONVOLUTION &&
                (part != CONV_INPUTS || i > 0))
                measure_part(b, t, l, network, net, &glnn__network_of(network)->layers[i], part);
    glnn_learner_destroy(network);
}

void conv_passes_measure(bench *b)
{
    limits l;
    table t;
    limits_measure(b, &l);
    table_open(&t, b->out, "conv_passes", columns, sizeof columns / sizeof *columns);
    for (int net = 0; net < CONV_NETS; ++net)
        measure_net(b, &t, &l, net);
    table_close(&t);
}
