#include "common/contest.h"

#include <math.h>
#include <string.h>

#include "common/cpu.h"
#include "selftest/half.h"

const contestant_info contestants[CONTESTANT_COUNT] = {
    [TILED] = {"tiled", ON_DEVICE, GLNN_LAYOUT_TILED, 0, 0},
    [PACKED] = {"packed", ON_DEVICE, GLNN_LAYOUT_PACKED, 0, 0},
    [UNPACKED] = {"unpacked", ON_DEVICE, GLNN_LAYOUT_UNPACKED, 0, 0},
    [TILED_HALF] = {"tiled float16", ON_DEVICE, GLNN_LAYOUT_TILED, GLNN_STORAGE_FLOAT16, 0},
    [PACKED_HALF] = {"packed float16", ON_DEVICE, GLNN_LAYOUT_PACKED, GLNN_STORAGE_FLOAT16, 0},
    [ORIGINAL_SCHEME] = {"original", ORIGINAL, GLNN_LAYOUT_UNPACKED, 0, 0},
    [PUBLISHED_PACKED] = {"published packed", PUBLISHED, GLNN_LAYOUT_PACKED, 0, 0},
    [PUBLISHED_UNPACKED] = {"published unpacked", PUBLISHED, GLNN_LAYOUT_UNPACKED, 0, 0},
    [BLENDED_PACKED] = {"blended packed", BLENDED, GLNN_LAYOUT_PACKED, 0, 0},
    [BLENDED_UNPACKED] = {"blended unpacked", BLENDED, GLNN_LAYOUT_UNPACKED, 0, 0},
    [PLAIN_C] = {"C", IN_C, 0, 0, 0},
    [BLAS_ONE] = {"OpenBLAS 1", IN_BLAS, 0, 0, 1},
    [BLAS_ALL] = {"OpenBLAS all", IN_BLAS, 0, 0, 0},
};

/* Of a pass of a product by BLENDED. */
enum { BLENDED_COLUMNS = 12 };

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
    return !runs_on_device(who) || b->layout == GLNN_LAYOUT_AUTO ||
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
    const glnn__problem *problem;
    glnn__operation_run *run;
    const glnn_matrix *operands[GLNN__MOST_OPERANDS];
    glnn_matrix *out[2];
} device_work;

typedef struct cpu_work {
    glnn__problem *problem;
    cpu_fn *run;
} cpu_work;

static void run_device(void *state, int turn)
{
    const device_work *w = state;
    CHECK(w->run(w->ctx, w->problem, w->operands, w->out[turn & 1]));
}

/* A product in passes that blending adds up. */
static glnn_status run_blended(glnn_context *ctx, const glnn__problem *p,
                               const glnn_matrix *const operands[], glnn_matrix *out)
{
    glnn_gemm_desc desc = p->op->gemm;
    desc.slice = BLENDED_COLUMNS;
    desc.accumulate = GLNN_ACCUMULATE_BLEND;
    return glnn_gemm(ctx, &desc, p->op->alpha, operands[0], operands[1], p->op->beta, out);
}

static void run_cpu(void *state, int turn)
{
    const cpu_work *w = state;
    (void)turn;
    w->run(w->problem);
}

