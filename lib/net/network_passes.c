#include "net/network_passes.h"

#include "base/status.h"
#include "net/loss.h"

/* A layer may be left out of a list of passes: its input is then that of the next one. */
static bool takes_part(const glnn__layer *layer, const glnn__flow *flow)
{
    return flow->trains || !layer->type->trains_only;
}

/* The input of a layer. */
static const glnn__signal *input_of(const glnn_network *network, const glnn__flow *flow, int layer)
{
    do
        --layer;
    while (layer >= 0 && !takes_part(&network->layers[layer], flow));
    return layer >= 0 ? &network->layers[layer].out : &network->input;
}

glnn_status glnn__network_forward_input(glnn_network *network, const glnn__flow *flow)
{
    for (int i = 0; i < network->desc.layer_count; ++i) {
        glnn__layer *layer = &network->layers[i];
        if (!takes_part(layer, flow))
            continue;
        GLNN__TRY(glnn__layer_refresh_copy(network->ctx, layer));
        GLNN__TRY(layer->type->forward(flow, layer, input_of(network, flow, i)));
    }
    return GLNN_OK;
}

glnn_status glnn__network_forward(glnn_network *network, const glnn__flow *flow,
                                  const glnn__batch *batch)
{
    GLNN__TRY(glnn__batch_gather(batch, network->input.values));
    GLNN__TRY(glnn__network_forward_input(network, flow));
    return glnn__loss_prepare(network);
}

glnn_status glnn__network_backward(glnn_network *network, const glnn__flow *flow,
                                   const glnn__batch *batch, const glnn__metrics *metrics)
{
    GLNN__TRY(glnn__loss_delta(network, batch, metrics));
    for (int i = network->desc.layer_count - 1; i > 0; --i) {
        const glnn__signal *input = input_of(network, flow, i);
        if (input->delta)
            GLNN__TRY(network->layers[i].type->backward(flow, &network->layers[i], input));
    }
    return GLNN_OK;
}

glnn_status glnn__network_layer_gradient(glnn_network *network, const glnn__flow *flow, int layer,
                                         const glnn__sink *sink)
{
    glnn__layer *of = &network->layers[layer];
    if (!of->type->gradient)
        return GLNN_OK;
    return of->type->gradient(flow, of, input_of(network, flow, layer), sink);
}
