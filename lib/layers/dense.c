/* The dense layer: y = f(x W + b). */
#include "layers/layer_types.h"

#include "base/status.h"
#include "layers/affine.h"
#include "layers/initial_weights.h"

#include <limits.h>

static const glnn__window no_windows;

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    (void)layers;
    const int units = layer->desc.units;
    if (units < 1)
        return glnn__fail(GLNN_E_ARG, "layer %d has %d units; a dense layer has at least 1",
                          layer->number, units);
    if (units == INT_MAX)
        return glnn__fail(GLNN_E_LIMIT, "layer %d has %d units; there can be %d", layer->number,
                          units, INT_MAX - 1);
    layer->out.shape = (glnn_shape){units, 1, 1};
    layer->parameter_shape = (glnn__parameter_shape){glnn__shape_size(layer->input), units, true};
    return GLNN_OK;
}

static glnn_status initialise(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer)
{
    return glnn__draw_weights(ctx, desc, layer, layer->parameter_shape.rows,
                              layer->parameter_shape.columns);
}

static int arrays(const glnn__layer *layer, glnn__layer_array out[GLNN__LAYER_ARRAYS])
{
    const size_t inputs = (size_t)layer->parameter_shape.rows;
    const size_t units = (size_t)layer->parameter_shape.columns;
    out[0] = (glnn__layer_array){"weight", 2, {units, inputs}, .stride = {1, units}};
    out[1] = (glnn__layer_array){"bias", 1, {units}, .stride = {1}, .first = inputs * units};
    return 2;
}

/* Forward, gradient, and unless the layer is the first one the delta of its input. */
static int products(const glnn__layer *layer, int samples,
                    glnn__layout_use uses[GLNN__LAYER_PRODUCTS])
{
    const int inputs = layer->parameter_shape.rows, units = layer->parameter_shape.columns;
    uses[0] = (glnn__layout_use){.rows = samples, .columns = units, .inner = inputs};
    uses[1] =
        (glnn__layout_use){.rows = inputs, .columns = units, .inner = samples, .transpose_a = true};
    uses[2] =
        (glnn__layout_use){.rows = samples, .columns = inputs, .inner = units, .transpose_b = true};
    return layer->number > 0 ? 3 : 2;
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    return glnn__affine_forward(flow, layer, input, no_windows);
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    return glnn__affine_backward(flow, layer, input, no_windows);
}

static glnn_status gradient(const glnn__flow *flow, glnn__layer *layer, const glnn__signal *input,
                            const glnn__sink *sink)
{
    return glnn__affine_gradient(flow, layer, input, no_windows, sink);
}

const glnn__layer_type glnn__dense_layer = {
    .uses = GLNN__LAYER_UNITS | GLNN__LAYER_ACTIVATION | GLNN__LAYER_SHARES,
    .takes = GLNN__FLAT,
    .gives = GLNN__FLAT,
    .shape = shape,
    .initialise = initialise,
    .arrays = arrays,
    .products = products,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
};
