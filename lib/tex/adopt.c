/* Textures of a host that are matrices: which ones can be, and whether they still are. */
#include "base/names.h"
#include "base/sized.h"
#include "base/status.h"
#include "tex/texture.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const pixels_names[GLNN_PIXELS_COUNT] = {
    [GLNN_PIXELS_AS_COLUMNS] = "as_columns",
    [GLNN_PIXELS_AS_ROWS] = "as_rows",
};

GLNN__DEFINE_NAMES(glnn_pixels, pixels_names)

/* ---- OpenGL's names, for error sentences */

typedef struct entry {
    GLenum number;
    const char *name;
} entry;

/* clang-format off */
#define NAMED(constant) {constant, #constant}
/* clang-format on */

static const entry target_names[] = {
    NAMED(GL_TEXTURE_1D),
    NAMED(GL_TEXTURE_1D_ARRAY),
    NAMED(GL_TEXTURE_2D),
    NAMED(GL_TEXTURE_2D_ARRAY),
    NAMED(GL_TEXTURE_2D_MULTISAMPLE),
    NAMED(GL_TEXTURE_2D_MULTISAMPLE_ARRAY),
    NAMED(GL_TEXTURE_3D),
    NAMED(GL_TEXTURE_BUFFER),
    NAMED(GL_TEXTURE_CUBE_MAP),
    NAMED(GL_TEXTURE_CUBE_MAP_ARRAY),
    NAMED(GL_TEXTURE_RECTANGLE),
};

/* Formats of colours and depths that hosts use. Compressed ones are left out. */
static const entry format_names[] = {
    NAMED(GL_RED),
    NAMED(GL_RG),
    NAMED(GL_RGB),
    NAMED(GL_RGBA),
    NAMED(GL_R8),
    NAMED(GL_RG8),
    NAMED(GL_RGB8),
    NAMED(GL_RGBA8),
    NAMED(GL_SRGB8),
    NAMED(GL_SRGB8_ALPHA8),
    NAMED(GL_RGBA8_SNORM),
    NAMED(GL_R16),
    NAMED(GL_RG16),
    NAMED(GL_RGB16),
    NAMED(GL_RGBA16),
    NAMED(GL_R16F),
    NAMED(GL_RG16F),
    NAMED(GL_RGB16F),
    NAMED(GL_RGBA16F),
    NAMED(GL_R32F),
    NAMED(GL_RG32F),
    NAMED(GL_RGB32F),
    NAMED(GL_RGBA32F),
    NAMED(GL_R8UI),
    NAMED(GL_R32I),
    NAMED(GL_R32UI),
    NAMED(GL_RGBA8I),
    NAMED(GL_RGBA8UI),
    NAMED(GL_RGBA16UI),
    NAMED(GL_RGBA32UI),
    NAMED(GL_RGB565),
    NAMED(GL_RGBA4),
    NAMED(GL_RGB5_A1),
    NAMED(GL_RGB10_A2),
    NAMED(GL_R11F_G11F_B10F),
    NAMED(GL_RGB9_E5),
    NAMED(GL_DEPTH_COMPONENT16),
    NAMED(GL_DEPTH_COMPONENT24),
    NAMED(GL_DEPTH_COMPONENT32),
    NAMED(GL_DEPTH_COMPONENT32F),
    NAMED(GL_DEPTH24_STENCIL8),
    NAMED(GL_DEPTH32F_STENCIL8),
};

static const entry swizzle_names[] = {
    NAMED(GL_RED), NAMED(GL_GREEN), NAMED(GL_BLUE), NAMED(GL_ALPHA), NAMED(GL_ZERO), NAMED(GL_ONE),
};

/* The name of a number or, if it is not listed, its hexadecimal digits. */
typedef struct gl_name {
    char text[48];
} gl_name;

static gl_name find_name(const entry *entries, size_t count, GLenum number)
{
    gl_name found;
    snprintf(found.text, sizeof found.text, "0x%04x", number);
    for (size_t i = 0; i < count; ++i)
        if (entries[i].number == number)
            snprintf(found.text, sizeof found.text, "%s", entries[i].name);
    return found;
}

