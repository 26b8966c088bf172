/* Transposed convolutions: shapes, the maps that they transpose, first weights, and errors. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include "net/network_passes.h"

#include <limits.h>
#include <stdio.h>

#define TRANSPOSED .kind = GLNN_LAYER_TRANSPOSED_CONVOLUTION

static const struct {
    glnn_shape shape;
    int units;
    glnn_size kernel, stride, padding, dilation;
} cases[] = {
    {{1, 1, 1}, 1, {1, 1}, {0, 0}, {0, 0}, {0, 0}},
    {{4, 3, 4}, 8, {2, 2}, {2, 2}, {0, 0}, {0, 0}},
    {{8, 4, 3}, 3, {4, 4}, {2, 2}, {1, 1}, {0, 0}},
    {{3, 1, 9}, 5, {1, 5}, {1, 3}, {0, 2}, {0, 0}},
    {{5, 5, 2}, 9, {2, 3}, {3, 4}, {0, 0}, {0, 0}},
    {{2, 4, 5}, 13, {3, 2}, {1, 1}, {2, 0}, {2, 3}},
    {{9, 3, 3}, 4, {3, 4}, {2, 3}, {1, 2}, {3, 2}},
    {{7, 3, 2}, 1, {3, 3}, {4, 6}, {1, 1}, {2, 4}},
    {{16, 6, 7}, 6, {5, 5}, {1, 2}, {2, 1}, {0, 0}},
    {{1, 2, 6}, 17, {3, 1}, {2, 1}, {0, 0}, {0, 0}},
};

static glnn_network_desc describe(int c)
{
    return (glnn_network_desc){
        .shape = cases[c].shape,
        .loss = GLNN_LOSS_SQUARED,
        .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
                   {TRANSPOSED, .units = cases[c].units, .activation = GLNN_ACTIVATION_TANH,
                    .kernel = cases[c].kernel, .stride = cases[c].stride,
                    .padding = cases[c].padding, .dilation = cases[c].dilation},
                   {.kind = GLNN_LAYER_FLATTEN}}};
}

static void every_shape_agrees_with_the_reference(void **state)
{
    (void)state;
    random_seed(121);
    for (int c = 0; c < (int)COUNT_OF(cases); ++c) {
        char where[96];
        const glnn_network_desc desc = describe(c);
        snprintf(where, sizeof where, "%d x %d x %d to %d, case %d", cases[c].shape.channels,
                 cases[c].shape.height, cases[c].shape.width, cases[c].units, c);
        expect_layers(&desc, 1 + c % 4, where);
    }
}

/* The formula of PyTorch. */
static void outputs_have_the_shapes_of_pytorch(void **state)
{
    (void)state;
    static const glnn_size want[] = {{1, 1}, {6, 8}, {8, 6},   {1, 25}, {14, 7},
                                     {4, 8}, {9, 9}, {11, 13}, {6, 15}, {5, 6}};
    for (int c = 0; c < (int)COUNT_OF(cases); ++c) {
        const glnn_network_desc desc = describe(c);
        const glnn_shape shape = glnn_network_get_shape(network_of(&desc), 1);
        assert_int_equal(shape.channels, cases[c].units);
        assert_int_equal(shape.height, want[c].height);
        assert_int_equal(shape.width, want[c].width);
        release_learning();
    }
}

