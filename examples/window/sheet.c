#include "sheet.h"

#include <GL/glew.h>

#include <stdio.h>
#include <stdlib.h>

#include <glnn/reduce.h>
#include <glnn/texture.h>

#include "common/failure.h"
#include "cover.h"

enum { TEXT_CAPACITY = 8192, LAYOUTS = GLNN_LAYOUT_PAGED + 1 };

struct sheet {
    glnn_context *ctx;
    glnn_matrix *greatest, *least; /* elements of the matrix, 1 x 1 */
    int width, height;
    GLuint programs[LAYOUTS]; /* by the layout of the matrix; 0: not made yet */
    GLuint texture, framebuffer, none;
};

/* ---- Programs */

/* The locations of the uniforms. */
enum { WRAP, COUNTS_WRAP, SIZE, CELL, RECT, HAS_COUNTS };

/* Counts are always in a matrix of the layout UNPACKED. */
static const char paint[] =
    "layout(binding = 0) uniform %s matrix;\n"
    "layout(binding = 1) uniform sampler2D counts;\n"
    "layout(binding = 2) uniform sampler2D greatest;\n"
    "layout(binding = 3) uniform sampler2D least;\n"
    "layout(location = 0) uniform int wrap;\n"
    "layout(location = 1) uniform int counts_wrap;\n"
    "layout(location = 2) uniform ivec2 size;\n"
    "layout(location = 3) uniform ivec2 cell;\n"
    "layout(location = 4) uniform ivec4 rect;\n"
    "layout(location = 5) uniform bool has_counts;\n"
    "out vec4 colour;\n"
    "bool is_marked(ivec2 at)\n"
    "{\n"
    "    if (has_counts)\n"
    "        return glnn_unpacked_element(counts, counts_wrap, at.x, at.y) > 0;\n"
    "    return rect.z == 0 || (all(greaterThanEqual(at, rect.xy)) &&\n"
    "                           all(lessThan(at, rect.xy + rect.zw)));\n"
    "}\n"
    "vec3 signs(float x)\n"
    "{\n"
    "    return x > 0 ? mix(vec3(1), vec3(0.80, 0.05, 0.10), min(x, 1))\n"
    "                 : mix(vec3(1), vec3(0.05, 0.20, 0.75), min(-x, 1));\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    ivec2 first = ivec2(gl_FragCoord.yx) * cell, end = min(first + cell, size);\n"
    "    float x = 0;\n"
    "    bool marked = false;\n"
    "    for (int row = first.x; row < end.x; ++row)\n"
    "        for (int column = first.y; column < end.y; ++column) {\n"
    "            float y = glnn_%s_element(matrix, wrap, row, column);\n"
    "            x = abs(y) > abs(x) ? y : x;\n"
    "            marked = marked || is_marked(ivec2(row, column));\n"
    "        }\n"
    "    float range = max(texelFetch(greatest, ivec2(0), 0).r,\n"
    "                      -texelFetch(least, ivec2(0), 0).r);\n"
    "    vec3 full = signs(x / max(range, 1e-30));\n"
    "    bool is_dim = has_counts || rect.z > 0;\n"
    "    vec3 lit = is_dim ? mix(full, vec3(1, 0.85, 0.2), 0.2) : full;\n"
    "    colour = vec4(marked ? lit : mix(full, vec3(0.12, 0.13, 0.16), 0.72), 1);\n"
    "}\n";

static bool link_program(glnn_layout layout, GLuint *out)
{
    const bool is_array = layout == GLNN_LAYOUT_TILED || layout == GLNN_LAYOUT_PAGED;
    char main_text[TEXT_CAPACITY], text[2 * TEXT_CAPACITY];
    snprintf(main_text, sizeof main_text, paint, is_array ? "sampler2DArray" : "sampler2D",
             glnn_layout_name(layout));
    snprintf(text, sizeof text, "#version 430 core\n%s%s%s", glnn_layout_glsl(GLNN_LAYOUT_UNPACKED),
             layout == GLNN_LAYOUT_UNPACKED ? "" : glnn_layout_glsl(layout), main_text);
    return cover_link("a sheet", text, out);
}

/* ---- Creation */

