/* learner train FILE - trains a network as web/test/package.test.mjs does, and saves it.
 * learner predict FILE - prints the outputs of a network of FILE for the same samples. */
#include <glnn/glnn.h>

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 256, FEATURES = 20, CLASSES = 3, STEPS = 100, BATCH = 32 };

static float inputs[SAMPLES * FEATURES];
static int labels[SAMPLES];

/* Three classes that overlap, of numbers that every language computes alike. */
static void make_samples(void)
{
    for (int i = 0; i < SAMPLES; ++i) {
        labels[i] = i % CLASSES;
        for (int j = 0; j < FEATURES; ++j) {
            const int hash = (i * 7919 + j * 10473 + i * j * 31) % 1000;
            inputs[i * FEATURES + j] = (float)(hash + (j % CLASSES == labels[i] ? 500 : 0)) / 1000;
        }
    }
}

static glnn_status make_steps(glnn_trainer *trainer)
{
    int done = 0;
    glnn_status status = GLNN_OK;
    for (int steps = 0; !status && steps < STEPS; steps += done) {
        bool ended;
        status = glnn_trainer_step(trainer, STEPS - steps, 0, &done, &ended);
        if (!status && ended)
            status = glnn_trainer_end_epoch(trainer);
    }
    return status;
}

static glnn_status train(glnn_context *ctx, const char *path)
{
    glnn_dataset *data = NULL;
    glnn_learner *network = NULL;
    glnn_trainer *trainer = NULL;
    glnn_status status = glnn_dataset_create(ctx,
                                             &(glnn_dataset_desc){.samples = SAMPLES,
                                                                  .features = FEATURES,
                                                                  .inputs = inputs,
                                                                  .labels = labels,
                                                                  .classes = CLASSES},
                                             &data);
    if (!status)
        status = glnn_network_create(
            ctx,
            &(glnn_network_desc){
                .features = FEATURES,
                .layers = {{.units = 16, .activation = GLNN_ACTIVATION_TANH}, {.units = CLASSES}},
                .optimizer.kind = GLNN_OPTIMIZER_ADAM,
                .seed = 7},
            &network);
    if (!status)
        status = glnn_trainer_create(
            network, data,
            &(glnn_train_desc){.epochs = 20, .batch = BATCH, .schedule.rate = 0.01f, .seed = 7},
            &trainer);
    if (!status)
        status = make_steps(trainer);
    if (!status)
        status = glnn_trainer_save(trainer, path);
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    return status;
}

static glnn_status predict(glnn_context *ctx, const char *path)
{
    static float outputs[SAMPLES * CLASSES];
    glnn_learner *network;
    glnn_status status = glnn_learner_load(ctx, path, NULL, &network);
    if (!status)
        status = glnn_learner_predict(network, SAMPLES, inputs, outputs, NULL);
    for (int i = 0; !status && i < SAMPLES * CLASSES; ++i)
        printf("%.9g\n", (double)outputs[i]);
    glnn_learner_destroy(network);
    return status;
}

int main(int argc, char **argv)
{
    glnn_context *ctx;
    if (argc != 3)
        return 2;
    make_samples();
    glnn_status status =
        glnn_context_create(&(glnn_context_desc){.tuning = GLNN_TUNING_OFF, .cache_dir = ""}, &ctx);
    if (!status)
        status = strcmp(argv[1], "train") == 0 ? train(ctx, argv[2]) : predict(ctx, argv[2]);
    if (status)
        fprintf(stderr, "%s\n", glnn_last_error());
    glnn_context_destroy(ctx);
    return status ? 1 : 0;
}
