#include "pass/sampler.h"

static glnn__sampling sampling_of(const glnn__operand *operand)
{
    const glnn__adoption *adoption = &operand->matrix->texture->adoption;
    if (adoption->is_adopted)
        return adoption->lod > 0 ? GLNN__SAMPLING_LEVEL : GLNN__SAMPLING_ADOPTED;
    return operand->is_filtered ? GLNN__SAMPLING_FILTERED : GLNN__SAMPLING_OWN;
}

/* A host's texture can have a filter that needs a mipmap, which it may lack. */
static GLuint get_sampler(glnn__programs *programs, glnn__sampling sampling)
{
    static const GLint filters[GLNN__SAMPLINGS][2] = {
        [GLNN__SAMPLING_FILTERED] = {GL_LINEAR, GL_LINEAR},
        [GLNN__SAMPLING_ADOPTED] = {GL_NEAREST, GL_NEAREST},
        [GLNN__SAMPLING_LEVEL] = {GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST},
    };
    GLuint *sampler = &programs->samplers[sampling];
    if (sampling == GLNN__SAMPLING_OWN || *sampler)
        return *sampler;
    glGenSamplers(1, sampler);
    glSamplerParameteri(*sampler, GL_TEXTURE_MIN_FILTER, filters[sampling][0]);
    glSamplerParameteri(*sampler, GL_TEXTURE_MAG_FILTER, filters[sampling][1]);
    glSamplerParameteri(*sampler, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glSamplerParameteri(*sampler, GL_TEXTURE_WRAP_T, GL_REPEAT);
    return *sampler;
}

GLuint glnn__sampler_of(glnn__programs *programs, const glnn__operand *operand)
{
    return get_sampler(programs, sampling_of(operand));
}
