/* 03_xor - a network that learns exclusive or. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"

int main(void)
{
    const float inputs[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, targets[4] = {0, 1, 1, 0};
    float outputs[4];
    int wrong = 0;
    glnn_context *ctx;
    glnn_dataset *data;
    glnn_network *network;

    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_dataset_create(
        ctx,
        &(glnn_dataset_desc){
            .samples = 4, .features = 2, .inputs = &inputs[0][0], .targets = targets, .outputs = 1},
        &data));
    CHECK(glnn_network_create(
        ctx,
        &(glnn_network_desc){.features = 2,
                             .layers = {{.units = 4, .activation = GLNN_ACTIVATION_TANH},
                                        {.units = 1, .activation = GLNN_ACTIVATION_SIGMOID}},
                             .loss = GLNN_LOSS_SQUARED,
                             .optimizer = {.momentum = 0.9f},
                             .seed = 1},
        &network));
    CHECK(glnn_network_train(
        network, data, &(glnn_train_desc){.epochs = 1000, .batch = 4, .schedule = {.rate = 0.5f}},
        NULL));
    CHECK(glnn_network_predict(network, 4, &inputs[0][0], outputs, NULL));

    for (int i = 0; i < 4; ++i) {
        printf("%g xor %g = %.3f\n", (double)inputs[i][0], (double)inputs[i][1],
               (double)outputs[i]);
        wrong += (outputs[i] > 0.5f) != (targets[i] > 0.5f);
    }
    glnn_network_destroy(network);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
