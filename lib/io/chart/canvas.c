#include "io/chart/canvas.h"

#include "io/chart/font.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, WHITE = 255 };

/* The width of strokes for each pixel of a column, so that larger texts are bolder. */
#define STROKE 0.85

glnn_status glnn__canvas_create(const char *path, int width, int height, glnn__canvas *out)
{
    const size_t bytes = (size_t)width * (size_t)height * CHANNELS;
    *out = (glnn__canvas){width, height, malloc(bytes)};
    if (!out->pixels)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d x %d pixels", path, width, height);
    memset(out->pixels, WHITE, bytes);
    return GLNN_OK;
}

void glnn__canvas_destroy(glnn__canvas *canvas)
{
    free(canvas->pixels);
    *canvas = (glnn__canvas){0};
}

static void blend(glnn__canvas *canvas, int x, int y, double share, glnn__color color)
{
    unsigned char *pixel =
        canvas->pixels + ((size_t)y * (size_t)canvas->width + (size_t)x) * CHANNELS;
    for (int c = 0; c < CHANNELS; ++c)
        pixel[c] = (unsigned char)lround(pixel[c] + share * (color.channels[c] - pixel[c]));
}

/* The distance of a point from a line. */
static double distance(glnn__point at, glnn__point from, glnn__point to)
{
    const double x = to.x - from.x, y = to.y - from.y, square = x * x + y * y;
    double along = square > 0 ? ((at.x - from.x) * x + (at.y - from.y) * y) / square : 0;
    along = fmin(fmax(along, 0), 1);
    return hypot(at.x - from.x - along * x, at.y - from.y - along * y);
}

/* The first and the last pixel between two coordinates, and inside both ranges. */
static void clip(double low, double high, double first, double last, int size, int *begin, int *end)
{
    *begin = (int)fmax(fmax(floor(low), first), 0);
    *end = (int)fmin(fmin(ceil(high), last), size);
}

void glnn__canvas_line(glnn__canvas *canvas, const glnn__frame *inside, glnn__point from,
                       glnn__point to, double width, glnn__color color)
{
    const glnn__frame all = {0, 0, canvas->width, canvas->height}, *in = inside ? inside : &all;
    const double reach = width / 2 + 0.5;
    int left, right, top, bottom;
    clip(fmin(from.x, to.x) - reach, fmax(from.x, to.x) + reach, floor(in->left), ceil(in->right),
         canvas->width, &left, &right);
    clip(fmin(from.y, to.y) - reach, fmax(from.y, to.y) + reach, floor(in->top), ceil(in->bottom),
         canvas->height, &top, &bottom);
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) {
            const double share = reach - distance((glnn__point){x + 0.5, y + 0.5}, from, to);
            if (share > 0)
                blend(canvas, x, y, fmin(share, 1), color);
        }
}

/* A point of the grid of a character that begins at `at`. */
static glnn__point place(glnn__point at, const char *digits, int first,
                         const glnn__text_style *style)
{
    const double x = style->size * (digits[0] - '0' - first);
    const double y = style->size * (digits[1] - '0' - GLNN__FONT_BASE);
    return style->is_upright ? (glnn__point){at.x - y, at.y - x}
                             : (glnn__point){at.x + x, at.y - y};
}

static void draw_strokes(glnn__canvas *canvas, glnn__point at, char character, int first,
                         const glnn__text_style *style)
{
    for (const char *stroke = glnn__font_strokes(character); *stroke; stroke += 2) {
        const bool goes_on = stroke[2] && stroke[2] != ' ';
        if (goes_on)
            glnn__canvas_line(canvas, NULL, place(at, stroke, first, style),
                              place(at, stroke + 2, first, style), STROKE * style->size,
                              style->color);
        else if (stroke[2])
            ++stroke;
    }
}

void glnn__canvas_text(glnn__canvas *canvas, glnn__point at, const char *text,
                       glnn__text_style style)
{
    const double shares[] = {
        [GLNN__ANCHOR_LEFT] = 0, [GLNN__ANCHOR_CENTRE] = 0.5, [GLNN__ANCHOR_RIGHT] = 1};
    double along = -shares[style.anchor] * style.size * glnn__font_width(text);
    for (; *text; ++text) {
        int first, last;
        glnn__font_extent(*text, &first, &last);
        const glnn__point begin = style.is_upright ? (glnn__point){at.x, at.y - along}
                                                   : (glnn__point){at.x + along, at.y};
        draw_strokes(canvas, begin, *text, first, &style);
        along += style.size * (last - first + GLNN__FONT_SPACE);
    }
}
