#include "tex/texture.h"

#include "base/integers.h"
#include "base/log.h"
#include "base/status.h"
#include "gl/fences.h"
#include "gl/limits.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory barriers */

static const GLbitfield bits_of[GLNN__USE_COUNT] = {
    [GLNN__USE_FETCH] = GL_TEXTURE_FETCH_BARRIER_BIT,
    [GLNN__USE_IMAGE] = GL_SHADER_IMAGE_ACCESS_BARRIER_BIT,
    [GLNN__USE_FIXED] = GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT,
};

void glnn__barrier_note(glnn__barriers *barriers, glnn__uses *texture, glnn__use use)
{
    const uint64_t seen = barriers->seen[use];
    const bool is_image = use == GLNN__USE_IMAGE;
    if (texture->stored > seen || (is_image && texture->used > seen))
        barriers->needed |= 1u << use;
    *(is_image ? &texture->stored : &texture->used) = barriers->passes + 1;
}

void glnn__barrier_wait(glnn__barriers *barriers)
{
    GLbitfield bits = 0;
    for (int use = 0; use < GLNN__USE_COUNT; ++use) {
        if (!(barriers->needed >> use & 1))
            continue;
        bits |= bits_of[use];
        barriers->seen[use] = barriers->passes;
    }
    if (bits)
        glMemoryBarrier(bits);
    barriers->needed = 0;
    barriers->passes++;
}

void glnn__barrier_hand_out(glnn__barriers *barriers, glnn__uses *texture)
{
    for (int use = 0; use < GLNN__USE_COUNT; ++use)
        if (texture->stored > barriers->seen[use])
            barriers->needed |= 1u << use;
    texture->used = barriers->passes + 1;
    glnn__barrier_wait(barriers);
}

/* ---- The pool */

static bool joins(const glnn__joined *of, const glnn__texture *texture)
{
    bool result = false;
    for (int i = 0; i < of->count; ++i)
        result = result || of->textures[i] == texture;
    return result;
}

static void delete_joined(glnn__textures *textures, const glnn__texture *texture)
{
    for (glnn__joined **link = &textures->joined; *link;) {
        glnn__joined *of = *link;
        if (!joins(of, texture)) {
            link = &of->next;
            continue;
        }
        *link = of->next;
        glDeleteFramebuffers(1, &of->framebuffer);
        free(of);
    }
}

static void delete_texture(glnn__textures *textures, glnn__texture *texture)
{
    delete_joined(textures, texture);
    glDeleteFramebuffers(1, &texture->framebuffer);
    if (!texture->is_shared) {
        textures->bytes -= texture->bytes;
        glDeleteTextures(GLNN__TILE_LAYERS, texture->layers);
        glDeleteTextures(1, &texture->name);
    }
    free(texture);
}

static void delete_list(glnn__textures *textures, glnn__texture **list)
{
    while (*list) {
        glnn__texture *texture = *list;
        *list = texture->next;
        delete_texture(textures, texture);
    }
}

static void destroy_textures(glnn_context *ctx, void *state)
{
    glnn__textures *textures = state;
    (void)ctx;
    delete_list(textures, &textures->free);
    delete_list(textures, &textures->returned);
    glDeleteFramebuffers(1, &textures->scratch_framebuffer);
    glDeleteBuffers(1, &textures->upload_buffer);
    glDeleteBuffers(1, &textures->spare_buffer);
}

static void create_textures(glnn_context *ctx, void *state)
{
    glnn__textures *textures = state;
    (void)ctx;
    glGenFramebuffers(1, &textures->scratch_framebuffer);
}

glnn__slot glnn__textures_slot = {.holds = "a texture pool",
                                  .size = sizeof(glnn__textures),
                                  .create = create_textures,
                                  .destroy = destroy_textures};

glnn_status glnn__texture_check(const glnn_context *ctx, glnn_layout layout, int rows, int columns,
                                glnn__extent extent, const char *what)
{
    const int side = ctx->info.max_texture_size, layers = ctx->info.max_array_layers;
    if (extent.width <= side && extent.height <= side && extent.layers <= layers)
        return GLNN_OK;
    return glnn__fail(
        GLNN_E_LIMIT,
        "%s: %d x %d elements in the layout %s need a texture of %d x %d texels in %d "
        "layers; this device allows %d x %d in %d",
        what, rows, columns, glnn_layout_name(layout), extent.width, extent.height, extent.layers,
        side, side, layers);
}

