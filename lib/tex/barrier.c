#include "tex/barrier.h"

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
