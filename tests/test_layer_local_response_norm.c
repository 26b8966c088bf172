/* Local response normalisation: sizes, defaults, and errors. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include <stdio.h>

#define RESPONSE(...)                                                                              \
    {                                                                                              \
        .kind = GLNN_LAYER_LOCAL_RESPONSE_NORM, __VA_ARGS__                                        \
    }

static void every_size_agrees_with_the_reference(void **state)
{
    (void)state;
    static const struct {
        glnn_shape shape;
        int size, count;
    } cases[] = {
        {{1, 1, 1}, 1, 1}, {{1, 3, 2}, 5, 2},   {{5, 1, 7}, 2, 3},  {{8, 3, 3}, 3, 2},
        {{9, 4, 5}, 4, 4}, {{17, 1, 1}, 5, 33}, {{13, 2, 3}, 9, 5}, {{7, 2, 2}, 40, 3},
    };
    random_seed(101);
    for (size_t c = 0; c < COUNT_OF(cases); ++c) {
        char where[64];
        const glnn_network_desc desc = {
            .shape = cases[c].shape,
            .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
                       RESPONSE(.size = cases[c].size, .alpha = 3, .beta = 1.5f, .k = 0.25f),
                       {.kind = GLNN_LAYER_FLATTEN}}};
        snprintf(where, sizeof where, "size %d of %d x %d x %d", cases[c].size,
                 cases[c].shape.channels, cases[c].shape.height, cases[c].shape.width);
        expect_layers(&desc, cases[c].count, where);
    }
}

/* x / (2 + 0.0001 / 5 * 3 * 10^6)^0.75 of the middle of three channels of 1000. */
static void zeros_stand_for_the_numbers_of_krizhevsky(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {3, 1, 1}, .loss = GLNN_LOSS_SQUARED, .layers = {RESPONSE(.size = 0)}};
    glnn_learner *network = network_of(&desc);
    const glnn_layer_desc *filled = &glnn_network_get_desc(network)->layers[0];
    assert_int_equal(filled->size, 5);
    assert_true(filled->alpha == 1e-4f && filled->beta == 0.75f && filled->k == 2);
    array x = array_new(1, 3);
    for (int j = 0; j < 3; ++j)
        x.data[j] = 1000;
    const array y = predictions_of(network, x);
    for (int j = 0; j < 3; ++j)
        assert_true(fabs(y.data[j] - 1000 / pow(62, 0.75)) < 1e-4 * y.data[j]);
}

static const unfit_layer unfit[] = {
    {RESPONSE(.size = -1), GLNN_E_ARG,
     "layer 0: size is -1; it has to be an integer from 1 on, or 0 for 5"},
    {RESPONSE(.alpha = -1), GLNN_E_ARG,
     "alpha is -1; it has to be a finite number above 0, or 0 for 0.0001"},
    {RESPONSE(.beta = INFINITY), GLNN_E_ARG,
     "beta is inf; it has to be a finite number above 0, or 0 for"},
    {RESPONSE(.k = -2), GLNN_E_ARG,
     "layer 0: k is -2; it has to be a finite number above 0, or 0 for 2"},
    {RESPONSE(.activation = GLNN_ACTIVATION_TANH), GLNN_E_ARG,
     "local_response_norm layers do not use it"},
    {{.kind = GLNN_LAYER_BATCH_NORM, .k = 2},
     GLNN_E_ARG,
     "k is 2, but batch_norm layers do not use it"},
};

static void numbers_out_of_their_ranges_are_refused(void **state)
{
    (void)state;
    expect_unfit_layers(unfit, COUNT_OF(unfit));
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

static void a_step_takes_three_passes(void **state)
{
    (void)state;
    const glnn_network_desc without = {.features = 5, .layers = {{.units = 6}, {.units = 3}}},
                            with = {.features = 5,
                                    .layers = {{.units = 6}, RESPONSE(.size = 3), {.units = 3}}};
    assert_int_equal(count_passes(&with) - count_passes(&without), 3);
}

/* Software rasterisers end long loops, so that numbers would be wrong without an error. */
static void loops_too_long_for_a_software_rasteriser_are_refused(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .features = 2000, .loss = GLNN_LOSS_SQUARED, .layers = {RESPONSE(.size = 2000)}};
    if (!glnn_test_context()->info.software)
        skip();
    float y[2000];
    expect_error(glnn_learner_predict(network_of(&desc), 1,
                                      floats_of(array_random(1, 2000, -1.0, 1.0)), y, NULL),
                 GLNN_E_LIMIT, "local_response_norm takes 128000 turns of loops");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_size_agrees_with_the_reference),
        LEARNING_TEST(zeros_stand_for_the_numbers_of_krizhevsky),
        LEARNING_TEST(numbers_out_of_their_ranges_are_refused),
        LEARNING_TEST(a_step_takes_three_passes),
        LEARNING_TEST(loops_too_long_for_a_software_rasteriser_are_refused),
    };
    return cmocka_run_group_tests_name("layer local response norm", tests, test_group_setup,
                                       test_group_teardown);
}
