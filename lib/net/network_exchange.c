#include "net/network_exchange.h"

#include "base/status.h"

/* The numbers of the messages of a layer. */
static int gradient_number(int layer)
{
    return 2 * layer;
}

static int statistics_number(int layer)
{
    return 2 * layer + 1;
}

_Static_assert(2 * GLNN_NETWORK_MAX_LAYERS <= GLNN__EXCHANGE_LEARNER,
               "each layer has two messages");

glnn_status glnn__network_exchange_begin(glnn_network *network, int layer, const glnn__step *step)
{
    const glnn__layer *of = &network->layers[layer];
    if (!step->exchange || !step->is_last)
        return GLNN_OK;
    if (of->parameters.sum)
        GLNN__TRY(glnn__exchange_begin(step->exchange, gradient_number(layer), of->parameters.sum));
    if (of->statistics)
        GLNN__TRY(glnn__exchange_begin_weighted(step->exchange, statistics_number(layer),
                                                1 / (float)glnn__exchange_ranks(step->exchange),
                                                of->statistics));
    return GLNN_OK;
}

glnn_status glnn__network_exchange_end(glnn_network *network, int layer, const glnn__step *step)
{
    const glnn__layer *of = &network->layers[layer];
    if (!step->exchange)
        return GLNN_OK;
    if (of->parameters.sum)
        GLNN__TRY(glnn__exchange_end(step->exchange, gradient_number(layer)));
    return of->statistics ? glnn__exchange_end(step->exchange, statistics_number(layer)) : GLNN_OK;
}

glnn_status glnn__network_exchange_nothing(glnn_network *network, const glnn__sink *sink,
                                           const glnn__step *step)
{
    for (int i = network->desc.layer_count - 1; i >= 0; --i) {
        glnn__parameters *parameters = &network->layers[i].parameters;
        if (parameters->values)
            GLNN__TRY(glnn__sink_take_nothing(network->ctx, sink, parameters));
        GLNN__TRY(glnn__network_exchange_begin(network, i, step));
    }
    return GLNN_OK;
}