static glnn_matrix *matrix_of(bench *b, glnn__elements a, glnn_layout layout, glnn_storage storage,
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

/* How a contestant stores an operand. Numbers of rows are exact in 16 bits up to 2048 alone. */
static glnn_storage operand_storage(const glnn__operation *op, contestant who, int number)
{
    return op->operands[number].range == GLNN__RANGE_ROWS ? GLNN_STORAGE_FLOAT32
                                                          : contestants[who].storage;
}

static glnn_storage out_storage(const glnn__operation *op, contestant who)
{
    const bool sums = op->kind == GLNN__KIND_PRODUCT || op->kind == GLNN__KIND_REDUCTION;
    return sums ? GLNN_STORAGE_FLOAT32 : contestants[who].storage;
}

static void judge(contest *c, const glnn__problem *p, contestant who)
{
    double worst;
    CHECK(glnn__problem_error(p, out_storage(p->op, who), &worst));
    if (!(worst <= 1))
        bench_wrong(c->b, "%s of m %d, n %d, k %d by %s: an error of %.3g times its bound",
                    p->op->name, p->size.m, p->size.n, p->size.k, contestants[who].name, worst);
}

/* The second output, which later turns wrote, must be the first one's bits. */
static void judge_again(contest *c, const device_work *w, contestant who)
{
    const glnn__problem *p = w->problem;
    const size_t bytes = glnn__elements_count(p->out) * sizeof *p->out.data;
    float *again = allocate(bytes, 1);
    CHECK(glnn_matrix_download(w->ctx, w->out[1], NULL, again, 0));
    if (memcmp(again, p->out.data, bytes) != 0)
        bench_wrong(c->b, "%s of m %d, n %d, k %d by %s: another result when repeated", p->op->name,
                    p->size.m, p->size.n, p->size.k, contestants[who].name);
    free(again);
}

/* The former content of the output, rounded as it was stored. */
static glnn__elements stored_former(const glnn__problem *p, glnn_storage storage)
{
    glnn__elements stored = p->former;
    const size_t count = glnn__elements_count(stored);
    stored.data = allocate(count, sizeof(float));
    for (size_t i = 0; i < count; ++i) {
        const double value = (double)p->former.data[i];
        stored.data[i] = (float)(storage == GLNN_STORAGE_FLOAT16 ? glnn__half_of(value) : value);
    }
    return stored;
}

/* Judges the result by the operands as they are stored. */
static void judge_device(contest *c, const device_work *w, contestant who)
{
    glnn__problem stored = *w->problem;
    stored.former = stored_former(&stored, out_storage(stored.op, who));
    CHECK(glnn_matrix_download(w->ctx, w->out[0], NULL, stored.out.data, 0));
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        if (w->operands[i]) {
            stored.operand[i].data =
                allocate(glnn__elements_count(stored.operand[i]), sizeof(float));
            CHECK(glnn_matrix_download(w->ctx, w->operands[i], NULL, stored.operand[i].data, 0));
        }
    judge(c, &stored, who);
    free(stored.former.data);
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        if (w->operands[i])
            free(stored.operand[i].data);
}

static timing time_device(contest *c, glnn__problem *p, contestant who, double *passes)
{
    bench *b = c->b;
    glnn_counters counters = {.size = sizeof counters};
    const glnn_layout layout = contestants[who].layout;
    glnn_matrix *operands[GLNN__MOST_OPERANDS];
    device_work w = {.ctx = b->ctx,
                     .problem = p,
                     .run = contestants[who].kind == BLENDED ? run_blended : p->op->run};
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        w.operands[i] = operands[i] =
            matrix_of(b, p->operand[i], layout, operand_storage(p->op, who, i), "operand");
    for (int i = 0; i < 2; ++i)
        w.out[i] = matrix_of(b, p->former, layout, out_storage(p->op, who), "out");
    run_device(&w, 0);
    judge_device(c, &w, who);
    /* The first large product of a context comes with passes that time the device. */
    glnn_context_reset_counters(b->ctx);
    run_device(&w, 1);
    CHECK(glnn_context_get_counters(b->ctx, &counters));
    *passes = (double)counters.passes;
    const timing t = bench_time(b, b->ctx, run_device, &w);
    if (!p->op->adds)
        judge_again(c, &w, who);
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        glnn_matrix_destroy(operands[i]);
    glnn_matrix_destroy(w.out[0]);
    glnn_matrix_destroy(w.out[1]);
    return t;
}

static timing time_cpu(contest *c, const measurement *what, glnn__problem *p, contestant who)
{
    const contestant_info *info = &contestants[who];
    cpu_work w = {p, info->kind == IN_C ? what->plain : what->blas};
    if (info->kind == IN_BLAS)
        cpu_blas_threads(info->threads);
    run_cpu(&w, 0);
    judge(c, p, who);
    return bench_time(c->b, NULL, run_cpu, &w);
}

/* ---- Rows */

/* The bytes that must at least be read and written. */
static double bytes_of(const glnn__problem *p, contestant who)
{
    const double of_storage[] = {[GLNN_STORAGE_FLOAT32] = 4, [GLNN_STORAGE_FLOAT16] = 2};
    const double outs = p->op->adds ? 2 : 1;
    double bytes =
        outs * of_storage[out_storage(p->op, who)] * (double)glnn__elements_count(p->out);
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        bytes += of_storage[operand_storage(p->op, who, i)] *
                 (double)glnn__elements_count(p->operand[i]);
    return bytes;
}

static void write_row(contest *c, const glnn__problem *p, contestant who, timing t, double passes)
{
    const limits *l = &c->limits;
    const contestant_info *info = &contestants[who];
    const double flops = glnn__operation_flops(p->op, p->size) / t.median;
    const double bytes = bytes_of(p, who) / t.median;
    const bool is_device = runs_on_device(who), is_product = p->op->kind == GLNN__KIND_PRODUCT;
    const double fetch = limits_product(l, info->layout, info->storage);
    const double peak = 2 * l->rates[PROBE_MULTIPLY_ADD];
    table_text(&c->table, p->op->name);
    table_number(&c->table, p->size.m);
    table_number(&c->table, p->size.n);
    table_number(&c->table, is_product ? (double)p->size.k : NAN);
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

static bool enters(const contest *c, const measurement *what, contestant who, double work)
{
    if (contestants[who].kind == IN_BLAS && !what->blas)
        return false;
    if (contestant_is_historic(who) && !(contestants[who].kind == BLENDED && what->is_historic))
        return false;
    return contestant_enters(c->b, who) && c->per_work[who] * work <= c->b->longest;
}

void contest_run(contest *c, const measurement *what, glnn__sizes of,
                 double seconds[CONTESTANT_COUNT])
{
    glnn__problem p;
    CHECK(glnn__problem_create(measurement_operation(what), of, &p));
    const double work = fmax(glnn__operation_flops(p.op, of), bytes_of(&p, PLAIN_C));
    if (c->latest != what)
        memset(c->per_work, 0, sizeof c->per_work);
    c->latest = what;
    for (int who = 0; who < CONTESTANT_COUNT; ++who) {
        double passes = 0;
        if (seconds)
            seconds[who] = NAN;
        if (!enters(c, what, (contestant)who, work))
            continue;
        glnn__problem_reset(&p);
        const timing t = runs_on_device((contestant)who)
                             ? time_device(c, &p, (contestant)who, &passes)
                             : time_cpu(c, what, &p, (contestant)who);
        c->per_work[who] = t.median / work;
        write_row(c, &p, (contestant)who, t, passes);
        if (seconds)
            seconds[who] = t.median;
    }
    glnn__problem_free(&p);
}
