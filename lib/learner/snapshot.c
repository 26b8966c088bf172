#include "learner/snapshot.h"

#include "base/status.h"
#include "pass/list.h"

#include <glnn/copy.h>

static glnn_status create(const glnn_matrix *matrix, glnn_matrix **copy)
{
    return glnn__matrix_create_scratch(matrix->ctx, matrix->layout, matrix->rows, matrix->columns,
                                       "snapshot", copy);
}

/* Once its programs are compiled, the texture of the copy waits in the pool for the first
 * snapshot. */
static glnn_status record(glnn_matrix *matrix)
{
    glnn_matrix *copy;
    GLNN__TRY(create(matrix, &copy));
    glnn_status status = glnn_copy(matrix->ctx, matrix, copy);
    if (!status)
        status = glnn_copy(matrix->ctx, copy, matrix);
    glnn__scratch_destroy(copy);
    return status;
}

glnn_status glnn__snapshot_take(glnn_matrix *matrix, glnn_matrix **copy)
{
    if (!matrix)
        return GLNN_OK;
    if (matrix->ctx->list)
        return record(matrix);
    if (!*copy)
        GLNN__TRY(create(matrix, copy));
    return glnn_copy(matrix->ctx, matrix, *copy);
}

glnn_status glnn__snapshot_restore(const glnn_matrix *copy, glnn_matrix *matrix)
{
    return matrix ? glnn_copy(matrix->ctx, copy, matrix) : GLNN_OK;
}
