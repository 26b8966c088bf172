#include "common/race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "common/arrays.h"
#include "common/original.h"

/* Seconds of an epoch, which is a unit of work. */
static const double wanted_epoch = 0.05;
enum { FEWEST_STEPS = 2 };

static const column columns[] = {
    {"figure", 9, true},    {"inputs", 6, false},         {"hidden", 6, false},
    {"outputs", 7, false},  {"patterns", 8, false},       {"momentum", 8, false},
    {"who", 18, true},      {"step_us", 11, false},       {"low_us", 11, false},
    {"high_us", 11, false}, {"samples_per_s", 13, false}, {"passes", 6, false},
};

void race_open(race *r, bench *b, const char *name)
{
    *r = (race){.b = b, .figure = "", .texture_limit = b->info.max_texture_size};
    table_open(&r->table, b->out, name, columns, sizeof columns / sizeof columns[0]);
}

void race_close(race *r)
{
    for (int who = 0; who < CONTESTANT_COUNT; ++who)
        published_programs_free(r->programs[who]);
    table_close(&r->table);
}

void race_begin(race *r, const char *figure)
{
    r->figure = figure;
    memset(r->per_work, 0, sizeof r->per_work);
}

/* The run of one contestant in a case: a unit of work is `steps` training steps. */
typedef struct runner {
    bench *b;
    const net_case *of;
    const net_data *data;
    const net_reference *reference;
    int texture_limit;
    int steps;
    double passes; /* of one step; NAN on the CPU */
    timing timing; /* of one step */
} runner;

static void judge(const runner *r, const net_weights *got, contestant who, int additions)
{
    const net_case *of = r->of;
    const double worst = net_judge(r->reference, got, additions);
    if (!(worst <= 1))
        bench_wrong(r->b,
                    "a training step of %d-%d-%d with %d samples and momentum %g by %s: an error "
                    "of %.3g times its bound",
                    of->inputs, of->hidden, of->outputs, of->batch, (double)of->momentum,
                    contestants[who].name, worst);
}

static void time_runner(runner *r, glnn_context *ctx, work_fn work, void *state)
{
    timing t = bench_time(r->b, ctx, work, state);
    t.median /= r->steps;
    t.low /= r->steps;
    t.high /= r->steps;
    r->timing = t;
}

/* ---- The library's learner */

typedef struct learner {
    glnn_learner *network;
    glnn_dataset *data;
    int batch;
} learner;

static glnn_train_result train_once(const learner *l)
{
    glnn_train_result result = {.size = sizeof result};
    CHECK(glnn_learner_train(
        l->network, l->data,
        &(glnn_train_desc){
            .epochs = 1, .batch = l->batch, .schedule = {.rate = NET_RATE}, .keep_order = true},
        &result));
    return result;
}

static void train_epoch(void *state, int turn)
{
    (void)turn;
    train_once(state);
}

static glnn_dataset *dataset(const runner *r, int batches, contestant who)
{
    glnn_dataset *data;
    const bool has_labels = r->of->has_labels;
    CHECK(glnn_dataset_create(r->b->ctx,
                              &(glnn_dataset_desc){.samples = batches * r->of->batch,
                                                   .features = r->of->inputs,
                                                   .inputs = r->data->inputs,
                                                   .labels = r->data->labels,
                                                   .classes = has_labels ? r->of->outputs : 0,
                                                   .targets = r->data->targets,
                                                   .outputs = has_labels ? 0 : r->of->outputs,
                                                   .storage = contestants[who].storage},
                              &data));
    return data;
}

static bool is_mixed(contestant who)
{
    return contestants[who].storage == GLNN_STORAGE_FLOAT16;
}

/* The weights have a row for each input, but those of a tensor one for each unit. */
static void set_layer(glnn_learner *network, int module, int inputs, int units,
                      const float *weights)
{
    const size_t count = (size_t)inputs * (size_t)units;
    float *turned = allocate(count, sizeof *turned);
    char name[32];
    for (int i = 0; i < inputs; ++i)
        for (int j = 0; j < units; ++j)
            turned[j * inputs + i] = weights[i * units + j];
    snprintf(name, sizeof name, "%d.weight", module);
    CHECK(glnn_learner_set_tensor(network, name, count, turned));
    snprintf(name, sizeof name, "%d.bias", module);
    CHECK(glnn_learner_set_tensor(network, name, (size_t)units, weights + count));
    free(turned);
}

