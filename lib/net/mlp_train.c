/* Training, measuring and using a network. */
#include "net/mlp.h"

#include "base/status.h"
#include "data/check.h"
#include "train/evaluate.h"
#include "train/predict.h"
#include "train/snapshot.h"
#include "train/trainer.h"

#include <glnn/map.h>
#include <glnn/reduce.h>
#include <glnn/safetensors.h>

#include <stdlib.h>

glnn_status glnn__mlp_check_data(const glnn_mlp *mlp, const glnn_dataset *data)
{
    const int outputs = mlp->desc.units[mlp->desc.layers - 1];
    if (data->ctx != mlp->ctx)
        return glnn__fail(GLNN_E_ARG, "%s: belongs to another context than the network",
                          data->name);
    if (data->features != mlp->desc.inputs || data->outputs != outputs)
        return glnn__fail(
            GLNN_E_SHAPE,
            "%s: %d features and %d outputs; the network has %d inputs and %d outputs", data->name,
            data->features, data->outputs, mlp->desc.inputs, outputs);
    if (mlp->desc.loss == GLNN_LOSS_CROSS_ENTROPY && !data->labels)
        return glnn__fail(GLNN_E_STATE, "%s: cross-entropy needs labels", data->name);
    return mlp->desc.precision == GLNN_PRECISION_MIXED ? glnn__dataset_check_half(data) : GLNN_OK;
}

static glnn_status prepare(void *self, int rows, int group)
{
    (void)group;
    return glnn__mlp_prepare(self, rows);
}

static glnn_status gradient(void *self, const glnn__batch *part, const glnn__step *step)
{
    glnn_mlp *mlp = self;
    mlp->steps += step->is_first;
    const glnn__part of_update = {
        .is_first = step->is_first,
        .is_last = step->is_last,
        .weight = 1 / (float)step->samples,
        .rate = step->rate,
        .step = mlp->steps,
    };
    GLNN__TRY(glnn__mlp_forward(mlp, part));
    GLNN__TRY(glnn__mlp_backward(mlp, part, &mlp->trained.metrics));
    for (int i = 0; i < mlp->desc.layers; ++i)
        GLNN__TRY(glnn__optimizer_update(mlp->ctx, &mlp->desc.optimizer, &of_update,
                                         i > 0 ? mlp->layers[i - 1].output : mlp->input,
                                         mlp->layers[i].delta, &mlp->layers[i].parameters));
    return GLNN_OK;
}

static glnn_status measure(void *self, const glnn__batch *part)
{
    glnn_mlp *mlp = self;
    GLNN__TRY(glnn__mlp_forward(mlp, part));
    return glnn__mlp_score(mlp, part, &mlp->trained.measured);
}

/* The class is the argmax of the last layer's outputs. */
static glnn_status classify(void *self, const glnn__batch *part, int *classes)
{
    glnn_mlp *mlp = self;
    const glnn_matrix *output = mlp->layers[mlp->desc.layers - 1].output;
    const glnn_rect rect = {0, 0, part->count, 1};
    glnn_matrix *argmax = NULL;
    GLNN__TRY(glnn__mlp_forward(mlp, part));
    float *found = malloc((size_t)part->count * sizeof *found);
    glnn_status status =
        found ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", part->count);
    if (!status)
        status = glnn__matrix_create_scratch(mlp->ctx, GLNN_LAYOUT_PACKED, output->rows, 1,
                                             "predicted classes", &argmax);
    if (!status)
        status = glnn_reduce(mlp->ctx, GLNN_REDUCTION_ARGMAX, GLNN_AXIS_ROWS, output, argmax);
    if (!status)
        status = glnn_matrix_download(mlp->ctx, argmax, &rect, found, 0);
    for (int i = 0; i < part->count && !status; ++i)
        classes[i] = (int)found[i];
    glnn_matrix_destroy(argmax);
    free(found);
    return status;
}

static glnn_status place(void *self, const float *inputs)
{
    glnn_mlp *mlp = self;
    return glnn_matrix_upload(mlp->ctx, mlp->input, NULL, inputs, 0);
}

static glnn_status snapshot(void *self)
{
    glnn_mlp *mlp = self;
    for (int i = 0; i < mlp->desc.layers; ++i)
        GLNN__TRY(glnn__snapshot_take(mlp->layers[i].parameters.values, &mlp->layers[i].snapshot));
    return GLNN_OK;
}

static glnn_status restore(void *self)
{
    glnn_mlp *mlp = self;
    for (int i = 0; i < mlp->desc.layers; ++i) {
        GLNN__TRY(
            glnn__snapshot_restore(mlp->layers[i].snapshot, mlp->layers[i].parameters.values));
        mlp->layers[i].is_stale = true;
    }
    return GLNN_OK;
}

