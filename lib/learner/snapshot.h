/* Copies of matrices that a learner sets aside and brings back. */
#ifndef GLNN__LEARNER_SNAPSHOT_H
#define GLNN__LEARNER_SNAPSHOT_H

#include "tex/matrix.h"

/* Copies a matrix to *copy, which is made if it is NULL; a NULL matrix has no copy. While passes
 * are recorded, this records the passes of both functions, and *copy stays as it was. */
glnn_status glnn__snapshot_take(glnn_matrix *matrix, glnn_matrix **copy);

/* Copies it back. */
glnn_status glnn__snapshot_restore(const glnn_matrix *copy, glnn_matrix *matrix);

#endif
