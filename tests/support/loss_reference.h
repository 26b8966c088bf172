/* The losses of networks in double precision: `last` are the outputs of the last layer. */
#ifndef TESTS_LOSS_REFERENCE_H
#define TESTS_LOSS_REFERENCE_H

#include "network_reference.h"

/* The expressions of a loss that the reference knows. */
#define EXPRESSION_VALUE      "log(1.0 + (y - t) * (y - t)) + 0.25 * t * y"
#define EXPRESSION_DERIVATIVE "2.0 * (y - t) / (1.0 + (y - t) * (y - t)) + 0.25 * t"

/* A softmax or sigmoid follows the last layer. */
bool loss_reference_has_probabilities(const network_reference *net);

/* Of an output with cross-entropy: a softmax or sigmoid. */
bounded loss_reference_probability(const network_reference *net, const expected *last, int row,
                                   int column);

bounded loss_reference_mean(const network_reference *net, const expected *last,
                            const samples *batch);

/* The gradient of each sample's loss with respect to what the output units get. */
expected loss_reference_delta(const network_reference *net, glnn_map map, const expected *last,
                              const samples *batch);

#endif
