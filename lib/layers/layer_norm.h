/* Layer normalisation, for matrices that have several rows for each sample. */
#ifndef GLNN__LAYERS_LAYER_NORM_H
#define GLNN__LAYERS_LAYER_NORM_H

#include "tex/matrix.h"

#include <glnn/map.h>

typedef struct glnn__sample_norm {
    int rows, columns;             /* of a sample */
    const glnn_matrix *parameters; /* gamma and beta of each column, as two rows */
    glnn_matrix *moments, *sums;   /* of the samples; `sums` is for the backward pass */
} glnn__sample_norm;

/* Creates `moments` or `sums` for so many samples. */
glnn_status glnn__sample_norm_create(glnn_context *ctx, int samples, glnn_matrix **out);

/* out = f(gamma n + beta), where n are the numbers of a sample with mean 0 and variance 1. */
glnn_status glnn__sample_norm_forward(glnn_context *ctx, const glnn__sample_norm *norm,
                                      const glnn_matrix *x, glnn_map activation, glnn_matrix *out);

/* out = the delta of x, which has gone through `activation`, from that of gamma n + beta. Rows
 * after the last sample become zero. */
glnn_status glnn__sample_norm_backward(glnn_context *ctx, const glnn__sample_norm *norm,
                                       int samples, const glnn_matrix *delta, const glnn_matrix *x,
                                       glnn_map activation, glnn_matrix *out);

#endif
