/* Max and average pooling: sizes, paddings and strides, equal numbers, NaN, and errors. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include "net/network_passes.h"

#include <limits.h>
#include <stdio.h>

/* clang-format off */
#define POOL(KIND, ...) {.kind = GLNN_LAYER_##KIND, __VA_ARGS__}
/* clang-format on */

static const struct {
    glnn_shape shape;
    glnn_size kernel, stride, padding;
} cases[] = {
    {{1, 1, 1}, {1, 1}, {0, 0}, {0, 0}},  {{1, 28, 28}, {2, 2}, {0, 0}, {0, 0}},
    {{3, 7, 5}, {2, 2}, {0, 0}, {0, 0}},  {{5, 7, 7}, {3, 3}, {2, 2}, {1, 1}},
    {{4, 6, 9}, {3, 2}, {1, 3}, {1, 0}},  {{8, 5, 11}, {5, 11}, {0, 0}, {0, 0}},
    {{9, 8, 8}, {3, 3}, {1, 1}, {1, 1}},  {{7, 2, 13}, {1, 4}, {5, 2}, {0, 2}},
    {{16, 4, 4}, {4, 4}, {4, 4}, {2, 2}}, {{2, 3, 3}, {2, 2}, {7, 1}, {1, 1}},
    {{9, 7, 6}, {2, 2}, {0, 0}, {1, 0}},  {{5, 5, 8}, {3, 4}, {2, 4}, {0, 0}},
    {{3, 9, 4}, {2, 2}, {3, 2}, {0, 0}},  {{5, 11, 10}, {9, 9}, {1, 1}, {4, 4}},
    {{6, 9, 18}, {9, 9}, {0, 0}, {0, 0}}, {{3, 12, 12}, {1, 6}, {1, 2}, {0, 3}},
};

static void check_pooling(glnn_layer_kind kind)
{
    random_seed(61);
    for (size_t c = 0; c < COUNT_OF(cases); ++c) {
        char where[96];
        const glnn_network_desc desc = {
            .shape = cases[c].shape,
            .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
                       {.kind = kind,
                        .kernel = cases[c].kernel,
                        .stride = cases[c].stride,
                        .padding = cases[c].padding},
                       {.kind = GLNN_LAYER_FLATTEN}}};
        snprintf(where, sizeof where, "%s %d x %d of %d x %d x %d", glnn_layer_kind_name(kind),
                 cases[c].kernel.height, cases[c].kernel.width, cases[c].shape.channels,
                 cases[c].shape.height, cases[c].shape.width);
        expect_layers(&desc, (int)(1 + c % 4), where);
    }
}

static void max_pooling_agrees_with_the_reference_for_every_shape(void **state)
{
    (void)state;
    check_pooling(GLNN_LAYER_MAX_POOL);
}

static void average_pooling_agrees_with_the_reference_for_every_shape(void **state)
{
    (void)state;
    check_pooling(GLNN_LAYER_AVERAGE_POOL);
}

/* An image of one channel through a layer. */
static array pooled(glnn_layer_desc layer, array image, glnn_shape shape, glnn_layout layout)
{
    const glnn_network_desc desc = {.shape = shape,
                                    .loss = GLNN_LOSS_SQUARED,
                                    .layout = layout,
                                    .layers = {layer, {.kind = GLNN_LAYER_FLATTEN}}};
    return predictions_of(network_of(&desc), image);
}

static void the_padding_is_never_the_greatest(void **state)
{
    (void)state;
    random_seed(62);
    const glnn_layer_desc layer = POOL(MAX_POOL, .kernel = {3, 3}, .padding = {1, 1});
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        const array image = array_random(1, 25, -3.0, -1.0);
        const array out = pooled(layer, image, (glnn_shape){1, 5, 5}, rendered_layout(i));
        for (size_t j = 0; j < length_of(out); ++j)
            assert_true(out.data[j] <= -1);
        release_learning();
    }
}

static void the_padding_counts_as_zeros_of_a_mean(void **state)
{
    (void)state;
    const array image = array_new(1, 4);
    for (int i = 0; i < 4; ++i)
        image.data[i] = 4;
    const glnn_layer_desc layer =
        POOL(AVERAGE_POOL, .kernel = {2, 2}, .stride = {1, 1}, .padding = {1, 1});
    const array out = pooled(layer, image, (glnn_shape){1, 2, 2}, GLNN_LAYOUT_AUTO);
    static const double want[] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    assert_int_equal(length_of(out), COUNT_OF(want));
    assert_memory_equal(out.data, want, sizeof want);
}

