#include "data/list.h"

#include "base/integers.h"

const glnn__enumerator glnn__list_enumerators[] = {GLNN__ENUMERATOR(GLNN__LIST_COLUMNS), {0}};

int glnn__list_rows(int length)
{
    return glnn__ceil_div(length, GLNN__LIST_COLUMNS);
}

glnn_status glnn__list_create(glnn_context *ctx, glnn_layout layout, int length, const char *name,
                              glnn_matrix **out)
{
    return glnn__matrix_create_zero(ctx, layout, glnn__list_rows(length), GLNN__LIST_COLUMNS, name,
                                    out);
}
