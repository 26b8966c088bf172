/* bench_scaling - training steps of several processes, for each exchange, and the limits of the
 * exchange. Start it by mpirun; one process alone measures its step and its transfers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glnn/mpi.h>

#include "base/hash.h"
#include "common/failure.h"
#include "common/folder.h"
#include "common/scaling_layers.h"
#include "common/scaling_limits.h"
#include "common/table.h"

typedef enum part { ALL, LIMITS, STEPS } part;

typedef struct settings {
    bench bench;
    part part;
} settings;

static const char *part_name(int of)
{
    static const char *const names[] = {[ALL] = "all", [LIMITS] = "limits", [STEPS] = "steps"};
    return names[of];
}

static const option_row rows[] = {
    {"part", OPTION_CHOICE, .field = offsetof(settings, part), .fallback = "all",
     .help = "limits of the exchange, training steps, or all with single layers too", .high = STEPS,
     .name_of = part_name},
};

/* ---- Processes */

/* The ways of numbers between the processes: as libglnn-mpi chooses, which is through shared memory
 * on one host, or by messages. A process may compile programs for long while the others wait. */
enum { USUAL, BY_ALLREDUCE, BY_TREE, WAYS };

static const glnn_mpi_desc ways[WAYS] = {
    [USUAL] = {.seconds = 60},
    [BY_ALLREDUCE] = {GLNN_MPI_ALGORITHM_ALLREDUCE, .messages_only = true, .seconds = 60},
    [BY_TREE] = {GLNN_MPI_ALGORITHM_TREE, .messages_only = true, .seconds = 60},
};

static glnn_mpi *processes[WAYS];

/* Joins the other processes when the command line has been read. Each process measures on its own
 * device. All but the first one keep their tables for themselves, in a folder of their own. */
static bool settle(void *given)
{
    static char folder[PATH_CAPACITY];
    char name[32];
    bench *b = &((settings *)given)->bench;
    for (int i = 0; i < WAYS; ++i)
        CHECK(glnn_mpi_create(&ways[i], &processes[i]));
    const int rank = glnn_mpi_get_rank(processes[USUAL]);
    CHECK(glnn_mpi_get_device(processes[USUAL], &b->device));
    if (rank == 0)
        return true;
    snprintf(name, sizeof name, "rank_%d", rank);
    REQUIRE(path_join(folder, b->out, name));
    b->out = folder;
    return freopen("/dev/null", "w", stdout) || refuse("/dev/null cannot be opened");
}

/* ---- Training */

typedef struct trainee {
    bench *bench;
    const scaling_net *net;
    int samples, steps; /* of this process in a step, and steps of an epoch of all processes */
    glnn_dataset *data; /* NULL: none yet */
    glnn_learner *network;
    glnn_trainer *trainer;
} trainee;

static const struct exchange {
    const char *name;
    bool trains_alone;
    int way;
    glnn_exchange_kind kind;
} exchanges[] = {
    {"none", .trains_alone = true},
    {"gradients", .kind = GLNN_EXCHANGE_GRADIENTS},
    {"gradients allreduce", .kind = GLNN_EXCHANGE_GRADIENTS, .way = BY_ALLREDUCE},
    {"gradients tree", .kind = GLNN_EXCHANGE_GRADIENTS, .way = BY_TREE},
    {"activations", .kind = GLNN_EXCHANGE_ACTIVATIONS},
    {"averages", .kind = GLNN_EXCHANGE_AVERAGES},
};
enum { EXCHANGES = sizeof exchanges / sizeof exchanges[0], MOST_SAMPLES = 16384, EVERY = 16 };
enum { FIRST_STEPS = 2 };

static void end_epoch(void *state, int turn)
{
    const trainee *t = state;
    (void)turn;
    CHECK(glnn_trainer_end_epoch(t->trainer));
}

/* The steps of an epoch, without its end, which waits for the device. */
static void train_epoch(void *state, int turn)
{
    const trainee *t = state;
    (void)turn;
    CHECK(glnn_trainer_step(t->trainer, 0, 0, NULL, NULL));
}

