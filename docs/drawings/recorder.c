#include "recorder.h"

#include "learn/passes.h"
#include "net/network.h"

#include <glnn/trainer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static used_matrix describe(const glnn_matrix *m)
{
    used_matrix used = {.matrix = m, .rows = m->rows, .columns = m->columns, .layout = m->layout};
    snprintf(used.name, sizeof used.name, "%s", m->name);
    return used;
}

static void record(const glnn__pass *pass, const glnn__label *label, recorded_pass *r)
{
    const char *folder_end = strrchr(pass->kernel->name, '/');
    *r = (recorded_pass){.blends = pass->blend, .layer = label->layer - 1};
    snprintf(r->part, sizeof r->part, "%s", label->part ? label->part : "");
    snprintf(r->kernel, sizeof r->kernel, "%s", folder_end ? folder_end + 1 : pass->kernel->name);
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (pass->operands[i].matrix)
            r->read[r->read_count++] = describe(pass->operands[i].matrix);
    r->written[r->written_count++] = describe(pass->output);
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i)
        if (glnn__pass_side_output(pass, i))
            r->written[r->written_count++] = describe(glnn__pass_side_output(pass, i));
}

void recorder_add(const glnn__list *list, passes *to)
{
    for (int i = 0; i < glnn__list_count(list) && to->count < MAX_PASSES; ++i) {
        const glnn__label *label;
        const glnn__pass *pass = glnn__list_get(list, i, &label);
        record(pass, label, &to->passes[to->count++]);
    }
}

void require(glnn_status status)
{
    if (!status)
        return;
    fprintf(stderr, "drawings: %s\n", glnn_last_error());
    exit(EXIT_FAILURE);
}

glnn_context *recorder_context(void)
{
    return recorder_context_of(GLNN_STAGE_FRAGMENT);
}

glnn_context *recorder_context_of(glnn_stage stage)
{
    const glnn_context_desc desc = {
        .stage = stage, .writes = GLNN_WRITES_TARGETS, .tuning = GLNN_TUNING_OFF};
    glnn_context *ctx;
    require(glnn_context_create(&desc, &ctx));
    ctx->info.software = false; /* which chooses between the built-in profiles */
    return ctx;
}

glnn_dataset *recorder_data(glnn_context *ctx, int samples, int features, int classes)
{
    float *inputs = calloc((size_t)samples * (size_t)features, sizeof *inputs);
    int *labels = calloc((size_t)samples, sizeof *labels);
    glnn_dataset *data;
    if (!inputs || !labels)
        exit(EXIT_FAILURE);
    require(glnn_dataset_create(ctx,
                                &(glnn_dataset_desc){.samples = samples,
                                                     .features = features,
                                                     .inputs = inputs,
                                                     .labels = labels,
                                                     .classes = classes},
                                &data));
    free(inputs);
    free(labels);
    return data;
}

void record_step(glnn_learner *network, const glnn_dataset *data, int batch, passes *out)
{
    const glnn_train_desc how = {.batch = batch};
    glnn_trainer *trainer;
    require(glnn_trainer_create(network, data, &how, &trainer));
    require(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    *out = (passes){0};
    recorder_add(network->lists.latest[GLNN__LIST_GRADIENT], out);
    recorder_add(network->lists.latest[GLNN__LIST_APPLY], out);
    glnn_trainer_destroy(trainer);
}
