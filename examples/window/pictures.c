#include "pictures.h"

#include <GL/glew.h>

#include <stdio.h>
#include <stdlib.h>

#include <glnn/texture.h>

#include "common/failure.h"
#include "cover.h"

enum { TEXT_CAPACITY = 6144 };

struct pictures {
    pictures_desc desc;
    int height; /* of a picture, in pixels */
    int columns, rows;
    glnn_layout layout;       /* that the programs read */
    GLuint range, paint;      /* programs */
    GLuint ranges, grid;      /* textures: the greatest magnitude of each picture, and the grid */
    GLuint framebuffer, none; /* `none` is a vertex array without attributes */
};

/* ---- Programs */

/* The locations of the uniforms in both programs. */
enum { WRAP, PIXELS, IS_COLUMN, COUNT, SIZE, COLUMNS, COLOURS };

static const char element[] =
    "layout(binding = 0) uniform %s matrix;\n"
    "layout(location = 0) uniform int wrap;\n"
    "layout(location = 1) uniform int pixels;\n"
    "layout(location = 2) uniform bool is_column;\n"
    "float element(int picture, int pixel)\n"
    "{\n"
    "    return glnn_%s_element(matrix, wrap, is_column ? pixel : picture,\n"
    "                           is_column ? picture : pixel);\n"
    "}\n";

static const char range_main[] =
    "out float greatest;\n"
    "void main()\n"
    "{\n"
    "    greatest = 0;\n"
    "    for (int pixel = 0; pixel < pixels; ++pixel)\n"
    "        greatest = max(greatest, abs(element(int(gl_FragCoord.x), pixel)));\n"
    "}\n";

static const char paint_main[] =
    "layout(binding = 1) uniform sampler2D ranges;\n"
    "layout(location = 3) uniform int count;\n"
    "layout(location = 4) uniform ivec2 size;\n"
    "layout(location = 5) uniform int columns;\n"
    "layout(location = 6) uniform int colours;\n"
    "out vec4 colour;\n"
    "vec3 heat(float x)\n"
    "{\n"
    "    return clamp(vec3(2.2 * x, 1.8 * x - 0.5, 3 * x - 2), 0, 1);\n"
    "}\n"
    "vec3 signs(float x)\n"
    "{\n"
    "    return x > 0 ? mix(vec3(1), vec3(0.80, 0.05, 0.10), x)\n"
    "                 : mix(vec3(1), vec3(0.05, 0.20, 0.75), -x);\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    ivec2 cell = ivec2(gl_FragCoord.xy) / (size + 1), at = ivec2(gl_FragCoord.xy) % (size + "
    "1);\n"
    "    int picture = cell.y * columns + cell.x, pixel = at.y * size.x + at.x;\n"
    "    colour = vec4(0);\n"
    "    if (picture >= count || at.x == size.x || at.y == size.y || pixel >= pixels)\n"
    "        return;\n"
    "    float x = element(picture, pixel);\n"
    "    if (colours != 0)\n"
    "        x /= max(texelFetch(ranges, ivec2(picture, 0), 0).r, 1e-20);\n"
    "    colour = vec4(colours == 0 ? vec3(x) : colours == 1 ? heat(x) : signs(x), 1);\n"
    "}\n";

static bool link_program(glnn_layout layout, const char *main_text, GLuint *out)
{
    const bool is_array = layout == GLNN_LAYOUT_TILED || layout == GLNN_LAYOUT_PAGED;
    char functions[TEXT_CAPACITY], text[2 * TEXT_CAPACITY];
    snprintf(functions, sizeof functions, element, is_array ? "sampler2DArray" : "sampler2D",
             glnn_layout_name(layout));
    snprintf(text, sizeof text, "#version 430 core\n%s%s%s", glnn_layout_glsl(layout), functions,
             main_text);
    return cover_link("the pictures", text, out);
}

static void delete_programs(pictures *of)
{
    glUseProgram(0); /* the library refuses to compute while a deleted program is in use */
    glDeleteProgram(of->range);
    glDeleteProgram(of->paint);
    of->range = of->paint = 0;
}