static glnn_dataset *make_data(glnn_context *ctx, int samples)
{
    float *inputs = random_floats((size_t)samples * SCALING_FEATURES, 0, 1);
    int *labels = allocate((size_t)samples, sizeof *labels);
    glnn_dataset *data;
    for (int i = 0; i < samples; ++i)
        labels[i] = i % SCALING_CLASSES;
    CHECK(glnn_dataset_create(ctx,
                              &(glnn_dataset_desc){.samples = samples,
                                                   .features = SCALING_FEATURES,
                                                   .inputs = inputs,
                                                   .labels = labels,
                                                   .classes = SCALING_CLASSES},
                              &data));
    free(inputs);
    free(labels);
    return data;
}

static void trainee_begin(trainee *t, const struct exchange *how, const group *g)
{
    glnn_network_desc desc = {.shape = {1, 28, 28},
                              .optimizer.momentum = 0.9f,
                              .layout = (glnn_layout)t->bench->layout,
                              .capacity = t->samples,
                              .seed = 1};
    glnn_train_desc train = {.epochs = INT32_MAX,
                             .batch = t->samples * (how->trains_alone ? 1 : g->ranks),
                             .schedule.rate = 1e-3f,
                             .keep_order = true};
    if (!how->trains_alone)
        train.exchange = (glnn_exchange_desc){
            .messenger = glnn_mpi_get_messenger(processes[how->way]), .kind = how->kind};
    memcpy(desc.layers, t->net->layers, sizeof t->net->layers);
    CHECK(glnn_network_create(t->bench->ctx, &desc, &t->network));
    CHECK(glnn_trainer_create(t->network, t->data, &train, &t->trainer));
}

static void trainee_end(const trainee *t)
{
    glnn_trainer_destroy(t->trainer);
    glnn_learner_destroy(t->network);
}

static uint32_t hash_weights(const trainee *t)
{
    uint32_t hash = 0;
    glnn_tensor_info info = {.size = sizeof info};
    for (int i = 0; i < glnn_learner_get_tensor_count(t->network); ++i) {
        CHECK(glnn_learner_get_tensor_info(t->network, i, &info));
        if (strcmp(info.role, "parameter") != 0)
            continue;
        float *values = allocate(info.count, sizeof *values);
        CHECK(glnn_learner_get_tensor(t->network, info.name, info.count, values));
        const uint32_t hashes[] = {hash, glnn__hash(values, info.count * sizeof *values)};
        hash = glnn__hash(hashes, sizeof hashes);
        free(values);
    }
    return hash;
}

/* Makes the first steps, and returns a hash of the parameters that they lead to. All processes have
 * the same one, unless they train alone, each by its own device profile, or between two means. */
static uint32_t begin_training(const trainee *t, const struct exchange *how, const group *g)
{
    CHECK(glnn_trainer_step(t->trainer, FIRST_STEPS, 0, NULL, NULL));
    const uint32_t hash = hash_weights(t);
    const group_numbers all = group_gather(g, hash);
    const bool is_same = !how->trains_alone && how->kind != GLNN_EXCHANGE_AVERAGES;
    if (is_same && all.most - all.mean > 0.25)
        bench_wrong(t->bench, "%s by %s: the processes have different parameters", t->net->name,
                    how->name);
    train_epoch((void *)t, 0);
    return hash;
}

/* The steps of a trainee. */
typedef struct figures_of_steps {
    group_numbers seconds; /* of one                                 */
    uint32_t hash;         /* of the parameters after the first ones */
} figures_of_steps;

static figures_of_steps time_steps(trainee *t, const struct exchange *how, const group *g)
{
    figures_of_steps figures;
    const int steps = t->steps * (how->trains_alone ? g->ranks : 1);
    trainee_begin(t, how, g);
    figures.hash = begin_training(t, how, g);
    figures.seconds = group_time_each(g, t->bench->ctx, end_epoch, train_epoch, t);
    figures.seconds.mean /= steps;
    figures.seconds.most /= steps;
    trainee_end(t);
    return figures;
}

/* Gives an epoch so many steps. */
static void set_steps(trainee *t, const group *g, int steps)
{
    if (steps == t->steps)
        return;
    glnn_dataset_destroy(t->data);
    t->steps = steps;
    t->data = make_data(t->bench->ctx, t->samples * g->ranks * steps);
}

/* The steps that are timed at once. */
static int choose_steps(trainee *t, const group *g)
{
    const double wanted = t->bench->quick ? 0.05 : 0.1;
    set_steps(t, g, FIRST_STEPS + 1);
    const double seconds = time_steps(t, &exchanges[0], g).seconds.most;
    return (int)fmin(fmax(wanted / seconds, FIRST_STEPS + 1), MOST_SAMPLES / t->samples);
}

