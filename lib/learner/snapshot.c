#include "learner/snapshot.h"

#include "base/status.h"

#include <glnn/copy.h>

glnn_status glnn__snapshot_take(const glnn_matrix *matrix, glnn_matrix **copy)
{
    if (!matrix)
        return GLNN_OK;
    if (!*copy)
        GLNN__TRY(glnn__matrix_create_scratch(matrix->ctx, matrix->layout, matrix->rows,
                                              matrix->columns, "snapshot", copy));
    return glnn_copy(matrix->ctx, matrix, *copy);
}

glnn_status glnn__snapshot_restore(const glnn_matrix *copy, glnn_matrix *matrix)
{
    return matrix ? glnn_copy(matrix->ctx, copy, matrix) : GLNN_OK;
}
