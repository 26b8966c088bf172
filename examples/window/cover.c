#include "cover.h"

#include <GL/glew.h>

#include "common/failure.h"

enum { LOG_CAPACITY = 1024 };

static const char triangle[] =
    "#version 430 core\n"
    "void main()\n"
    "{\n"
    "    gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);\n"
    "}\n";

static bool add_shader(const char *what, GLuint program, GLenum kind, const char *text)
{
    char log[LOG_CAPACITY] = "";
    GLint is_compiled = GL_FALSE;
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glAttachShader(program, shader);
    glDeleteShader(shader);
    return is_compiled || refuse("a shader of %s: %s", what, log);
}

bool cover_link(const char *what, const char *fragment, unsigned *out)
{
    GLint is_linked = GL_FALSE;
    *out = glCreateProgram();
    if (!add_shader(what, *out, GL_VERTEX_SHADER, triangle) ||
        !add_shader(what, *out, GL_FRAGMENT_SHADER, fragment))
        return false;
    glLinkProgram(*out);
    glGetProgramiv(*out, GL_LINK_STATUS, &is_linked);
    return is_linked || refuse("the program of %s cannot be linked", what);
}

unsigned cover_create_texture(unsigned format, int width, int height)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

void cover_begin(unsigned vertex_array, unsigned framebuffer, int width, int height)
{
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(vertex_array);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
}
