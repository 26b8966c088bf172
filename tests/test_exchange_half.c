/* Several processes exchange gradients in 16 bits. They learn as with 32 bits: the parameters
 * differ by the rounding of the sums and by what the last step has left out. */
#include "support/together.h"

static outcome alone[3], two[2], three[3], again[3];

static together images(void)
{
    random_seed(6);
    return (together){
        .network = {.features = 64,
                    .shape = {1, 8, 8},
                    .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                                .units = 6,
                                .kernel = {3, 3},
                                .activation = GLNN_ACTIVATION_TANH},
                               {.kind = GLNN_LAYER_CONVOLUTION,
                                .units = 6,
                                .kernel = {3, 3},
                                .padding = {1, 1},
                                .groups = 3},
                               {.kind = GLNN_LAYER_BATCH_NORM},
                               {.kind = GLNN_LAYER_RESIDUAL,
                                .skip = 2,
                                .activation = GLNN_ACTIVATION_RELU},
                               {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
                               {.kind = GLNN_LAYER_FLATTEN},
                               {.kind = GLNN_LAYER_DROPOUT, .rate = 0.3f},
                               {.units = 4}},
                    .optimizer = {.momentum = 0.9f},
                    .capacity = 8,
                    .seed = 3},
        .training = {.epochs = 2, .batch = 14, .schedule.rate = 0.05f, .seed = 8},
        .samples = samples_random(40, 64, 4, true),
    };
}

/* 2 and 3 processes, as with 32 bits; and 3 again. */
static void expect_as_with_32_bits(together how, double bound, const char *what)
{
    for (int ranks = 2; ranks <= 3; ++ranks) {
        outcome *got = ranks == 2 ? two : three;
        how.training.exchange.gradient_storage = GLNN_STORAGE_FLOAT32;
        train_together(&how, &(team_desc){.ranks = ranks}, alone);
        expect_trained(alone, ranks);
        how.training.exchange.gradient_storage = GLNN_STORAGE_FLOAT16;
        train_together(&how, &(team_desc){.ranks = ranks}, got);
        expect_trained(got, ranks);
        expect_same_on_all(got, ranks);
        expect_near(got, alone, bound, what);
        assert_true(fabs(got->result.training.loss / alone->result.training.loss - 1) < 1e-4);
    }
    train_together(&how, &(team_desc){.ranks = 3, .is_late = true}, again);
    expect_trained(again, 3);
    assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
}

static void dense_networks_learn_as_with_32_bits(void **state)
{
    (void)state;
    static const struct {
        glnn_optimizer optimizer;
        float rate;
        double bound;
    } cases[] = {
        {{.weight_decay = 1e-3f}, 0.05f, 1e-3},
        {{.momentum = 0.9f, .weight_decay = 1e-3f}, 0.05f, 5e-3},
        {{.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.5f, .clip_norm = 0.2f}, 0.05f, 1e-3},
        {{.kind = GLNN_OPTIMIZER_ADAM}, 0.002f, 1e-3},
        {{.kind = GLNN_OPTIMIZER_RMSPROP, .momentum = 0.5f}, 0.002f, 5e-2},
        {{.gradient_noise = 0.01f, .two_parts = true}, 0.05f, 1e-3},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        together how = dense();
        how.network.optimizer = cases[i].optimizer;
        how.network.layout = rendered_layout(i);
        how.training.schedule.rate = cases[i].rate;
        expect_as_with_32_bits(how, cases[i].bound,
                               glnn_optimizer_kind_name(cases[i].optimizer.kind));
        release_learning();
    }
}

static void parts_and_several_batches_of_a_step_are_rounded_once(void **state)
{
    (void)state;
    together how = dense();
    how.samples.weights = array_random(61, 1, 0.5, 2.0);
    how.training.accumulate = 2;
    how.network.capacity = 3;
    how.network.optimizer.clip_norm = 0.5f;
    how.training.epochs = 4;
    how.training.validation_split = 0.3f;
    how.training.restore_best = true;
    expect_as_with_32_bits(how, 1e-3, "parts");
}

static void networks_of_images_learn_as_with_32_bits(void **state)
{
    (void)state;
    expect_as_with_32_bits(images(), 2e-2, "images");
}

static void gathered_layers_keep_32_bits(void **state)
{
    (void)state;
    together how = dense();
    how.training.batch = 4;
    how.training.accumulate = 2;
    how.training.exchange.kind = GLNN_EXCHANGE_ACTIVATIONS;
    expect_as_with_32_bits(how, 1e-3, "activations");
}

/* The first gradients are far beyond the largest number of 16 bits. */
static void large_gradients_arrive_in_later_steps(void **state)
{
    (void)state;
    together how = dense();
    how.samples = samples_random(61, 11, 5, false);
    for (size_t i = 0; i < length_of(how.samples.targets); ++i)
        how.samples.targets.data[i] *= 1e6;
    how.network.loss = GLNN_LOSS_SQUARED;
    how.network.layers[0].activation = GLNN_ACTIVATION_IDENTITY;
    how.training.schedule.rate = 1e-8f;
    how.training.epochs = 6;
    expect_as_with_32_bits(how, 1e-3, "large gradients");
}

static void gradients_take_half_as_many_bytes(void **state)
{
    (void)state;
    /* 12 x 9 and 10 x 5 parameters, in texels of four columns. */
    const uint64_t texels = 12 * 12 + 10 * 8;
    together how = dense();
    team_counts counts[2];
    how.network.layout = GLNN_LAYOUT_PACKED;
    for (int i = 0; i < 2; ++i) {
        how.training.exchange.gradient_storage = i ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
        train_together(&how, &(team_desc){.ranks = 2}, two);
        counts[i] = team_get_counts();
    }
    assert_int_equal(counts[1].messages, counts[0].messages);
    assert_int_equal(counts[1].numbers, counts[0].numbers);
    assert_int_equal(counts[0].bytes - counts[1].bytes, 2 * texels * two[0].result.steps);
}

