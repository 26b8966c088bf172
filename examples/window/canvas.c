#include "canvas.h"

#include <GL/glew.h>

#include <math.h>
#include <stdlib.h>

#include "common/failure.h"
#include "cover.h"

struct canvas {
    GLuint texture, framebuffer, program, corners;
    bool has_ink;
};

/* Row 0 of the framebuffer is the top of the paper, so that places need no change. */
static const char pen[] = "#version 430\n"
                          "layout(location = 0) uniform vec4 line;\n"
                          "layout(location = 1) uniform float radius;\n"
                          "out float ink;\n"
                          "void main() {\n"
                          "    vec2 along = line.zw - line.xy, place = gl_FragCoord.xy - line.xy;\n"
                          "    float nearest = dot(place, along) / max(dot(along, along), 1e-6);\n"
                          "    ink = radius + 0.5 - length(place - clamp(nearest, 0, 1) * along);\n"
                          "}\n";

static GLuint create_texture(void)
{
    static const GLint grey[] = {GL_RED, GL_RED, GL_RED, GL_ONE};
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 2, GL_R8, CANVAS_SIDE, CANVAS_SIDE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, grey);
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

canvas *canvas_create(void)
{
    canvas *of = calloc(1, sizeof *of);
    REQUIRE(of != NULL || refuse("no memory for a canvas"));
    of->texture = create_texture();
    REQUIRE(cover_link("the pen", pen, &of->program));
    glGenVertexArrays(1, &of->corners);
    glGenFramebuffers(1, &of->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, of->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, of->texture, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    canvas_clear(of);
    return of;
}

void canvas_destroy(canvas *of)
{
    if (of == NULL)
        return;
    glDeleteFramebuffers(1, &of->framebuffer);
    glDeleteVertexArrays(1, &of->corners);
    glDeleteProgram(of->program);
    glDeleteTextures(1, &of->texture);
    free(of);
}

static void make_coarse_level(const canvas *of)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, of->texture);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void canvas_clear(canvas *of)
{
    static const GLfloat paper[4];
    glBindFramebuffer(GL_FRAMEBUFFER, of->framebuffer);
    glClearBufferfv(GL_COLOR, 0, paper);
    make_coarse_level(of);
    of->has_ink = false;
}

/* Bounds the pixels that the pen can reach between two places of one axis. */
static void bound(float from, float to, float radius, GLint *low, GLint *length)
{
    const float first = fmaxf(fminf(from, to) - radius - 1.0f, 0.0f);
    const float end = fminf(fmaxf(from, to) + radius + 1.0f, (float)CANVAS_SIDE);
    *low = (GLint)fminf(first, (float)CANVAS_SIDE);
    *length = (GLint)fmaxf(ceilf(end) - (float)*low, 0.0f);
}

void canvas_draw(canvas *of, float x0, float y0, float x1, float y1, float radius)
{
    GLint left, top, width, height;
    bound(x0, x1, radius, &left, &width);
    bound(y0, y1, radius, &top, &height);
    if (width == 0 || height == 0)
        return;
    glBindFramebuffer(GL_FRAMEBUFFER, of->framebuffer);
    glViewport(0, 0, CANVAS_SIDE, CANVAS_SIDE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(left, top, width, height);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    glUseProgram(of->program);
    glUniform4f(0, x0, y0, x1, y1);
    glUniform1f(1, radius);
    glBindVertexArray(of->corners);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glUseProgram(0);
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    make_coarse_level(of);
    of->has_ink = true;
}

bool canvas_is_empty(const canvas *of)
{
    return !of->has_ink;
}

unsigned canvas_get_texture(const canvas *of)
{
    return of->texture;
}
