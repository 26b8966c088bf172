/* The layers of networks in double precision, one file a kind, and what tests of every kind run them
 * in. The kinds are those of net/layer_types.h: one without a reference does not link. */
#ifndef TESTS_LAYER_REFERENCE_H
#define TESTS_LAYER_REFERENCE_H

#include "network_reference.h"

#include "net/layer_types.h"

typedef struct layer_reference {
    /* Layers for samples of 2 x 4 x 5 numbers, the last one of the kind. One below it has parameters,
     * so that the backward pass is needed. */
    glnn_layer_desc layers[4];
    int count;

    /* Outputs of layer number `layer` of the net, after its activation. */
    expected (*forward)(const network_reference *net, int layer, const expected *input);

    /* The gradient of the loss with respect to the input, from that with respect to the output before
     * its activation. */
    expected (*backward)(const network_reference *net, int layer, const expected *input,
                         const expected *delta);

    /* The gradient of the parameters, summed over the samples, with a rounding more than the sum takes
     * for each time that the library scales it: two. NULL: there are no parameters. */
    expected (*gradient)(const network_reference *net, int layer, const expected *input,
                         const expected *delta);
} layer_reference;

#define DECLARE_LAYER_REFERENCE(KIND, name) extern const layer_reference name##_reference;
GLNN__LAYER_TYPES(DECLARE_LAYER_REFERENCE)

const layer_reference *layer_reference_of(glnn_layer_kind kind);

#endif
