/* The references of the table of operations for operands that a test makes itself. */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include "support.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

#include "selftest/maps.h"

/* The operands of a matrix product; c, bias and y (of derivative_of) may be absent. The pointers
 * in the description are not looked at. */
typedef struct gemm_operands {
    array a, b, c, bias, y;
} gemm_operands;

expected reference_gemm(const glnn_gemm_desc *desc, float alpha, float beta,
                        const gemm_operands *in);
expected reference_map_apply(glnn_map map, array x);
expected reference_softmax(array x);

/* The numbers u of glnn_fill_uniform, in [0, 1). */
array reference_uniform(uint64_t seed, int rows, int columns);
expected reference_normal(uint64_t seed, float mean, float deviation, int rows, int columns);

/* `passes` is how many passes the library took, which the bound depends on. */
expected reference_reduce(glnn_reduction reduction, glnn_axis axis, array x, int passes);

array reference_transpose(array x);
array reference_copy_rect(array x, glnn_rect from, array out, int row, int column);
array reference_gather_rows(array x, array index, int first, int count, int rows);

#endif
