/* Networks whose products read 16 bits: what stays float32, how precision is changed, and how
 * training ends when a number does not fit. Steps are in test_network. */
#include "support/network_checks.h"

static const glnn_network_desc net = {
    .features = 9,
    .layers = {{.units = 13, .activation = GLNN_ACTIVATION_TANH},
               {.units = 6, .activation = GLNN_ACTIVATION_RELU},
               {.units = 4}},
    .optimizer.momentum = 0.9f,
    .precision = GLNN_PRECISION_MIXED,
    .capacity = 16,
    .seed = 5,
};

static const glnn_train_desc few_epochs = {.epochs = 3, .batch = 8, .schedule.rate = 0.05f};

static glnn_learner *network_in(glnn_layout layout, glnn_precision precision)
{
    glnn_network_desc desc = net;
    desc.layout = layout;
    desc.precision = precision;
    return network_of(&desc);
}

/* Data of which the inputs are stored in 16 bits. */
static glnn_dataset *half_dataset_of(samples of)
{
    int labels[100];
    for (int i = 0; i < of.inputs.rows; ++i)
        labels[i] = (int)of.labels.data[i];
    const glnn_dataset_desc desc = {.samples = of.inputs.rows,
                                    .features = of.inputs.columns,
                                    .inputs = floats_of(of.inputs),
                                    .labels = labels,
                                    .classes = of.outputs,
                                    .storage = GLNN_STORAGE_FLOAT16};
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
    return data;
}

static void precisions_have_names(void **state)
{
    (void)state;
    assert_string_equal(glnn_precision_name(GLNN_PRECISION_FLOAT32), "float32");
    assert_string_equal(glnn_precision_name(GLNN_PRECISION_MIXED), "mixed");
    assert_string_equal(glnn_precision_name(GLNN_PRECISION_COUNT), "unknown");
    assert_int_equal(glnn_network_get_desc(network_of(&net))->precision, GLNN_PRECISION_MIXED);
}

static void predictions_agree_with_the_reference_for_any_number_of_samples(void **state)
{
    (void)state;
    static const int counts[] = {1, 15, 16, 17, 40};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < COUNT_OF(counts); ++i) {
            expect_predictions(network_in(layout, GLNN_PRECISION_MIXED), counts[i], "mixed");
            release_learning();
        }
}

static void the_loss_and_the_gradient_agree_with_the_reference(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_learner *network = network_in(layout, GLNN_PRECISION_MIXED);
        expect_gradients(network, samples_random(16, net.features, 4, true), 16,
                         glnn_layout_name(layout));
        release_learning();
    }
}

/* Steps too small for 16 bits to show add up in the weights. */
static void weights_take_steps_that_16_bits_would_lose(void **state)
{
    (void)state;
    glnn_learner *network = network_in(GLNN_LAYOUT_TILED, GLNN_PRECISION_MIXED);
    const array before = weights_of(network, 0);
    glnn_train_desc train = few_epochs;
    train.schedule.rate = 1e-5f;
    expect_ok(glnn_learner_train(network, dataset_of(samples_random(64, net.features, 4, true)),
                                 &train, NULL));
    const array after = weights_of(network, 0);
    size_t moved = 0, lost = 0;
    for (size_t i = 0; i < length_of(before); ++i) {
        moved += before.data[i] != after.data[i];
        lost += glnn__half_of(before.data[i]) == glnn__half_of(after.data[i]);
    }
    assert_true(moved > length_of(before) * 9 / 10);
    assert_true(lost > length_of(before) / 2);
}

static void products_read_weights_that_were_set_restored_or_trained(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_learner *network = network_in(layout, GLNN_PRECISION_MIXED);
        expect_predictions(network, 5, "mixed");
        const array fresh = array_random(10, 13, -1.0, 1.0);
        expect_ok(write_weights(network, 0, floats_of(fresh), NULL));
        expect_predictions(network, 5, "mixed");
        expect_ok(write_weights(network, 0, NULL, floats_of(rows_of(fresh, 9, 1))));
        expect_predictions(network, 5, "mixed");
        const glnn_dataset *data = dataset_of(samples_random(30, net.features, 4, true));
        expect_ok(glnn_learner_train(network, data, &few_epochs, NULL));
        expect_predictions(network, 5, "mixed");
        /* The best epoch is not the last one, where the rate grows. */
        glnn_train_desc train = {
            .epochs = 8,
            .batch = 8,
            .schedule = {.kind = GLNN_SCHEDULE_STEP, .rate = 0.01f, .factor = 8, .every = 1},
            .validation_split = 0.3f,
            .patience = 2,
            .restore_best = true};
        (void)glnn_learner_train(network, data, &train, NULL);
        expect_predictions(network, 5, "mixed");
        release_learning();
    }
}

static void precision_changes_what_products_read_and_no_bit_of_the_weights(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(samples_random(30, net.features, 4, true));
    glnn_learner *changed = network_in(GLNN_LAYOUT_TILED, GLNN_PRECISION_FLOAT32);
    glnn_learner *mixed = network_in(GLNN_LAYOUT_TILED, GLNN_PRECISION_MIXED);
    expect_predictions(changed, 7, "mixed");
    const array before = weights_of(changed, 1);
    expect_ok(glnn_network_set_precision(changed, GLNN_PRECISION_MIXED));
    expect_same_bits(weights_of(changed, 1), before, "weights");
    expect_predictions(changed, 7, "mixed");
    expect_ok(glnn_learner_train(changed, data, &few_epochs, NULL));
    expect_ok(glnn_learner_train(mixed, data, &few_epochs, NULL));
    expect_same_networks(changed, mixed, "made mixed, and created so");
    expect_ok(glnn_network_set_precision(changed, GLNN_PRECISION_FLOAT32));
    expect_ok(glnn_network_set_precision(changed, GLNN_PRECISION_FLOAT32));
    expect_same_networks(changed, mixed, "made float32 again");
    expect_predictions(changed, 7, "mixed");
    expect_ok(glnn_learner_train(changed, data, &few_epochs, NULL));
    expect_ok(glnn_learner_train(mixed, data, &few_epochs, NULL));
    assert_memory_not_equal(weights_of(changed, 0).data, weights_of(mixed, 0).data,
                            length_of(before) * sizeof(double));
    expect_error(glnn_network_set_precision(NULL, GLNN_PRECISION_MIXED), GLNN_E_ARG, "null");
    expect_error(glnn_network_set_precision(mixed, GLNN_PRECISION_COUNT), GLNN_E_ARG,
                 "precision is 2");
}

