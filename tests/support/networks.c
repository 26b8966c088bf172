#include "networks.h"

glnn_learner *new_network(glnn_optimizer_kind kind, float momentum, int hidden)
{
    const glnn_network_desc desc = {
        .features = INPUTS,
        .layers = {{.units = hidden, .activation = GLNN_ACTIVATION_SCALED_TANH},
                   {.units = OUTPUTS, .activation = GLNN_ACTIVATION_IDENTITY}},
        .optimizer = {.kind = kind, .momentum = momentum, .weight_decay = 1e-5f / 3},
        .capacity = 16,
        .seed = UINT64_MAX - 5,
    };
    return network_of(&desc);
}

const float *inputs_of_samples(void)
{
    static float inputs[SAMPLES * INPUTS];
    for (int i = 0; i < SAMPLES * INPUTS; ++i)
        inputs[i] = (float)((i * 37) % 64) / 32 - 1;
    return inputs;
}

void train(glnn_learner *network)
{
    int labels[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
        labels[i] = i % OUTPUTS;
    glnn_dataset *data;
    expect_ok(glnn_dataset_create(glnn_test_context(),
                                  &(glnn_dataset_desc){.samples = SAMPLES,
                                                       .features = INPUTS,
                                                       .inputs = inputs_of_samples(),
                                                       .labels = labels,
                                                       .classes = OUTPUTS},
                                  &data));
    expect_ok(glnn_learner_train(
        network, data,
        &(glnn_train_desc){.epochs = 3, .batch = 8, .schedule = {.rate = 0.01f}, .seed = 4}, NULL));
    glnn_dataset_destroy(data);
}

snapshot snapshot_of(const glnn_learner *network)
{
    snapshot taken = {0};
    for (int l = 0; l < 2; ++l) {
        expect_ok(read_weights(network, l, taken.weights[l], taken.biases[l]));
        for (int s = 0; s < state_count(network); ++s)
            expect_ok(read_state(network, l, s, taken.state[l][s]));
    }
    taken.steps = glnn_network_get_steps(network);
    return taken;
}

file_path saved(const char *name)
{
    file_path path = path_of(name);
    glnn_learner *network = new_network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    train(network);
    expect_ok(glnn_learner_save(network, path.text));
    return path;
}

glnn_status network_reader(const char *path)
{
    glnn_learner *network;
    glnn_status status = glnn_learner_load(
        glnn_test_context(), path, &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED}, &network);
    if (status)
        assert_null(network);
    glnn_learner_destroy(network);
    return status;
}