/* AVERAGES has an exchange after every few steps. */
static int round_up(int steps)
{
    return (steps + EVERY - 1) / EVERY * EVERY;
}

/* ---- The table */

static const column columns[] = {
    {"net", 30, true},
    {"batch", 6, false},
    {"ranks", 5, false},
    {"exchange", 19, true},
    {"step_us", 10, false},
    {"images_per_s", 12, false},
    {"speedup", 8, false},
    {"predicted_us", 12, false},
    {"predicted_speedup", 17, false},
    {"exchange_us", 11, false},
    {"hidden_percent", 14, false},
    {"limit_us", 10, false},
    {"limit_percent", 13, false},
    {"bits", 9, true},
};

static double time_gradients(bench *b, const group *g, int net)
{
    static double all[SCALING_NETS]; /* 0: not measured yet */
    const scaling_product *products = scaling_nets[net].products;
    double *known = &all[net];
    if (*known > 0)
        return *known;
    for (int i = 0; i < scaling_net_products(&scaling_nets[net]); ++i)
        *known += scaling_time_gradients(b, g, products[i].inputs + 1, products[i].units);
    return *known;
}

/* The seconds of the exchanges of a step one after another, with nothing else to do. */
static double time_exchange(bench *b, const group *g, int net, const struct exchange *how,
                            const cost_step *predicted, int samples)
{
    double seconds = 0;
    if (how->kind != GLNN_EXCHANGE_ACTIVATIONS)
        return time_gradients(b, g, net) / (how->kind == GLNN_EXCHANGE_AVERAGES ? EVERY : 1);
    for (int i = 0; i < scaling_net_products(&scaling_nets[net]); ++i) {
        const scaling_product *p = &scaling_nets[net].products[i];
        seconds += predicted->kinds[i] == GLNN_EXCHANGE_ACTIVATIONS
                       ? scaling_time_activations(b, g, p->inputs, p->units, samples)
                       : scaling_time_gradients(b, g, p->inputs + 1, p->units);
    }
    return seconds;
}

/* The least that a step can take: the device and each queue of the exchange have their work. */
static double limit_of(const cost_plan *plan, const cost_step *predicted)
{
    cost_parts sum = {0};
    const double share = plan->kind == GLNN_EXCHANGE_AVERAGES ? 1.0 / EVERY : 1;
    for (int i = 0; i < plan->layer_count; ++i) {
        const cost_parts parts = cost_of_layer(plan, i, predicted->kinds[i]);
        sum.readback += share * parts.readback;
        sum.message += share * parts.message;
        sum.upload += share * parts.upload;
    }
    return fmax(fmax(predicted->alone, sum.readback), fmax(sum.message, sum.upload));
}

/* The share of an exchange that does not lengthen the step. */
static double hidden_share(double longer, double exchange)
{
    const double share = 1 - longer / exchange;
    return isfinite(share) ? fmin(fmax(share, 0), 1) : NAN;
}

/* The limits and predictions are those of the usual way. */
static void write_row(table *out, const trainee *t, const group *g, const struct exchange *how,
                      const figures_of_steps *steps, const scaling_figures *figures)
{
    const double seconds = steps->seconds.most;
    char hash[16];
    cost_layer layers[SCALING_LAYERS];
    const int net = (int)(t->net - scaling_nets);
    const int batch = t->samples == scaling_batches[0] ? 0 : 1;
    const double alone = figures->steps[net][batch];
    const cost_plan plan = {.speeds = figures->speeds,
                            .ranks = how->trains_alone ? 1 : g->ranks,
                            .samples = t->samples,
                            .kind = how->trains_alone ? GLNN_EXCHANGE_GRADIENTS : how->kind,
                            .every = EVERY,
                            .layers = layers,
                            .layer_count = scaling_net_layers(t->net, alone, layers)};
    const cost_step predicted = cost_predict(&plan);
    const bool knows_limits = figures->speeds.link > 0 && how->way == USUAL;
    const double limit = knows_limits ? limit_of(&plan, &predicted) : NAN;
    const double exchange = how->trains_alone || !knows_limits
                                ? NAN
                                : time_exchange(t->bench, g, net, how, &predicted, t->samples);
    table_text(out, t->net->name);
    table_number(out, t->samples);
    table_number(out, g->ranks);
    table_text(out, how->name);
    table_number(out, 1e6 * seconds);
    table_number(out, t->samples * g->ranks / seconds);
    table_number(out, g->ranks * alone / seconds);
    table_number(out, knows_limits ? 1e6 * predicted.seconds : NAN);
    table_number(out, how->trains_alone || !knows_limits ? NAN : predicted.speedup);
    table_number(out, 1e6 * exchange);
    table_number(out, 100 * hidden_share(seconds - alone, exchange));
    table_number(out, 1e6 * limit);
    table_number(out, 100 * limit / seconds);
    snprintf(hash, sizeof hash, "%08x", steps->hash);
    table_text(out, hash);
}

