/* Training, measuring and using a network. */
#include "net/network.h"

#include "base/status.h"
#include "data/check.h"
#include "net/loss.h"
#include "net/network_data.h"
#include "net/network_passes.h"
#include "train/confusion.h"

#include <stdlib.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The gradient of one part of a batch. */
static glnn_status step_part(glnn_network *network, const glnn__flow *flow,
                             const glnn__batch *samples, const glnn__sink *sink)
{
    GLNN__TRY(glnn__network_forward(network, flow, samples));
    GLNN__TRY(glnn__network_backward(network, flow, samples, &network->scores));
    for (int i = 0; i < network->desc.layer_count; ++i)
        GLNN__TRY(glnn__network_layer_gradient(network, flow, i, sink));
    return GLNN_OK;
}

static glnn_status step(void *self, const glnn__batch *batch, float rate)
{
    glnn_network *network = self;
    network->steps++;
    /* All steps use matrices of one size, whatever a callback did between two of them. */
    GLNN__TRY(glnn__network_prepare(network, least(batch->full, network->desc.capacity)));
    for (int offset = 0; offset < batch->count; offset += network->rows) {
        const glnn__batch samples = glnn__batch_part(batch, offset, network->rows);
        const glnn__flow flow = {network->ctx, true, network->desc.seed, network->steps, offset};
        const glnn__sink sink = {
            .optimizer = &network->desc.optimizer,
            .is_first = offset == 0,
            .is_last = offset + samples.count == batch->count,
            .weight = 1 / (float)batch->count,
            .rate = rate,
            .step = network->steps,
        };
        GLNN__TRY(step_part(network, &flow, &samples, &sink));
    }
    return GLNN_OK;
}

static glnn_status measure(void *self, const glnn__batch *batch)
{
    glnn_network *network = self;
    const glnn__flow flow = {.ctx = network->ctx};
    GLNN__TRY(glnn__network_prepare(network, least(batch->full, network->desc.capacity)));
    for (int offset = 0; offset < batch->count; offset += network->rows) {
        const glnn__batch samples = glnn__batch_part(batch, offset, network->rows);
        GLNN__TRY(glnn__network_forward(network, &flow, &samples));
        GLNN__TRY(glnn__loss_score(network, &samples, &network->measured));
    }
    return GLNN_OK;
}

static glnn_status keep(void *self)
{
    glnn_network *network = self;
    for (int i = 0; i < network->desc.layer_count; ++i)
        GLNN__TRY(glnn__layer_take_snapshot(network->ctx, &network->layers[i]));
    return GLNN_OK;
}

static glnn_status restore(void *self)
{
    glnn_network *network = self;
    for (int i = 0; i < network->desc.layer_count; ++i)
        GLNN__TRY(glnn__layer_restore_snapshot(network->ctx, &network->layers[i]));
    return GLNN_OK;
}

static glnn__learner learner_of(glnn_network *network)
{
    return (glnn__learner){
        .ctx = network->ctx,
        .self = network,
        .scores = &network->scores,
        .measured = &network->measured,
        .default_rate = network->desc.optimizer.kind == GLNN_OPTIMIZER_ADAM ? 0.001f : 0.05f,
        .piece = network->desc.capacity,
        .step = step,
        .measure = measure,
        .keep = keep,
        .restore = restore,
    };
}

