/* Samples from NumPy files.
 *
 * An array has a sample for each index of the first dimension. With three dimensions the samples
 * are images, samples x height x width. With four they have channels, before or after height and
 * width: the smaller one of the first and the last size of a sample is that of the channels, unless
 * `given` says more. Samples of any other array have no shape. */
#ifndef TRAIN_ARRAY_H
#define TRAIN_ARRAY_H

#include "table.h"

/* Reads a file of inputs, and labels from another one (NULL: none). Each different label becomes a
 * class with its number as the name. `given` is the shape that the user gave, or zeros. Channels
 * become planes, one after the other. False with a failure: a file is damaged, has a number that is
 * not finite, or has another number of features than `like` or another shape than `given`. */
bool array_read(const char *path, const char *labels, glnn_shape given,
                const glnn_csv_columns *like, table *out);

#endif
