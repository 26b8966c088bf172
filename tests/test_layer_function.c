/* Layers that are kernels of the program: outputs of another size, files, and errors. */
#include "support/learner_files.h"
#include "support/network_checks.h"

#include <glnn/export.h>

#include <string.h>

/* The sums of pairs of numbers. The last one may be alone. */
static const glnn_kernel_desc pairs = {
    .name = "pairs",
    .source = "float element(int row, int column)\n"
              "{\n"
              "    float sum = X_at(row, 2 * column);\n"
              "    return 2 * column + 1 < X_columns ? sum + X_at(row, 2 * column + 1) : sum;\n"
              "}\n",
    .operands = {"X"},
    .adjoint = "float element(int row, int column) { return DY_at(row, column / 2); }\n",
};

static glnn_network_desc network_of_pairs(int features, glnn_layout layout)
{
    return (glnn_network_desc){
        .features = features,
        .layers = {{.units = 7, .activation = GLNN_ACTIVATION_TANH},
                   {.kind = GLNN_LAYER_FUNCTION, .units = 4, .function = &pairs},
                   {.units = 2}},
        .layout = layout,
        .capacity = 16,
        .seed = 3};
}

/* A dense layer whose weights are 1 for both numbers of a pair computes the same. */
static void outputs_and_gradients_are_those_of_a_dense_layer(void **state)
{
    (void)state;
    random_seed(4);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const glnn_network_desc desc = network_of_pairs(5, layout);
        glnn_network_desc dense = desc;
        dense.layers[1] = (glnn_layer_desc){.units = 4, .activation = GLNN_ACTIVATION_IDENTITY};
        glnn_learner *network = network_of(&desc), *reference = network_of(&dense);
        float weights[7 * 4] = {0}, biases[4] = {0};
        for (int i = 0; i < 7; ++i)
            weights[i * 4 + i / 2] = 1;
        expect_ok(write_weights(reference, 1, weights, biases));
        for (int l = 0; l < 3; l += 2) {
            const weights_shape of = weights_shape_of(network, l);
            const float *own = floats_of(weights_of(network, l));
            expect_ok(write_weights(reference, l, own, own + of.rows * of.columns));
        }
        const samples all = samples_random(11, 5, 2, true);
        for (int l = 0; l < 3; l += 2) {
            double loss[2];
            const array got = gradient_of(network, dataset_of(all), 11, l, &loss[0]);
            const array want = gradient_of(reference, dataset_of(all), 11, l, &loss[1]);
            assert_true(fabs(loss[0] - loss[1]) < 1e-6);
            for (size_t i = 0; i < length_of(got); ++i)
                assert_true(fabs(got.data[i] - want.data[i]) < 1e-6);
        }
        release_learning();
    }
}

static void a_file_without_a_text_is_refused(void **state)
{
    (void)state;
    const glnn_network_desc desc = network_of_pairs(5, GLNN_LAYOUT_TILED);
    const file_path path = path_of("pairs");
    glnn_learner *network = network_of(&desc), *loaded;
    glnn_safetensors *file;
    expect_ok(glnn_learner_save(network, path.text));
    expect_ok(glnn_safetensors_read(path.text, &file));
    assert_string_equal(glnn_safetensors_get_metadata(file, "function.1.source"), pairs.source);
    assert_string_equal(glnn_safetensors_get_metadata(file, "function.1.adjoint"), pairs.adjoint);
    glnn_safetensors_free(file);
    static char bytes[1 << 16];
    const size_t size = file_read(path.text, bytes, sizeof bytes);
    for (size_t i = 0; i + 18 < size; ++i)
        if (memcmp(bytes + i, "function.1.adjoint", 18) == 0)
            bytes[i + 11] = 'x';
    const file_path changed = file_write("changed", bytes, size);
    expect_error(glnn_learner_load(glnn_test_context(), changed.text, NULL, &loaded), GLNN_E_FORMAT,
                 "its metadata has no 'function.1.adjoint'");
}

static void a_function_is_not_exported(void **state)
{
    (void)state;
    const glnn_network_desc desc = network_of_pairs(5, GLNN_LAYOUT_TILED);
    expect_error(glnn_learner_export_c(network_of(&desc), path_of("pairs.c").text, "pairs"),
                 GLNN_E_UNSUPPORTED,
                 "layer 1 is function: its kernel reads matrices of the library");
}

#define ELEMENT "float element(int row, int column) { return X_at(row, column); }"

static const struct {
    const char *part;
    glnn_kernel_desc function;
} unfit[] = {
    {"layer 1: `function` has no `adjoint`", {.source = ELEMENT, .operands = {"X"}}},
    {"layer 1: `function` has no operand", {.source = ELEMENT, .adjoint = ELEMENT}},
    {"layer 1: `function` has more than one operand",
     {.source = ELEMENT, .operands = {"X", "Z"}, .adjoint = ELEMENT}},
    {"layer 1: `function` has uniforms or options",
     {.source = ELEMENT, .operands = {"X"}, .adjoint = ELEMENT, .uniforms = {"float a"}}},
    {"layer 1: `function` has uniforms or options",
     {.source = ELEMENT, .operands = {"X"}, .adjoint = ELEMENT, .options = {"A"}}},
    {"layer 1, function: kernel: `source` is null", {.operands = {"X"}, .adjoint = ELEMENT}},
    {"layer 1, function: adjoint of kernel: the source has no function float element(int row, int",
     {.source = ELEMENT, .operands = {"X"}, .adjoint = "float other(int row) { return 1.0; }"}},
    {"layer 1: `function` has the operand DY, which is the derivative by its output",
     {.source = ELEMENT, .operands = {"DY"}, .adjoint = ELEMENT}},
};

static void functions_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    glnn_learner *network;
    glnn_network_desc desc = network_of_pairs(5, GLNN_LAYOUT_TILED);
    for (size_t i = 0; i < COUNT_OF(unfit); ++i) {
        desc.layers[1].function = &unfit[i].function;
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_ARG,
                     unfit[i].part);
    }
    desc.layers[1].function = NULL;
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_ARG,
                 "layer 1: `function` is null");
    desc.layers[1] = (glnn_layer_desc){.units = 4, .function = &pairs};
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_ARG,
                 "layer 1: it has a function, but dense layers do not use it");
}

static void mistakes_in_the_texts_name_their_lines(void **state)
{
    (void)state;
    glnn_learner *network;
    for (int in_adjoint = 0; in_adjoint < 2; ++in_adjoint) {
        glnn_kernel_desc wrong = pairs;
        *(in_adjoint ? &wrong.adjoint : &wrong.source) =
            "\nfloat element(int row, int column) { return missing; }";
        glnn_network_desc desc = network_of_pairs(5, GLNN_LAYOUT_TILED);
        desc.layers[1].function = &wrong;
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_SHADER,
                     in_adjoint ? "layer 1, function: adjoint of pairs does not compile: adjoint "
                                  "of pairs:2"
                                : "layer 1, function: pairs does not compile: pairs:2");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(outputs_and_gradients_are_those_of_a_dense_layer),
        LEARNING_TEST(a_file_without_a_text_is_refused),
        LEARNING_TEST(a_function_is_not_exported),
        LEARNING_TEST(functions_that_do_not_fit_are_refused),
        LEARNING_TEST(mistakes_in_the_texts_name_their_lines),
    };
    return cmocka_run_group_tests_name("function layer", tests, learner_files_setup,
                                       learner_files_teardown);
}
