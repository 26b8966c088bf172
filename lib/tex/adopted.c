#include "tex/adopted.h"

#include "base/status.h"

/* A format that a matrix can have. */
typedef struct format {
    GLint format;
    const char *name;
    glnn_layout layout;
    glnn_storage storage;
} format;

static const format formats[] = {
    {GL_RGBA32F, "GL_RGBA32F", GLNN_LAYOUT_PACKED, GLNN_STORAGE_FLOAT32},
    {GL_RGBA16F, "GL_RGBA16F", GLNN_LAYOUT_PACKED, GLNN_STORAGE_FLOAT16},
    {GL_RGBA8, "GL_RGBA8", GLNN_LAYOUT_PACKED, GLNN_STORAGE_UNORM8},
    {GL_R32F, "GL_R32F", GLNN_LAYOUT_UNPACKED, GLNN_STORAGE_FLOAT32},
    {GL_R8, "GL_R8", GLNN_LAYOUT_UNPACKED, GLNN_STORAGE_UNORM8},
    /* Drivers choose the size of these; it has to be 8 bits. */
    {GL_RGBA, "GL_RGBA", GLNN_LAYOUT_PACKED, GLNN_STORAGE_UNORM8},
    {GL_RED, "GL_RED", GLNN_LAYOUT_UNPACKED, GLNN_STORAGE_UNORM8},
};

/* One level of the texture that is bound. */
typedef struct image {
    GLint width, height, layers, format, red_bits;
} image;

static image look_at(GLenum target, GLint level)
{
    image found = {0};
    glGetTexLevelParameteriv(target, level, GL_TEXTURE_WIDTH, &found.width);
    glGetTexLevelParameteriv(target, level, GL_TEXTURE_HEIGHT, &found.height);
    glGetTexLevelParameteriv(target, level, GL_TEXTURE_DEPTH, &found.layers);
    glGetTexLevelParameteriv(target, level, GL_TEXTURE_INTERNAL_FORMAT, &found.format);
    glGetTexLevelParameteriv(target, level, GL_TEXTURE_RED_SIZE, &found.red_bits);
    return found;
}

static const format *find_format(const image *found)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        const bool is_sized = formats[i].format != GL_RGBA && formats[i].format != GL_RED;
        if (formats[i].format == found->format && (is_sized || found->red_bits == 8))
            return &formats[i];
    }
    return NULL;
}

static GLint parameter(GLenum target, GLenum name)
{
    GLint value = 0;
    glGetTexParameteriv(target, name, &value);
    return value;
}

/* The parameters of the texture that is bound. */
typedef struct parameters {
    GLint base, last, filter;
    bool is_immutable;
    GLint swizzle[4];
} parameters;

static parameters look_at_parameters(GLenum target)
{
    parameters found = {
        .base = parameter(target, GL_TEXTURE_BASE_LEVEL),
        .last = parameter(target, GL_TEXTURE_MAX_LEVEL),
        .filter = parameter(target, GL_TEXTURE_MIN_FILTER),
        .is_immutable = parameter(target, GL_TEXTURE_IMMUTABLE_FORMAT),
    };
    glGetTexParameteriv(target, GL_TEXTURE_SWIZZLE_RGBA, found.swizzle);
    if (!found.is_immutable)
        return found;
    /* OpenGL takes the nearest levels that an immutable texture has. */
    const GLint end = parameter(target, GL_TEXTURE_IMMUTABLE_LEVELS) - 1;
    found.base = found.base < end ? found.base : end;
    found.last = found.last < end ? found.last : end;
    found.last = found.last > found.base ? found.last : found.base;
    return found;
}

/* Whether the texture that is bound has all levels of a mipmap, from its base level on. */
static bool has_mipmap(GLenum target, const parameters *p)
{
    if (p->is_immutable)
        return true;
    const image base = look_at(target, p->base);
    GLint width = base.width, height = base.height;
    for (GLint level = p->base + 1; level <= p->last && (width > 1 || height > 1); ++level) {
        const image next = look_at(target, level);
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        if (next.width != width || next.height != height || next.format != base.format ||
            next.layers != base.layers)
            return false;
    }
    return true;
}

