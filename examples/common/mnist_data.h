/* The images of MNIST, or of another set in files of these names, on the GPU: as a data set for
 * trainings, or as matrices for programs that make the steps themselves. Failures end the program,
 * as with CHECK. */
#ifndef EXAMPLES_MNIST_DATA_H
#define EXAMPLES_MNIST_DATA_H

#include <glnn/copy.h>
#include <glnn/dataset.h>
#include <glnn/network.h>

enum { MNIST_DIGITS = 10 };

/* Reads images and labels of a folder, and copies them to the GPU. *image becomes the shape of an
 * image. */
glnn_dataset *mnist_load(glnn_context *ctx, const char *folder, const char *images_name,
                         const char *labels_name, glnn_shape *image);

typedef struct mnist_matrices {
    glnn_context *ctx;
    int samples;
    int *classes;                             /* the labels in main memory                 */
    glnn_matrix *images, *labels;             /* samples x pixels, samples x 1             */
    glnn_matrix *order;                       /* samples x 1: numbers of images            */
    glnn_matrix *batch_images, *batch_labels; /* the same of a batch, in a fixed size      */
} mnist_matrices;

mnist_matrices mnist_load_matrices(glnn_context *ctx, const char *folder, const char *images_name,
                                   const char *labels_name, int batch);
void mnist_destroy_matrices(mnist_matrices *of);

/* Puts the images into a random order, and returns the number of whole batches. */
int mnist_shuffle(mnist_matrices *of, uint64_t *random);

/* Copies batch `number` of this order, from 0 on, to batch_images and batch_labels. */
void mnist_take_batch(mnist_matrices *of, int number);

#endif
