/* A matrix in one call. */
#ifndef EXAMPLES_MATRIX_H
#define EXAMPLES_MATRIX_H

#include <glnn/matrix.h>

#include "check.h"

/* Zeros. A failure ends the program, as with CHECK. */
static inline glnn_matrix *create_matrix(glnn_context *ctx, int rows, int columns)
{
    glnn_matrix *made;
    CHECK(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns}, &made));
    return made;
}

#endif
