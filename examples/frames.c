/* frames - trains a network during a few milliseconds of each frame that a program draws.
 *
 * Two spirals wind around each other, and each frame shows the class that the network finds at
 * every place. A program with an OpenGL context of its own would create the library's with
 * GLNN_PLATFORM_ADOPT: each call then leaves that context's state as it was. */
#include <glnn/glnn.h>

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "common/check.h"

enum { POINTS = 2048, WIDTH = 48, HEIGHT = 24, MOST_FRAMES = 5000 };

#define RADIUS      4.0 /* of the spirals  */
#define TRAINING_MS 5.0 /* of each frame   */

/* Every other point is of the other spiral, half a turn away. */
static void fill_spirals(float points[POINTS][2], int labels[POINTS])
{
    const double half_turn = acos(-1.0);
    for (int i = 0; i < POINTS; ++i) {
        const double radius = RADIUS * (i / 2 + 1) / (POINTS / 2.0);
        const double angle = half_turn * (2.0 * radius / RADIUS + i % 2);
        points[i][0] = (float)(radius * cos(angle));
        points[i][1] = (float)(radius * sin(angle));
        labels[i] = i % 2;
    }
}

static double clock_ms(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* The first frames compile programs and measure the device. In the others one call makes as many
 * steps as fit, and ends epochs too. Returns the time of the call. */
static double train(glnn_trainer *trainer, double *warmth)
{
    const double start = clock_ms();
    if (*warmth < 1)
        CHECK(glnn_trainer_warm_up(trainer, TRAINING_MS, warmth));
    else
        CHECK(glnn_trainer_step(trainer, 0, TRAINING_MS, NULL, NULL));
    return clock_ms() - start;
}

/* The network may be used between steps. */
static void draw(glnn_network *network, char picture[HEIGHT][WIDTH + 1])
{
    static float places[HEIGHT][WIDTH][2], outputs[HEIGHT][WIDTH][2];
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            places[y][x][0] = (float)(RADIUS * (2.0 * x / (WIDTH - 1) - 1.0));
            places[y][x][1] = (float)(RADIUS * (1.0 - 2.0 * y / (HEIGHT - 1)));
        }
    CHECK(glnn_network_predict(network, HEIGHT * WIDTH, places[0][0], outputs[0][0], NULL));
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x)
            picture[y][x] = outputs[y][x][1] > outputs[y][x][0] ? '#' : '.';
}

int main(void)
{
    static char picture[HEIGHT][WIDTH + 1];
    float points[POINTS][2];
    int labels[POINTS], frames = 0, late = 0;
    double total = 0, warmth = 0;
    glnn_context *ctx;
    glnn_dataset *data;
    glnn_network *network;
    glnn_trainer *trainer;

    fill_spirals(points, labels);
    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_dataset_create(
        ctx,
        &(glnn_dataset_desc){
            .samples = POINTS, .features = 2, .inputs = points[0], .labels = labels, .classes = 2},
        &data));
    CHECK(glnn_network_create(
        ctx,
        &(glnn_network_desc){.features = 2,
                             .layers = {{.units = 32, .activation = GLNN_ACTIVATION_TANH},
                                        {.units = 32, .activation = GLNN_ACTIVATION_TANH},
                                        {.units = 2}},
                             .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                             .seed = 1},
        &network));
    CHECK(glnn_network_trainer_create(
        network, data,
        &(glnn_train_desc){
            .epochs = 20, .batch = 32, .schedule = {.rate = 0.01f}, .restore_best = true},
        &trainer));
    const glnn_report *report = glnn_trainer_get_report(trainer);
    for (; frames < MOST_FRAMES && !glnn_trainer_is_finished(trainer); ++frames) {
        const double ms = train(trainer, &warmth);
        total += ms;
        late += ms > TRAINING_MS;
        draw(network, picture);
        if (frames % 20 == 19)
            printf("frame %4d  epoch %3d  loss %.4f\n", frames, report->epoch,
                   report->training.loss);
    }
    for (int y = 0; y < HEIGHT; ++y)
        puts(picture[y]);
    printf("%d frames trained for %.1f ms each; %d took more than %g ms\n", frames, total / frames,
           late, TRAINING_MS);
    printf("%d epochs, accuracy %.1f %%\n", report->epoch, 100.0 * report->training.accuracy);

    glnn_trainer_destroy(trainer);
    glnn_network_destroy(network);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
