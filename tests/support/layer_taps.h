/* The references of layers that multiply pixels of the input by taps of a kernel and add them to
 * pixels of the output. Samples are flat: ordered by channel, then by row, then by column. */
#ifndef TESTS_LAYER_TAPS_H
#define TESTS_LAYER_TAPS_H

#include "layer_reference.h"

/* A product: a number of the input, times a weight, is added to a number of the output. */
typedef struct tap {
    int input, output; /* columns of the samples             */
    int line, column;  /* the weight's in the parameters     */
} tap;

typedef void tap_visit_fn(const tap *at, void *data);

/* How a layer's products are found, and bounded. */
typedef struct taps {
    void (*visit)(const network_reference *net, int layer, tap_visit_fn *visit, void *data);
    int first_bias; /* the row of the parameters with the bias of unit 0; others follow it */
    int forward_terms, backward_terms;
} taps;

expected taps_forward(const network_reference *net, int layer, const expected *in, taps of);
expected taps_backward(const network_reference *net, int layer, const expected *in,
                       const expected *delta, taps of);
expected taps_gradient(const network_reference *net, int layer, const expected *in,
                       const expected *delta, taps of);

/* The rows of the parameters for one tap of so many units or channels. */
int tap_lines(int units);

/* The taps of a kernel. */
int tap_count(const network_reference *net, int layer);

#endif
