#include "support/networks.h"

#include <math.h>

static void assert_equal_outputs(glnn_learner *a, glnn_learner *b)
{
    float of_a[SAMPLES * OUTPUTS], of_b[SAMPLES * OUTPUTS];
    expect_ok(glnn_learner_predict(a, SAMPLES, inputs_of_samples(), of_a, NULL));
    expect_ok(glnn_learner_predict(b, SAMPLES, inputs_of_samples(), of_b, NULL));
    assert_memory_equal(of_a, of_b, sizeof of_a);
}

static void assert_equal_networks(const glnn_learner *a, const glnn_learner *b)
{
    const snapshot of_a = snapshot_of(a), of_b = snapshot_of(b);
    assert_memory_equal(&of_a, &of_b, sizeof of_a);
}

static glnn_learner *load(const char *path)
{
    glnn_learner *network = NULL;
    expect_ok(glnn_learner_load(glnn_test_context(), path,
                                &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = 16},
                                &network));
    learning_own_learner(network);
    return network;
}

static void a_loaded_network_predicts_the_same_bits(void **state)
{
    (void)state;
    glnn_learner *network = new_network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN), *loaded;
    train(network);
    file_path path = path_of("network");
    expect_ok(glnn_learner_save(network, path.text));
    loaded = load(path.text);
    assert_equal_outputs(network, loaded);
    const glnn_network_desc *a = glnn_network_get_desc(network), *b = glnn_network_get_desc(loaded);
    assert_int_equal(b->features, INPUTS);
    assert_int_equal(b->layer_count, 2);
    for (int l = 0; l < 2; ++l) {
        assert_int_equal(a->layers[l].units, b->layers[l].units);
        assert_int_equal(a->layers[l].activation, b->layers[l].activation);
    }
    assert_int_equal(a->loss, b->loss);
    assert_memory_equal(&a->optimizer, &b->optimizer, sizeof a->optimizer);
    assert_true(a->seed == b->seed);
}

static void training_goes_on_from_the_saved_state(void **state)
{
    (void)state;
    const struct {
        glnn_optimizer_kind kind;
        float momentum;
    } optimizers[] = {{GLNN_OPTIMIZER_SGD, 0},         {GLNN_OPTIMIZER_SGD, 0.9f},
                      {GLNN_OPTIMIZER_NESTEROV, 0.9f}, {GLNN_OPTIMIZER_ADAM, 0},
                      {GLNN_OPTIMIZER_RMSPROP, 0},     {GLNN_OPTIMIZER_RMSPROP, 0.9f}};
    for (size_t i = 0; i < sizeof optimizers / sizeof *optimizers; ++i) {
        glnn_learner *network = new_network(optimizers[i].kind, optimizers[i].momentum, HIDDEN),
                     *loaded;
        train(network);
        file_path path = path_of("network");
        expect_ok(glnn_learner_save(network, path.text));
        loaded = load(path.text);
        assert_equal_networks(network, loaded);
        train(network);
        train(loaded);
        assert_equal_networks(network, loaded);
    }
}

static void every_kind_of_layer_is_saved(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {1, INPUTS, 1},
        .layers = {{.kind = GLNN_LAYER_DROPOUT, .rate = 0.1f},
                   {.units = HIDDEN},
                   {.kind = GLNN_LAYER_DROPOUT, .rate = 0.25f},
                   {.units = OUTPUTS}},
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM,
                      .clip_norm = 0.5f,
                      .two_parts = true,
                      .gradient_noise = 0.01f,
                      .noise_decay = 0.75f},
        .label_smoothing = 0.2f,
        .capacity = 16,
        .seed = 9,
    };
    glnn_learner *network = network_of(&desc);
    train(network);
    file_path path = path_of("network");
    expect_ok(glnn_learner_save(network, path.text));
    glnn_learner *loaded = load(path.text);
    assert_memory_equal(glnn_network_get_desc(network)->layers,
                        glnn_network_get_desc(loaded)->layers, sizeof desc.layers);
    assert_int_equal(glnn_network_get_desc(loaded)->shape.height, INPUTS);
    assert_true(glnn_network_get_desc(loaded)->label_smoothing == 0.2f);
    assert_true(glnn_network_get_desc(loaded)->optimizer.noise_decay == 0.75f);
    assert_int_equal(state_count(loaded), 3);
    train(network);
    train(loaded);
    expect_same_networks(network, loaded, "trained on");
    expect_ok(glnn_learner_load_parameters(network, path.text));
}

