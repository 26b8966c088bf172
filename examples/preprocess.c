/* preprocess - a network learns what has to be done to samples before another network, which stays
 * as it is, can classify them.
 *
 * A first network has learnt to tell four classes apart. Then the sensors change: each number of a
 * sample is mixed with others and shifted, and the network is lost. A second network of one layer
 * is put in front of it and learns to undo the change. It has no targets: it learns from the
 * gradient that comes back through the inputs of the first network, which is never updated again.
 *
 *     build/examples/preprocess [STEPS] */
#include <glnn/glnn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/matrix.h"
#include "common/random.h"

enum { SAMPLES = 512, NUMBERS = 8, CLASSES = 4, STEPS = 400 };

/* Sums of twelve random numbers are nearly normal. */
static float normal(uint64_t *random)
{
    float sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += random_fraction(random);
    return sum;
}

/* Samples around the centres of their classes. */
static void draw_samples(uint64_t *random, float inputs[SAMPLES][NUMBERS], int labels[SAMPLES])
{
    float centres[CLASSES][NUMBERS];
    for (int c = 0; c < CLASSES; ++c)
        for (int k = 0; k < NUMBERS; ++k)
            centres[c][k] = 2 * normal(random);
    for (int n = 0; n < SAMPLES; ++n) {
        labels[n] = n % CLASSES;
        for (int k = 0; k < NUMBERS; ++k)
            inputs[n][k] = centres[labels[n]][k] + normal(random);
    }
}

/* The change of the sensors: out = in M + s. */
static void change(uint64_t *random, float inputs[SAMPLES][NUMBERS])
{
    float mix[NUMBERS][NUMBERS], shift[NUMBERS];
    for (int k = 0; k < NUMBERS; ++k) {
        shift[k] = 2 * normal(random);
        for (int j = 0; j < NUMBERS; ++j)
            mix[j][k] = normal(random) / sqrtf(NUMBERS);
    }
    for (int n = 0; n < SAMPLES; ++n) {
        float mixed[NUMBERS];
        memcpy(mixed, shift, sizeof mixed);
        for (int j = 0; j < NUMBERS; ++j)
            for (int k = 0; k < NUMBERS; ++k)
                mixed[k] += inputs[n][j] * mix[j][k];
        memcpy(inputs[n], mixed, sizeof mixed);
    }
}

static glnn_learner *create_network(glnn_context *ctx, const glnn_network_desc *of)
{
    glnn_network_desc desc = *of;
    glnn_learner *network;
    desc.features = NUMBERS;
    desc.optimizer.kind = GLNN_OPTIMIZER_ADAM;
    desc.capacity = SAMPLES;
    desc.seed = 1;
    CHECK(glnn_network_create(ctx, &desc, &network));
    return network;
}

static void train_classifier(glnn_context *ctx, glnn_learner *network, const float *inputs,
                             const int *labels)
{
    glnn_dataset *data;
    CHECK(glnn_dataset_create(ctx,
                              &(glnn_dataset_desc){.samples = SAMPLES,
                                                   .features = NUMBERS,
                                                   .inputs = inputs,
                                                   .labels = labels,
                                                   .classes = CLASSES},
                              &data));
    CHECK(glnn_learner_train(network, data, &(glnn_train_desc){.epochs = 20, .batch = 32}, NULL));
    glnn_dataset_destroy(data);
}

/* The share of the samples whose greatest score is that of their class. */
static double accuracy(glnn_context *ctx, const glnn_matrix *scores, const int *labels)
{
    float values[SAMPLES][CLASSES];
    int correct = 0;
    CHECK(glnn_matrix_download(ctx, scores, NULL, &values[0][0], 0));
    for (int n = 0; n < SAMPLES; ++n) {
        int best = 0;
        for (int c = 1; c < CLASSES; ++c)
            best = values[n][c] > values[n][best] ? c : best;
        correct += best == labels[n];
    }
    return (double)correct / SAMPLES;
}

