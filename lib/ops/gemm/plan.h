/* The plan of a matrix product: how it becomes passes. */
#ifndef GLNN__OPS_GEMM_PLAN_H
#define GLNN__OPS_GEMM_PLAN_H

#include "ops/gemm/product.h"

typedef struct glnn__plan {
    /* The way to cut and to read. */
    int slices; /* of the inner dimension; 1: none; 0: the factors are not read */
    bool
        joined; /* a work group computes all slices of a block, GLNN__GROUP_SLICES, and sums them */
    int group;  /* elements along a side of a work group that shares its fetches; 0: none */
    int stack;  /* blocks of the output per fragment */
    bool shares; /* the fragments of a quad share their fetches */
    glnn__fetching fetching;
    bool layered;       /* the layers of TILED factors are read as textures of their own */
    double expected_us; /* 0: unknown */

    /* The numbers that follow from it for a product. */
    int inner;    /* inner indices, without a constant unit */
    int slice;    /* inner indices of one slice: a multiple of eight, or of four in joined slices */
    bool partial; /* slices side by side, then a fold; else joined, or blended pass by pass */
    int block_rows; /* rows of blocks of c, a multiple of the rows that fragments share */
    double pass_us; /* of the pass, for the context's limit; 0: no limit, or short */
} glnn__plan;

/* ---- Ways to cut, and their cost by the device profile */

/* All cuts worth considering, with few slices first; returns how many. Fragments may compute stacks
 * if `can_stack`. */
#define GLNN__MAX_CUTS 48
int glnn__cost_cuts(const glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                    glnn__plan out[GLNN__MAX_CUTS]);

/* Microseconds that the passes of a cut are expected to take. */
double glnn__cost_time(const glnn__profile *profile, const glnn__shape *shape,
                       const glnn__plan *cut);

/* The cut with the least expected time. */
glnn_status glnn__cost_choose(glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                              glnn__plan *out);

/* The side of work groups for a caller who has chosen the slices; 0: no work groups. */
int glnn__cost_group(const glnn_context *ctx, const glnn__shape *shape);

/* ---- Plans of cuts */

/* Whether the caller has chosen the slices: their length, or that they are blended. */
bool glnn__product_is_cut(const glnn__product *product);

/* Whether the fragments of a cut can read a factor layer by layer: not in work groups that share,
 * and not if a slice can begin in the middle of a tile, as a joined one can. */
bool glnn__plan_can_split(const glnn_context *ctx, const glnn__product *product,
                          const glnn__plan *plan);

/* Has a cut read its operands as is fastest by the device profile, if the product is long. */
glnn_status glnn__plan_read(glnn_context *ctx, const glnn__product *product, glnn__plan *plan);

/* Completes the plan of a cut. A way to read or to share that the product does not allow is
 * dropped. */
void glnn__plan_complete(const glnn_context *ctx, const glnn__product *product, glnn__plan *plan);

/* The plan as a line of words. */
void glnn__plan_describe(const glnn_context *ctx, const glnn__product *product,
                         const glnn__plan *plan, char *text, size_t size);

/* ---- The choice of a plan */

/* The plan that won the race of a key: for GLNN_TUNING_FULL a race times the product in every
 * promising way, once. *is_known is false if there is no winner. */
glnn_status glnn__race_winner(glnn_context *ctx, const glnn__product *product,
                              const glnn__gemm_key *key, glnn__plan *out, bool *is_known);

/* The plan of a product; one that was chosen before is found again. */
glnn_status glnn__plan_choose(glnn_context *ctx, const glnn__product *product, glnn__plan *out);

/* ---- Running it */

glnn_status glnn__plan_run(glnn_context *ctx, const glnn__product *product, const glnn__plan *plan);

/* The pass of a plan over inner indices begin to end, into `output`. */
glnn__pass glnn__product_pass(const glnn__product *product, const glnn__plan *plan, int begin,
                              int end, glnn_matrix *output);

#endif
