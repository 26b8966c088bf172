/* The losses of networks in double precision: `last` are the outputs of the last layer. */
#ifndef TESTS_LOSS_REFERENCE_H
#define TESTS_LOSS_REFERENCE_H

#include "network_reference.h"

/* Of an output with cross-entropy: a softmax or sigmoid. */
bounded loss_reference_probability(const network_reference *net, const expected *last, int row,
                                   int column);

bounded loss_reference_mean(const network_reference *net, const expected *last,
                            const samples *batch);

/* The gradient of each sample's loss with respect to what the output units get. */
expected loss_reference_delta(const network_reference *net, const expected *last,
                              const samples *batch);

#endif