static void restore_brings_back_what_was_saved(void **state)
{
    (void)state;
    file_path path = path_of("network");
    glnn_learner *network = new_network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    train(network);
    expect_ok(glnn_learner_save(network, path.text));
    const snapshot before = snapshot_of(network);
    train(network);
    expect_ok(glnn_learner_load_parameters(network, path.text));
    const snapshot after = snapshot_of(network);
    assert_memory_equal(&before, &after, sizeof before);
}

static void weights_are_stored_as_units_by_inputs(void **state)
{
    (void)state;
    glnn_learner *network = new_network(GLNN_OPTIMIZER_SGD, 0, HIDDEN);
    file_path path = path_of("network");
    expect_ok(glnn_learner_save(network, path.text));
    const snapshot taken = snapshot_of(network);
    glnn_safetensors *file;
    expect_ok(glnn_safetensors_read(path.text, &file));
    assert_int_equal(glnn_safetensors_get_count(file), 4);
    const glnn_tensor *weight = glnn_safetensors_find_tensor(file, "0.weight");
    assert_non_null(weight);
    assert_int_equal(weight->shape[0], HIDDEN);
    assert_int_equal(weight->shape[1], INPUTS);
    for (int i = 0; i < INPUTS; ++i)
        for (int u = 0; u < HIDDEN; ++u)
            assert_true(weight->data[u * INPUTS + i] == taken.weights[0][i * HIDDEN + u]);
    assert_string_equal(glnn_safetensors_get_metadata(file, "units"), "7,3");
    assert_string_equal(glnn_safetensors_get_metadata(file, "activations"), "scaled_tanh,identity");
    glnn_safetensors_free(file);
}

/* As in torch.nn.Sequential(Linear, Dropout, Linear, Tanh, Linear). */
static void arrays_have_the_numbers_of_modules(void **state)
{
    (void)state;
    static const char *const names[] = {"0.weight", "0.bias", "glnn.0.state.0",
                                        "2.weight", "2.bias", "glnn.2.state.0",
                                        "4.weight", "4.bias", "glnn.4.state.0"};
    const glnn_network_desc desc = {
        .features = INPUTS,
        .layers = {{.units = HIDDEN, .activation = GLNN_ACTIVATION_IDENTITY},
                   {.kind = GLNN_LAYER_DROPOUT, .rate = 0.1f},
                   {.units = HIDDEN, .activation = GLNN_ACTIVATION_TANH},
                   {.units = OUTPUTS}},
        .optimizer = {.momentum = 0.9f},
        .capacity = 16,
    };
    file_path path = path_of("network");
    glnn_safetensors *file;
    expect_ok(glnn_learner_save(network_of(&desc), path.text));
    expect_ok(glnn_safetensors_read(path.text, &file));
    assert_int_equal(glnn_safetensors_get_count(file), COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        assert_non_null(glnn_safetensors_find_tensor(file, names[i]));
    glnn_safetensors_free(file);
}

/* 6 channels of 4 x 5, in two groups of 3 and 2 of each. */
static const glnn_network_desc images = {
    .shape = {6, 4, 5},
    .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                .units = 4,
                .kernel = {2, 3},
                .groups = 2,
                .activation = GLNN_ACTIVATION_IDENTITY},
               {.kind = GLNN_LAYER_BATCH_NORM},
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = OUTPUTS}},
    .capacity = 16,
};

static void expect_shape(const glnn_safetensors *file, const char *name, const char *shape)
{
    char text[64] = "";
    const glnn_tensor *found = glnn_safetensors_find_tensor(file, name);
    assert_non_null(found);
    for (int d = 0; d < found->dimensions; ++d)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %zu", found->shape[d]);
    assert_string_equal(text, shape);
}

static void layers_of_images_have_the_shapes_of_their_modules(void **state)
{
    (void)state;
    file_path path = path_of("images");
    glnn_safetensors *file;
    expect_ok(glnn_learner_save(network_of(&images), path.text));
    expect_ok(glnn_safetensors_read(path.text, &file));
    assert_int_equal(glnn_safetensors_get_count(file), 8);
    expect_shape(file, "0.weight", " 4 3 2 3");
    expect_shape(file, "0.bias", " 4");
    expect_shape(file, "1.weight", " 4");
    expect_shape(file, "1.bias", " 4");
    expect_shape(file, "1.running_mean", " 4");
    expect_shape(file, "1.running_var", " 4");
    expect_shape(file, "4.weight", " 3 36");
    expect_shape(file, "4.bias", " 3");
    glnn_safetensors_free(file);
}

