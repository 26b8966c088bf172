#include "support/networks.h"

#include <math.h>

/* Restoring fails so, and leaves the network as it was. */
static void assert_not_restored(glnn_mlp *mlp, const char *path, glnn_status wanted,
                                const char *part)
{
    const snapshot before = snapshot_of(mlp);
    assert_fails(glnn_mlp_restore(mlp, path), wanted, part);
    const snapshot after = snapshot_of(mlp);
    assert_memory_equal(&before, &after, sizeof before);
}

static void another_shape_is_named_and_changes_nothing(void **state)
{
    (void)state;
    file_path path = saved("network");
    glnn_mlp *narrow = network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN - 1);
    assert_not_restored(narrow, path.text, GLNN_E_SHAPE, "5-7 scaled_tanh-3 identity");
    assert_not_restored(narrow, path.text, GLNN_E_SHAPE, "5-6 scaled_tanh-3 identity");
    glnn_mlp_destroy(narrow);
    glnn_mlp *plain = network(GLNN_OPTIMIZER_SGD, 0, HIDDEN);
    assert_not_restored(plain, path.text, GLNN_E_SHAPE, "holds 2 matrices");
    glnn_mlp_destroy(plain);
}

/* A network's file as it is changed: everything in it, one part replaced or left out. */
typedef struct change {
    const char *key;    /* metadata whose text becomes `value`; NULL: none      */
    const char *value;  /* NULL: left out                                      */
    const char *array;  /* array that becomes `tensor`; NULL: none              */
    glnn_tensor tensor; /* without a name: the array is left out               */
} change;

static const char *const keys[] = {"format", "version",   "inputs",   "units",        "activations",
                                   "loss",   "optimizer", "momentum", "weight_decay", "beta1",
                                   "beta2",  "epsilon",   "steps",    "seed"};
enum { KEYS = sizeof keys / sizeof *keys, MAX_ARRAYS = 16 };

static file_path changed(const char *path, change by)
{
    glnn_safetensors *file;
    glnn_tensor tensors[MAX_ARRAYS];
    glnn_metadata metadata[KEYS];
    int arrays = 0, texts = 0;
    ok(glnn_safetensors_open(path, &file));
    for (int i = 0; i < glnn_safetensors_count(file); ++i) {
        tensors[arrays] = *glnn_safetensors_get(file, i);
        if (by.array && strcmp(tensors[arrays].name, by.array) == 0)
            tensors[arrays] = by.tensor;
        arrays += tensors[arrays].name != NULL;
    }
    for (int k = 0; k < KEYS; ++k) {
        metadata[texts] = (glnn_metadata){keys[k], glnn_safetensors_metadata(file, keys[k])};
        assert_non_null(metadata[texts].value);
        if (by.key && strcmp(keys[k], by.key) == 0)
            metadata[texts].value = by.value;
        texts += metadata[texts].value != NULL;
    }
    file_path out = path_of("changed");
    ok(glnn_safetensors_write(out.text, tensors, arrays, metadata, texts));
    glnn_safetensors_close(file);
    return out;
}

static void metadata_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    file_path path = saved("network");
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    const char *const garbage[] = {NULL, "", "garbage", "-1", "1x", " 1", "1,"};
    for (int k = 0; k < KEYS; ++k) {
        for (size_t g = 0; g < sizeof garbage / sizeof *garbage; ++g) {
            file_path copy = changed(path.text, (change){.key = keys[k], .value = garbage[g]});
            assert_fails(reader(copy.text), GLNN_E_FORMAT, keys[k]);
            assert_not_restored(mlp, copy.text, GLNN_E_FORMAT, keys[k]);
        }
    }
    const glnn_metadata wrong[] = {
        {"inputs", "0"},
        {"inputs", "99999999999999999999"},
        {"units", "7,99999999999"},
        {"steps", "18446744073709551616"},
        {"units", "7,0"},
        {"units", "7,,3"},
        {"units", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"},
        {"activations", "relu"},
        {"activations", "relu,identity,relu"},
        {"momentum", "1"},
        {"momentum", "nan"},
        {"epsilon", "inf"},
        {"beta1", "1,5"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        file_path copy = changed(path.text, (change){.key = wrong[i].key, .value = wrong[i].value});
        assert_fails(reader(copy.text), GLNN_E_FORMAT, wrong[i].key);
    }
    glnn_mlp_destroy(mlp);
}

static void descriptions_of_impossible_networks_are_refused(void **state)
{
    (void)state;
    file_path path = saved("network");
    const change exponential = {.key = "activations", .value = "exp,identity"};
    assert_fails(reader(changed(path.text, exponential).text), GLNN_E_FORMAT, "no network");
    const change last = {.key = "activations", .value = "relu,relu"};
    assert_fails(reader(changed(path.text, last).text), GLNN_E_FORMAT, "no network");
}

static void arrays_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    file_path path = saved("network");
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    float values[VALUES] = {0}, broken[HIDDEN] = {0, NAN};
    const struct {
        change by;
        glnn_status status;
        const char *part;
    } cases[] = {
        {{.array = "layers.0.weight"}, GLNN_E_FORMAT, "'layers.0.weight'"},
        {{.array = "layers.1.bias"}, GLNN_E_FORMAT, "'layers.1.bias'"},
        {{.array = "layers.1.state.1"}, GLNN_E_FORMAT, "'layers.1.state.1'"},
        {{.array = "layers.0.state.1"}, GLNN_E_SHAPE, "holds 1 matrices"},
        {{.array = "layers.0.weight", .tensor = {"layers.0.weight", 2, {INPUTS, HIDDEN}, values}},
         GLNN_E_SHAPE,
         "5 x 7, but 7 x 5"},
        {{.array = "layers.1.bias", .tensor = {"layers.1.bias", 2, {1, OUTPUTS}, values}},
         GLNN_E_SHAPE,
         "2 dimensions"},
        {{.array = "layers.1.state.0", .tensor = {"layers.1.state.0", 2, {3, 3}, values}},
         GLNN_E_SHAPE,
         "3 x 3, but 8 x 3"},
        {{.array = "layers.0.bias", .tensor = {"layers.0.bias", 1, {HIDDEN}, broken}},
         GLNN_E_FORMAT,
         "layer 0 has weights that are no finite numbers"},
        {{.key = "inputs", .value = "2147483646"}, GLNN_E_SHAPE, "2147483646"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        file_path copy = changed(path.text, cases[i].by);
        assert_fails(reader(copy.text), cases[i].status, cases[i].part);
        assert_not_restored(mlp, copy.text, cases[i].status, cases[i].part);
    }
    glnn_mlp_destroy(mlp);
}

static void truncated_files_change_nothing(void **state)
{
    (void)state;
    static unsigned char bytes[1u << 16];
    size_t size = file_read(saved("network").text, bytes, sizeof bytes);
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    const snapshot before = snapshot_of(mlp);
    for (size_t length = 0; length < size; ++length)
        assert_int_equal(glnn_mlp_restore(mlp, file_write("cut", bytes, length).text),
                         GLNN_E_FORMAT);
    const snapshot after = snapshot_of(mlp);
    assert_memory_equal(&before, &after, sizeof before);
    glnn_mlp_destroy(mlp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_shape_is_named_and_changes_nothing),
        cmocka_unit_test(metadata_that_makes_no_sense_is_refused),
        cmocka_unit_test(descriptions_of_impossible_networks_are_refused),
        cmocka_unit_test(arrays_that_do_not_fit_are_refused),
        cmocka_unit_test(truncated_files_change_nothing),
    };
    return cmocka_run_group_tests(tests, networks_setup, networks_teardown);
}
