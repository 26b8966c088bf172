/* A font of strokes for the texts of charts: polygonal lines on a grid of 5 x 9 points. */
#ifndef GLNN__IO_CHART_FONT_H
#define GLNN__IO_CHART_FONT_H

#include <stdbool.h>

/* Rows of the grid, counted from below. */
enum { GLNN__FONT_BASE = 2, GLNN__FONT_TOP = 8 };

/* The space between two characters, in columns of the grid. */
#define GLNN__FONT_SPACE 1.6

/* The strokes of a character: two digits are the column and the row of a point, the points of a
 * stroke follow each other, and a blank separates strokes. "" for a character without strokes. */
const char *glnn__font_strokes(char character);

/* The first and last columns of a character. */
void glnn__font_extent(char character, int *first, int *last);

/* Whether the font has all characters of a text: printable ASCII. */
bool glnn__font_has(const char *text);

/* The width of a text in columns of the grid. */
double glnn__font_width(const char *text);

#endif
