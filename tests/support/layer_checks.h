/* Single layers of networks against their reference. */
#ifndef TESTS_LAYER_CHECKS_H
#define TESTS_LAYER_CHECKS_H

#include "network_reference.h"

/* The delta of a layer's input by itself, from a random delta of its output, for an input that went
 * through the identity and one that went through another function. */
void expect_deltas(glnn_learner *network, int layer, int count, const char *where);

/* Outputs, deltas and gradients of so many count, in every layout and precision. Random targets
 * are learnt. */
void expect_layers(const glnn_network_desc *layers, int count, const char *where);

#endif
