#include "pass/view.h"

static glnn__view identity(void)
{
    glnn__view view;
    glm_mat3_identity(view.map);
    return view;
}

glnn__view glnn__view_transposed(void)
{
    return (glnn__view){{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}};
}

glnn__view glnn__view_shifted(int row, int column)
{
    glnn__view view = identity();
    view.map[2][0] = (float)column;
    view.map[2][1] = (float)row;
    return view;
}

glnn__view glnn__view_broadcast(bool rows, bool columns)
{
    glnn__view view = identity();
    view.map[0][0] = columns ? 0 : 1;
    view.map[1][1] = rows ? 0 : 1;
    return view;
}

glnn__view glnn__view_compose(const glnn__view *second, const glnn__view *first)
{
    glnn__view a = *second, b = *first, result;
    glm_mat3_mul(a.map, b.map, result.map);
    return result;
}

static glnn__view resolve(const glnn__view *view)
{
    return view->map[2][2] != 0 ? *view : identity();
}

void glnn__view_integers(const glnn__view *view, int out[6])
{
    const glnn__view resolved = resolve(view);
    for (int axis = 0; axis < 2; ++axis) {
        int *to = out + (axis == 0 ? 3 : 0); /* cglm's first coordinate is the column */
        to[0] = (int)resolved.map[1][axis];
        to[1] = (int)resolved.map[0][axis];
        to[2] = (int)resolved.map[2][axis];
    }
}

glnn__reading glnn__view_reading(const glnn__view *view, glnn_layout operand, glnn_layout output,
                                 bool is_covered)
{
    int m[6];
    glnn__view_integers(view, m);
    const glnn__layout_info *info = glnn__layout_get(output);
    const bool is_identity =
        m[0] == 1 && m[1] == 0 && m[2] == 0 && m[3] == 0 && m[4] == 1 && m[5] == 0;
    if (is_identity && operand == output && is_covered)
        return GLNN__READING_SAME;
    const bool keeps_columns = m[1] == 0 && m[3] == 0 && m[4] == 1;
    if (keeps_columns && m[0] == 0 && m[2] == 0 && m[5] == 0)
        return GLNN__READING_ROW;
    if (keeps_columns && m[5] % info->channels == 0)
        return GLNN__READING_TEXELS;
    const bool is_transposed =
        m[0] == 0 && m[1] == 1 && m[2] == 0 && m[3] == 1 && m[4] == 0 && m[5] == 0;
    if (is_transposed)
        return GLNN__READING_SQUARES;
    const bool is_first = m[2] == 0 && m[3] == 0 && m[4] == 0 && m[5] == 0;
    if (is_first && m[0] == 1 && m[1] == 0)
        return GLNN__READING_COLUMN;
    if (is_first && m[0] == 0 && m[1] == 1)
        return GLNN__READING_LINE;
    return GLNN__READING_ELEMENTS;
}
