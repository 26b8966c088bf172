/* Small networks, trained and saved, for the tests of their files. */
#ifndef TESTS_NETWORKS_H
#define TESTS_NETWORKS_H

#include "files.h"

#include <glnn/safetensors.h>

static glnn_context *ctx;

static inline int networks_setup(void **state)
{
    if (glnn_context_create(&(glnn_context_desc){.cache_dir = ""}, &ctx)) {
        print_error("no context: %s\n", glnn_last_error());
        return -1;
    }
    return folder_make(state);
}

static inline int networks_teardown(void **state)
{
    glnn_context_destroy(ctx);
    return folder_remove(state);
}

static inline void ok(glnn_status status)
{
    if (status)
        fail_msg("%s: %s", glnn_status_name(status), glnn_last_error());
}

enum { INPUTS = 5, HIDDEN = 7, OUTPUTS = 3, SAMPLES = 24, VALUES = (HIDDEN + 1) * (HIDDEN + 1) };

static inline glnn_mlp *network(glnn_optimizer_kind kind, float momentum, int hidden)
{
    const glnn_mlp_desc desc = {
        .inputs = INPUTS,
        .layers = 2,
        .units = {hidden, OUTPUTS},
        .activations = {GLNN_MAP_SCALED_TANH, GLNN_MAP_IDENTITY},
        .optimizer = {.kind = kind, .momentum = momentum, .weight_decay = 1e-5f / 3},
        .capacity = 16,
        .seed = UINT64_MAX - 5,
    };
    glnn_mlp *mlp;
    ok(glnn_mlp_create(ctx, &desc, &mlp));
    return mlp;
}

static inline const float *inputs_of_samples(void)
{
    static float inputs[SAMPLES * INPUTS];
    for (int i = 0; i < SAMPLES * INPUTS; ++i)
        inputs[i] = (float)((i * 37) % 64) / 32 - 1;
    return inputs;
}

static inline void train(glnn_mlp *mlp)
{
    int labels[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
        labels[i] = i % OUTPUTS;
    glnn_dataset *data;
    ok(glnn_dataset_create(ctx,
                           &(glnn_dataset_desc){.samples = SAMPLES,
                                                .features = INPUTS,
                                                .inputs = inputs_of_samples(),
                                                .labels = labels,
                                                .classes = OUTPUTS},
                           &data));
    ok(glnn_mlp_train(
        mlp, data,
        &(glnn_train_desc){.epochs = 3, .batch = 8, .schedule = {.rate = 0.01f}, .seed = 4}, NULL));
    glnn_dataset_destroy(data);
}

/* Weights, biases, optimizer state and steps of both layers. */
typedef struct snapshot {
    float weights[2][VALUES], biases[2][HIDDEN], state[2][2][VALUES];
    uint64_t steps;
} snapshot;

static inline snapshot snapshot_of(const glnn_mlp *mlp)
{
    snapshot taken = {0};
    for (int l = 0; l < 2; ++l) {
        ok(glnn_mlp_get_weights(mlp, l, taken.weights[l], taken.biases[l]));
        for (int s = 0; s < glnn_mlp_state_count(mlp); ++s)
            ok(glnn_mlp_get_state(mlp, l, s, taken.state[l][s]));
    }
    taken.steps = glnn_mlp_get_steps(mlp);
    return taken;
}

/* A trained network in a file, with ADAM's state. */
static inline file_path saved(const char *name)
{
    file_path path = path_of(name);
    glnn_mlp *mlp = network(GLNN_OPTIMIZER_ADAM, 0, HIDDEN);
    train(mlp);
    ok(glnn_mlp_save(mlp, path.text));
    glnn_mlp_destroy(mlp);
    return path;
}

static inline glnn_status reader(const char *path)
{
    glnn_mlp *mlp;
    glnn_status status = glnn_mlp_load(ctx, path, GLNN_LAYOUT_TILED, 0, &mlp);
    if (status)
        assert_null(mlp);
    glnn_mlp_destroy(mlp);
    return status;
}

#endif
