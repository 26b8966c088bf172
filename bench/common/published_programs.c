#include "common/published_programs.h"

#include <stdio.h>
#include <string.h>

#include "common/arrays.h"
#include "common/check.h"
#include "common/failure.h"
#include "pass/embedded.h"

/* The files below bench/shaders/. */
extern const glnn__embedded_file bench__shaders[];
extern const size_t bench__shader_count;

/* The parts of each program. */
static const struct {
    const char *file, *defines;
} parts[PUBLISHED_PROGRAMS] = {
    [PROGRAM_PRODUCT] = {"product.frag", ""},
    [PROGRAM_SIGMOID] = {"sigmoid.frag", ""},
    [PROGRAM_BACK] = {"back.frag", ""},
    [PROGRAM_UPDATE_1] = {"update.frag", ""},
    [PROGRAM_UPDATE_2] = {"update.frag", "#define OUTPUT_LAYER\n"},
    [PROGRAM_LAST_1] = {"update.frag", "#define LAST\n"},
    [PROGRAM_LAST_2] = {"update.frag", "#define LAST\n#define OUTPUT_LAYER\n"},
};

static const char version[] = "#version 430 core\n";

static const char *text_of(const char *file)
{
    size_t i = 0;
    while (i < bench__shader_count && strcmp(bench__shaders[i].name, file) != 0)
        ++i;
    REQUIRE(i < bench__shader_count || refuse("the shader %s is not built in", file));
    return (const char *)bench__shaders[i].text;
}

static GLuint compile(GLenum kind, GLsizei count, const char *const texts[], const char *file)
{
    GLint done = 0;
    char log[1024] = "";
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, count, texts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    REQUIRE(done || refuse("the shader %s does not compile: %s", file, log));
    return shader;
}

static GLuint link(GLuint vertex, GLuint fragment, const char *file)
{
    GLint done = 0;
    const GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    REQUIRE(done || refuse("the shader %s cannot be linked", file));
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return program;
}

GLuint published_program_new(const char *defines, const char *shared, const char *file)
{
    const char *vertex[] = {version, text_of("pass.vert")};
    const char *fragment[] = {version, defines, text_of(shared), text_of(file)};
    return link(compile(GL_VERTEX_SHADER, 2, vertex, "pass.vert"),
                compile(GL_FRAGMENT_SHADER, 4, fragment, file), file);
}

static void compile_all(published_programs *p)
{
    for (int i = 0; i < PUBLISHED_PROGRAMS; ++i) {
        char defines[96];
        snprintf(defines, sizeof defines, "%s%s%s", p->is_packed ? "#define PACKED\n" : "",
                 p->blends ? "#define BLENDS\n" : "", parts[i].defines);
        p->names[i] = published_program_new(defines, "patterns.glsl", parts[i].file);
    }
}

void published_enter(glnn_context *ctx)
{
    CHECK(glnn__gl_enter(ctx));
    glnn__gl_set_defaults(ctx);
}

/* The library looks up what is bound when the age changes. */
void published_leave(glnn_context *ctx)
{
    glActiveTexture(GL_TEXTURE0);
    ++ctx->bindings_age;
    CHECK(glnn__gl_leave(ctx, GLNN_OK));
}

published_programs *published_programs_new(glnn_context *ctx, bool is_packed, bool blends)
{
    published_programs *p = allocate(1, sizeof *p);
    *p = (published_programs){.ctx = ctx, .is_packed = is_packed, .blends = blends};
    published_enter(ctx);
    compile_all(p);
    glGenVertexArrays(1, &p->vertex_array);
    published_leave(ctx);
    return p;
}

void published_programs_free(published_programs *p)
{
    if (!p)
        return;
    published_enter(p->ctx);
    for (int i = 0; i < PUBLISHED_PROGRAMS; ++i)
        glDeleteProgram(p->names[i]);
    glDeleteVertexArrays(1, &p->vertex_array);
    published_leave(p->ctx);
    free(p);
}
