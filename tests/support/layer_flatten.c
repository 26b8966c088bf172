/* The reference of flatten layers: rows are samples here, so nothing changes. */
#include "layer_reference.h"

static expected forward(const network_reference *net, int layer, const expected *in)
{
    (void)net, (void)layer;
    return *in;
}

static expected copy_of(const expected *from)
{
    const array value = array_copy(from->value);
    return (expected){value, from->bound.data ? array_copy(from->bound)
                                              : array_new(value.rows, value.columns)};
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    (void)net, (void)layer, (void)in;
    return copy_of(delta);
}

const layer_reference unflatten_reference = {
    .layers = {{.units = 40, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_UNFLATTEN, .shape = {4, 5, 2}}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};

const layer_reference flatten_reference = {
    .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_FLATTEN}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};
