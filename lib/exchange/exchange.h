/* The exchange of matrices between the processes of a training.
 *
 * A learner begins a sum when the passes that compute a matrix have been submitted, and ends it
 * before the passes that read the sum are submitted. In between, the matrix travels: from its
 * texture to a pixel buffer, to the messenger, and back. Nothing waits before glnn__exchange_end.
 * All processes have the same layouts, so that texels travel as they are.
 *
 * With NULL for the exchange, one process trains alone: both functions do nothing. */
#ifndef GLNN__EXCHANGE_EXCHANGE_H
#define GLNN__EXCHANGE_EXCHANGE_H

#include "tex/matrix.h"

#include <glnn/exchange.h>

typedef struct glnn__exchange glnn__exchange;

/* Checks the description. E_ARG sentences name its members. */
glnn_status glnn__exchange_check(const glnn_exchange_desc *desc);

/* *out is NULL where the description has no messenger. */
glnn_status glnn__exchange_create(glnn_context *ctx, const glnn_exchange_desc *desc,
                                  glnn__exchange **out);
void glnn__exchange_destroy(glnn__exchange *exchange);

int glnn__exchange_rank(const glnn__exchange *exchange);  /* without one 0 */
int glnn__exchange_ranks(const glnn__exchange *exchange); /* without one 1 */

/* This process's share of `count` samples: the samples from *first on. Shares of all processes
 * follow one another in the order of the ranks. */
int glnn__exchange_share(const glnn__exchange *exchange, int count, int *first);

/* Begins to sum a matrix over all processes. `number` tells it apart from others under way; all
 * processes begin the same matrices in the same order. */
glnn_status glnn__exchange_begin(glnn__exchange *exchange, int number, glnn_matrix *matrix);

/* The matrix has the sum for all passes that are submitted after this. */
glnn_status glnn__exchange_end(glnn__exchange *exchange, int number);

/* Sums numbers over all processes, in the order of the ranks; waits. */
glnn_status glnn__exchange_sum(glnn__exchange *exchange, double *values, int count);

/* Tells the other processes that this one failed with `status`, unless one of them was the reason.
 * Returns `status`. */
glnn_status glnn__exchange_fail(glnn__exchange *exchange, glnn_status status);

#endif