static gl_name target_name(GLenum target)
{
    return find_name(target_names, sizeof target_names / sizeof *target_names, target);
}

static gl_name format_name(GLenum format)
{
    return find_name(format_names, sizeof format_names / sizeof *format_names, format);
}

static gl_name swizzle_name(GLint swizzle)
{
    return find_name(swizzle_names, sizeof swizzle_names / sizeof *swizzle_names, (GLenum)swizzle);
}

/* ---- Descriptions */

static GLenum target_of(const glnn_texture_desc *desc)
{
    return desc->target ? desc->target : GL_TEXTURE_2D;
}

glnn_status glnn__texture_check_desc(const char *function, const glnn_texture_desc *desc)
{
    const GLenum target = target_of(desc);
    GLNN__TRY(glnn__fail_in(function, GLNN__RESERVED_CHECK(glnn_texture_desc, desc)));
    if (desc->texture == 0)
        return glnn__fail(GLNN_E_ARG, "%s: `texture` is 0, which names no texture", function);
    if (target != GL_TEXTURE_2D && target != GL_TEXTURE_2D_ARRAY)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `target` is 0x%04x; it must be GL_TEXTURE_2D or GL_TEXTURE_2D_ARRAY",
                          function, target);
    if (desc->level < 0 || desc->level > 30)
        return glnn__fail(GLNN_E_ARG, "%s: `level` is %d; it must be from 0 to 30", function,
                          desc->level);
    if (desc->layer < 0 || (target == GL_TEXTURE_2D && desc->layer > 0))
        return glnn__fail(GLNN_E_ARG, "%s: `layer` is %d; it must %s", function, desc->layer,
                          desc->layer < 0 ? "not be negative" : "be 0 for GL_TEXTURE_2D");
    if ((unsigned)desc->pixels >= GLNN_PIXELS_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: `pixels` is %d, which is not in the enumeration",
                          function, (int)desc->pixels);
    return GLNN_OK;
}

/* ---- Questions to OpenGL about a texture */

/* The formats that a matrix can have. */
typedef struct format {
    GLenum format;
    glnn_layout layout;
    glnn_storage storage;
} format;

static const format formats[] = {
    {GL_RGBA32F, GLNN_LAYOUT_PACKED, GLNN_STORAGE_FLOAT32},
    {GL_RGBA16F, GLNN_LAYOUT_PACKED, GLNN_STORAGE_FLOAT16},
    {GL_RGBA8, GLNN_LAYOUT_PACKED, GLNN_STORAGE_UNORM8},
    {GL_R32F, GLNN_LAYOUT_UNPACKED, GLNN_STORAGE_FLOAT32},
    {GL_R8, GLNN_LAYOUT_UNPACKED, GLNN_STORAGE_UNORM8},
    /* Drivers choose the size of these; it has to be 8 bits. */
    {GL_RGBA, GLNN_LAYOUT_PACKED, GLNN_STORAGE_UNORM8},
    {GL_RED, GLNN_LAYOUT_UNPACKED, GLNN_STORAGE_UNORM8},
};

/* Whether OpenGL reports the format without a size. Shaders cannot store to it. */
static bool is_unsized(GLenum internal)
{
    return internal == GL_RGBA || internal == GL_RED;
}

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

/* The level that is the matrix: as OpenGL tells it, or else as it was described. */
static image look_at_matrix(const glnn_context *ctx, const glnn__texture *t)
{
    if (glnn__gl_offers(ctx, GLNN__OFFERS_LEVEL_SIZES))
        return look_at(t->target, t->level);
    return (image){t->width, t->height, t->layer_count, (GLint)t->format, 8};
}

static const format *find_format(const image *found)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (formats[i].format == (GLenum)found->format &&
            (!is_unsized(formats[i].format) || found->red_bits == 8))
            return &formats[i];
    return NULL;
}

static GLint parameter(GLenum target, GLenum name)
{
    GLint value = 0;
    glGetTexParameteriv(target, name, &value);
    return value;
}

/* WebGL has no swizzle either. */
static const GLint own_channels[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};

