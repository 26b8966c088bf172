#include "layers/initial_weights.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

float glnn__initial_range(const glnn_network_desc *desc, glnn_map map, int inputs, int outputs)
{
    glnn_init init = desc->init;
    if (init == GLNN_INIT_AUTO)
        init = map == GLNN_MAP_RELU || map == GLNN_MAP_LEAKY_RELU || map == GLNN_MAP_ELU
                   ? GLNN_INIT_HE
                   : GLNN_INIT_GLOROT;
    if (init == GLNN_INIT_HE)
        return sqrtf(6 / (float)inputs);
    if (init == GLNN_INIT_GLOROT)
        return sqrtf(6 / (float)((int64_t)inputs + outputs));
    return desc->init_range;
}

static glnn_status clear_biases(glnn_context *ctx, const glnn__layer *layer)
{
    const glnn_rect biases = {layer->parameter_shape.rows, 0, 1, layer->parameter_shape.columns};
    float *zeros = calloc((size_t)biases.columns, sizeof *zeros);
    if (!zeros)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d biases", biases.columns);
    glnn_status status = glnn_matrix_upload(ctx, layer->parameters->values, &biases, zeros, 0);
    free(zeros);
    return status;
}

/* Random weights are drawn for the whole matrix, the row of biases too. */
glnn_status glnn__draw_weights(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer,
                               int inputs, int outputs)
{
    const float range = glnn__initial_range(desc, layer->out.activation, inputs, outputs);
    const uint64_t seed = desc->seed + (uint64_t)layer->number * UINT64_C(0x9E3779B97F4A7C15);
    GLNN__TRY(glnn_fill_uniform(ctx, seed, -range, range, layer->parameters->values));
    return layer->parameter_shape.has_biases ? clear_biases(ctx, layer) : GLNN_OK;
}
