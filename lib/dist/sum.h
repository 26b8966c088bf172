/* Sums of arrays by the threads of a pool. */
#ifndef GLNN__DIST_SUM_H
#define GLNN__DIST_SUM_H

#include "base/pool.h"

/* to[i] = ((from[0][i] + from[1][i]) + from[2][i]) + ... of `arrays` arrays with `count` numbers.
 * `to` may be one of the arrays. The pool does not change the order of a sum. */
void glnn__mpi_add(glnn__pool *pool, void *to, const void *const *from, int arrays, size_t count);

#endif
