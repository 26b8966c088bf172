/* How a matrix product is cut into blocks. ops/gemm fills it; all others only pass it on. */
#ifndef GLNN__PASS_BLOCKING_H
#define GLNN__PASS_BLOCKING_H

#include <stdbool.h>

/* Blocks in the stack of one fragment: two tiles of 4 x 8 elements make a square, which fetches
 * least. */
#define GLNN__STACK 2

/* The first operands of a product. */
#define GLNN__FACTORS 2

/* Elements along a side of the output of a work group of GEMM_SHARED. */
#define GLNN__LARGE_GROUP 64
#define GLNN__SMALL_GROUP 32

/* Slices of a block in a work group of GEMM that computes all of them. */
#define GLNN__GROUP_SLICES 32

/* Zeros: a block per fragment, read from whole textures, and one invocation per block. */
typedef struct glnn__blocking {
    bool layered[GLNN__FACTORS]; /* the layers of a TILED factor are textures of their own  */
    bool shares;                 /* the fragments of a quad share their fetches         */
    int stack; /* blocks of a fragment, one below the other, where glnn__pass_can_stack */
    /* For the compute stage: */
    int group_slices; /* of gemm with its option PARTIAL: GLNN__GROUP_SLICES             */
    int group_side;   /* of gemm_shared: elements along a side of a group's output       */
    int group_layers; /* of gemm_shared: layers of groups, each `group_rows` elements high */
    int group_rows;
} glnn__blocking;

#endif
