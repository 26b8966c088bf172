/* Files of handwritten characters, .gnt and .mpf. */
#ifndef TRAIN_HANDWRITING_H
#define TRAIN_HANDWRITING_H

#include "samples.h"

/* A file whose name ends in .gnt or .mpf, or a folder with such a file; false for NULL. */
bool path_is_handwriting(const char *path);

/* The same, or the folder has such a folder in train/. */
bool path_has_handwriting(const char *path);

/* Loads a file or a folder of them. Pictures become square images: as large as those before, or as
 * a model expects them, else as `given`, or with zeros 64 x 64 pixels. False with a failure: a file
 * is damaged, or does not fit. */
bool handwriting_load(const char *path, glnn_shape given, samples *out, table *rows);

#endif
