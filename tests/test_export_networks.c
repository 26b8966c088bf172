/* Networks as C files and as GLSL: compiled, they predict what the library predicts. */
#include "support/exports.h"
#include "support/layer_reference.h"

enum { CLASSES = 3 };

static void expect_same_network(glnn_learner *network, const char *what)
{
    const file_path path = path_of("net.c");
    const int features = glnn_network_get_desc(network)->features;
    const float *inputs = floats_of(array_random(EXPORT_SAMPLES, features, -1, 1));
    expect_ok(glnn_learner_export_c(network, path.text, "net"));
    const exported of = export_open(path.text, "net");
    assert_int_equal(of.features, features);
    assert_int_equal(of.outputs, glnn_learner_get_outputs(network));
    const predicted wanted = predicted_by_network(network, inputs);
    expect_same_outputs(&of, EXPORT_SAMPLES, inputs, wanted.outputs, wanted.classes, what);
    expect_same_shader(network, features, inputs, &wanted, what);
}

static void every_activation_is_exported(void **state)
{
    (void)state;
    for (int a = GLNN_ACTIVATION_SIGMOID; a < GLNN_ACTIVATION_COUNT; ++a) {
        const glnn_network_desc desc = {
            .features = 5,
            .layers = {{.units = 7, .activation = (glnn_activation)a},
                       {.units = 11, .activation = (glnn_activation)a},
                       {.units = CLASSES, .activation = (glnn_activation)a}},
            .loss = GLNN_LOSS_SQUARED,
            .seed = 3,
        };
        expect_same_network(exported_network(&desc), glnn_activation_name((glnn_activation)a));
        release_learning();
    }
}

static void softmax_and_sigmoid_are_exported(void **state)
{
    (void)state;
    for (int outputs = 1; outputs <= CLASSES; ++outputs) {
        const glnn_network_desc desc = {.features = 5, .layers = {{.units = outputs}}};
        expect_same_network(exported_network(&desc), "no hidden layer");
        release_learning();
    }
}

static void sigmoids_of_several_labels_and_classes_of_hinges_are_exported(void **state)
{
    (void)state;
    static const glnn_loss losses[] = {GLNN_LOSS_HINGE, GLNN_LOSS_BINARY_CROSS_ENTROPY,
                                       GLNN_LOSS_EXPRESSION};
    for (size_t l = 0; l < COUNT_OF(losses); ++l)
        for (int outputs = 1; outputs <= CLASSES; ++outputs) {
            const bool has_text = losses[l] == GLNN_LOSS_EXPRESSION;
            const glnn_network_desc desc = {.features = 5,
                                            .layers = {{.units = outputs}},
                                            .loss = losses[l],
                                            .loss_value = has_text ? "abs(y - t)" : NULL,
                                            .loss_derivative = has_text ? "sign(y - t)" : NULL};
            expect_same_network(exported_network(&desc), glnn_loss_name(losses[l]));
            release_learning();
        }
}

static void dropout_is_left_out(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .features = 5,
        .layers = {{.kind = GLNN_LAYER_DROPOUT, .rate = 0.2f},
                   {.units = 8},
                   {.kind = GLNN_LAYER_DROPOUT, .rate = 0.5f},
                   {.kind = GLNN_LAYER_DROPOUT, .rate = 0.5f},
                   {.units = CLASSES}},
    };
    expect_same_network(exported_network(&desc), "dropout");
}

static void every_kind_of_layer_is_exported(void **state)
{
    (void)state;
    for (glnn_layer_kind kind = 0; kind < GLNN_LAYER_COUNT; ++kind) {
        const layer_reference *reference = layer_reference_of(kind);
        if (kind == GLNN_LAYER_FUNCTION)
            continue;
        glnn_network_desc desc = {.shape = layer_reference_shape(kind), .seed = 2};
        memcpy(desc.layers, reference->layers, sizeof reference->layers);
        desc.layers[reference->count].kind = GLNN_LAYER_FLATTEN;
        desc.layers[reference->count + 1].units = CLASSES;
        expect_same_network(exported_network(&desc), glnn_layer_kind_name(kind));
        release_learning();
    }
}

