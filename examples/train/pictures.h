/* Folders of PNG files, one for each class. */
#ifndef TRAIN_PICTURES_H
#define TRAIN_PICTURES_H

#include "samples.h"

/* A folder with folders in it, and without files of MNIST or of handwriting. */
bool path_is_pictures(const char *path);

/* A folder with pictures, or files of handwriting, in train/ and in test/; false for NULL. */
bool pictures_are_split(const char *path);

/* Loads a folder of pictures. If out->shape is not set yet, it becomes that of the pictures, which
 * become gray if `gray` is set; else they become gray or coloured as those before, and have to have
 * their size. False with a failure: a file is damaged, or does not fit. */
bool pictures_load(const char *path, bool gray, samples *out, table *rows);

#endif
