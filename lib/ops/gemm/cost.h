/* The ways to cut a matrix product, and the time of each by the device profile. */
#ifndef GLNN__OPS_GEMM_COST_H
#define GLNN__OPS_GEMM_COST_H

#include "ops/gemm/product.h"
#include "pass/profile.h"

/* A way to make a product. The winner of a race is one of these. */
typedef struct glnn__cut {
    int slices; /* of the inner dimension; 1: none */
    bool
        joined; /* a work group computes all slices of a block, GLNN__GROUP_SLICES, and sums them */
    int group;  /* elements along a side of a work group that shares its fetches; 0: none */
    int stack;  /* blocks of the output per fragment */
    bool shares; /* the fragments of a quad share their fetches */
    glnn__fetching fetching;
    bool layered;       /* the layers of TILED factors are read as textures of their own */
    double expected_us; /* 0: unknown */
} glnn__cut;

/* The cut with the least expected time. Fragments may compute stacks if `can_stack`. */
glnn_status glnn__cost_choose(glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                              glnn__cut *out);

/* The side of work groups for a caller who has chosen the slices; 0: no work groups. */
int glnn__cost_group(const glnn_context *ctx, const glnn__shape *shape);

/* Microseconds that the passes of a cut are expected to take. */
double glnn__cost_time(const glnn__profile *profile, const glnn__shape *shape,
                       const glnn__cut *cut);

/* All cuts worth considering, with few slices first; returns how many. */
#define GLNN__MAX_CUTS 48
int glnn__cost_cuts(const glnn_context *ctx, const glnn__shape *shape, bool can_stack,
                    glnn__cut out[GLNN__MAX_CUTS]);

#endif