static void the_first_of_equal_numbers_has_the_gradient(void **state)
{
    (void)state;
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        const glnn_network_desc desc = {
            .shape = {1, 3, 4},
            .loss = GLNN_LOSS_SQUARED,
            .layout = rendered_layout(i),
            .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_IDENTITY},
                       POOL(MAX_POOL, .kernel = {3, 2}),
                       {.kind = GLNN_LAYER_FLATTEN}}};
        glnn_learner *network = network_of(&desc);
        samples all = samples_for(network, 4, false);
        for (size_t j = 0; j < length_of(all.inputs); ++j)
            all.inputs.data[j] = (double)(j * 7 % 3);
        expect_gradients(network, all, 4, "equal numbers");
        expect_deltas(network, 1, 4, "equal numbers");
        release_learning();
    }
}

/* Whether the windows with a pixel that is NaN, and no others, become NaN. */
static void check_nan(glnn_layer_kind kind, int place, glnn_layout layout)
{
    const glnn_network_desc desc = {
        .shape = {1, 4, 4},
        .loss = GLNN_LOSS_SQUARED,
        .layout = layout,
        .layers = {{.kind = kind, .kernel = {2, 2}}, {.kind = GLNN_LAYER_FLATTEN}}};
    glnn_learner *network = network_of(&desc);
    expect_ok(glnn__network_prepare(glnn__network_of(network), 1));
    const array image = array_random(16, 1, -1.0, 1.0);
    image.data[place] = NAN;
    const glnn__flow flow = glnn__network_flow(glnn__network_of(network), 1);
    const glnn__layer *layer = &glnn__network_of(network)->layers[0];
    const glnn__signal input = {.values = matrix_of(image, layout)};
    expect_ok(layer->type->forward(&flow, layer, &input));
    const array out = values_of(layer->out.values);
    for (int j = 0; j < 4; ++j)
        assert_int_equal(isnan(out.data[j]), place / 8 * 2 + place % 4 / 2 == j);
    release_learning();
}

static void nan_stays_nan(void **state)
{
    (void)state;
    for (int place = 0; place < 16; ++place)
        for (int i = 0; i < RENDERED_COUNT; ++i) {
            check_nan(GLNN_LAYER_MAX_POOL, place, rendered_layout(i));
            check_nan(GLNN_LAYER_AVERAGE_POOL, place, rendered_layout(i));
        }
}

static void windows_begin_as_far_apart_as_they_are_large_by_default(void **state)
{
    (void)state;
    const glnn_network_desc desc = {.shape = {3, 13, 9},
                                    .loss = GLNN_LOSS_SQUARED,
                                    .layers = {POOL(MAX_POOL, .kernel = {3, 2}, .stride = {3, 0}),
                                               {.kind = GLNN_LAYER_FLATTEN}}};
    const glnn_learner *network = network_of(&desc);
    const glnn_layer_desc *filled = &glnn_network_get_desc(network)->layers[0];
    assert_int_equal(filled->stride.height, 3);
    assert_int_equal(filled->stride.width, 2);
    const glnn_shape shape = glnn_network_get_shape(network, 0);
    assert_int_equal(shape.channels, 3);
    assert_int_equal(shape.height, 4);
    assert_int_equal(shape.width, 4);
}

static const unfit_layer unfit[] = {
    {POOL(MAX_POOL, .units = 0), GLNN_E_ARG, "windows of height 0, 0 apart; both have to be"},
    {POOL(MAX_POOL, .kernel = {2, -1}), GLNN_E_ARG,
     "layer 0: kernel.width is -1; it has to be an integer from 0 on"},
    {POOL(AVERAGE_POOL, .kernel = {2, 2}, .stride = {1, -1}), GLNN_E_ARG,
     "layer 0: stride.width is -1; it has to be an integer from 0 on, or 0 for 1"},
    {POOL(MAX_POOL, .kernel = {2, 2}, .padding = {-1, 0}), GLNN_E_ARG,
     "layer 0: padding.height is -1; it has to be an integer from 0 on"},
    {POOL(MAX_POOL, .kernel = {3, 3}, .padding = {1, 2}), GLNN_E_ARG,
     "layer 0: max_pool has windows of width 3 and a padding of 2; it has to be 0 to half of that, "
     "1"},
    {POOL(AVERAGE_POOL, .kernel = {7, 1}), GLNN_E_SHAPE,
     "layer 0: average_pool has windows of height 7, but an image of height 4 with a padding of 0"},
    {POOL(MAX_POOL, .kernel = {1, 9}, .padding = {0, 1}), GLNN_E_SHAPE,
     "windows of width 9, but an image of width 6 with a padding of 1 on each side"},
    {POOL(MAX_POOL, .kernel = {1, 1}, .units = 2), GLNN_E_ARG, "max_pool layers do not use it"},
    {POOL(AVERAGE_POOL, .kernel = {1, 1}, .groups = 2), GLNN_E_ARG, "average_pool layers do not"},
};

