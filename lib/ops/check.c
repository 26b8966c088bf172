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
        return glnn__fail(GLNN_E_ARG, "%s: `%s` (%s) belongs to another context", what, role,
                          matrix->name);
    return glnn__matrix_check_full(what, matrix);
}

glnn_status glnn__check_output(const glnn_context *ctx, const char *what, const char *role,
                               const glnn_matrix *matrix)
{
    GLNN__TRY(glnn__check_operand(ctx, what, role, matrix));
    if (matrix->layout == GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `%s` (%s) is paged; only uploads can write a paged matrix", what,
                          role, matrix->name);
    return GLNN_OK;
}

glnn_status glnn__check_shape(const char *what, const char *role, const glnn_matrix *matrix,
                              int rows, int columns)
{
    if (matrix->rows == rows && matrix->columns == columns)
        return GLNN_OK;
    return glnn__fail(GLNN_E_SHAPE, "%s: `%s` (%s) is %d x %d; it must be %d x %d", what, role,
                      matrix->name, matrix->rows, matrix->columns, rows, columns);
}

glnn_status glnn__check_enumerator(const char *what, const char *role, int value, int count)
{
    if (value >= 0 && value < count)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s: %s is %d, which is not in the enumeration", what, role,
                      value);
}
