/* Single layers of networks against their reference. */
#ifndef TESTS_LAYER_CHECKS_H
#define TESTS_LAYER_CHECKS_H

#include "network_reference.h"

/* A network for 24 samples: some layers, with an output of three classes above them unless they
 * `end` it. Then squared error is learnt. Images are made flat. */
enum { LAYER_SAMPLES = 24 };
glnn_network_desc network_of_layers(glnn_shape shape, const glnn_layer_desc *layers, int count,
                                    bool ends);

/* The delta of a layer's input by itself, from a random delta of its output, for an input that went
 * through the identity and one that went through another function. */
void expect_deltas(glnn_learner *network, int layer, int count, const char *where);

/* Outputs, deltas and gradients of so many count, in every layout and precision. Random targets
 * are learnt. */
void expect_layers(const glnn_network_desc *layers, int count, const char *where);

/* A layer that images of 2 channels of 4 x 6 cannot go through, and a part of the sentence. */
typedef struct unfit_layer {
    glnn_layer_desc layer;
    glnn_status status;
    const char *part;
} unfit_layer;

/* Networks of each of these layers alone are refused. */
void expect_unfit_layers(const unfit_layer *layers, size_t count);

/* A network of a layer that normalises, for images of this shape. */
glnn_network_desc normalising(glnn_layer_kind kind, glnn_shape shape);

/* A shape of images, and how many there are. */
typedef struct images_shape {
    glnn_shape shape;
    int count;
} images_shape;

/* A layer of this kind agrees with the reference for images of each shape. */
void expect_normalised(glnn_layer_kind kind, const images_shape *cases, size_t count);

/* Steps with batches of 8 and of 5 agree with the reference: the rows after the last sample, which
 * have any numbers, change nothing. */
void expect_rows_without_samples_ignored(glnn_layer_kind kind);

#endif
