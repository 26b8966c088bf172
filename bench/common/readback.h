/* Ways to read a texture into main memory while the device makes passes. */
#ifndef BENCH_READBACK_H
#define BENCH_READBACK_H

#include "base/pool.h"
#include "common/harness.h"
#include "gl/gl.h"

struct helper;

/* A texture of four floats a texel, and what the ways need to read it. */
typedef struct readback {
    glnn_context *ctx;
    glnn__pool *pool;
    float *values;
    size_t bytes;
    int width, height;
    GLuint texture, copy; /* the latter has the same size */
    GLuint framebuffer;
    GLuint host,
        device;     /* buffers: one to be mapped, and one that the driver keeps on the device */
    GLuint lasting; /* a buffer that stays mapped; 0: OpenGL is too old */
    void *mapped;   /* its memory */
    struct helper *helper;
} readback;

/* A way: `begin` submits orders, and `end` waits for the numbers and copies them to the values. */
typedef struct readback_way {
    const char *name;
    bool (*is_there)(const readback *r); /* NULL: always */
    void (*begin)(readback *r);
    void (*end)(readback *r);
} readback_way;

extern const readback_way readback_ways[];
extern const int readback_way_count;

/* With a texture of 256 times `height` texels. */
readback *readback_new(glnn_context *ctx, int height);
void readback_free(readback *r);

/* Whether the values are those of the texture. */
bool readback_is_right(const readback *r);

#endif
