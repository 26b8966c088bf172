#include "reference.h"

#include "problems.h"
#include "selftest/families.h"

static glnn__elements elements_of(array values)
{
    return (glnn__elements){values.rows, values.columns, values.data ? floats_of(values) : NULL};
}

static glnn__elements elements_shaped(int rows, int columns)
{
    return (glnn__elements){.rows = rows, .columns = columns};
}

expected reference_gemm(const glnn_gemm_desc *desc, float alpha, float beta,
                        const gemm_operands *in)
{
    const glnn__operation op = {
        .reference = glnn__gemm_row, .gemm = *desc, .alpha = alpha, .beta = beta};
    const int more = desc->augment ? 1 : 0;
    const int rows = desc->transpose_a ? in->a.columns + more : in->a.rows;
    const glnn__problem p = {
        .op = &op,
        .operand = {elements_of(in->a), elements_of(in->b), elements_of(in->bias),
                    elements_of(in->y)},
        .former = elements_of(in->c),
        .out = elements_shaped(rows, desc->transpose_b ? in->b.rows : in->b.columns)};
    return expected_of(&p);
}

/* An operation of one operand, whose result is as large. */
static expected of_elements(const glnn__operation *op, array x)
{
    const glnn__problem p = {
        .op = op, .operand = {elements_of(x)}, .out = elements_shaped(x.rows, x.columns)};
    return expected_of(&p);
}

expected reference_map_apply(glnn_map map, array x)
{
    return of_elements(&(glnn__operation){.reference = glnn__map_row, .map = map}, x);
}

expected reference_softmax(array x)
{
    return of_elements(&(glnn__operation){.reference = glnn__softmax_row}, x);
}

array reference_uniform(uint64_t seed, int rows, int columns)
{
    const glnn__operation op = {.reference = glnn__uniform_row, .seed = seed, .beta = 1};
    const glnn__problem p = {.op = &op, .out = elements_shaped(rows, columns)};
    return expected_of(&p).value;
}

expected reference_normal(uint64_t seed, float mean, float deviation, int rows, int columns)
{
    const glnn__operation op = {
        .reference = glnn__normal_row, .seed = seed, .alpha = mean, .beta = deviation};
    const glnn__problem p = {.op = &op, .out = elements_shaped(rows, columns)};
    return expected_of(&p);
}

expected reference_reduce(glnn_reduction reduction, glnn_axis axis, array x, int passes)
{
    const glnn__operation op = {
        .reference = glnn__reduce_row, .reduction = reduction, .axis = axis};
    const glnn__problem p = {.op = &op,
                             .operand = {elements_of(x)},
                             .out = elements_shaped(axis == GLNN_AXIS_ROWS ? x.rows : 1,
                                                    axis == GLNN_AXIS_COLUMNS ? x.columns : 1),
                             .passes = passes};
    return expected_of(&p);
}

array reference_transpose(array x)
{
    array out = array_new(x.columns, x.rows);
    for (int i = 0; i < x.rows; ++i)
        for (int j = 0; j < x.columns; ++j)
            *at(out, j, i) = *at(x, i, j);
    return out;
}

array reference_copy_rect(array x, glnn_rect from, array out, int row, int column)
{
    const glnn__operation op = {.reference = glnn__copy_rect_row};
    const glnn__problem p = {.op = &op,
                             .operand = {elements_of(x)},
                             .former = elements_of(out),
                             .out = elements_shaped(out.rows, out.columns),
                             .from = from,
                             .row = row,
                             .column = column};
    return expected_of(&p).value;
}

array reference_gather_rows(array x, array index, int first, int count, int rows)
{
    const glnn__operation op = {.reference = glnn__gather_row};
    const glnn__problem p = {.op = &op,
                             .operand = {elements_of(x), elements_of(index)},
                             .out = elements_shaped(rows, x.columns),
                             .first = first,
                             .count = count};
    return expected_of(&p).value;
}
