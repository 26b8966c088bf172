/* The functions of the table of operations, a pair for each public function. */
#ifndef GLNN__SELFTEST_FAMILIES_H
#define GLNN__SELFTEST_FAMILIES_H

#include "selftest/operation.h"

/* The expression of the row of glnn_map_apply_expression. */
#define GLNN__EXPRESSION "x * x + 100.0 * float(row) + float(column)"

glnn__operation_run glnn__run_map, glnn__run_derivative, glnn__run_expression, glnn__run_binary,
    glnn__run_axpby, glnn__run_axpy, glnn__run_softmax;
glnn__operation_run glnn__run_fill, glnn__run_uniform, glnn__run_normal;
glnn__operation_run glnn__run_copy, glnn__run_copy_rect, glnn__run_transpose, glnn__run_gather,
    glnn__run_scatter, glnn__run_reduce, glnn__run_gemm, glnn__run_outer;

glnn__operation_reference glnn__map_row, glnn__derivative_row, glnn__expression_row,
    glnn__binary_row, glnn__axpby_row, glnn__softmax_row;
glnn__operation_reference glnn__fill_row, glnn__uniform_row, glnn__normal_row;
glnn__operation_reference glnn__copy_row, glnn__copy_rect_row, glnn__transpose_row,
    glnn__gather_row, glnn__scatter_row, glnn__reduce_row, glnn__gemm_row, glnn__outer_row;

static inline double glnn__element(glnn__elements of, int row, int column)
{
    return (double)of.data[(size_t)row * (size_t)of.columns + (size_t)column];
}

#endif
