/* The layer types. */
#ifndef GLNN__NET_LAYER_TYPES_H
#define GLNN__NET_LAYER_TYPES_H

#include "net/layer.h"

extern const glnn__layer_type glnn__dense_layer, glnn__dropout_layer;

/* The type of a kind; NULL for an unknown one. */
const glnn__layer_type *glnn__layer_type_get(glnn_layer_kind kind);

#endif
