#include "io/chart/chart.h"

#include "io/chart/axis.h"
#include "io/chart/font.h"
#include "io/png_file.h"

#include <math.h>
#include <stdio.h>

static const glnn__color ink = {{0x30, 0x30, 0x30}}, grid_color = {{0xe2, 0xe2, 0xe2}},
                         frame_color = {{0x70, 0x70, 0x70}};

/* Pixels around the frame of a plot, and sizes of texts. */
enum { LEFT = 76, RIGHT = 18, ABOVE = 34, BELOW = 54, TITLE = 30, TICK = 5 };
#define TEXT_SIZE  1.4
#define TITLE_SIZE 1.8
#define LINE_WIDTH 2.0
#define DOT_WIDTH  6.0

/* Up to this number of places each has a dot. */
enum { MOST_DOTTED = 60 };

/* A plot that is being drawn. */
typedef struct drawing {
    glnn__canvas *canvas;
    const glnn__plot *plot;
    glnn__frame frame;
    glnn__axis x, y;
} drawing;

static glnn__text_style style_of(double size, glnn__anchor anchor)
{
    return (glnn__text_style){.size = size, .anchor = anchor, .color = ink};
}

/* ---- Ranges */

static bool has_place(const glnn__plot *plot, double value)
{
    return isfinite(value) && (!plot->is_log || value > 0);
}

static glnn__axis y_axis(const glnn__plot *plot, int wanted)
{
    double least = INFINITY, greatest = -INFINITY;
    for (int l = 0; l < plot->line_count; ++l)
        for (int i = 0; i < plot->count; ++i) {
            const double value = plot->lines[l].values[i];
            if (has_place(plot, value)) {
                least = fmin(least, value);
                greatest = fmax(greatest, value);
            }
        }
    if (least > greatest)
        least = plot->is_log ? 0.1 : 0, greatest = 1;
    return glnn__axis_values(least, greatest, plot->is_log, wanted);
}

static glnn__axis x_axis(const glnn__plot *plot, int most)
{
    const double first = plot->count > 0 ? plot->places[0] : 1;
    const double last = plot->count > 0 ? plot->places[plot->count - 1] : 1;
    return first < last ? glnn__axis_whole(first, last, most)
                        : glnn__axis_whole(first - 0.5, first + 0.5, most);
}

/* ---- Axes */

static glnn__point point_at(const drawing *of, double place, double value)
{
    const glnn__frame *frame = &of->frame;
    const double x = glnn__axis_place(&of->x, place), y = glnn__axis_place(&of->y, value);
    return (glnn__point){frame->left + x * (frame->right - frame->left),
                         frame->bottom - y * (frame->bottom - frame->top)};
}

/* Lines of the grid are one pixel wide; on the centres of pixels they are sharp. */
static double sharp(double coordinate)
{
    return floor(coordinate) + 0.5;
}

static void draw_tick_x(const drawing *of, double value)
{
    char text[32];
    const glnn__frame *frame = &of->frame;
    const double x = sharp(point_at(of, value, of->y.low).x);
    snprintf(text, sizeof text, "%.6g", value);
    glnn__canvas_line(of->canvas, NULL, (glnn__point){x, frame->top},
                      (glnn__point){x, frame->bottom}, 1, grid_color);
    glnn__canvas_line(of->canvas, NULL, (glnn__point){x, frame->bottom},
                      (glnn__point){x, frame->bottom + TICK}, 1, frame_color);
    glnn__canvas_text(of->canvas, (glnn__point){x, frame->bottom + 20}, text,
                      style_of(TEXT_SIZE, GLNN__ANCHOR_CENTRE));
}

static void draw_tick_y(const drawing *of, double value)
{
    char text[32];
    const glnn__frame *frame = &of->frame;
    const double y = sharp(point_at(of, of->x.low, value).y);
    snprintf(text, sizeof text, "%.6g", value);
    glnn__canvas_line(of->canvas, NULL, (glnn__point){frame->left, y},
                      (glnn__point){frame->right, y}, 1, grid_color);
    glnn__canvas_line(of->canvas, NULL, (glnn__point){frame->left - TICK, y},
                      (glnn__point){frame->left, y}, 1, frame_color);
    glnn__canvas_text(of->canvas, (glnn__point){frame->left - TICK - 5, y + 4.5}, text,
                      style_of(TEXT_SIZE, GLNN__ANCHOR_RIGHT));
}

