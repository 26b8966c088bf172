/* Textures with their framebuffers, taken from a pool with a budget of bytes. */
#ifndef GLNN__TEX_TEXTURE_H
#define GLNN__TEX_TEXTURE_H

#include "gl/gl.h"
#include "tex/barrier.h"
#include "tex/layout.h"

/* The part of a host's texture that is a matrix. Zeros: the texture is the library's. */
typedef struct glnn__adoption {
    bool is_adopted;
    GLint level, layer;
    GLint lod;                  /* the level, counted from the texture's base level             */
    GLint format;               /* as OpenGL reports it: a sized one, or GL_RGBA or GL_RED      */
    GLint layers;               /* of the whole texture                                         */
    int channels;               /* the first of each texel, which are elements                  */
    bool is_storable;           /* shaders can load and store it as an image                    */
    uint64_t checked, attached; /* the numbers of the calls that did so last          */
} glnn__adoption;

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
    glnn__adoption adoption;
    struct glnn__texture *next; /* in a list of the pool */
} glnn__texture;

/* The state of the room `tex` in a context. */
typedef struct glnn__textures {
    glnn__texture *free;
    glnn__texture *returned;    /* adopted ones to be deleted                  */
    size_t bytes;               /* of all textures, used and unused            */
    GLuint scratch_framebuffer; /* for reading back and clearing single layers */
    GLuint upload_buffer;       /* the pixel buffer of uploads that wait, or 0 */
    GLuint spare_buffer;        /* the pixel buffer of an ended download, or 0 */
    size_t spare_bytes;         /* its size                                    */
    bool tells_targets;         /* OpenGL tells the target of a texture that is not bound */
    glnn__barriers barriers;
} glnn__textures;

/* The context's pool, which the first call creates. */
glnn_status glnn__textures_get(glnn_context *ctx, glnn__textures **out);

/* Checks that the device has textures of an extent, which a matrix of rows x columns needs. `what`
 * names the matrix in error sentences. */
glnn_status glnn__texture_check(const glnn_context *ctx, glnn_layout layout, int rows, int columns,
                                glnn__extent extent, const char *what);

/* A texture of an extent; its content is undefined. */
glnn_status glnn__texture_acquire(glnn_context *ctx, glnn_layout layout, glnn_storage storage,
                                  glnn__extent extent, const char *what, glnn__texture **out);

/* The sized internal format, such as GL_RGBA32F. */
GLenum glnn__texture_format(const glnn__texture *texture);

/* Creates a view of each layer of a TILED texture, as a GL_TEXTURE_2D, if it has none yet. */
glnn_status glnn__texture_split(glnn_context *ctx, glnn__texture *texture);

/* Attaches a layer to a colour attachment of the bound framebuffer. An adopted matrix has layer 0
 * only. */
void glnn__texture_attach(const glnn__texture *texture, int place, int layer);

/* Returns a texture to the pool. Of an adopted one, only the structure and the framebuffer are the
 * library's. They are deleted at once, or at the begin of the next call if the context is not
 * current. */
void glnn__texture_release(glnn_context *ctx, glnn__texture *texture);

/* Copies the first `rows` rows of texels of a PACKED texture to a page of a PAGED one of the same
 * width and storage. */
glnn_status glnn__texture_copy_page(glnn_context *ctx, glnn__texture *from, glnn__texture *to,
                                    int page, int rows);

/* Sets every texel to zero. */
glnn_status glnn__texture_clear(glnn_context *ctx, glnn__texture *texture);

#endif
