/* The images of MNIST, or of another set in files of these names, as a data set on the GPU. */
#ifndef EXAMPLES_MNIST_DATA_H
#define EXAMPLES_MNIST_DATA_H

#include <glnn/dataset.h>
#include <glnn/network.h>

enum { MNIST_DIGITS = 10 };

/* Reads images and labels of a folder, and copies them to the GPU. *image becomes the shape of an
 * image. Failures end the program, as with CHECK. */
glnn_dataset *mnist_load(glnn_context *ctx, const char *folder, const char *images_name,
                         const char *labels_name, glnn_shape *image);

#endif
