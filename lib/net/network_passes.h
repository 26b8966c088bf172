/* A network's passes over the samples of a batch. */
#ifndef GLNN__NET_NETWORK_PASSES_H
#define GLNN__NET_NETWORK_PASSES_H

#include "net/network.h"

/* The outputs of all layers for the samples of a batch, which are at most network->rows. A step
 * draws random numbers where it `trains`: `first` is the place of the batch's first sample in the
 * step's. */
glnn_status glnn__network_forward(glnn_network *network, const glnn__flow *flow,
                                  const glnn__batch *batch);

/* The same for samples that stand in network->input. */
glnn_status glnn__network_forward_input(glnn_network *network, const glnn__flow *flow);

/* The deltas of all layers; adds the batch's losses and counts to metrics. */
glnn_status glnn__network_backward(glnn_network *network, const glnn__flow *flow,
                                   const glnn__batch *batch, const glnn__metrics *metrics);

/* The gradient of a layer. */
glnn_status glnn__network_layer_gradient(glnn_network *network, const glnn__flow *flow, int layer,
                                         const glnn__sink *sink);

#endif