static glnn_status make_room(glnn_context *ctx, glnn__textures *textures, size_t bytes,
                             const char *what)
{
    const size_t budget = ctx->info.texture_budget;
    if (bytes <= budget && textures->bytes <= budget - bytes)
        return GLNN_OK;
    delete_list(textures, &textures->free);
    ctx->info.texture_bytes = textures->bytes;
    if (bytes <= budget && textures->bytes <= budget - bytes)
        return GLNN_OK;
    return glnn__fail(
        GLNN_E_LIMIT,
        "%s: needs %zu bytes of texture, but %zu of the budget of %zu bytes are in use", what,
        bytes, textures->bytes, budget);
}

static glnn__texture *take_free(glnn__textures *textures, glnn_layout layout, glnn_storage storage,
                                glnn__extent extent)
{
    for (glnn__texture **link = &textures->free; *link; link = &(*link)->next) {
        glnn__texture *texture = *link;
        if (texture->layout == layout && texture->storage == storage &&
            texture->extent.width == extent.width && texture->extent.height == extent.height &&
            texture->extent.layers == extent.layers && texture->extent.wrap == extent.wrap &&
            texture->extent.is_filtered == extent.is_filtered) {
            *link = texture->next;
            return texture;
        }
    }
    return NULL;
}

static void set_nearest(GLenum target)
{
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static int avoid_power_of_two(int side, int most)
{
    const bool is_power = (side & (side - 1)) == 0;
    const int larger = side == 1 ? 3 : side + 1;
    return is_power && larger <= most ? larger : side;
}

/* A software rasteriser compiles a program anew for each combination of its textures' sides that
 * are powers of two and those that are not. So it has no sides that are, unless a filter or the
 * pages of a texture need them. */
static void choose_sides(const glnn_context *ctx, glnn__texture *texture)
{
    const glnn__extent extent = texture->extent;
    const int most = glnn__least(ctx->info.max_texture_size, ctx->max_framebuffer_side);
    const bool is_exact =
        !ctx->avoids_powers_of_two || extent.is_filtered || texture->layout == GLNN_LAYOUT_PAGED;
    texture->width = is_exact ? extent.width : avoid_power_of_two(extent.width, most);
    texture->height = is_exact ? extent.height : avoid_power_of_two(extent.height, most);
}

static void allocate_storage(glnn__texture *texture)
{
    const GLsizei layers = texture->layer_count;
    const GLenum format = texture->format;
    glGenTextures(1, &texture->name);
    glBindTexture(texture->target, texture->name);
    if (texture->target == GL_TEXTURE_2D_ARRAY)
        glTexStorage3D(texture->target, 1, format, texture->width, texture->height, layers);
    else
        glTexStorage2D(texture->target, 1, format, texture->width, texture->height);
    set_nearest(texture->target);
}

void glnn__texture_attach(const glnn__texture *texture, int place, int layer)
{
    const GLenum attachment = GL_COLOR_ATTACHMENT0 + (GLenum)place;
    if (texture->target == GL_TEXTURE_2D_ARRAY)
        glFramebufferTextureLayer(GL_FRAMEBUFFER, attachment, texture->name, texture->level,
                                  texture->layer + layer);
    else
        glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture->name,
                               texture->level);
}

/* Makes a framebuffer to which all layers of these textures are attached. */
static GLenum make_framebuffer(const glnn__texture *const *textures, int count, GLuint *framebuffer)
{
    GLenum buffers[GLNN__TILE_LAYERS];
    GLsizei used = 0;
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    for (int i = 0; i < count; ++i)
        for (int layer = 0; layer < textures[i]->extent.layers; ++layer, ++used) {
            buffers[used] = GL_COLOR_ATTACHMENT0 + (GLenum)used;
            glnn__texture_attach(textures[i], used, layer);
        }
    glDrawBuffers(used, buffers);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER);
}

static glnn_status join(glnn_context *ctx, glnn__joined *of)
{
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_FRAMEBUFFERS));
    const GLenum complete = make_framebuffer(of->textures, of->count, &of->framebuffer);
    ctx->framebuffer_age++;
    GLNN__TRY(glnn__gl_check(ctx, "joining %d textures", of->count));
    return complete == GL_FRAMEBUFFER_COMPLETE
               ? GLNN_OK
               : glnn__fail(GLNN_E_GL, "the framebuffer of %d textures is not complete (0x%04x)",
                            of->count, complete);
}

glnn_status glnn__texture_join(glnn_context *ctx, const glnn__texture *const *textures, int count,
                               GLuint *framebuffer)
{
    glnn__textures *of = glnn__textures_of(ctx);
    const size_t size = (size_t)count * sizeof *textures;
    for (const glnn__joined *known = of->joined; known; known = known->next) {
        *framebuffer = known->framebuffer;
        if (known->count == count && memcmp(known->textures, textures, size) == 0)
            return GLNN_OK;
    }
    glnn__joined *added = calloc(1, sizeof *added);
    if (!added)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a framebuffer of %d textures", count);
    added->count = count;
    memcpy(added->textures, textures, size);
    added->next = of->joined;
    of->joined = added;
    const glnn_status status = join(ctx, added);
    *framebuffer = added->framebuffer;
    if (status)
        delete_joined(of, textures[0]);
    return status;
}

