/* From shader files to a program: the parts of one variant, as the library puts them together. */
#include "drawings.h"
#include "pass/program.h"
#include "recorder.h"
#include "svg.h"

#include <glnn/map.h>

#include <stdio.h>
#include <string.h>

enum { TOP = 122, FILE_HEIGHT = 26, FILE_STEP = 32, FILE_WIDTH = 232, TEXT_X = 330, GPU_X = 610 };

/* The parts of the only program that a context has compiled. */
static glnn__text assemble_only(glnn_context *ctx)
{
    glnn__text text = {0};
    glnn__programs *programs;
    require(glnn__programs_get(ctx, &programs));
    for (int i = 0; i < GLNN__BUCKETS; ++i)
        if (programs->buckets[i])
            require(glnn__variant_assemble(ctx, &programs->buckets[i]->variant, NULL, &text));
    return text;
}

static glnn__text find_parts(void)
{
    const glnn_matrix_desc desc = {.rows = 4, .columns = 8, .layout = GLNN_LAYOUT_TILED};
    glnn_context *ctx = recorder_context();
    glnn_matrix *x;
    require(glnn_matrix_create(ctx, &desc, &x));
    require(glnn_map_apply(ctx, GLNN_MAP_RELU, x, x));
    const glnn__text text = assemble_only(ctx);
    glnn_matrix_destroy(x);
    glnn_context_destroy(ctx);
    return text;
}

static void draw_files(svg *s, const glnn__text *text)
{
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, TOP - 12, "Files of the folder shaders");
    for (int i = 0; i < text->part_count; ++i) {
        const double y = TOP + FILE_STEP * i;
        const bool is_kernel = strncmp(text->parts[i], "kernels/", 8) == 0;
        svg_rect(s, is_kernel ? SVG_FOLLOWED : SVG_PLAIN, 20, y, FILE_WIDTH, FILE_HEIGHT);
        (is_kernel ? svg_text_on_followed : svg_text)(s, SVG_LABEL, SVG_LEFT, 30, y + 18, "%s",
                                                      text->parts[i]);
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
                  "begins with the choices, such as TILED and relu. The library puts it together "
                  "when a pass first needs it. GLNN_DUMP_SHADERS writes it to a file.");
    svg_arrow(s, SVG_WRITTEN, TEXT_X + 194, middle, GPU_X - 4, middle);
    svg_text(s, SVG_SMALL, SVG_CENTRE, TEXT_X + 233, middle - 10, "the driver");
    svg_text(s, SVG_SMALL, SVG_CENTRE, TEXT_X + 233, middle + 20, "compiles");
    svg_rect(s, SVG_PANEL, GPU_X, middle - 76, 170, 152);
    svg_text(s, SVG_HEADING, SVG_LEFT, GPU_X + 12, middle - 52, "A program");
    svg_paragraph(s, SVG_SMALL, GPU_X + 12, middle - 30, 150,
                  "that the GPU runs once for each block. Later runs of the library load it from "
                  "the disk, unless the text has changed.");
}

bool draw_shader(const char *path)
{
    static const svg_key keys[] = {{SVG_FOLLOWED, "the kernel, the one part that is about maps"},
                                   {0}};
    glnn__text text = find_parts();
    const double height = FILE_STEP * (text.part_count - 1) + FILE_HEIGHT;
    svg *s = svg_begin(path, TOP + height + 20, "From files to a program",
                       "The files of a shader are put together to one text, which the driver "
                       "compiles to a program.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56, "The shader of glnn_map_apply.");
    svg_legend(s, 20, 76, keys);
    draw_files(s, &text);
    draw_steps(s, height);
    glnn__text_free(&text);
    return svg_end(s);
}
