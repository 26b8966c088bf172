#include "pass/view.h"

static const glnn__view identity = {{1, 0, 0}, {0, 1, 0}, true};

glnn__view glnn__view_resolve(const glnn__view *view)
{
    return view->is_given ? *view : identity;
}

glnn__view glnn__view_transposed(void)
{
    return (glnn__view){{0, 1, 0}, {1, 0, 0}, true};
}

glnn__view glnn__view_shifted(int row, int column)
{
    return (glnn__view){{1, 0, row}, {0, 1, column}, true};
}

glnn__view glnn__view_broadcast(bool rows, bool columns)
{
    return (glnn__view){{!rows, 0, 0}, {0, !columns, 0}, true};
}

glnn__view glnn__view_rectangle(const glnn_rect *rect, bool is_transposed)
{
    return (glnn__view){
        {rect->row, rect->rows, is_transposed}, {rect->column, rect->columns, is_transposed}, true};
}

glnn__view glnn__view_compose(const glnn__view *second, const glnn__view *first)
{
    const glnn__view a = glnn__view_resolve(second), b = glnn__view_resolve(first);
    glnn__view result = {.is_given = true};
    for (int i = 0; i < 3; ++i) {
        result.row[i] = a.row[0] * b.row[i] + a.row[1] * b.column[i];
        result.column[i] = a.column[0] * b.row[i] + a.column[1] * b.column[i];
    }
    result.row[2] += a.row[2];
    result.column[2] += a.column[2];
    return result;
}

static bool is(const int map[3], int by_row, int by_column, int shift)
{
    return map[0] == by_row && map[1] == by_column && map[2] == shift;
}

glnn__reading glnn__view_reading(const glnn__view *view, glnn_layout operand, glnn_layout output,
                                 bool is_covered)
{
    const glnn__view v = glnn__view_resolve(view);
    const bool keeps_columns = v.column[0] == 0 && v.column[1] == 1;
    const bool is_first_column = is(v.column, 0, 0, 0);
    if (is(v.row, 1, 0, 0) && is(v.column, 0, 1, 0) && operand == output && is_covered)
        return GLNN__READING_SAME;
    if (is(v.row, 0, 0, 0) && is(v.column, 0, 1, 0))
        return GLNN__READING_ROW;
    if (v.row[1] == 0 && keeps_columns && v.column[2] % glnn__layout_channels(output) == 0)
        return GLNN__READING_TEXELS;
    if (is(v.row, 0, 1, 0) && is(v.column, 1, 0, 0))
        return GLNN__READING_SQUARES;
    if (is_first_column && is(v.row, 1, 0, 0))
        return GLNN__READING_COLUMN;
    if (is_first_column && is(v.row, 0, 1, 0))
        return GLNN__READING_LINE;
    return GLNN__READING_ELEMENTS;
}
