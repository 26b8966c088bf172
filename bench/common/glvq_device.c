#include "common/glvq_device.h"

/* A product of more samples repeats that of this many. */
enum { MOST_ROWS = 2048 };

static size_t numbers_of(const glvq_case *of)
{
    return (size_t)glvq_count(of) * (size_t)of->features;
}

void glvq_device_take(const glvq_device *d, const glvq_case *of, float *prototypes)
{
    CHECK(glnn_learner_get_tensor(d->lvq, "prototypes", numbers_of(of), prototypes));
}

glvq_device glvq_device_new(glnn_context *ctx, const glvq_case *of, const glvq_data *data,
                            int samples, glvq_choices choices)
{
    glvq_device d = {.batch = of->batch};
    CHECK(glnn_dataset_create(ctx,
                              &(glnn_dataset_desc){.samples = samples,
                                                   .features = of->features,
                                                   .inputs = data->inputs,
                                                   .labels = data->labels,
                                                   .classes = of->classes,
                                                   .texture_budget = choices.texture_budget},
                              &d.data));
    CHECK(glnn_lvq_create(ctx,
                          &(glnn_lvq_desc){.features = of->features,
                                           .classes = of->classes,
                                           .prototypes = of->prototypes,
                                           .xi = GLVQ_XI,
                                           .scale = GLVQ_SCALE,
                                           .search = choices.search,
                                           .layout = choices.layout,
                                           .capacity = of->batch},
                          &d.lvq));
    CHECK(glnn_learner_set_tensor(d.lvq, "prototypes", numbers_of(of), data->prototypes));
    return d;
}

void glvq_device_free(glvq_device *d)
{
    glnn_learner_destroy(d->lvq);
    glnn_dataset_destroy(d->data);
}

int glvq_device_train(const glvq_device *d)
{
    glnn_train_result result = {.size = sizeof result};
    CHECK(glnn_learner_train(
        d->lvq, d->data,
        &(glnn_train_desc){
            .epochs = 1, .batch = d->batch, .schedule = {.rate = GLVQ_RATE}, .keep_order = true},
        &result));
    return (int)result.steps;
}

/* ---- The matrix product alone */

typedef struct product_work {
    glnn_context *ctx;
    glnn_matrix *samples, *prototypes, *out[2];
    glnn_gemm_desc desc;
} product_work;

static void multiply(void *state, int turn)
{
    const product_work *w = state;
    CHECK(glnn_gemm(w->ctx, &w->desc, -2, w->samples, w->prototypes, 0, w->out[turn & 1]));
}

static glnn_matrix *matrix_of(glnn_context *ctx, int rows, int columns, const float *data,
                              glnn_layout layout)
{
    glnn_matrix *m;
    CHECK(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns, .layout = layout, .data = data},
        &m));
    return m;
}

double glvq_device_product(bench *b, const glvq_case *of, const glvq_data *data, glnn_layout layout,
                           int slice)
{
    const int rows = of->batch < MOST_ROWS ? of->batch : MOST_ROWS, count = glvq_count(of);
    product_work w = {
        b->ctx,
        matrix_of(b->ctx, rows, of->features, data->inputs, layout),
        matrix_of(b->ctx, count, of->features, data->prototypes, layout),
        {matrix_of(b->ctx, rows, count, NULL, layout),
         matrix_of(b->ctx, rows, count, NULL, layout)},
        {.transpose_b = true, .slice = slice},
    };
    const timing t = bench_time(b, b->ctx, multiply, &w);
    glnn_matrix_destroy(w.samples);
    glnn_matrix_destroy(w.prototypes);
    glnn_matrix_destroy(w.out[0]);
    glnn_matrix_destroy(w.out[1]);
    return t.median * of->batch / rows;
}
