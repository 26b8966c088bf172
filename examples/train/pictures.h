/* Folders of PNG files, one for each class. */
#ifndef TRAIN_PICTURES_H
#define TRAIN_PICTURES_H

#include "samples.h"

/* A folder with folders in it, and without files of MNIST or of handwriting. */
bool path_is_pictures(const char *path);

/* A folder with pictures, or files of handwriting, in train/ and in test/; false for NULL. */
bool pictures_are_split(const char *path);

/* Loads a folder of pictures. All get the size of out->shape, or without one that of `given`, or
 * without it that of the first picture. If out->shape is not set yet, it becomes that of the
 * pictures. They become gray if `gray` is set, coloured if `given` has three channels, and else
 * gray or coloured as those before. False with a failure: a file is damaged, or does not fit. */
bool pictures_load(const char *path, bool gray, glnn_shape given, samples *out, table *rows);

#endif
