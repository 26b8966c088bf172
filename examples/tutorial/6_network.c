/* 6_network - a network learns which points of a square lie in a ring. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"

enum { SIDE = 24, POINTS = SIDE * SIDE, SAMPLES = 4096 };

/* A point of the square from (-1, -1) to (1, 1), and whether it lies in the ring. */
static int make_point(double x, double y, float point[2])
{
    const double square = x * x + y * y;
    point[0] = (float)x;
    point[1] = (float)y;
    return square > 0.2 && square < 0.7;
}

int main(void)
{
    static float points[SAMPLES][2], places[POINTS][2];
    static int labels[SAMPLES], classes[POINTS];
    glnn_context *ctx;
    glnn_dataset *data;
    glnn_learner *network;
    glnn_metrics metrics;

    for (int i = 0; i < SAMPLES; ++i)
        labels[i] = make_point(i % 64 / 31.5 - 1, i / 64 / 31.5 - 1, points[i]);
    for (int i = 0; i < POINTS; ++i)
        make_point(i % SIDE * 2.0 / (SIDE - 1) - 1, i / SIDE * 2.0 / (SIDE - 1) - 1, places[i]);

    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_dataset_create(
        ctx,
        &(glnn_dataset_desc){
            .samples = SAMPLES, .features = 2, .inputs = points[0], .labels = labels, .classes = 2},
        &data));
    CHECK(glnn_network_create(
        ctx,
        &(glnn_network_desc){
            .features = 2,
            .layers = {{.units = 32, .activation = GLNN_ACTIVATION_RELU}, {.units = 2}},
            .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
            .seed = 1},
        &network));
    CHECK(glnn_learner_train(
        network, data, &(glnn_train_desc){.epochs = 30, .batch = 64, .schedule = {.rate = 0.01f}},
        NULL));
    CHECK(glnn_learner_evaluate(network, data, &metrics, NULL));
    CHECK(glnn_learner_predict(network, POINTS, places[0], NULL, classes));

    for (int i = 0; i < POINTS; ++i)
        printf("%s%s", classes[i] ? " #" : " .", i % SIDE == SIDE - 1 ? "\n" : "");
    printf("%.0f %% of the samples are classified right\n", 100 * metrics.accuracy);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    return metrics.accuracy > 0.9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
