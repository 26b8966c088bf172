/* From shader files to a program: the files of one variant, in the order in which the library joins
 * them. */
#include "drawings.h"
#include "pass/program.h"
#include "recorder.h"
#include "svg.h"

#include <glnn/map.h>

#include <stdio.h>
#include <string.h>

enum { TOP = 122, FILE_HEIGHT = 26, FILE_STEP = 32, FILE_WIDTH = 232, TEXT_X = 330, GPU_X = 610 };

enum { MAX_FILES = GLNN__MAX_PARTS, MAX_NAME = 96 };

/* The files of a shader. */
typedef struct files {
    int count;
    char names[MAX_FILES][MAX_NAME];
} files;

/* The files of the only program that a context has compiled. */
static void find_compiled(glnn_context *ctx, files *out)
{
    glnn__programs *programs;
    require(glnn__programs_get(ctx, &programs));
    for (int i = 0; i < GLNN__BUCKETS; ++i) {
        glnn__text text = {0};
        if (!programs->buckets[i])
            continue;
        require(glnn__variant_assemble(ctx, &programs->buckets[i]->variant, NULL, &text));
        for (; out->count < text.part_count; ++out->count)
            snprintf(out->names[out->count], MAX_NAME, "%s", text.parts[out->count]);
        glnn__text_free(&text);
    }
}

static void find_files(files *out)
{
    const glnn_matrix_desc desc = {.rows = 4, .columns = 8, .layout = GLNN_LAYOUT_TILED};
    glnn_context *ctx = recorder_context();
    glnn_matrix *x, *y;
    require(glnn_matrix_create(ctx, &desc, &x));
    require(glnn_matrix_create(ctx, &desc, &y));
    require(glnn_map_apply(ctx, GLNN_MAP_IDENTITY, x, y));
    find_compiled(ctx, out);
    glnn_matrix_destroy(x);
    glnn_matrix_destroy(y);
    glnn_context_destroy(ctx);
}

static void draw_files(svg *s, const files *from)
{
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, TOP - 12,
             "Files of the folder shaders, and generated declarations");
    for (int i = 0; i < from->count; ++i) {
        const double y = TOP + FILE_STEP * i;
        const bool is_kernel = strncmp(from->names[i], "kernels/", 8) == 0;
        svg_rect(s, is_kernel ? SVG_FOLLOWED : SVG_PLAIN, 20, y, FILE_WIDTH, FILE_HEIGHT);
        (is_kernel ? svg_text_on_followed : svg_text)(s, SVG_LABEL, SVG_LEFT, 30, y + 18, "%s",
                                                      from->names[i]);
        svg_line(s, SVG_FRAME, 20 + FILE_WIDTH, y + FILE_HEIGHT / 2, TEXT_X - 30,
                 y + FILE_HEIGHT / 2);
    }
}

static void draw_steps(svg *s, double height)
{
    const double middle = TOP + height / 2;
    svg_line(s, SVG_FRAME, TEXT_X - 30, TOP + FILE_HEIGHT / 2, TEXT_X - 30,
             TOP + height - FILE_HEIGHT / 2);
    svg_arrow(s, SVG_READ, TEXT_X - 30, middle, TEXT_X - 4, middle);
    svg_rect(s, SVG_PANEL, TEXT_X, middle - 76, 190, 152);
    svg_text(s, SVG_HEADING, SVG_LEFT, TEXT_X + 12, middle - 52, "One text");
    svg_paragraph(s, SVG_SMALL, TEXT_X + 12, middle - 30, 170,
                  "begins with the choices, such as TILED and identity. The library joins the "
                  "files when a pass first needs them. GLNN_DUMP_SHADERS writes the text.");
    svg_arrow(s, SVG_WRITTEN, TEXT_X + 194, middle, GPU_X - 4, middle);
    svg_text(s, SVG_SMALL, SVG_CENTRE, TEXT_X + 233, middle - 10, "the driver");
    svg_text(s, SVG_SMALL, SVG_CENTRE, TEXT_X + 233, middle + 20, "compiles");
    svg_rect(s, SVG_PANEL, GPU_X, middle - 76, 170, 152);
    svg_text(s, SVG_HEADING, SVG_LEFT, GPU_X + 12, middle - 52, "A program");
    svg_paragraph(s, SVG_SMALL, GPU_X + 12, middle - 30, 150,
                  "The GPU runs it once for each block. Later runs of your program load it from "
                  "the disk, unless the text has changed.");
}

bool draw_shader(const char *path)
{
    static const svg_key keys[] = {{SVG_FOLLOWED, "the kernel: the file of this operation"}, {0}};
    files from = {0};
    find_files(&from);
    const double height = FILE_STEP * (from.count - 1) + FILE_HEIGHT;
    svg *s = svg_begin(path, TOP + height + 20, "From files to a program",
                       "The library joins the files of a shader into one text, which the driver "
                       "compiles to a program.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56, "The shader of glnn_map_apply with f(x) = x.");
    svg_legend(s, 20, 76, keys);
    draw_files(s, &from);
    draw_steps(s, height);
    return svg_end(s);
}
