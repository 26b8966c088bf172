/* The layer types. */
#ifndef GLNN__LAYERS_LAYER_TYPES_H
#define GLNN__LAYERS_LAYER_TYPES_H

#include "layers/layer.h"

/* All of them: the end of the kind's enumerator, and its name, which is in glnn__<name>_layer too.
 * The tests take the references of layers from this list. */
#define GLNN__LAYER_TYPES(TYPE)                                                                    \
    TYPE(DENSE, dense)                                                                             \
    TYPE(DROPOUT, dropout)                                                                         \
    TYPE(CONVOLUTION, convolution)                                                                 \
    TYPE(FLATTEN, flatten)                                                                         \
    TYPE(MAX_POOL, max_pool)                                                                       \
    TYPE(AVERAGE_POOL, average_pool)                                                               \
    TYPE(BATCH_NORM, batch_norm)                                                                   \
    TYPE(RESIDUAL, residual)                                                                       \
    TYPE(ADD, add)                                                                                 \
    TYPE(MULTIPLY, multiply)                                                                       \
    TYPE(CONCATENATE, concatenate)                                                                 \
    TYPE(GELU, gelu)                                                                               \
    TYPE(LAYER_NORM, layer_norm)                                                                   \
    TYPE(LOCAL_RESPONSE_NORM, local_response_norm)                                                 \
    TYPE(UPSAMPLE, upsample)                                                                       \
    TYPE(TRANSPOSED_CONVOLUTION, transposed_convolution)                                           \
    TYPE(SLICE, slice)                                                                             \
    TYPE(UNFLATTEN, unflatten)                                                                     \
    TYPE(FUNCTION, function)                                                                       \
    TYPE(RECURRENT, recurrent)                                                                     \
    TYPE(GRU, gru)                                                                                 \
    TYPE(SPECTROGRAM, spectrogram)

#define GLNN__DECLARE_LAYER_TYPE(KIND, name) extern const glnn__layer_type glnn__##name##_layer;
GLNN__LAYER_TYPES(GLNN__DECLARE_LAYER_TYPE)

/* The type of a kind; NULL for an unknown one. */
const glnn__layer_type *glnn__layer_type_get(glnn_layer_kind kind);

#endif
