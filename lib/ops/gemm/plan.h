/* Inner products as passes: what is asked for, how it is cut, and doing it. */
#ifndef GLNN__OPS_GEMM_PLAN_H
#define GLNN__OPS_GEMM_PLAN_H

#include "ops/gemm/model.h"

#include <glnn/gemm.h>

/* c = keep * c + f(alpha * op(a) op(b) + beta * addend + bias) [* g'(derivative_of)], checked before.
 * Beside glnn_gemm, learners use it: b may have more rows than are read (transpose_b), and the addend
 * need not be c. What is kept excludes that the addend is c. */
typedef struct glnn__product {
    const glnn_matrix *a, *b, *addend, *bias, *derivative_of;
    glnn_matrix *c;
    float alpha, beta, keep;
    bool transpose_a, transpose_b, augment;
    glnn_map activation, derivative;
    int slice;
    glnn_accumulate accumulate;
    const glnn__epilogue *epilogue; /* of the pass that finishes c; NULL: none */
} glnn__product;

/* How a product is cut. */
typedef struct glnn__plan {
    int inner; /* inner indices, without a constant unit */
    int slice; /* inner indices of one slice, a multiple of eight where there are several, of four
                  where they are joined */
    int slices;
    bool partial;   /* slices side by side, then a fold */
    bool joined;    /* slices in a work group, which sums them; else one pass a slice, blended */
    bool in_place;  /* beta * c is left to blending */
    bool maps;      /* the finished sum goes through a map */
    int block_rows; /* rows of blocks of c, made even where slices share */
    int stack;      /* blocks of c that a fragment computes */
    int group;      /* elements along a side of a work group that shares what it reads; 0: none */
    bool shares;    /* fragments of a quad share what they fetch */
    glnn__fetching fetching;
    bool layered; /* layers of tiled factors are textures by themselves */
    glnn__literals literals;
    double pass_us;     /* of the product's pass, for the limit; 0: no limit, or short */
    double expected_us; /* by the cost model; 0 where it was not asked */
} glnn__plan;

glnn_status glnn__plan_make(glnn_context *ctx, const glnn__product *product, glnn__plan *out);
glnn_status glnn__plan_run(glnn_context *ctx, const glnn__product *product, const glnn__plan *plan);

/* The plan in a line of words. */
void glnn__plan_describe(const glnn_context *ctx, const glnn__product *product,
                         const glnn__plan *plan, char *text, size_t size);

/* Both. */
glnn_status glnn__product_run(glnn_context *ctx, const glnn__product *product);

/* True where an operand is what is written to. */
bool glnn__product_reads_target(const glnn__product *product);

/* Whether a plan's fragments can read a factor whose layers are textures by themselves: not in work
 * groups that share, nor from the second half of a tile on, where a joined slice may begin. */
bool glnn__plan_can_split(const glnn_context *ctx, const glnn__product *product,
                          const glnn__plan *plan);

/* The plan of a cut; `shares` false: fragments do not share, though they can. */
void glnn__plan_cut(const glnn_context *ctx, const glnn__product *product, const glnn__cut *cut,
                    bool shares, glnn__plan *plan);

#endif
