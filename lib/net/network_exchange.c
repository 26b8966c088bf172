#include "net/network_exchange.h"

#include "base/status.h"
#include "layers/layer_types.h"
#include "net/network_passes.h"

#include <glnn/map.h>

#include <stdlib.h>

/* The numbers of the messages of a layer. */
static int gradient_number(int layer)
{
    return 2 * layer;
}

static int statistics_number(int layer)
{
    return 2 * layer + 1;
}

_Static_assert(2 * GLNN_NETWORK_MAX_LAYERS <= GLNN__EXCHANGE_LEARNER / 2,
               "each layer has numbers of its own");

/* ---- Gradients and statistics */

glnn_status glnn__network_exchange_begin(glnn__network *network, int layer, const glnn__step *step)
{
    const glnn__layer *of = &network->layers[layer];
    if (!step->exchange || !step->is_last || glnn__exchange_averages(step->exchange))
        return GLNN_OK;
    if (of->parameters.sum)
        GLNN__TRY(glnn__exchange_begin(step->exchange, gradient_number(layer), of->parameters.sum));
    if (of->statistics)
        GLNN__TRY(glnn__exchange_begin_weighted(step->exchange, statistics_number(layer),
                                                (float)step->own_samples / (float)step->samples,
                                                of->statistics));
    return GLNN_OK;
}

glnn_status glnn__network_exchange_end(glnn__network *network, int layer, const glnn__step *step)
{
    const glnn__layer *of = &network->layers[layer];
    if (!step->exchange)
        return GLNN_OK;
    if (of->parameters.sum)
        GLNN__TRY(glnn__exchange_end(step->exchange, gradient_number(layer)));
    return of->statistics ? glnn__exchange_end(step->exchange, statistics_number(layer)) : GLNN_OK;
}

/* ---- Activations */

/* The inputs of a layer in training. */
static const glnn__signal *input_of(const glnn__network *network, int layer)
{
    glnn__flow flow = glnn__network_flow(network, network->rows);
    flow.trains = true;
    return glnn__flow_output(&flow, layer - 1);
}

bool glnn__network_gathers(int layer, const glnn__step *step)
{
    return step->has_one_part && glnn__exchange_gathers(step->exchange, layer);
}

/* ---- Memory */

/* Rows of the matrices of a rank, which has one part of a batch. */
static int rows_of(const glnn__step *step, int rank)
{
    return glnn__exchange_most(step->exchange, step->batch, rank);
}

/* Matrices like that of this process for the shares of all other ranks. */
static glnn_status make_matrices(const glnn_matrix *like, const glnn__step *step,
                                 glnn_matrix ***out)
{
    const int rank = glnn__exchange_rank(step->exchange);
    const int ranks = glnn__exchange_ranks(step->exchange);
    *out = calloc((size_t)ranks, sizeof **out);
    if (!*out)
        return glnn__fail(GLNN_E_NOMEM, "no memory for matrices of %d processes", ranks);
    for (int r = 0; r < ranks; ++r)
        if (r != rank)
            GLNN__TRY(glnn__matrix_create_undefined(like->ctx, like->layout, like->storage,
                                                    rows_of(step, r), like->columns,
                                                    "of another process", &(*out)[r]));
    return GLNN_OK;
}

static bool fits(const glnn__gathered *gathered, const glnn__step *step)
{
    if (gathered->ranks != glnn__exchange_ranks(step->exchange))
        return false;
    for (int r = 0; r < gathered->ranks; ++r)
        if (r != glnn__exchange_rank(step->exchange) &&
            (!gathered->deltas[r] || gathered->deltas[r]->rows != rows_of(step, r)))
            return false;
    return true;
}

static glnn_status make_gathered(glnn__network *network, int layer, const glnn__step *step)
{
    glnn__gathered *gathered = &network->gathered[layer];
    if (fits(gathered, step))
        return GLNN_OK;
    glnn__gathered_free(gathered);
    gathered->ranks = glnn__exchange_ranks(step->exchange);
    GLNN__TRY(make_matrices(input_of(network, layer)->values, step, &gathered->inputs));
    return make_matrices(network->layers[layer].out.delta, step, &gathered->deltas);
}

/* ---- Begin and end */