static void draw_axes(const drawing *of)
{
    const glnn__frame *frame = &of->frame;
    const double left = sharp(frame->left), bottom = sharp(frame->bottom);
    const double middle = (frame->left + frame->right) / 2;
    for (int i = 0; i < of->x.tick_count; ++i)
        draw_tick_x(of, of->x.ticks[i]);
    for (int i = 0; i < of->y.tick_count; ++i)
        draw_tick_y(of, of->y.ticks[i]);
    glnn__canvas_line(of->canvas, NULL, (glnn__point){left, frame->top},
                      (glnn__point){left, bottom}, 1, frame_color);
    glnn__canvas_line(of->canvas, NULL, (glnn__point){left, bottom},
                      (glnn__point){frame->right, bottom}, 1, frame_color);
    glnn__canvas_text(of->canvas, (glnn__point){middle, frame->top - 12}, of->plot->title,
                      style_of(TITLE_SIZE, GLNN__ANCHOR_CENTRE));
    glnn__canvas_text(of->canvas, (glnn__point){middle, frame->bottom + 42}, of->plot->x_name,
                      style_of(TEXT_SIZE, GLNN__ANCHOR_CENTRE));
    glnn__text_style upright = style_of(TEXT_SIZE, GLNN__ANCHOR_CENTRE);
    upright.is_upright = true;
    glnn__canvas_text(of->canvas,
                      (glnn__point){frame->left - LEFT + 16, (frame->top + frame->bottom) / 2},
                      of->plot->y_name, upright);
}

/* ---- Lines */

static void draw_line(const drawing *of, const glnn__chart_line *line)
{
    const glnn__plot *plot = of->plot;
    const glnn__frame *frame = &of->frame;
    const glnn__frame inside = {frame->left, frame->top - DOT_WIDTH, frame->right + DOT_WIDTH,
                                frame->bottom + DOT_WIDTH};
    for (int i = 0; i < plot->count; ++i) {
        const double value = line->values[i];
        if (!has_place(plot, value))
            continue;
        const glnn__point here = point_at(of, plot->places[i], value);
        const bool goes_on = i > 0 && has_place(plot, line->values[i - 1]);
        if (goes_on)
            glnn__canvas_line(of->canvas, &inside,
                              point_at(of, plot->places[i - 1], line->values[i - 1]), here,
                              LINE_WIDTH, line->color);
        const bool ends_here = i + 1 == plot->count || !has_place(plot, line->values[i + 1]);
        if (plot->count <= MOST_DOTTED || (!goes_on && ends_here))
            glnn__canvas_line(of->canvas, &inside, here, here, DOT_WIDTH, line->color);
    }
}

/* In the upper right corner, which falling curves leave free. */
static void draw_legend(const drawing *of)
{
    const glnn__frame *frame = &of->frame;
    double width = 0;
    for (int l = 0; l < of->plot->line_count; ++l)
        width = fmax(width, TEXT_SIZE * glnn__font_width(of->plot->lines[l].name));
    for (int l = 0; l < of->plot->line_count; ++l) {
        const glnn__chart_line *line = &of->plot->lines[l];
        const double x = frame->right - 8 - width, y = frame->top + 14 + 18 * l;
        glnn__canvas_text(of->canvas, (glnn__point){x, y + 4.5}, line->name,
                          style_of(TEXT_SIZE, GLNN__ANCHOR_LEFT));
        glnn__canvas_line(of->canvas, NULL, (glnn__point){x - 34, y}, (glnn__point){x - 8, y},
                          LINE_WIDTH, line->color);
    }
}

static void draw_plot(glnn__canvas *canvas, const glnn__plot *plot, glnn__frame frame)
{
    drawing of = {.canvas = canvas, .plot = plot, .frame = frame};
    of.x = x_axis(plot, (int)fmax((frame.right - frame.left) / 45, 1));
    of.y = y_axis(plot, (int)fmax((frame.bottom - frame.top) / 55, 2));
    draw_axes(&of);
    for (int l = plot->line_count - 1; l >= 0; --l)
        draw_line(&of, &plot->lines[l]);
    draw_legend(&of);
}

glnn_status glnn__chart_write(const char *path, const glnn__chart *chart)
{
    glnn__canvas canvas;
    GLNN__TRY(glnn__image_check_size(path, chart->width, chart->height, "written"));
    GLNN__TRY(glnn__canvas_create(path, chart->width, chart->height, &canvas));
    const double width = (double)chart->width / chart->plot_count;
    const int title = chart->title ? TITLE : 0;
    if (chart->title)
        glnn__canvas_text(&canvas, (glnn__point){chart->width / 2.0, TITLE}, chart->title,
                          style_of(TITLE_SIZE, GLNN__ANCHOR_CENTRE));
    for (int p = 0; p < chart->plot_count; ++p)
        draw_plot(&canvas, &chart->plots[p],
                  (glnn__frame){floor(p * width) + LEFT, ABOVE + title,
                                floor((p + 1) * width) - RIGHT, chart->height - BELOW});
    const glnn_status status = glnn__png_write(path, chart->width, chart->height, 3, canvas.pixels);
    glnn__canvas_destroy(&canvas);
    return status;
}
