/* The layers of networks in double precision, one file a kind, and what tests of every kind run
 * them in. The kinds are those of layers/layer_types.h: one without a reference does not link. */
#ifndef TESTS_LAYER_REFERENCE_H
#define TESTS_LAYER_REFERENCE_H

#include "network_reference.h"

#include "layers/layer_types.h"

typedef struct layer_reference {
    glnn_shape shape; /* of the samples; zeros: 2 channels of 4 x 5 */

    /* Layers for these samples, the last one of the kind. It may be the only one,
     * unless it has several inputs: the backward pass is also compared by itself, and up to the
     * samples. */
    glnn_layer_desc layers[5];
    int count;

    /* Outputs of layer number `layer` of the net, after its activation. The input's shape is
     * network_reference_input(net, layer). `input` is in a list: the inputs of the layers
     * before are before it. Rows are samples, whatever the form of the signal. */
    expected (*forward)(const network_reference *net, int layer, const expected *input);

    /* The gradient of the loss with respect to the input, from that with respect to the output
     * before its activation. The caller multiplies it by the derivative of the activation that the
     * input went through. */
    expected (*backward)(const network_reference *net, int layer, const expected *input,
                         const expected *delta);

    /* Instead of `backward`, for a kind with several inputs: with respect to one of them. `input`
     * is the first one. */
    expected (*backward_to)(const network_reference *net, int layer, int number,
                            const expected *input, const expected *delta);

    /* The gradient of the parameters, summed over the samples. The library scales the sum twice, so
     * its bound counts two roundings more than the terms give: finish_sum(&sum, samples + 2).
     * NULL: there are no parameters. */
    expected (*gradient)(const network_reference *net, int layer, const expected *input,
                         const expected *delta);

    /* The running statistics after the batch. NULL: there are none. */
    expected (*statistics)(const network_reference *net, int layer, const expected *input);
} layer_reference;

#define DECLARE_LAYER_REFERENCE(KIND, name) extern const layer_reference name##_reference;
GLNN__LAYER_TYPES(DECLARE_LAYER_REFERENCE)

const layer_reference *layer_reference_of(glnn_layer_kind kind);

glnn_shape layer_reference_shape(glnn_layer_kind kind);

#endif
