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

static glnn_status run_forward(glnn_network *network, const glnn__flow *flow, int layer)
{
    glnn__layer *of = &network->layers[layer];
    GLNN__TRY(glnn__layer_refresh_copy(network->ctx, of));
    return of->type->forward(flow, of, input_of(network, flow, layer));
}

glnn_status glnn__network_forward_input(glnn_network *network, const glnn__flow *flow)
{
    for (int i = 0; i < network->desc.layer_count; ++i) {
        if (!takes_part(&network->layers[i], flow))
            continue;
        const glnn__label former = glnn__label_layer(network->ctx, i, "forward");
        GLNN__TRY(glnn__label_end(network->ctx, former, run_forward(network, flow, i)));
    }
    return GLNN_OK;
}

glnn_status glnn__network_forward(glnn_network *network, const glnn__flow *flow,
                                  const glnn__batch *batch)
{
    GLNN__TRY(glnn__batch_gather(batch, network->input.values));
    GLNN__TRY(glnn__network_forward_input(network, flow));
    const glnn__label former = glnn__label_part(network->ctx, "loss");
    return glnn__label_end(network->ctx, former, glnn__loss_prepare(network));
}

glnn_status glnn__network_backward(glnn_network *network, const glnn__flow *flow,
                                   const glnn__batch *batch, const glnn__metrics *metrics)
{
    glnn_context *ctx = network->ctx;
    glnn__label former = glnn__label_part(ctx, "loss");
    GLNN__TRY(glnn__label_end(ctx, former, glnn__loss_delta(network, batch, metrics)));
    for (int i = network->desc.layer_count - 1; i > 0; --i) {
        const glnn__layer *layer = &network->layers[i];
        const glnn__signal *input = input_of(network, flow, i);
        if (!input->delta)
            continue;
        former = glnn__label_layer(ctx, i, "backward");
        GLNN__TRY(glnn__label_end(ctx, former, layer->type->backward(flow, layer, input)));
    }
    return GLNN_OK;
}

glnn_status glnn__network_layer_gradient(glnn_network *network, const glnn__flow *flow, int layer,
                                         const glnn__sink *sink)
{
    glnn__layer *of = &network->layers[layer];
    if (!of->type->gradient)
        return GLNN_OK;
    const glnn__label former = glnn__label_layer(network->ctx, layer, "gradient");
    return glnn__label_end(network->ctx, former,
                           of->type->gradient(flow, of, input_of(network, flow, layer), sink));
}
