#include "net/network_passes.h"

#include "base/status.h"
#include "layers/pixels.h"
#include "net/loss.h"
#include "pass/list.h"
#include "tex/matrix.h"

glnn__flow glnn__network_flow(const glnn__network *network, int samples)
{
    return (glnn__flow){.ctx = network->ctx,
                        .samples = samples,
                        .lowest = glnn__network_lowest(network) + 1,
                        .layers = network->layers,
                        .input = &network->input};
}

static const glnn__signal *input_of(const glnn__flow *flow, int layer)
{
    return glnn__flow_output(flow, flow->layers[layer].sources[0]);
}

/* A layer may be left out of a list of passes: its input is then that of the next one. */
static bool takes_part(const glnn__layer *layer, const glnn__flow *flow)
{
    return flow->trains || !layer->type->trains_only;
}

static glnn_status send_inputs(glnn__network *network, const glnn__flow *flow, int layer)
{
    return flow->sink
               ? glnn__sink_send(flow->sink, GLNN__SENT_INPUTS, input_of(flow, layer)->values,
                                 network->layers[layer].parameters)
               : GLNN_OK;
}

/* The inputs travel to other processes while the layer computes. */
static glnn_status run_forward(glnn__network *network, const glnn__flow *flow, int layer)
{
    const glnn__layer *of = &network->layers[layer];
    GLNN__TRY(send_inputs(network, flow, layer));
    return glnn__layer_forward(flow, of, input_of(flow, layer));
}

glnn_status glnn__network_send_inputs(glnn__network *network, const glnn__flow *flow)
{
    for (int i = 0; i < network->desc.layer_count; ++i)
        GLNN__TRY(send_inputs(network, flow, i));
    return GLNN_OK;
}

glnn_status glnn__network_send_deltas(glnn__network *network, const glnn__flow *flow, int layer)
{
    glnn__layer *of = &network->layers[layer];
    return flow->sink
               ? glnn__sink_send(flow->sink, GLNN__SENT_DELTAS, of->out.delta, of->parameters)
               : GLNN_OK;
}

static glnn_status note_computed(void *self, const void *trains)
{
    glnn__network *network = self;
    network->is_computed = true;
    network->is_trained = *(const bool *)trains;
    return GLNN_OK;
}

glnn_status glnn__network_forward_input(glnn__network *network, const glnn__flow *flow)
{
    if (network->flat)
        GLNN__TRY(glnn__to_pixels(network->ctx, network->flat, network->desc.shape,
                                  network->input.values));
    for (int i = 0; i < network->desc.layer_count; ++i) {
        if (!takes_part(&network->layers[i], flow))
            continue;
        const glnn__label former = glnn__label_layer(network->ctx, i, "forward");
        GLNN__TRY(glnn__label_end(network->ctx, former, run_forward(network, flow, i)));
    }
    return glnn__list_call(network->ctx, note_computed, network, &flow->trains,
                           sizeof flow->trains);
}

glnn_status glnn__network_forward(glnn__network *network, const glnn__flow *flow,
                                  const glnn__batch *batch)
{
    GLNN__TRY(glnn__batch_gather(batch, glnn__network_samples(network)));
    GLNN__TRY(glnn__network_forward_input(network, flow));
    const glnn__label former = glnn__label_part(network->ctx, "loss");
    return glnn__label_end(network->ctx, former, glnn__loss_prepare(network));
}

/* A layer's part of the delta of one of its inputs. */
static glnn_status add_part(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    glnn__signal own = *input;
    GLNN__TRY(glnn__matrix_create_like(input->delta, "delta by one layer", &own.delta));
    glnn_status status = glnn__layer_backward(flow, layer, &own);
    if (!status)
        status = glnn_axpby(flow->ctx, 1, own.delta, 1, input->delta);
    glnn__scratch_destroy(own.delta);
    return status;
}

