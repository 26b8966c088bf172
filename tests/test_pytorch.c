/* Networks that PyTorch loads and saves. Without PyTorch the tests are skipped. */
#include "support/learner_files.h"

enum { SAMPLES = 16 };

/* Whether the command did not find PyTorch. */
static bool is_absent(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == 77;
}

static void write_samples(glnn_learner *network, const float *inputs, const char *path)
{
    const size_t features = (size_t)glnn_network_get_desc(network)->features;
    const size_t outputs = (size_t)glnn_learner_get_outputs(network);
    float *predicted = floats_new(SAMPLES * outputs);
    expect_ok(glnn_learner_predict(network, SAMPLES, inputs, predicted, NULL));
    const glnn_tensor tensors[] = {{"inputs", 2, {SAMPLES, features}, inputs},
                                   {"outputs", 2, {SAMPLES, outputs}, predicted}};
    expect_ok(glnn_safetensors_write(path, tensors, COUNT_OF(tensors), NULL, 0));
}

/* The network has the parameters that PyTorch saved, and predicts the outputs that are with
 * them. */
static void expect_back(glnn_learner *network, const float *inputs, const char *path)
{
    const int outputs = glnn_learner_get_outputs(network);
    float *predicted = floats_new((size_t)(SAMPLES * outputs));
    glnn_safetensors *file;
    expect_ok(glnn_learner_load_parameters(network, path));
    expect_ok(glnn_learner_predict(network, SAMPLES, inputs, predicted, NULL));
    expect_ok(glnn_safetensors_read(path, &file));
    const glnn_tensor *wanted = glnn_safetensors_find_tensor(file, "outputs");
    for (int i = 0; i < SAMPLES * outputs; ++i)
        assert_float_equal(predicted[i], wanted->data[i], 1e-5f * fmaxf(1, fabsf(wanted->data[i])));
    glnn_safetensors_free(file);
}

static void expect_round_trip(const glnn_network_desc *desc)
{
    char command[4096];
    glnn_learner *network = network_of(desc);
    const file_path model = path_of("model"), samples_file = path_of("samples"),
                    back = path_of("back");
    const bool has_classes = desc->loss == GLNN_LOSS_CROSS_ENTROPY && desc->output_count == 0;
    const samples of = samples_for(network, SAMPLES, has_classes);
    const float *inputs = floats_of(of.inputs);
    expect_ok(glnn_learner_train(network, dataset_of(of),
                                 &(glnn_train_desc){.epochs = 2, .batch = 8}, NULL));
    expect_ok(glnn_learner_save(network, model.text));
    write_samples(network, inputs, samples_file.text);
    snprintf(command, sizeof command, "python3 scripts/check_pytorch.py %s %s %s", model.text,
             samples_file.text, back.text);
    const int status = system(command);
    if (is_absent(status))
        skip();
    assert_int_equal(status, 0);
    expect_back(network, inputs, back.text);
}

static void networks_of_dense_layers_go_to_pytorch_and_back(void **state)
{
    (void)state;
    expect_round_trip(&(glnn_network_desc){
        .features = 5,
        .layers = {{.units = 9, .activation = GLNN_ACTIVATION_SIGMOID},
                   {.units = 8, .activation = GLNN_ACTIVATION_TANH},
                   {.kind = GLNN_LAYER_DROPOUT, .rate = 0.25f},
                   {.units = 7, .activation = GLNN_ACTIVATION_SCALED_TANH},
                   {.units = 7, .activation = GLNN_ACTIVATION_IDENTITY},
                   {.units = 6},
                   {.units = 6, .activation = GLNN_ACTIVATION_LEAKY_RELU},
                   {.units = 3}},
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
    });
}

static void networks_of_one_output_and_of_targets_go_to_pytorch_and_back(void **state)
{
    (void)state;
    expect_round_trip(&(glnn_network_desc){.features = 5, .layers = {{.units = 4}, {.units = 1}}});
    expect_round_trip(&(glnn_network_desc){
        .features = 5, .layers = {{.units = 4}, {.units = 2}}, .loss = GLNN_LOSS_SQUARED});
}

