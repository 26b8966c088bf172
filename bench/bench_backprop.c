/* bench_backprop - packed against unpacked as it was published: steps of back-propagation of nets
 * 2-M-1 by the published scheme and by the library, against hidden units and against patterns. */
#include <math.h>
#include <stdlib.h>

#include "common/race.h"

/* Longer steps are left out: 16 384 patterns take 32 768 passes of the published scheme, a few
 * seconds on a software rasteriser. */
static const double longest_step = 30;

/* The net and the patterns that the published times are of. The number of rounds is odd. */
static const net_case published_net = {2, 64, 1, 1024, false, 0};
enum { ROUNDS = 7 };

/* ---- The gain of packing */

static const column columns[] = {
    {"scheme", 10, true},         {"packed_us", 10, false}, {"unpacked_us", 11, false},
    {"times_as_fast", 13, false}, {"low", 8, false},        {"high", 8, false},
};

typedef struct pair {
    const char *scheme;
    contestant packed, unpacked;
} pair;

static const pair pairs[] = {
    {"published", PUBLISHED_PACKED, PUBLISHED_UNPACKED},
    {"blended", BLENDED_PACKED, BLENDED_UNPACKED},
    {"library", PACKED, UNPACKED},
};

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof values[0], compare);
    return values[ROUNDS / 2];
}

static void write_pair(table *t, const pair *of, double seconds[ROUNDS][CONTESTANT_COUNT])
{
    double packed[ROUNDS], unpacked[ROUNDS], ratios[ROUNDS];
    for (int i = 0; i < ROUNDS; ++i) {
        packed[i] = seconds[i][of->packed];
        unpacked[i] = seconds[i][of->unpacked];
        ratios[i] = unpacked[i] / packed[i];
    }
    table_text(t, of->scheme);
    table_number(t, 1e6 * median(packed));
    table_number(t, 1e6 * median(unpacked));
    table_number(t, median(ratios));
    table_number(t, ratios[ROUNDS / 4]);
    table_number(t, ratios[3 * ROUNDS / 4]);
}

/* Rounds in which all contestants take turns: times drift on a machine that is shared, the ratios
 * within a round hardly do. */
static void measure_packing(race *r)
{
    double seconds[ROUNDS][CONTESTANT_COUNT];
    table t;
    race_begin(r, "packing");
    for (int i = 0; i < ROUNDS; ++i)
        race_run(r, &published_net, seconds[i]);
    table_open(&t, r->b->out, "packing", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
        write_pair(&t, &pairs[i], seconds);
    table_close(&t);
}

/* ---- Larger tasks */

static const column fit_columns[] = {
    {"layout", 10, true},
    {"texture", 7, false},
    {"patterns", 8, false},
    {"step_us", 11, false},
};

/* The most patterns that textures of this limit can hold, and a step of the published scheme with
 * so many. */
static void measure_fits(race *r, int limit)
{
    static const contestant who[] = {PUBLISHED_UNPACKED, PUBLISHED_PACKED};
    net_case of = published_net;
    double seconds[2][CONTESTANT_COUNT];
    int patterns[2];
    table t;
    r->left_out = ~(1u << PUBLISHED_UNPACKED | 1u << PUBLISHED_PACKED);
    r->texture_limit = limit;
    race_begin(r, "fits");
    for (int packed = 0; packed < 2; ++packed) {
        patterns[packed] = of.batch = published_capacity(&of, packed, limit);
        race_run(r, &of, seconds[packed]);
    }
    table_open(&t, r->b->out, "fits", fit_columns, sizeof fit_columns / sizeof fit_columns[0]);
    for (int packed = 0; packed < 2; ++packed) {
        table_text(&t, glnn_layout_name(contestants[who[packed]].layout));
        table_number(&t, limit);
        table_number(&t, patterns[packed]);
        table_number(&t, 1e6 * seconds[packed][who[packed]]);
    }
    table_close(&t);
}

/* ---- The published figures */

static void sweep_hidden(race *r)
{
    race_begin(r, "hidden");
    for (int hidden = 4; hidden <= 1024; hidden *= 2)
        race_run(r, &(net_case){2, hidden, 1, published_net.batch, false, 0}, NULL);
}

static void sweep_patterns(race *r, int hidden)
{
    const int factor = r->b->full ? 2 : 4;
    race_begin(r, "patterns");
    for (int patterns = 4; patterns <= 1 << 14; patterns *= factor)
        race_run(r, &(net_case){2, hidden, 1, patterns, false, 0}, NULL);
}

/* ---- The program */

typedef struct settings {
    bench b;
    int texture;
} settings;

/* The chip of the published times had textures of up to 4096 x 4096 texels. */
static const option_row rows[] = {
    {"texture", OPTION_INTEGER, offsetof(settings, texture), "N", "4096",
     "rows and columns of the largest texture, which limit the patterns that fit", .low = 65,
     .high = 16384},
};

int main(int argc, char **argv)
{
    static const int units[] = {4, 64, 256, 1024};
    static const option_table own = {
        .program = "bench_backprop",
        .summary = "Measures the published scheme against today's steps.",
        .rows = rows,
        .count = sizeof rows / sizeof *rows,
        .size = sizeof(settings),
    };
    settings s;
    race r;
    bench_open_own(&s.b, &own, argc, argv);
    s.b.longest = fmax(s.b.longest, longest_step);
    race_open(&r, &s.b, "backprop");
    measure_packing(&r);
    r.left_out = 1u << TILED_HALF | 1u << PACKED_HALF | 1u << BLENDED_PACKED |
                 1u << BLENDED_UNPACKED | 1u << ORIGINAL_SCHEME | 1u << BLAS_ONE;
    sweep_hidden(&r);
    for (int i = 0; i < 4; ++i)
        sweep_patterns(&r, units[i]);
    measure_fits(&r, s.texture);
    race_close(&r);
    return bench_close(&s.b);
}
