/* Upsampling: shapes, factors, and errors. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include <stdio.h>

#define UPSAMPLE(...)                                                                              \
    {                                                                                              \
        .kind = GLNN_LAYER_UPSAMPLE, .stride = { __VA_ARGS__ }                                     \
    }

static void every_factor_agrees_with_the_reference(void **state)
{
    (void)state;
    static const struct {
        glnn_shape shape;
        glnn_size by;
    } cases[] = {
        {{1, 1, 1}, {1, 1}},  {{3, 1, 1}, {3, 5}},  {{5, 7, 6}, {1, 2}}, {{4, 3, 4}, {2, 2}},
        {{9, 1, 13}, {1, 3}}, {{17, 5, 1}, {7, 1}}, {{2, 5, 3}, {3, 4}},
    };
    random_seed(111);
    for (size_t c = 0; c < COUNT_OF(cases); ++c) {
        char where[64];
        const glnn_network_desc desc = {
            .shape = cases[c].shape,
            .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
                       UPSAMPLE(cases[c].by.height, cases[c].by.width),
                       {.kind = GLNN_LAYER_FLATTEN}}};
        snprintf(where, sizeof where, "%d x %d times %d x %d x %d", cases[c].by.height,
                 cases[c].by.width, cases[c].shape.channels, cases[c].shape.height,
                 cases[c].shape.width);
        expect_layers(&desc, (int)(1 + c % 4), where);
    }
}

static void a_pixel_becomes_a_block_of_equal_ones(void **state)
{
    (void)state;
    static const double want[] = {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2};
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        const glnn_network_desc desc = {.shape = {1, 1, 2},
                                        .loss = GLNN_LOSS_SQUARED,
                                        .layout = rendered_layout(i),
                                        .layers = {UPSAMPLE(2, 3), {.kind = GLNN_LAYER_FLATTEN}}};
        glnn_learner *network = network_of(&desc);
        array x = array_new(1, 2);
        x.data[0] = 1, x.data[1] = 2;
        const array y = predictions_of(network, x);
        assert_int_equal(glnn_network_get_shape(network, 0).height, 2);
        assert_int_equal(glnn_network_get_shape(network, 0).width, 6);
        assert_memory_equal(y.data, want, sizeof want);
        release_learning();
    }
}

static void a_side_without_a_factor_stays(void **state)
{
    (void)state;
    const glnn_network_desc desc = {.shape = {1, 2, 3},
                                    .loss = GLNN_LOSS_SQUARED,
                                    .layers = {UPSAMPLE(0, 2), {.kind = GLNN_LAYER_FLATTEN}}};
    const glnn_learner *network = network_of(&desc);
    assert_int_equal(glnn_network_get_shape(network, 0).height, 2);
    assert_int_equal(glnn_network_get_shape(network, 0).width, 6);
    assert_int_equal(glnn_network_get_desc(network)->layers[0].stride.height, 1);
}

static const unfit_layer unfit[] = {
    {UPSAMPLE(0, 0), GLNN_E_ARG,
     "layer 0: upsample has a stride of 0 x 0; at least one of both has to be given"},
    {UPSAMPLE(2, -1), GLNN_E_ARG, "layer 0: stride.width is -1; it has to be an integer from 0 on"},
    {UPSAMPLE(1 << 15, 1 << 15), GLNN_E_LIMIT,
     "layer 0: upsample makes 2 channels of 131072 x 196608"},
    {{.kind = GLNN_LAYER_UPSAMPLE, .stride = {2, 2}, .kernel = {2, 2}},
     GLNN_E_ARG,
     "kernel.height is 2, but upsample layers do not use it"},
};

static void factors_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    expect_unfit_layers(unfit, COUNT_OF(unfit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_factor_agrees_with_the_reference),
        LEARNING_TEST(a_pixel_becomes_a_block_of_equal_ones),
        LEARNING_TEST(a_side_without_a_factor_stays),
        LEARNING_TEST(factors_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("layer upsample", tests, test_group_setup,
                                       test_group_teardown);
}
