/* Pictures to classify, scaled to the size of a model's images, with bright ink on dark ground. */
#ifndef TRAIN_PICTURE_H
#define TRAIN_PICTURE_H

#include <stdbool.h>

typedef struct pictures {
    int count;
    float *pixels;  /* count x (height x width), ink 1 on ground 0 */
    char note[160]; /* their size, and how they were changed        */
} pictures;

/* Finds the size of images with so many pixels from their width; 0: they are square. False with a
 * failure: images of this width, or square ones, cannot have so many pixels. */
bool picture_size(int inputs, int *width, int *height);

/* Reads a PNG file, or an IDX file of one or several images. Scales each image to width x height by
 * area averages and keeps its aspect. Inverts images on bright ground. */
bool pictures_read(const char *path, int width, int height, pictures *out);

/* Frees what was read and empties *images. */
void pictures_free(pictures *images);

#endif
