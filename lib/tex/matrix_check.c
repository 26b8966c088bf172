#include "tex/matrix.h"

#include "base/status.h"

glnn_status glnn__matrix_check_full(const char *function, const glnn_matrix *matrix)
{
    if (matrix->texture)
        return GLNN_OK;
    return glnn__fail(
        GLNN_E_STATE,
        "%s: the matrix `%s` of a network is empty, because the network has computed no "
        "samples since its precision was set or memory ran out",
        function, matrix->name);
}

glnn_status glnn__matrix_rect(const char *function, const glnn_matrix *matrix,
                              const glnn_rect *rect, glnn_rect *out)
{
    const glnn_rect whole = {0, 0, matrix->rows, matrix->columns};
    *out = rect ? *rect : whole;
    /* Differences, because sums of the caller's numbers could overflow. */
    if (out->rows < 1 || out->columns < 1 || out->row < 0 || out->column < 0 ||
        out->row > matrix->rows - out->rows || out->column > matrix->columns - out->columns)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: a rectangle of %d x %d at (%d, %d) does not lie inside %s, %d x %d",
                          function, out->rows, out->columns, out->row, out->column, matrix->name,
                          matrix->rows, matrix->columns);
    return GLNN_OK;
}
