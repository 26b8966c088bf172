/* A network's forward and backward passes. */
#include "net/mlp.h"

#include "base/status.h"
#include "ops/gemm/product.h"
#include "ops/map.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "pass/pass.h"

#include <glnn/copy.h>

static const glnn__enumerator losses[] = {
    GLNN__ENUMERATOR(GLNN_LOSS_CROSS_ENTROPY), GLNN__ENUMERATOR(GLNN_LOSS_SQUARED), {0}};

enum { LOSS, LABELS, ACTIVATION };
enum { SCORES };

static const glnn__kernel delta_kernel = {
    .name = "net/delta",
    .operands = {"Z", "TARGET", "INDEX", "STATS"},
    .unviewed = 4,
    .options = {[LOSS] = "LOSS", [LABELS] = "LABELS", [ACTIVATION] = "ACTIVATION"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS},
    .side_outputs = {[SCORES] = "SCORES"},
    .enumerations = {losses, glnn__map_enumerators},
};

static const glnn__kernel score_kernel = {
    .name = "net/score",
    .operands = {"Z", "TARGET", "INDEX", "STATS"},
    .unviewed = 4,
    .options = {[LOSS] = "LOSS", [LABELS] = "LABELS"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS},
    .enumerations = {losses},
};

static glnn__layer *last_layer(glnn_mlp *mlp)
{
    return &mlp->layers[mlp->desc.layers - 1];
}

static const glnn_matrix *layer_input(const glnn_mlp *mlp, int layer)
{
    return layer > 0 ? mlp->layers[layer - 1].output : mlp->input;
}

static const glnn_matrix *layer_weights(const glnn__layer *layer)
{
    return layer->parameters.copy ? layer->parameters.copy : layer->parameters.values;
}

/* Rounds the weights to 16 bits, where products read them so and no update has just done it. */
static glnn_status refresh_copies(glnn_mlp *mlp)
{
    for (int i = 0; i < mlp->desc.layers; ++i) {
        glnn__layer *layer = &mlp->layers[i];
        if (!layer->parameters.copy || !layer->is_stale)
            continue;
        GLNN__TRY(glnn_copy(mlp->ctx, layer->parameters.values, layer->parameters.copy));
        layer->is_stale = false;
    }
    return GLNN_OK;
}

glnn_status glnn__mlp_forward_input(glnn_mlp *mlp)
{
    GLNN__TRY(refresh_copies(mlp));
    for (int i = 0; i < mlp->desc.layers; ++i) {
        const glnn__layer *layer = &mlp->layers[i];
        const glnn__product product = {
            .a = layer_input(mlp, i),
            .b = layer_weights(layer),
            .c = layer->output,
            .alpha = 1,
            .augment = true,
            .activation = layer->activation,
        };
        GLNN__TRY(glnn__product_run(mlp->ctx, &product));
    }
    return GLNN_OK;
}

glnn_status glnn__mlp_forward(glnn_mlp *mlp, const glnn__batch *batch)
{
    GLNN__TRY(glnn__batch_gather(batch, mlp->input));
    GLNN__TRY(glnn__mlp_forward_input(mlp));
    return mlp->stats ? glnn__row_stats(mlp->ctx, last_layer(mlp)->output, mlp->stats) : GLNN_OK;
}

/* A pass of the kernels that compare outputs with targets. */
static glnn__pass target_pass(glnn_mlp *mlp, const glnn__batch *batch, const glnn__kernel *kernel,
                              glnn_matrix *output)
{
    const glnn__layer *last = last_layer(mlp);
    return (glnn__pass){
        .kernel = kernel,
        .operands = {{.matrix = last->output},
                     {.matrix = batch->data->targets},
                     {.matrix = batch->order},
                     {.matrix = mlp->stats}},
        .output = output,
        .options = {[LOSS] = mlp->desc.loss, [LABELS] = batch->data->labels != NULL},
        .uniforms = {GLNN__SAMPLE_VALUES(batch->first, batch->count, batch->data->samples)},
    };
}

glnn_status glnn__mlp_score(glnn_mlp *mlp, const glnn__batch *batch, const glnn__metrics *metrics)
{
    glnn__pass pass = target_pass(mlp, batch, &score_kernel, metrics->rows);
    pass.region = (glnn__blocks){0, 0, 1, batch->count};
    pass.blend = true;
    pass.blend_factor = 1;
    return glnn__pass_run(mlp->ctx, &pass);
}

/* delta of a layer = (delta of the next) W' * f'(output), without the row of W that has the biases */
static glnn_status propagate(glnn_mlp *mlp, int layer)
{
    const glnn__layer *next = &mlp->layers[layer + 1];
    const glnn__product product = {
        .a = next->delta,
        .b = layer_weights(next),
        .derivative_of = mlp->layers[layer].output,
        .c = mlp->layers[layer].delta,
        .alpha = 1,
        .transpose_b = true,
        .derivative = mlp->layers[layer].activation,
    };
    return glnn__product_run(mlp->ctx, &product);
}

glnn_status glnn__mlp_backward(glnn_mlp *mlp, const glnn__batch *batch,
                               const glnn__metrics *metrics)
{
    glnn__pass pass = target_pass(mlp, batch, &delta_kernel, last_layer(mlp)->delta);
    pass.options[ACTIVATION] = last_layer(mlp)->activation;
    /* Few outputs are scored in passing; of many, a row is too much for a fragment beside its block. */
    if (mlp->stats)
        GLNN__TRY(glnn__mlp_score(mlp, batch, metrics));
    else
        pass.side_outputs[SCORES] = metrics->rows;
    GLNN__TRY(glnn__pass_run(mlp->ctx, &pass));
    for (int i = mlp->desc.layers - 2; i >= 0; --i)
        GLNN__TRY(propagate(mlp, i));
    return GLNN_OK;
}
