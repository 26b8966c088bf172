/* Labelled images from a folder of four IDX files, named as those of MNIST, as arrays. */
#ifndef TRAIN_IMAGES_H
#define TRAIN_IMAGES_H

#include <stdbool.h>

typedef struct images_part {
    int samples;
    float *inputs; /* samples x (height x width), 0 to 1 */
    int *labels;   /* 0 to classes - 1                   */
} images_part;

typedef struct images {
    const char *folder; /* static, or the argument of images_load */
    int width, height;
    int classes; /* one more than the greatest label */
    images_part train, test;
} images;

/* Loads the folder that mnist_find finds. False with a failure: a file is missing or damaged, or
 * the four do not fit together. */
bool images_load(const char *folder, images *out);

void images_free(images *of);

#endif
