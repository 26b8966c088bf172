/* What a network has learnt, read and written from C. */
#include "net/mlp.h"

#include "base/status.h"
#include "train/preparation.h"

#include <stdlib.h>

static glnn_status check_layer(const glnn_mlp *mlp, const char *what, int layer)
{
    if (!mlp)
        return glnn__fail(GLNN_E_ARG, "%s: the network is null", what);
    if (layer < 0 || layer >= mlp->desc.layers)
        return glnn__fail(GLNN_E_ARG, "%s: layer %d of a network that has %d", what, layer,
                          mlp->desc.layers);
    return GLNN_OK;
}

/* The rectangles of a layer's parameters that are weights and biases. */
static glnn_rect weight_rect(const glnn__layer *layer)
{
    return (glnn_rect){0, 0, layer->inputs, layer->units};
}

static glnn_rect bias_rect(const glnn__layer *layer)
{
    return (glnn_rect){layer->inputs, 0, 1, layer->units};
}

glnn_status glnn_mlp_get_weights(const glnn_mlp *mlp, int layer, float *weights, float *biases)
{
    GLNN__TRY(check_layer(mlp, __func__, layer));
    const glnn__layer *l = &mlp->layers[layer];
    const glnn_rect upper = weight_rect(l), lower = bias_rect(l);
    if (weights)
        GLNN__TRY(glnn_matrix_download(mlp->ctx, l->parameters.values, &upper, weights, 0));
    if (biases)
        GLNN__TRY(glnn_matrix_download(mlp->ctx, l->parameters.values, &lower, biases, 0));
    return GLNN_OK;
}

glnn_status glnn_mlp_set_weights(glnn_mlp *mlp, int layer, const float *weights,
                                 const float *biases)
{
    GLNN__TRY(check_layer(mlp, __func__, layer));
    glnn__layer *l = &mlp->layers[layer];
    const glnn_rect upper = weight_rect(l), lower = bias_rect(l);
    l->is_stale = true;
    if (weights)
        GLNN__TRY(glnn_matrix_upload(mlp->ctx, l->parameters.values, &upper, weights, 0));
    if (biases)
        GLNN__TRY(glnn_matrix_upload(mlp->ctx, l->parameters.values, &lower, biases, 0));
    return GLNN_OK;
}

int glnn_mlp_state_count(const glnn_mlp *mlp)
{
    return mlp ? glnn__optimizer_states(&mlp->desc.optimizer) : 0;
}

static glnn_status check_state(const glnn_mlp *mlp, const char *what, int layer, int state,
                               const float *values)
{
    GLNN__TRY(check_layer(mlp, what, layer));
    if (state < 0 || state >= glnn_mlp_state_count(mlp))
        return glnn__fail(GLNN_E_ARG, "%s: state %d of an optimizer that keeps %d", what, state,
                          glnn_mlp_state_count(mlp));
    return values ? GLNN_OK : glnn__fail(GLNN_E_ARG, "%s: the values are null", what);
}

glnn_status glnn_mlp_get_state(const glnn_mlp *mlp, int layer, int state, float *values)
{
    GLNN__TRY(check_state(mlp, __func__, layer, state, values));
    return glnn_matrix_download(mlp->ctx, mlp->layers[layer].parameters.states[state], NULL, values,
                                0);
}

glnn_status glnn_mlp_set_state(glnn_mlp *mlp, int layer, int state, const float *values)
{
    GLNN__TRY(check_state(mlp, __func__, layer, state, values));
    return glnn_matrix_upload(mlp->ctx, mlp->layers[layer].parameters.states[state], NULL, values,
                              0);
}

uint64_t glnn_mlp_get_steps(const glnn_mlp *mlp)
{
    return mlp ? mlp->steps : 0;
}

glnn_status glnn_mlp_set_steps(glnn_mlp *mlp, uint64_t steps)
{
    if (!mlp)
        return glnn__fail(GLNN_E_ARG, "%s: the network is null", __func__);
    mlp->steps = steps;
    return GLNN_OK;
}

