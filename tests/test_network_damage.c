#include "support/networks.h"

#include <math.h>

/* The network to restore. */
static glnn_learner *present;

static glnn_status restorer(const char *path)
{
    return glnn_learner_load_parameters(present, path);
}

/* Restores, and looks whether a network that was not restored is as it was. */
static glnn_status careful_restorer(const char *path)
{
    const snapshot before = snapshot_of(present);
    const glnn_status status = restorer(path);
    const snapshot after = snapshot_of(present);
    if (status)
        assert_memory_equal(&before, &after, sizeof before);
    return status;
}

static void another_shape_is_named_and_changes_nothing(void **state)
{
    (void)state;
    file_path path = saved("network");
    present = new_network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN - 1);
    assert_fails(careful_restorer(path.text), GLNN_E_SHAPE,
                 "(5x1x1, dense 7 scaled_tanh, dense 3 identity)");
    assert_fails(careful_restorer(path.text), GLNN_E_SHAPE,
                 "(5x1x1, dense 6 scaled_tanh, dense 3 identity)");
    present = new_network(GLNN_OPTIMIZER_SGD, 0, HIDDEN);
    assert_fails(careful_restorer(path.text), GLNN_E_SHAPE, "holds 2 matrices");
}

/* The last two may be missing. */
static const char *const keys[] = {
    "format",        "version",      "channels",       "height",        "width",
    "layers",        "units",        "activations",    "loss",          "optimizer",
    "momentum",      "weight_decay", "beta1",          "beta2",         "epsilon",
    "clip_norm",     "step_first",   "step_min",       "step_max",      "step_increase",
    "step_decrease", "two_parts",    "gradient_noise", "noise_decay",   "label_smoothing",
    "steps",         "seed",         "rates",          "loss_parameter"};

/* Of a network of ADAM's; another one of the same shape is there to be restored. */
static learner_file prepare(void)
{
    present = new_network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    return (learner_file){saved("network"), keys, COUNT_OF(keys)};
}

static void assert_text_is_refused(const learner_file *file, const char *key, const char *value)
{
    const change by = {.key = key, .value = value};
    assert_fails(careful_restorer(changed(file, by).text), GLNN_E_FORMAT, key);
}

static void metadata_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    learner_file file = prepare();
    const change format = {.key = "format", .value = "glnn-kmeans"};
    const glnn_metadata wrong[] = {
        {"channels", "0"},
        {"channels", "99999999999999999999"},
        {"height", "-1"},
        {"width", "1.5"},
        {"layers", "dense"},
        {"layers", "dense,dense,dense"},
        {"layers", "dense,sparse"},
        {"units", "7,99999999999"},
        {"steps", "18446744073709551616"},
        {"units", "7,0"},
        {"units", "7,,3"},
        {"layers", "dense,dense,dense,dense,dense,dense,dense,dense,dense,dense,dense,dense,"
                   "dense,dense,dense,dense,dense,dense,dense,dense,dense,dense,dense,dense,"
                   "dense,dense,dense,dense,dense,dense,dense,dense,dense"},
        {"activations", "relu"},
        {"activations", "relu,identity,relu"},
        {"loss", "expression"},
        {"activations", "exp,identity"},
        {"momentum", "1"},
        {"momentum", "nan"},
        {"epsilon", "inf"},
        {"step_decrease", "1"},
        {"step_max", "-1"},
        {"two_parts", "1"},
        {"label_smoothing", "1"},
        {"beta1", "1,5"},
    };
    file.count -= 2;
    assert_odd_texts_fail(network_reader, &file, wrong, COUNT_OF(wrong));
    assert_fails(careful_restorer(changed(&file, format).text), GLNN_E_FORMAT, "format");
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        assert_text_is_refused(&file, wrong[i].key, wrong[i].value);
    /* Without its format, the file can be that of another program. */
    for (size_t k = 1; k < file.count; ++k) {
        assert_text_is_refused(&file, keys[k], NULL);
        assert_text_is_refused(&file, keys[k], "garbage");
    }
}

