#include "common/scaling_layers.h"

#include "common/scaling_transfer.h"
#include "common/table.h"

/* ---- Exchanges */

typedef struct exchange {
    const group *group;
    transfer own, all, others; /* the last two: of gathers */
    size_t begins[GROUP_MOST + 1];
} exchange;

static void sum_matrix(void *state, int turn)
{
    exchange *e = state;
    const glnn_messenger *messenger = e->group->messenger;
    (void)turn;
    transfer_begin_readback(&e->own);
    transfer_end_readback(&e->own);
    group_check(e->group, messenger->begin_sum(messenger->user, 0, e->own.values,
                                               e->own.bytes / sizeof(float)));
    group_check(e->group, messenger->end(messenger->user, 0));
    transfer_upload(&e->own);
}

double scaling_time_gradients(bench *b, const group *g, int rows, int columns)
{
    exchange e = {.group = g, .own = transfer_new(b->ctx, g->host_ranks, rows, columns)};
    const double seconds = group_time(g, b->ctx, sum_matrix, &e).most;
    transfer_free(&e.own);
    return seconds;
}

static void gather_matrix(void *state, int turn)
{
    exchange *e = state;
    const glnn_messenger *messenger = e->group->messenger;
    (void)turn;
    transfer_begin_readback(&e->own);
    transfer_end_readback(&e->own);
    group_check(e->group, messenger->begin_gather(messenger->user, 0, e->all.values, e->begins));
    group_check(e->group, messenger->end(messenger->user, 0));
    transfer_upload(&e->others);
}

static double time_gather(bench *b, const group *g, int samples, int columns)
{
    exchange e = {.group = g,
                  .own = transfer_new(b->ctx, g->host_ranks, samples, columns),
                  .all = transfer_new(b->ctx, g->host_ranks, samples * g->ranks, columns),
                  .others = transfer_new(b->ctx, g->host_ranks, samples * (g->ranks - 1), columns)};
    for (size_t i = 0; i <= (size_t)g->ranks; ++i)
        e.begins[i] = i * (e.all.bytes / (size_t)g->ranks);
    const double seconds = group_time(g, b->ctx, gather_matrix, &e).most;
    transfer_free(&e.own);
    transfer_free(&e.all);
    transfer_free(&e.others);
    return seconds;
}

double scaling_time_activations(bench *b, const group *g, int inputs, int units, int samples)
{
    return time_gather(b, g, samples, inputs) + time_gather(b, g, samples, units);
}

/* ---- Gradients on the device */

typedef struct product {
    glnn_context *ctx;
    glnn_matrix *inputs, *deltas, *gradients[2];
} product;

static void multiply(void *state, int turn)
{
    const product *p = state;
    CHECK(glnn_gemm(p->ctx, &(glnn_gemm_desc){.transpose_a = true}, 1, p->inputs, p->deltas, 0,
                    p->gradients[turn & 1]));
}

static glnn_matrix *matrix_of(bench *b, int rows, int columns)
{
    glnn_matrix *m;
    CHECK(glnn_matrix_create(b->ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns}, &m));
    return m;
}

static double time_product(bench *b, const group *g, int inputs, int units, int samples)
{
    product p = {b->ctx,
                 matrix_of(b, samples, inputs),
                 matrix_of(b, samples, units),
                 {matrix_of(b, inputs, units), matrix_of(b, inputs, units)}};
    const double seconds = group_time(g, b->ctx, multiply, &p).most;
    glnn_matrix_destroy(p.inputs);
    glnn_matrix_destroy(p.deltas);
    glnn_matrix_destroy(p.gradients[0]);
    glnn_matrix_destroy(p.gradients[1]);
    return seconds;
}

/* ---- The table */

static const column columns[] = {
    {"inputs", 6, false},          {"units", 6, false},
    {"batch", 6, false},           {"break_even", 10, false},
    {"gradients_us", 13, false},   {"predicted_gradients_us", 0, false},
    {"activations_us", 14, false}, {"predicted_activations_us", 0, false},
    {"fewer_numbers", 13, true},   {"predicted", 11, true},
    {"measured", 11, true},
};

static double predict(const cost_plan *plan, glnn_exchange_kind kind)
{
    const cost_parts parts = cost_of_layer(plan, 0, kind);
    return plan->layers[0].gradient + cost_total(&parts);
}

static const char *kind_of(bool activations)
{
    return glnn_exchange_kind_name(activations ? GLNN_EXCHANGE_ACTIVATIONS
                                               : GLNN_EXCHANGE_GRADIENTS);
}

static void time_layer(bench *b, const group *g, const scaling_figures *figures, table *t,
                       const scaling_product *p, int samples)
{
    const int batch = samples * g->ranks;
    const double gradient = time_product(b, g, p->inputs, p->units, samples);
    const double whole = time_product(b, g, p->inputs, p->units, batch);
    const cost_layer layer = {.parameters = (double)p->inputs * p->units,
                              .inputs = p->inputs,
                              .units = p->units,
                              .gradient = gradient};
    const cost_plan plan = {.speeds = figures->speeds,
                            .ranks = g->ranks,
                            .samples = samples,
                            .layers = &layer,
                            .layer_count = 1};
    const double predicted[] = {predict(&plan, GLNN_EXCHANGE_GRADIENTS),
                                predict(&plan, GLNN_EXCHANGE_ACTIVATIONS)};
    const double measured[] = {gradient + scaling_time_gradients(b, g, p->inputs, p->units),
                               whole +
                                   scaling_time_activations(b, g, p->inputs, p->units, samples)};
    table_number(t, p->inputs);
    table_number(t, p->units);
    table_number(t, batch);
    table_number(t, cost_break_even(p->inputs, p->units));
    table_number(t, 1e6 * measured[0]);
    table_number(t, 1e6 * predicted[0]);
    table_number(t, 1e6 * measured[1]);
    table_number(t, 1e6 * predicted[1]);
    table_text(t, kind_of(batch < cost_break_even(p->inputs, p->units)));
    table_text(t, kind_of(predicted[1] < predicted[0]));
    table_text(t, kind_of(measured[1] < measured[0]));
}

static bool takes_part(const bench *b, int samples)
{
    return b->has_clock ? !b->quick || samples != 128 : samples < 1024;
}

void scaling_measure_layers(bench *b, const group *g, const scaling_figures *figures)
{
    static const int samples[] = {16, 128, 1024};
    table t;
    table_open(&t, b->out, "scaling_layers", columns, sizeof columns / sizeof columns[0]);
    for (int net = b->has_clock ? 0 : 1; net < 2; ++net)
        for (int i = b->quick ? net : 0; i < scaling_net_products(&scaling_nets[net]);
             i += b->quick ? 2 : 1)
            for (int j = 0; j < 3; ++j)
                if (takes_part(b, samples[j]))
                    time_layer(b, g, figures, &t, &scaling_nets[net].products[i], samples[j]);
    table_close(&t);
}
