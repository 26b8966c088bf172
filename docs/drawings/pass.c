/* A pass: the block grid, the triangle that covers it, a fragment, what it reads and writes. */
#include "drawings.h"
#include "svg.h"
#include "texels.h"

enum { ROWS = 11, COLUMNS = 30, INNER = 16 }; /* C = A B */
enum { ROW = 5, COLUMN = 10 };                /* an element of the block that is followed */
enum { GRID_X = 250, GRID_Y = 134, CELL = 36, ZOOM_X = 500, ZOOM_Y = 336, ZOOM = 30 };

typedef bool is_marked(int x, int y, const place *at);

static bool in_row(int x, int y, const place *at)
{
    (void)x;
    return y == at->y;
}

static bool in_column(int x, int y, const place *at)
{
    (void)y;
    return x == at->x;
}

static bool is_same(int x, int y, const place *at)
{
    return x == at->x && y == at->y;
}

typedef struct stack {
    double x, y, cell, step; /* of the layer in front; from one layer to the next */
    svg_look look;           /* of marked texels */
    is_marked *is_marked;
} stack;

/* The layers of a texture, one in front of the other. */
static void draw_stack(svg *s, const stack *of, const glnn__extent *extent, const place *at)
{
    for (int layer = extent->layers - 1; layer >= 0; --layer) {
        const double left = of->x + layer * of->step, top = of->y - layer * of->step;
        for (int y = 0; y < extent->height; ++y)
            for (int x = 0; x < extent->width; ++x)
                svg_rect(s, of->is_marked(x, y, at) ? of->look : SVG_PLAIN, left + x * of->cell,
                         top + y * of->cell, of->cell, of->cell);
        svg_rect(s, SVG_FRAME, left, top, extent->width * of->cell, extent->height * of->cell);
    }
}

static void draw_grid(svg *s, const glnn__extent *extent, const place *at)
{
    const double width = extent->width * CELL, height = extent->height * CELL;
    const double corners[] = {GRID_X, GRID_Y, GRID_X + 2 * width,
                              GRID_Y, GRID_X, GRID_Y + 2 * height};
    svg_triangle(s, SVG_PANEL, corners);
    for (int y = 0; y < extent->height; ++y) {
        for (int x = 0; x < extent->width; ++x) {
            const bool is_it = is_same(x, y, at);
            const double left = GRID_X + x * CELL, top = GRID_Y + y * CELL;
            svg_rect(s, is_it ? SVG_FOLLOWED : SVG_PLAIN, left, top, CELL, CELL);
            svg_circle(s, is_it ? SVG_PLAIN : SVG_FOLLOWED, left + CELL / 2, top + CELL / 2, 2);
        }
    }
    svg_rect(s, SVG_FRAME, GRID_X, GRID_Y, width, height);
    svg_text(s, SVG_SMALL, SVG_LEFT, GRID_X, GRID_Y - 6, "(-1, -1)");
    svg_text(s, SVG_SMALL, SVG_RIGHT, GRID_X + 2 * width, GRID_Y - 6, "(3, -1)");
    svg_text(s, SVG_SMALL, SVG_LEFT, GRID_X + 8, GRID_Y + 2 * height, "(-1, 3)");
}

/* The texels of the block, each with the layer that it is in. */
static void draw_block(svg *s, const texels *c)
{
    const int rows = c->layout->block_rows, columns = c->layout->block_columns;
    const int channels = c->layout->channels;
    const int top = ROW / rows * rows, left = COLUMN / columns * columns;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; j += channels) {
            const place at = texels_find(c, top + i, left + j);
            const double x = ZOOM_X + j * ZOOM, y = ZOOM_Y + i * 22;
            svg_rect(s, SVG_AROUND, x, y, channels * ZOOM, 22);
            svg_text(s, SVG_SMALL, SVG_CENTRE, x + channels * ZOOM / 2, y + 15, "layer %d",
                     at.layer);
        }
    }
    svg_rect(s, SVG_FRAME, ZOOM_X, ZOOM_Y, columns * ZOOM, rows * 22);
    svg_text(s, SVG_SMALL, SVG_LEFT, ZOOM_X, ZOOM_Y - 8,
             "rows %d to %d, columns %d to %d of C:", top, top + rows - 1, left,
             left + columns - 1);
}

