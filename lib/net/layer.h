/* One layer of a network, and the interface that a layer type implements. */
#ifndef GLNN__NET_LAYER_H
#define GLNN__NET_LAYER_H

#include "ops/gemm/layout.h"
#include "train/sink.h"

#include <glnn/map.h>
#include <glnn/network.h>

typedef struct glnn__layer_type glnn__layer_type;

/* The numbers between two layers, for the samples of a batch. */
typedef struct glnn__signal {
    glnn_matrix *values; /* rows x (channels * height * width) */
    glnn_matrix *delta;  /* gradient of the loss with respect to the values before `activation`;
                            NULL: no layer below has parameters */
    glnn_map activation; /* that the values went through last */
} glnn__signal;

typedef struct glnn__layer {
    const glnn__layer_type *type;
    glnn_layer_desc desc; /* defaults filled in */
    int number;           /* from 0 */
    glnn_shape input, output;
    glnn_parameter_shape parameter_shape; /* zeros: no parameters */
    glnn__parameters parameters;
    bool is_stale;         /* MIXED: the parameters were set, their copy was not */
    glnn_matrix *snapshot; /* the parameters of the best epoch; NULL before one */
    glnn__signal out;
} glnn__layer;

/* A list of passes over some samples. */
typedef struct glnn__flow {
    glnn_context *ctx;
    bool trains;         /* for a gradient, not for outputs alone */
    uint64_t seed, step; /* of what layers draw at random */
    int first;           /* row of the step's batch that the first row of the matrices is */
} glnn__flow;

/* The numbers of a description that a type uses; the others have to be 0. layer_numbers.c describes
 * each. */
enum { GLNN__LAYER_UNITS = 1, GLNN__LAYER_ACTIVATION = 2, GLNN__LAYER_RATE = 4 };

/* The most products of a layer in a training step. */
#define GLNN__LAYER_PRODUCTS 3

struct glnn__layer_type {
    unsigned uses;
    bool trains_only; /* outputs alone are computed as if the layer were not there */

    /* Checks the numbers of the description against the input's shape, and sets the shapes of the
     * output and of the parameters. */
    glnn_status (*shape)(glnn__layer *layer);

    /* Gives the parameters, which are zeros, the values that training begins with. NULL: they stay
     * zeros, or there are none. */
    glnn_status (*initialise)(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer);

    /* The large matrix products of a training step of so many samples, by which the network's
     * layout is chosen; returns how many there are. NULL: there are none. */
    int (*products)(const glnn__layer *layer, int samples,
                    glnn__layout_use uses[GLNN__LAYER_PRODUCTS]);

    glnn_status (*forward)(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input);

    /* The delta of the input from that of the output. */
    glnn_status (*backward)(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input);

    /* Hands the gradient of the parameters, summed over the samples, to the sink: as a product, or
     * as a matrix. NULL: there are none. */
    glnn_status (*gradient)(const glnn__flow *flow, glnn__layer *layer, const glnn__signal *input,
                            const glnn__sink *sink);
};

/* The number of elements of a sample of this shape; 0 if it is not positive, or too large for an
 * int with a bias. */
int glnn__shape_size(glnn_shape shape);

bool glnn__layer_has_parameters(const glnn__layer *layer);

/* Rows of the matrix of the parameters, whose last row is the biases where there are some. */
int glnn__layer_parameter_rows(const glnn__layer *layer);

/* The parameters as products read them. */
const glnn_matrix *glnn__layer_weights(const glnn__layer *layer);

/* Creates the parameters of a layer that has some, as zeros, with as many states. */
glnn_status glnn__layer_create_parameters(glnn_context *ctx, glnn_layout layout, int states,
                                          glnn__layer *layer);

/* Creates the copy in 16 bits, and destroys it. */
glnn_status glnn__layer_create_copy(glnn_context *ctx, glnn__layer *layer);
void glnn__layer_destroy_copy(glnn__layer *layer);

/* Rounds the parameters to 16 bits, where products read them so and no update has just done it. */
glnn_status glnn__layer_refresh_copy(glnn_context *ctx, glnn__layer *layer);

void glnn__signal_destroy(glnn__signal *signal);
void glnn__layer_destroy(glnn__layer *layer);

#endif
