/* Textures with their framebuffers, taken from a pool with a budget of bytes. */
#ifndef GLNN__TEX_TEXTURE_H
#define GLNN__TEX_TEXTURE_H

#include "gl/gl.h"
#include "tex/layout.h"

#include <glnn/texture.h>

/* ---- Memory barriers: OpenGL does not order the stores of shaders to images. Fetches, images and
 * fixed functions see a store only after a barrier of their own, and a store can overtake an
 * earlier read. Barriers take time. So each texture records its last uses, and a pass waits only
 * for those that it depends on. */

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

/* ---- Textures */

/* The constants of a layout in a context. */
static inline const glnn__layout_info *glnn__layout_in(const glnn_context *ctx, glnn_layout layout)
{
    return glnn__layout_get(layout, ctx->info.render_targets);
}

/* The sampler objects with which passes read textures. */
typedef enum glnn__sampling {
    GLNN__SAMPLING_OWN = 0,  /* none: the texture's own parameters, which are nearest and clamped */
    GLNN__SAMPLING_FILTERED, /* linear, repeating                                           */
    GLNN__SAMPLING_NEAREST,  /* nearest and clamped, where the texture's own are others     */
    GLNN__SAMPLING_LEVEL,    /* the same for a level after the base level                   */
    GLNN__SAMPLINGS
} glnn__sampling;

typedef struct glnn__texture {
    GLuint name;
    GLuint framebuffer; /* all layers of a block attached for writing; 0 for PAGED */
    GLenum target;      /* GL_TEXTURE_2D or GL_TEXTURE_2D_ARRAY                     */
    GLenum format;      /* internal: a sized one; of a host also GL_RGBA or GL_RED  */
    GLint level, layer; /* of the matrix; the first layer                           */
    GLint lod;          /* the level, counted from the texture's base level         */
    int layer_count;    /* of the whole texture                                     */
    int channels;       /* the first of each texel, which are elements              */
    bool is_placed;     /* shaders have to be told the level, the layer or the channels */
    bool is_storable;   /* shaders can store to it as an image                      */
    bool is_shared;     /* a host uses it too: it is the matrix's for good, and not deleted */
    glnn__sampling sampling;
    uint64_t checked,
        attached; /* the numbers of the calls that did so last; UINT64_MAX: for good */
    glnn_layout layout;
    glnn_storage storage;
    glnn__extent extent;
    int width, height; /* in texels, at least those of the extent */
    size_t bytes;
    GLuint layers[GLNN__TILE_LAYERS]; /* TILED: views of single layers; 0: not created yet */
    glnn__uses uses;
    struct glnn__texture *next; /* in a list of the pool */
} glnn__texture;

/* Most render targets, and so the most textures that a framebuffer joins. */
#define GLNN__MAX_JOINED GLNN__TILE_LAYERS

/* A framebuffer to which several textures are attached, one after the other. */
typedef struct glnn__joined {
    GLuint framebuffer;
    int count;
    const glnn__texture *textures[GLNN__MAX_JOINED];
    struct glnn__joined *next;
} glnn__joined;

/* The state of the room `tex` in a context. */
typedef struct glnn__textures {
    glnn__texture *free;
    glnn__joined *joined;
    glnn__texture *returned;    /* shared ones to be forgotten                 */
    size_t bytes;               /* of all textures, used and unused            */
    GLuint scratch_framebuffer; /* for reading back and clearing single layers */
    GLuint upload_buffer;       /* the pixel buffer of uploads that wait, or 0 */
    GLuint spare_buffer;        /* the pixel buffer of an ended download, or 0 */
    size_t spare_bytes;         /* its size                                    */
    glnn__barriers barriers;
} glnn__textures;

extern glnn__slot glnn__textures_slot;

/* Each context has them from its creation on. */
static inline glnn__textures *glnn__textures_of(const glnn_context *ctx)
{
    return glnn__slot_state(ctx, &glnn__textures_slot);
}

/* Checks that the device has textures of an extent, which a matrix of rows x columns needs. `what`
 * names the matrix in error sentences. */
glnn_status glnn__texture_check(const glnn_context *ctx, glnn_layout layout, int rows, int columns,
                                glnn__extent extent, const char *what);

/* A texture of an extent; its content is undefined. */
glnn_status glnn__texture_acquire(glnn_context *ctx, glnn_layout layout, glnn_storage storage,
                                  glnn__extent extent, const char *what, glnn__texture **out);

/* Creates a view of each layer of a TILED texture, as a GL_TEXTURE_2D, if it has none yet. */
glnn_status glnn__texture_split(glnn_context *ctx, glnn__texture *texture);

/* A framebuffer that has all layers of these textures, which have the same size, as its colour
 * attachments. It lives as long as they do. */
glnn_status glnn__texture_join(glnn_context *ctx, const glnn__texture *const *textures, int count,
                               GLuint *framebuffer);

/* Attaches a layer of the matrix to a colour attachment of the bound framebuffer. */
void glnn__texture_attach(const glnn__texture *texture, int place, int layer);

/* Returns a texture to the pool. Of a shared one, only the structure and the framebuffer are the
 * library's. They are deleted at once, or at the begin of the next call if the context is not
 * current. */
void glnn__texture_release(glnn_context *ctx, glnn__texture *texture);

/* Copies the first `rows` rows of texels of a PACKED texture to a page of a PAGED one of the same
 * width and storage. */
glnn_status glnn__texture_copy_page(glnn_context *ctx, glnn__texture *from, glnn__texture *to,
                                    int page, int rows);

/* Copies all texels of the matrix between two textures of the same layout and storage. */
glnn_status glnn__texture_copy(glnn_context *ctx, glnn__texture *from, glnn__texture *to);

/* Sets every texel to zero. */
glnn_status glnn__texture_clear(glnn_context *ctx, glnn__texture *texture);

/* ---- adopt.c: textures of a host. It can delete or change them at any time between calls, so each
 * call looks at them before their first use. */

/* A texture of the host that a description names, which is right. `name` begins the sentences.
 * E_ARG: it cannot be a matrix. */
glnn_status glnn__texture_adopt(glnn_context *ctx, const glnn_texture_desc *desc, const char *name,
                                glnn__texture **out);

/* Checks the fields of a description that need no look at the texture. */
glnn_status glnn__texture_check_desc(const char *function, const glnn_texture_desc *desc);

/* Precedes the uses of a texture. Once in each call it looks whether a texture of a host still is
 * as it was when it was adopted. E_STATE: it is not. */
glnn_status glnn__texture_look_again(glnn_context *ctx, const char *what, glnn__texture *texture);
static inline glnn_status glnn__texture_look(glnn_context *ctx, const char *what,
                                             glnn__texture *texture)
{
    return texture->checked >= ctx->entries ? GLNN_OK
                                            : glnn__texture_look_again(ctx, what, texture);
}

/* Precedes a pass that renders to the texture. The framebuffer is claimed. */
void glnn__texture_attach_again(glnn_context *ctx, glnn__texture *texture);
static inline void glnn__texture_make_target(glnn_context *ctx, glnn__texture *texture)
{
    if (texture->attached < ctx->entries)
        glnn__texture_attach_again(ctx, texture);
}

#endif