/* The parameters of the texture that is bound. */
typedef struct parameters {
    GLint base, last, filter;
    bool is_immutable;
    GLint swizzle[4];
} parameters;

static parameters look_at_parameters(const glnn_context *ctx, GLenum target)
{
    parameters found = {
        .base = parameter(target, GL_TEXTURE_BASE_LEVEL),
        .last = parameter(target, GL_TEXTURE_MAX_LEVEL),
        .filter = parameter(target, GL_TEXTURE_MIN_FILTER),
        .is_immutable = parameter(target, GL_TEXTURE_IMMUTABLE_FORMAT),
    };
    for (int i = 0; i < 4; ++i)
        found.swizzle[i] = glnn__gl_offers(ctx, GLNN__OFFERS_LEVEL_SIZES)
                               ? parameter(target, GL_TEXTURE_SWIZZLE_R + (GLenum)i)
                               : own_channels[i];
    if (!found.is_immutable)
        return found;
    /* OpenGL takes the nearest levels that an immutable texture has. */
    const GLint end = parameter(target, GL_TEXTURE_IMMUTABLE_LEVELS) - 1;
    found.base = found.base < end ? found.base : end;
    found.last = found.last < end ? found.last : end;
    found.last = found.last > found.base ? found.last : found.base;
    return found;
}

/* Whether the texture that is bound has all levels of a mipmap, from its base level on, as far as
 * OpenGL tells. */
static bool has_mipmap(const glnn_context *ctx, GLenum target, const parameters *p)
{
    if (p->is_immutable || !glnn__gl_offers(ctx, GLNN__OFFERS_LEVEL_SIZES))
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
static GLenum ask_target(const glnn_context *ctx, const glnn__texture *texture)
{
    GLint target = 0;
    if (!glnn__gl_offers(ctx, GLNN__OFFERS_TEXTURE_TARGETS))
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
    const bool is_array = texture->target == GL_TEXTURE_2D_ARRAY;
    *target = ask_target(ctx, texture);
    if (*target != texture->target)
        return false;
    ctx->bindings_age++;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(texture->target, texture->name);
    if (glnn__gl_offers(ctx, GLNN__OFFERS_TEXTURE_TARGETS) ||
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
    for (int i = 0; i < texture->channels; ++i)
        if (p->swizzle[i] != own_channels[i])
            return glnn__fail(status,
                              "%s: GL_TEXTURE_SWIZZLE_%c of texture %u is %s; it must be %s, "
                              "because the channel is a column",
                              what, "RGBA"[i], texture -> name, swizzle_name(p->swizzle[i]).text,
                              swizzle_name(own_channels[i]).text);
    return GLNN_OK;
}

/* Finds out which levels can be read, and whether images of the texture can be bound. */
static glnn_status check_parameters(const glnn_context *ctx, const char *what, glnn__texture *t,
                                    glnn_status status)
{
    const parameters p = look_at_parameters(ctx, t->target);
    if (t->level < p.base || t->level > p.last)
        return glnn__fail(status,
                          "%s: level %d of texture %u is not among its levels %d "
                          "(GL_TEXTURE_BASE_LEVEL) to %d (GL_TEXTURE_MAX_LEVEL)",
                          what, t->level, t->name, p.base, p.last);
    const bool is_mipmap = has_mipmap(ctx, t->target, &p);
    if (t->level > p.base && !is_mipmap)
        return glnn__fail(status,
                          "%s: level %d of texture %u cannot be read, because a level between %d "
                          "and the smallest is missing; set GL_TEXTURE_MAX_LEVEL",
                          what, t->level, t->name, p.base);
    GLNN__TRY(check_swizzle(what, t, &p, status));
    t->lod = t->level - p.base;
    t->sampling = t->lod > 0 ? GLNN__SAMPLING_LEVEL : GLNN__SAMPLING_NEAREST;
    t->is_storable =
        !is_unsized(t->format) && (is_mipmap || p.filter == GL_NEAREST || p.filter == GL_LINEAR);
    return GLNN_OK;
}

/* The texture has another target than the description; 0: an unknown one. */
static glnn_status fail_target(const char *what, const glnn__texture *texture, GLenum target)
{
    const gl_name wanted = target_name(texture->target);
    if (target == 0)
        return glnn__fail(GLNN_E_ARG,
                          "%s: texture %u is not a %s; set `target` to its target, GL_TEXTURE_2D "
                          "or GL_TEXTURE_2D_ARRAY",
                          what, texture->name, wanted.text);
    const gl_name name = target_name(target);
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
    *found = look_at_matrix(ctx, texture);
    return GLNN_OK;
}

static glnn_status fail_format(const char *what, const glnn__texture *texture, GLenum other)
{
    const bool is_srgb = other == GL_SRGB8 || other == GL_SRGB8_ALPHA8;
    return glnn__fail(GLNN_E_ARG,
                      "%s: the internal format of texture %u is %s; it must be GL_RGBA32F, "
                      "GL_RGBA16F, GL_RGBA8, GL_R32F or GL_R8%s",
                      what, texture->name, format_name(other).text,
                      is_srgb ? ". glTextureView makes a GL_RGBA8 texture of the encoded numbers "
                                "of an immutable GL_SRGB8_ALPHA8 one"
                              : "");
}

/* The level and the layer exist. */
static glnn_status check_image(const char *what, const glnn__texture *texture, const image *found)
{
    if (found->width < 1)
        return glnn__fail(GLNN_E_ARG, "%s: texture %u has no level %d", what, texture->name,
                          texture->level);
    if (texture->layer < found->layers)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "%s: layer %d of texture %u does not exist; it has layers 0 to %d", what,
                      texture->layer, texture->name, found->layers - 1);
}

/* Whether the description gives the numbers that WebGL does not tell. */
static glnn_status check_stated(const glnn_context *ctx, const char *what,
                                const glnn_texture_desc *desc)
{
    if (glnn__gl_offers(ctx, GLNN__OFFERS_LEVEL_SIZES) ||
        (desc->width > 0 && desc->height > 0 && desc->format))
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "%s: `width` is %d, `height` is %d and `format` is %u for texture %u; WebGL "
                      "does not tell them, so all three have to be given",
                      what, desc->width, desc->height, desc->format, desc->texture);
}