static glnn_status run_part(const glnn__flow *flow, const glnn__layer *layer, int number,
                            const glnn__signal *input, bool adds)
{
    const glnn__layer_type *type = layer->type;
    if (type->backward_to)
        return type->backward_to(flow, layer, number, input, adds);
    return adds ? add_part(flow, layer, input) : glnn__layer_backward(flow, layer, input);
}

/* The delta of a layer is the sum of the parts of all layers that read it. The first one writes
 * it, unless a loss has. */
static glnn_status run_backward(glnn__network *network, const glnn__flow *flow, int source)
{
    const glnn__signal *signal = glnn__flow_output(flow, source);
    bool adds = glnn__network_is_output(network, source);
    for (int i = source + 1; i < network->desc.layer_count; ++i)
        for (int k = 0; k < network->layers[i].source_count; ++k) {
            if (network->layers[i].sources[k] != source)
                continue;
            GLNN__TRY(run_part(flow, &network->layers[i], k, signal, adds));
            adds = true;
        }
    return GLNN_OK;
}

glnn_status glnn__network_loss(glnn__network *network, const glnn__batch *batch,
                               const glnn__metrics *metrics)
{
    const glnn__label former = glnn__label_part(network->ctx, "loss");
    return glnn__label_end(network->ctx, former, glnn__loss_delta(network, batch, metrics));
}

/* The delta of a layer's output is complete: all layers that read it have had their turn. */
static glnn_status begin_backward(const glnn__flow *flow, int layer)
{
    const glnn__layer *of = &flow->layers[layer];
    return of->type->begin_backward && of->out.delta
               ? of->type->begin_backward(flow, of, input_of(flow, layer))
               : GLNN_OK;
}

static glnn_status run_layer_backward(glnn__network *network, const glnn__flow *flow, int layer)
{
    GLNN__TRY(begin_backward(flow, layer));
    return layer < flow->lowest ? GLNN_OK : run_backward(network, flow, layer - 1);
}

glnn_status glnn__network_layer_backward(glnn__network *network, const glnn__flow *flow, int layer)
{
    const glnn__label former = glnn__label_layer(network->ctx, layer, "backward");
    return glnn__label_end(network->ctx, former, run_layer_backward(network, flow, layer));
}

glnn_status glnn__network_backward(glnn__network *network, const glnn__flow *flow,
                                   const glnn__batch *batch, const glnn__metrics *metrics)
{
    GLNN__TRY(glnn__network_loss(network, batch, metrics));
    for (int i = network->desc.layer_count - 1; i >= 0; --i)
        GLNN__TRY(glnn__network_layer_backward(network, flow, i));
    return GLNN_OK;
}

/* The gradients of the layers that share parameters are parts of their gradient. Those of a step
 * that several processes sum are found from the last layer on, the others from the first one on. */
static glnn__sink sink_of(const glnn__network *network, int layer, const glnn__sink *sink)
{
    const int owner = network->layers[layer].owner;
    bool has_before = false, has_after = false;
    for (int i = owner; i < network->desc.layer_count; ++i) {
        const bool is_same = network->layers[i].owner == owner;
        has_before = has_before || (is_same && i < layer);
        has_after = has_after || (is_same && i > layer);
    }
    glnn__sink part = *sink;
    part.is_first = sink->is_first && !(sink->exchange ? has_after : has_before);
    part.is_last = sink->is_last && !(sink->exchange ? has_before : has_after);
    return part;
}

glnn_status glnn__network_layer_gradient(glnn__network *network, const glnn__flow *flow, int layer,
                                         const glnn__sink *sink)
{
    glnn__layer *of = &network->layers[layer];
    if (!of->type->gradient)
        return GLNN_OK;
    const glnn__sink part = sink_of(network, layer, sink);
    const glnn__label former = glnn__label_layer(network->ctx, layer, "gradient");
    return glnn__label_end(network->ctx, former,
                           of->type->gradient(flow, of, input_of(flow, layer), &part));
}
