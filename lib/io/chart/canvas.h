/* Pixels in colour, and lines and texts drawn on them with smooth edges. Coordinates are in pixels
 * from the upper left corner; the centre of the first pixel is (0.5, 0.5). */
#ifndef GLNN__IO_CHART_CANVAS_H
#define GLNN__IO_CHART_CANVAS_H

#include "base/status.h"

typedef struct glnn__color {
    unsigned char channels[3]; /* red, green, blue */
} glnn__color;

typedef struct glnn__canvas {
    int width, height;
    unsigned char *pixels; /* three bytes each */
} glnn__canvas;

typedef struct glnn__point {
    double x, y;
} glnn__point;

/* A rectangle, in which lines are drawn. */
typedef struct glnn__frame {
    double left, top, right, bottom;
} glnn__frame;

/* Makes a white canvas. `path` is for the sentence of an error. */
glnn_status glnn__canvas_create(const char *path, int width, int height, glnn__canvas *out);
void glnn__canvas_destroy(glnn__canvas *canvas);

/* Draws a line with round ends. If both points are equal it is a dot. `inside` NULL: everywhere. */
void glnn__canvas_line(glnn__canvas *canvas, const glnn__frame *inside, glnn__point from,
                       glnn__point to, double width, glnn__color color);

/* Where a text is in relation to the point that it is drawn at. */
typedef enum glnn__anchor {
    GLNN__ANCHOR_LEFT,
    GLNN__ANCHOR_CENTRE,
    GLNN__ANCHOR_RIGHT
} glnn__anchor;

typedef struct glnn__text_style {
    double size;         /* pixels of a column of the font */
    glnn__anchor anchor; /* the end or the middle of the base line that is at the point */
    int is_upright;      /* the text runs from below to above */
    glnn__color color;
} glnn__text_style;

void glnn__canvas_text(glnn__canvas *canvas, glnn__point at, const char *text,
                       glnn__text_style style);

#endif