/* Fills in the texture of a description, but for how its pixels are elements. */
static glnn_status describe(glnn_context *ctx, const glnn_texture_desc *desc, const char *what,
                            glnn__texture *texture)
{
    *texture = (glnn__texture){.name = desc->texture,
                               .target = target_of(desc),
                               .level = desc->level,
                               .width = desc->width,
                               .height = desc->height,
                               .layer_count = desc->layers > 0 ? desc->layers : 1,
                               .format = desc->format,
                               .layer = desc->layer,
                               .is_shared = true,
                               .checked = ctx->entries};
    image found = {0};
    GLNN__TRY(check_stated(ctx, what, desc));
    GLNN__TRY(find(ctx, what, texture, &found));
    GLNN__TRY(check_image(what, texture, &found));
    const format *known = find_format(&found);
    if (!known)
        return fail_format(what, texture, (GLenum)found.format);
    texture->format = (GLenum)found.format;
    texture->layout = known->layout;
    texture->storage = known->storage;
    texture->width = found.width;
    texture->height = found.height;
    texture->layer_count = found.layers;
    texture->extent = (glnn__extent){.width = found.width, .height = found.height, .layers = 1};
    texture->bytes = glnn__extent_bytes(glnn__layout_in(ctx, texture->layout), texture->storage,
                                        texture->extent);
    return GLNN_OK;
}

/* Fills in the channels that are columns, and for AS_ROWS how the texture is wrapped. */
static glnn_status choose_rows(const char *name, const glnn_texture_desc *desc,
                               glnn__texture *texture)
{
    const int channels = glnn__layout_channels(texture->layout);
    const bool as_rows = desc->pixels == GLNN_PIXELS_AS_ROWS;
    if (desc->channels < 0 || desc->channels > channels)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `channels` is %d; it must be from 0 to %d, the channels of the "
                          "texture",
                          name, desc->channels, channels);
    if (desc->channels > 0 && desc->channels < channels && !as_rows)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `channels` is %d; pixels that are columns have all %d channels of "
                          "the texture",
                          name, desc->channels, channels);
    if (as_rows && (texture->width & (texture->width - 1)) != 0)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the texture is %d texels wide; pixels can only be rows if the width "
                          "is a power of two",
                          name, texture->width);
    texture->channels = desc->channels > 0 ? desc->channels : channels;
    while (as_rows && 1 << texture->extent.wrap < texture->width)
        texture->extent.wrap++;
    return GLNN_OK;
}

