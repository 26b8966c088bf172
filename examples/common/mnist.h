/* Finds the files of MNIST, or of another set of labelled images in four files of these names. */
#ifndef EXAMPLES_MNIST_H
#define EXAMPLES_MNIST_H

#include <glnn/idx.h>

#include <stdbool.h>

#include "folder.h"

#define MNIST_TRAIN_IMAGES "train-images-idx3-ubyte"
#define MNIST_TRAIN_LABELS "train-labels-idx1-ubyte"
#define MNIST_TEST_IMAGES  "t10k-images-idx3-ubyte"
#define MNIST_TEST_LABELS  "t10k-labels-idx1-ubyte"

/* The help of an option that names such a folder. */
#define MNIST_DATA_HELP                                                                            \
    "folder with the four files of MNIST, plain or .gz; unless given $GLNN_DATA_DIR, then "        \
    "data/mnist, then generated digits"

/* The folder with the files: `folder`, or if that is NULL $GLNN_DATA_DIR, or data/mnist. If
 * data/mnist does not exist either, digits are generated into data/digits, and a note says so.
 * NULL with a failure: the folder lacks a file, or digits cannot be written. */
const char *mnist_find(const char *folder);

/* True if the folder has at least one of the four files. */
bool mnist_has_any(const char *folder);

/* Writes the path of a file in the folder, which may be plain or end in .gz. */
bool mnist_path(const char *folder, const char *name, char path[PATH_CAPACITY]);

/* True if `path` is a file that mnist_find(folder) would let a program read. */
bool mnist_reads(const char *folder, const char *path);

/* Finds and reads a file of the folder; the caller frees *out. */
bool mnist_read(const char *folder, const char *name, glnn_idx *out);

#endif
