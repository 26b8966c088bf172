/* Windows of images in plain C: the matrices that products with windows take in place of them. */
#ifndef TESTS_WINDOW_REFERENCE_H
#define TESTS_WINDOW_REFERENCE_H

#include "support.h"

#include "ops/gemm/product.h"

/* Images of some samples, and the windows of a convolution. */
typedef struct convolution {
    int samples, channels, outputs;
    glnn__sides image, kernel, stride, padding;
    int groups; /* of channels; 0: one */
    glnn__sides dilation;
} convolution;

/* Rows and columns of the outputs of a sample. */
glnn__sides grid_of(const convolution *c);

/* The description of its windows in a product; backward, of the outputs. */
glnn__window forward_window(const convolution *c);
glnn__window backward_window(const convolution *c);

/* Rows of the weights without the biases: those of a group, and those that they would have without
 * groups. */
int group_lines_of(const convolution *c);
int lines_of(const convolution *c);

/* Random weights and biases. The rows of channels that only pad are zero. */
array window_weights(const convolution *c);

/* The weights that a convolution without groups has in place of these: other groups see zeros. */
array ungrouped(const convolution *c, array weights);

/* The elements of the gradient of such weights that belong to groups. */
expected grouped_gradient(const convolution *c, expected all);

/* The windows as a matrix: pixels of the grid x lines. */
array window_rows(const convolution *c, array pixels);

/* The same of the outputs' deltas: pixels of the image x (taps * outputs padded to fours). */
array backward_windows_of(const convolution *c, array delta);

/* The weights by which backward windows are multiplied: (taps * outputs padded) x channels. */
array backward_weights_of(const convolution *c, array weights);

#endif
