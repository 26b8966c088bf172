#include "tex/barrier.h"

static const GLbitfield barriers[GLNN__USE_COUNT] = {
    [GLNN__USE_FETCH] = GL_TEXTURE_FETCH_BARRIER_BIT,
    [GLNN__USE_IMAGE] = GL_SHADER_IMAGE_ACCESS_BARRIER_BIT,
    [GLNN__USE_FIXED] = GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT,
};

void glnn__barrier_note(glnn__textures *textures, glnn__texture *texture, glnn__use use)
{
    const uint64_t seen = textures->seen[use];
    const bool is_image = use == GLNN__USE_IMAGE;
    if (texture->stored > seen || (is_image && texture->used > seen))
        textures->barriers |= 1u << use;
    *(is_image ? &texture->stored : &texture->used) = textures->passes + 1;
}

void glnn__barrier_wait(glnn__textures *textures)
{
    GLbitfield bits = 0;
    for (int use = 0; use < GLNN__USE_COUNT; ++use) {
        if (!(textures->barriers >> use & 1))
            continue;
        bits |= barriers[use];
        textures->seen[use] = textures->passes;
    }
    if (bits)
        glMemoryBarrier(bits);
    textures->barriers = 0;
    textures->passes++;
}