static void get_layer(glnn_context *ctx, const glnn_learner *network, const char *name,
                      float *weights)
{
    const glnn_matrix *matrix;
    CHECK(glnn_learner_get_tensor_matrix(network, name, &matrix));
    CHECK(glnn_matrix_download(ctx, matrix, NULL, weights, 0));
}

glnn_learner *race_network(bench *b, const net_case *of, contestant who)
{
    const glnn_activation activation =
        of->has_labels ? GLNN_ACTIVATION_RELU : GLNN_ACTIVATION_SIGMOID;
    const glnn_network_desc desc = {
        .features = of->inputs,
        .layers = {{.units = of->hidden, .activation = activation},
                   {.units = of->outputs,
                    .activation = of->has_labels ? GLNN_ACTIVATION_IDENTITY : activation}},
        .loss = of->has_labels ? GLNN_LOSS_CROSS_ENTROPY : GLNN_LOSS_SQUARED,
        .optimizer = {.momentum = of->momentum},
        .layout = contestants[who].layout,
        .precision = is_mixed(who) ? GLNN_PRECISION_MIXED : GLNN_PRECISION_FLOAT32,
        .capacity = of->batch,
    };
    glnn_learner *network;
    net_weights w = net_weights_new(of);
    CHECK(glnn_network_create(b->ctx, &desc, &network));
    set_layer(network, 0, of->inputs, of->hidden, w.layer[0]);
    set_layer(network, 2, of->hidden, of->outputs, w.layer[1]);
    net_weights_free(&w);
    return network;
}

static void judge_learner(const runner *r, const learner *l, contestant who)
{
    const net_case *of = r->of;
    net_weights got = net_weights_new(of);
    get_layer(r->b->ctx, l->network, "0.weight", got.layer[0]);
    get_layer(r->b->ctx, l->network, "2.weight", got.layer[1]);
    judge(r, &got, who, 1);
    net_weights_free(&got);
}

static double passes_of(glnn_context *ctx)
{
    glnn_counters counters = {.size = sizeof counters};
    CHECK(glnn_context_get_counters(ctx, &counters));
    return (double)counters.passes;
}

/* So many that the wait at the end of an epoch is a small part of it. */
static int choose_steps(const runner *r, const learner *l)
{
    const double start = glnn__clock_seconds();
    train_once(l);
    const double wanted = wanted_epoch / (glnn__clock_seconds() - start);
    return (int)fmin(fmax(wanted, FEWEST_STEPS), r->data->batches);
}

static void run_learner(runner *r, contestant who)
{
    glnn_context *ctx = r->b->ctx;
    learner l = {race_network(r->b, r->of, who), dataset(r, 1, who), r->of->batch};
    train_once(&l);
    judge_learner(r, &l, who);
    glnn_context_reset_counters(ctx);
    r->steps = choose_steps(r, &l);
    const double passes = passes_of(ctx);
    glnn_dataset_destroy(l.data);
    l.data = dataset(r, r->steps, who);
    glnn_context_reset_counters(ctx);
    train_once(&l);
    r->passes = (passes_of(ctx) - passes) / (r->steps - 1); /* without those of an epoch */
    time_runner(r, ctx, train_epoch, &l);
    glnn_learner_destroy(l.network);
    glnn_dataset_destroy(l.data);
}

/* ---- The original and the published scheme */

static void judge_passes(runner *r, int passes, int formula, contestant who)
{
    const net_case *of = r->of;
    r->passes = passes;
    if (passes != formula)
        bench_wrong(r->b, "a training step of %d-%d-%d with %d samples by %s: %d passes, not %d",
                    of->inputs, of->hidden, of->outputs, of->batch, contestants[who].name, passes,
                    formula);
}

static void step_original(void *state, int turn)
{
    (void)turn;
    original_step(state);
}

static void run_original(runner *r, contestant who)
{
    net_weights got = net_weights_new(r->of);
    original *o = original_new(r->b->ctx, r->of, r->data);
    r->steps = 1;
    original_step(o);
    original_weights(o, &got);
    judge(r, &got, who, 1);
    judge_passes(r, original_passes(o), original_formula(r->of), who);
    time_runner(r, r->b->ctx, step_original, o);
    original_free(o);
    net_weights_free(&got);
}

