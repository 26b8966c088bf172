#include "layers/layer_types.h"

#define ENTRY(KIND, name) [GLNN_LAYER_##KIND] = &glnn__##name##_layer,

static const glnn__layer_type *const types[GLNN_LAYER_COUNT] = {GLNN__LAYER_TYPES(ENTRY)};

const glnn__layer_type *glnn__layer_type_get(glnn_layer_kind kind)
{
    return (unsigned)kind < GLNN_LAYER_COUNT ? types[kind] : NULL;
}
