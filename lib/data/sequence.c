#include "data/sequence.h"

#include "base/integers.h"

const glnn__enumerator glnn__sequence_enumerators[] = {GLNN__ENUMERATOR(GLNN__SEQUENCE_COLUMNS),
                                                       {0}};

int glnn__sequence_rows(int length)
{
    return glnn__ceil_div(length, GLNN__SEQUENCE_COLUMNS);
}

glnn_status glnn__sequence_create(glnn_context *ctx, glnn_layout layout, int length,
                                  const char *name, glnn_matrix **out)
{
    return glnn__matrix_create_zero(ctx, layout, glnn__sequence_rows(length),
                                    GLNN__SEQUENCE_COLUMNS, name, out);
}