/* The network has rows of taps and, within these, of channels, which are padded to 4. */
static void weights_of_convolutions_are_stored_by_unit_channel_and_tap(void **state)
{
    (void)state;
    enum { UNITS = 4, CHANNELS = 3, TAPS = 6, PADDED = 4 };
    file_path path = path_of("images");
    float weights[TAPS * PADDED * UNITS];
    glnn_learner *network = network_of(&images);
    glnn_safetensors *file;
    expect_ok(glnn_learner_save(network, path.text));
    expect_ok(read_weights(network, 0, weights, NULL));
    expect_ok(glnn_safetensors_read(path.text, &file));
    const float *stored = glnn_safetensors_find_tensor(file, "0.weight")->data;
    for (int u = 0; u < UNITS; ++u)
        for (int c = 0; c < CHANNELS; ++c)
            for (int t = 0; t < TAPS; ++t)
                assert_true(stored[(u * CHANNELS + c) * TAPS + t] ==
                            weights[(t * PADDED + c) * UNITS + u]);
    glnn_safetensors_free(file);
}

static void a_file_without_state_lets_the_optimizer_start_again(void **state)
{
    (void)state;
    glnn_learner *plain = new_network(GLNN_OPTIMIZER_SGD, 0, HIDDEN),
                 *network = new_network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    file_path path = path_of("network");
    train(plain);
    train(network);
    expect_ok(glnn_learner_save(plain, path.text));
    expect_ok(glnn_learner_load_parameters(network, path.text));
    const snapshot taken = snapshot_of(network), wanted = snapshot_of(plain);
    assert_memory_equal(taken.weights, wanted.weights, sizeof wanted.weights);
    assert_memory_equal(taken.state, wanted.state, sizeof wanted.state);
    assert_int_equal(taken.steps, 0);
}

static void weights_that_are_not_finite_are_not_saved(void **state)
{
    (void)state;
    file_path path = saved("network");
    static unsigned char before[1u << 16], after[1u << 16];
    size_t size = file_read(path.text, before, sizeof before);
    glnn_learner *network = new_network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    const float biases[HIDDEN] = {0, 0, INFINITY};
    force_biases(network, "0.bias", biases);
    assert_fails(glnn_learner_save(network, path.text), GLNN_E_DIVERGED, "`0.bias`");
    assert_int_equal(file_read(path.text, after, sizeof after), size);
    assert_memory_equal(before, after, size);
}

static glnn_status writer(const char *path)
{
    return glnn_learner_save(new_network(GLNN_OPTIMIZER_SGD, 0, HIDDEN), path);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    glnn_learner *network = new_network(GLNN_OPTIMIZER_SGD, 0, HIDDEN), *out;
    glnn_context *ctx = glnn_test_context();
    assert_fails(glnn_learner_save(NULL, "x"), GLNN_E_ARG, "learner");
    assert_fails(glnn_learner_save(network, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_learner_load_parameters(NULL, "x"), GLNN_E_ARG, "learner");
    assert_fails(glnn_learner_load_parameters(network, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_learner_load(NULL, "x", &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, &out),
                 GLNN_E_ARG, "ctx");
    assert_fails(glnn_learner_load(ctx, NULL, &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, &out),
                 GLNN_E_ARG, "path");
    assert_fails(glnn_learner_load(ctx, "x", &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, NULL),
                 GLNN_E_ARG, "out");
    assert_fails(glnn_learner_load(ctx, "x", &(glnn_load_desc){.layout = GLNN_LAYOUT_PAGED}, &out),
                 GLNN_E_ARG, "layout");
    assert_fails(glnn_learner_load(ctx, "x",
                                   &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = -1},
                                   &out),
                 GLNN_E_ARG, "capacity");
}

static const file_format format = {network_reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_loaded_network_predicts_the_same_bits),
        LEARNING_TEST(training_goes_on_from_the_saved_state),
        LEARNING_TEST(every_kind_of_layer_is_saved),
        LEARNING_TEST(restore_brings_back_what_was_saved),
        LEARNING_TEST(weights_are_stored_as_units_by_inputs),
        LEARNING_TEST(arrays_have_the_numbers_of_modules),
        LEARNING_TEST(layers_of_images_have_the_shapes_of_their_modules),
        LEARNING_TEST(weights_of_convolutions_are_stored_by_unit_channel_and_tap),
        LEARNING_TEST(a_file_without_state_lets_the_optimizer_start_again),
        LEARNING_TEST(weights_that_are_not_finite_are_not_saved),
        LEARNER_FILE_TESTS(format),
        LEARNING_TEST(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("network file", tests, learner_files_setup,
                                       learner_files_teardown);
}
