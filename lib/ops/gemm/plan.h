/* The plan of a matrix product: how it is cut into passes. */
#ifndef GLNN__OPS_GEMM_PLAN_H
#define GLNN__OPS_GEMM_PLAN_H

#include "ops/gemm/product.h"

/* ---- Kernels */

/* In the compute stage work groups can share their fetches by the second kernel. Both have the same
 * operands, options and uniforms. */
extern const glnn__kernel glnn__gemm_kernel, glnn__gemm_shared_kernel;

/* Operands. */
enum { GLNN__GEMM_A, GLNN__GEMM_B, GLNN__GEMM_C, GLNN__GEMM_BIAS, GLNN__GEMM_Y };

/* Options. */
enum {
    GLNN__GEMM_TRANSPOSE_A,
    GLNN__GEMM_TRANSPOSE_B,
    GLNN__GEMM_UNIT,
    GLNN__GEMM_PARTIAL,
    GLNN__GEMM_ACTIVATION,
    GLNN__GEMM_DERIVATIVE,
    GLNN__GEMM_AHEAD,                       /* of fold */
    GLNN__GEMM_UNALIGNED = GLNN__GEMM_AHEAD /* of glnn__gemm_kernel */
};

/* Uniforms. */
enum {
    GLNN__GEMM_INNER_BEGIN,
    GLNN__GEMM_INNER_END,
    GLNN__GEMM_SLICE_LENGTH,
    GLNN__GEMM_SLICE_BLOCKS,
    GLNN__GEMM_ALPHA,
    GLNN__GEMM_BETA,
    GLNN__GEMM_SLICES
};

/* ---- Plans */

typedef struct glnn__plan {
    int slices; /* of the inner dimension; 1: none; 0: the factors are not read */
    glnn__blocking blocking;
    glnn__fetching fetching;
    double expected_us; /* 0: unknown */

    /* Numbers that follow for a product, by glnn__plan_complete. */
    int slice;      /* inner indices of one slice: those that the caller wants, else a multiple of
                       eight, or of four in slices of work groups */
    bool partial;   /* one pass for all slices and one that adds them; else one work group computes
                       and sums them, or they are blended */
    int block_rows; /* rows of blocks of a slice: those of c, rounded up for sharing */
    double pass_us; /* of the pass, by the device profile; 0: no limit, or short */
} glnn__plan;

/* The plan of a product, which is completed. The context remembers it for the next product that is
 * the same to plans. */
glnn_status glnn__plan_choose(glnn_context *ctx, glnn__product *product, glnn__plan *out);

/* Fills in what a plan depends on, except can_stack. */
void glnn__product_complete(const glnn_context *ctx, glnn__product *product);

/* Computes the numbers of a plan from its cut. A way to read or to share that the product does not
 * allow is dropped: work groups that share, for example, begin with a column group. */
void glnn__plan_complete(const glnn_context *ctx, const glnn__product *product, glnn__plan *plan);

/* Whether a cut can read the layers of a factor as separate textures. It cannot in work groups. It
 * cannot either if the place of a fragment decides which layer it reads, because textures cannot be
 * chosen by place. That is so in a transposed A and in windows, and also in the weights of windows
 * that are read by taps. */
bool glnn__plan_can_split(const glnn_context *ctx, const glnn__product *product,
                          const glnn__plan *plan, int factor);

/* The plan as a line of words. */
void glnn__plan_describe(const glnn_context *ctx, const glnn__product *product,
                         const glnn__plan *plan, char *text, size_t size);

/* With a stride, the gradient of an input is computed phase by phase, and a fold then puts its rows
 * in order; see window.glsl. */
bool glnn__window_is_phased(const glnn__window *window);

/* ---- Cuts, and their cost by the device profile */

/* Lists the cuts to consider, those with few slices first, and returns their number. */
#define GLNN__MAX_CUTS 48
int glnn__cost_cuts(const glnn_context *ctx, const glnn__product *product,
                    glnn__plan out[GLNN__MAX_CUTS]);

/* The time that the passes of a cut should take, in microseconds. */
double glnn__cost_time(const glnn_context *ctx, const glnn__profile *profile,
                       const glnn__product *product, const glnn__plan *cut);

/* The cut with the least expected time. */
glnn_status glnn__cost_choose(glnn_context *ctx, const glnn__product *product, glnn__plan *out);

/* ---- The plans that a context remembers */

/* Before a context remembers more plans than these, it forgets all of them. They are far more than
 * a program's different products, and take about a megabyte. */
#define GLNN__MOST_PLANS 4096

/* A hash table with open addressing. At least half of its places are free, so that a search takes
 * one or two steps. */
typedef struct glnn__plans {
    struct glnn__known_plan *places;
    uint32_t room, count; /* places, a power of two, or 0; plans */
    unsigned profile_age; /* of the profile that the plans come from */
    uint64_t chosen;      /* plans that were chosen since the context was created */
} glnn__plans;

/* The plans of the context. Those of a former profile are forgotten. */
glnn_status glnn__plans_get(glnn_context *ctx, glnn__plans **out);

/* Of all that the plan of a completed product depends on. */
uint32_t glnn__product_hash(const glnn__product *product);

/* ---- gemm.c */

glnn_status glnn__plan_run(glnn_context *ctx, const glnn__product *product, const glnn__plan *plan);

/* The pass of a plan over inner indices begin to end, into `output`. */
glnn__pass glnn__product_pass(const glnn__product *product, const glnn__plan *plan, int begin,
                              int end, glnn_matrix *output);

#endif
