#include "tex/matrices.h"

static int count_of(const glnn__matrices *list)
{
    int count = 0;
    while (count < GLNN__MAX_MATRICES && list->of[count].matrix)
        ++count;
    return count;
}

glnn_status glnn__matrices_create(glnn_context *ctx, glnn__matrix_create_fn create,
                                  const glnn__matrices *list)
{
    const int count = count_of(list);
    glnn_status status = GLNN_OK;
    glnn__matrices_destroy(list);
    for (int i = 0; i < count && !status; ++i)
        if (list->of[i].rows > 0)
            status = create(ctx, list->of[i].layout, list->of[i].rows, list->of[i].columns,
                            list->of[i].name, list->of[i].matrix);
    if (status)
        glnn__matrices_destroy(list);
    return status;
}

void glnn__matrices_destroy(const glnn__matrices *list)
{
    for (int i = 0; i < count_of(list); ++i) {
        glnn_matrix_destroy(*list->of[i].matrix);
        *list->of[i].matrix = NULL;
    }
}
