#include "sampling.h"

#include <stdio.h>

#include <glnn/texture.h>

static void attach_shader(GLuint program, GLenum stage, const char *text)
{
    char log[512] = "";
    GLint is_compiled = 0;
    const GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!is_compiled)
        fail_msg("%s\nof\n%s", log, text);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

static GLuint program_for(glnn_layout layout)
{
    static const char cover[] =
        "#version 330 core\n"
        "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, "
        "0, 1); }\n";
    const bool is_array = layout == GLNN_LAYOUT_TILED || layout == GLNN_LAYOUT_PAGED;
    char text[2048];
    snprintf(text, sizeof text,
             "#version 330 core\n%s"
             "uniform %s matrix;\nuniform int wrap;\nout float value;\n"
             "void main()\n{\n    ivec2 at = ivec2(gl_FragCoord.xy);\n"
             "    value = glnn_%s_element(matrix, wrap, at.y, at.x);\n}\n",
             glnn_layout_glsl(layout), is_array ? "sampler2DArray" : "sampler2D",
             glnn_layout_name(layout));
    const GLuint program = glCreateProgram();
    attach_shader(program, GL_VERTEX_SHADER, cover);
    attach_shader(program, GL_FRAGMENT_SHADER, text);
    glLinkProgram(program);
    return program;
}

/* A float texture to draw to, bound as the framebuffer. */
static GLuint target_of(int width, int height, GLuint *framebuffer)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glGenFramebuffers(1, framebuffer);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32F, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glViewport(0, 0, width, height);
    return texture;
}

static void draw(const glnn_texture_info *info)
{
    GLuint vertex_array;
    const GLuint program = program_for(info->layout);
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "wrap"), info->wrap);
    glBindTexture(info->target, info->texture);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glDeleteVertexArrays(1, &vertex_array);
    glUseProgram(0);
    glDeleteProgram(program);
    glBindTexture(info->target, 0);
}

array sampled_by_host(const glnn_matrix *matrix)
{
    const int rows = glnn_matrix_get_rows(matrix), columns = glnn_matrix_get_columns(matrix);
    glnn_texture_info info = {.size = sizeof info};
    GLuint framebuffer;
    expect_ok(glnn_matrix_get_texture(matrix, &info));
    const GLuint target = target_of(columns, rows, &framebuffer);
    float *floats = floats_new((size_t)rows * (size_t)columns);
    draw(&info);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, columns, rows, GL_RED, GL_FLOAT, floats);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &target);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return array_of_floats(rows, columns, floats);
}