static const char *target_name(GLenum target)
{
    return target == GL_TEXTURE_2D_ARRAY ? "GL_TEXTURE_2D_ARRAY" : "GL_TEXTURE_2D";
}

/* Binds to unit 0. To bind a name of another target is an error, which debug output reports, so the
 * target is asked for where OpenGL can tell it. */
static bool bind(glnn_context *ctx, const glnn__texture *texture)
{
    const glnn__textures *textures = ctx->slots[GLNN__SLOT_TEXTURES].state;
    const bool is_array = texture->target == GL_TEXTURE_2D_ARRAY;
    GLint target = (GLint)texture->target;
    if (textures->tells_targets)
        glGetTextureParameteriv(texture->name, GL_TEXTURE_TARGET, &target);
    if (target != (GLint)texture->target)
        return false;
    ctx->bindings_age++;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(texture->target, texture->name);
    if (textures->tells_targets ||
        glnn__gl_integer(is_array ? GL_TEXTURE_BINDING_2D_ARRAY : GL_TEXTURE_BINDING_2D) ==
            (GLint)texture->name)
        return true;
    glGetError();
    return false;
}

/* Finds out which levels can be read, and whether images of the texture can be bound. */
static glnn_status check_levels(const char *what, glnn__texture *texture, glnn_status status)
{
    glnn__adoption *a = &texture->adoption;
    const parameters p = look_at_parameters(texture->target);
    static const GLint names[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
    if (a->level < p.base || a->level > p.last)
        return glnn__fail(status,
                          "%s: level %d of texture %u is not among its levels %d "
                          "(GL_TEXTURE_BASE_LEVEL) to %d (GL_TEXTURE_MAX_LEVEL)",
                          what, a->level, texture->name, p.base, p.last);
    const bool is_mipmap = has_mipmap(texture->target, &p);
    if (a->level > p.base && !is_mipmap)
        return glnn__fail(status,
                          "%s: level %d of texture %u cannot be read, because a level between %d "
                          "and the smallest is missing; set GL_TEXTURE_MAX_LEVEL",
                          what, a->level, texture->name, p.base);
    for (int i = 0; i < a->channels; ++i)
        if (p.swizzle[i] != names[i])
            return glnn__fail(status,
                              "%s: texture %u has a GL_TEXTURE_SWIZZLE_RGBA, which would exchange "
                              "columns; reset it",
                              what, texture->name);
    a->lod = a->level - p.base;
    a->is_storable = (GLenum)a->format == glnn__texture_format(texture) &&
                     (is_mipmap || p.filter == GL_NEAREST || p.filter == GL_LINEAR);
    return GLNN_OK;
}

static glnn_status find(glnn_context *ctx, const char *what, const glnn__texture *texture,
                        glnn_status status, image *found)
{
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_UNIT(0)));
    if (!glIsTexture(texture->name))
        return glnn__fail(status, "%s: texture %u %s", what, texture->name,
                          status == GLNN_E_STATE ? "was deleted" : "does not exist");
    if (!bind(ctx, texture))
        return glnn__fail(status, "%s: texture %u is not a %s%s", what, texture->name,
                          target_name(texture->target),
                          status == GLNN_E_STATE ? " any more; it was deleted" : "");
    *found = look_at(texture->target, texture->adoption.level);
    return GLNN_OK;
}

glnn_status glnn__adopted_describe(glnn_context *ctx, const char *what, glnn__texture *texture)
{
    glnn__adoption *a = &texture->adoption;
    image found;
    GLNN__TRY(find(ctx, what, texture, GLNN_E_ARG, &found));
    if (found.width < 1)
        return glnn__fail(GLNN_E_ARG, "%s: texture %u has no level %d", what, texture->name,
                          a->level);
    if (a->layer >= found.layers)
        return glnn__fail(GLNN_E_ARG, "%s: layer is %d, but texture %u has %d", what, a->layer,
                          texture->name, found.layers);
    const format *known = find_format(&found);
    if (!known)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the internal format of texture %u is 0x%04x; it must be GL_RGBA32F, "
                          "GL_RGBA16F, GL_RGBA8, GL_R32F or GL_R8",
                          what, texture->name, (unsigned)found.format);
    texture->layout = known->layout;
    texture->storage = known->storage;
    texture->width = found.width;
    texture->height = found.height;
    texture->extent = (glnn__extent){.width = found.width, .height = found.height, .layers = 1};
    texture->bytes = glnn__extent_bytes(texture->layout, texture->storage, texture->extent);
    a->is_adopted = true;
    a->format = found.format;
    a->layers = found.layers;
    a->channels = glnn__layout_get(texture->layout)->channels;
    a->checked = ctx->entries;
    return check_levels(what, texture, GLNN_E_ARG);
}

