#include "ops/check.h"

#include "base/status.h"
#include "gl/lifetime.h"

glnn_status glnn__check_operand(const glnn_context *ctx, const char *what, const char *role,
                                const glnn_matrix *matrix)
{
    if (!ctx)
        return glnn__fail_null(what, "ctx");
    GLNN__TRY(glnn__context_check(what, NULL, ctx));
    if (!matrix)
        return glnn__fail_null(what, role);
    if (matrix->ctx != ctx)
        return glnn__fail(GLNN_E_ARG, "%s: %s, %s, belongs to another context", what, role,
                          matrix->name);
    return GLNN_OK;
}

glnn_status glnn__check_output(const glnn_context *ctx, const char *what, const char *role,
                               const glnn_matrix *matrix)
{
    GLNN__TRY(glnn__check_operand(ctx, what, role, matrix));
    if (matrix->layout == GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "%s: %s, %s, is paged; only uploads write such a matrix",
                          what, role, matrix->name);
    return GLNN_OK;
}

glnn_status glnn__check_shape(const char *what, const char *role, const glnn_matrix *matrix,
                              int rows, int columns)
{
    if (matrix->rows == rows && matrix->columns == columns)
        return GLNN_OK;
    return glnn__fail(GLNN_E_SHAPE, "%s: %s, %s, is %d x %d; it has to be %d x %d", what, role,
                      matrix->name, matrix->rows, matrix->columns, rows, columns);
}

glnn_status glnn__check_map(const char *what, glnn_map map)
{
    if ((unsigned)map < GLNN_MAP_COUNT)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s: map %d is unknown", what, (int)map);
}
