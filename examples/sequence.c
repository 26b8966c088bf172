/* sequence - gated recurrent units learn the adding problem, which needs memory.
 *
 * A sequence has a number from 0 to 1 at each time, and two of the times are marked. The target is
 * the sum of the two marked numbers (Hochreiter, Schmidhuber 1997). The network reads one time
 * after the other and says the sum at the end, so it has to keep the first number until it meets
 * the second one.
 *
 *     build/examples/sequence [TIMES [EPOCHS]]
 *
 * With the default of 20 times, about 98 of 100 sums of new sequences come out within 0.1. A
 * network that always says 1, the mean, has 19 of 100. */
#include <glnn/glnn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"

enum { UNITS = 32, TRAINED = 4096, TESTED = 1024, BATCH = 64, MOST_TIMES = 1000 };

/* A sequence is an image of height 1: first the numbers of all times, then their marks. */
typedef struct sequences {
    int count, times;
    float *inputs, *sums;
} sequences;

static float random_number(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (float)(*state >> 8) * 0x1p-24f;
}

/* One mark is in the first half and one in the second half. */
static void draw_sequence(int times, uint32_t *state, float *inputs, float *sum)
{
    const int half = times / 2;
    const int first = (int)(random_number(state) * (float)half);
    const int second = half + (int)(random_number(state) * (float)(times - half));
    for (int t = 0; t < times; ++t) {
        inputs[t] = random_number(state);
        inputs[times + t] = t == first || t == second ? 1 : 0;
    }
    *sum = inputs[first] + inputs[second];
}

static sequences draw_sequences(int count, int times, uint32_t seed)
{
    sequences of = {.count = count, .times = times};
    of.inputs = malloc((size_t)count * 2 * (size_t)times * sizeof *of.inputs);
    of.sums = malloc((size_t)count * sizeof *of.sums);
    REQUIRE((of.inputs && of.sums) || refuse("no memory for %d sequences", count));
    for (int i = 0; i < count; ++i)
        draw_sequence(times, &seed, of.inputs + (size_t)i * 2 * (size_t)times, &of.sums[i]);
    return of;
}

static void free_sequences(const sequences *of)
{
    free(of->inputs);
    free(of->sums);
}

static glnn_dataset *create_dataset(glnn_context *ctx, const sequences *of)
{
    const glnn_dataset_desc desc = {.samples = of->count,
                                    .features = 2 * of->times,
                                    .inputs = of->inputs,
                                    .targets = of->sums,
                                    .outputs = 1};
    glnn_dataset *data;
    CHECK(glnn_dataset_create(ctx, &desc, &data));
    return data;
}

/* The gates read two channels at each time. The sum is a linear map of their last state. */
static glnn_learner *create_network(glnn_context *ctx, int times)
{
    const glnn_network_desc desc = {
        .shape = {.channels = 2, .height = 1, .width = times},
        .layers = {{.kind = GLNN_LAYER_GRU, .units = UNITS}, {.units = 1}},
        .loss = GLNN_LOSS_SQUARED,
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM, .clip_norm = 1},
        .seed = 1};
    glnn_learner *network;
    CHECK(glnn_network_create(ctx, &desc, &network));
    return network;
}

static bool report(void *user, const glnn_report *now)
{
    (void)user;
    if (now->event == GLNN_EVENT_EPOCH) {
        printf("epoch %2d of %d   R^2 of the sums %.4f in training, %.4f in the test\n", now->epoch,
               now->epochs, now->training.r_squared, now->validation.r_squared);
        fflush(stdout);
    }
    return true;
}

/* The share of sums that come out within 0.1. */
static void test_network(glnn_learner *network, const sequences *test)
{
    static float outputs[TESTED];
    int right = 0;
    CHECK(glnn_learner_predict(network, test->count, test->inputs, outputs, NULL));
    for (int i = 0; i < test->count; ++i)
        right += fabsf(outputs[i] - test->sums[i]) < 0.1f;
    printf("%.1f %% of the sums of %d new sequences are right within 0.1\n",
           100.0 * right / test->count, test->count);
}

int main(int argc, char **argv)
{
    const int times = argc > 1 ? atoi(argv[1]) : 20, epochs = argc > 2 ? atoi(argv[2]) : 6;
    REQUIRE((times >= 2 && times <= MOST_TIMES) ||
            refuse("%s times; choose 2 to %d", argv[1], MOST_TIMES));
    REQUIRE(epochs >= 1 || refuse("%s epochs; choose 1 or more", argv[2]));
    glnn_context *ctx;
    glnn_log_set(device_print_message, NULL);
    CHECK(glnn_context_create(NULL, &ctx));
    const sequences drawn = draw_sequences(TRAINED, times, 1);
    const sequences test = draw_sequences(TESTED, times, 2);
    glnn_dataset *data = create_dataset(ctx, &drawn), *test_data = create_dataset(ctx, &test);
    glnn_learner *network = create_network(ctx, times);
    CHECK(glnn_learner_train(network, data,
                             &(glnn_train_desc){.epochs = epochs,
                                                .batch = BATCH,
                                                .schedule = {GLNN_SCHEDULE_COSINE, .rate = 0.01f},
                                                .seed = 1,
                                                .validation = test_data,
                                                .report = report},
                             NULL));
    test_network(network, &test);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(test_data);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    free_sequences(&test);
    free_sequences(&drawn);
    return EXIT_SUCCESS;
}
