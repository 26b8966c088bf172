#include "layers/affine.h"

#include "ops/gemm/product.h"

glnn_status glnn__affine_forward(const glnn__flow *flow, const glnn__layer *layer,
                                 const glnn__signal *input, glnn__window windows)
{
    const glnn__product product = {
        .a = input->values,
        .b = glnn__layer_weights(layer),
        .c = layer->out.values,
        .alpha = {.f = 1},
        .augment = true,
        .activation = layer->out.activation,
        .window = windows,
    };
    return glnn__product_run(flow->ctx, &product);
}

glnn_status glnn__affine_backward(const glnn__flow *flow, const glnn__layer *layer,
                                  const glnn__signal *input, glnn__window windows)
{
    const glnn__product product = {
        .a = layer->out.delta,
        .b = glnn__layer_weights(layer),
        .derivative_of = input->activation == GLNN_MAP_IDENTITY ? NULL : input->values,
        .c = input->delta,
        .alpha = {.f = 1},
        .transpose_b = true,
        .derivative = input->activation,
        .window = windows,
    };
    return glnn__product_run(flow->ctx, &product);
}

glnn_status glnn__affine_gradient(const glnn__flow *flow, glnn__layer *layer,
                                  const glnn__signal *input, glnn__window windows,
                                  const glnn__sink *sink)
{
    const glnn__product product = {
        .a = input->values,
        .b = layer->out.delta,
        .transpose_a = true,
        .augment = true,
        .window = windows,
    };
    return glnn__sink_take(flow->ctx, sink, &product, layer->parameters);
}
