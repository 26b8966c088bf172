#include "ops/distances.h"

#include "ops/gemm/product.h"
#include "ops/reduce.h"
#include "pass/pass.h"

enum { COUNT, SLICE_GROUPS };

static const glnn__kernel pairs_kernel = {
    .name = "ops/distances",
    .operands = {"WINNERS", "X", "M"},
    .unviewed = 3,
    .uniforms = {[COUNT] = "int count", [SLICE_GROUPS] = "int slice_groups"},
};

/* The greatest number of features in a slice. */
#define SLICE_FEATURES 128

glnn_status glnn__row_norms(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    return glnn__reduce_across(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, x, out);
}

glnn_status glnn__row_scores(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *m,
                             const glnn_matrix *norms, glnn_matrix *out)
{
    const glnn__product product = {
        .a = x,
        .b = m,
        .bias = norms,
        .c = out,
        .alpha = {.f = -2},
        .transpose_b = true,
    };
    return glnn__product_run(ctx, &product);
}

int glnn__pair_distance_columns(int features)
{
    return 4 * ((features - 1) / SLICE_FEATURES + 1);
}

glnn_status glnn__pair_distances(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *m,
                                 const glnn_matrix *winners, int count, glnn_matrix *out)
{
    const int slices = out->columns / 4, groups = (x->columns + 3) / 4;
    return glnn__pass_run(
        ctx,
        &(glnn__pass){
            .kernel = &pairs_kernel,
            .operands = {{.matrix = winners}, {.matrix = x}, {.matrix = m}},
            .output = out,
            .uniforms = {[COUNT] = {.i = count}, [SLICE_GROUPS] = {.i = (groups - 1) / slices + 1}},
        });
}
