/* Textures with their framebuffers, taken from a pool with a budget of bytes. */
#ifndef GLNN__TEX_TEXTURE_H
#define GLNN__TEX_TEXTURE_H

#include "gl/gl.h"
#include "tex/layout.h"

/* What a pass or a transfer does with a texture. */
typedef enum glnn__use {
    GLNN__USE_FETCH, /* reads it as a texture                                              */
    GLNN__USE_IMAGE, /* reads and writes it as an image                                    */
    GLNN__USE_FIXED, /* as a render target, or by a transfer or a clear: by fixed functions */
    GLNN__USE_COUNT
} glnn__use;

typedef struct glnn__texture {
    GLuint name;
    GLuint framebuffer; /* all layers of a block attached for writing; 0 for PAGED */
    GLenum target;      /* GL_TEXTURE_2D or GL_TEXTURE_2D_ARRAY                     */
    glnn_layout layout;
    glnn_storage storage;
    glnn__extent extent;
    size_t bytes;
    GLuint
        layers[GLNN__TILE_LAYERS]; /* TILED: views of single layers, made on first use; 0: none */
    uint64_t stored; /* the number of the last pass that wrote it as an image; see barrier.h */
    uint64_t used;   /* of the last one that used it otherwise */
    struct glnn__texture *next; /* in the pool's list of free ones */
} glnn__texture;

/* What the tex layer keeps for a context. */
typedef struct glnn__textures {
    glnn__texture *free;
    size_t bytes;                   /* of all textures, in use and free            */
    GLuint scratch_framebuffer;     /* for reading back and clearing single layers */
    GLuint upload_buffer;           /* the pixel buffer of uploads that wait, or 0 */
    GLuint spare_buffer;            /* the pixel buffer of a former download, or 0 */
    size_t spare_bytes;             /* its size                                    */
    struct glnn_matrix *matrices;   /* all that are alive                          */
    uint64_t passes;                /* and transfers so far: the number of the last one */
    uint64_t seen[GLNN__USE_COUNT]; /* up to which pass each use sees what was stored */
    unsigned barriers;              /* bit i: the next pass needs that of use i       */
} glnn__textures;

/* The context's pool, made on first use. */
glnn_status glnn__textures_get(glnn_context *ctx, glnn__textures **out);

/* A texture for rows x columns; its content is undefined. `what` names it in error sentences. */
glnn_status glnn__texture_acquire(glnn_context *ctx, glnn_layout layout, glnn_storage storage,
                                  int rows, int columns, const char *what, glnn__texture **out);

/* GL_RGBA32F and its kin. */
GLenum glnn__texture_format(const glnn__texture *texture);

/* Makes the views of a TILED texture's layers, each a GL_TEXTURE_2D, where it has none yet. */
glnn_status glnn__texture_split(glnn_context *ctx, glnn__texture *texture);

/* Returns a texture to the pool. */
void glnn__texture_release(glnn_context *ctx, glnn__texture *texture);

/* Sets every texel to zero. */
glnn_status glnn__texture_clear(glnn_context *ctx, glnn__texture *texture);

#endif