static void descriptions_of_impossible_networks_are_refused(void **state)
{
    (void)state;
    const learner_file file = prepare();
    const change last = {.key = "activations", .value = "relu,relu"};
    static const char *const odd[] = {"", "0", "0,x", "0,0,0"};
    static const char *const parameters[] = {"", "x", "-1", "2"};
    for (size_t i = 0; i < COUNT_OF(odd); ++i)
        assert_fails(network_reader(changed(&file, (change){.key = "rates", .value = odd[i]}).text),
                     GLNN_E_FORMAT, "rates");
    for (size_t i = 0; i < COUNT_OF(parameters); ++i)
        assert_text_is_refused(&file, "loss_parameter", parameters[i]);
    const change dense_rate = {.key = "rates", .value = "0.5,0"};
    assert_fails(network_reader(changed(&file, last).text), GLNN_E_FORMAT,
                 "description of the network is not valid");
    assert_fails(network_reader(changed(&file, dense_rate).text), GLNN_E_FORMAT, "layer 0: rate");
}

/* Files from before there was the number have no text for it. */
static void a_number_that_older_files_lack_may_be_missing(void **state)
{
    (void)state;
    const learner_file file = prepare();
    expect_ok(network_reader(changed(&file, (change){.key = "rates"}).text));
    expect_ok(network_reader(changed(&file, (change){.key = "loss_parameter"}).text));
}

static void arrays_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const learner_file file = prepare();
    float values[VALUES] = {0}, broken[HIDDEN] = {0, NAN};
    const damage cases[] = {
        {{.array = "0.weight"}, GLNN_E_FORMAT, "'0.weight'"},
        {{.array = "2.bias"}, GLNN_E_FORMAT, "'2.bias'"},
        {{.array = "glnn.2.state.1"}, GLNN_E_FORMAT, "'glnn.2.state.1'"},
        {{.array = "glnn.0.state.1"}, GLNN_E_SHAPE, "holds 1 matrices"},
        {{.array = "0.weight", .tensor = {"0.weight", 2, {INPUTS, HIDDEN}, values}},
         GLNN_E_SHAPE,
         "is 5 x 7; the description requires 7 x 5"},
        {{.array = "2.bias", .tensor = {"2.bias", 2, {1, OUTPUTS}, values}},
         GLNN_E_SHAPE,
         "2 dimensions"},
        {{.array = "glnn.2.state.0", .tensor = {"glnn.2.state.0", 2, {3, 3}, values}},
         GLNN_E_SHAPE,
         "is 3 x 3; the description requires 8 x 3"},
        {{.array = "0.bias", .tensor = {"0.bias", 1, {HIDDEN}, broken}},
         GLNN_E_FORMAT,
         "`0.bias` has numbers that are not finite"},
        {{.key = "channels", .value = "2147483646"}, GLNN_E_SHAPE, "2147483646"},
    };
    assert_damage_fails(network_reader, &file, cases, COUNT_OF(cases));
    assert_damage_fails(careful_restorer, &file, cases, COUNT_OF(cases));
}

static void a_file_with_a_negative_variance_is_refused(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .features = 1, .layers = {{.kind = GLNN_LAYER_BATCH_NORM}}, .loss = GLNN_LOSS_SQUARED};
    const float one[] = {1}, negative[] = {-1};
    const glnn_tensor tensors[] = {{"0.weight", 1, {1}, one},
                                   {"0.bias", 1, {1}, one},
                                   {"0.running_mean", 1, {1}, one},
                                   {"0.running_var", 1, {1}, negative}};
    const file_path path = path_of("negative");
    expect_ok(glnn_safetensors_write(path.text, tensors, 4, NULL, 0));
    expect_error(
        glnn_learner_load_parameters(network_of(&desc), path.text), GLNN_E_FORMAT,
        "`0.running_var` has a running variance of -1 for channel 0; it must not be negative");
}

static void truncated_files_change_nothing(void **state)
{
    (void)state;
    const learner_file file = prepare();
    const snapshot before = snapshot_of(present);
    assert_truncations_fail(restorer, file.path.text);
    const snapshot after = snapshot_of(present);
    assert_memory_equal(&before, &after, sizeof before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(another_shape_is_named_and_changes_nothing),
        LEARNING_TEST(metadata_that_makes_no_sense_is_refused),
        LEARNING_TEST(descriptions_of_impossible_networks_are_refused),
        LEARNING_TEST(a_number_that_older_files_lack_may_be_missing),
        LEARNING_TEST(arrays_that_do_not_fit_are_refused),
        LEARNING_TEST(a_file_with_a_negative_variance_is_refused),
        LEARNING_TEST(truncated_files_change_nothing),
    };
    return cmocka_run_group_tests_name("network damage", tests, learner_files_setup,
                                       learner_files_teardown);
}
