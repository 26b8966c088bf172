/* Gathering the samples of a batch. */
#ifndef GLNN__OPS_GATHER_H
#define GLNN__OPS_GATHER_H

#include "pass/pass.h"

/* Row i of out, for i < count, becomes row index[first + i] of x, or row first + i if `index` is
 * NULL. The rows from `count` on become zero. Entries of the index are clamped to 0 ... samples -
 * 1. The arguments are not checked. */
glnn_status glnn__gather(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *index,
                         glnn__uniform first, int count, int samples, glnn_matrix *out);

#endif
