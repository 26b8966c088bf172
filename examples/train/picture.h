/* Pictures to classify, scaled to the size of a model's images. */
#ifndef TRAIN_PICTURE_H
#define TRAIN_PICTURE_H

#include <glnn/network.h>

typedef struct pictures {
    int count;
    float *pixels;  /* count x (channels x height x width), 0 to 1 */
    char note[160]; /* their size, and how they were changed       */
} pictures;

/* If the shape is not known, that is, has a width of 0, it becomes that of a square image in gray.
 * False with a failure: images of this shape, or square ones, do not have so many numbers. */
bool picture_find_shape(int inputs, glnn_shape *shape);

/* Reads a PNG file, or an IDX file of one or several images in gray. Scales each image to the
 * height and width of the shape by area averages and keeps its aspect. The colour of its corners
 * surrounds it. Inverts it if that is asked for. */
bool pictures_read(const char *path, glnn_shape shape, bool invert, pictures *out);

/* Frees what was read and empties *images. */
void pictures_free(pictures *images);

#endif
