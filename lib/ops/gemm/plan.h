/* The plan of a matrix product: how it is cut into passes. */
#ifndef GLNN__OPS_GEMM_PLAN_H
#define GLNN__OPS_GEMM_PLAN_H

#include "ops/gemm/product.h"

typedef struct glnn__plan {
    /* The cut, and how operands are read. */
    int slices; /* of the inner dimension; 1: none; 0: the factors are not read */
    bool
        joined; /* a work group computes all slices of a block, GLNN__GROUP_SLICES, and sums them */
    int group;  /* elements along a side of a work group that shares its fetches; 0: none */
    int stack;  /* blocks of the output per fragment */
    bool shares; /* the fragments of a quad share their fetches */
    glnn__fetching fetching;
    bool layered;       /* the layers of TILED factors are read as textures of their own */
    double expected_us; /* 0: unknown */

    /* Numbers that follow for a product, by glnn__plan_complete. */
    int inner;      /* inner indices, without a constant unit */
    int slice;      /* inner indices of one slice: those that the caller wants, else a multiple of
                     eight, or of four in joined slices */
    bool partial;   /* one pass for all slices and one that adds them; else joined or blended */
    int block_rows; /* rows of blocks of a slice: those of c, rounded up for sharing */
    double pass_us; /* of the pass, by the device profile; 0: no limit, or short */
} glnn__plan;

/* ---- Cuts, and their cost by the device profile */

/* Lists the cuts to consider, those with few slices first, and returns their number. `can_stack`
 * allows fragments that compute stacks of blocks. */
#define GLNN__MAX_CUTS 48
int glnn__cost_cuts(const glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                    glnn__plan out[GLNN__MAX_CUTS]);

/* The time that the passes of a cut should take, in microseconds. */
double glnn__cost_time(const glnn__profile *profile, const glnn__shape *shape,
                       const glnn__plan *cut);

/* The cut with the least expected time. */
glnn_status glnn__cost_choose(glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                              glnn__plan *out);

/* The side of work groups if the caller has chosen the slices; 0: none. */
int glnn__cost_group(const glnn_context *ctx, const glnn__shape *shape);

/* ---- Plans of cuts */

/* Whether the caller has chosen the slices, by their length or by blending. */
bool glnn__product_is_cut(const glnn__product *product);

/* Whether the fragments of a cut can read the layers of a factor as separate textures. They cannot
 * in work groups that share, or in joined slices, which may begin in the middle of a tile. */
bool glnn__plan_can_split(const glnn_context *ctx, const glnn__product *product,
                          const glnn__plan *plan);

/* Chooses how a cut reads its operands, by the device profile. A short product keeps the
 * default. */
glnn_status glnn__plan_read(glnn_context *ctx, const glnn__product *product, glnn__plan *plan);

/* Computes the numbers of a plan from its cut. A way to read or to share that the product does not
 * allow is dropped: work groups that share, for example, begin with a column group. */
void glnn__plan_complete(const glnn_context *ctx, const glnn__product *product, glnn__plan *plan);

/* The plan as a line of words. */
void glnn__plan_describe(const glnn_context *ctx, const glnn__product *product,
                         const glnn__plan *plan, char *text, size_t size);

/* ---- The choice of a plan */

/* The plan of a product. The context remembers it for the next product with the same key. */
glnn_status glnn__plan_choose(glnn_context *ctx, const glnn__product *product, glnn__plan *out);

/* ---- Running it */

glnn_status glnn__plan_run(glnn_context *ctx, const glnn__product *product, const glnn__plan *plan);

/* The pass of a plan over inner indices begin to end, into `output`. */
glnn__pass glnn__product_pass(const glnn__product *product, const glnn__plan *plan, int begin,
                              int end, glnn_matrix *output);

#endif
