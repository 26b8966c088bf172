/* Textures with their framebuffers, taken from a pool with a budget of bytes. */
#ifndef GLNN__TEX_TEXTURE_H
#define GLNN__TEX_TEXTURE_H

#include "gl/gl.h"
#include "tex/barrier.h"
#include "tex/layout.h"

typedef struct glnn__texture {
    GLuint name;
    GLuint framebuffer; /* all layers of a block attached for writing; 0 for PAGED */
    GLenum target;      /* GL_TEXTURE_2D or GL_TEXTURE_2D_ARRAY                     */
    glnn_layout layout;
    glnn_storage storage;
    glnn__extent extent;
    int width, height; /* in texels, at least those of the extent */
    size_t bytes;
    GLuint layers[GLNN__TILE_LAYERS]; /* TILED: views of single layers; 0: not created yet */
    glnn__uses uses;
    struct glnn__texture *next; /* in the pool's list of unused textures */
} glnn__texture;

/* The state of the room `tex` in a context. */
typedef struct glnn__textures {
    glnn__texture *free;
    size_t bytes;               /* of all textures, used and unused            */
    GLuint scratch_framebuffer; /* for reading back and clearing single layers */
    GLuint upload_buffer;       /* the pixel buffer of uploads that wait, or 0 */
    GLuint spare_buffer;        /* the pixel buffer of an ended download, or 0 */
    size_t spare_bytes;         /* its size                                    */
    glnn__barriers barriers;
} glnn__textures;

/* Checks that the device has textures of an extent, which a matrix of rows x columns needs. `what`
 * names the matrix in error sentences. */
glnn_status glnn__texture_check(const glnn_context *ctx, glnn_layout layout, int rows, int columns,
                                glnn__extent extent, const char *what);

/* A texture of an extent; its content is undefined. */
glnn_status glnn__texture_acquire(glnn_context *ctx, glnn_layout layout, glnn_storage storage,
                                  glnn__extent extent, const char *what, glnn__texture **out);

/* The internal format, such as GL_RGBA32F. */
GLenum glnn__texture_format(const glnn__texture *texture);

/* Creates a view of each layer of a TILED texture, as a GL_TEXTURE_2D, if it has none yet. */
glnn_status glnn__texture_split(glnn_context *ctx, glnn__texture *texture);

/* Attaches a layer to a colour attachment of the bound framebuffer. */
void glnn__texture_attach(const glnn__texture *texture, int place, int layer);

/* Returns a texture to the pool. */
void glnn__texture_release(glnn_context *ctx, glnn__texture *texture);

/* Copies the first `rows` rows of texels of a PACKED texture to a page of a PAGED one of the same
 * width and storage. */
glnn_status glnn__texture_copy_page(glnn_context *ctx, glnn__texture *from, glnn__texture *to,
                                    int page, int rows);

/* Sets every texel to zero. */
glnn_status glnn__texture_clear(glnn_context *ctx, glnn__texture *texture);

#endif
