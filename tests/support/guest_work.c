#include "guest_work.h"

#include "product.h"
#include "support.h"

#include <glnn/gemm.h>
#include <glnn/network.h>

void compute_something(glnn_context *ctx)
{
    enum { N = 20 };
    float values[N * N];
    float sums[N * N];
    glnn_matrix *a = NULL;
    glnn_matrix *c = NULL;
    for (int i = 0; i < N * N; ++i)
        values[i] = (float)(i % 7);
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = N, .columns = N}, &a));
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = N, .columns = N}, &c));
    expect_ok(glnn_matrix_upload(ctx, a, NULL, values, 0));
    expect_ok(glnn_matrix_upload(ctx, a, &(glnn_rect){1, 1, 2, 3}, &values[N + 1], N));
    const glnn_gemm_desc sliced = {.slice = 8, .accumulate = GLNN_ACCUMULATE_BLEND};
    expect_ok(glnn_gemm(ctx, &sliced, 1, a, a, 0, c));
    for (int layered = 0; layered < 2; ++layered) {
        if (layered)
            expect_ok(multiply_layered(ctx, a, a, c));
        expect_ok(glnn_matrix_download(ctx, c, NULL, sums, 0));
        for (int i = 0; i < N * N; ++i) {
            float sum = 0;
            for (int k = 0; k < N; ++k)
                sum += values[i / N * N + k] * values[k * N + i % N];
            assert_true(sums[i] == sum);
        }
    }
    glnn_matrix_destroy(c);
    glnn_matrix_destroy(a);
}

void train_something(glnn_context *ctx)
{
    enum { N = 60, BUDGET = 2 * 8 * 32 };
    float inputs[N];
    int labels[N];
    glnn_dataset *data = NULL;
    glnn_learner *network = NULL;
    for (int i = 0; i < N; ++i)
        inputs[i] = (float)(labels[i] = i % 2);
    const glnn_dataset_desc desc = {.samples = N,
                                    .features = 1,
                                    .inputs = inputs,
                                    .labels = labels,
                                    .classes = 2,
                                    .texture_budget = BUDGET};
    expect_ok(glnn_dataset_create(ctx, &desc, &data));
    assert_true(glnn_dataset_is_streamed(data));
    expect_ok(glnn_network_create(
        ctx, &(glnn_network_desc){.features = 1, .layers = {{.units = 2}}, .capacity = 8},
        &network));
    glnn_train_result result = {.size = sizeof result};
    const glnn_train_desc train = {
        .epochs = 9, .batch = 4, .schedule.rate = 1, .validation_split = 0.2f};
    expect_ok(glnn_learner_train(network, data, &train, &result));
    assert_true(result.validation.accuracy == 1);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
}
