/* The four layouts, and the way of one element to its texel in each. */
#include "drawings.h"
#include "svg.h"
#include "texels.h"

#include <stdio.h>

enum { ROWS = 6, COLUMNS = 10, PAGE_ROWS = 4, ROW = 5, COLUMN = 6 };
enum { CELL = 22, MATRIX = 48, TEXTURE = 350, ACROSS = 2 };

static bool is_in_block(const texels *t, int row, int column)
{
    const glnn__layout_info *l = t->layout;
    return row / l->block_rows == ROW / l->block_rows &&
           column / l->block_columns == COLUMN / l->block_columns;
}

static void draw_element(svg *s, const texels *t, int element, double x, double y)
{
    const int row = element / COLUMNS, column = element % COLUMNS;
    const bool is_it = row == ROW && column == COLUMN;
    const svg_look look = element < 0                   ? SVG_PADDING
                          : is_it                       ? SVG_FOLLOWED
                          : is_in_block(t, row, column) ? SVG_AROUND
                                                        : SVG_PLAIN;
    svg_rect(s, look, x, y, CELL, CELL);
    if (is_it)
        svg_text_on_followed(s, SVG_SMALL, SVG_CENTRE, x + CELL / 2, y + 15, "%d%d", row, column);
    else if (element >= 0)
        svg_text(s, SVG_SMALL, SVG_CENTRE, x + CELL / 2, y + 15, "%d%d", row, column);
}

/* The matrix, divided into blocks. */
static void draw_matrix(svg *s, const texels *t, double x, double y)
{
    const int height = t->layout->block_rows, width = t->layout->block_columns;
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        draw_element(s, t, i, x + i % COLUMNS * CELL, y + i / COLUMNS * CELL);
    for (int row = 0; row < ROWS; row += height) {
        for (int column = 0; column < COLUMNS; column += width) {
            const int rows = row + height < ROWS ? height : ROWS - row;
            const int columns = column + width < COLUMNS ? width : COLUMNS - column;
            svg_rect(s, SVG_FRAME, x + column * CELL, y + row * CELL, columns * CELL, rows * CELL);
        }
    }
}

static void draw_layer(svg *s, const texels *t, int layer, double x, double y)
{
    const int channels = t->layout->channels;
    place at = {.layer = layer};
    for (at.y = 0; at.y < t->extent.height; ++at.y) {
        for (at.x = 0; at.x < t->extent.width; ++at.x) {
            const double left = x + at.x * channels * CELL, top = y + at.y * CELL;
            for (at.component = 0; at.component < channels; ++at.component)
                draw_element(s, t, texels_element(t, &at), left + at.component * CELL, top);
            svg_rect(s, SVG_FRAME, left, top, channels * CELL, CELL);
        }
    }
}

/* The layers of a texture, as many side by side as a block has texels in a row. */
static void draw_texture(svg *s, const texels *t, const char *layer_name, double x, double y)
{
    const int across = t->layout->block_columns / t->layout->channels;
    const double width = t->extent.width * t->layout->channels * CELL + 36;
    const double height = t->extent.height * CELL + 28;
    for (int i = 0; i < t->extent.layers; ++i) {
        const double left = x + i % across * width, top = y + i / across * height;
        if (t->extent.layers > 1)
            svg_text(s, SVG_SMALL, SVG_LEFT, left, top - 6, "%s %d", layer_name, i);
        draw_layer(s, t, i, left, top);
    }
}

static double height_of(const texels *t)
{
    const int down = t->extent.layers / (t->layout->block_columns / t->layout->channels);
    const double texture = t->extent.height * CELL * down + 28 * (down - 1);
    return texture > ROWS * CELL + 42 ? texture : ROWS * CELL + 42;
}

static void draw_way(svg *s, const texels *t, const char *layer_name, double x, double y)
{
    const place at = texels_find(t, ROW, COLUMN);
    char layer[32] = "", component[32] = "";
    if (t->extent.layers > 1)
        snprintf(layer, sizeof layer, ", %s %d", layer_name, at.layer);
    if (t->layout->channels > 1)
        snprintf(component, sizeof component, ", component %d", at.component);
    svg_text(s, SVG_LABEL, SVG_LEFT, x, y, "element (%d, %d) is in", ROW, COLUMN);
    svg_text(s, SVG_LABEL, SVG_LEFT, x, y + 18, "texel x %d, y %d%s%s", at.x, at.y, layer,
             component);
}

typedef struct panel {
    glnn_layout layout;
    const char *heading, *layer_name;
} panel;

static double draw_panel(svg *s, const panel *p, double y)
{
    texels t = texels_create(p->layout, ROWS, COLUMNS, PAGE_ROWS);
    const double top = y + (t.extent.layers > 1 ? 40 : 26), height = height_of(&t);
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, y + 12, "%s", p->heading);
    draw_matrix(s, &t, MATRIX, top);
    svg_arrow(s, SVG_PLAIN, MATRIX + COLUMNS * CELL + 24, top + ROWS * CELL / 2, TEXTURE - 24,
              top + ROWS * CELL / 2);
    draw_texture(s, &t, p->layer_name, TEXTURE, top);
    draw_way(s, &t, p->layer_name, MATRIX, top + ROWS * CELL + 20);
    texels_destroy(&t);
    return top + height + 22;
}

bool draw_layouts(const char *path)
{
    static const panel panels[] = {
        {GLNN_LAYOUT_UNPACKED, "UNPACKED: a texel holds one element (R32F), a block of 1 x 1", ""},
        {GLNN_LAYOUT_PACKED,
         "PACKED: a texel holds four columns of a row (RGBA32F), a block of 1 x 4", ""},
        {GLNN_LAYOUT_TILED, "TILED: eight texture layers of RGBA32F, a block of 4 x 8", "layer"},
        {GLNN_LAYOUT_PAGED, "PAGED: as PACKED, a texture layer for each page of rows, here 4 rows",
         "page"},
    };
    static const svg_key keys[] = {{SVG_FOLLOWED, "one element"},
                                   {SVG_AROUND, "its block"},
                                   {SVG_PADDING, "padding, always zero"},
                                   {0}};
    svg *s = svg_begin(path, 1112, "A matrix of 6 x 10 elements in the four layouts",
                       "The same matrix in each layout: on the left divided into blocks, on the "
                       "right in the texels of its texture.");
    double y = 92;
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56,
             "Left the matrix, in blocks; right its texture, in texels. 56 is row 5, column 6.");
    svg_legend(s, 20, 76, keys);
    for (int i = 0; i < 4; ++i)
        y = draw_panel(s, &panels[i], y);
    return svg_end(s);
}
