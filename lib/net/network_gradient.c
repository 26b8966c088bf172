/* Activations, the count of steps and a gradient of a network, for programs. */
#include "net/network.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "learn/evaluate.h"
#include "net/network_passes.h"

#include <stdlib.h>

static glnn_status check_number(const glnn__network *network, const char *what, int layer)
{
    if (layer < 0 || layer >= network->desc.layer_count)
        return glnn__fail(GLNN_E_ARG, "%s: layer %d of a network that has %d", what, layer,
                          network->desc.layer_count);
    return GLNN_OK;
}

static glnn_status check_layer(const glnn__network *network, const char *what, int layer)
{
    GLNN__TRY(check_number(network, what, layer));
    if (!network->layers[layer].parameters->values)
        return glnn__fail(GLNN_E_ARG, "%s: layer %d is %s and has no weights", what, layer,
                          glnn_layer_kind_name(network->layers[layer].desc.kind));
    return GLNN_OK;
}

glnn_status glnn_network_get_activation_matrix(const glnn_learner *learner, int layer,
                                               const glnn_matrix **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__OF_KIND(learner, GLNN_LEARNER_NETWORK);
    const glnn__network *network = glnn__network_of(learner);
    if (layer != -1)
        GLNN__TRY(check_number(network, __func__, layer));
    if (!network->is_computed)
        return glnn__fail(GLNN_E_STATE,
                          "%s: the network has computed no samples since it was created or its "
                          "precision was set",
                          __func__);
    glnn__flow flow = glnn__network_flow(network, network->rows);
    flow.trains = network->is_trained;
    *out = glnn__flow_output(&flow, layer)->values;
    return GLNN_OK;
}

uint64_t glnn_network_get_steps(const glnn_learner *learner)
{
    const glnn__network *network = glnn__network_of(learner);
    return network ? network->learner.steps : 0;
}

glnn_status glnn_network_set_steps(glnn_learner *learner, uint64_t steps)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_NETWORK);
    glnn__network *network = glnn__network_of(learner);
    network->learner.steps = steps;
    return GLNN_OK;
}

static glnn_status find_gradient(glnn__network *network, const glnn__batch *batch, int layer,
                                 double *loss)
{
    glnn__flow flow = glnn__network_flow(network, batch->count);
    flow.trains = true;
    flow.seed = network->desc.seed;
    flow.step.i = (int)(uint32_t)(network->learner.steps + 1);
    const glnn__optimizer_slots slots = {.weight.f = 1 / (float)batch->count};
    const glnn__sink sink = {
        .optimizer = &network->desc.optimizer, .slots = &slots, .is_first = true};
    glnn__totals totals;
    GLNN__TRY(glnn__network_prepare(network, batch->count));
    GLNN__TRY(glnn__metrics_clear(network->ctx, &network->learner.measured));
    GLNN__TRY(glnn__network_forward(network, &flow, batch));
    GLNN__TRY(glnn__network_backward(network, &flow, batch, &network->learner.measured));
    GLNN__TRY(glnn__metrics_take(network->ctx, &network->learner.measured, &totals));
    if (!glnn__totals_are_finite(&totals))
        return glnn__fail(GLNN_E_DIVERGED, "%s: the loss of %d samples is not finite",
                          batch->data->name, batch->count);
    *loss = (double)totals.loss / batch->count;
    for (int i = 0; i < network->desc.layer_count; ++i)
        if (network->layers[i].owner == network->layers[layer].owner)
            GLNN__TRY(glnn__network_layer_gradient(network, &flow, i, &sink));
    return GLNN_OK;
}

/* The gradient of the first samples of a data set, which are one batch. */
static glnn_status find_gradient_of(glnn__network *network, const glnn_dataset *data, int samples,
                                    int layer, double *loss)
{
    glnn__batch_iterator batches;
    glnn__batch batch;
    glnn_status status = glnn__batch_iterator_begin(data, NULL, 0, samples, samples, &batches);
    if (!status)
        status = glnn__batch_iterator_next(&batches, samples, &batch);
    if (!status)
        status = find_gradient(network, &batch, layer, loss);
    glnn__batch_iterator_end(&batches);
    return status;
}

static glnn_status compute_gradient(glnn__network *network, const glnn_dataset *data,
                                    int64_t samples, int layer, double *loss, float *gradient)
{
    GLNN__TRY(glnn__check_data(&network->learner, data, true));
    if (samples < 1 || samples > data->samples || samples > network->desc.capacity)
        return glnn__fail(GLNN_E_ARG, "%lld samples; %s has %lld, and the capacity is %d",
                          (long long)samples, data->name, (long long)data->samples,
                          network->desc.capacity);
    /* The gradient of a step under way, from a report of which this may be called, is left
     * alone. */
    glnn__parameters *parameters = network->layers[layer].parameters;
    const glnn__parameters before = *parameters;
    parameters->sum = NULL;
    glnn_status status = find_gradient_of(network, data, (int)samples, layer, loss);
    if (!status)
        status = glnn_matrix_download(network->ctx, parameters->sum, NULL, gradient, 0);
    glnn_matrix_destroy(parameters->sum);
    *parameters = before;
    return status;
}

glnn_status glnn_network_compute_gradient(glnn_learner *learner, const glnn_dataset *data,
                                          int64_t samples, int layer, double *loss, float *gradient)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_NETWORK);
    glnn__network *network = glnn__network_of(learner);
    GLNN__NOT_NULL(data);
    GLNN__NOT_NULL(loss);
    GLNN__NOT_NULL(gradient);
    GLNN__TRY(check_layer(network, __func__, layer));
    GLNN__TRY(glnn__gl_enter(network->ctx));
    return glnn__gl_leave(network->ctx,
                          compute_gradient(network, data, samples, layer, loss, gradient));
}
