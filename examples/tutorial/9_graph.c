/* 9_graph - two branches and a loss of the program's own find a curve among wrong numbers. */
#include <glnn/glnn.h>

#include <math.h>
#include <stdio.h>

#include "common/check.h"

enum { SAMPLES = 256 };

static double curve(double x)
{
    return 2 * x + sin(6 * x);
}

/* The mean distance between the curve and a network that has learnt the samples. */
static double train(glnn_context *ctx, const glnn_network_desc *desc)
{
    static float places[SAMPLES], targets[SAMPLES], outputs[SAMPLES];
    glnn_dataset *data;
    glnn_learner *network;
    double distance = 0;

    for (int i = 0; i < SAMPLES; ++i) {
        places[i] = (float)(i * 2.0 / (SAMPLES - 1) - 1);
        targets[i] =
            (float)curve((double)places[i]) + (i % 5 == 0 ? 8 : 0); /* each fifth is wrong */
    }
    CHECK(glnn_dataset_create(
        ctx,
        &(glnn_dataset_desc){
            .samples = SAMPLES, .features = 1, .inputs = places, .targets = targets, .outputs = 1},
        &data));
    CHECK(glnn_network_create(ctx, desc, &network));
    CHECK(glnn_learner_train(
        network, data, &(glnn_train_desc){.epochs = 150, .batch = 32, .schedule = {.rate = 0.01f}},
        NULL));
    CHECK(glnn_learner_predict(network, SAMPLES, places, outputs, NULL));
    for (int i = 0; i < SAMPLES; ++i)
        distance += fabs((double)outputs[i] - curve((double)places[i])) / SAMPLES;
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    return distance;
}

int main(void)
{
    glnn_network_desc desc = {
        .features = 1,
        .layers = {{.units = 16, .activation = GLNN_ACTIVATION_TANH},
                   {.units = 16, .activation = GLNN_ACTIVATION_TANH},
                   {.units = 1, .activation = GLNN_ACTIVATION_IDENTITY, .inputs = {3}},
                   {.kind = GLNN_LAYER_CONCATENATE, .inputs = {1, 2}},
                   {.units = 1}},
        .loss = GLNN_LOSS_SQUARED,
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
        .seed = 1};
    glnn_context *ctx;

    CHECK(glnn_context_create(NULL, &ctx));
    printf("squared error   %.1f from the curve\n", train(ctx, &desc));
    desc.loss = GLNN_LOSS_EXPRESSION;
    desc.loss_value = "log(1.0 + (y - t) * (y - t))";
    desc.loss_derivative = "2.0 * (y - t) / (1.0 + (y - t) * (y - t))";
    printf("loss of our own %.1f from the curve\n", train(ctx, &desc));
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
