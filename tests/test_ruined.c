/* Steps that ruin what is learnt are noticed at the end of their epoch, even if no batch comes
 * after. */
#include "support/subjects.h"

#include <float.h>

/* Far from 0 against their number, so that a huge rate takes parameters beyond float32 at once. */
static samples large_samples(void)
{
    samples all = some_samples();
    for (int i = 0; i < SAMPLES * FEATURES; ++i)
        all.inputs.data[i] *= 1000;
    return all;
}

static void expect_element(glnn_status status, const char *what)
{
    if (status != GLNN_E_DIVERGED || !strstr(glnn_last_error(), "after epoch 1 element (") ||
        !strstr(glnn_last_error(), what))
        fail_at(__FILE__, __LINE__, "%s: %s: %s", what, glnn_status_name(status),
                glnn_last_error());
}

static const glnn_train_desc one_step = {
    .epochs = 1, .batch = GLNN_FULL_BATCH, .schedule.rate = FLT_MAX};

static void a_weight_that_is_not_finite_is_named(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(large_samples());
    const subject of = {.learner = small_network(64)};
    glnn_trainer *trainer = trainer_of(&of, data, &one_step);
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_element(glnn_trainer_end_epoch(trainer), "of weights 0 is");
    assert_true(glnn_trainer_is_finished(trainer));
    expect_element(glnn_learner_train(small_network(64), data, &one_step, NULL), "of weights 0 is");
}

static void weights_beyond_16_bits_are_named_where_products_read_these(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    glnn_train_desc how = one_step;
    glnn_learner *network = small_network(64);
    how.schedule.rate = 1e7f;
    expect_ok(glnn_learner_train(network, data, &how, NULL));
    network = small_network(64);
    expect_ok(glnn_network_set_precision(network, GLNN_PRECISION_MIXED));
    expect_element(glnn_learner_train(network, data, &how, NULL), "is inf");
}

static void prototypes_and_metrics_that_are_not_finite_are_named(void **state)
{
    (void)state;
    static const glnn_lvq_kind kinds[] = {GLNN_LVQ_LVQ1, GLNN_LVQ_GLVQ, GLNN_LVQ_GRLVQ,
                                          GLNN_LVQ_GMLVQ, GLNN_LVQ_RSLVQ};
    const glnn_dataset *data = dataset_of(large_samples());
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const subject of = {.learner = lvq_of(&(glnn_lvq_desc){
                                .kind = kinds[i], .features = FEATURES, .classes = CLASSES})};
        expect_element(train_subject(&of, data, &one_step, NULL), "of prototypes 0 is");
    }
}

static void a_covariance_that_is_not_finite_is_named(void **state)
{
    (void)state;
    static const float weights[] = {1}, means[FEATURES] = {0};
    samples all = some_samples();
    for (int i = 0; i < SAMPLES * FEATURES; ++i)
        all.inputs.data[i] = i % 2 ? 1.2e19 : -1.2e19; /* their squares are finite, not the sum */
    const glnn_dataset *data = dataset_of(all);
    for (glnn_covariance c = GLNN_COVARIANCE_DIAGONAL; c <= GLNN_COVARIANCE_SPHERICAL; ++c) {
        const float variances[FEATURES] = {2e37f, 2e37f, 2e37f, 2e37f, 2e37f};
        glnn_learner *gmm =
            gmm_of(&(glnn_gmm_desc){.features = FEATURES, .components = 1, .covariance = c});
        expect_ok(gmm_write(gmm, weights, means, variances));
        expect_error(glnn_learner_train(gmm, data, &(glnn_train_desc){.epochs = 1}, NULL),
                     GLNN_E_DIVERGED, "of the covariance of component 0 is inf");
        expect_ok(glnn_learner_evaluate(gmm, data, NULL, NULL));
    }
}

/* Weights that are finite, but whose outputs are not. */
static void steps_that_go_too_far_are_noticed_at_the_end(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    glnn_train_desc how = one_step;
    how.schedule.rate = 1e30f;
    expect_error(glnn_learner_train(small_network(64), data, &how, NULL), GLNN_E_DIVERGED,
                 "after the last step of epoch 1 the loss of ");
}

/* The rate of the third epoch ruins its only step, whose loss is still good. */
static void the_best_epoch_is_a_sound_one(void **state)
{
    (void)state;
    static const float factors[] = {1e37f, 1e30f};
    const glnn_dataset *data = dataset_of(large_samples());
    for (size_t i = 0; i < COUNT_OF(factors); ++i) {
        const subject of = {.learner = small_network(64)}, same = {.learner = small_network(64)};
        glnn_train_desc how = {.epochs = 3,
                               .batch = GLNN_FULL_BATCH,
                               .schedule = {.kind = GLNN_SCHEDULE_STEP,
                                            .rate = 1e-7f,
                                            .factor = factors[i],
                                            .every = 2},
                               .restore_best = true};
        glnn_train_result result = {.size = sizeof result};
        expect_error(train_subject(&of, data, &how, &result), GLNN_E_DIVERGED, "epoch 3");
        assert_int_equal(result.best_epoch, 2);
        expect_ok(glnn_learner_evaluate(of.learner, data, NULL, NULL));
        how.epochs = 2;
        expect_ok(train_subject(&same, data, &how, NULL));
        expect_same_bits(weights_of(of.learner, 0), weights_of(same.learner, 0), "factor %g",
                         (double)factors[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_weight_that_is_not_finite_is_named),
        LEARNING_TEST(weights_beyond_16_bits_are_named_where_products_read_these),
        LEARNING_TEST(prototypes_and_metrics_that_are_not_finite_are_named),
        LEARNING_TEST(a_covariance_that_is_not_finite_is_named),
        LEARNING_TEST(steps_that_go_too_far_are_noticed_at_the_end),
        LEARNING_TEST(the_best_epoch_is_a_sound_one),
    };
    return cmocka_run_group_tests_name("ruined", tests, test_group_setup, test_group_teardown);
}