static void draw_arrows(svg *s, const place *at, const glnn__extent *grid)
{
    const double y = GRID_Y + (at->y + 0.5) * CELL;
    svg_arrow(s, SVG_READ, 176, y, GRID_X - 4, y);
    svg_text(s, SVG_SMALL, SVG_LEFT, 176, y - 8, "texelFetch");
    svg_arrow(s, SVG_WRITTEN, GRID_X + grid->width * CELL + 4, y, 584, y);
    svg_text(s, SVG_SMALL, SVG_LEFT, 490, y - 8, "its block");
}

static void draw_texts(svg *s, const texels *c)
{
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, 102, "Operands");
    svg_text(s, SVG_HEADING, SVG_LEFT, GRID_X, 102, "Viewport of %d x %d fragments",
             c->extent.width, c->extent.height);
    svg_text(s, SVG_HEADING, SVG_LEFT, 590, 102, "%d render targets", c->extent.layers);
    const place at = texels_find(c, ROW, COLUMN);
    svg_text(s, SVG_HEADING, SVG_LEFT, ZOOM_X, ZOOM_Y - 28, "The block of one fragment");
    svg_text(s, SVG_SMALL, SVG_LEFT, ZOOM_X, ZOOM_Y + 106, "texel x %d, y %d of all %d layers",
             at.x, at.y, c->extent.layers);
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 392, "1  The viewport is the block grid of the output.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 412,
             "2  One triangle covers it. Its corners are given in");
    svg_text(s, SVG_LABEL, SVG_LEFT, 38, 430,
             "coordinates that go from -1 to 1 across the viewport.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 450, "3  The fragment shader runs once for each block.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 470,
             "4  It writes one texel to each layer of the output.");
}

bool draw_pass(const char *path)
{
    static const svg_key keys[] = {{SVG_FOLLOWED, "one fragment"},
                                   {SVG_AROUND, "its block"},
                                   {SVG_READ, "the texels that it reads"},
                                   {SVG_WRITTEN, "the texels that it writes"},
                                   {0}};
    texels a = texels_create(GLNN_LAYOUT_TILED, ROWS, INNER, 0);
    texels b = texels_create(GLNN_LAYOUT_TILED, INNER, COLUMNS, 0);
    texels c = texels_create(GLNN_LAYOUT_TILED, ROWS, COLUMNS, 0);
    const place at = texels_find(&c, ROW, COLUMN);
    svg *s = svg_begin(path, 490, "A pass computes C = A B",
                       "A triangle covers a grid of blocks. The fragment of each block reads from "
                       "the operands and writes one texel of each layer of the output.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56,
             "A has %d x %d elements, B has %d x %d, and C has %d x %d; all are TILED.", ROWS,
             INNER, INNER, COLUMNS, ROWS, COLUMNS);
    svg_legend(s, 20, 76, keys);
    draw_stack(s, &(stack){40, 160, 18, 5, SVG_READ, in_row}, &a.extent, &at);
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 192, "A");
    draw_stack(s, &(stack){40, 290, 18, 5, SVG_READ, in_column}, &b.extent, &at);
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 330, "B");
    draw_grid(s, &c.extent, &at);
    draw_stack(s, &(stack){590, 190, 20, 9, SVG_WRITTEN, is_same}, &c.extent, &at);
    draw_arrows(s, &at, &c.extent);
    draw_block(s, &c);
    draw_texts(s, &c);
    texels_destroy(&a);
    texels_destroy(&b);
    texels_destroy(&c);
    return svg_end(s);
}