static void measure_net(bench *b, const group *g, table *out, int net, int batch,
                        scaling_figures *figures)
{
    trainee t = {.bench = b, .net = &scaling_nets[net], .samples = scaling_batches[batch]};
    const int steps = choose_steps(&t, g);
    for (int i = 0; i < (g->ranks > 1 ? EXCHANGES : 1); ++i) {
        const struct exchange *how = &exchanges[i];
        const bool is_mean = how->kind == GLNN_EXCHANGE_AVERAGES;
        set_steps(&t, g, is_mean ? round_up(steps) : steps);
        const figures_of_steps timed = time_steps(&t, how, g);
        if (i == 0)
            figures->steps[net][batch] = timed.seconds.mean;
        write_row(out, &t, g, how, &timed, figures);
    }
    glnn_dataset_destroy(t.data);
}

/* A software rasteriser has no time for the large network and the large batch. */
static void measure_steps(bench *b, const group *g, scaling_figures *figures)
{
    table out;
    table_open(&out, b->out, "scaling_steps", columns, sizeof columns / sizeof columns[0]);
    for (int net = b->has_clock ? 0 : 1; net < SCALING_NETS; ++net)
        for (int batch = 0; batch < (b->has_clock ? SCALING_BATCHES : 1); ++batch)
            measure_net(b, g, &out, net, batch, figures);
    table_close(&out);
}

static group open_group(const bench *b)
{
    const glnn_messenger *messenger = glnn_mpi_get_messenger(processes[USUAL]);
    const bool is_alone = messenger->ranks == 1;
    REQUIRE(messenger->ranks <= GROUP_MOST ||
            refuse("%d processes; at most %d", messenger->ranks, GROUP_MOST));
    return (group){.messenger = is_alone ? NULL : messenger,
                   .rank = messenger->rank,
                   .ranks = messenger->ranks,
                   .host_ranks = messenger->host_ranks,
                   .has_clock = b->has_clock,
                   .budget = b->quick  ? 0.1
                             : b->full ? 2
                                       : 0.4};
}

static void measure_limits(bench *b, const group *g, scaling_figures *figures)
{
    const scaling_way measured[WAYS] = {
        {"sum of all processes", g->messenger},
        {"sum of all processes, allreduce", glnn_mpi_get_messenger(processes[BY_ALLREDUCE])},
        {"sum of all processes, tree", glnn_mpi_get_messenger(processes[BY_TREE])},
    };
    scaling_measure_limits(b, g, measured, WAYS, figures);
}

int main(int argc, char **argv)
{
    settings s;
    char path[PATH_CAPACITY];
    scaling_figures figures = {.speeds.bucket = (double)sizeof(float) * (1 << 16)};
    bench_open_own(&s.bench,
                   &(option_table){.program = "bench_scaling",
                                   .summary = "Measures training by several processes.",
                                   .rows = rows,
                                   .count = sizeof rows / sizeof rows[0],
                                   .size = sizeof s,
                                   .check = settle},
                   argc, argv);
    const group g = open_group(&s.bench);
    if (s.part != STEPS)
        measure_limits(&s.bench, &g, &figures);
    if (s.part != LIMITS)
        measure_steps(&s.bench, &g, &figures);
    REQUIRE(path_join(path, s.bench.out, "scaling_figures.csv"));
    if (s.part == ALL)
        REQUIRE(scaling_figures_write(&figures, path));
    if (g.ranks > 1 && s.part == ALL)
        scaling_measure_layers(&s.bench, &g, &figures);
    const int status = bench_close(&s.bench);
    for (int i = 0; i < WAYS; ++i)
        glnn_mpi_destroy(processes[i]);
    return status;
}
