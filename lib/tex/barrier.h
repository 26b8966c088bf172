/* Which barriers the next pass or transfer waits for. OpenGL orders everything but the stores of
 * shaders to images: fetches, images and fixed functions see those only after a barrier of their
 * own, and a store may overtake a read before it. Barriers cost time, so each texture remembers its
 * last uses, and a pass waits only for those that matter to it. */
#ifndef GLNN__TEX_BARRIER_H
#define GLNN__TEX_BARRIER_H

#include "gl/gl.h"

/* How a pass or a transfer uses a texture. */
typedef enum glnn__use {
    GLNN__USE_FETCH, /* reads it as a texture                                              */
    GLNN__USE_IMAGE, /* reads and writes it as an image                                    */
    GLNN__USE_FIXED, /* as a render target, or by a transfer or a clear: by fixed functions */
    GLNN__USE_COUNT
} glnn__use;

/* The last uses of one texture, as numbers of passes. */
typedef struct glnn__uses {
    uint64_t stored; /* written as an image */
    uint64_t used;   /* used otherwise      */
} glnn__uses;

/* The passes and transfers of a context. */
typedef struct glnn__barriers {
    uint64_t passes;                /* so far: the number of the last one           */
    uint64_t seen[GLNN__USE_COUNT]; /* the pass whose stores each use sees, at least */
    unsigned needed;                /* bit i: the next pass needs the barrier of use i */
} glnn__barriers;

/* Notes how the next pass or transfer uses a texture. */
void glnn__barrier_note(glnn__barriers *barriers, glnn__uses *texture, glnn__use use);

/* Sets the barrier that the noted uses need. OpenGL must not have been told of them yet. */
void glnn__barrier_wait(glnn__barriers *barriers);

#endif