/* Odd sizes, strides, paddings and groups; windows that lie in the padding in part. */
static void layers_of_images_are_exported(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {3, 11, 9},
        .layers =
            {{.kind = GLNN_LAYER_CONVOLUTION,
              .units = 6,
              .kernel = {3, 3},
              .stride = {1, 2},
              .padding = {1, 3},
              .dilation = {1, 2}},
             {.kind = GLNN_LAYER_MAX_POOL, .kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_CONVOLUTION,
              .units = 4,
              .kernel = {3, 3},
              .groups = 2,
              .activation = GLNN_ACTIVATION_IDENTITY},
             {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
             {.kind = GLNN_LAYER_AVERAGE_POOL,
              .kernel = {2, 3},
              .stride = {1, 1},
              .padding = {1, 0}},
             {.kind = GLNN_LAYER_FLATTEN},
             {.units = CLASSES}},
        .seed = 5,
    };
    expect_same_network(exported_network(&desc), "layers of images");
}

static void a_spectrogram_is_exported_to_c(void **state)
{
    (void)state;
    for (int odd = 0; odd < 2; ++odd) {
        glnn_network_desc desc = {
            .features = 200,
            .layers = {{.kind = GLNN_LAYER_SPECTROGRAM,
                        .units = 6,
                        .kernel.width = 60,
                        .stride.width = 20,
                        .sample_rate = 1000},
                       {.kind = GLNN_LAYER_CONVOLUTION, .units = 4, .kernel = {3, 3}},
                       {.kind = GLNN_LAYER_FLATTEN},
                       {.units = 3}},
            .seed = 6};
        desc.layers[0].kernel.width += odd;
        expect_same_network(exported_network(&desc), "a spectrogram");
    }
}

/* Whether the code of a network has a part. */
static bool export_has(const glnn_learner *network, const char *part)
{
    static unsigned char text[1u << 18];
    const file_path path = path_of("part.c");
    expect_ok(glnn_learner_export_c(network, path.text, "part"));
    text[file_read(path.text, text, sizeof text - 1)] = '\0';
    return strstr((const char *)text, part);
}

static void weights_take_over_the_batch_normalisation_that_follows(void **state)
{
    (void)state;
    glnn_network_desc desc = {
        .shape = {3, 6, 5},
        .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                    .units = 6,
                    .kernel = {3, 3},
                    .groups = 3,
                    .activation = GLNN_ACTIVATION_IDENTITY},
                   {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
                   {.kind = GLNN_LAYER_FLATTEN},
                   {.units = 9, .activation = GLNN_ACTIVATION_IDENTITY},
                   {.kind = GLNN_LAYER_BATCH_NORM},
                   {.units = CLASSES}},
        .seed = 5,
    };
    glnn_learner *network = exported_network(&desc);
    expect_same_network(network, "folded");
    assert_false(export_has(network, "scale_channels"));
    desc.layers[0].activation = GLNN_ACTIVATION_RELU;
    network = exported_network(&desc);
    expect_same_network(network, "an activation before the normalisation");
    assert_true(export_has(network, "factor_1"));
    assert_false(export_has(network, "factor_4"));
}

/* The sum reads the output of the convolution before it is normalised. */
static void an_output_that_is_read_twice_is_not_folded(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {4, 5, 5},
        .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                    .units = 4,
                    .kernel = {3, 3},
                    .activation = GLNN_ACTIVATION_IDENTITY},
                   {.kind = GLNN_LAYER_BATCH_NORM},
                   {.kind = GLNN_LAYER_RESIDUAL, .skip = 1},
                   {.kind = GLNN_LAYER_FLATTEN},
                   {.units = CLASSES}},
        .seed = 5,
    };
    glnn_learner *network = exported_network(&desc);
    expect_same_network(network, "read twice");
    assert_true(export_has(network, "factor_1"));
}

/* One connection starts at the input, one at dropout, and two overlap. */
static void residual_layers_read_outputs_that_are_kept(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {4, 5, 5},
        .layers =
            {{.kind = GLNN_LAYER_CONVOLUTION, .units = 4, .kernel = {3, 3}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_RESIDUAL, .skip = 1},
             {.kind = GLNN_LAYER_DROPOUT, .rate = 0.25f},
             {.kind = GLNN_LAYER_BATCH_NORM},
             {.kind = GLNN_LAYER_CONVOLUTION, .units = 4, .kernel = {3, 3}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_RESIDUAL, .skip = 2},
             {.kind = GLNN_LAYER_RESIDUAL, .skip = 5},
             {.kind = GLNN_LAYER_FLATTEN},
             {.units = CLASSES}},
        .seed = 5,
    };
    expect_same_network(exported_network(&desc), "residual layers");
}

