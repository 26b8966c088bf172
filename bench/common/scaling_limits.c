#include "common/scaling_limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/scaling_speeds.h"
#include "common/scaling_transfer.h"
#include "common/table.h"

enum { SIZES = 5, SIDE_OF_CHAIN = 512, COLUMNS = 1024 };

static const column columns[] = {
    {"limit", 30, true},  {"bytes", 10, false}, {"us", 10, false},
    {"value", 10, false}, {"unit", 6, true},
};

static table results;

static void row(const char *limit, size_t bytes, double seconds, double value, const char *unit)
{
    table_text(&results, limit);
    table_number(&results, (double)bytes);
    table_number(&results, 1e6 * seconds);
    table_number(&results, value);
    table_text(&results, unit);
}

/* Returns the speed. */
static double speed_row(const char *limit, size_t bytes, double seconds)
{
    const double speed = (double)bytes / seconds;
    row(limit, bytes, seconds, 1e-6 * speed, "MB/s");
    return speed;
}

static size_t size_of(const bench *b, int i)
{
    static const size_t floats[SIZES] = {1, 1 << 13, 1 << 16, 1 << 20, 12 << 20};
    return sizeof(float) * (b->quick && i == SIZES - 1 ? 4 << 20 : floats[i]);
}

/* ---- Between the device and main memory */

typedef struct chain {
    glnn_context *ctx;
    transfer *transfer;
    glnn_matrix *factors[2], *products[2];
    int length; /* products */
} chain;

static void read_back(void *state, int turn)
{
    (void)turn;
    transfer_begin_readback(state);
    transfer_end_readback(state);
}

static void upload(void *state, int turn)
{
    (void)turn;
    transfer_upload(state);
}

static void transfer_both(void *state, int turn)
{
    read_back(state, turn);
    upload(state, turn);
}

static void multiply(const chain *c, int first, int count)
{
    for (int i = first; i < first + count; ++i)
        CHECK(glnn_gemm(c->ctx, NULL, 1, c->factors[0], c->factors[1], 0, c->products[i & 1]));
}

static void run_chain(void *state, int turn)
{
    const chain *c = state;
    (void)turn;
    multiply(c, 0, c->length);
}

/* As in a training: the device makes passes while the transfers are under way. */
static void run_chain_with_transfers(void *state, int turn)
{
    const chain *c = state;
    const int half = c->length / 2;
    (void)turn;
    transfer_begin_readback(c->transfer);
    multiply(c, 0, half);
    transfer_end_readback(c->transfer);
    transfer_upload(c->transfer);
    multiply(c, half, c->length - half);
}

/* The share of transfers in which the device makes no pass. */
static double measure_delay(const group *g, transfer *t)
{
    chain c = {.ctx = t->ctx, .transfer = t, .length = 8};
    for (int i = 0; i < 2; ++i) {
        const glnn_matrix_desc desc = {.rows = SIDE_OF_CHAIN, .columns = SIDE_OF_CHAIN};
        CHECK(glnn_matrix_create(t->ctx, &desc, &c.factors[i]));
        CHECK(glnn_matrix_create(t->ctx, &desc, &c.products[i]));
    }
    const double one = group_time(g, t->ctx, run_chain, &c).mean / c.length;
    const double both = group_time(g, t->ctx, transfer_both, t).mean;
    c.length = (int)group_gather(g, fmin(ceil(3 * both / one), 4096)).most;
    const double passes = group_time(g, t->ctx, run_chain, &c).mean;
    const double together = group_time(g, t->ctx, run_chain_with_transfers, &c).mean;
    for (int i = 0; i < 2; ++i) {
        glnn_matrix_destroy(c.factors[i]);
        glnn_matrix_destroy(c.products[i]);
    }
    return fmin(fmax((together - passes) / both, 0), 1);
}

