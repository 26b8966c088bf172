/* The random weights that training begins with. */
#ifndef GLNN__LAYERS_INITIAL_WEIGHTS_H
#define GLNN__LAYERS_INITIAL_WEIGHTS_H

#include "layers/layer.h"

/* The half-width of the interval that weights are drawn from, for units with the map f that each
 * sum `inputs` numbers, where each input enters `outputs` units. */
float glnn__initial_range(const glnn_network_desc *desc, glnn_map f, int inputs, int outputs);

/* Draws the weights of a layer as desc->init says. The biases become zero. */
glnn_status glnn__draw_weights(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer,
                               int inputs, int outputs);

#endif
