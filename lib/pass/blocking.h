/* How a matrix product, or another long sum, is cut into blocks. */
#ifndef GLNN__PASS_BLOCKING_H
#define GLNN__PASS_BLOCKING_H

#include <stdbool.h>

/* Blocks in the stack of one fragment. Two tiles of 4 x 8 elements are a square, and of all
 * rectangles of that size a square needs the fewest fetches. */
#define GLNN__STACK 2

/* The factors of a product are its first operands. */
#define GLNN__FACTORS 2

/* Elements along a side of the output of a work group of GEMM_SHARED. */
#define GLNN__LARGE_GROUP 64
#define GLNN__SMALL_GROUP 32

/* Slices of a block, if one work group computes all of them. */
#define GLNN__GROUP_SLICES 32

/* With zeros, each fragment or invocation computes one block and reads whole textures. */
typedef struct glnn__blocking {
    bool layered[GLNN__FACTORS]; /* each layer of the TILED factor is read as a texture */
    bool shares;                 /* the fragments of a quad share their fetches         */
    int stack; /* blocks of a fragment, one below the other; only if glnn__pass_can_stack */
    /* For the compute stage: */
    int group_slices; /* of a kernel that has finish() and slice_blocks: GLNN__GROUP_SLICES */
    int group_side;   /* of gemm_shared: elements along a side of a group's output       */
    int group_layers; /* of gemm_shared: layers of groups, each `group_rows` elements high */
    int group_rows;
} glnn__blocking;

#endif
