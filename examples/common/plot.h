/* Pictures of a training: the curve of loss and accuracy, the confusion matrix, and the weights of
 * hidden units. The curve and the matrix are tables (CSV) and pictures (PNG), which gnuplot draws;
 * the matrix also has a script of gnuplot. Every function returns false with a failure if a file
 * cannot be written. */
#ifndef EXAMPLES_PLOT_H
#define EXAMPLES_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include <glnn/curve.h>
#include <glnn/network.h>

/* Whether a path names a picture of a curve, PNG or SVG. */
bool plot_is_picture(const char *path);

/* Has gnuplot draw a curve, unless it has no epoch. `measured` is the name of the samples that were
 * measured after each epoch; NULL: none were. */
bool plot_curve_picture(const char *picture, const glnn_curve *curve, const char *measured);

/* Writes curve.csv, and curve.png if gnuplot is installed; otherwise a note says so. */
bool plot_curve(const char *folder, const glnn_curve *curve, const char *measured);

/* Writes confusion.csv, confusion.gp and confusion.png. `names` are those of the classes; NULL:
 * numbers. */
bool plot_confusion(const char *folder, const int64_t *confusion, int classes, char *const *names);

/* Pictures in rows. Picture i has pixel p at [i * picture_stride + p * pixel_stride]. */
typedef struct plot_grid {
    int count;   /* only the first PLOT_PICTURES_MAX are drawn */
    int columns; /* 0: a grid that is wider than tall          */
    int width, height;
    size_t picture_stride, pixel_stride;
} plot_grid;

enum { PLOT_PICTURES_MAX = 1024 };

/* Draws pictures into a PNG file: positive values red, negative ones blue. */
bool plot_pictures(const char *path, const plot_grid *grid, const float *pictures);

/* Writes weights.png: the weights of each unit of the first layer as a picture. A dense layer on
 * images has pictures of their size, with the channels below each other. A convolution has a
 * picture of its kernel for each unit and channel, in a row for each unit. Other networks have
 * none. */
bool plot_weights(const char *folder, const glnn_learner *network);

#endif
