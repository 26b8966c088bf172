/* Matrices that are created and destroyed together, from one table. */
#ifndef GLNN__TEX_MATRICES_H
#define GLNN__TEX_MATRICES_H

#include "tex/matrix.h"

enum { GLNN__MAX_MATRICES = 10 };

/* A list ends with its last item or with zeros. */
typedef struct glnn__matrices {
    struct {
        glnn_matrix **matrix;
        glnn_layout layout;
        int rows, columns; /* rows 0: the matrix is NULL */
        const char *name;
    } of[GLNN__MAX_MATRICES];
} glnn__matrices;

/* glnn__matrix_create_zero or glnn__matrix_create_scratch. */
typedef glnn_status (*glnn__matrix_create_fn)(glnn_context *ctx, glnn_layout layout, int rows,
                                              int columns, const char *name, glnn_matrix **out);

/* Destroys the former matrices and creates new ones. After a failure there are none. */
glnn_status glnn__matrices_create(glnn_context *ctx, glnn__matrix_create_fn create,
                                  const glnn__matrices *list);

/* Destroys the matrices that exist, and sets the pointers to NULL. */
void glnn__matrices_destroy(const glnn__matrices *list);

#endif