static bool has_programs(pictures *of, glnn_layout layout)
{
    if (of->layout == layout)
        return true;
    delete_programs(of);
    of->layout = GLNN_LAYOUT_AUTO;
    if (!link_program(layout, range_main, &of->range) ||
        !link_program(layout, paint_main, &of->paint))
        return false;
    of->layout = layout;
    return true;
}

/* ---- Textures */

static void arrange(pictures *of, int columns)
{
    int width, height;
    if (of->columns == columns)
        return;
    of->columns = columns;
    of->rows = (of->desc.count + columns - 1) / columns;
    pictures_get_size(of, &width, &height);
    glDeleteTextures(1, &of->grid);
    of->grid = cover_create_texture(GL_RGBA8, width, height);
}

bool pictures_create(const pictures_desc *desc, pictures **out)
{
    pictures *made = calloc(1, sizeof *made);
    *out = made;
    if (made == NULL)
        return refuse("no memory for %d pictures", desc->count);
    made->desc = *desc;
    made->height = (desc->pixels + desc->width - 1) / desc->width;
    made->ranges = cover_create_texture(GL_R32F, desc->count, 1);
    glGenFramebuffers(1, &made->framebuffer);
    glGenVertexArrays(1, &made->none);
    return true;
}

void pictures_destroy(pictures *of)
{
    if (of == NULL)
        return;
    delete_programs(of);
    glDeleteTextures(1, &of->ranges);
    glDeleteTextures(1, &of->grid);
    glDeleteFramebuffers(1, &of->framebuffer);
    glDeleteVertexArrays(1, &of->none);
    free(of);
}

/* ---- Drawing */

static void draw_to(const pictures *of, GLuint texture, int width, int height, GLuint program,
                    int wrap)
{
    cover_begin(of->none, of->framebuffer, width, height);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glUseProgram(program);
    glUniform1i(WRAP, wrap);
    glUniform1i(PIXELS, of->desc.pixels);
    glUniform1i(IS_COLUMN, of->desc.is_column);
    if (program == of->paint) {
        glUniform1i(COUNT, of->desc.count);
        glUniform2i(SIZE, of->desc.width, of->height);
        glUniform1i(COLUMNS, of->columns);
        glUniform1i(COLOURS, (GLint)of->desc.colours);
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

bool pictures_draw(pictures *of, const glnn_matrix *matrix, int columns)
{
    glnn_texture_info info = {.size = sizeof info};
    int width, height;
    if (glnn_matrix_get_texture(matrix, &info) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    if (!has_programs(of, info.layout))
        return false;
    arrange(of, columns);
    pictures_get_size(of, &width, &height);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, of->ranges);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(info.target, info.texture);
    if (of->desc.colours != PICTURES_GRAY)
        draw_to(of, of->ranges, of->desc.count, 1, of->range, info.wrap);
    draw_to(of, of->grid, width, height, of->paint, info.wrap);
    glBindTexture(info.target, 0);
    return true;
}

/* ---- Places */

unsigned pictures_get_texture(const pictures *of)
{
    return of->grid;
}

void pictures_get_size(const pictures *of, int *width, int *height)
{
    *width = of->columns * (of->desc.width + 1) - 1;
    *height = of->rows * (of->height + 1) - 1;
}

float pictures_get_ratio(const pictures *of)
{
    return (float)of->height / (float)of->desc.width;
}

void pictures_get_place(const pictures *of, int number, float place[4])
{
    int width, height;
    pictures_get_size(of, &width, &height);
    const int left = number % of->columns * (of->desc.width + 1);
    const int top = number / of->columns * (of->height + 1);
    place[0] = (float)left / (float)width;
    place[1] = (float)top / (float)height;
    place[2] = (float)(left + of->desc.width) / (float)width;
    place[3] = (float)(top + of->height) / (float)height;
}

int pictures_get_columns(const pictures *of, float width, float height)
{
    int best = 1;
    float most = 0.0f;
    for (int columns = 1; columns <= of->desc.count; ++columns) {
        const int rows = (of->desc.count + columns - 1) / columns;
        const float across = width / (float)(columns * (of->desc.width + 1));
        const float down = height / (float)(rows * (of->height + 1));
        const float scale = across < down ? across : down;
        if (scale > most) {
            most = scale;
            best = columns;
        }
    }
    return best;
}