/* Both networks, and the matrices between them. */
typedef struct chain {
    glnn_learner *front, *fixed;
    glnn_matrix *samples, *targets;
    glnn_matrix *repaired, *by_repaired; /* outputs of `front`, and the derivative by them */
    glnn_matrix *scores, *by_scores;
} chain;

static chain create_chain(glnn_context *ctx)
{
    static const glnn_network_desc front = {.layers = {{.units = NUMBERS}},
                                            .loss = GLNN_LOSS_SQUARED},
                                   fixed = {.layers = {{.units = 16}, {.units = CLASSES}}};
    return (chain){.front = create_network(ctx, &front),
                   .fixed = create_network(ctx, &fixed),
                   .samples = create_matrix(ctx, SAMPLES, NUMBERS),
                   .targets = create_matrix(ctx, SAMPLES, CLASSES),
                   .repaired = create_matrix(ctx, SAMPLES, NUMBERS),
                   .by_repaired = create_matrix(ctx, SAMPLES, NUMBERS),
                   .scores = create_matrix(ctx, SAMPLES, CLASSES),
                   .by_scores = create_matrix(ctx, SAMPLES, CLASSES)};
}

static void destroy_chain(chain *c)
{
    glnn_matrix *const matrices[] = {c->samples,     c->targets, c->repaired,
                                     c->by_repaired, c->scores,  c->by_scores};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; ++i)
        glnn_matrix_destroy(matrices[i]);
    glnn_learner_destroy(c->front);
    glnn_learner_destroy(c->fixed);
}

/* Both networks one after the other, and back. The derivative of cross-entropy by the scores is
 * their softmax minus 1 for the right class. All stays in textures. */
static void step(glnn_context *ctx, const chain *c)
{
    CHECK(glnn_network_forward(c->front, c->samples, true, c->repaired));
    CHECK(glnn_network_forward(c->fixed, c->repaired, true, c->scores));
    CHECK(glnn_softmax(ctx, c->scores, c->by_scores));
    CHECK(glnn_axpby(ctx, -1.0f / SAMPLES, c->targets, 1.0f / SAMPLES, c->by_scores));
    CHECK(glnn_network_backward_to_inputs(c->fixed, c->by_scores, c->by_repaired));
    CHECK(glnn_network_backward(c->front, c->by_repaired, NULL));
    CHECK(glnn_network_update(c->front, 0.02f));
}

/* Classifies the samples by the fixed network alone. */
static double accuracy_of(glnn_context *ctx, const chain *c, const float *inputs, const int *labels)
{
    CHECK(glnn_matrix_upload(ctx, c->samples, NULL, inputs, 0));
    CHECK(glnn_network_forward(c->fixed, c->samples, false, c->scores));
    return accuracy(ctx, c->scores, labels);
}

int main(int argc, char **argv)
{
    static float inputs[SAMPLES][NUMBERS], one_hot[SAMPLES][CLASSES];
    static int labels[SAMPLES];
    const int steps = argc > 1 ? atoi(argv[1]) : STEPS;
    uint64_t random = 3;
    glnn_context *ctx;
    REQUIRE(steps > 0 || refuse("%s: the steps have to be a number above 0", argv[1]));
    CHECK(glnn_context_create(NULL, &ctx));
    chain c = create_chain(ctx);
    draw_samples(&random, inputs, labels);
    for (int n = 0; n < SAMPLES; ++n)
        one_hot[n][labels[n]] = 1;
    CHECK(glnn_matrix_upload(ctx, c.targets, NULL, &one_hot[0][0], 0));

    train_classifier(ctx, c.fixed, &inputs[0][0], labels);
    printf("before the change          accuracy %.3f\n",
           accuracy_of(ctx, &c, &inputs[0][0], labels));
    change(&random, inputs);
    printf("after it                   accuracy %.3f\n",
           accuracy_of(ctx, &c, &inputs[0][0], labels));
    for (int i = 1; i <= steps; ++i) {
        step(ctx, &c);
        if (i % 100 == 0)
            printf("%4d steps of the repair   accuracy %.3f\n", i, accuracy(ctx, c.scores, labels));
    }
    destroy_chain(&c);
    glnn_context_destroy(ctx);
    return output_status();
}