const glnn_mlp_desc *glnn_mlp_get_desc(const glnn_mlp *mlp)
{
    return mlp ? &mlp->desc : NULL;
}

static glnn_status find_gradient(glnn_mlp *mlp, const glnn__batch *batch, int layer, double *loss,
                                 glnn_matrix *sum)
{
    glnn__totals totals;
    GLNN__TRY(glnn__mlp_prepare(mlp, batch->count));
    GLNN__TRY(glnn__metrics_clear(mlp->ctx, &mlp->trained.measured));
    GLNN__TRY(glnn__mlp_forward(mlp, batch));
    GLNN__TRY(glnn__mlp_backward(mlp, batch, &mlp->trained.measured));
    GLNN__TRY(glnn__metrics_take(mlp->ctx, &mlp->trained.measured, &totals));
    if (!glnn__totals_are_finite(&totals))
        return glnn__fail(GLNN_E_DIVERGED, "%s: the loss of %d samples is not finite",
                          batch->data->name, batch->count);
    *loss = (double)totals.loss / batch->count;
    return glnn__gradient(mlp->ctx, 1 / (float)batch->count,
                          layer > 0 ? mlp->layers[layer - 1].output : mlp->input,
                          mlp->layers[layer].delta, false, sum);
}

/* The gradient of the first samples of a data set, which are one batch. */
static glnn_status find_gradient_of(glnn_mlp *mlp, const glnn_dataset *data, int samples, int layer,
                                    double *loss, glnn_matrix *sum)
{
    glnn__batch_iterator batches;
    glnn__batch batch;
    glnn_status status = glnn__batch_iterator_begin(data, NULL, 0, samples, samples, &batches);
    if (!status)
        status = glnn__batch_iterator_next(&batches, samples, &batch);
    if (!status)
        status = find_gradient(mlp, &batch, layer, loss, sum);
    glnn__batch_iterator_end(&batches);
    return status;
}

glnn_status glnn_mlp_gradient(glnn_mlp *mlp, const glnn_dataset *data, int samples, int layer,
                              double *loss, float *gradient)
{
    GLNN__TRY(check_layer(mlp, __func__, layer));
    if (!data || !loss || !gradient)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    GLNN__TRY(glnn__mlp_check_data(mlp, data));
    if (samples < 1 || samples > data->samples || samples > mlp->desc.capacity)
        return glnn__fail(GLNN_E_ARG, "%s: %d samples; the data set has %d, the capacity is %d",
                          __func__, samples, data->samples, mlp->desc.capacity);
    const glnn__layer *l = &mlp->layers[layer];
    glnn_matrix *sum;
    GLNN__TRY(glnn__matrix_create_scratch(mlp->ctx, mlp->desc.layout, l->inputs + 1, l->units,
                                          "gradient", &sum));
    GLNN__TRY(glnn__gl_enter(mlp->ctx));
    glnn_status status = find_gradient_of(mlp, data, samples, layer, loss, sum);
    if (!status)
        status = glnn_matrix_download(mlp->ctx, sum, NULL, gradient, 0);
    glnn_matrix_destroy(sum);
    return glnn__gl_leave(mlp->ctx, status);
}

glnn_status glnn_mlp_set_preparation(glnn_mlp *mlp, const glnn_preparation *preparation)
{
    if (!mlp)
        return glnn__fail(GLNN_E_ARG, "%s: the network is null", __func__);
    const glnn__prepared of = {.function = __func__,
                               .inputs = mlp->desc.inputs,
                               .outputs = mlp->desc.units[mlp->desc.layers - 1],
                               .has_targets = true};
    return glnn__preparation_set(&of, preparation, &mlp->preparation);
}

const glnn_preparation *glnn_mlp_get_preparation(const glnn_mlp *mlp)
{
    return mlp ? glnn__preparation_get(&mlp->preparation) : NULL;
}
