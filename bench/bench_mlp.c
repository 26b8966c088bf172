/* bench_mlp - training and use of nets for images of digits. bench/torch_mlp.py does the same. */
#include <math.h>

#include "common/race.h"

static const column columns[] = {
    {"hidden", 6, false},  {"who", 17, true},      {"median_us", 10, false},
    {"low_us", 10, false}, {"high_us", 10, false},
};

/* ---- One sample through the net */

typedef struct use {
    const net_case *of;
    glnn_network *network; /* NULL: the net in main memory */
    net net;
    float *input;
    float outputs[16];
} use;

static void predict(void *state, int turn)
{
    use *u = state;
    (void)turn;
    if (u->network)
        CHECK(glnn_network_predict(u->network, 1, u->input, u->outputs, NULL));
    else
        net_forward(&u->net, u->input, 1);
}

/* Float32 on both sides: what they may differ by is far below what a wrong result would. With mixed
 * precision some units of 16 bits, 2^-11, add up. */
static void judge(bench *b, const use *u, contestant who)
{
    const float bound = contestants[who].storage == GLNN_STORAGE_FLOAT16 ? 5e-3f : 1e-5f;
    for (int i = 0; u->network && i < u->of->outputs; ++i)
        if (!(fabsf(u->outputs[i] - u->net.outputs[i]) <= bound))
            bench_wrong(b, "output %d of a net with %d hidden units by %s is %g, not %g", i,
                        u->of->hidden, contestants[who].name, (double)u->outputs[i],
                        (double)u->net.outputs[i]);
}

static void time_use(bench *b, table *t, const net_case *of, contestant who)
{
    const contestant_info *info = &contestants[who];
    use u = {.of = of,
             .net = net_new(of, info->kind == IN_BLAS ? cpu_product_blas : cpu_product_plain)};
    u.input = random_floats((size_t)of->inputs, 0, 1);
    if (info->kind == ON_DEVICE)
        u.network = race_network(b, of, who);
    else if (info->kind == IN_BLAS)
        cpu_blas_threads(info->threads);
    net_forward(&u.net, u.input, 1);
    predict(&u, 0);
    judge(b, &u, who);
    /* A prediction ends with a download, which waits for the device. */
    const timing time = bench_time(b, NULL, predict, &u);
    table_number(t, of->hidden);
    table_text(t, info->name);
    table_number(t, 1e6 * time.median);
    table_number(t, 1e6 * time.low);
    table_number(t, 1e6 * time.high);
    glnn_network_destroy(u.network);
    net_free(&u.net);
    free(u.input);
}

static void measure_use(bench *b)
{
    table t;
    table_open(&t, b->out, "inference", columns, sizeof columns / sizeof columns[0]);
    for (int hidden = 256; hidden <= 800; hidden += 544)
        for (int who = 0; who < CONTESTANT_COUNT; ++who)
            if (!contestant_is_historic((contestant)who) && contestant_enters(b, (contestant)who))
                time_use(b, &t, &(net_case){784, hidden, 10, 1, true, 0}, (contestant)who);
    table_close(&t);
}

/* ---- The order of samples */

enum { ORDER_BATCH = 128, ORDER_HIDDEN = 800 };

static const column order_columns[] = {
    {"samples", 8, false}, {"order", 9, true},     {"median_us", 10, false},
    {"low_us", 10, false}, {"high_us", 10, false},
};

static void order_epoch(void *state, int turn)
{
    (void)turn;
    CHECK(glnn_trainer_step(state, 0, 0, NULL, NULL));
    CHECK(glnn_trainer_end_epoch(state));
}

/* Random samples as an epoch of steps, with an order that is shuffled or drawn by emphasis. */
static void time_order(bench *b, table *t, const glnn_dataset *data, float emphasis)
{
    const glnn_train_desc desc = {.epochs = INT32_MAX,
                                  .batch = ORDER_BATCH,
                                  .schedule = {.rate = NET_RATE},
                                  .emphasis = emphasis};
    glnn_network *network;
    glnn_trainer *trainer;
    CHECK(
        glnn_network_create(b->ctx,
                            &(glnn_network_desc){.features = 784,
                                                 .layers = {{.units = ORDER_HIDDEN}, {.units = 10}},
                                                 .optimizer = {.momentum = 0.9f},
                                                 .seed = 1},
                            &network));
    CHECK(glnn_network_trainer_create(network, data, &desc, &trainer));
    const timing time = bench_time(b, b->ctx, order_epoch, trainer);
    const double samples = (double)glnn_dataset_get_samples(data);
    const double us = 1e6 / ceil(samples / ORDER_BATCH);
    table_number(t, samples);
    table_text(t, emphasis > 0 ? "emphasis" : "shuffled");
    table_number(t, us * time.median);
    table_number(t, us * time.low);
    table_number(t, us * time.high);
    glnn_trainer_destroy(trainer);
    glnn_network_destroy(network);
}

