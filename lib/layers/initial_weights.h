/* The random weights that training begins with. */
#ifndef GLNN__LAYERS_INITIAL_WEIGHTS_H
#define GLNN__LAYERS_INITIAL_WEIGHTS_H

#include "layers/layer.h"

/* Draws the weights of a layer as desc->init says, for units that each sum `inputs` numbers, where
 * each input enters `outputs` units. The biases become zero. */
glnn_status glnn__draw_weights(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer,
                               int inputs, int outputs);

#endif
