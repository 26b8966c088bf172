/* The logarithm of each row's sum of exponentials, which softmax and its loss share. */
#ifndef GLNN__OPS_SOFTMAX_H
#define GLNN__OPS_SOFTMAX_H

#include "tex/matrix.h"

/* out (m x 1) = log(sum_j exp(x_ij)). One pass. */
glnn_status glnn__log_sum_exp(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

#endif
