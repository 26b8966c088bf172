/* A network's passes over the samples of a batch. */
#ifndef GLNN__NET_NETWORK_PASSES_H
#define GLNN__NET_NETWORK_PASSES_H

#include "net/network.h"

/* A list of passes over so many samples that computes outputs alone. */
glnn__flow glnn__network_flow(const glnn__network *network, int samples);

/* The outputs of all layers for the samples of a batch, which are at most network->rows. */
glnn_status glnn__network_forward(glnn__network *network, const glnn__flow *flow,
                                  const glnn__batch *batch);

/* The same for samples that are in glnn__network_samples. */
glnn_status glnn__network_forward_input(glnn__network *network, const glnn__flow *flow);

/* Sends the inputs of all layers to other processes, where this one has no samples of a step and
 * computes nothing forward. */
glnn_status glnn__network_send_inputs(glnn__network *network, const glnn__flow *flow);

/* Sends the delta of a layer's output, which is complete. */
glnn_status glnn__network_send_deltas(glnn__network *network, const glnn__flow *flow, int layer);

/* The delta of the network's output; adds the batch's losses and counts to metrics. */
glnn_status glnn__network_loss(glnn__network *network, const glnn__batch *batch,
                               const glnn__metrics *metrics);

/* The delta of a layer's input, if a layer below needs it. It reads the layer's parameters. */
glnn_status glnn__network_layer_backward(glnn__network *network, const glnn__flow *flow, int layer);

/* Both for all layers; adds the batch's losses and counts to metrics. */
glnn_status glnn__network_backward(glnn__network *network, const glnn__flow *flow,
                                   const glnn__batch *batch, const glnn__metrics *metrics);

/* The gradient of a layer. It may update the parameters. */
glnn_status glnn__network_layer_gradient(glnn__network *network, const glnn__flow *flow, int layer,
                                         const glnn__sink *sink);

#endif
