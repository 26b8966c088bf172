/* --plot: what training did, as tables (CSV), as gnuplot scripts, and as pictures (PNG). */
#ifndef EXAMPLES_PLOT_H
#define EXAMPLES_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include <glnn/network.h>

/* The reports of the epochs so far. */
typedef struct plot_curve {
    int count, capacity;
    glnn_report *epochs;
} plot_curve;

bool plot_curve_add(plot_curve *curve, const glnn_report *report);
void plot_curve_free(plot_curve *curve);

/* The names of all files below; ends with NULL. */
extern const char *const plot_files[];

/* Each writes its files into a folder that exists; where gnuplot is missing it says so, and leaves
 * the table and the script. `measured` names the samples measured after each epoch (NULL: none),
 * and without classes there is no accuracy to draw;
 * `names` are those of classes (NULL: numbers); `width` is that of the images that the network
 * sees, 0 for square ones. Of more than CONFUSION_CLASSES_MAX classes confusion.csv lists the
 * elements of the matrix that are not 0, else it has the matrix. */
bool plot_training(const char *folder, const plot_curve *curve, const char *measured,
                   bool has_classes);
bool plot_confusion(const char *folder, const int64_t *confusion, int classes, char *const *names);
bool plot_weights(const char *folder, const glnn_network *network, int width);

/* Prototypes as images of such a size, in rows of `columns` (0: in a grid): the first 1024 where
 * there are more. */
bool plot_prototypes(const char *folder, const float *prototypes, int count, int columns, int width,
                     int height);

#endif
