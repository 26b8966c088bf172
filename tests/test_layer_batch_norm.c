/* Batch normalisation: counts of numbers, large means, running statistics, and errors. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include "net/network_passes.h"

#include <glnn/trainer.h>

static glnn_network_desc normalising_shape(glnn_shape shape)
{
    return normalising(GLNN_LAYER_BATCH_NORM, shape);
}

/* Numbers of a channel on both sides of the most that a step folds, and channels on both sides of a
 * block. */
static void every_count_of_numbers_agrees_with_the_reference(void **state)
{
    (void)state;
    static const images_shape cases[] = {
        {{1, 1, 2}, 1},  {{3, 1, 1}, 5},   {{4, 1, 127}, 1}, {{5, 8, 8}, 2},   {{7, 3, 43}, 1},
        {{8, 1, 1}, 64}, {{9, 11, 13}, 3}, {{17, 5, 5}, 7},  {{1, 41, 49}, 8},
    };
    random_seed(71);
    expect_normalised(GLNN_LAYER_BATCH_NORM, cases, COUNT_OF(cases));
}

/* 128^2 numbers and 16 more, which take three steps. */
static void many_numbers_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(77);
    glnn_network_desc desc = normalising_shape((glnn_shape){1, 41, 50});
    desc.layout = GLNN_LAYOUT_TILED;
    glnn_learner *network = network_of(&desc);
    draw_parameters(network);
    expect_deltas(network, 0, 8, "many numbers");
    expect_gradients(network, samples_for(network, 8, false), 8, "many numbers");
}

/* The output of the layer in training, for these samples. */
static array normalised(glnn_learner *network, array inputs)
{
    expect_ok(glnn__network_prepare(glnn__network_of(network), inputs.rows));
    glnn__flow flow = glnn__network_flow(glnn__network_of(network), inputs.rows);
    flow.trains = true;
    expect_ok(glnn_matrix_upload(glnn__network_of(network)->ctx,
                                 glnn__network_samples(glnn__network_of(network)), NULL,
                                 floats_of(inputs), 0));
    expect_ok(glnn__network_forward_input(glnn__network_of(network), &flow));
    return values_of(glnn__network_of(network)->layers[1].out.values);
}

static double mean_of(array values)
{
    double mean = 0;
    for (size_t i = 0; i < length_of(values); ++i)
        mean += values.data[i] / (double)length_of(values);
    return mean;
}

/* 1024 numbers of mean 10^4 and deviation 0.6: float32 holds them within 2^-11. */
static void a_mean_that_is_large_costs_no_digits(void **state)
{
    (void)state;
    random_seed(72);
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        glnn_network_desc desc = normalising_shape((glnn_shape){1, 8, 8});
        desc.layout = rendered_layout(i);
        const array out = normalised(network_of(&desc), array_random(16, 64, 10000.0, 10002.0));
        double squares = 0;
        for (size_t j = 0; j < length_of(out); ++j)
            squares += out.data[j] * out.data[j] / (double)length_of(out);
        assert_true(fabs(mean_of(out)) < 1e-3);
        assert_true(fabs(squares - 1) < 1e-3);
        release_learning();
    }
}

static void a_single_number_of_a_channel_becomes_beta(void **state)
{
    (void)state;
    random_seed(73);
    const glnn_network_desc desc = normalising_shape((glnn_shape){5, 1, 1});
    glnn_learner *network = network_of(&desc);
    draw_parameters(network);
    const array parameters = weights_of(network, 0);
    const array out = normalised(network, array_random(1, 5, -2.0, 2.0));
    assert_memory_equal(out.data, at(parameters, 1, 0), 5 * sizeof(double));
}

static void gamma_begins_with_one_and_the_running_variance_too(void **state)
{
    (void)state;
    const glnn_network_desc desc = normalising_shape((glnn_shape){9, 2, 2});
    const glnn_learner *network = network_of(&desc);
    const array parameters = weights_of(network, 0), statistics = statistics_of(network, 0);
    assert_int_equal(parameters.rows, 2);
    for (int j = 0; j < 9; ++j) {
        assert_true(*at(parameters, 0, j) == 1 && *at(parameters, 1, j) == 0);
        assert_true(*at(statistics, 0, j) == 0 && *at(statistics, 1, j) == 1);
    }
}

static void only_steps_move_the_running_statistics(void **state)
{
    (void)state;
    random_seed(74);
    const glnn_network_desc desc = normalising_shape((glnn_shape){3, 4, 4});
    glnn_learner *network = network_of(&desc);
    const samples all = samples_for(network, 12, false);
    const array before = statistics_of(network, 0);
    double loss;
    gradient_of(network, dataset_of(all), 12, 0, &loss);
    predictions_of(network, all.inputs);
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), &(glnn_metrics){0}, NULL));
    expect_same_bits(statistics_of(network, 0), before, "statistics");
    expect_step(network, all, (glnn_train_desc){.schedule.rate = 0.5f}, "a step");
    for (size_t i = 0; i < length_of(before); ++i)
        assert_true(before.data[i] != statistics_of(network, 0).data[i]);
}

