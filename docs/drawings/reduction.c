/* A reduction: its passes, recorded, and which elements a fragment combines. */
#include "drawings.h"
#include "ops/reduce.h"
#include "recorder.h"
#include "svg.h"

#include <math.h>
#include <string.h>

enum { SIDE = 2048, LINE = 16, FOLDS = 4, CELL = 24, MIDDLE = 190 };

/* Sums of all elements of X, and of the columns of a small matrix in both orders. */
typedef struct reduction {
    passes all;
    glnn__pass interleaved, contiguous;
} reduction;

static glnn_matrix *create(glnn_context *ctx, glnn_layout layout, int rows, int columns,
                           const char *name)
{
    glnn_matrix *m;
    require(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns, .layout = layout, .name = name},
        &m));
    return m;
}

/* What is reduced, and the result. */
typedef struct sides {
    glnn_matrix *x, *sum;
} sides;

static glnn_status reduce(void *ctx, const void *what)
{
    const sides *of = what;
    return glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, of->x, of->sum);
}

static void record(glnn_context *ctx, reduction *out)
{
    glnn__list *list;
    glnn_matrix *x = create(ctx, GLNN_LAYOUT_TILED, SIDE, SIDE, "X");
    glnn_matrix *sum = create(ctx, GLNN_LAYOUT_TILED, 1, 1, "sum");
    glnn_matrix *line = create(ctx, GLNN_LAYOUT_UNPACKED, LINE, 1, "line");
    glnn_matrix *folds = create(ctx, GLNN_LAYOUT_UNPACKED, FOLDS, 1, "folds");
    require(glnn__list_record(ctx, reduce, ctx, &(sides){x, sum}, &list));
    out->all = (passes){0};
    recorder_add(list, &out->all);
    glnn__list_destroy(list);
    out->interleaved = glnn__reduce_columns_pass(true, line, folds);
    out->contiguous = glnn__reduce_columns_pass(false, line, folds);
    glnn_matrix_destroy(x);
    glnn_matrix_destroy(sum);
    glnn_matrix_destroy(line);
    glnn_matrix_destroy(folds);
}

static double length_of(int elements)
{
    return 12 + 9 * log2(elements);
}

static double draw_matrix(svg *s, svg_look look, const used_matrix *m, double x)
{
    const double width = length_of(m->columns), height = length_of(m->rows);
    const double middle = x + (width > 76 ? width : 76) / 2;
    svg_rect(s, look, middle - width / 2, MIDDLE - height / 2, width, height);
    svg_text(s, SVG_LABEL, SVG_CENTRE, middle, MIDDLE + 76, "%d x %d", m->rows, m->columns);
    return middle + width / 2;
}

/* The elements that become one: of a column if the rows become fewer, else of a row. */
static void draw_fold(svg *s, const recorded_pass *pass, int number, double x)
{
    const used_matrix *from = &pass->read[0], *to = &pass->written[0];
    const bool is_column = from->rows > to->rows;
    const int folded = is_column ? from->rows / to->rows : from->columns / to->columns;
    svg_arrow(s, SVG_WRITTEN, x + 8, MIDDLE, x + 48, MIDDLE);
    svg_text(s, SVG_LABEL, SVG_CENTRE, x + 28, MIDDLE - 24, "pass %d", number);
    svg_text(s, SVG_SMALL, SVG_CENTRE, x + 28, MIDDLE - 9, "%d to 1", folded);
}

static void draw_passes(svg *s, const passes *all)
{
    double x = draw_matrix(s, SVG_READ, &all->passes[0].read[0], 20);
    for (int i = 0; i < all->count; ++i) {
        draw_fold(s, &all->passes[i], i + 1, x);
        x = draw_matrix(s, SVG_WRITTEN, &all->passes[i].written[0], x + 56);
    }
}

static int uniform_of(const glnn__pass *pass, const char *name)
{
    int i = 0;
    while (strcmp(pass->kernel->uniforms[i], name) != 0)
        ++i;
    return pass->uniforms[i].i;
}

/* Each element with the number of the fragment that folds it. */
static void draw_order(svg *s, const glnn__pass *pass, const char *name, double y)
{
    const int spread = uniform_of(pass, "int spread"), stride = uniform_of(pass, "int stride");
    const int reach = uniform_of(pass, "int reach");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, y + 16, "%s", name);
    for (int fold = 0; fold < FOLDS; ++fold) {
        for (int i = fold * spread; i < fold * spread + reach && i < LINE; i += stride) {
            const double x = 130 + i * CELL;
            svg_rect(s, fold == 0 ? SVG_FOLLOWED : SVG_PLAIN, x, y, CELL, CELL);
            (fold == 0 ? svg_text_on_followed : svg_text)(s, SVG_SMALL, SVG_CENTRE, x + CELL / 2,
                                                          y + 16, "%d", fold);
        }
    }
}

static bool draw(const char *path, const reduction *r)
{
    static const svg_key keys[] = {{SVG_READ, "the matrix"},
                                   {SVG_WRITTEN, "textures that passes write"},
                                   {SVG_FOLLOWED, "elements of one fragment"},
                                   {0}};
    svg *s = svg_begin(path, 420, "The sum of all elements, by rendering to ever smaller textures",
                       "Four passes reduce a matrix of 2048 x 2048 elements to one. Below, the "
                       "elements that a fragment adds up, interleaved or contiguous.");
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56,
             "Passes 1 and 2 shorten columns, passes 3 and 4 the row. Sides are drawn by their "
             "logarithm.");
    svg_legend(s, 20, 76, keys);
    draw_passes(s, &r->all);
    svg_text(s, SVG_HEADING, SVG_LEFT, 20, 310, "Which of %d elements each of %d fragments adds up",
             LINE, FOLDS);
    draw_order(s, &r->interleaved, "interleaved", 326);
    draw_order(s, &r->contiguous, "contiguous", 364);
    svg_text(s, SVG_SMALL, SVG_LEFT, 540, 335, "neighbouring fragments read");
    svg_text(s, SVG_SMALL, SVG_LEFT, 540, 350, "neighbouring elements");
    svg_text(s, SVG_SMALL, SVG_LEFT, 540, 373, "one fragment reads");
    svg_text(s, SVG_SMALL, SVG_LEFT, 540, 388, "neighbouring elements");
    return svg_end(s);
}

bool draw_reduction(const char *path)
{
    reduction r;
    glnn_context *ctx = recorder_context();
    record(ctx, &r);
    glnn_context_destroy(ctx);
    return draw(path, &r);
}