static void step_published(void *state, int turn)
{
    (void)turn;
    published_step(state);
}

static void run_published(runner *r, published_programs **programs, contestant who)
{
    const contestant_info *info = &contestants[who];
    const bool is_packed = info->layout == GLNN_LAYOUT_PACKED;
    if (!*programs)
        *programs = published_programs_new(r->b->ctx, is_packed, info->kind == BLENDED);
    net_weights got = net_weights_new(r->of);
    published *p = published_new(*programs, r->of, r->data, r->texture_limit);
    r->steps = 1;
    published_step(p);
    published_weights(p, &got);
    judge(r, &got, who, 1);
    judge_passes(r, published_passes(p), published_formula(r->of, is_packed), who);
    time_runner(r, r->b->ctx, step_published, p);
    published_free(p);
    net_weights_free(&got);
}

/* ---- The CPU */

typedef struct cpu_state {
    net net;
    const net_data *data;
} cpu_state;

static void step_cpu(void *state, int turn)
{
    cpu_state *s = state;
    net_step(&s->net, s->data, turn % s->data->batches);
}

static void run_cpu(runner *r, contestant who)
{
    const bool is_plain = contestants[who].kind == IN_C;
    cpu_state s = {net_new(r->of, is_plain ? cpu_product_plain : cpu_product_blas), r->data};
    if (!is_plain)
        cpu_blas_threads(contestants[who].threads);
    r->steps = 1;
    net_step(&s.net, r->data, 0);
    judge(r, &s.net.weights, who, r->of->batch);
    time_runner(r, NULL, step_cpu, &s);
    net_free(&s.net);
}

/* ---- Rows */

static void write_row(race *r, const net_case *of, contestant who, const runner *done)
{
    table *t = &r->table;
    table_text(t, r->figure);
    table_number(t, of->inputs);
    table_number(t, of->hidden);
    table_number(t, of->outputs);
    table_number(t, of->batch);
    table_number(t, (double)of->momentum);
    table_text(t, contestants[who].name);
    table_number(t, 1e6 * done->timing.median);
    table_number(t, 1e6 * done->timing.low);
    table_number(t, 1e6 * done->timing.high);
    table_number(t, of->batch / done->timing.median);
    table_number(t, done->passes);
}

static bool fits(const race *r, const net_case *of, contestant who)
{
    const contestant_info *info = &contestants[who];
    if (info->kind != PUBLISHED && info->kind != BLENDED)
        return true;
    return of->batch <=
           published_capacity(of, info->layout == GLNN_LAYOUT_PACKED, r->texture_limit);
}

static bool enters(const race *r, const net_case *of, contestant who, double work)
{
    if (contestant_is_historic(who) && (of->has_labels || of->momentum > 0))
        return false;
    if (r->left_out >> who & 1u || !fits(r, of, who))
        return false;
    return contestant_enters(r->b, who) && r->per_work[who] * work <= r->b->longest;
}

void race_run(race *r, const net_case *of, double seconds[CONTESTANT_COUNT])
{
    net_data data = net_data_new(of);
    net_reference references[] = {net_reference_new(of, &data, false),
                                  net_reference_new(of, &data, true)};
    const double work = 3.0 * of->batch * of->hidden * (of->inputs + of->outputs);
    for (int i = 0; i < CONTESTANT_COUNT; ++i) {
        const contestant who = (contestant)i;
        runner now = {.b = r->b,
                      .of = of,
                      .data = &data,
                      .reference = &references[is_mixed(who)],
                      .texture_limit = r->texture_limit,
                      .passes = NAN};
        if (seconds)
            seconds[who] = NAN;
        if (!enters(r, of, who, work))
            continue;
        switch (contestants[who].kind) {
        case ON_DEVICE:
            run_learner(&now, who);
            break;
        case ORIGINAL:
            run_original(&now, who);
            break;
        case PUBLISHED:
        case BLENDED:
            run_published(&now, &r->programs[who], who);
            break;
        default:
            run_cpu(&now, who);
            break;
        }
        const double rate = now.timing.median / work;
        r->per_work[who] = r->per_work[who] > 0 ? fmin(r->per_work[who], rate) : rate;
        write_row(r, of, who, &now);
        if (seconds)
            seconds[who] = now.timing.median;
    }
    net_reference_free(&references[0]);
    net_reference_free(&references[1]);
    net_data_free(&data);
}
