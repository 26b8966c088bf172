/* The columns of the table of operations that compute on the CPU. */
#ifndef BENCH_OPERATION_KINDS_H
#define BENCH_OPERATION_KINDS_H

#include "common/operation.h"

typedef void operation_plain(const operands *in);
typedef void operation_reference(const operands *in, int row, double *value, double *bound);

operation_plain plain_nn, plain_nt, plain_tn, plain_gemv;
operation_plain plain_relu, plain_sigmoid, plain_tanh, plain_exp, plain_add, plain_multiply;
operation_plain plain_axpby, plain_softmax, plain_copy, plain_transpose, plain_gather;
operation_plain plain_sum, plain_sum_rows, plain_sum_columns, plain_max;
operation_plain plain_argmin_rows, plain_argmin_columns;

operation_plain blas_nn, blas_nt, blas_tn, blas_axpby, blas_copy, blas_transpose;
operation_plain blas_sum, blas_sum_rows;

operation_reference reference_nn, reference_nt, reference_tn, reference_relu, reference_sigmoid,
    reference_tanh;
operation_reference reference_exp, reference_add, reference_multiply, reference_axpby;
operation_reference reference_softmax, reference_copy, reference_transpose, reference_gather;
operation_reference reference_sum, reference_sum_rows, reference_sum_columns, reference_max;
operation_reference reference_argmin_rows, reference_argmin_columns;

#define AXPBY_ALPHA 0.5f
#define AXPBY_BETA  0.25f

#endif
