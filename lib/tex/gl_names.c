#include "tex/gl_names.h"

#include "gl/gl.h"

#include <stddef.h>
#include <stdio.h>

typedef struct entry {
    unsigned number;
    const char *name;
} entry;

/* clang-format off */
#define NAMED(constant) {constant, #constant}
/* clang-format on */

static const entry targets[] = {
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
static const entry formats[] = {
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

static const entry swizzles[] = {
    NAMED(GL_RED), NAMED(GL_GREEN), NAMED(GL_BLUE), NAMED(GL_ALPHA), NAMED(GL_ZERO), NAMED(GL_ONE),
};

static glnn__gl_name find(const entry *entries, size_t count, unsigned number)
{
    glnn__gl_name found;
    snprintf(found.text, sizeof found.text, "0x%04x", number);
    for (size_t i = 0; i < count; ++i)
        if (entries[i].number == number)
            snprintf(found.text, sizeof found.text, "%s", entries[i].name);
    return found;
}

glnn__gl_name glnn__target_name(unsigned target)
{
    return find(targets, sizeof targets / sizeof *targets, target);
}

glnn__gl_name glnn__format_name(unsigned format)
{
    return find(formats, sizeof formats / sizeof *formats, format);
}

glnn__gl_name glnn__swizzle_name(unsigned swizzle)
{
    return find(swizzles, sizeof swizzles / sizeof *swizzles, swizzle);
}
