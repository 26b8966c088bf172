/* Maps, for other operations and for learners. */
#ifndef GLNN__OPS_MAP_H
#define GLNN__OPS_MAP_H

#include "pass/kernel.h"
#include "tex/matrix.h"

/* The names of maps that are activations of networks too. */
#define GLNN__NAME_IDENTITY    "identity"
#define GLNN__NAME_SIGMOID     "sigmoid"
#define GLNN__NAME_TANH        "tanh"
#define GLNN__NAME_SCALED_TANH "scaled_tanh"
#define GLNN__NAME_RELU        "relu"
#define GLNN__NAME_LEAKY_RELU  "leaky_relu"

/* The enumerators of glnn_map, for kernels that use include/maps.glsl. */
extern const glnn__enumerator glnn__map_enumerators[];

/* Subtracts a row (1 x columns) from every row of a matrix. */
glnn_status glnn__subtract_row(glnn_context *ctx, const glnn_matrix *row, glnn_matrix *from);

#endif
