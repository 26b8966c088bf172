#include "common/contest.h"

#include <math.h>
#include <string.h>

#include "common/cpu.h"

const contestant_info contestants[CONTESTANT_COUNT] = {
    [TILED] = {"tiled", ON_DEVICE, GLNN_LAYOUT_TILED, 0, 0},
    [PACKED] = {"packed", ON_DEVICE, GLNN_LAYOUT_PACKED, 0, 0},
    [UNPACKED] = {"unpacked", ON_DEVICE, GLNN_LAYOUT_UNPACKED, 0, 0},
    [TILED_HALF] = {"tiled float16", ON_DEVICE, GLNN_LAYOUT_TILED, GLNN_STORAGE_FLOAT16, 0},
    [PACKED_HALF] = {"packed float16", ON_DEVICE, GLNN_LAYOUT_PACKED, GLNN_STORAGE_FLOAT16, 0},
    [ORIGINAL_PACKED] = {"original packed", ORIGINAL, GLNN_LAYOUT_PACKED, 0, 0},
    [ORIGINAL_UNPACKED] = {"original unpacked", ORIGINAL, GLNN_LAYOUT_UNPACKED, 0, 0},
    [PUBLISHED_PACKED] = {"published packed", PUBLISHED, GLNN_LAYOUT_PACKED, 0, 0},
    [PUBLISHED_UNPACKED] = {"published unpacked", PUBLISHED, GLNN_LAYOUT_UNPACKED, 0, 0},
    [BLENDED_PACKED] = {"blended packed", BLENDED, GLNN_LAYOUT_PACKED, 0, 0},
    [BLENDED_UNPACKED] = {"blended unpacked", BLENDED, GLNN_LAYOUT_UNPACKED, 0, 0},
    [PLAIN_C] = {"C", IN_C, 0, 0, 0},
    [BLAS_ONE] = {"OpenBLAS 1", IN_BLAS, 0, 0, 1},
    [BLAS_ALL] = {"OpenBLAS all", IN_BLAS, 0, 0, 0},
};

static const column columns[] = {
    {"operation", 14, true},
    {"m", 5, false},
    {"n", 5, false},
    {"k", 5, false},
    {"who", 18, true},
    {"median_us", 11, false},
    {"low_us", 11, false},
    {"high_us", 11, false},
    {"passes", 6, false},
    {"gflops", 8, false},
    {"gbytes", 8, false},
    {"fetch_percent", 13, false},
    {"peak_percent", 12, false},
    {"copy_percent", 12, false},
};

static bool runs_on_device(contestant who)
{
    return contestants[who].kind != IN_C && contestants[who].kind != IN_BLAS;
}

bool contestant_is_historic(contestant who)
{
    return runs_on_device(who) && contestants[who].kind != ON_DEVICE;
}

bool contestant_enters(const bench *b, contestant who)
{
    if (!bench_has(b, runs_on_device(who) ? BENCH_DEVICE : BENCH_CPU))
        return false;
    return !runs_on_device(who) || b->layout == GLNN_LAYOUT_COUNT ||
           b->layout == (int)contestants[who].layout;
}

void contest_open(contest *c, bench *b, const char *name)
{
    *c = (contest){.b = b};
    limits_measure(b, &c->limits);
    table_open(&c->table, b->out, name, columns, sizeof columns / sizeof columns[0]);
}

void contest_close(contest *c)
{
    table_close(&c->table);
}

/* ---- Work */

typedef struct device_work {
    glnn_context *ctx;
    device_fn *run;
    glnn_matrix *x, *y, *out[2];
} device_work;

typedef struct cpu_work {
    const operands *in;
    void (*run)(const operands *in);
} cpu_work;

static void run_device(void *state, int turn)
{
    const device_work *w = state;
    CHECK(w->run(w->ctx, w->x, w->y, w->out[turn & 1]));
}

static void run_cpu(void *state, int turn)
{
    const cpu_work *w = state;
    (void)turn;
    w->run(w->in);
}

static glnn_matrix *matrix_of(bench *b, array a, glnn_layout layout, glnn_storage storage,
                              const char *name)
{
    glnn_matrix *m = NULL;
    if (a.rows > 0)
        CHECK(glnn_matrix_create(b->ctx,
                                 &(glnn_matrix_desc){.rows = a.rows,
                                                     .columns = a.columns,
                                                     .layout = layout,
                                                     .storage = storage,
                                                     .data = a.data,
                                                     .name = name},
                                 &m));
    return m;
}

/* How a contestant stores each operand. Numbers of rows are exact in 16 bits up to 2048 alone. */
static storages storages_of(const operation *op, contestant who)
{
    const glnn_storage storage = contestants[who].storage;
    const bool sums = op->family == FAMILY_PRODUCT || op->family == FAMILY_REDUCTION;
    return (storages){storage, op->y_is_index ? GLNN_STORAGE_FLOAT32 : storage,
                      sums ? GLNN_STORAGE_FLOAT32 : storage};
}

static void judge(contest *c, const operation *op, const operands *in, contestant who)
{
    const double worst = operands_judge(op, in, storages_of(op, who).out);
    if (!(worst <= 1))
        bench_wrong(c->b, "%s of m %d, n %d, k %d by %s: an error of %.3g times its bound",
                    op->name, in->size.m, in->size.n, in->size.k, contestants[who].name, worst);
}

