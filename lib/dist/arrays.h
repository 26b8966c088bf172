/* Sums of arrays by the threads of a pool. */
#ifndef GLNN__DIST_ARRAYS_H
#define GLNN__DIST_ARRAYS_H

#include "base/pool.h"

#include <glnn/matrix.h>

/* Bytes of a number. */
size_t glnn__mpi_size_of(glnn_storage storage);

/* to[i] = ((from[0][i] + from[1][i]) + from[2][i]) + ... of `arrays` arrays with `count` numbers.
 * Numbers are added in float32 and rounded once. `to` may be one of the arrays. The pool does not
 * change the order of a sum. */
void glnn__mpi_add(glnn__pool *pool, glnn_storage storage, void *to, const void *const *from,
                   int arrays, size_t count);

#endif
