#include "tex/adopted.h"

#include "base/status.h"
#include "tex/gl_names.h"

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

/* The target of a texture, where OpenGL can tell it, and else that of the description. Buffer
 * textures have no parameters, so the question is an error for them. */
static GLenum ask_target(const glnn__textures *textures, const glnn__texture *texture)
{
    GLint target = 0;
    if (!textures->tells_targets)
        return texture->target;
    glGetTextureParameteriv(texture->name, GL_TEXTURE_TARGET, &target);
    if (target != 0)
        return (GLenum)target;
    glGetError();
    return GL_TEXTURE_BUFFER;
}

/* Binds to unit 0. To bind a name of another target is an error, which debug output reports, so the
 * target is asked for before. `*target` is 0 if it is another one that OpenGL does not tell. */
static bool bind(glnn_context *ctx, const glnn__texture *texture, GLenum *target)
{
    const glnn__textures *textures = ctx->slots[GLNN__SLOT_TEXTURES].state;
    const bool is_array = texture->target == GL_TEXTURE_2D_ARRAY;
    *target = ask_target(textures, texture);
    if (*target != texture->target)
        return false;
    ctx->bindings_age++;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(texture->target, texture->name);
    if (textures->tells_targets ||
        glnn__gl_integer(is_array ? GL_TEXTURE_BINDING_2D_ARRAY : GL_TEXTURE_BINDING_2D) ==
            (GLint)texture->name)
        return true;
    glGetError();
    *target = 0;
    return false;
}

/* Each column is read from the channel that it was written to. */
static glnn_status check_swizzle(const char *what, const glnn__texture *texture,
                                 const parameters *p, glnn_status status)
{
    static const GLint own[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
    for (int i = 0; i < texture->adoption.channels; ++i)
        if (p->swizzle[i] != own[i])
            return glnn__fail(status,
                              "%s: GL_TEXTURE_SWIZZLE_%c of texture %u is %s; it must be %s, "
                              "because the channel is a column",
                              what, "RGBA"[i], texture -> name,
                              glnn__swizzle_name((GLenum)p->swizzle[i]).text,
                              glnn__swizzle_name((GLenum)own[i]).text);
    return GLNN_OK;
}

/* Finds out which levels can be read, and whether images of the texture can be bound. */
static glnn_status check_parameters(const char *what, glnn__texture *texture, glnn_status status)
{
    glnn__adoption *a = &texture->adoption;
    const parameters p = look_at_parameters(texture->target);
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
    GLNN__TRY(check_swizzle(what, texture, &p, status));
    a->lod = a->level - p.base;
    a->is_storable = (GLenum)a->format == glnn__texture_format(texture) &&
                     (is_mipmap || p.filter == GL_NEAREST || p.filter == GL_LINEAR);
    return GLNN_OK;
}

/* The texture has another target than the description; 0: an unknown one. */
static glnn_status fail_target(const char *what, const glnn__texture *texture, GLenum target)
{
    const glnn__gl_name wanted = glnn__target_name(texture->target);
    if (target == 0)
        return glnn__fail(GLNN_E_ARG,
                          "%s: texture %u is not a %s; set `target` to its target, GL_TEXTURE_2D "
                          "or GL_TEXTURE_2D_ARRAY",
                          what, texture->name, wanted.text);
    const glnn__gl_name name = glnn__target_name(target);
    if (target == GL_TEXTURE_2D || target == GL_TEXTURE_2D_ARRAY)
        return glnn__fail(GLNN_E_ARG, "%s: texture %u is a %s, not a %s; set `target` to %s", what,
                          texture->name, name.text, wanted.text, name.text);
    return glnn__fail(GLNN_E_ARG,
                      "%s: texture %u is a %s; only GL_TEXTURE_2D and GL_TEXTURE_2D_ARRAY can be "
                      "adopted",
                      what, texture->name, name.text);
}

static glnn_status find(glnn_context *ctx, const char *what, const glnn__texture *texture,
                        image *found)
{
    GLenum target;
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_UNIT(0)));
    if (!glIsTexture(texture->name))
        return glnn__fail(GLNN_E_ARG,
                          "%s: texture %u does not exist, or its name has never been bound", what,
                          texture->name);
    if (!bind(ctx, texture, &target))
        return fail_target(what, texture, target);
    *found = look_at(texture->target, texture->adoption.level);
    return GLNN_OK;
}