static void a_divergence_is_found_by_all(void **state)
{
    (void)state;
    together how = dense();
    how.training.exchange.gradient_storage = GLNN_STORAGE_FLOAT16;
    how.network.layers[0].activation = GLNN_ACTIVATION_IDENTITY;
    how.training.schedule.rate = 1e30f;
    train_together(&how, &(team_desc){.ranks = 3}, three);
    expect_all_fail(three, 3, GLNN_E_DIVERGED, "of epoch 1 on (rate 1e+30)");
}

/* ---- A second training */

enum { SAMPLES = 20, FEATURES = 3, CLASSES = 2 };

static glnn_network *twin_of(const glnn_network *network, glnn_context *ctx)
{
    float weights[FEATURES * CLASSES], biases[CLASSES];
    glnn_network *twin;
    expect_ok(glnn_network_create(ctx, glnn_network_get_desc(network), &twin));
    expect_ok(glnn_network_get_weights(network, 0, weights, biases));
    expect_ok(glnn_network_set_weights(twin, 0, weights, biases));
    expect_ok(glnn_network_set_steps(twin, glnn_network_get_steps(network)));
    return twin;
}

static void train_twice(const team_member *self)
{
    static const int labels[SAMPLES] = {0, 1, 1, 0, 1, 0, 0, 1, 1, 1};
    const glnn_train_desc how = {
        .epochs = 2,
        .batch = 7,
        .exchange = {.messenger = self->messenger, .gradient_storage = GLNN_STORAGE_FLOAT16}};
    const glnn_network_desc desc = {.features = FEATURES, .layers = {{.units = CLASSES}}};
    float inputs[SAMPLES * FEATURES], weights[2][FEATURES * CLASSES];
    glnn_network *networks[2];
    glnn_dataset *data;
    for (int i = 0; i < SAMPLES * FEATURES; ++i)
        inputs[i] = (float)(i * 37 % 101) / 101.0f;
    expect_ok(glnn_dataset_create(self->ctx,
                                  &(glnn_dataset_desc){.samples = SAMPLES,
                                                       .features = FEATURES,
                                                       .inputs = inputs,
                                                       .labels = labels,
                                                       .classes = CLASSES},
                                  &data));
    expect_ok(glnn_network_create(self->ctx, &desc, &networks[0]));
    expect_ok(glnn_network_train(networks[0], data, &how, NULL));
    networks[1] = twin_of(networks[0], self->ctx);
    for (int i = 0; i < 2; ++i) {
        expect_ok(glnn_network_train(networks[i], data, &how, NULL));
        expect_ok(glnn_network_get_weights(networks[i], 0, weights[i], NULL));
        glnn_network_destroy(networks[i]);
    }
    glnn_dataset_destroy(data);
    assert_memory_equal(weights[0], weights[1], sizeof weights[0]);
}

static void a_second_training_begins_without_residuals(void **state)
{
    (void)state;
    team_run(&(team_desc){.ranks = 2}, train_twice, NULL);
}

/* ---- Refusals */

static void other_storage(const team_member *self, glnn_network_desc *network,
                          glnn_train_desc *training)
{
    (void)network;
    training->exchange.gradient_storage =
        self->rank == 1 ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
}

static void what_cannot_be_rounded_is_refused(void **state)
{
    (void)state;
    together how = dense();
    how.training.exchange.gradient_storage = GLNN_STORAGE_COUNT;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_all_fail(two, 2, GLNN_E_ARG, "exchange.gradient_storage");
    how.training.exchange.gradient_storage = GLNN_STORAGE_FLOAT16;
    how.training.exchange.kind = GLNN_EXCHANGE_AVERAGES;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_all_fail(two, 2, GLNN_E_ARG,
                    "exchange.gradient_storage is float16, but the kind is averages, which "
                    "exchanges parameters and no gradients");
    how.training.exchange.kind = GLNN_EXCHANGE_GRADIENTS;
    how.training.batch = GLNN_FULL_BATCH;
    how.training.schedule.rate = 0;
    how.network.optimizer.kind = GLNN_OPTIMIZER_RPROP;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_all_fail(two, 2, GLNN_E_UNSUPPORTED,
                    "exchange.gradient_storage is float16, but rprop follows the sign");
    how = dense();
    how.change = other_storage;
    train_together(&how, &(team_desc){.ranks = 3}, three);
    expect_all_fail(three, 3, GLNN_E_ARG,
                    "rank 1 has another exchange than rank 0: there "
                    "exchange.gradient_storage=float16, on rank 0 "
                    "exchange.gradient_storage=float32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(dense_networks_learn_as_with_32_bits),
        LEARNING_TEST(parts_and_several_batches_of_a_step_are_rounded_once),
        LEARNING_TEST(networks_of_images_learn_as_with_32_bits),
        LEARNING_TEST(gathered_layers_keep_32_bits),
        LEARNING_TEST(large_gradients_arrive_in_later_steps),
        LEARNING_TEST(gradients_take_half_as_many_bytes),
        LEARNING_TEST(a_divergence_is_found_by_all),
        LEARNING_TEST(a_second_training_begins_without_residuals),
        LEARNING_TEST(what_cannot_be_rounded_is_refused),
    };
    return cmocka_run_group_tests_name("exchange half", tests, test_group_setup,
                                       test_group_teardown);
}
