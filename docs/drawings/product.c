/* The fetches of one block of a matrix product, counted from where the layouts put elements. */
#include "drawings.h"
#include "svg.h"
#include "texels.h"

#include <stdio.h>

/* C = A B, and the inner indices that a turn of the loop takes. */
enum { ROWS = 8, INNER = 8, COLUMNS = 16, TURN = 4, ROW = 5, COLUMN = 13 };
enum { CELL_WIDTH = 9, CELL = 13, GAP = 24, PANEL = 264 };
enum { B_LEFT = INNER * CELL_WIDTH + GAP, C_TOP = INNER * CELL + GAP };

typedef struct product {
    svg *s;
    int row, column, rows, columns; /* of the block */
    double x, y;                    /* of the panel */
    int fetches;
} product;

static void draw_matrix(const product *p, char name, int rows, int columns, double x, double y)
{
    for (int i = 0; i < rows * columns; ++i)
        svg_rect(p->s, SVG_PLAIN, x + i % columns * CELL_WIDTH, y + i / columns * CELL, CELL_WIDTH,
                 CELL);
    svg_rect(p->s, SVG_FRAME, x, y, columns * CELL_WIDTH, rows * CELL);
    svg_text(p->s, SVG_HEADING, SVG_LEFT, x + 2, y - 5, "%c", name);
}

/* A fetch brings the texel that begins with this element; one in the middle of a texel came with
 * the one before. */
static void fetch(product *p, const texels *of, int row, int column, double x, double y)
{
    const int width = of->layout->channels * CELL_WIDTH;
    if (texels_find(of, row, column).component != 0)
        return;
    x += column * CELL_WIDTH;
    y += row * CELL;
    svg_rect(p->s, SVG_READ, x, y, width, CELL);
    svg_text(p->s, SVG_SMALL, SVG_CENTRE, x + width / 2.0, y + 10.5, "%d", ++p->fetches);
}

static void draw_fetches(product *p, const texels *a, const texels *b)
{
    for (int row = p->row; row < p->row + p->rows; ++row)
        for (int k = 0; k < TURN; ++k)
            fetch(p, a, row, k, p->x, p->y + C_TOP);
    for (int k = 0; k < TURN; ++k)
        for (int column = p->column; column < p->column + p->columns; ++column)
            fetch(p, b, k, column, p->x + B_LEFT, p->y);
}

static void draw_block(const product *p)
{
    const double x = p->x + B_LEFT + p->column * CELL_WIDTH;
    const double y = p->y + C_TOP + p->row * CELL;
    for (int i = 0; i < p->rows * p->columns; ++i)
        svg_rect(p->s, SVG_WRITTEN, x + i % p->columns * CELL_WIDTH, y + i / p->columns * CELL,
                 CELL_WIDTH, CELL);
    svg_rect(p->s, SVG_FRAME, x, y, p->columns * CELL_WIDTH, p->rows * CELL);
}

static void draw_counts(const product *p)
{
    const int multiply_adds = p->rows * p->columns * TURN;
    const double y = p->y + C_TOP + ROWS * CELL;
    svg_text(p->s, SVG_LABEL, SVG_LEFT, p->x, y + 26, "%d fetches for %d multiply-adds", p->fetches,
             multiply_adds);
    svg_text(p->s, SVG_LABEL, SVG_LEFT, p->x, y + 44, "%.1f multiply-adds a fetch",
             (double)multiply_adds / p->fetches);
}

static void draw_panel(svg *s, glnn_layout layout, const char *heading, double x)
{
    texels a = texels_create(layout, ROWS, INNER, 0), b = texels_create(layout, INNER, COLUMNS, 0);
    const glnn__layout_info *info = a.layout;
    product p = {.s = s,
                 .rows = info->block_rows,
                 .columns = info->block_columns,
                 .row = ROW / info->block_rows * info->block_rows,
                 .column = COLUMN / info->block_columns * info->block_columns,
                 .x = x,
                 .y = 134};
    svg_text(s, SVG_HEADING, SVG_LEFT, x, 112, "%s: %d x %d", heading, p.rows, p.columns);
    draw_matrix(&p, 'A', ROWS, INNER, x, p.y + C_TOP);
    draw_matrix(&p, 'B', INNER, COLUMNS, x + B_LEFT, p.y);
    draw_matrix(&p, 'C', ROWS, COLUMNS, x + B_LEFT, p.y + C_TOP);
    draw_fetches(&p, &a, &b);
    draw_block(&p);
    draw_counts(&p);
    texels_destroy(&a);
    texels_destroy(&b);
}

bool draw_product(const char *path)
{
    static const svg_key keys[] = {{SVG_READ, "texels that one fragment fetches, numbered"},
                                   {SVG_WRITTEN, "the block that it computes"},
                                   {0}};
    svg *s = svg_begin(path, 426, "A block of C = A B: the fetches of four inner indices",
                       "How many texels of A and B the block of one fragment fetches for four "
                       "inner indices, in three layouts.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56,
             "A fragment repeats this for the next four inner indices, until all %d are done.",
             INNER);
    svg_legend(s, 20, 76, keys);
    draw_panel(s, GLNN_LAYOUT_UNPACKED, "UNPACKED", 20);
    draw_panel(s, GLNN_LAYOUT_PACKED, "PACKED", 20 + PANEL);
    draw_panel(s, GLNN_LAYOUT_TILED, "TILED", 20 + 2 * PANEL);
    return svg_end(s);
}
