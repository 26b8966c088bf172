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
    glnn_learner *network; /* NULL: the net in main memory */
    net net;
    float *input;
    float outputs[16];
} use;

static void predict(void *state, int turn)
{
    use *u = state;
    (void)turn;
    if (u->network)
        CHECK(glnn_learner_predict(u->network, 1, u->input, u->outputs, NULL));
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
    glnn_learner_destroy(u.network);
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

/* ---- Training steps */

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
    return bench_close(&b);
}