static bool create_number(glnn_context *ctx, const char *name, glnn_matrix **out)
{
    const glnn_matrix_desc desc = {
        .rows = 1, .columns = 1, .layout = GLNN_LAYOUT_UNPACKED, .name = name};
    return glnn_matrix_create(ctx, &desc, out) == GLNN_OK || refuse("%s", glnn_last_error());
}

bool sheet_create(glnn_context *ctx, sheet **out)
{
    sheet *made = calloc(1, sizeof *made);
    *out = made;
    if (made == NULL)
        return refuse("no memory for a picture of a matrix");
    made->ctx = ctx;
    glGenFramebuffers(1, &made->framebuffer);
    glGenVertexArrays(1, &made->none);
    return create_number(ctx, "greatest", &made->greatest) &&
           create_number(ctx, "least", &made->least);
}

void sheet_destroy(sheet *of)
{
    if (of == NULL)
        return;
    glUseProgram(0); /* the library refuses to compute while a deleted program is in use */
    for (int i = 0; i < LAYOUTS; ++i)
        glDeleteProgram(of->programs[i]);
    glDeleteTextures(1, &of->texture);
    glDeleteFramebuffers(1, &of->framebuffer);
    glDeleteVertexArrays(1, &of->none);
    glnn_matrix_destroy(of->greatest);
    glnn_matrix_destroy(of->least);
    free(of);
}

/* ---- Drawing */

static void arrange(sheet *of, int width, int height)
{
    if (of->width == width && of->height == height)
        return;
    of->width = width;
    of->height = height;
    glDeleteTextures(1, &of->texture);
    of->texture = cover_create_texture(GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, of->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, of->texture, 0);
}

static bool bind(int unit, const glnn_matrix *matrix, glnn_texture_info *info)
{
    *info = (glnn_texture_info){.size = sizeof *info};
    if (glnn_matrix_get_texture(matrix, info) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(info->target, info->texture);
    return true;
}

static bool measure(const sheet *of, const glnn_matrix *matrix)
{
    const bool done =
        glnn_reduce(of->ctx, GLNN_REDUCTION_MAX, GLNN_AXIS_ALL, matrix, of->greatest) == GLNN_OK &&
        glnn_reduce(of->ctx, GLNN_REDUCTION_MIN, GLNN_AXIS_ALL, matrix, of->least) == GLNN_OK;
    return done || refuse("%s", glnn_last_error());
}

static int cell_of(int length)
{
    return (length + SHEET_SIDE - 1) / SHEET_SIDE;
}

bool sheet_draw(sheet *of, const glnn_matrix *matrix, bool is_new, const sheet_marks *marks)
{
    const int rows = glnn_matrix_get_rows(matrix), columns = glnn_matrix_get_columns(matrix);
    const int down = cell_of(rows), across = cell_of(columns);
    GLuint *program = &of->programs[glnn_matrix_get_layout(matrix)];
    glnn_texture_info info, counts, number;
    if (is_new && !measure(of, matrix))
        return false;
    if (*program == 0 && !link_program(glnn_matrix_get_layout(matrix), program))
        return false;
    arrange(of, (columns + across - 1) / across, (rows + down - 1) / down);
    cover_begin(of->none, of->framebuffer, of->width, of->height);
    if (!bind(3, of->least, &number) || !bind(2, of->greatest, &number) ||
        !bind(1, marks->counts ? marks->counts : of->least, &counts) || !bind(0, matrix, &info))
        return false;
    glUseProgram(*program);
    glUniform1i(WRAP, info.wrap);
    glUniform1i(COUNTS_WRAP, counts.wrap);
    glUniform2i(SIZE, rows, columns);
    glUniform2i(CELL, down, across);
    glUniform4i(RECT, marks->rect.row, marks->rect.column, marks->rect.rows, marks->rect.columns);
    glUniform1i(HAS_COUNTS, marks->counts != NULL);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindTexture(info.target, 0);
    return true;
}

unsigned sheet_get_texture(const sheet *of)
{
    return of->texture;
}

void sheet_get_size(const sheet *of, int *width, int *height)
{
    *width = of->width;
    *height = of->height;
}