static glnn_status check(glnn_context *ctx, const char *what, glnn__texture *texture)
{
    const glnn__adoption *a = &texture->adoption;
    image found;
    GLNN__TRY(find(ctx, what, texture, GLNN_E_STATE, &found));
    if (found.width != texture->width || found.height != texture->height ||
        found.layers <= a->layer)
        return glnn__fail(GLNN_E_STATE,
                          "%s: level %d of texture %u had %d x %d texels when it was adopted, and "
                          "has %d x %d in %d layers now; adopt it anew",
                          what, a->level, texture->name, texture->width, texture->height,
                          found.width, found.height, found.layers);
    if (found.format != a->format)
        return glnn__fail(GLNN_E_STATE,
                          "%s: the internal format of texture %u was 0x%04x when it was adopted, "
                          "and is 0x%04x now; adopt it anew",
                          what, texture->name, (unsigned)a->format, (unsigned)found.format);
    return check_levels(what, texture, GLNN_E_STATE);
}

glnn_status glnn__adopted_check(glnn_context *ctx, const char *what, glnn__texture *texture)
{
    glnn__textures *textures = ctx->slots[GLNN__SLOT_TEXTURES].state;
    if (!texture->adoption.is_adopted || texture->adoption.checked == ctx->entries)
        return GLNN_OK;
    const glnn_status status = check(ctx, what, texture);
    if (status) {
        /* An attached texture keeps its memory after it was deleted. */
        glDeleteFramebuffers(1, &texture->framebuffer);
        texture->framebuffer = 0;
        ctx->bindings_age++;
        return status;
    }
    texture->adoption.checked = ctx->entries;
    texture->uses.used = textures->barriers.passes + 1; /* by the host, between the calls */
    return GLNN_OK;
}

/* Another texture can have got the name since the last call. */
void glnn__adopted_attach(glnn_context *ctx, glnn__texture *texture)
{
    if (!texture->adoption.is_adopted || texture->adoption.attached == ctx->entries)
        return;
    if (!texture->framebuffer)
        glGenFramebuffers(1, &texture->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, texture->framebuffer);
    glnn__texture_attach(texture, 0, 0);
    texture->adoption.attached = ctx->entries;
    ctx->bindings_age++;
}

glnn_status glnn__adopted_copy(glnn_context *ctx, glnn__texture *from, glnn__texture *to)
{
    glnn__textures *textures = ctx->slots[GLNN__SLOT_TEXTURES].state;
    const glnn__adoption *a = &to->adoption;
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PARTS_COPY));
    glnn__barrier_note(&textures->barriers, &from->uses, GLNN__USE_FIXED);
    glnn__barrier_note(&textures->barriers, &to->uses, GLNN__USE_FIXED);
    glnn__barrier_wait(&textures->barriers);
    glBindFramebuffer(GL_FRAMEBUFFER, textures->scratch_framebuffer);
    glnn__texture_attach(from, 0, 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(to->target, to->name);
    if (to->target == GL_TEXTURE_2D_ARRAY)
        glCopyTexSubImage3D(to->target, a->level, 0, 0, a->layer, 0, 0, to->extent.width,
                            to->extent.height);
    else
        glCopyTexSubImage2D(to->target, a->level, 0, 0, 0, 0, to->extent.width, to->extent.height);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    ctx->bindings_age++;
    return glnn__gl_check(ctx, "copying a texture of %d x %d texels", to->extent.width,
                          to->extent.height);
}
