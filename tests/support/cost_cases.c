#include "cost_cases.h"

#include "support.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

enum { SAMPLES = 1024, EVALUATED = 1000, FEATURES = 784, CLASSES = 10, SIDE = 512 };

static void prepare_data(cost_subject *s, int samples, int classes)
{
    static int labels[SAMPLES];
    for (int i = 0; i < samples; ++i)
        labels[i] = i % classes;
    expect_ok(glnn_dataset_create(s->ctx,
                                  &(glnn_dataset_desc){.samples = samples,
                                                       .features = FEATURES,
                                                       .inputs = s->numbers,
                                                       .labels = labels,
                                                       .classes = classes},
                                  &s->data));
}

static const glnn_network_desc dense = {.features = FEATURES,
                                        .layers = {{.units = 256}, {.units = CLASSES}},
                                        .optimizer.momentum = 0.9f,
                                        .seed = 1};

static const glnn_network_desc lenet5 = {
    .shape = {1, 28, 28},
    .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 6, .kernel = {5, 5}, .padding = {2, 2}},
               {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
               {.kind = GLNN_LAYER_CONVOLUTION, .units = 16, .kernel = {5, 5}},
               {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = 120},
               {.units = 84},
               {.units = CLASSES}},
    .optimizer.momentum = 0.9f,
    .seed = 1};

static void prepare_training(cost_subject *s, const glnn_network_desc *desc, int batch)
{
    prepare_data(s, SAMPLES, CLASSES);
    expect_ok(glnn_network_create(s->ctx, desc, &s->network));
    expect_ok(glnn_trainer_create(s->network, s->data,
                                  &(glnn_train_desc){.epochs = 1, .batch = batch}, &s->trainer));
}

static void prepare_dense(cost_subject *s, int batch)
{
    prepare_training(s, &dense, batch);
}

static void prepare_lenet5(cost_subject *s, int batch)
{
    prepare_training(s, &lenet5, batch);
}

static void prepare_glvq(cost_subject *s, int batch)
{
    prepare_data(s, SAMPLES, CLASSES);
    expect_ok(glnn_lvq_create(
        s->ctx, &(glnn_lvq_desc){.features = FEATURES, .classes = CLASSES, .seed = 1}, &s->lvq));
    expect_ok(glnn_learner_initialise(s->lvq, s->data));
    expect_ok(glnn_trainer_create(s->lvq, s->data, &(glnn_train_desc){.epochs = 1, .batch = batch},
                                  &s->trainer));
}

static glnn_status step(cost_subject *s)
{
    return glnn_trainer_step(s->trainer, 1, 0, NULL, NULL);
}

static void prepare_network(cost_subject *s, int samples)
{
    prepare_data(s, samples, CLASSES);
    expect_ok(glnn_network_create(s->ctx, &dense, &s->network));
}

static glnn_status evaluate(cost_subject *s)
{
    return glnn_learner_evaluate(s->network, s->data, NULL, NULL);
}

static glnn_status predict(cost_subject *s)
{
    float outputs[128 * CLASSES];
    return glnn_learner_predict(s->network, glnn_dataset_get_samples(s->data), s->numbers, outputs,
                                NULL);
}

static void prepare_matrices(cost_subject *s, int side)
{
    const glnn_matrix_desc square = {.rows = side, .columns = side};
    expect_ok(glnn_matrix_create(s->ctx, &square, &s->a));
    expect_ok(glnn_matrix_create(s->ctx, &square, &s->b));
    expect_ok(glnn_matrix_create(s->ctx, &square, &s->c));
    expect_ok(
        glnn_matrix_create(s->ctx, &(glnn_matrix_desc){.rows = side, .columns = 1}, &s->column));
}

static glnn_status fill(cost_subject *s)
{
    return glnn_fill(s->ctx, 1, s->c);
}

static glnn_status multiply(cost_subject *s)
{
    return glnn_gemm(s->ctx, NULL, 1, s->a, s->b, 0, s->c);
}

static glnn_status reduce(cost_subject *s)
{
    return glnn_reduce(s->ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ROWS, s->a, s->column);
}

static glnn_status map(cost_subject *s)
{
    return glnn_map_apply(s->ctx, GLNN_MAP_TANH, s->a, s->c);
}

static glnn_status transpose(cost_subject *s)
{
    return glnn_transpose(s->ctx, s->a, s->c);
}

static glnn_status upload(cost_subject *s)
{
    return glnn_matrix_upload(s->ctx, s->a, NULL, s->numbers, 0);
}

static glnn_status download(cost_subject *s)
{
    return glnn_matrix_download(s->ctx, s->a, NULL, s->numbers, 0);
}

const cost_case cost_cases[] = {
    {"step of 784-256-10, batch 1", prepare_dense, step, 1},
    {"step of 784-256-10, batch 128", prepare_dense, step, 128},
    {"step of LeNet-5, batch 1", prepare_lenet5, step, 1},
    {"step of LeNet-5, batch 128", prepare_lenet5, step, 128},
    {"step of GLVQ, batch 1", prepare_glvq, step, 1},
    {"step of GLVQ, batch 128", prepare_glvq, step, 128},
    {"prediction of 1 sample", prepare_network, predict, 1},
    {"prediction of 128 samples", prepare_network, predict, 128},
    {"evaluation of 1000 samples", prepare_network, evaluate, EVALUATED},
    {"fill", prepare_matrices, fill, SIDE},
    {"product", prepare_matrices, multiply, SIDE},
    {"sums of rows", prepare_matrices, reduce, SIDE},
    {"map", prepare_matrices, map, SIDE},
    {"transpose", prepare_matrices, transpose, SIDE},
    {"upload", prepare_matrices, upload, SIDE},
    {"download", prepare_matrices, download, SIDE},
};

const size_t cost_case_count = COUNT_OF(cost_cases);

cost_subject cost_subject_new(glnn_context *ctx, const cost_case *of)
{
    cost_subject s = {.ctx = ctx, .numbers = floats_new((size_t)SAMPLES * FEATURES)};
    of->prepare(&s, of->size);
    return s;
}

void cost_subject_free(cost_subject *s)
{
    glnn_trainer_destroy(s->trainer);
    glnn_learner_destroy(s->network);
    glnn_learner_destroy(s->lvq);
    glnn_dataset_destroy(s->data);
    glnn_matrix_destroy(s->a);
    glnn_matrix_destroy(s->b);
    glnn_matrix_destroy(s->c);
    glnn_matrix_destroy(s->column);
}
