/* bench_readback - how much a readback delays the passes that follow, for several ways to read a
 * texture on one device. */
#include <math.h>
#include <string.h>

#include "common/readback.h"
#include "common/table.h"

enum { MOST_PASSES = 4096 };

static const column columns[] = {
    {"bytes", 10, false},         {"way", 28, true},          {"alone_us", 10, false},
    {"passes_us", 10, false},     {"together_us", 12, false}, {"delay_us", 10, false},
    {"delay_percent", 14, false},
};

typedef struct step {
    readback *readback;
    const readback_way *way;
    glnn_matrix *factors[2], *products[2];
    int passes;
} step;

/* Passes must not rely on the textures that they have bound before. */
static void begin(const step *s)
{
    CHECK(glnn__gl_enter(s->readback->ctx));
    s->way->begin(s->readback);
    s->readback->ctx->bindings_age++;
    CHECK(glnn__gl_leave(s->readback->ctx, GLNN_OK));
}

static void end(const step *s)
{
    CHECK(glnn__gl_enter(s->readback->ctx));
    s->way->end(s->readback);
    CHECK(glnn__gl_leave(s->readback->ctx, GLNN_OK));
}

static void read_alone(void *state, int turn)
{
    (void)turn;
    begin(state);
    end(state);
}

/* As in a training: the device makes passes while the transfer is under way. */
static void read_with_passes(void *state, int turn)
{
    const step *s = state;
    (void)turn;
    begin(s);
    for (int i = 0; i < s->passes; ++i)
        CHECK(glnn_gemm(s->readback->ctx, NULL, 1, s->factors[0], s->factors[1], 0,
                        s->products[i & 1]));
    end(s);
}

static double time_step(bench *b, step *s)
{
    return bench_time(b, b->ctx, read_with_passes, s).median;
}

/* Passes that take at least three times as long as the usual readback. */
static void choose_passes(bench *b, step *s)
{
    s->way = &readback_ways[1];
    const double alone = bench_time(b, b->ctx, read_alone, s).median;
    s->way = &readback_ways[0];
    s->passes = 8;
    const double pass = time_step(b, s) / s->passes;
    s->passes = (int)fmin(fmax(ceil(3 * alone / pass), 8), MOST_PASSES);
}

/* The passes are timed again for each way, because other work may slow the device down for a
 * while. */
static void measure_way(bench *b, table *out, step *s, const readback_way *way)
{
    s->way = way;
    memset(s->readback->values, 0, s->readback->bytes);
    const double alone = bench_time(b, b->ctx, read_alone, s).median;
    if (!readback_is_right(s->readback))
        bench_wrong(b, "%s: other numbers than those of the texture", way->name);
    const double together = time_step(b, s);
    s->way = &readback_ways[0];
    const double passes = time_step(b, s), delay = together - passes;
    table_number(out, (double)s->readback->bytes);
    table_text(out, way->name);
    table_number(out, 1e6 * alone);
    table_number(out, 1e6 * passes);
    table_number(out, 1e6 * together);
    table_number(out, 1e6 * delay);
    table_number(out, 100 * delay / alone);
}

static void measure(bench *b, table *out, int height)
{
    step s = {.readback = readback_new(b->ctx, height)};
    const int side = b->has_clock ? 512 : 64;
    const glnn_matrix_desc square = {.rows = side, .columns = side};
    for (int i = 0; i < 2; ++i) {
        CHECK(glnn_matrix_create(b->ctx, &square, &s.factors[i]));
        CHECK(glnn_matrix_create(b->ctx, &square, &s.products[i]));
    }
    choose_passes(b, &s);
    for (int i = 1; i < readback_way_count; ++i)
        if (!readback_ways[i].is_there || readback_ways[i].is_there(s.readback))
            measure_way(b, out, &s, &readback_ways[i]);
    for (int i = 0; i < 2; ++i) {
        glnn_matrix_destroy(s.factors[i]);
        glnn_matrix_destroy(s.products[i]);
    }
    readback_free(s.readback);
}

int main(int argc, char **argv)
{
    bench b;
    table out;
    bench_open(&b, "bench_readback", "Measures how much readbacks delay passes.", argc, argv);
    table_open(&out, b.out, "readback", columns, sizeof columns / sizeof columns[0]);
    const int largest = bench_choose(&b, 1024, 8192, 8192);
    for (int height = 128; height <= largest; height *= 8)
        measure(&b, &out, height);
    table_close(&out);
    return bench_close(&b);
}
