/* Pictures to classify, brought to the size and the polarity of a network's inputs. */
#ifndef TRAIN_PICTURE_H
#define TRAIN_PICTURE_H

#include <stdbool.h>

typedef struct pictures {
    int count;
    float *pixels;  /* count x (height x width), ink 1 on ground 0 */
    char note[160]; /* what was done to them                       */
} pictures;

/* The size of the images that a network with so many inputs sees, from their width; a width of 0
 * means square ones. False where no such image has that many pixels. */
bool picture_size(int inputs, int *width, int *height);

/* Reads a PNG or an IDX file (one image, or several) and scales each image by area averages, its
 * aspect kept, to width x height; images on bright ground are inverted. */
bool pictures_read(const char *path, int width, int height, pictures *out);

/* Frees what was read and empties *images. */
void pictures_free(pictures *images);

#endif