static glnn_status save(const void *self, const char *path)
{
    return glnn_mlp_save(self, path);
}

static glnn_status check_evaluation(const glnn_mlp *mlp, const glnn_dataset *data,
                                    const int *confusion)
{
    GLNN__TRY(glnn__mlp_check_data(mlp, data));
    if (confusion && !data->labels)
        return glnn__fail(GLNN_E_ARG, "%s: a confusion matrix needs labels", data->name);
    return GLNN_OK;
}

static glnn_status evaluate(void *self, const glnn_dataset *data, glnn_metrics *metrics,
                            int *confusion);

static const glnn__learner_type type = {
    .name = "network",
    .prepare = prepare,
    .gradient = gradient,
    .measure = measure,
    .classify = classify,
    .place = place,
    .snapshot = snapshot,
    .restore = restore,
    .evaluate = evaluate,
    .save = save,
};

static glnn__learner learner_of(glnn_mlp *mlp)
{
    return (glnn__learner){
        .type = &type,
        .ctx = mlp->ctx,
        .self = mlp,
        .trained = &mlp->trained,
        .features = mlp->desc.inputs,
        .capacity = mlp->desc.capacity,
        .default_rate = mlp->desc.optimizer.kind == GLNN_OPTIMIZER_ADAM ? 0.001f : 0.05f,
        .learns_targets = true,
        .reads_half = mlp->desc.precision == GLNN_PRECISION_MIXED,
    };
}

static glnn_status evaluate(void *self, const glnn_dataset *data, glnn_metrics *metrics,
                            int *confusion)
{
    const glnn__learner learner = learner_of(self);
    GLNN__TRY(check_evaluation(self, data, confusion));
    return glnn__evaluate(&learner, data, metrics, confusion);
}

static glnn_status create_trainer(glnn_mlp *mlp, const char *function, const glnn_dataset *data,
                                  const glnn_train_desc *desc, glnn_trainer **out)
{
    static const glnn_train_desc defaults;
    if (!mlp || !data)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", function);
    desc = desc ? desc : &defaults;
    GLNN__TRY(glnn__mlp_check_data(mlp, data));
    if (desc->validation)
        GLNN__TRY(glnn__mlp_check_data(mlp, desc->validation));
    const glnn__learner learner = learner_of(mlp);
    return glnn__trainer_create(&learner, data, desc, out);
}

glnn_status glnn_mlp_trainer_create(glnn_mlp *mlp, const glnn_dataset *data,
                                    const glnn_train_desc *desc, glnn_trainer **out)
{
    if (!out)
        return glnn__fail(GLNN_E_ARG, "%s: out is null", __func__);
    *out = NULL;
    return create_trainer(mlp, __func__, data, desc, out);
}

glnn_status glnn_mlp_train(glnn_mlp *mlp, const glnn_dataset *data, const glnn_train_desc *desc,
                           glnn_train_result *result)
{
    glnn_trainer *trainer = NULL;
    const glnn_status created = create_trainer(mlp, __func__, data, desc, &trainer);
    return glnn__train(created, trainer, result);
}

glnn_status glnn_mlp_evaluate(glnn_mlp *mlp, const glnn_dataset *data, double *loss,
                              double *accuracy, int *confusion)
{
    glnn_metrics metrics;
    if (!mlp || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_mlp_evaluate: an argument is null");
    GLNN__TRY(evaluate(mlp, data, &metrics, confusion));
    if (loss)
        *loss = metrics.loss;
    if (accuracy)
        *accuracy = metrics.accuracy;
    return GLNN_OK;
}

static glnn_status predict_piece(void *self, const glnn__piece *piece)
{
    glnn_mlp *mlp = self;
    glnn_matrix *output = mlp->layers[mlp->desc.layers - 1].output;
    float *outputs = piece->user;
    GLNN__TRY(glnn__mlp_forward_input(mlp));
    if (mlp->desc.loss == GLNN_LOSS_CROSS_ENTROPY)
        GLNN__TRY(glnn_softmax(mlp->ctx, output, output));
    return glnn_matrix_download(mlp->ctx, output, NULL,
                                outputs + (size_t)piece->first * (size_t)output->columns, 0);
}

glnn_status glnn_mlp_predict(glnn_mlp *mlp, int samples, const float *inputs, float *outputs)
{
    GLNN__TRY(glnn__check_use(__func__, "mlp", mlp, samples, inputs));
    if (!outputs)
        return glnn__fail(GLNN_E_ARG, "%s: outputs is null", __func__);
    const glnn__learner learner = learner_of(mlp);
    GLNN__TRY(glnn__predict(&learner, __func__, samples, inputs, predict_piece, outputs));
    return glnn__check_outputs(__func__, samples, mlp->desc.units[mlp->desc.layers - 1], outputs);
}