glnn_status glnn_network_train(glnn_network *network, const glnn_dataset *data,
                               const glnn_train_desc *desc, glnn_train_result *result)
{
    static const glnn_train_desc defaults;
    if (!network || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_network_train: an argument is null");
    desc = desc ? desc : &defaults;
    GLNN__TRY(glnn__network_check_data(network, data));
    if (desc->validation)
        GLNN__TRY(glnn__network_check_data(network, desc->validation));
    const glnn__learner learner = learner_of(network);
    return glnn__train(&learner, data, desc, result);
}

/* Counts the classes found for a part. */
static glnn_status count_part(void *self, const glnn__batch *part, int *confusion)
{
    glnn_network *network = self;
    const int *labels = part->data->labels + part->first;
    const int classes = glnn__network_classes(network);
    const glnn__flow flow = {.ctx = network->ctx};
    const glnn_rect rect = {0, 0, part->count, 1};
    glnn_matrix *column = NULL;
    GLNN__TRY(glnn__network_forward(network, &flow, part));
    float *found = malloc((size_t)part->count * sizeof *found);
    glnn_status status =
        found ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", part->count);
    if (!status)
        status = glnn__matrix_create_scratch(network->ctx, GLNN_LAYOUT_PACKED, network->rows, 1,
                                             "predicted classes", &column);
    if (!status)
        status = glnn__loss_classify(network, column);
    if (!status)
        status = glnn_matrix_download(network->ctx, column, &rect, found, 0);
    for (int i = 0; i < part->count && !status; ++i)
        confusion[labels[i] * classes + (int)found[i]]++;
    glnn_matrix_destroy(column);
    free(found);
    return status;
}

static glnn_status evaluate(glnn_network *network, const glnn_dataset *data, double *loss,
                            double *accuracy, int *confusion)
{
    const glnn__learner learner = learner_of(network);
    GLNN__TRY(glnn__measure(&learner, data, loss, accuracy));
    if (!confusion)
        return GLNN_OK;
    GLNN__TRY(glnn__network_prepare(network, least(data->samples, network->desc.capacity)));
    return glnn__confusion_fill(data, network->rows, glnn__network_classes(network), network,
                                count_part, confusion);
}

glnn_status glnn_network_evaluate(glnn_network *network, const glnn_dataset *data, double *loss,
                                  double *accuracy, int *confusion)
{
    if (!network || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_network_evaluate: an argument is null");
    GLNN__TRY(glnn__network_check_data(network, data));
    if (confusion && !data->labels)
        return glnn__fail(GLNN_E_ARG, "%s: a confusion matrix needs labels", data->name);
    GLNN__TRY(glnn__gl_enter(network->ctx));
    return glnn__gl_leave(network->ctx, evaluate(network, data, loss, accuracy, confusion));
}

static glnn_status predict_part(glnn_network *network, int samples, const float *inputs,
                                float *outputs)
{
    const glnn__flow flow = {.ctx = network->ctx};
    GLNN__TRY(glnn__network_prepare(network, samples));
    GLNN__TRY(glnn_matrix_upload(network->ctx, network->input.values, NULL, inputs, 0));
    GLNN__TRY(glnn__network_forward_input(network, &flow));
    GLNN__TRY(glnn__loss_predict(network));
    return glnn_matrix_download(network->ctx, glnn__network_last(network)->out.values, NULL,
                                outputs, 0);
}

static glnn_status predict(glnn_network *network, int samples, const float *inputs, float *outputs)
{
    const size_t features = (size_t)network->desc.features;
    const size_t units = (size_t)glnn__network_outputs(network);
    for (int first = 0; first < samples; first += network->rows)
        GLNN__TRY(predict_part(network, least(samples - first, network->desc.capacity),
                               inputs + (size_t)first * features, outputs + (size_t)first * units));
    return GLNN_OK;
}

/* Activations that saturate would hide what has become infinite in 16 bits. */
static glnn_status check_inputs(const glnn_network *network, int samples, const float *inputs)
{
    GLNN__TRY(glnn__check_finite("glnn_network_predict", "sample", samples, network->desc.features,
                                 inputs));
    if (network->desc.precision != GLNN_PRECISION_MIXED)
        return GLNN_OK;
    return glnn__check_half("glnn_network_predict", "sample", samples, network->desc.features,
                            inputs);
}

glnn_status glnn_network_predict(glnn_network *network, int samples, const float *inputs,
                                 float *outputs)
{
    GLNN__TRY(glnn__check_use(__func__, "network", network, samples, inputs));
    if (!outputs)
        return glnn__fail(GLNN_E_ARG, "%s: outputs is null", __func__);
    GLNN__TRY(check_inputs(network, samples, inputs));
    GLNN__TRY(glnn__gl_enter(network->ctx));
    GLNN__TRY(glnn__gl_leave(network->ctx, predict(network, samples, inputs, outputs)));
    return glnn__check_outputs("glnn_network_predict", samples, glnn__network_outputs(network),
                               outputs);
}
