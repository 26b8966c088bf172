#include "net/layer_types.h"

static const glnn__layer_type *const types[GLNN_LAYER_COUNT] = {
    [GLNN_LAYER_DENSE] = &glnn__dense_layer,
    [GLNN_LAYER_DROPOUT] = &glnn__dropout_layer,
};

const glnn__layer_type *glnn__layer_type_get(glnn_layer_kind kind)
{
    return (unsigned)kind < GLNN_LAYER_COUNT ? types[kind] : NULL;
}

const char *glnn_layer_kind_name(glnn_layer_kind kind)
{
    const glnn__layer_type *type = glnn__layer_type_get(kind);
    return type ? type->name : "unknown layer";
}
