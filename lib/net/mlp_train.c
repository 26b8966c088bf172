/* Training, measuring and using a network. */
#include "net/mlp.h"

#include "base/status.h"
#include "data/check.h"
#include "train/confusion.h"

#include <glnn/copy.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

#include <stdlib.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

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

static glnn_status step(void *self, const glnn__batch *batch, float rate)
{
    glnn_mlp *mlp = self;
    mlp->steps++;
    /* All steps use matrices of one size, whatever a callback did between two of them. */
    GLNN__TRY(glnn__mlp_prepare(mlp, least(batch->full, mlp->desc.capacity)));
    for (int offset = 0; offset < batch->count; offset += mlp->rows) {
        const glnn__batch samples = glnn__batch_part(batch, offset, mlp->rows);
        const glnn__part part = {
            .is_first = offset == 0,
            .is_last = offset + samples.count == batch->count,
            .weight = 1 / (float)batch->count,
            .rate = rate,
            .step = mlp->steps,
        };
        GLNN__TRY(glnn__mlp_forward(mlp, &samples));
        GLNN__TRY(glnn__mlp_backward(mlp, &samples, &mlp->scores));
        for (int i = 0; i < mlp->desc.layers; ++i)
            GLNN__TRY(glnn__optimizer_update(mlp->ctx, &mlp->desc.optimizer, &part,
                                             i > 0 ? mlp->layers[i - 1].output : mlp->input,
                                             mlp->layers[i].delta, &mlp->layers[i].parameters));
    }
    return GLNN_OK;
}

static glnn_status measure(void *self, const glnn__batch *batch)
{
    glnn_mlp *mlp = self;
    GLNN__TRY(glnn__mlp_prepare(mlp, least(batch->full, mlp->desc.capacity)));
    for (int offset = 0; offset < batch->count; offset += mlp->rows) {
        const glnn__batch samples = glnn__batch_part(batch, offset, mlp->rows);
        GLNN__TRY(glnn__mlp_forward(mlp, &samples));
        GLNN__TRY(glnn__mlp_score(mlp, &samples, &mlp->measured));
    }
    return GLNN_OK;
}

static glnn_status keep(void *self)
{
    glnn_mlp *mlp = self;
    for (int i = 0; i < mlp->desc.layers; ++i) {
        glnn__layer *layer = &mlp->layers[i];
        const glnn_matrix *values = layer->parameters.values;
        if (!layer->kept)
            GLNN__TRY(glnn__matrix_create_scratch(mlp->ctx, values->layout, values->rows,
                                                  values->columns, "best weights", &layer->kept));
        GLNN__TRY(glnn_copy(mlp->ctx, values, layer->kept));
    }
    return GLNN_OK;
}

static glnn_status restore(void *self)
{
    glnn_mlp *mlp = self;
    for (int i = 0; i < mlp->desc.layers; ++i) {
        GLNN__TRY(glnn_copy(mlp->ctx, mlp->layers[i].kept, mlp->layers[i].parameters.values));
        mlp->layers[i].is_stale = true;
    }
    return GLNN_OK;
}

static glnn__learner learner_of(glnn_mlp *mlp)
{
    return (glnn__learner){
        .ctx = mlp->ctx,
        .self = mlp,
        .scores = &mlp->scores,
        .measured = &mlp->measured,
        .default_rate = mlp->desc.optimizer.kind == GLNN_OPTIMIZER_ADAM ? 0.001f : 0.05f,
        .piece = mlp->desc.capacity,
        .step = step,
        .measure = measure,
        .keep = keep,
        .restore = restore,
    };
}

