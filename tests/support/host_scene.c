#include "host_scene.h"

#include "support.h"

enum { TEXELS = 4 }; /* of a side of the texture */

static const char vertex_source[] = "#version 430\n"
                                    "out vec2 place;\n"
                                    "void main() {\n"
                                    "    place = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                    "    gl_Position = vec4(1.5 * place - 0.9, 0, 1);\n"
                                    "}\n";

static const char fragment_source[] = "#version 430\n"
                                      "layout(binding = 3) uniform sampler2D image;\n"
                                      "in vec2 place;\n"
                                      "out vec4 colour;\n"
                                      "void main() {\n"
                                      "    colour = vec4(texture(image, place).rgb, 0.5);\n"
                                      "}\n";

static GLuint link_program(const host_functions *gl)
{
    static const char *const sources[] = {vertex_source, fragment_source};
    const GLuint program = gl->CreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = gl->CreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        gl->ShaderSource(shader, 1, &sources[i], NULL);
        gl->CompileShader(shader);
        gl->AttachShader(program, shader);
    }
    gl->LinkProgram(program);
    return program;
}

static GLuint create_texture(const host_functions *gl, int side)
{
    GLuint texture;
    gl->GenTextures(1, &texture);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, side, side);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    return texture;
}

void scene_prepare(const host_functions *gl)
{
    unsigned char image[TEXELS * TEXELS][4];
    GLuint framebuffer, vertex_array;
    for (int i = 0; i < TEXELS * TEXELS * 4; ++i)
        image[i / 4][i % 4] = (unsigned char)(37 * i);
    const GLuint target = create_texture(gl, SCENE_SIDE);
    gl->GenFramebuffers(1, &framebuffer);
    gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    gl->ActiveTexture(GL_TEXTURE3);
    create_texture(gl, TEXELS);
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, TEXELS, TEXELS, GL_RGBA, GL_UNSIGNED_BYTE, image);
    gl->GenVertexArrays(1, &vertex_array);
    gl->BindVertexArray(vertex_array);
    gl->UseProgram(link_program(gl));
    gl->Viewport(0, 0, SCENE_SIDE, SCENE_SIDE);
    gl->ClearColor(0.2f, 0.4f, 0.6f, 1);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

picture scene_draw(const host_functions *gl)
{
    picture drawn;
    gl->Clear(GL_COLOR_BUFFER_BIT);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    gl->ReadPixels(0, 0, SCENE_SIDE, SCENE_SIDE, GL_RGBA, GL_UNSIGNED_BYTE, drawn.pixels);
    assert_int_equal(gl->GetError(), GL_NO_ERROR);
    return drawn;
}