/* The second output, which later turns wrote, must be the first one's bits. */
static void judge_again(contest *c, const operation *op, const device_work *w, const operands *in,
                        contestant who)
{
    const size_t bytes = (size_t)in->out.rows * (size_t)in->out.columns * sizeof *in->out.data;
    float *again = allocate(bytes, 1);
    CHECK(glnn_matrix_download(w->ctx, w->out[1], NULL, again, 0));
    if (memcmp(again, in->out.data, bytes) != 0)
        bench_wrong(c->b, "%s of m %d, n %d, k %d by %s: another result when repeated", op->name,
                    in->size.m, in->size.n, in->size.k, contestants[who].name);
    free(again);
}

/* Judges the result by the operands as they are stored. */
static void judge_device(contest *c, const operation *op, const device_work *w, const operands *in,
                         contestant who)
{
    operands stored = *in;
    CHECK(glnn_matrix_download(w->ctx, w->out[0], NULL, in->out.data, 0));
    stored.x.data = allocate(array_length(in->x), sizeof(float));
    CHECK(glnn_matrix_download(w->ctx, w->x, NULL, stored.x.data, 0));
    if (w->y) {
        stored.y.data = allocate(array_length(in->y), sizeof(float));
        CHECK(glnn_matrix_download(w->ctx, w->y, NULL, stored.y.data, 0));
    }
    judge(c, op, &stored, who);
    free(stored.x.data);
    if (w->y)
        free(stored.y.data);
}

static timing time_device(contest *c, const operation *op, operands *in, contestant who,
                          double *passes)
{
    bench *b = c->b;
    glnn_counters counters;
    const glnn_layout layout = contestants[who].layout;
    const storages stored = storages_of(op, who);
    device_work w = {b->ctx,
                     contestants[who].kind == ORIGINAL ? op->original : op->device,
                     matrix_of(b, in->x, layout, stored.x, "x"),
                     matrix_of(b, in->y, layout, stored.y, "y"),
                     {NULL, NULL}};
    for (int i = 0; i < 2; ++i)
        w.out[i] = matrix_of(b, in->out, layout, stored.out, "out");
    run_device(&w, 0);
    judge_device(c, op, &w, in, who);
    /* The first large product of a context comes with passes that time the device. */
    glnn_context_reset_counters(b->ctx);
    run_device(&w, 1);
    CHECK(glnn_context_get_counters(b->ctx, &counters));
    *passes = (double)counters.passes;
    const timing t = bench_time(b, b->ctx, run_device, &w);
    if (!op->in_place)
        judge_again(c, op, &w, in, who);
    glnn_matrix_destroy(w.x);
    glnn_matrix_destroy(w.y);
    glnn_matrix_destroy(w.out[0]);
    glnn_matrix_destroy(w.out[1]);
    return t;
}

static timing time_cpu(contest *c, const operation *op, operands *in, contestant who)
{
    const contestant_info *info = &contestants[who];
    cpu_work w = {in, info->kind == IN_C ? op->plain : op->blas};
    if (info->kind == IN_BLAS)
        cpu_blas_threads(info->threads);
    run_cpu(&w, 0);
    judge(c, op, in, who);
    return bench_time(c->b, NULL, run_cpu, &w);
}

/* ---- Rows */

static void write_row(contest *c, const operation *op, const operands *in, contestant who, timing t,
                      double passes)
{
    const limits *l = &c->limits;
    const contestant_info *info = &contestants[who];
    const double flops = operation_flops(op, in->size) / t.median;
    const double bytes = operation_bytes(in, storages_of(op, who)) / t.median;
    const bool is_device = runs_on_device(who), is_product = op->family == FAMILY_PRODUCT;
    const double fetch = limits_product(l, info->layout, info->storage);
    const double peak = 2 * l->rates[PROBE_MULTIPLY_ADD];
    table_text(&c->table, op->name);
    table_number(&c->table, in->size.m);
    table_number(&c->table, in->size.n);
    table_number(&c->table, is_product ? (double)in->size.k : NAN);
    table_text(&c->table, info->name);
    table_number(&c->table, 1e6 * t.median);
    table_number(&c->table, 1e6 * t.low);
    table_number(&c->table, 1e6 * t.high);
    table_number(&c->table, is_device ? passes : NAN);
    table_number(&c->table, flops > 0 ? 1e-9 * flops : NAN);
    table_number(&c->table, 1e-9 * bytes);
    table_number(&c->table, is_device && is_product ? 100 * flops / fetch : NAN);
    table_number(&c->table, is_device && is_product ? 100 * flops / peak : NAN);
    table_number(&c->table, is_device ? 100 * bytes / l->copy[info->layout] : NAN);
}

static bool enters(const contest *c, const operation *op, contestant who, double work)
{
    if (contestants[who].kind == IN_BLAS && !op->blas)
        return false;
    if (contestant_is_historic(who) && !(contestants[who].kind == ORIGINAL && op->original))
        return false;
    return contestant_enters(c->b, who) && c->per_work[who] * work <= c->b->longest;
}

void contest_run(contest *c, const operation *op, size s, double seconds[CONTESTANT_COUNT])
{
    operands in = operands_new(op, s);
    const double work = fmax(operation_flops(op, s), operation_bytes(&in, (storages){0}));
    if (c->op != op)
        memset(c->per_work, 0, sizeof c->per_work);
    c->op = op;
    for (int who = 0; who < CONTESTANT_COUNT; ++who) {
        double passes = 0;
        if (seconds)
            seconds[who] = NAN;
        if (!enters(c, op, (contestant)who, work))
            continue;
        operands_reset(op, &in);
        const timing t = runs_on_device((contestant)who)
                             ? time_device(c, op, &in, (contestant)who, &passes)
                             : time_cpu(c, op, &in, (contestant)who);
        c->per_work[who] = t.median / work;
        write_row(c, op, &in, (contestant)who, t, passes);
        if (seconds)
            seconds[who] = t.median;
    }
    operands_free(&in);
}
