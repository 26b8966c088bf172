/* The exchange of activations: each process computes the whole gradient of a dense layer from the
 * inputs and the deltas of all. */
#ifndef GLNN__NET_NETWORK_GATHER_H
#define GLNN__NET_NETWORK_GATHER_H

#include "net/network.h"

/* Whether a layer exchanges its inputs and deltas in this step, the same on all processes. */
bool glnn__network_gathers(int layer, const glnn__step *step);

/* After the delta of the layer's output was submitted. `is_empty`: this process has no samples. */
glnn_status glnn__network_gather_begin(glnn_network *network, int layer, bool is_empty,
                                       const glnn__step *step);

/* Computes the gradient, with the update if the sink fuses. */
glnn_status glnn__network_gather_end(glnn_network *network, int layer, const glnn__sink *sink,
                                     const glnn__step *step);

#endif
