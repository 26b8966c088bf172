#include "net/network_exchange.h"

#include "base/status.h"
#include "net/network_gather.h"

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

glnn_status glnn__network_exchange_begin(glnn_network *network, int layer, const glnn__step *step)
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

glnn_status glnn__network_exchange_end(glnn_network *network, int layer, const glnn__step *step)
{
    const glnn__layer *of = &network->layers[layer];
    if (!step->exchange)
        return GLNN_OK;
    if (of->parameters.sum)
        GLNN__TRY(glnn__exchange_end(step->exchange, gradient_number(layer)));
    return of->statistics ? glnn__exchange_end(step->exchange, statistics_number(layer)) : GLNN_OK;
}

glnn_status glnn__network_exchange_nothing(glnn_network *network, const glnn__step *step)
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

static glnn__exchanged exchanged_of(const glnn_network *network, int layer)
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

int glnn__network_list_exchanged(const glnn_network *network, glnn__exchanged *out)
{
    int count = 0;
    for (int i = 0; i < network->desc.layer_count; ++i)
        if (network->layers[i].parameters.values)
            out[count++] = exchanged_of(network, i);
    return count;
}

_Static_assert(GLNN_NETWORK_MAX_LAYERS <= GLNN_EXCHANGE_MAX_LAYERS, "a plan has all layers");
