#include "networks.h"

glnn_mlp *network(glnn_optimizer_kind kind, float momentum, int hidden)
{
    const glnn_mlp_desc desc = {
        .inputs = INPUTS,
        .layers = 2,
        .units = {hidden, OUTPUTS},
        .activations = {GLNN_ACTIVATION_SCALED_TANH, GLNN_ACTIVATION_IDENTITY},
        .optimizer = {.kind = kind, .momentum = momentum, .weight_decay = 1e-5f / 3},
        .capacity = 16,
        .seed = UINT64_MAX - 5,
    };
    return mlp_of(&desc);
}

const float *inputs_of_samples(void)
{
    static float inputs[SAMPLES * INPUTS];
    for (int i = 0; i < SAMPLES * INPUTS; ++i)
        inputs[i] = (float)((i * 37) % 64) / 32 - 1;
    return inputs;
}

void train(glnn_mlp *mlp)
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
    expect_ok(glnn_mlp_train(
        mlp, data,
        &(glnn_train_desc){.epochs = 3, .batch = 8, .schedule = {.rate = 0.01f}, .seed = 4}, NULL));
    glnn_dataset_destroy(data);
}

snapshot snapshot_of(const glnn_mlp *mlp)
{
    snapshot taken = {0};
    for (int l = 0; l < 2; ++l) {
        expect_ok(glnn_mlp_get_weights(mlp, l, taken.weights[l], taken.biases[l]));
        for (int s = 0; s < glnn_mlp_state_count(mlp); ++s)
            expect_ok(glnn_mlp_get_state(mlp, l, s, taken.state[l][s]));
    }
    taken.steps = glnn_mlp_get_steps(mlp);
    return taken;
}

file_path saved(const char *name)
{
    file_path path = path_of(name);
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    train(mlp);
    expect_ok(glnn_mlp_save(mlp, path.text));
    return path;
}

glnn_status network_reader(const char *path)
{
    glnn_mlp *mlp;
    glnn_status status = glnn_mlp_load(glnn_test_context(), path, GLNN_LAYOUT_TILED, 0, &mlp);
    if (status)
        assert_null(mlp);
    glnn_mlp_destroy(mlp);
    return status;
}