/* <x, conv(y)> = <transposed(x), y> for the same weights without biases. */
static void it_is_the_transposed_map_of_the_convolution(void **state)
{
    (void)state;
    random_seed(122);
    const glnn_layer_desc forward = {.kind = GLNN_LAYER_CONVOLUTION,
                                     .units = 3,
                                     .activation = GLNN_ACTIVATION_IDENTITY,
                                     .kernel = {3, 2},
                                     .stride = {2, 3},
                                     .padding = {1, 0}};
    glnn_layer_desc back = forward;
    back.kind = GLNN_LAYER_TRANSPOSED_CONVOLUTION;
    back.units = 5;
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        const glnn_network_desc descs[] = {{.shape = {5, 7, 8},
                                            .loss = GLNN_LOSS_SQUARED,
                                            .layout = rendered_layout(i),
                                            .layers = {forward, {.kind = GLNN_LAYER_FLATTEN}}},
                                           {.shape = {3, 4, 3},
                                            .loss = GLNN_LOSS_SQUARED,
                                            .layout = rendered_layout(i),
                                            .layers = {back, {.kind = GLNN_LAYER_FLATTEN}}}};
        glnn_learner *convolution = network_of(&descs[0]), *transposed = network_of(&descs[1]);
        float *weights = floats_new(tensor_of(convolution, "0.weight").count);
        expect_ok(read_tensor(convolution, "0.weight", weights));
        expect_ok(write_tensor(transposed, "0.weight", weights));
        const array y = array_random(1, 280, -1.0, 1.0), x = array_random(1, 36, -1.0, 1.0);
        const array of_y = predictions_of(convolution, y), of_x = predictions_of(transposed, x);
        assert_int_equal(of_y.columns, 36);
        assert_int_equal(of_x.columns, 280);
        double left = 0, right = 0;
        for (int j = 0; j < 36; ++j)
            left += x.data[j] * of_y.data[j];
        for (int j = 0; j < 280; ++j)
            right += y.data[j] * of_x.data[j];
        assert_true(fabs(left - right) < 1e-4);
        release_learning();
    }
}

/* The weights are drawn from numbers up to the square root of 6 / inputs, where a number of the
 * output has 2 x 1 of the taps. */
static void first_weights_count_the_taps_that_an_output_meets(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {16, 4, 4},
        .loss = GLNN_LOSS_SQUARED,
        .layers = {{TRANSPOSED, .units = 34, .activation = GLNN_ACTIVATION_RELU, .kernel = {3, 2},
                    .stride = {2, 2}},
                   {.kind = GLNN_LAYER_FLATTEN}},
        .seed = 3};
    glnn_learner *network = network_of(&desc);
    const array weights = values_of(glnn__network_of(network)->layers[0].parameters->values);
    const double limit = sqrt(6.0 / (16 * 2));
    double greatest = 0;
    assert_int_equal(weights.rows, 3 * 2 * 36 + 3);
    for (int line = 0; line < weights.rows; ++line)
        for (int c = 0; c < weights.columns; ++c) {
            const double weight = fabs(*at(weights, line, c));
            if (line >= 3 * 2 * 36 || line % 36 >= 34)
                assert_true(weight == 0);
            greatest = fmax(greatest, weight);
        }
    assert_true(greatest <= limit * (1 + 1e-6) && greatest > 0.99 * limit);
}

static const unfit_layer unfit[] = {
    {{TRANSPOSED, .kernel = {1, 1}},
     GLNN_E_ARG,
     "layer 0 has 0 units; a transposed convolution has at least 1"},
    {{TRANSPOSED, .units = 2, .kernel = {0, 1}}, GLNN_E_ARG, "layer 0: kernel.height is 0"},
    {{TRANSPOSED, .units = 2, .kernel = {2, 2}, .padding = {0, 4}},
     GLNN_E_SHAPE,
     "layer 0: padding.width is 4 on each side, but the windows have a width of 7 together"},
    {{TRANSPOSED, .units = 2, .kernel = {2, 2}, .stride = {INT_MAX, 1}},
     GLNN_E_LIMIT,
     "layer 0: outputs of 2 x 2147483647 x 7 by kernels of 2 x 2 x 2; neither may have"},
    {{TRANSPOSED, .units = 4, .kernel = {1, 1}, .groups = 2},
     GLNN_E_ARG,
     "groups is 2, but transposed_convolution layers do not use it"},
};

static void layers_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    expect_unfit_layers(unfit, COUNT_OF(unfit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_shape_agrees_with_the_reference),
        LEARNING_TEST(outputs_have_the_shapes_of_pytorch),
        LEARNING_TEST(it_is_the_transposed_map_of_the_convolution),
        LEARNING_TEST(first_weights_count_the_taps_that_an_output_meets),
        LEARNING_TEST(layers_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("layer transposed convolution", tests, test_group_setup,
                                       test_group_teardown);
}
