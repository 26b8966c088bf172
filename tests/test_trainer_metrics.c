/* Trainers: the metrics of regression, and those that do not apply. */
#include "support/subjects.h"

/* The mean squared error and R^2 of a network's outputs, in double. */
static glnn_metrics regression_of(glnn_learner *network, samples all)
{
    const int outputs = all.targets.columns, rows = all.inputs.rows;
    float *predicted = floats_new((size_t)(rows * outputs));
    double errors = 0, spread = 0;
    expect_ok(glnn_learner_predict(network, rows, floats_of(all.inputs), predicted, NULL));
    for (int j = 0; j < outputs; ++j) {
        double mean = 0;
        for (int i = 0; i < rows; ++i)
            mean += *at(all.targets, i, j) / rows;
        for (int i = 0; i < rows; ++i) {
            const double error = (double)predicted[i * outputs + j] - *at(all.targets, i, j);
            errors += error * error;
            spread += (*at(all.targets, i, j) - mean) * (*at(all.targets, i, j) - mean);
        }
    }
    return (glnn_metrics){.squared_error = errors / (rows * outputs),
                          .r_squared = 1 - errors / spread};
}

static void expect_near(double got, double want, const char *what)
{
    if (!(fabs(got - want) <= 1e-5 * (1 + fabs(want))))
        fail_at(__FILE__, __LINE__, "%s is %.9g, expected %.9g", what, got, want);
}

static void regression_reports_squared_error_and_r_squared(void **state)
{
    (void)state;
    random_seed(3);
    const samples all = samples_random(SAMPLES, FEATURES, 3, false);
    for (int i = 0; i < SAMPLES; ++i)
        *at(all.targets, i, 0) = 7 + *at(all.inputs, i, 0); /* far from 0, and easy to learn */
    const glnn_dataset *data = dataset_of(all);
    const subject of = {.learner = network_of(&(glnn_network_desc){.features = FEATURES,
                                                                   .layers = {{.units = 3}},
                                                                   .loss = GLNN_LOSS_SQUARED})};
    const glnn_train_desc how = {.epochs = 20, .batch = 8, .validation = data};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    run_by(trainer, 0, 0);
    const glnn_train_result *result = glnn_trainer_get_result(trainer);
    const glnn_metrics want = regression_of(of.learner, all);
    glnn_metrics got;
    expect_ok(glnn_trainer_evaluate(trainer, data, &got, NULL));
    assert_true(want.r_squared > 0.1 && want.r_squared < 1);
    expect_near(got.squared_error, want.squared_error, "the squared error");
    expect_near(got.r_squared, want.r_squared, "R^2");
    expect_near(result->validation.squared_error, want.squared_error, "the validation's error");
    expect_near(result->validation.r_squared, want.r_squared, "the validation's R^2");
    assert_true(result->training.squared_error > 0 && result->training.r_squared < 1);
    assert_true(got.accuracy == 0 && result->training.accuracy == 0);
}

static void metrics_that_do_not_apply_are_not_numbers(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = {.epochs = 1};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    run_by(trainer, 0, 0);
    const glnn_train_result *result = glnn_trainer_get_result(trainer);
    glnn_metrics metrics;
    expect_ok(glnn_trainer_evaluate(trainer, data, &metrics, NULL));
    assert_true(isnan(metrics.squared_error) && isnan(metrics.r_squared) && metrics.accuracy > 0);
    assert_true(isnan(result->training.squared_error) && isnan(result->training.r_squared));
    assert_true(isnan(result->validation.squared_error) && isnan(result->validation.r_squared));
}

static void equal_targets_have_no_r_squared(void **state)
{
    (void)state;
    samples all = samples_random(34, FEATURES, 1, false);
    for (int i = 0; i < 34; ++i)
        *at(all.targets, i, 0) = 3.1;
    const glnn_dataset *data = dataset_of(all);
    const subject of = {.learner = network_of(&(glnn_network_desc){.features = FEATURES,
                                                                   .layers = {{.units = 1}},
                                                                   .loss = GLNN_LOSS_SQUARED})};
    glnn_trainer *trainer = trainer_of(&of, data, &(glnn_train_desc){.epochs = 1});
    run_by(trainer, 0, 0);
    assert_true(isnan(glnn_trainer_get_result(trainer)->training.r_squared));
    assert_true(glnn_trainer_get_result(trainer)->training.squared_error > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(regression_reports_squared_error_and_r_squared),
        LEARNING_TEST(metrics_that_do_not_apply_are_not_numbers),
        LEARNING_TEST(equal_targets_have_no_r_squared),
    };
    return cmocka_run_group_tests_name("trainer metrics", tests, test_group_setup,
                                       test_group_teardown);
}
