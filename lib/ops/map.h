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
#define GLNN__NAME_ELU         "elu"
#define GLNN__NAME_SOFTSIGN    "softsign"

/* The enumerators of glnn_map, for kernels that use include/maps.glsl. */
extern const glnn__enumerator glnn__map_enumerators[];

/* Fails with E_ARG unless the text can only be one expression: it has 1 to 4096 characters,
 * parentheses in pairs, no comment, and none of the characters that end an expression or a line.
 * The compiler checks the rest. `what` begins the sentence. */
glnn_status glnn__check_expression(const char *what, const char *text);

/* Subtracts a row (1 x columns) from every row of a matrix. */
glnn_status glnn__subtract_row(glnn_context *ctx, const glnn_matrix *row, glnn_matrix *from);

#endif
