/* The MNIST database, or any set of images with class numbers in four such files. */
#ifndef EXAMPLES_MNIST_H
#define EXAMPLES_MNIST_H

#include <stdbool.h>

#include "folder.h"

#define MNIST_CLASSES_MAX  65536
#define MNIST_TRAIN_IMAGES "train-images-idx3-ubyte"
#define MNIST_TRAIN_LABELS "train-labels-idx1-ubyte"
#define MNIST_TEST_IMAGES  "t10k-images-idx3-ubyte"
#define MNIST_TEST_LABELS  "t10k-labels-idx1-ubyte"

typedef struct mnist_part {
    int samples;
    float *inputs; /* samples x (height x width), 0 to 1 */
    int *labels;   /* 0 to classes - 1                   */
} mnist_part;

typedef struct mnist {
    char folder[PATH_CAPACITY];
    bool generated; /* the folder holds generated digits, because there was no MNIST */
    int width, height;
    int classes; /* one more than the greatest label */
    mnist_part train, test;
} mnist;

/* Loads `folder`; NULL: $GLNN_DATA_DIR, else data/mnist, else digits generated into data/digits.
 * Each file may be plain or .gz. False: the folder was named but lacks a file, or a file is
 * damaged, or the four do not fit together. */
bool mnist_load(const char *folder, mnist *out);

/* True where `path` is a file that mnist_load(folder) may read. */
bool mnist_reads(const char *folder, const char *path);

/* Frees what was loaded and empties *data. */
void mnist_free(mnist *data);

#endif
