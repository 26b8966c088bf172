/* The memory barriers that a pass or transfer needs. OpenGL does not order the stores of shaders to
 * images: fetches, images and fixed functions see a store only after a barrier of their own, and a
 * store can overtake an earlier read. Barriers take time. So each texture records its last uses,
 * and a pass waits only for those that it depends on. */
#ifndef GLNN__TEX_BARRIER_H
#define GLNN__TEX_BARRIER_H

#include "gl/gl.h"

/* How a pass or a transfer uses a texture. */
typedef enum glnn__use {
    GLNN__USE_FETCH, /* reads it as a texture                                              */
    GLNN__USE_IMAGE, /* reads and writes it as an image                                    */
    GLNN__USE_FIXED, /* by fixed functions: as a render target, in a transfer or a clear   */
    GLNN__USE_COUNT
} glnn__use;

/* The last uses of one texture, as numbers of passes. */
typedef struct glnn__uses {
    uint64_t stored; /* written as an image */
    uint64_t used;   /* used otherwise      */
} glnn__uses;

/* The passes and transfers of a context. */
typedef struct glnn__barriers {
    uint64_t passes;                /* the number of the last one                        */
    uint64_t seen[GLNN__USE_COUNT]; /* for each use the last pass whose stores it sees    */
    unsigned needed;                /* bit i: the next pass needs the barrier of use i   */
} glnn__barriers;

/* Notes how the next pass or transfer uses a texture. */
void glnn__barrier_note(glnn__barriers *barriers, glnn__uses *texture, glnn__use use);

/* Issues the barriers that the noted uses need, before the command that uses the textures. */
void glnn__barrier_wait(glnn__barriers *barriers);

/* Makes all stores to a texture visible to the program that draws, which can then use it in any
 * way but store to it. */
void glnn__barrier_hand_out(glnn__barriers *barriers, glnn__uses *texture);

#endif
