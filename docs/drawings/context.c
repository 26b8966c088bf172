/* A context: what runs on the CPU, what runs on the GPU, and what goes between them. */
#include "drawings.h"
#include "svg.h"
#include "texels.h"

enum { ROWS = 6, COLUMNS = 10, TOP = 106, CPU_X = 20, GPU_X = 370, WIDTH = 410, HEIGHT = 268 };
enum { ACROSS = 5, DOWN = 6 }; /* processors */

static void draw_panel(svg *s, double x, const char *title)
{
    svg_rect(s, SVG_PANEL, x, TOP, x == CPU_X ? 230 : WIDTH, HEIGHT);
    svg_text(s, SVG_HEADING, SVG_LEFT, x + 14, TOP + 26, "%s", title);
}

static void draw_program(svg *s)
{
    static const struct {
        const char *name, *effect;
    } calls[] = {{"glnn_context_create", "connects to the GPU"},
                 {"glnn_matrix_upload", "copies numbers to x"},
                 {"glnn_map_apply", "orders y = f(x)"},
                 {"glnn_matrix_download", "copies y back"}};
    draw_panel(s, CPU_X, "CPU: your program");
    for (int i = 0; i < 4; ++i) {
        const double y = TOP + 42 + 55 * i;
        svg_rect(s, i == 2 ? SVG_FOLLOWED : SVG_PLAIN, CPU_X + 14, y, 202, 44);
        (i == 2 ? svg_text_on_followed : svg_text)(s, SVG_LABEL, SVG_CENTRE, CPU_X + 115, y + 19,
                                                   "%s", calls[i].name);
        (i == 2 ? svg_text_on_followed : svg_text)(s, SVG_SMALL, SVG_CENTRE, CPU_X + 115, y + 35,
                                                   "%s", calls[i].effect);
    }
}

static void draw_texture(svg *s, double x, svg_look look, const char *name)
{
    texels m = texels_create(GLNN_LAYOUT_PACKED, ROWS, COLUMNS, 0);
    svg_text(s, SVG_LABEL, SVG_LEFT, x, TOP + 84, "texture %s", name);
    for (int row = 0; row < m.extent.height; ++row)
        for (int column = 0; column < m.extent.width; ++column)
            svg_rect(s, look, x + 26 * column, TOP + 94 + 20 * row, 26, 20);
    texels_destroy(&m);
}

static void draw_processors(svg *s, double x)
{
    svg_text(s, SVG_LABEL, SVG_LEFT, x, TOP + 84, "processors");
    for (int i = 0; i < ACROSS * DOWN; ++i)
        svg_rect(s, SVG_FOLLOWED, x + 22 * (i % ACROSS), TOP + 96 + 20 * (i / ACROSS), 18, 14);
}

static void draw_transfers(svg *s)
{
    static const struct {
        svg_look look;
        const char *what;
    } transfers[] = {{SVG_FRAME, "connection"},
                     {SVG_READ, "numbers"},
                     {SVG_FRAME, "an order"},
                     {SVG_WRITTEN, "results"}};
    for (int i = 0; i < 4; ++i) {
        const bool is_back = transfers[i].look == SVG_WRITTEN;
        const double y = TOP + 64 + 55 * i;
        svg_arrow(s, transfers[i].look, is_back ? GPU_X - 2 : 252, y, is_back ? 254 : GPU_X - 4, y);
        svg_text(s, SVG_SMALL, SVG_CENTRE, 310, y - 7, "%s", transfers[i].what);
    }
}

bool draw_context(const char *path)
{
    static const svg_key keys[] = {{SVG_READ, "is read"},
                                   {SVG_WRITTEN, "is written"},
                                   {SVG_FOLLOWED, "a call, and what it makes the GPU do"},
                                   {0}};
    svg *s =
        svg_begin(path, TOP + HEIGHT + 20, "What a context connects",
                  "The program on the CPU gives orders. Matrices are textures in the memory of "
                  "the GPU, and many processors compute them at the same time.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56, "The CPU gives orders, the GPU computes.");
    svg_legend(s, 20, 76, keys);
    draw_program(s);
    draw_panel(s, GPU_X, "GPU: its memory and its processors");
    draw_texture(s, GPU_X + 20, SVG_READ, "x");
    svg_arrow(s, SVG_READ, GPU_X + 104, TOP + 154, GPU_X + 140, TOP + 154);
    draw_processors(s, GPU_X + 148);
    svg_arrow(s, SVG_WRITTEN, GPU_X + 264, TOP + 154, GPU_X + 300, TOP + 154);
    draw_texture(s, GPU_X + 308, SVG_WRITTEN, "y");
    draw_transfers(s);
    return svg_end(s);
}