static void measure_transfers(bench *b, const group *g, cost_speeds *speeds)
{
    for (int i = 0; i < SIZES; ++i) {
        const int count = (int)(size_of(b, i) / sizeof(float));
        const int columns_of = count > COLUMNS ? COLUMNS : 1;
        transfer t = transfer_new(b->ctx, g->host_ranks, count / columns_of, columns_of);
        const double down = group_time(g, b->ctx, read_back, &t).mean;
        const double up = group_time(g, b->ctx, upload, &t).mean;
        speeds->readback = speed_row("readback", t.bytes, down);
        speeds->upload = speed_row("upload", t.bytes, up);
        if (i == 0)
            speeds->transfer = fmax(down, up);
        if (i == SIZES - 1) {
            speeds->delay = measure_delay(g, &t);
            row("share that delays passes", t.bytes, NAN, 100 * speeds->delay, "%");
        }
        transfer_free(&t);
    }
}

/* ---- In main memory and between processes */

typedef struct message {
    const group *group;
    const glnn_messenger *messenger;
    float *values, *others;
    size_t count;
} message;

static void add(void *state, int turn)
{
    const message *m = state;
    float *restrict values = m->values;
    const float *restrict others = m->others;
    (void)turn;
    for (size_t i = 0; i < m->count; ++i)
        values[i] += others[i];
}

static void copy(void *state, int turn)
{
    const message *m = state;
    (void)turn;
    memcpy(m->values, m->others, m->count * sizeof *m->values);
}

static void sum(void *state, int turn)
{
    const message *m = state;
    (void)turn;
    void *user = m->messenger->user;
    group_check(m->group, m->messenger->begin_sum(user, 0, m->values, m->count));
    group_check(m->group, m->messenger->end(user, 0));
}

static void measure_sums(bench *b, message *m, const char *name)
{
    for (int i = 0; i < SIZES; ++i) {
        m->count = size_of(b, i) / sizeof *m->values;
        speed_row(name, size_of(b, i), group_time(m->group, NULL, sum, m).most);
    }
}

/* The speeds of the model, as a training measures them for its plan; the transfers of one process
 * alone, and the delay, are those of the table. */
static void measure_speeds(bench *b, const group *g, int numbers, cost_speeds *speeds)
{
    const glnn_exchange_desc desc = {.messenger = g->messenger};
    const double delay = speeds->delay, bucket = speeds->bucket;
    glnn__exchange *exchange;
    CHECK(glnn__exchange_create(b->ctx, &desc, &exchange));
    CHECK(glnn__gl_enter(b->ctx));
    CHECK(glnn__gl_leave(b->ctx, speeds_measure(exchange, numbers, speeds)));
    glnn__exchange_destroy(exchange);
    speeds->delay = delay;
    speeds->bucket = bucket;
}

/* The numbers are in memory of the messenger, if it has some. */
static void measure_way(bench *b, const group *g, const scaling_way *way)
{
    const glnn_messenger *messenger = way->messenger;
    const size_t most = size_of(b, SIZES - 1);
    message m = {.group = g, .messenger = messenger};
    void *values;
    group_check(g, messenger->allocate(messenger->user, most, &values));
    m.values = memset(values, 0, most);
    measure_sums(b, &m, way->name);
    messenger->release(messenger->user, values);
}

static void measure_messages(bench *b, const group *g, const scaling_way *ways, int count,
                             cost_speeds *speeds)
{
    const size_t most = size_of(b, SIZES - 1);
    message m = {g, g->messenger, allocate(most, 1), allocate(most, 1), most / sizeof(float)};
    speeds->add = speed_row("addition, one core", most, group_time(g, NULL, add, &m).mean);
    speeds->link = speed_row("copy in main memory", most, group_time(g, NULL, copy, &m).mean);
    if (g->ranks > 1) {
        for (int i = 0; i < count; ++i)
            measure_way(b, g, &ways[i]);
        measure_speeds(b, g, (int)(most / sizeof(float)), speeds);
        row("latency of a message", 4, speeds->latency, NAN, "");
        row("speed of messages", most, NAN, 1e-6 * speeds->link, "MB/s");
    }
    free(m.values);
    free(m.others);
}

void scaling_measure_limits(bench *b, const group *g, const scaling_way *ways, int count,
                            scaling_figures *figures)
{
    table_open(&results, b->out, "scaling_limits", columns, sizeof columns / sizeof columns[0]);
    measure_transfers(b, g, &figures->speeds);
    measure_messages(b, g, ways, count, &figures->speeds);
    table_close(&results);
}
