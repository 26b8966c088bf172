/* bench_lvq - training steps of GLVQ: samples a second against the size of a batch, for each way to
 * search and for the CPU; the parts of a step's time; and data sets that stream. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "common/cpu.h"
#include "common/glvq_stream.h"
#include "common/limits.h"
#include "common/table.h"

enum { FEATURES = 160, CLASSES = 3755, FEW_CLASSES = 128, SAMPLES = 16384, MOST_BATCHES = 128 };

/* Seconds of an epoch, which is a unit of work. */
static const double wanted_epoch = 0.1;

typedef struct rival {
    const char *name;
    bool is_device;
    glnn_search search; /* on the device   */
    glvq_way way;       /* on the CPU      */
    int threads;        /* BLAS; 0: all    */
} rival;

/* The first is what the others are compared with. */
static const rival rivals[] = {
    {"C", false, 0, GLVQ_PLAIN, 1},
    {"C unrolled", false, 0, GLVQ_UNROLLED, 1},
    {"OpenBLAS 1", false, 0, GLVQ_BLAS, 1},
    {"OpenBLAS all", false, 0, GLVQ_BLAS, 0},
    {"auto", true, GLNN_SEARCH_AUTO, 0, 0},
    {"tiles", true, GLNN_SEARCH_TILES, 0, 0},
    {"reduction", true, GLNN_SEARCH_REDUCTION, 0, 0},
    {"fused", true, GLNN_SEARCH_FUSED, 0, 0},
};
enum { RIVALS = sizeof rivals / sizeof rivals[0] };

static const column columns[] = {
    {"prototypes", 10, false},      {"batch", 5, false},          {"who", 12, true},
    {"step_us", 10, false},         {"low_us", 0, false},         {"high_us", 0, false},
    {"samples_per_s", 13, false},   {"times_c", 7, false},        {"passes", 6, false},
    {"distance_us", 11, false},     {"minimum_us", 10, false},    {"update_us", 9, false},
    {"product_percent", 15, false}, {"fetch_percent", 13, false}, {"in_tiles_us", 11, false},
    {"in_slices_us", 12, false},
};

/* Features of a slice, if a reduction over the features computes the distances. */
enum { SLICE = 16 };

static const column kernel_columns[] = {
    {"prototypes", 10, false}, {"batch", 5, false}, {"kernel", 14, true},
    {"passes", 6, false},      {"us", 9, false},    {"percent", 7, false},
};

/* The kernels of a case, by the planner's choice. */
typedef struct kept_split {
    glvq_case of;
    glvq_split split;
} kept_split;

enum { MOST_CASES = 32 };

typedef struct race {
    bench *b;
    bool is_published; /* the sizes and ways of the published figures */
    limits limits;
    glnn_layout layout;
    table table;
    glvq_case of;
    glvq_data data;
    glvq_reference reference;
    double product;             /* seconds of a step's matrix product alone, as planned */
    double in_tiles, in_slices; /* the same in one piece, and in slices; 0: not measured */
    double per_sample[RIVALS];  /* seconds at the latest size             */
    int cases;
    kept_split kept[MOST_CASES];
} race;

/* The measurements of one rival in a case. */
typedef struct figures {
    timing step;
    double passes;
    double seconds[GLVQ_PHASES];
} figures;

static void judge(const race *r, const rival *who, const float *prototypes)
{
    const double worst = glvq_judge(&r->reference, prototypes);
    if (!(worst <= 1))
        bench_wrong(r->b,
                    "a step of GLVQ with %d prototypes and %d samples by %s: an error of %.3g "
                    "times its bound",
                    glvq_count(&r->of), r->of.batch, who->name, worst);
}

static timing divided(timing t, int steps)
{
    return (timing){t.median / steps, t.low / steps, t.high / steps, t.repeats};
}

/* ---- On the CPU */

typedef struct cpu_work {
    glvq g;
    const glvq_data *data;
    int steps;
} cpu_work;

static void step_cpu(void *state, int turn)
{
    cpu_work *w = state;
    glvq_step(&w->g, w->data, turn % (w->data->samples / w->g.of.batch) * w->g.of.batch);
    ++w->steps;
}

static figures run_cpu(race *r, const rival *who)
{
    figures f = {.passes = NAN};
    cpu_work w = {.g = glvq_new(&r->of, &r->data, who->way), .data = &r->data};
    cpu_blas_threads(who->threads);
    step_cpu(&w, 0);
    judge(r, who, w.g.prototypes);
    f.step = bench_time(r->b, NULL, step_cpu, &w);
    for (int phase = 0; phase < GLVQ_PHASES; ++phase)
        f.seconds[phase] = w.g.seconds[phase] / w.steps;
    glvq_free(&w.g);
    return f;
}