static void windows_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    expect_unfit_layers(unfit, COUNT_OF(unfit));
}

static void windows_of_too_many_pixels_are_refused(void **state)
{
    (void)state;
    glnn_learner *network;
    const glnn_network_desc desc = {.shape = {1, 8, 8},
                                    .loss = GLNN_LOSS_SQUARED,
                                    .layers = {POOL(MAX_POOL, .kernel = {INT_MAX, INT_MAX},
                                                    .padding = {INT_MAX / 2, INT_MAX / 2}),
                                               {.kind = GLNN_LAYER_FLATTEN}}};
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_LIMIT,
                 "layer 0: max_pool has windows of 2147483647 x 2147483647 pixels; a window has");
}

/* Software rasterisers end long loops, so that numbers would be wrong without an error. */
static void loops_too_long_for_a_software_rasteriser_are_refused(void **state)
{
    (void)state;
    static const glnn_layer_desc large[] = {
        POOL(AVERAGE_POOL, .kernel = {91, 91}),
        POOL(MAX_POOL, .kernel = {91, 91}),
        POOL(MAX_POOL, .kernel = {400, 400}, .padding = {200, 200}),
    };
    if (!glnn_test_context()->info.software)
        skip();
    for (size_t i = 0; i < COUNT_OF(large); ++i) {
        const glnn_network_desc desc = {.shape = {1, 91, 91},
                                        .loss = GLNN_LOSS_SQUARED,
                                        .layers = {large[i], {.kind = GLNN_LAYER_FLATTEN}}};
        const array image = array_random(1, 91 * 91, -1.0, 1.0);
        int class;
        expect_error(glnn_learner_predict(network_of(&desc), 1, floats_of(image), NULL, &class),
                     GLNN_E_LIMIT, "but a software rasteriser ends loops after 65535");
    }
}

/* The longest loops that a software rasteriser may run. */
static void the_largest_windows_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(79);
    const glnn_network_desc desc = {
        .shape = {2, 90, 91},
        .loss = GLNN_LOSS_SQUARED,
        .layers = {POOL(AVERAGE_POOL, .kernel = {90, 90}), {.kind = GLNN_LAYER_FLATTEN}}};
    glnn_learner *network = network_of(&desc);
    expect_predictions(network, 2, "large windows");
}

static void images_have_to_be_made_flat(void **state)
{
    (void)state;
    glnn_learner *network;
    glnn_network_desc desc = {.shape = {2, 4, 6},
                              .layers = {POOL(MAX_POOL, .kernel = {2, 2}), {.units = 3}}};
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_SHAPE,
                 "2 channels of 2 x 3; put a flatten layer before it");
    desc.layers[1] = (glnn_layer_desc){0};
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_SHAPE,
                 "layer 0, the last one, gives images of 2 x 3; put a flatten layer after it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(max_pooling_agrees_with_the_reference_for_every_shape),
        LEARNING_TEST(average_pooling_agrees_with_the_reference_for_every_shape),
        LEARNING_TEST(the_padding_is_never_the_greatest),
        LEARNING_TEST(the_padding_counts_as_zeros_of_a_mean),
        LEARNING_TEST(the_first_of_equal_numbers_has_the_gradient),
        LEARNING_TEST(nan_stays_nan),
        LEARNING_TEST(windows_begin_as_far_apart_as_they_are_large_by_default),
        LEARNING_TEST(windows_that_do_not_fit_are_refused),
        LEARNING_TEST(loops_too_long_for_a_software_rasteriser_are_refused),
        LEARNING_TEST(windows_of_too_many_pixels_are_refused),
        LEARNING_TEST(the_largest_windows_agree_with_the_reference),
        LEARNING_TEST(images_have_to_be_made_flat),
    };
    return cmocka_run_group_tests_name("layer pooling", tests, test_group_setup,
                                       test_group_teardown);
}