static void predictions_use_the_running_statistics(void **state)
{
    (void)state;
    random_seed(75);
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        glnn_network_desc desc = normalising_shape((glnn_shape){6, 3, 3});
        desc.layout = rendered_layout(i);
        glnn_learner *network = network_of(&desc);
        draw_parameters(network);
        const float *means = floats_of(array_random(1, 6, -2.0, 2.0));
        const float *variances = floats_of(array_random(1, 6, 0.0, 2.0));
        expect_ok(write_statistics(network, 0, means, variances));
        const array set = statistics_of(network, 0);
        for (int j = 0; j < 6; ++j)
            assert_true(*at(set, 0, j) == (double)means[j] &&
                        *at(set, 1, j) == (double)variances[j]);
        expect_predictions(network, 7, "set statistics");
        release_learning();
    }
}

static void one_row_of_statistics_is_set_without_the_other(void **state)
{
    (void)state;
    const glnn_network_desc desc = normalising_shape((glnn_shape){2, 3, 3});
    glnn_learner *network = network_of(&desc);
    static const float means[] = {2, 3}, variances[] = {4, 5};
    float got[2];
    expect_ok(write_statistics(network, 0, means, NULL));
    expect_ok(read_statistics(network, 0, NULL, got));
    assert_true(got[0] == 1 && got[1] == 1);
    expect_ok(write_statistics(network, 0, NULL, variances));
    expect_ok(read_statistics(network, 0, got, NULL));
    assert_memory_equal(got, means, sizeof got);
    expect_ok(read_statistics(network, 0, NULL, got));
    assert_memory_equal(got, variances, sizeof got);
}

static void statistics_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const glnn_network_desc desc = normalising_shape((glnn_shape){2, 3, 3});
    glnn_learner *network = network_of(&desc);
    const float nan[] = {1, NAN}, negative[] = {1, -0.5f}, means[] = {-3, -4};
    float got[2];
    expect_error(write_statistics(network, 0, nan, NULL), GLNN_E_ARG,
                 "glnn_learner_set_tensor: `0.running_mean`: number 1 is nan; it has to be finite");
    expect_ok(read_statistics(network, 0, got, NULL));
    assert_true(got[0] == 0 && got[1] == 0);
    expect_error(write_statistics(network, 0, NULL, negative), GLNN_E_ARG,
                 "glnn_learner_set_tensor: `0.running_var` has a running variance of -0.5 for "
                 "channel 1; it must not be negative");
    expect_ok(read_statistics(network, 0, NULL, got));
    assert_true(got[0] == 1 && got[1] == 1);
    expect_ok(write_statistics(network, 0, means, NULL));
}

static void layers_without_statistics_refuse_them(void **state)
{
    (void)state;
    const glnn_network_desc desc = normalising_shape((glnn_shape){2, 3, 3});
    glnn_learner *network = network_of(&desc);
    float numbers[2];
    assert_null(tensor_of_layer(network, 1, "running_mean"));
    expect_error(glnn_learner_get_tensor(network, "1.running_mean", 2, numbers), GLNN_E_ARG,
                 "the network has no tensor '1.running_mean'; did you mean '0.running_mean'?");
    expect_error(glnn_learner_set_tensor(network, "1.running_var", 2, numbers), GLNN_E_ARG,
                 "the network has no tensor '1.running_var'");
}

static void rows_without_a_sample_change_nothing(void **state)
{
    (void)state;
    random_seed(76);
    expect_rows_without_samples_ignored(GLNN_LAYER_BATCH_NORM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_count_of_numbers_agrees_with_the_reference),
        LEARNING_TEST(many_numbers_agree_with_the_reference),
        LEARNING_TEST(a_mean_that_is_large_costs_no_digits),
        LEARNING_TEST(a_single_number_of_a_channel_becomes_beta),
        LEARNING_TEST(gamma_begins_with_one_and_the_running_variance_too),
        LEARNING_TEST(only_steps_move_the_running_statistics),
        LEARNING_TEST(predictions_use_the_running_statistics),
        LEARNING_TEST(one_row_of_statistics_is_set_without_the_other),
        LEARNING_TEST(statistics_that_cannot_be_are_refused),
        LEARNING_TEST(layers_without_statistics_refuse_them),
        LEARNING_TEST(rows_without_a_sample_change_nothing),
    };
    return cmocka_run_group_tests_name("layer batch norm", tests, test_group_setup,
                                       test_group_teardown);
}