/* ---- On the device */

static void train_epoch(void *state, int turn)
{
    (void)turn;
    glvq_device_train(state);
}

static double passes_of(glnn_context *ctx)
{
    glnn_counters counters = {.size = sizeof counters};
    CHECK(glnn_context_get_counters(ctx, &counters));
    return (double)counters.passes;
}

static void judge_device(const race *r, const rival *who, const glvq_device *d)
{
    float *got = allocate((size_t)glvq_count(&r->of) * FEATURES, sizeof *got);
    glvq_device_take(d, &r->of, got);
    judge(r, who, got);
    free(got);
}

/* So many steps that the wait at the end of an epoch is a small part of it. */
static int choose_steps(const race *r, const glvq_device *d)
{
    const double start = glnn__clock_seconds();
    glvq_device_train(d);
    const double wanted = wanted_epoch / (glnn__clock_seconds() - start);
    return (int)fmin(fmax(wanted, 2), r->data.samples / r->of.batch);
}

static figures run_device(race *r, const rival *who)
{
    figures f;
    glnn_context *ctx = r->b->ctx;
    const glvq_choices choices = {.layout = r->layout, .search = who->search};
    glvq_device d = glvq_device_new(ctx, &r->of, &r->data, r->of.batch, choices);
    glvq_device_train(&d);
    judge_device(r, who, &d);
    glnn_context_reset_counters(ctx);
    const int steps = choose_steps(r, &d);
    const double passes = passes_of(ctx);
    glvq_device_free(&d);
    d = glvq_device_new(ctx, &r->of, &r->data, steps * r->of.batch, choices);
    glnn_context_reset_counters(ctx);
    glvq_device_train(&d);
    f.passes = (passes_of(ctx) - passes) / (steps - 1); /* without those of an epoch */
    f.step = divided(bench_time(r->b, ctx, train_epoch, &d), steps);
    glvq_device_free(&d);
    return f;
}

/* ---- Rows */

static void write_kernels(table *t, const kept_split *kept)
{
    double all = 0;
    const glvq_split *split = &kept->split;
    for (int i = 0; i < split->count; ++i)
        all += split->kernels[i].seconds;
    for (int i = 0; i < split->count; ++i) {
        table_number(t, kept->of.prototypes);
        table_number(t, kept->of.batch);
        table_text(t, split->kernels[i].name);
        table_number(t, split->kernels[i].passes);
        table_number(t, 1e6 * split->kernels[i].seconds);
        table_number(t, 100 * split->kernels[i].seconds / all);
    }
}

static void write_row(race *r, int who, const figures *f)
{
    const double per_sample = f->step.median / r->of.batch;
    const double flops = 2.0 * r->of.batch * glvq_count(&r->of) * FEATURES / f->step.median;
    const double fetch = limits_product(&r->limits, r->layout, GLNN_STORAGE_FLOAT32);
    const bool is_device = rivals[who].is_device;
    r->per_sample[who] = per_sample;
    table_number(&r->table, r->of.prototypes);
    table_number(&r->table, r->of.batch);
    table_text(&r->table, rivals[who].name);
    table_number(&r->table, 1e6 * f->step.median);
    table_number(&r->table, 1e6 * f->step.low);
    table_number(&r->table, 1e6 * f->step.high);
    table_number(&r->table, 1 / per_sample);
    table_number(&r->table, r->per_sample[0] > 0 ? r->per_sample[0] / per_sample : NAN);
    table_number(&r->table, f->passes);
    for (int phase = 0; phase < GLVQ_PHASES; ++phase)
        table_number(&r->table, 1e6 * f->seconds[phase]);
    table_number(&r->table, is_device ? 100 * r->product / f->step.median : NAN);
    table_number(&r->table, is_device ? 100 * flops / fetch : NAN);
    table_number(&r->table, r->in_tiles > 0 ? 1e6 * r->in_tiles : NAN);
    table_number(&r->table, r->in_slices > 0 ? 1e6 * r->in_slices : NAN);
}

/* ---- Cases */

/* The published figures compare the device with serial C, whose time of a sample does not depend on
 * the batch. */
static bool takes_part(const race *r, int who)
{
    const double longest = r->b->longest * (r->b->full ? 1 : 4);
    if (r->is_published && !rivals[who].is_device)
        return who == 0 && r->of.batch == 1;
    return r->per_sample[who] * r->of.batch <= longest &&
           bench_has(r->b, rivals[who].is_device ? BENCH_DEVICE : BENCH_CPU);
}

