/* Layer normalisation: counts of numbers, large means, and the first parameters. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include "net/network_passes.h"

static glnn_network_desc normalising_shape(glnn_shape shape)
{
    return normalising(GLNN_LAYER_LAYER_NORM, shape);
}

/* Samples on both sides of what a step folds, channels on both sides of a block, and images of
 * height 1. */
static void every_count_of_numbers_agrees_with_the_reference(void **state)
{
    (void)state;
    static const images_shape cases[] = {
        {{2, 1, 1}, 1},   {{3, 1, 1}, 5},   {{4, 1, 129}, 1}, {{5, 8, 8}, 2},     {{7, 3, 43}, 3},
        {{515, 1, 1}, 7}, {{9, 11, 13}, 3}, {{17, 5, 5}, 7},  {{1, 129, 127}, 1}, {{64, 1, 1}, 64},
    };
    random_seed(91);
    expect_normalised(GLNN_LAYER_LAYER_NORM, cases, COUNT_OF(cases));
}

/* 64 numbers of mean 10^4 and deviation 0.6: float32 holds them within 2^-11. */
static void a_mean_that_is_large_costs_no_digits(void **state)
{
    (void)state;
    random_seed(92);
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        glnn_network_desc desc = normalising_shape((glnn_shape){4, 4, 4});
        desc.layout = rendered_layout(i);
        const array out = predictions_of(network_of(&desc), array_random(16, 64, 10000.0, 10002.0));
        for (int row = 0; row < 16; ++row) {
            double mean = 0, squares = 0;
            for (int j = 0; j < 64; ++j) {
                mean += *at(out, row, j) / 64;
                squares += *at(out, row, j) * *at(out, row, j) / 64;
            }
            assert_true(fabs(mean) < 1e-3 && fabs(squares - 1) < 1e-3);
        }
        release_learning();
    }
}

static void a_sample_of_equal_numbers_becomes_beta(void **state)
{
    (void)state;
    random_seed(93);
    const glnn_network_desc desc = normalising_shape((glnn_shape){5, 1, 3});
    glnn_learner *network = network_of(&desc);
    draw_parameters(network);
    const array parameters = weights_of(network, 0);
    array image = array_new(2, 15);
    for (size_t i = 0; i < length_of(image); ++i)
        image.data[i] = 0.3125;
    const array out = predictions_of(network, image);
    for (int j = 0; j < 15; ++j)
        assert_true(*at(out, 1, j) == *at(parameters, 1, j / 3));
}

static void gamma_begins_with_one_and_beta_with_zero(void **state)
{
    (void)state;
    const glnn_network_desc desc = normalising_shape((glnn_shape){9, 2, 2});
    const array parameters = weights_of(network_of(&desc), 0);
    assert_int_equal(parameters.rows, 2);
    for (int j = 0; j < 9; ++j)
        assert_true(*at(parameters, 0, j) == 1 && *at(parameters, 1, j) == 0);
}

static void a_sample_is_normalised_alike_in_every_batch(void **state)
{
    (void)state;
    random_seed(94);
    const glnn_network_desc desc = normalising_shape((glnn_shape){3, 4, 5});
    const array all = array_random(40, 60, -1.0, 1.0);
    glnn_learner *network = network_of(&desc);
    draw_parameters(network);
    const array together = predictions_of(network, all);
    const array alone = predictions_of(network, (array){1, 60, all.data});
    assert_memory_equal(together.data, alone.data, 60 * sizeof(double));
}

static void rows_without_a_sample_change_nothing(void **state)
{
    (void)state;
    random_seed(95);
    expect_rows_without_samples_ignored(GLNN_LAYER_LAYER_NORM);
}

static glnn_status train(void *learner, const glnn_dataset *data, const glnn_train_desc *how)
{
    return glnn_learner_train(learner, data, how, NULL);
}

static int count_passes(const glnn_network_desc *desc)
{
    glnn_learner *network = network_of(desc);
    return passes_per_step(network, train, samples_for(network, 64, true), 16);
}

/* With 16 numbers for a channel: 5 and one more. */
static void a_step_takes_the_passes_that_the_header_states(void **state)
{
    (void)state;
    const glnn_network_desc without = {.features = 5, .layers = {{.units = 6}, {.units = 3}}},
                            with = {.features = 5,
                                    .layers = {{.units = 6},
                                               {.kind = GLNN_LAYER_LAYER_NORM},
                                               {.units = 3}}};
    assert_int_equal(count_passes(&with) - count_passes(&without), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_count_of_numbers_agrees_with_the_reference),
        LEARNING_TEST(a_mean_that_is_large_costs_no_digits),
        LEARNING_TEST(a_sample_of_equal_numbers_becomes_beta),
        LEARNING_TEST(gamma_begins_with_one_and_beta_with_zero),
        LEARNING_TEST(a_sample_is_normalised_alike_in_every_batch),
        LEARNING_TEST(a_step_takes_the_passes_that_the_header_states),
        LEARNING_TEST(rows_without_a_sample_change_nothing),
    };
    return cmocka_run_group_tests_name("layer layer norm", tests, test_group_setup,
                                       test_group_teardown);
}
