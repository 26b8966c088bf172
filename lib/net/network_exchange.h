/* The exchange of a network's gradients and statistics between processes. */
#ifndef GLNN__NET_NETWORK_EXCHANGE_H
#define GLNN__NET_NETWORK_EXCHANGE_H

#include "net/network.h"

/* After the gradient of a layer was submitted, if the layer does not gather. The running statistics
 * become their mean over all processes. */
glnn_status glnn__network_exchange_begin(glnn__network *network, int layer, const glnn__step *step);

/* Before the update of the layer. */
glnn_status glnn__network_exchange_end(glnn__network *network, int layer, const glnn__step *step);

/* Whether a layer exchanges its inputs and deltas in this step, the same on all processes. */
bool glnn__network_gathers(int layer, const glnn__step *step);

/* After the delta of the layer's output was submitted. `is_empty`: this process has no samples. */
glnn_status glnn__network_gather_begin(glnn__network *network, int layer, bool is_empty,
                                       const glnn__step *step);

/* Computes the gradient, with the update if the sink fuses. */
glnn_status glnn__network_gather_end(glnn__network *network, int layer, const glnn__sink *sink,
                                     const glnn__step *step);

/* Begins all exchanges of a step without samples of this process: its gradients are zeros. */
glnn_status glnn__network_exchange_nothing(glnn__network *network, const glnn__step *step);

/* The layers with parameters, for the plan of an exchange. Returns how many there are. */
int glnn__network_list_exchanged(const void *self, glnn__exchanged *out);

#endif