static void run_rival(race *r, int who)
{
    if (!takes_part(r, who))
        return;
    figures f = rivals[who].is_device ? run_device(r, &rivals[who]) : run_cpu(r, &rivals[who]);
    if (rivals[who].is_device) {
        const glvq_split split =
            glvq_device_split(r->b, &r->of, &r->data,
                              (glvq_choices){.layout = r->layout, .search = rivals[who].search});
        memcpy(f.seconds, split.seconds, sizeof f.seconds);
        if (rivals[who].search == GLNN_SEARCH_AUTO)
            r->kept[r->cases++] = (kept_split){r->of, split};
    }
    write_row(r, who, &f);
}

static double product_of(const race *r, int slice)
{
    return glvq_device_product(r->b, &r->of, &r->data, r->layout, slice);
}

static void run_case(race *r, int batch)
{
    int batches = SAMPLES / batch;
    batches = batches < 2 ? 2 : batches > MOST_BATCHES ? MOST_BATCHES : batches;
    r->of.batch = batch;
    r->data = glvq_data_new(&r->of, batches * batch);
    r->reference = glvq_reference_new(&r->of, &r->data);
    r->product = product_of(r, 0);
    r->in_tiles = r->is_published ? product_of(r, FEATURES) : 0;
    r->in_slices = r->is_published ? product_of(r, SLICE) : 0;
    for (int who = 0; who < RIVALS; ++who)
        run_rival(r, who);
    glvq_reference_free(&r->reference);
    glvq_data_free(&r->data);
}

static void run_cases(race *r, int prototypes)
{
    static const int few[] = {1, 16, 256, 2048};
    const int usual = r->b->quick ? 3 : 4;
    r->of = (glvq_case){r->b->quick ? FEW_CLASSES : CLASSES, prototypes, FEATURES, 0};
    memset(r->per_sample, 0, sizeof r->per_sample);
    if (r->b->full || r->is_published)
        for (int batch = 1; batch <= 8192; batch *= 2)
            run_case(r, batch);
    else if (prototypes > 1)
        run_case(r, 256);
    else
        for (int i = 0; i < usual; ++i)
            run_case(r, few[i]);
}

static void measure_steps(bench *b, bool is_published)
{
    static race r;
    r.b = b;
    r.is_published = is_published;
    r.layout = b->layout != GLNN_LAYOUT_AUTO ? (glnn_layout)b->layout : GLNN_LAYOUT_TILED;
    limits_measure(b, &r.limits);
    table_open(&r.table, b->out, "lvq", columns, sizeof columns / sizeof columns[0]);
    run_cases(&r, 1);
    run_cases(&r, 8);
    table_close(&r.table);
    table_open(&r.table, b->out, "lvq_kernels", kernel_columns,
               sizeof kernel_columns / sizeof kernel_columns[0]);
    for (int i = 0; i < r.cases; ++i)
        write_kernels(&r.table, &r.kept[i]);
    table_close(&r.table);
}

/* ---- Options */

typedef struct settings {
    bench b;
    bool stream, published;
    int samples, prototypes, window;
} settings;

static const option_row rows[] = {
    {"published", OPTION_FLAG, offsetof(settings, published),
     .help = "batches of 1 to 8192 samples, on the device and in serial C"},
    {"stream", OPTION_FLAG, offsetof(settings, stream),
     .help = "measure a data set that streams, beside the same resident"},
    {"samples", OPTION_INTEGER, offsetof(settings, samples), "N", "0",
     "samples of that set; 0: 60 000, with --quick 8 192, with --full 2 144 749", .high = 1 << 24},
    {"prototypes", OPTION_INTEGER, offsetof(settings, prototypes), "N", "1",
     "prototypes of each class, with --stream", .low = 1, .high = 64},
    {"window", OPTION_INTEGER, offsetof(settings, window), "MIB", "0",
     "texture that it streams through; 0: 16 MiB, with --full 256", .high = 65536},
};

int main(int argc, char **argv)
{
    settings s;
    const option_table own = {
        .program = "bench_lvq",
        .summary = "Measures training steps of GLVQ.",
        .rows = rows,
        .count = sizeof rows / sizeof rows[0],
        .size = sizeof s,
    };
    bench_open_own(&s.b, &own, argc, argv);
    if (s.stream)
        glvq_stream(&s.b,
                    &(glvq_case){s.b.quick ? FEW_CLASSES : CLASSES, s.prototypes, FEATURES, 2048},
                    s.samples > 0 ? s.samples : bench_choose(&s.b, 8192, 60000, 2144749),
                    (size_t)(s.window > 0 ? s.window : bench_choose(&s.b, 4, 16, 256)) << 20);
    else
        measure_steps(&s.b, s.published);
    return bench_close(&s.b);
}
