/* Gathering the samples of a batch. */
#ifndef GLNN__OPS_GATHER_H
#define GLNN__OPS_GATHER_H

#include "tex/matrix.h"

/* Row i < count of out = row index[first + i] of x, or row first + i where `index` is NULL; rows
 * from `count` on are zero. Entries of the index are clamped to 0 ... samples - 1. Arguments are
 * not checked. */
glnn_status glnn__gather(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *index,
                         int first, int count, int samples, glnn_matrix *out);

#endif
