#include "device/uniforms.h"

#include "base/status.h"
#include "pass/embedded.h"

#define PROGRAMS 2

static GLuint create_result(void)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32F, 1, 1);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
    return texture;
}

/* Dispatches the programs in turn, the first one with this number of turns before and after the
 * other one. Returns the result of the last dispatch. */
static float alternate(glnn_context *ctx, const GLuint programs[PROGRAMS], int turns)
{
    float result = 0;
    for (int i = 0; i <= PROGRAMS; ++i) {
        const bool is_other = i == 1;
        glnn__gl_use_program(ctx, programs[is_other]);
        glUniform1i(0, is_other ? 1 : turns);
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        glDispatchCompute(1, 1, 1);
    }
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, &result);
    return result;
}

glnn_status glnn__uniforms_are_current(glnn_context *ctx, bool *out)
{
    const char *text = glnn__embedded_text("trials/uniforms.glsl");
    GLuint programs[PROGRAMS];
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PARTS_COPY | GLNN__PART_IMAGE(0) | GLNN__PART_PROGRAM));
    const GLuint texture = create_result();
    for (int i = 0; i < PROGRAMS; ++i)
        programs[i] = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &text);
    const float once = alternate(ctx, programs, 1), twice = alternate(ctx, programs, 2);
    *out = once == 1 && twice == 1.5f;
    glnn__gl_use_program(ctx, 0);
    for (int i = 0; i < PROGRAMS; ++i)
        glDeleteProgram(programs[i]);
    glDeleteTextures(1, &texture);
    ++ctx->bindings_age;
    return glnn__gl_check(ctx, "trying uniforms of compute shaders");
}
