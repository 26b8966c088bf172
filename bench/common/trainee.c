#include "common/trainee.h"

#include <stdlib.h>

glnn_dataset *trainee_data(bench *b, int samples)
{
    float *images = random_floats((size_t)samples * TRAINEE_PIXELS, 0, 1);
    int *labels = allocate((size_t)samples, sizeof *labels);
    glnn_dataset *data;
    for (int i = 0; i < samples; ++i)
        labels[i] = i % TRAINEE_CLASSES;
    CHECK(glnn_dataset_create(b->ctx,
                              &(glnn_dataset_desc){.samples = samples,
                                                   .features = TRAINEE_PIXELS,
                                                   .inputs = images,
                                                   .labels = labels,
                                                   .classes = TRAINEE_CLASSES},
                              &data));
    free(images);
    free(labels);
    return data;
}

trainee trainee_new(bench *b, const glnn_dataset *data, const glnn_optimizer *optimizer,
                    const glnn_train_desc *how)
{
    trainee t;
    glnn_train_desc desc = *how;
    desc.epochs = INT32_MAX;
    CHECK(glnn_network_create(b->ctx,
                              &(glnn_network_desc){
                                  .features = TRAINEE_PIXELS,
                                  .layers = {{.units = TRAINEE_HIDDEN}, {.units = TRAINEE_CLASSES}},
                                  .optimizer = *optimizer,
                                  .layout = (glnn_layout)b->layout,
                                  .seed = 1,
                              },
                              &t.network));
    CHECK(glnn_trainer_create(t.network, data, &desc, &t.trainer));
    return t;
}

void trainee_free(const trainee *t)
{
    glnn_trainer_destroy(t->trainer);
    glnn_learner_destroy(t->network);
}

void trainee_epoch(void *state, int turn)
{
    const trainee *t = state;
    (void)turn;
    CHECK(glnn_trainer_step(t->trainer, 0, 0, NULL, NULL));
    CHECK(glnn_trainer_end_epoch(t->trainer));
}

static double passes_of(const bench *b)
{
    glnn_counters counters = {.size = sizeof counters};
    CHECK(glnn_context_get_counters(b->ctx, &counters));
    return (double)counters.passes;
}

double trainee_epoch_passes(const bench *b, trainee *t)
{
    const double former = passes_of(b);
    trainee_epoch(t, 0);
    return passes_of(b) - former;
}

static double count_step(const bench *b, const trainee *t)
{
    bool ended;
    const double former = passes_of(b);
    CHECK(glnn_trainer_step(t->trainer, 1, 0, NULL, &ended));
    const double passes = passes_of(b) - former;
    if (ended)
        CHECK(glnn_trainer_end_epoch(t->trainer));
    return passes;
}

double trainee_step_passes(const bench *b, const trainee *t)
{
    count_step(b, t);
    return count_step(b, t);
}