/* The time of a step, as a part of an epoch that also orders its samples. */
static void measure_orders(bench *b)
{
    const int samples = b->has_clock && !b->quick ? 60000 : 2048;
    float *inputs = random_floats((size_t)samples * 784, 0, 1);
    int *labels = malloc((size_t)samples * sizeof *labels);
    glnn_dataset *data;
    table t;
    for (int i = 0; labels && i < samples; ++i)
        labels[i] = i % 10;
    CHECK(glnn_dataset_create(
        b->ctx,
        &(glnn_dataset_desc){
            .samples = samples, .features = 784, .inputs = inputs, .labels = labels, .classes = 10},
        &data));
    table_open(&t, b->out, "orders", order_columns, sizeof order_columns / sizeof *order_columns);
    time_order(b, &t, data, 0);
    time_order(b, &t, data, 1);
    table_close(&t);
    glnn_dataset_destroy(data);
    free(inputs);
    free(labels);
}

/* ---- The cost of optimizers, of parameters in two parts and of noise */

static const column update_columns[] = {
    {"optimizer", 10, true},  {"two_parts", 9, false}, {"noise", 6, false},
    {"median_us", 10, false}, {"low_us", 10, false},   {"high_us", 10, false},
};

static const net_case updated_net = {784, 800, 10, 128, true, 0};

typedef struct training {
    glnn_network *network;
    glnn_dataset *data;
} training;

static void train_epoch(void *state, int turn)
{
    const training *t = state;
    const bool has_rate = glnn_network_get_desc(t->network)->optimizer.kind != GLNN_OPTIMIZER_RPROP;
    (void)turn;
    CHECK(glnn_network_train(t->network, t->data,
                             &(glnn_train_desc){.epochs = 1,
                                                .batch = has_rate ? updated_net.batch : 0,
                                                .schedule.rate = has_rate ? 1e-4f : 0,
                                                .keep_order = true},
                             NULL));
}

static void time_update(bench *b, table *t, const net_data *data, glnn_optimizer optimizer)
{
    const net_case *of = &updated_net;
    const int batches = optimizer.kind == GLNN_OPTIMIZER_RPROP ? 1 : data->batches;
    training of_net;
    CHECK(glnn_network_create(
        b->ctx,
        &(glnn_network_desc){.features = of->inputs,
                             .layers = {{.units = of->hidden}, {.units = of->outputs}},
                             .optimizer = optimizer,
                             .capacity = of->batch},
        &of_net.network));
    CHECK(glnn_dataset_create(b->ctx,
                              &(glnn_dataset_desc){.samples = batches * of->batch,
                                                   .features = of->inputs,
                                                   .inputs = data->inputs,
                                                   .labels = data->labels,
                                                   .classes = of->outputs},
                              &of_net.data));
    const timing time = bench_time(b, b->ctx, train_epoch, &of_net);
    table_text(t, glnn_optimizer_kind_name(optimizer.kind));
    table_number(t, optimizer.two_parts);
    table_number(t, (double)optimizer.gradient_noise);
    table_number(t, 1e6 * time.median / batches);
    table_number(t, 1e6 * time.low / batches);
    table_number(t, 1e6 * time.high / batches);
    glnn_network_destroy(of_net.network);
    glnn_dataset_destroy(of_net.data);
}

/* RPROP takes one step an epoch, so its time includes the end of one. */
static void measure_updates(bench *b)
{
    static const glnn_optimizer rules[] = {
        {0},
        {.momentum = 0.9f},
        {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f},
        {.kind = GLNN_OPTIMIZER_ADAM},
        {.kind = GLNN_OPTIMIZER_RMSPROP},
        {.kind = GLNN_OPTIMIZER_RPROP},
    };
    const net_data data = net_data_new(&updated_net);
    table t;
    table_open(&t, b->out, "updates", update_columns,
               sizeof update_columns / sizeof update_columns[0]);
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; ++r)
        for (int i = 0; i < 4; ++i) {
            glnn_optimizer optimizer = rules[r];
            optimizer.two_parts = i & 1;
            optimizer.gradient_noise = i & 2 ? 1e-6f : 0;
            time_update(b, &t, &data, optimizer);
        }
    table_close(&t);
    net_data_free(&data);
}

static void train(race *r, int hidden, int batch)
{
    if (batch <= 128) /* single samples do not foretell how fast batches are */
        race_begin(r, "mlp");
    race_run(r, &(net_case){784, hidden, 10, batch, true, 0}, NULL);
    race_run(r, &(net_case){784, hidden, 10, batch, true, 0.9f}, NULL);
}

int main(int argc, char **argv)
{
    static const int batches[] = {1, 128, 1024};
    bench b;
    race r;
    bench_open(&b, "bench_mlp", "Measures training steps of nets for images of digits.", argc,
               argv);
    race_open(&r, &b, "mlp");
    for (int hidden = 256; hidden <= 800; hidden += 544)
        for (int i = 0; i < (b.quick ? 2 : 3); ++i)
            train(&r, hidden, batches[i]);
    race_close(&r);
    measure_use(&b);
    if (bench_has(&b, BENCH_DEVICE))
        measure_orders(&b);
    measure_updates(&b);
    return bench_close(&b);
}
