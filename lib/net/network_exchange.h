/* The exchange of a network's gradients and statistics between processes. */
#ifndef GLNN__NET_NETWORK_EXCHANGE_H
#define GLNN__NET_NETWORK_EXCHANGE_H

#include "net/network.h"

/* After the gradient of a layer was submitted. The running statistics become their mean over all
 * processes. */
glnn_status glnn__network_exchange_begin(glnn_network *network, int layer, const glnn__step *step);

/* Before the update of the layer. */
glnn_status glnn__network_exchange_end(glnn_network *network, int layer, const glnn__step *step);

/* Begins all exchanges of a step without samples of this process: its gradients are zeros. */
glnn_status glnn__network_exchange_nothing(glnn_network *network, const glnn__step *step);

/* The layers with parameters, for the plan of an exchange. Returns how many there are. */
int glnn__network_list_exchanged(const glnn_network *network, glnn__exchanged *out);

#endif
