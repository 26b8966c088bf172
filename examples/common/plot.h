/* Pictures of a training: the curve of loss and accuracy, the confusion matrix, and the weights of
 * hidden units. Curve and matrix are a table (CSV), a script of gnuplot and a picture (PNG) each.
 * Every function returns false with a failure if a file cannot be written. */
#ifndef EXAMPLES_PLOT_H
#define EXAMPLES_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include <glnn/network.h>

/* The reports at the ends of epochs. */
typedef struct plot_curve {
    int count, capacity;
    glnn_report *epochs;
} plot_curve;

bool plot_curve_add(plot_curve *curve, const glnn_report *report);
void plot_curve_free(plot_curve *curve);

/* Writes curve.csv, curve.gp and curve.png. `measured` is the name of the samples that were
 * measured after each epoch; NULL: none were. Learners without classes have no accuracy. */
bool plot_training(const char *folder, const plot_curve *curve, const char *measured,
                   bool has_classes);

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

/* Writes weights.png: the weights of each hidden unit of the first layer, as a picture of the size
 * of the network's input images. */
bool plot_weights(const char *folder, const glnn_network *network, int width, int height);

#endif
