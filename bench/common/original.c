#include "common/original.h"

typedef enum place {
    INPUTS,
    TARGETS,
    HIDDEN,
    OUTPUTS,
    ERROR,
    DELTA,
    HIDDEN_ERROR,
    HIDDEN_DELTA,
    WEIGHTS_1,
    WEIGHTS_2,
    BIASES_1,
    BIASES_2,
    SUMS_1,
    SUMS_2,
    PLACES
} place;

struct original {
    glnn_context *ctx;
    net_case of;
    glnn_matrix *m[PLACES];
};

original *original_new(bench *b, const net_case *of, const net_data *data, glnn_layout layout)
{
    original *o = allocate(1, sizeof *o);
    net_weights w = net_weights_new(of);
    const int samples = of->batch, units = of->hidden, outputs = of->outputs;
    const struct {
        int rows, columns;
        const float *values;
    } matrices[PLACES] = {
        [INPUTS] = {samples, of->inputs, data->inputs},
        [TARGETS] = {samples, outputs, data->targets},
        [HIDDEN] = {samples, units, NULL},
        [OUTPUTS] = {samples, outputs, NULL},
        [ERROR] = {samples, outputs, NULL},
        [DELTA] = {samples, outputs, NULL},
        [HIDDEN_ERROR] = {samples, units, NULL},
        [HIDDEN_DELTA] = {samples, units, NULL},
        [WEIGHTS_1] = {of->inputs, units, w.layer[0]},
        [WEIGHTS_2] = {units, outputs, w.layer[1]},
        [BIASES_1] = {1, units, w.layer[0] + of->inputs * units},
        [BIASES_2] = {1, outputs, w.layer[1] + units * outputs},
        [SUMS_1] = {1, units, NULL},
        [SUMS_2] = {1, outputs, NULL},
    };
    *o = (original){.ctx = b->ctx, .of = *of};
    for (int i = 0; i < PLACES; ++i)
        CHECK(glnn_matrix_create(b->ctx,
                                 &(glnn_matrix_desc){.rows = matrices[i].rows,
                                                     .columns = matrices[i].columns,
                                                     .layout = layout,
                                                     .data = matrices[i].values},
                                 &o->m[i]));
    net_weights_free(&w);
    return o;
}

void original_free(original *o)
{
    for (int i = 0; i < PLACES; ++i)
        glnn_matrix_destroy(o->m[i]);
    free(o);
}

static void forward(original *o, place x, place weights, place biases, place out)
{
    const glnn_gemm_desc desc = {
        .bias = o->m[biases],
        .activation = GLNN_MAP_SIGMOID,
        .slice = ORIGINAL_COLUMNS,
        .accumulate = GLNN_ACCUMULATE_BLEND,
    };
    CHECK(glnn_gemm(o->ctx, &desc, 1, o->m[x], o->m[weights], 0, o->m[out]));
}

static void update(original *o, place x, place delta, place weights, place sums, place biases)
{
    const float factor = -NET_RATE / (float)o->of.batch;
    const glnn_gemm_desc desc = {
        .transpose_a = true,
        .slice = ORIGINAL_COLUMNS,
        .accumulate = GLNN_ACCUMULATE_BLEND,
    };
    CHECK(glnn_gemm(o->ctx, &desc, factor, o->m[x], o->m[delta], 1, o->m[weights]));
    CHECK(glnn_reduce(o->ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, o->m[delta], o->m[sums]));
    CHECK(glnn_axpy(o->ctx, factor, o->m[sums], o->m[biases]));
}

void original_step(original *o)
{
    const glnn_gemm_desc back = {
        .transpose_b = true, .slice = ORIGINAL_COLUMNS, .accumulate = GLNN_ACCUMULATE_BLEND};
    glnn_matrix **m = o->m;
    forward(o, INPUTS, WEIGHTS_1, BIASES_1, HIDDEN);
    forward(o, HIDDEN, WEIGHTS_2, BIASES_2, OUTPUTS);
    CHECK(glnn_binary_apply(o->ctx, GLNN_BINARY_SUBTRACT, m[OUTPUTS], m[TARGETS], m[ERROR]));
    CHECK(glnn_map_apply_derivative(o->ctx, GLNN_MAP_SIGMOID, m[OUTPUTS], m[ERROR], m[DELTA]));
    CHECK(glnn_gemm(o->ctx, &back, 1, m[DELTA], m[WEIGHTS_2], 0, m[HIDDEN_ERROR]));
    CHECK(glnn_map_apply_derivative(o->ctx, GLNN_MAP_SIGMOID, m[HIDDEN], m[HIDDEN_ERROR],
                                    m[HIDDEN_DELTA]));
    update(o, HIDDEN, DELTA, WEIGHTS_2, SUMS_2, BIASES_2);
    update(o, INPUTS, HIDDEN_DELTA, WEIGHTS_1, SUMS_1, BIASES_1);
}

void original_weights(original *o, net_weights *out)
{
    const net_case *of = &o->of;
    float *biases[] = {out->layer[0] + of->inputs * of->hidden,
                       out->layer[1] + of->hidden * of->outputs};
    CHECK(glnn_matrix_download(o->ctx, o->m[WEIGHTS_1], NULL, out->layer[0], 0));
    CHECK(glnn_matrix_download(o->ctx, o->m[WEIGHTS_2], NULL, out->layer[1], 0));
    CHECK(glnn_matrix_download(o->ctx, o->m[BIASES_1], NULL, biases[0], 0));
    CHECK(glnn_matrix_download(o->ctx, o->m[BIASES_2], NULL, biases[1], 0));
}
