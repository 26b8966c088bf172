/* The plan of a matrix product: how it becomes passes. */
#ifndef GLNN__OPS_GEMM_PLAN_H
#define GLNN__OPS_GEMM_PLAN_H

#include "ops/gemm/cost.h"
#include "ops/gemm/product.h"

typedef struct glnn__plan {
    glnn__cut cut;
    int inner;    /* inner indices, without a constant unit */
    int slice;    /* inner indices of one slice: a multiple of eight, or of four in joined slices */
    bool partial; /* slices side by side, then a fold; else joined, or blended pass by pass */
    int block_rows; /* rows of blocks of c, a multiple of the rows that fragments share */
    double pass_us; /* of the pass, for the context's limit; 0: no limit, or short */
} glnn__plan;

/* The plan of a cut. A way to read or to share that the product does not allow is dropped. */
void glnn__plan_make(const glnn_context *ctx, const glnn__product *product, const glnn__cut *cut,
                     glnn__plan *out);

/* The plan of a product whose caller has chosen the slices: their length, and blended or not. */
void glnn__plan_make_told(const glnn_context *ctx, const glnn__product *product,
                          const glnn__cut *cut, glnn__plan *out);

/* The plan of a product; one that was chosen before is found again. */
glnn_status glnn__plan_choose(glnn_context *ctx, const glnn__product *product, glnn__plan *out);

glnn_status glnn__plan_run(glnn_context *ctx, const glnn__product *product, const glnn__plan *plan);

/* The pass of a plan over inner indices begin to end, into `output`. */
glnn__pass glnn__product_pass(const glnn__product *product, const glnn__plan *plan, int begin,
                              int end, glnn_matrix *output);

/* The plan as a line of words. */
void glnn__plan_describe(const glnn_context *ctx, const glnn__product *product,
                         const glnn__plan *plan, char *text, size_t size);

/* Whether the fragments of a cut can read a factor layer by layer: not in work groups that share, and
 * not if a slice can begin in the middle of a tile, as a joined one can. */
bool glnn__cut_can_split(const glnn_context *ctx, const glnn__product *product,
                         const glnn__cut *cut);

#endif
