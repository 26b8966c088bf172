/* The fetches of one block of a matrix product, counted from where the layouts put elements. */
#include "drawings.h"
#include "svg.h"
#include "texels.h"

#include <stdio.h>

enum { SIZE = 8, STEP = 4, ROW = 5, COLUMN = 5 }; /* C = A B, each 8 x 8; inner indices of a step */
enum { CELL = 13, GAP = 24, SIDE = SIZE * CELL, PANEL = 264 };

typedef struct product {
    svg *s;
    texels matrix;                  /* A, B and C alike */
    int row, column, rows, columns; /* of the block */
    double x, y;                    /* of A's and B's corner */
    int fetches;
} product;

static void draw_matrix(const product *p, char name, double x, double y)
{
    for (int i = 0; i < SIZE * SIZE; ++i)
        svg_rect(p->s, SVG_PLAIN, x + i % SIZE * CELL, y + i / SIZE * CELL, CELL, CELL);
    svg_rect(p->s, SVG_FRAME, x, y, SIDE, SIDE);
    svg_text(p->s, SVG_HEADING, SVG_LEFT, x + 2, y - 5, "%c", name);
}

/* A fetch brings the texel that begins with this element; one in the middle of a texel came with
 * the one before. */
static void fetch(product *p, int row, int column, double x, double y)
{
    const int channels = p->matrix.layout->channels;
    if (texels_find(&p->matrix, row, column).component != 0)
        return;
    x += column * CELL;
    y += row * CELL;
    svg_rect(p->s, SVG_READ, x, y, channels * CELL, CELL);
    svg_text(p->s, SVG_SMALL, SVG_CENTRE, x + channels * CELL / 2.0, y + 10.5, "%d", ++p->fetches);
}

static void draw_fetches(product *p)
{
    const double left = p->x - GAP - SIDE, top = p->y - GAP - SIDE;
    for (int row = p->row; row < p->row + p->rows; ++row)
        for (int k = 0; k < STEP; ++k)
            fetch(p, row, k, left, p->y);
    for (int k = 0; k < STEP; ++k)
        for (int column = p->column; column < p->column + p->columns; ++column)
            fetch(p, k, column, p->x, top);
}

static void draw_block(const product *p)
{
    for (int row = p->row; row < p->row + p->rows; ++row)
        for (int column = p->column; column < p->column + p->columns; ++column)
            svg_rect(p->s, SVG_WRITTEN, p->x + column * CELL, p->y + row * CELL, CELL, CELL);
    svg_rect(p->s, SVG_FRAME, p->x + p->column * CELL, p->y + p->row * CELL, p->columns * CELL,
             p->rows * CELL);
}

static void draw_counts(const product *p)
{
    const int multiply_adds = p->rows * p->columns * STEP;
    const double left = p->x - GAP - SIDE, y = p->y + SIDE;
    svg_text(p->s, SVG_LABEL, SVG_LEFT, left, y + 26, "%d fetches for %d multiply-adds", p->fetches,
             multiply_adds);
    svg_text(p->s, SVG_LABEL, SVG_LEFT, left, y + 44, "%.1f multiply-adds a fetch",
             (double)multiply_adds / p->fetches);
}

static void draw_panel(svg *s, glnn_layout layout, const char *heading, double x)
{
    product p = {.s = s, .matrix = texels_create(layout, SIZE, SIZE, 0), .y = 262};
    const glnn__layout_info *info = p.matrix.layout;
    p.rows = info->block_rows;
    p.columns = info->block_columns;
    p.row = ROW / p.rows * p.rows;
    p.column = COLUMN / p.columns * p.columns;
    p.x = x + SIDE + GAP;
    svg_text(s, SVG_HEADING, SVG_LEFT, x, 112, "%s: %d x %d", heading, p.rows, p.columns);
    draw_matrix(&p, 'A', x, p.y);
    draw_matrix(&p, 'B', p.x, p.y - GAP - SIDE);
    draw_matrix(&p, 'C', p.x, p.y);
    draw_fetches(&p);
    draw_block(&p);
    draw_counts(&p);
    texels_destroy(&p.matrix);
}

bool draw_product(const char *path)
{
    static const svg_key keys[] = {
        {SVG_READ, "texels that are fetched, numbered"}, {SVG_WRITTEN, "the block"}, {0}};
    svg *s = svg_begin(path, 426, "A block of C = A B: the fetches of four inner indices",
                       "How many texels of A and B the block of one fragment fetches for four "
                       "inner indices, in three layouts.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56,
             "Each fragment repeats this step until it has passed the whole inner dimension.");
    svg_legend(s, 20, 76, keys);
    draw_panel(s, GLNN_LAYOUT_UNPACKED, "UNPACKED", 20);
    draw_panel(s, GLNN_LAYOUT_PACKED, "PACKED", 20 + PANEL);
    draw_panel(s, GLNN_LAYOUT_TILED, "TILED", 20 + 2 * PANEL);
    return svg_end(s);
}