glnn_status glnn_mlp_train(glnn_mlp *mlp, const glnn_dataset *data, const glnn_train_desc *desc,
                           glnn_train_result *result)
{
    static const glnn_train_desc defaults;
    if (!mlp || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_mlp_train: an argument is null");
    desc = desc ? desc : &defaults;
    GLNN__TRY(glnn__mlp_check_data(mlp, data));
    if (desc->validation)
        GLNN__TRY(glnn__mlp_check_data(mlp, desc->validation));
    const glnn__learner learner = learner_of(mlp);
    return glnn__train(&learner, data, desc, result);
}

/* Counts the classes found for a part, by argmax of the last layer's outputs. */
static glnn_status count_part(void *self, const glnn__batch *part, int *confusion)
{
    glnn_mlp *mlp = self;
    const int *labels = part->data->labels + part->first;
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
        confusion[labels[i] * output->columns + (int)found[i]]++;
    glnn_matrix_destroy(argmax);
    free(found);
    return status;
}

static glnn_status evaluate(glnn_mlp *mlp, const glnn_dataset *data, double *loss, double *accuracy,
                            int *confusion)
{
    const glnn__learner learner = learner_of(mlp);
    GLNN__TRY(glnn__measure(&learner, data, loss, accuracy));
    if (!confusion)
        return GLNN_OK;
    GLNN__TRY(glnn__mlp_prepare(mlp, least(data->samples, mlp->desc.capacity)));
    return glnn__confusion_fill(data, mlp->rows, data->outputs, mlp, count_part, confusion);
}

glnn_status glnn_mlp_evaluate(glnn_mlp *mlp, const glnn_dataset *data, double *loss,
                              double *accuracy, int *confusion)
{
    if (!mlp || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_mlp_evaluate: an argument is null");
    GLNN__TRY(glnn__mlp_check_data(mlp, data));
    if (confusion && !data->labels)
        return glnn__fail(GLNN_E_ARG, "%s: a confusion matrix needs labels", data->name);
    GLNN__TRY(glnn__gl_enter(mlp->ctx));
    return glnn__gl_leave(mlp->ctx, evaluate(mlp, data, loss, accuracy, confusion));
}

static glnn_status predict_part(glnn_mlp *mlp, int samples, const float *inputs, float *outputs)
{
    GLNN__TRY(glnn__mlp_prepare(mlp, samples));
    glnn_matrix *output = mlp->layers[mlp->desc.layers - 1].output;
    GLNN__TRY(glnn_matrix_upload(mlp->ctx, mlp->input, NULL, inputs, 0));
    GLNN__TRY(glnn__mlp_forward_input(mlp));
    if (mlp->desc.loss == GLNN_LOSS_CROSS_ENTROPY)
        GLNN__TRY(glnn_softmax(mlp->ctx, output, output));
    return glnn_matrix_download(mlp->ctx, output, NULL, outputs, 0);
}

static glnn_status predict(glnn_mlp *mlp, int samples, const float *inputs, float *outputs)
{
    const size_t features = (size_t)mlp->desc.inputs;
    const size_t units = (size_t)mlp->desc.units[mlp->desc.layers - 1];
    for (int first = 0; first < samples; first += mlp->rows)
        GLNN__TRY(predict_part(mlp, least(samples - first, mlp->desc.capacity),
                               inputs + (size_t)first * features, outputs + (size_t)first * units));
    return GLNN_OK;
}

/* Activations that saturate would hide what has become infinite in 16 bits. */
static glnn_status check_inputs(const glnn_mlp *mlp, int samples, const float *inputs)
{
    GLNN__TRY(glnn__check_finite("glnn_mlp_predict", "sample", samples, mlp->desc.inputs, inputs));
    if (mlp->desc.precision != GLNN_PRECISION_MIXED)
        return GLNN_OK;
    return glnn__check_half("glnn_mlp_predict", "sample", samples, mlp->desc.inputs, inputs);
}

glnn_status glnn_mlp_predict(glnn_mlp *mlp, int samples, const float *inputs, float *outputs)
{
    GLNN__TRY(glnn__check_use(__func__, "mlp", mlp, samples, inputs));
    if (!outputs)
        return glnn__fail(GLNN_E_ARG, "%s: outputs is null", __func__);
    GLNN__TRY(check_inputs(mlp, samples, inputs));
    GLNN__TRY(glnn__gl_enter(mlp->ctx));
    GLNN__TRY(glnn__gl_leave(mlp->ctx, predict(mlp, samples, inputs, outputs)));
    return glnn__check_outputs("glnn_mlp_predict", samples, mlp->desc.units[mlp->desc.layers - 1],
                               outputs);
}