static void networks_of_images_go_to_pytorch_and_back(void **state)
{
    (void)state;
    expect_round_trip(&(glnn_network_desc){
        .shape = {3, 11, 9},
        .layers =
            {{.kind = GLNN_LAYER_CONVOLUTION,
              .units = 6,
              .kernel = {3, 5},
              .stride = {1, 2},
              .padding = {1, 3},
              .activation = GLNN_ACTIVATION_IDENTITY},
             {.kind = GLNN_LAYER_BATCH_NORM},
             {.kind = GLNN_LAYER_MAX_POOL, .kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_CONVOLUTION,
              .units = 6,
              .kernel = {3, 3},
              .padding = {1, 1},
              .groups = 3,
              .activation = GLNN_ACTIVATION_TANH},
             {.kind = GLNN_LAYER_RESIDUAL, .skip = 1},
             {.kind = GLNN_LAYER_AVERAGE_POOL, .kernel = {2, 3}, .padding = {1, 0}},
             {.kind = GLNN_LAYER_FLATTEN},
             {.kind = GLNN_LAYER_DROPOUT, .rate = 0.5f},
             {.units = 5},
             {.units = 3}},
        .optimizer = {.momentum = 0.9f},
        .seed = 3,
    });
}

static void normalisations_and_larger_images_go_to_pytorch_and_back(void **state)
{
    (void)state;
    expect_round_trip(&(glnn_network_desc){
        .shape = {3, 5, 4},
        .layers =
            {{.kind = GLNN_LAYER_LAYER_NORM, .activation = GLNN_ACTIVATION_TANH},
             {.kind = GLNN_LAYER_UPSAMPLE, .stride = {2, 3}},
             {.kind = GLNN_LAYER_CONVOLUTION, .units = 7, .kernel = {3, 2}, .dilation = {2, 3}},
             {.kind = GLNN_LAYER_LOCAL_RESPONSE_NORM, .size = 4, .alpha = 0.5f},
             {.kind = GLNN_LAYER_TRANSPOSED_CONVOLUTION,
              .units = 9,
              .kernel = {2, 3},
              .stride = {1, 2},
              .padding = {0, 1},
              .dilation = {2, 1}},
             {.kind = GLNN_LAYER_FLATTEN},
             {.units = 6},
             {.kind = GLNN_LAYER_LAYER_NORM},
             {.units = 3}},
        .seed = 7,
    });
}

static void graphs_go_to_pytorch_and_back(void **state)
{
    (void)state;
    expect_round_trip(&(glnn_network_desc){
        .features = 27,
        .layers = {{.kind = GLNN_LAYER_SLICE, .units = 24, .first = 3},
                   {.kind = GLNN_LAYER_UNFLATTEN, .shape = {2, 4, 3}},
                   {.kind = GLNN_LAYER_CONVOLUTION,
                    .units = 2,
                    .kernel = {3, 3},
                    .padding = {1, 1},
                    .activation = GLNN_ACTIVATION_TANH},
                   {.kind = GLNN_LAYER_CONVOLUTION,
                    .units = 2,
                    .kernel = {3, 3},
                    .padding = {1, 1},
                    .activation = GLNN_ACTIVATION_TANH,
                    .shares = 1},
                   {.kind = GLNN_LAYER_ADD, .inputs = {1, 2, 3}},
                   {.kind = GLNN_LAYER_MULTIPLY, .inputs = {1, 4}},
                   {.kind = GLNN_LAYER_FLATTEN},
                   {.kind = GLNN_LAYER_SLICE, .units = 3, .inputs = {8}},
                   {.kind = GLNN_LAYER_CONCATENATE, .inputs = {2, 1}},
                   {.units = 3, .activation = GLNN_ACTIVATION_IDENTITY},
                   {.units = 2, .inputs = {2}}},
        .output_count = 2,
        .outputs = {{.layer = 9}, {.layer = 10, .loss = GLNN_LOSS_SQUARED}},
        .seed = 8,
    });
}

static void networks_of_sequences_go_to_pytorch_and_back(void **state)
{
    (void)state;
    expect_round_trip(&(glnn_network_desc){
        .shape = {3, 1, 9},
        .layers = {{.kind = GLNN_LAYER_GRU, .units = 7, .all_states = true},
                   {.kind = GLNN_LAYER_CONVOLUTION, .units = 1, .kernel = {1, 9}, .inputs = {2}},
                   {.kind = GLNN_LAYER_RECURRENT, .units = 5, .inputs = {2, 1}},
                   {.units = 3}},
        .seed = 8,
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(networks_of_dense_layers_go_to_pytorch_and_back),
        LEARNING_TEST(graphs_go_to_pytorch_and_back),
        LEARNING_TEST(networks_of_images_go_to_pytorch_and_back),
        LEARNING_TEST(normalisations_and_larger_images_go_to_pytorch_and_back),
        LEARNING_TEST(networks_of_sequences_go_to_pytorch_and_back),
        LEARNING_TEST(networks_of_one_output_and_of_targets_go_to_pytorch_and_back),
    };
    return cmocka_run_group_tests_name("pytorch", tests, learner_files_setup,
                                       learner_files_teardown);
}
