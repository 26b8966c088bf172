/* Networks that take the parameters of another program's file. */
#include "support/networks.h"

#include <math.h>

/* The arrays that another program saves for new_network(), the first as large as the others. */
typedef struct foreign_file {
    float values[VALUES];
    glnn_tensor arrays[5];
} foreign_file;

static file_path foreign(foreign_file *of)
{
    static const glnn_metadata written_by = {"format", "pt"};
    const glnn_tensor arrays[] = {{"optimizer.steps", 0, {0}, of->values},
                                  {"0.bias", 1, {HIDDEN}, of->values},
                                  {"0.weight", 2, {HIDDEN, INPUTS}, of->values},
                                  {"2.bias", 1, {OUTPUTS}, of->values + 1},
                                  {"2.weight", 2, {OUTPUTS, HIDDEN}, of->values + 2}};
    file_path path = path_of("foreign");
    for (int i = 0; i < VALUES; ++i)
        of->values[i] = (float)i / 8;
    memcpy(of->arrays, arrays, sizeof arrays);
    expect_ok(glnn_safetensors_write(path.text, of->arrays, COUNT_OF(arrays), &written_by, 1));
    return path;
}

static void parameters_of_another_program_are_found_by_name(void **state)
{
    (void)state;
    foreign_file of;
    file_path path = foreign(&of);
    glnn_learner *network = new_network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    train(network);
    expect_ok(glnn_learner_load_parameters(network, path.text));
    const snapshot taken = snapshot_of(network), zero = {.steps = 0};
    for (int u = 0; u < HIDDEN; ++u) {
        assert_true(taken.biases[0][u] == of.values[u]);
        for (int i = 0; i < INPUTS; ++i)
            assert_true(taken.weights[0][i * HIDDEN + u] == of.values[u * INPUTS + i]);
        for (int o = 0; o < OUTPUTS; ++o)
            assert_true(taken.weights[1][u * OUTPUTS + o] == of.values[2 + o * HIDDEN + u]);
    }
    for (int o = 0; o < OUTPUTS; ++o)
        assert_true(taken.biases[1][o] == of.values[1 + o]);
    assert_memory_equal(taken.state, zero.state, sizeof zero.state);
    assert_int_equal(taken.steps, 0);
    assert_fails(glnn_learner_load(glnn_test_context(), path.text, NULL, &network), GLNN_E_FORMAT,
                 "glnn_learner_load_parameters() reads the parameters of other programs");
}

static void parameters_of_another_program_that_do_not_fit_change_nothing(void **state)
{
    (void)state;
    foreign_file of;
    glnn_learner *network = new_network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    train(network);
    const snapshot before = snapshot_of(network);
    file_path path = foreign(&of);
    expect_ok(glnn_safetensors_write(path.text, of.arrays, 4, NULL, 0));
    assert_fails(glnn_learner_load_parameters(network, path.text), GLNN_E_FORMAT, "'2.weight'");
    of.arrays[4].shape[0]--;
    expect_ok(glnn_safetensors_write(path.text, of.arrays, 5, NULL, 0));
    assert_fails(glnn_learner_load_parameters(network, path.text), GLNN_E_SHAPE,
                 "'2.weight' is 2 x 7; the description requires 3 x 7");
    of.arrays[4].shape[0]++;
    of.values[VALUES - 1] = of.values[4] = NAN;
    expect_ok(glnn_safetensors_write(path.text, of.arrays, 5, NULL, 0));
    assert_fails(glnn_learner_load_parameters(network, path.text), GLNN_E_FORMAT, "not finite");
    const snapshot after = snapshot_of(network);
    assert_memory_equal(&before, &after, sizeof before);
}

/* A file for a network of one input and one unit, with both arrays in a type of two bytes. */
static file_path narrow_file(const char *type, const unsigned char numbers[4])
{
    unsigned char bytes[256];
    const int length = snprintf((char *)bytes + 8, sizeof bytes - 8,
                                "{\"0.weight\":{\"dtype\":\"%s\",\"shape\":[1,1],"
                                "\"data_offsets\":[0,2]},"
                                "\"0.bias\":{\"dtype\":\"%s\",\"shape\":[1],"
                                "\"data_offsets\":[2,4]}}",
                                type, type);
    memset(bytes, 0, 8);
    bytes[0] = (unsigned char)length;
    memcpy(bytes + 8 + length, numbers, 4);
    return file_write("narrow", bytes, 12 + (size_t)length);
}

static void parameters_of_16_bits_are_loaded_and_other_types_named(void **state)
{
    (void)state;
    static const unsigned char halves[] = {0, 0xC1, 1, 0}, brains[] = {0x20, 0xC0, 1, 0};
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 1, .layers = {{.units = 1}}});
    float weight = 0, bias = 0;
    expect_ok(glnn_learner_load_parameters(network, narrow_file("F16", halves).text));
    expect_ok(read_weights(network, 0, &weight, &bias));
    assert_true(weight == -2.5f && bias == 0x1p-24f);
    expect_ok(glnn_learner_load_parameters(network, narrow_file("BF16", brains).text));
    expect_ok(read_weights(network, 0, &weight, &bias));
    assert_true(weight == -2.5f && bias == 0x1p-133f);
    assert_fails(glnn_learner_load_parameters(network, narrow_file("I16", halves).text),
                 GLNN_E_FORMAT,
                 "narrow: array '0.weight' has the type I16; F32, F16 and BF16 can be read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(parameters_of_another_program_are_found_by_name),
        LEARNING_TEST(parameters_of_another_program_that_do_not_fit_change_nothing),
        LEARNING_TEST(parameters_of_16_bits_are_loaded_and_other_types_named),
    };
    return cmocka_run_group_tests_name("network files of other programs", tests,
                                       learner_files_setup, learner_files_teardown);
}