/* A batch is rounded as it is gathered, or was before. */
static void inputs_may_be_stored_in_16_bits_from_the_start(void **state)
{
    (void)state;
    const samples all = samples_random(50, net.features, 4, true);
    samples rounded = all;
    rounded.inputs = array_stored(all.inputs, GLNN_STORAGE_FLOAT16);
    glnn_dataset *half = half_dataset_of(all);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_learner *left = network_in(layout, GLNN_PRECISION_MIXED);
        glnn_learner *right = network_in(layout, GLNN_PRECISION_MIXED);
        expect_ok(glnn_learner_train(left, dataset_of(all), &few_epochs, NULL));
        expect_ok(glnn_learner_train(right, half, &few_epochs, NULL));
        expect_same_networks(left, right, "from inputs of 16 bits");
        glnn_learner *full = network_in(layout, GLNN_PRECISION_FLOAT32);
        const network_reference reference = network_reference_of(full);
        const bounded want = network_reference_loss(&reference, rounded);
        glnn_metrics metrics;
        expect_ok(glnn_learner_evaluate(full, half, &metrics, NULL));
        assert_true(fabs(metrics.loss - want.value) <= want.bound);
    }
    glnn_dataset_destroy(half);
}

/* Float32 would go on: weights beyond 65504 are infinite for products. */
static void numbers_beyond_16_bits_end_training(void **state)
{
    (void)state;
    static const glnn_activation maps[] = {GLNN_ACTIVATION_RELU, GLNN_ACTIVATION_LEAKY_RELU,
                                           GLNN_ACTIVATION_IDENTITY};
    const glnn_dataset *data = dataset_of(samples_random(64, net.features, 4, true));
    const glnn_train_desc train = {.epochs = 1, .batch = 64, .schedule.rate = 1e7f};
    for (size_t i = 0; i < COUNT_OF(maps); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            glnn_network_desc desc = net;
            desc.layout = layout;
            desc.layers[0].activation = desc.layers[1].activation = maps[i];
            expect_error(glnn_learner_train(network_of(&desc), data, &train, NULL), GLNN_E_DIVERGED,
                         "of copied weights 0 is ");
            desc.precision = GLNN_PRECISION_FLOAT32;
            expect_ok(glnn_learner_train(network_of(&desc), data, &train, NULL));
        }
}

static void inputs_beyond_16_bits_are_refused(void **state)
{
    (void)state;
    samples all = samples_random(20, net.features, 4, true);
    *at(all.inputs, 3, 2) = -65519.0;
    glnn_dataset *largest = half_dataset_of(all);
    glnn_dataset_destroy(largest);
    *at(all.inputs, 3, 2) = -65520.0;
    glnn_learner *network = network_in(GLNN_LAYOUT_TILED, GLNN_PRECISION_MIXED);
    const glnn_dataset *data = dataset_of(all);
    glnn_metrics metrics;
    expect_error(glnn_learner_train(network, data, &few_epochs, NULL), GLNN_E_FORMAT, "65520");
    expect_error(glnn_learner_evaluate(network, data, &metrics, NULL), GLNN_E_FORMAT, "65504");
    expect_ok(glnn_network_set_precision(network, GLNN_PRECISION_FLOAT32));
    expect_ok(glnn_learner_evaluate(network, data, &metrics, NULL));
    float inputs[] = {0, 65520};
    int label = 0;
    glnn_dataset_desc desc = {.samples = 1,
                              .features = 2,
                              .inputs = inputs,
                              .labels = &label,
                              .classes = 1,
                              .storage = GLNN_STORAGE_FLOAT16};
    glnn_dataset *none = NULL;
    expect_error(glnn_dataset_create(glnn_test_context(), &desc, &none), GLNN_E_FORMAT, "65504");
    desc.storage = GLNN_STORAGE_UNORM8;
    expect_error(glnn_dataset_create(glnn_test_context(), &desc, &none), GLNN_E_ARG,
                 "`storage` is 2");
    assert_null(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(precisions_have_names),
        LEARNING_TEST(predictions_agree_with_the_reference_for_any_number_of_samples),
        LEARNING_TEST(the_loss_and_the_gradient_agree_with_the_reference),
        LEARNING_TEST(weights_take_steps_that_16_bits_would_lose),
        LEARNING_TEST(products_read_weights_that_were_set_restored_or_trained),
        LEARNING_TEST(precision_changes_what_products_read_and_no_bit_of_the_weights),
        LEARNING_TEST(inputs_may_be_stored_in_16_bits_from_the_start),
        LEARNING_TEST(numbers_beyond_16_bits_end_training),
        LEARNING_TEST(inputs_beyond_16_bits_are_refused),
    };
    return cmocka_run_group_tests_name("network_mixed", tests, test_group_setup,
                                       test_group_teardown);
}