static glnn_status adopt(glnn_context *ctx, const glnn_texture_desc *desc, const char *name,
                         glnn__texture *texture)
{
    GLNN__TRY(describe(ctx, desc, name, texture));
    GLNN__TRY(choose_rows(name, desc, texture));
    /* The level decides, and not the lod, which a host can change afterwards. */
    texture->is_placed = texture->level > 0 || texture->target == GL_TEXTURE_2D_ARRAY ||
                         texture->channels < glnn__layout_channels(texture->layout);
    return check_parameters(ctx, name, texture, GLNN_E_ARG);
}

glnn_status glnn__texture_adopt(glnn_context *ctx, const glnn_texture_desc *desc, const char *name,
                                glnn__texture **out)
{
    glnn__texture *texture = malloc(sizeof *texture);
    if (!texture)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a texture", name);
    const glnn_status status = adopt(ctx, desc, name, texture);
    if (status)
        free(texture);
    else
        *out = texture;
    return status;
}

/* ---- Later calls */

static glnn_status find_again(glnn_context *ctx, const char *what, const glnn__texture *texture,
                              image *found)
{
    GLenum target;
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_UNIT(0)));
    if (!glIsTexture(texture->name))
        return glnn__fail(GLNN_E_STATE, "%s: texture %u was deleted", what, texture->name);
    if (!bind(ctx, texture, &target))
        return glnn__fail(GLNN_E_STATE, "%s: texture %u is not a %s any more; it was deleted", what,
                          texture->name, target_name(texture->target).text);
    *found = look_at_matrix(ctx, texture);
    return GLNN_OK;
}

static glnn_status check(glnn_context *ctx, const char *what, glnn__texture *t)
{
    image found = {0};
    GLNN__TRY(find_again(ctx, what, t, &found));
    if (found.width != t->width || found.height != t->height)
        return glnn__fail(GLNN_E_STATE,
                          "%s: level %d of texture %u had %d x %d texels when it was adopted, and "
                          "has %d x %d now; adopt it anew",
                          what, t->level, t->name, t->width, t->height, found.width, found.height);
    if (found.layers <= t->layer)
        return glnn__fail(GLNN_E_STATE,
                          "%s: texture %u had %d layers when it was adopted, and has %d now; layer "
                          "%d is the matrix",
                          what, t->name, t->layer_count, found.layers, t->layer);
    if ((GLenum)found.format != t->format)
        return glnn__fail(GLNN_E_STATE,
                          "%s: the internal format of texture %u was %s when it was adopted, and "
                          "is %s now; adopt it anew",
                          what, t->name, format_name(t->format).text,
                          format_name((GLenum)found.format).text);
    return check_parameters(ctx, what, t, GLNN_E_STATE);
}

glnn_status glnn__texture_look_again(glnn_context *ctx, const char *what, glnn__texture *texture)
{
    glnn__textures *textures = glnn__textures_of(ctx);
    const glnn_status status = check(ctx, what, texture);
    if (status) {
        /* An attached texture keeps its memory after it was deleted. */
        glDeleteFramebuffers(1, &texture->framebuffer);
        texture->framebuffer = 0;
        ctx->bindings_age++;
        return status;
    }
    texture->checked = ctx->entries;
    texture->uses.used = textures->barriers.passes + 1; /* by the host, between the calls */
    return GLNN_OK;
}

/* Another texture can have got the name since the last call. */
void glnn__texture_attach_again(glnn_context *ctx, glnn__texture *texture)
{
    if (!texture->framebuffer)
        glGenFramebuffers(1, &texture->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, texture->framebuffer);
    glnn__texture_attach(texture, 0, 0);
    texture->attached = ctx->entries;
    ctx->bindings_age++;
}
