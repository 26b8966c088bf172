/* Optimizers of networks: the rules of training that belong to one of them. */
#include "support/network_checks.h"

enum { SAMPLES = 40, FEATURES = 6, CLASSES = 3 };

static glnn_network *network_by(glnn_optimizer optimizer)
{
    const glnn_network_desc desc = {
        .features = FEATURES,
        .layers = {{.units = 9, .activation = GLNN_ACTIVATION_TANH}, {.units = CLASSES}},
        .optimizer = optimizer,
        .seed = 3,
    };
    return network_of(&desc);
}

static const glnn_dataset *draw_data(void)
{
    random_seed(31);
    return dataset_of(samples_random(SAMPLES, FEATURES, CLASSES, true));
}

static glnn_status train(glnn_network *network, glnn_train_desc how)
{
    how.epochs = 5;
    how.keep_order = true;
    return glnn_network_train(network, draw_data(), &how, NULL);
}

static void rprop_takes_all_samples_in_each_step(void **state)
{
    (void)state;
    glnn_network *network = network_by((glnn_optimizer){.kind = GLNN_OPTIMIZER_RPROP});
    expect_error(train(network, (glnn_train_desc){.batch = SAMPLES - 1}), GLNN_E_ARG,
                 "a step of 39 samples; rprop needs all 40 training samples in each step");
    expect_error(train(network, (glnn_train_desc){.batch = 13, .accumulate = 3}), GLNN_E_ARG,
                 "a step of 39 samples");
    expect_error(train(network, (glnn_train_desc){.batch = 20, .validation_split = 0.25f}),
                 GLNN_E_ARG, "all 30 training samples");
    assert_int_equal(glnn_network_get_steps(network), 0);
    expect_ok(train(network, (glnn_train_desc){.batch = 0}));
    assert_int_equal(glnn_network_get_steps(network), 5);
}

/* Parts of a step round differently than the whole, but no sign changes by that here. */
static void rprop_makes_the_same_steps_from_accumulated_batches(void **state)
{
    (void)state;
    glnn_network *whole = network_by((glnn_optimizer){.kind = GLNN_OPTIMIZER_RPROP});
    glnn_network *parts = network_by((glnn_optimizer){.kind = GLNN_OPTIMIZER_RPROP});
    expect_ok(train(whole, (glnn_train_desc){.batch = GLNN_FULL_BATCH}));
    expect_ok(train(parts, (glnn_train_desc){.batch = 14, .accumulate = 3}));
    for (int l = 0; l < 2; ++l) {
        const array a = weights_of(whole, l), b = weights_of(parts, l);
        for (size_t i = 0; i < length_of(a); ++i)
            assert_true(fabs(a.data[i] - b.data[i]) < 1e-5);
    }
}

static void rprop_has_no_learning_rate(void **state)
{
    (void)state;
    glnn_network *network = network_by((glnn_optimizer){.kind = GLNN_OPTIMIZER_RPROP});
    expect_error(train(network, (glnn_train_desc){.schedule.rate = 0.1f}), GLNN_E_ARG,
                 "a rate of 0.1, but this learner has no learning rate");
    expect_error(train(network, (glnn_train_desc){.schedule.kind = GLNN_SCHEDULE_COSINE}),
                 GLNN_E_ARG, "schedule cosine, but this learner has no learning rate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(rprop_takes_all_samples_in_each_step),
        LEARNING_TEST(rprop_makes_the_same_steps_from_accumulated_batches),
        LEARNING_TEST(rprop_has_no_learning_rate),
    };
    return cmocka_run_group_tests_name("network optimizers", tests, test_group_setup,
                                       test_group_teardown);
}