glnn_status glnn__network_gather_begin(glnn__network *network, int layer, bool is_empty,
                                       const glnn__step *step)
{
    const glnn__gathered *gathered = &network->gathered[layer];
    glnn_matrix *delta = network->layers[layer].out.delta;
    glnn_matrix *input = input_of(network, layer)->values;
    GLNN__TRY(make_gathered(network, layer, step));
    if (is_empty) {
        GLNN__TRY(glnn_fill(network->ctx, 0, delta));
        GLNN__TRY(glnn_fill(network->ctx, 0, input));
    }
    GLNN__TRY(glnn__exchange_begin_gather(step->exchange, 2 * layer, delta, gathered->deltas));
    return glnn__exchange_begin_gather(step->exchange, 2 * layer + 1, input, gathered->inputs);
}

/* The samples of one rank are a part of the step. */
static glnn_status add_rank(glnn__network *network, int layer, int rank, const glnn__sink *sink)
{
    const glnn__gathered *gathered = &network->gathered[layer];
    glnn__layer *of = &network->layers[layer];
    glnn_matrix *own = of->out.delta;
    glnn__signal input = *input_of(network, layer);
    const glnn__flow flow = glnn__network_flow(network, network->rows);
    if (gathered->inputs[rank]) {
        input.values = gathered->inputs[rank];
        of->out.delta = gathered->deltas[rank];
    }
    const glnn_status status = of->type->gradient(&flow, of, &input, sink);
    of->out.delta = own;
    return status;
}

glnn_status glnn__network_gather_end(glnn__network *network, int layer, const glnn__sink *sink,
                                     const glnn__step *step)
{
    const int ranks = glnn__exchange_ranks(step->exchange);
    glnn__sink part = *sink;
    glnn_status status = glnn__exchange_end(step->exchange, 2 * layer);
    if (!status)
        status = glnn__exchange_end(step->exchange, 2 * layer + 1);
    part.is_exchanged = false;
    const glnn__label former = glnn__label_layer(network->ctx, layer, "gradient");
    for (int r = 0; r < ranks && !status; ++r) {
        part.is_first = r == 0;
        part.is_last = r == ranks - 1;
        status = add_rank(network, layer, r, &part);
    }
    return glnn__label_end(network->ctx, former, status);
}

/* ---- No samples */

glnn_status glnn__network_exchange_nothing(glnn__network *network, const glnn__step *step)
{
    if (glnn__exchange_averages(step->exchange))
        return GLNN_OK;
    for (int i = network->desc.layer_count - 1; i >= 0; --i) {
        glnn__parameters *parameters = &network->layers[i].parameters;
        if (glnn__network_gathers(i, step)) {
            GLNN__TRY(glnn__network_gather_begin(network, i, true, step));
            continue;
        }
        if (parameters->values)
            GLNN__TRY(glnn__sink_take_nothing(network->ctx, parameters));
        GLNN__TRY(glnn__network_exchange_begin(network, i, step));
    }
    return GLNN_OK;
}

/* ---- The plan */

static glnn__exchanged exchanged_of(const glnn__network *network, int layer)
{
    const glnn__layer *of = &network->layers[layer];
    const double rows = of->parameter_shape.rows, columns = of->parameter_shape.columns;
    const bool gathers =
        of->desc.kind == GLNN_LAYER_DENSE && network->desc.precision == GLNN_PRECISION_FLOAT32;
    return (glnn__exchanged){
        .layer = layer,
        .name = glnn_layer_kind_name(of->desc.kind),
        .first = gradient_number(layer),
        .messages = 2,
        .parameters = (double)glnn__layer_parameter_rows(of) * columns,
        .inputs = gathers ? rows : 0,
        .units = gathers ? columns : 0,
        .multiply_adds = rows * columns * of->out.shape.height * of->out.shape.width,
    };
}

int glnn__network_list_exchanged(const void *self, glnn__exchanged *out)
{
    const glnn__network *network = self;
    int count = 0;
    for (int i = 0; i < network->desc.layer_count; ++i)
        if (network->layers[i].parameters.values)
            out[count++] = exchanged_of(network, i);
    return count;
}

_Static_assert(GLNN_NETWORK_MAX_LAYERS <= GLNN_EXCHANGE_MAX_LAYERS, "a plan has all layers");
