#include "support/networks.h"

#include <math.h>

static void assert_equal_outputs(glnn_mlp *a, glnn_mlp *b)
{
    float of_a[SAMPLES * OUTPUTS], of_b[SAMPLES * OUTPUTS];
    expect_ok(glnn_mlp_predict(a, SAMPLES, inputs_of_samples(), of_a));
    expect_ok(glnn_mlp_predict(b, SAMPLES, inputs_of_samples(), of_b));
    assert_memory_equal(of_a, of_b, sizeof of_a);
}

static void assert_equal_networks(const glnn_mlp *a, const glnn_mlp *b)
{
    const snapshot of_a = snapshot_of(a), of_b = snapshot_of(b);
    assert_memory_equal(&of_a, &of_b, sizeof of_a);
}

static void destroy(void *mlp)
{
    glnn_mlp_destroy(mlp);
}

static glnn_mlp *load(const char *path)
{
    glnn_mlp *mlp = NULL;
    expect_ok(glnn_mlp_load(glnn_test_context(), path, GLNN_LAYOUT_TILED, 16, &mlp));
    learning_own(mlp, destroy);
    return mlp;
}

static void a_loaded_network_predicts_the_same_bits(void **state)
{
    (void)state;
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN), *loaded;
    train(mlp);
    file_path path = path_of("network");
    expect_ok(glnn_mlp_save(mlp, path.text));
    loaded = load(path.text);
    assert_equal_outputs(mlp, loaded);
    const glnn_mlp_desc *a = glnn_mlp_get_desc(mlp), *b = glnn_mlp_get_desc(loaded);
    assert_int_equal(b->inputs, INPUTS);
    assert_int_equal(b->layers, 2);
    for (int l = 0; l < 2; ++l) {
        assert_int_equal(a->units[l], b->units[l]);
        assert_int_equal(a->activations[l], b->activations[l]);
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
    } optimizers[] = {{GLNN_OPTIMIZER_SGD, 0},
                      {GLNN_OPTIMIZER_SGD, 0.9f},
                      {GLNN_OPTIMIZER_NESTEROV, 0.9f},
                      {GLNN_OPTIMIZER_ADAM, 0}};
    for (size_t i = 0; i < sizeof optimizers / sizeof *optimizers; ++i) {
        glnn_mlp *mlp = network(optimizers[i].kind, optimizers[i].momentum, HIDDEN), *loaded;
        train(mlp);
        file_path path = path_of("network");
        expect_ok(glnn_mlp_save(mlp, path.text));
        loaded = load(path.text);
        assert_equal_networks(mlp, loaded);
        train(mlp);
        train(loaded);
        assert_equal_networks(mlp, loaded);
    }
}

static void restore_brings_back_what_was_saved(void **state)
{
    (void)state;
    file_path path = path_of("network");
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    train(mlp);
    expect_ok(glnn_mlp_save(mlp, path.text));
    const snapshot before = snapshot_of(mlp);
    train(mlp);
    expect_ok(glnn_mlp_restore(mlp, path.text));
    const snapshot after = snapshot_of(mlp);
    assert_memory_equal(&before, &after, sizeof before);
}

static void weights_are_stored_as_units_by_inputs(void **state)
{
    (void)state;
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_SGD, 0, HIDDEN);
    file_path path = path_of("network");
    expect_ok(glnn_mlp_save(mlp, path.text));
    const snapshot taken = snapshot_of(mlp);
    glnn_safetensors *file;
    expect_ok(glnn_safetensors_open(path.text, &file));
    assert_int_equal(glnn_safetensors_count(file), 4);
    const glnn_tensor *weight = glnn_safetensors_find(file, "layers.0.weight");
    assert_non_null(weight);
    assert_int_equal(weight->size[0], HIDDEN);
    assert_int_equal(weight->size[1], INPUTS);
    for (int i = 0; i < INPUTS; ++i)
        for (int u = 0; u < HIDDEN; ++u)
            assert_true(weight->data[u * INPUTS + i] == taken.weights[0][i * HIDDEN + u]);
    assert_string_equal(glnn_safetensors_metadata(file, "units"), "7,3");
    assert_string_equal(glnn_safetensors_metadata(file, "activations"), "scaled_tanh,identity");
    glnn_safetensors_close(file);
}

static void weights_that_are_not_finite_are_not_saved(void **state)
{
    (void)state;
    file_path path = saved("network");
    static unsigned char before[1u << 16], after[1u << 16];
    size_t size = file_read(path.text, before, sizeof before);
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    const float biases[HIDDEN] = {0, 0, INFINITY};
    expect_ok(glnn_mlp_set_weights(mlp, 0, NULL, biases));
    assert_fails(glnn_mlp_save(mlp, path.text), GLNN_E_DIVERGED, "layer 0");
    assert_int_equal(file_read(path.text, after, sizeof after), size);
    assert_memory_equal(before, after, size);
}

static glnn_status writer(const char *path)
{
    return glnn_mlp_save(network(GLNN_OPTIMIZER_SGD, 0, HIDDEN), path);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_SGD, 0, HIDDEN), *out;
    glnn_context *ctx = glnn_test_context();
    assert_fails(glnn_mlp_save(NULL, "x"), GLNN_E_ARG, "mlp");
    assert_fails(glnn_mlp_save(mlp, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_mlp_restore(NULL, "x"), GLNN_E_ARG, "mlp");
    assert_fails(glnn_mlp_restore(mlp, NULL), GLNN_E_ARG, "path");
    assert_fails(glnn_mlp_load(NULL, "x", GLNN_LAYOUT_TILED, 0, &out), GLNN_E_ARG, "ctx");
    assert_fails(glnn_mlp_load(ctx, NULL, GLNN_LAYOUT_TILED, 0, &out), GLNN_E_ARG, "path");
    assert_fails(glnn_mlp_load(ctx, "x", GLNN_LAYOUT_TILED, 0, NULL), GLNN_E_ARG, "out");
    assert_fails(glnn_mlp_load(ctx, "x", GLNN_LAYOUT_PAGED, 0, &out), GLNN_E_ARG, "layout");
    assert_fails(glnn_mlp_load(ctx, "x", GLNN_LAYOUT_TILED, -1, &out), GLNN_E_ARG, "capacity");
}

static const file_format format = {network_reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_loaded_network_predicts_the_same_bits),
        LEARNING_TEST(training_goes_on_from_the_saved_state),
        LEARNING_TEST(restore_brings_back_what_was_saved),
        LEARNING_TEST(weights_are_stored_as_units_by_inputs),
        LEARNING_TEST(weights_that_are_not_finite_are_not_saved),
        LEARNER_FILE_TESTS(format),
        LEARNING_TEST(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("mlp file", tests, learner_files_setup,
                                       learner_files_teardown);
}