static const GLenum formats[][2] = {
    [GLNN_STORAGE_FLOAT32] = {GL_RGBA32F, GL_R32F},
    [GLNN_STORAGE_FLOAT16] = {GL_RGBA16F, GL_R16F},
    [GLNN_STORAGE_UNORM8] = {GL_RGBA8, GL_R8},
};

/* OpenGL ES has few formats of images. */
static bool is_image_format(const glnn_context *ctx, GLenum format)
{
    return ctx->has_images || (format != GL_R16F && format != GL_R8);
}

static glnn_status create_texture(glnn_context *ctx, glnn__textures *textures, glnn_layout layout,
                                  glnn_storage storage, glnn__extent extent, const char *what,
                                  glnn__texture **out)
{
    const size_t bytes = glnn__extent_bytes(glnn__layout_in(ctx, layout), storage, extent);
    GLNN__TRY(make_room(ctx, textures, bytes, what));
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_UNIT(0) | GLNN__PART_FRAMEBUFFERS));
    glActiveTexture(GL_TEXTURE0);
    glnn__texture *texture = malloc(sizeof *texture);
    if (!texture)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a texture", what);
    const glnn__layout_info *info = glnn__layout_in(ctx, layout);
    *texture = (glnn__texture){
        .target = info->is_array ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
        .format = formats[storage][info->channels == 1],
        .layer_count = extent.layers,
        .channels = info->channels,
        .is_storable = is_image_format(ctx, formats[storage][info->channels == 1]),
        .checked = UINT64_MAX,
        .attached = UINT64_MAX,
        .layout = layout,
        .storage = storage,
        .extent = extent,
        .bytes = bytes,
    };
    textures->bytes += bytes;
    choose_sides(ctx, texture);
    allocate_storage(texture);
    GLenum complete = GL_FRAMEBUFFER_COMPLETE;
    if (layout != GLNN_LAYOUT_PAGED)
        complete = make_framebuffer(&(const glnn__texture *){texture}, 1, &texture->framebuffer);
    ctx->bindings_age++;
    ctx->counters.textures_created++;

    glnn_status status = glnn__gl_check(ctx, "allocating %zu bytes of texture for %s", bytes, what);
    if (!status && complete != GL_FRAMEBUFFER_COMPLETE)
        status =
            glnn__fail(GLNN_E_GL, "%s: the framebuffer is not complete (0x%04x)", what, complete);
    if (status)
        delete_texture(textures, texture);
    else
        *out = texture;
    ctx->info.texture_bytes = textures->bytes;
    return status;
}

glnn_status glnn__texture_acquire(glnn_context *ctx, glnn_layout layout, glnn_storage storage,
                                  glnn__extent extent, const char *what, glnn__texture **out)
{
    glnn__textures *textures = glnn__textures_of(ctx);
    *out = take_free(textures, layout, storage, extent);
    if (*out)
        return GLNN_OK;
    return create_texture(ctx, textures, layout, storage, extent, what, out);
}

glnn_status glnn__texture_split(glnn_context *ctx, glnn__texture *texture)
{
    if (texture->layers[0])
        return GLNN_OK;
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_UNIT(0)));
    glActiveTexture(GL_TEXTURE0);
    glGenTextures(GLNN__TILE_LAYERS, texture->layers);
    for (GLuint i = 0; i < GLNN__TILE_LAYERS; ++i) {
        glTextureView(texture->layers[i], GL_TEXTURE_2D, texture->name, texture->format, 0, 1, i,
                      1);
        glBindTexture(GL_TEXTURE_2D, texture->layers[i]);
        set_nearest(GL_TEXTURE_2D);
    }
    ctx->bindings_age++;
    const glnn_status status = glnn__gl_check(ctx, "making views of a texture's layers");
    if (status) {
        glDeleteTextures(GLNN__TILE_LAYERS, texture->layers);
        memset(texture->layers, 0, sizeof texture->layers);
    }
    return status;
}

/* Its host may have deleted the texture, whose memory a framebuffer would keep. */
static void forget_returned(glnn_context *ctx)
{
    glnn__textures *textures = glnn__textures_of(ctx);
    delete_list(textures, &textures->returned);
    ctx->bindings_age++;
    ctx->owed = NULL;
}

