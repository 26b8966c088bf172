#include "common/limits.h"

#include "base/clock.h"

enum { TINY = 8, CHAIN = 256 };

static glnn_matrix *matrix(bench *b, int side, glnn_layout layout)
{
    glnn_matrix *m;
    CHECK(glnn_matrix_create(
        b->ctx, &(glnn_matrix_desc){.rows = side, .columns = side, .layout = layout}, &m));
    return m;
}

/* ---- Copies */

typedef struct copies {
    glnn_context *ctx;
    glnn_matrix *x, *out[2];
} copies;

static void copy_once(void *state, int turn)
{
    copies *c = state;
    CHECK(glnn_copy(c->ctx, c->x, c->out[turn & 1]));
}

static double copy_rate(bench *b, int side, glnn_layout layout)
{
    copies c = {
        b->ctx, matrix(b, side, layout), {matrix(b, side, layout), matrix(b, side, layout)}};
    const timing t = bench_time(b, b->ctx, copy_once, &c);
    glnn_matrix_destroy(c.x);
    glnn_matrix_destroy(c.out[0]);
    glnn_matrix_destroy(c.out[1]);
    return 2.0 * sizeof(float) * side * side / t.median;
}

/* ---- Passes */

typedef struct chain {
    glnn_context *ctx;
    glnn_matrix *m[2];
    double submit; /* the least so far */
} chain;

static void run_chain(void *state, int turn)
{
    chain *c = state;
    (void)turn;
    const double start = glnn__clock_seconds();
    for (int i = 0; i < CHAIN; ++i)
        CHECK(glnn_map_apply(c->ctx, GLNN_MAP_RELU, c->m[i & 1], c->m[~i & 1]));
    const double seconds = glnn__clock_seconds() - start;
    c->submit = seconds < c->submit ? seconds : c->submit;
}

static void measure_passes(bench *b, limits *out)
{
    chain c = {b->ctx, {matrix(b, TINY, 0), matrix(b, TINY, 0)}, 1e9};
    out->pass_seconds = bench_time(b, b->ctx, run_chain, &c).median / CHAIN;
    out->submit_seconds = c.submit / CHAIN;
    glnn_matrix_destroy(c.m[0]);
    glnn_matrix_destroy(c.m[1]);
}

/* ---- Transfers */

typedef struct transfers {
    glnn_context *ctx;
    glnn_matrix *m[2];
    float *data;
    glnn_download *ahead;
} transfers;

static void upload_once(void *state, int turn)
{
    transfers *t = state;
    CHECK(glnn_matrix_upload(t->ctx, t->m[turn & 1], NULL, t->data, 0));
}

static void download_once(void *state, int turn)
{
    transfers *t = state;
    CHECK(glnn_matrix_download(t->ctx, t->m[turn & 1], NULL, t->data, 0));
}

static void download_ahead(void *state, int turn)
{
    transfers *t = state;
    glnn_download *next;
    CHECK(glnn_download_begin(t->ctx, t->m[turn & 1], NULL, &next));
    CHECK(glnn_download_end(t->ahead, t->data, 0));
    t->ahead = next;
}

static void measure_transfers(bench *b, int side, limits *out)
{
    const double bytes = (double)sizeof(float) * side * side;
    transfers t = {b->ctx,
                   {matrix(b, side, 0), matrix(b, side, 0)},
                   random_floats((size_t)side * (size_t)side, 0, 1),
                   NULL};
    out->upload = bytes / bench_time(b, b->ctx, upload_once, &t).median;
    out->download = bytes / bench_time(b, b->ctx, download_once, &t).median;
    out->download_ahead = bytes / bench_time(b, b->ctx, download_ahead, &t).median;
    CHECK(glnn_download_end(t.ahead, NULL, 0));
    glnn_matrix_destroy(t.m[0]);
    glnn_matrix_destroy(t.m[1]);
    free(t.data);
}

void limits_measure(bench *b, limits *out)
{
    const int side = bench_choose(b, 1024, 2048, 4096);
    for (int kind = 0; kind < PROBE_COUNT; ++kind)
        out->rates[kind] = probe_rate(b, (probe_kind)kind);
    for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_PAGED; ++layout)
        out->copy[layout] = copy_rate(b, side, (glnn_layout)layout);
    measure_passes(b, out);
    measure_transfers(b, side / 2, out);
}

double limits_product(const limits *l, glnn_layout layout, glnn_storage storage)
{
    /* Per four inner indices of a block: fetches of a and b, and multiply-adds. */
    static const struct {
        probe_kind texel;
        double fetches, multiply_adds;
    } kinds[] = {
        [GLNN_LAYOUT_TILED] = {PROBE_FETCH_FLOAT4, 4 + 8, 4 * 32},
        [GLNN_LAYOUT_PACKED] = {PROBE_FETCH_FLOAT4, 1 + 4, 4 * 4},
        [GLNN_LAYOUT_UNPACKED] = {PROBE_FETCH_FLOAT, 4 + 4, 4},
    };
    probe_kind texel = kinds[layout].texel;
    if (texel == PROBE_FETCH_FLOAT4 && storage == GLNN_STORAGE_FLOAT16)
        texel = PROBE_FETCH_HALF4;
    return l->rates[texel] * 2 * kinds[layout].multiply_adds / kinds[layout].fetches;
}
