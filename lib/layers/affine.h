/* Layers y = f(x W + b), where x is the matrix of the input or that of its windows. W and b are the
 * parameters. */
#ifndef GLNN__LAYERS_AFFINE_H
#define GLNN__LAYERS_AFFINE_H

#include "layers/layer.h"

/* Windows of zeros: the matrix itself. */
glnn_status glnn__affine_forward(const glnn__flow *flow, const glnn__layer *layer,
                                 const glnn__signal *input, glnn__window windows);

/* delta of the input = (delta W') * f'(input), without the row of W that has the biases. The
 * windows are those of the delta. */
glnn_status glnn__affine_backward(const glnn__flow *flow, const glnn__layer *layer,
                                  const glnn__signal *input, glnn__window windows);

/* [x 1]' delta */
glnn_status glnn__affine_gradient(const glnn__flow *flow, glnn__layer *layer,
                                  const glnn__signal *input, glnn__window windows,
                                  const glnn__sink *sink);

#endif