void glnn__texture_release(glnn_context *ctx, glnn__texture *texture)
{
    glnn__textures *textures = glnn__textures_of(ctx);
    if (!texture)
        return;
    glnn__texture **list = texture->is_shared ? &textures->returned : &textures->free;
    texture->next = *list;
    *list = texture;
    if (!texture->is_shared)
        return;
    ctx->owed = forget_returned;
    if (glnn__gl_can_delete(ctx))
        forget_returned(ctx);
}

/* Copies the first rows of texels of some layers, from the first one on. `layer` is that of the
 * whole texture that they are copied to. */
static glnn_status copy_by_framebuffer(glnn_context *ctx, const glnn__texture *from,
                                       const glnn__texture *to, int layer, int layers, int rows)
{
    const int width = from->extent.width;
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PARTS_COPY));
    glBindFramebuffer(GL_FRAMEBUFFER, glnn__textures_of(ctx)->scratch_framebuffer);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(to->target, to->name);
    for (int i = 0; i < layers; ++i) {
        glnn__texture_attach(from, 0, i);
        if (to->target == GL_TEXTURE_2D_ARRAY)
            glCopyTexSubImage3D(to->target, to->level, 0, 0, layer + i, 0, 0, width, rows);
        else
            glCopyTexSubImage2D(to->target, to->level, 0, 0, 0, 0, width, rows);
    }
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    glnn__gl_note_transfer(ctx);
    return GLNN_OK;
}

glnn_status glnn__texture_copy_page(glnn_context *ctx, glnn__texture *from, glnn__texture *to,
                                    int page, int rows)
{
    glnn__textures *textures = glnn__textures_of(ctx);
    glnn__barrier_note(&textures->barriers, &from->uses, GLNN__USE_FIXED);
    glnn__barrier_note(&textures->barriers, &to->uses, GLNN__USE_FIXED);
    glnn__barrier_wait(&textures->barriers);
    if (glnn__gl_offers(ctx, GLNN__OFFERS_IMAGE_COPIES))
        glCopyImageSubData(from->name, from->target, 0, 0, 0, 0, to->name, to->target, 0, 0, 0,
                           page, from->extent.width, rows, 1);
    else
        GLNN__TRY(copy_by_framebuffer(ctx, from, to, page, 1, rows));
    return glnn__gl_check(ctx, "copying %d rows to page %d of a texture", rows, page);
}

glnn_status glnn__texture_copy(glnn_context *ctx, glnn__texture *from, glnn__texture *to)
{
    glnn__textures *textures = glnn__textures_of(ctx);
    glnn__barrier_note(&textures->barriers, &from->uses, GLNN__USE_FIXED);
    glnn__barrier_note(&textures->barriers, &to->uses, GLNN__USE_FIXED);
    glnn__barrier_wait(&textures->barriers);
    GLNN__TRY(copy_by_framebuffer(ctx, from, to, to->layer, to->extent.layers, to->extent.height));
    return glnn__gl_check(ctx, "copying a texture of %d x %d texels", to->extent.width,
                          to->extent.height);
}

static glnn_status clear_by_drawing(glnn_context *ctx, glnn__textures *textures,
                                    glnn__texture *texture)
{
    static const GLfloat zero[4];
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_FRAMEBUFFERS | GLNN__PART_DRAWING));
    glBindFramebuffer(GL_FRAMEBUFFER, textures->scratch_framebuffer);
    for (int i = 0; i < texture->extent.layers; ++i) {
        glnn__texture_attach(texture, 0, i);
        glnn__fences_before_draw(ctx);
        glClearBufferfv(GL_COLOR, 0, zero);
    }
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    glnn__gl_note_transfer(ctx);
    return GLNN_OK;
}

/* OpenGL 4.3 has no command that clears a texture. Where a driver has it, it takes a fifth of the
 * time on llvmpipe, whose threads hand each drawing over to each other. */
glnn_status glnn__texture_clear(glnn_context *ctx, glnn__texture *texture)
{
    glnn__textures *textures = glnn__textures_of(ctx);
    glnn__barrier_note(&textures->barriers, &texture->uses, GLNN__USE_FIXED);
    glnn__barrier_wait(&textures->barriers);
    if (glnn__gl_offers(ctx, GLNN__OFFERS_TEXTURE_CLEARS)) {
        const bool is_single = glnn__layout_channels(texture->layout) == 1;
        glClearTexImage(texture->name, 0, is_single ? GL_RED : GL_RGBA, GL_FLOAT, NULL);
    } else {
        GLNN__TRY(clear_by_drawing(ctx, textures, texture));
    }
    return glnn__gl_check(ctx, "clearing a texture");
}
