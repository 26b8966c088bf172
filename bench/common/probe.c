#include "common/probe.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "common/texture.h"
#include "gl/gl.h"

enum { SIDE = 512, ACCUMULATORS = 8 };

/* A probe takes about so long, and the best of so many draws counts: a limit is what is
 * possible. */
static const double wanted_seconds = 0.03;
enum { DRAWS = 5 };

typedef struct probe {
    const char *name;
    GLenum format;       /* of the operand; 0: none        */
    double units;        /* a fragment and round of the loop */
    const char *program; /* body of the loop               */
} probe;

/* Rows are shared along x and columns along y, as in a matrix product. */
static const probe probes[PROBE_COUNT] = {
    {"multiply-add, registers only", 0, 4.0 * ACCUMULATORS,
     "    for (int j = 0; j < 8; ++j) sum[j] = fma(sum[j], factor, offset);\n"},
    {"texelFetch RGBA32F", GL_RGBA32F, ACCUMULATORS,
     "    for (int j = 0; j < 4; ++j) {\n"
     "        sum[j] += texelFetch(operand, ivec2((4 * i + j) & 511, at.y), 0);\n"
     "        sum[j + 4] += texelFetch(operand, ivec2(at.x, (4 * i + j) & 511), 0);\n"
     "    }\n"},
    {"texture() RGBA32F, nearest", GL_RGBA32F, ACCUMULATORS,
     "    for (int j = 0; j < 4; ++j) {\n"
     "        sum[j] += texture(operand, vec2((4 * i + j) & 511, at.y) / 512.0 + centre);\n"
     "        sum[j + 4] += texture(operand, vec2(at.x, (4 * i + j) & 511) / 512.0 + centre);\n"
     "    }\n"},
    {"texelFetch RGBA16F", GL_RGBA16F, ACCUMULATORS, NULL},
    {"texelFetch R32F", GL_R32F, ACCUMULATORS, NULL},
};

static const char *vertex_text = "#version 430 core\n"
                                 "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, "
                                 "gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }";

/* To be filled in: declarations of a stage, its place, the loop, the result. */
static const char *text_format =
    "#version 430 core\n"
    "layout(binding = 0) uniform sampler2D operand;\n"
    "layout(location = 0) uniform int rounds;\n"
    "layout(location = 1) uniform vec4 factor;\n"
    "layout(location = 2) uniform vec4 offset;\n"
    "%s"
    "void main()\n"
    "{\n"
    "    ivec2 at = ivec2(%s);\n"
    "    vec2 centre = vec2(0.5 / 512.0);\n"
    "    vec4 sum[8];\n"
    "    for (int j = 0; j < 8; ++j) sum[j] = vec4(at.x + j);\n"
    "    for (int i = 0; i < rounds; ++i) {\n"
    "%s"
    "    }\n"
    "    vec4 all = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];\n"
    "    %s;\n"
    "}\n";

static const struct {
    const char *declaration, *place, *result;
} stages[GLNN_STAGE_COUNT] = {
    [GLNN_STAGE_FRAGMENT] = {"layout(location = 0) out vec4 target;\n", "gl_FragCoord.xy",
                             "target = all"},
    [GLNN_STAGE_COMPUTE] = {"layout(local_size_x = 8, local_size_y = 8) in;\n"
                            "layout(binding = 0, rgba32f) uniform writeonly image2D target;\n",
                            "gl_GlobalInvocationID.xy", "imageStore(target, at, all)"},
};
enum { GROUP = 8 };

const char *probe_name(probe_kind kind)
{
    return probes[kind].name;
}

static GLuint compile(GLenum kind, const char *text)
{
    GLint done = 0;
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done)
        return shader;
    char log[1024] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    fprintf(stderr, "error: a probe does not compile: %s\n", log);
    exit(EXIT_FAILURE);
}

static GLuint link(const probe *p, glnn_stage stage)
{
    const bool is_compute = stage == GLNN_STAGE_COMPUTE;
    char text[4096];
    snprintf(text, sizeof text, text_format, stages[stage].declaration, stages[stage].place,
             p->program ? p->program : probes[PROBE_FETCH_FLOAT4].program, stages[stage].result);
    const GLuint shaders[] = {compile(is_compute ? GL_COMPUTE_SHADER : GL_FRAGMENT_SHADER, text),
                              is_compute ? 0 : compile(GL_VERTEX_SHADER, vertex_text)};
    const GLuint program = glCreateProgram();
    for (int i = 0; i < (is_compute ? 1 : 2); ++i) {
        glAttachShader(program, shaders[i]);
        glDeleteShader(shaders[i]);
    }
    glLinkProgram(program);
    return program;
}

/* Clearing is how a texture gets its content in OpenGL 4.3 without data. */
static GLuint framebuffer_new(GLuint target)
{
    GLuint name;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    glDrawBuffer(GL_COLOR_ATTACHMENT0);
    glClearBufferfv(GL_COLOR, 0, (const float[]){1, 1, 1, 1});
    return name;
}

static double draw_seconds(glnn_stage stage, int rounds)
{
    glUniform1i(0, rounds);
    glFinish();
    const double start = glnn__clock_seconds();
    if (stage == GLNN_STAGE_COMPUTE)
        glDispatchCompute(SIDE / GROUP, SIDE / GROUP, 1);
    else
        glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
    return glnn__clock_seconds() - start;
}

static double best_rate(const probe *p, glnn_stage stage)
{
    int rounds = 4;
    double best = INFINITY;
    draw_seconds(stage, rounds);
    while (draw_seconds(stage, rounds) < wanted_seconds && rounds < 1 << 16)
        rounds *= 2;
    for (int i = 0; i < DRAWS; ++i)
        best = fmin(best, draw_seconds(stage, rounds));
    return p->units * rounds * SIDE * SIDE / best;
}

static double measure(const probe *p, glnn_stage stage)
{
    GLuint vertex_array;
    const GLuint target = texture_new(GL_RGBA32F, SIDE, SIDE);
    const GLuint operand = texture_new(p->format ? p->format : GL_RGBA32F, SIDE, SIDE);
    GLuint framebuffers[2];
    for (int i = 0; i < 2; ++i)
        framebuffers[i] = framebuffer_new(i == 0 ? operand : target);
    const GLuint program = link(p, stage);
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    glUseProgram(program);
    glUniform4f(1, 0.5f, 0.25f, 0.125f, 0.75f);
    glUniform4f(2, 1, 2, 3, 4);
    glViewport(0, 0, SIDE, SIDE);
    glBindImageTexture(0, target, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    const double rate = best_rate(p, stage);
    glBindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteVertexArrays(1, &vertex_array);
    glDeleteFramebuffers(2, framebuffers);
    glDeleteTextures(1, &target);
    glDeleteTextures(1, &operand);
    return rate;
}

double probe_rate(bench *b, probe_kind kind)
{
    CHECK(glnn__gl_enter(b->ctx));
    glnn__gl_set_defaults(b->ctx);
    const double rate = measure(&probes[kind], b->info.stage);
    ++b->ctx->bindings_age; /* the library's own notes of what is bound are void now */
    CHECK(glnn__gl_leave(b->ctx, GLNN_OK));
    return rate;
}