/* Branches with a layer of each kind that joins them, one input twice, and the samples again. */
static void graphs_are_exported(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {2, 5, 5},
        .layers =
            {{.kind = GLNN_LAYER_CONVOLUTION, .units = 3, .kernel = {3, 3}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_CONVOLUTION, .units = 2, .kernel = {1, 1}, .inputs = {2}},
             {.kind = GLNN_LAYER_CONCATENATE, .inputs = {1, 3, 2}},
             {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
             {.kind = GLNN_LAYER_MULTIPLY, .inputs = {1, 2, 1}},
             {.kind = GLNN_LAYER_ADD, .inputs = {2, 1, 2, 3}},
             {.kind = GLNN_LAYER_FLATTEN},
             {.units = CLASSES}},
        .seed = 5,
    };
    expect_same_network(exported_network(&desc), "a graph");
}

/* An image and four numbers in one row of features. */
static void networks_with_several_inputs_are_exported(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .features = 29,
        .layers = {{.kind = GLNN_LAYER_SLICE, .units = 25, .first = 4},
                   {.kind = GLNN_LAYER_UNFLATTEN, .shape = {1, 5, 5}},
                   {.kind = GLNN_LAYER_CONVOLUTION, .units = 2, .kernel = {3, 3}},
                   {.kind = GLNN_LAYER_FLATTEN},
                   {.kind = GLNN_LAYER_SLICE, .units = 4, .inputs = {5}},
                   {.kind = GLNN_LAYER_CONCATENATE, .inputs = {2, 1}},
                   {.units = CLASSES}},
        .seed = 5,
    };
    expect_same_network(exported_network(&desc), "several inputs");
}

/* The second output is read by the layer after it; two layers share their weights. */
static void networks_with_several_outputs_are_exported(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .features = 6,
        .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH},
                   {.units = 6, .activation = GLNN_ACTIVATION_IDENTITY, .shares = 1},
                   {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
                   {.units = CLASSES, .activation = GLNN_ACTIVATION_IDENTITY},
                   {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY, .inputs = {2}},
                   {.units = 3}},
        .output_count = 3,
        .outputs = {{.layer = 3}, {.layer = 4, .loss = GLNN_LOSS_SQUARED}, {.layer = 5}},
        .seed = 5,
    };
    expect_same_network(network_of(&desc), "several outputs");
}

/* Nothing is computed, or the last layer that is computed is not the last one. */
static void networks_that_end_with_flatten_are_exported(void **state)
{
    (void)state;
    const glnn_network_desc none = {.features = 4, .layers = {{.kind = GLNN_LAYER_FLATTEN}}},
                            pool = {.shape = {2, 2, 2},
                                    .layers = {{.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 1}},
                                               {.kind = GLNN_LAYER_FLATTEN}}};
    expect_same_network(network_of(&none), "flatten");
    expect_same_network(network_of(&pool), "pooling and flatten");
}

static void numbers_have_a_decimal_point_in_every_locale(void **state)
{
    (void)state;
    glnn_learner *network =
        exported_network(&(glnn_network_desc){.features = 3, .layers = {{.units = CLASSES}}});
    locale_with_comma();
    expect_same_network(network, "a decimal comma");
    locale_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXPORT_TEST(every_activation_is_exported),
        EXPORT_TEST(softmax_and_sigmoid_are_exported),
        EXPORT_TEST(sigmoids_of_several_labels_and_classes_of_hinges_are_exported),
        EXPORT_TEST(dropout_is_left_out),
        EXPORT_TEST(every_kind_of_layer_is_exported),
        EXPORT_TEST(layers_of_images_are_exported),
        EXPORT_TEST(a_spectrogram_is_exported_to_c),
        EXPORT_TEST(weights_take_over_the_batch_normalisation_that_follows),
        EXPORT_TEST(an_output_that_is_read_twice_is_not_folded),
        EXPORT_TEST(residual_layers_read_outputs_that_are_kept),
        EXPORT_TEST(graphs_are_exported),
        EXPORT_TEST(networks_with_several_inputs_are_exported),
        EXPORT_TEST(networks_with_several_outputs_are_exported),
        EXPORT_TEST(networks_that_end_with_flatten_are_exported),
        EXPORT_TEST(numbers_have_a_decimal_point_in_every_locale),
        EXPORT_TEST(all_shaders_are_accepted),
    };
    return cmocka_run_group_tests_name("export of networks", tests, learner_files_setup,
                                       learner_files_teardown);
}
