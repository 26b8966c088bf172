/* The functions of the table of operations, a pair for each public function. */
#ifndef TESTS_FAMILIES_H
#define TESTS_FAMILIES_H

#include "operations/operation.h"

/* The unit of all error bounds. */
#define ROUNDING 0x1p-24

/* The expression of the row of glnn_map_apply_expression. */
#define EXPRESSION "x * x + 100.0 * float(row) + float(column)"

run_fn run_map, run_derivative, run_expression, run_binary, run_axpby, run_axpy, run_softmax;
run_fn run_fill, run_uniform, run_normal;
run_fn run_copy, run_copy_rect, run_transpose, run_gather, run_scatter, run_reduce, run_gemm,
    run_outer;

reference_fn map_row, derivative_row, expression_row, binary_row, axpby_row, softmax_row;
reference_fn fill_row, uniform_row, normal_row;
reference_fn copy_row, copy_rect_row, transpose_row, gather_row, scatter_row, reduce_row, gemm_row,
    outer_row;

/* The error that a map adds to its result `y`, and that its derivative adds at a place where the
 * result is `y`. */
double map_bound(glnn_map map, double y);
double slope_bound(glnn_map map, double y);

static inline double element(elements of, int row, int column)
{
    return (double)of.data[(size_t)row * (size_t)of.columns + (size_t)column];
}

#endif
