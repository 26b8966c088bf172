/* Charts of plain arrays as PNG files: plots next to each other, with axes, ticks and legends. */
#ifndef GLNN__IO_CHART_CHART_H
#define GLNN__IO_CHART_CHART_H

#include "io/chart/canvas.h"

#include <stdbool.h>

enum { GLNN__MAX_LINES = 2 };

/* A line of a plot. It has gaps where a number is not finite or, on a logarithmic axis, not above
 * 0. */
typedef struct glnn__chart_line {
    const char *name;
    const double *values; /* as many as the plot has places */
    glnn__color color;
} glnn__chart_line;

/* A plot of numbers by whole numbers. All texts are printable ASCII. */
typedef struct glnn__plot {
    const char *title, *x_name, *y_name;
    bool is_log; /* of the vertical axis */
    int count;
    const double *places; /* ascending whole numbers */
    int line_count;
    glnn__chart_line lines[GLNN__MAX_LINES];
} glnn__plot;

typedef struct glnn__chart {
    int width, height;
    const char *title; /* NULL: none */
    int plot_count;
    const glnn__plot *plots;
} glnn__chart;

/* The least size of a plot. */
enum { GLNN__PLOT_MIN_WIDTH = 240, GLNN__PLOT_MIN_HEIGHT = 160 };

/* Errors: E_LIMIT, E_NOMEM, E_IO; E_UNSUPPORTED without libpng. */
glnn_status glnn__chart_write(const char *path, const glnn__chart *chart);

#endif