static glnn_status fail_format(const char *what, const glnn__texture *texture, GLenum other)
{
    const bool is_srgb = other == GL_SRGB8 || other == GL_SRGB8_ALPHA8;
    return glnn__fail(GLNN_E_ARG,
                      "%s: the internal format of texture %u is %s; it must be GL_RGBA32F, "
                      "GL_RGBA16F, GL_RGBA8, GL_R32F or GL_R8%s",
                      what, texture->name, glnn__format_name(other).text,
                      is_srgb ? ". glTextureView makes a GL_RGBA8 texture of the encoded numbers "
                                "of an immutable GL_SRGB8_ALPHA8 one"
                              : "");
}

/* The level and the layer exist. */
static glnn_status check_image(const char *what, const glnn__texture *texture, const image *found)
{
    const glnn__adoption *a = &texture->adoption;
    if (found->width < 1)
        return glnn__fail(GLNN_E_ARG, "%s: texture %u has no level %d", what, texture->name,
                          a->level);
    if (a->layer < found->layers)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "%s: layer %d of texture %u does not exist; it has layers 0 to %d", what,
                      a->layer, texture->name, found->layers - 1);
}

glnn_status glnn__adopted_describe(glnn_context *ctx, const char *what, glnn__texture *texture)
{
    glnn__adoption *a = &texture->adoption;
    image found = {0};
    GLNN__TRY(find(ctx, what, texture, &found));
    GLNN__TRY(check_image(what, texture, &found));
    const format *known = find_format(&found);
    if (!known)
        return fail_format(what, texture, (GLenum)found.format);
    texture->layout = known->layout;
    texture->storage = known->storage;
    texture->width = found.width;
    texture->height = found.height;
    texture->extent = (glnn__extent){.width = found.width, .height = found.height, .layers = 1};
    texture->bytes = glnn__extent_bytes(texture->layout, texture->storage, texture->extent);
    a->is_adopted = true;
    a->format = found.format;
    a->layers = found.layers;
    a->checked = ctx->entries;
    return GLNN_OK;
}

glnn_status glnn__adopted_check_parameters(const char *what, glnn__texture *texture)
{
    return check_parameters(what, texture, GLNN_E_ARG);
}

static glnn_status find_again(glnn_context *ctx, const char *what, const glnn__texture *texture,
                              image *found)
{
    GLenum target;
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_UNIT(0)));
    if (!glIsTexture(texture->name))
        return glnn__fail(GLNN_E_STATE, "%s: texture %u was deleted", what, texture->name);
    if (!bind(ctx, texture, &target))
        return glnn__fail(GLNN_E_STATE, "%s: texture %u is not a %s any more; it was deleted", what,
                          texture->name, glnn__target_name(texture->target).text);
    *found = look_at(texture->target, texture->adoption.level);
    return GLNN_OK;
}

static glnn_status check(glnn_context *ctx, const char *what, glnn__texture *texture)
{
    const glnn__adoption *a = &texture->adoption;
    image found = {0};
    GLNN__TRY(find_again(ctx, what, texture, &found));
    if (found.width != texture->width || found.height != texture->height)
        return glnn__fail(GLNN_E_STATE,
                          "%s: level %d of texture %u had %d x %d texels when it was adopted, and "
                          "has %d x %d now; adopt it anew",
                          what, a->level, texture->name, texture->width, texture->height,
                          found.width, found.height);
    if (found.layers <= a->layer)
        return glnn__fail(GLNN_E_STATE,
                          "%s: texture %u had %d layers when it was adopted, and has %d now; layer "
                          "%d is the matrix",
                          what, texture->name, a->layers, found.layers, a->layer);
    if (found.format != a->format)
        return glnn__fail(GLNN_E_STATE,
                          "%s: the internal format of texture %u was %s when it was adopted, and "
                          "is %s now; adopt it anew",
                          what, texture->name, glnn__format_name((GLenum)a->format).text,
                          glnn__format_name((GLenum)found.format).text);
    return check_parameters(what, texture, GLNN_E_STATE);
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
