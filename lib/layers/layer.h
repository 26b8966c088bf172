/* One layer of a network, and the interface that a layer type implements. */
#ifndef GLNN__LAYERS_LAYER_H
#define GLNN__LAYERS_LAYER_H

#include "learn/sink.h"
#include "learn/tensor.h"
#include "ops/gemm/layout.h"

#include <glnn/map.h>
#include <glnn/network.h>
#include <glnn/safetensors.h>

typedef struct glnn__layer_type glnn__layer_type;

/* How the numbers of samples, which have the shape channels x height x width, form a matrix. If
 * height and width are 1, both forms are the same. */
typedef enum glnn__signal_form {
    GLNN__KEPT,   /* of a layer type: any, and its output has that of its input              */
    GLNN__FLAT,   /* samples x (channels * height * width), as data sets have them            */
    GLNN__PIXELS, /* (samples * height * width) x channels; pixel (y, x) of sample n is in row
                     (n * height + y) * width + x                                             */
} glnn__signal_form;

/* The numbers between two layers, for the samples of a batch. */
typedef struct glnn__signal {
    glnn_shape shape;
    glnn__signal_form form; /* FLAT or PIXELS */
    glnn_matrix *values;
    glnn_matrix *delta;  /* gradient of the loss with respect to the values before `activation`;
                            NULL: no layer below has parameters */
    glnn_map activation; /* that the values went through last */
} glnn__signal;

/* The rows of the matrices of a signal for one sample, and their columns. */
int glnn__signal_rows(const glnn__signal *signal);
int glnn__signal_columns(const glnn__signal *signal);

/* The most matrices that a layer works with during a step, and of constants. */
#define GLNN__LAYER_WORK      11
#define GLNN__LAYER_CONSTANTS 3

/* The shape of the parameters of a layer. Their matrix has the biases as its last row. */
typedef struct glnn__parameter_shape {
    int rows, columns; /* of the weights; DENSE: the inputs and the units */
    bool has_biases;   /* one for each column                             */
} glnn__parameter_shape;

typedef struct glnn__layer {
    const glnn__layer_type *type;
    glnn_layer_desc desc;               /* defaults filled in */
    int number;                         /* from 0 */
    int sources[GLNN_LAYER_MAX_INPUTS]; /* layers whose outputs are the inputs; -1: the input of
                                              the network */
    int source_count;
    glnn_shape input;                      /* of a sample, the first of them; that of the output is
                                              out.shape */
    glnn__signal_form taken;               /* of the input */
    glnn__parameter_shape parameter_shape; /* zeros: no parameters */
    glnn__parameters own;         /* no matrices: the layer has no parameters, or shares them */
    glnn__parameters *parameters; /* `own`, or that of the layer `owner`                       */
    int owner;                    /* the number of a layer before this one, or its own         */
    bool is_stale;                /* MIXED: the parameters were set, their copy was not */
    /* Numbers that training gathers without a gradient: rows 0 and 1 are the running mean and the
     * running variance of each channel, the others belong to a batch. NULL: there are none. */
    glnn_matrix *statistics;
    glnn_kernel *functions[2]; /* FUNCTION: the kernel and its adjoint, and their description */
    glnn_kernel_desc function;
    glnn__signal out;
    glnn_matrix *work[GLNN__LAYER_WORK]; /* of a batch, made by `prepare`; NULL: not needed */
    glnn_matrix *constants[GLNN__LAYER_CONSTANTS]; /* made by `initialise`; NULL: not needed */
} glnn__layer;

/* A list of passes over some samples. */
typedef struct glnn__flow {
    glnn_context *ctx;
    bool trains;         /* for a gradient, not for outputs alone */
    bool learns;         /* for a step: running statistics change */
    int lowest;          /* the first layer whose backward pass runs */
    uint64_t seed;       /* of what layers draw at random                             */
    glnn__uniform step;  /* the same; without its higher bits                         */
    glnn__uniform first; /* sample of the step's batch that the first one is          */
    int samples;         /* the matrices can have room for more: those are zeros      */
    const glnn__layer *layers;
    const glnn__signal *input; /* of the network */
    const glnn__sink *sink;    /* of a step that several processes sum; NULL: of any other passes */
} glnn__flow;

/* The output of a layer in this list of passes, which may leave the layer out; -1: the input of the
 * network. */
const glnn__signal *glnn__flow_output(const glnn__flow *flow, int layer);

/* A part of a layer's parameters as an array of files, with the name and the shape that PyTorch
 * gives it. Element (i, j, ...) of the array is element first + i * stride[0] + j * stride[1] + ...
 * of the matrix of the parameters, row after row. */
typedef struct glnn__layer_array {
    const char *name; /* "weight" */
    int dimensions;
    size_t shape[GLNN_TENSOR_MAX_DIMENSIONS], stride[GLNN_TENSOR_MAX_DIMENSIONS];
    size_t first;
    /* Index i of the first dimension stands for i / block * pitch + i % block; block 0: for i. */
    size_t block, pitch;
    bool is_statistic; /* the matrix is that of the statistics */
    bool is_positive;  /* no element may be negative           */
} glnn__layer_array;

/* The most arrays of a layer. */
#define GLNN__LAYER_ARRAYS 4

/* The numbers of a description that a type uses; the others have to be 0. layer_fields.c describes
 * each. */
enum {
    GLNN__LAYER_UNITS = 1,
    GLNN__LAYER_ACTIVATION = 2,
    GLNN__LAYER_RATE = 4,
    GLNN__LAYER_KERNEL = 8,
    GLNN__LAYER_STRIDE = 16,
    GLNN__LAYER_PADDING = 32,
    GLNN__LAYER_GROUPS = 64,
    GLNN__LAYER_SKIP = 128,
    GLNN__LAYER_INPUTS = 256,   /* more than one               */
    GLNN__LAYER_RESPONSE = 512, /* size, alpha, beta and k */
    GLNN__LAYER_DILATION = 1024,
    GLNN__LAYER_FIRST = 2048,
    GLNN__LAYER_SHAPE = 4096,
    GLNN__LAYER_SHARES = 8192,
    GLNN__LAYER_FUNCTION = 16384,
    GLNN__LAYER_STATES = 32768,  /* window and all_states */
    GLNN__LAYER_SPECTRUM = 65536 /* sample_rate and floor */
};

/* The most products of a layer in a training step. */
#define GLNN__LAYER_PRODUCTS 3

struct glnn__layer_type {
    unsigned uses;
    bool trains_only;               /* outputs alone are computed as if the layer were not there */
    int least_inputs, most_inputs;  /* zeros: it has one */
    glnn__signal_form takes, gives; /* of the input and the output */

    /* Whether the layer, as the first one, reads flat samples although it takes pixels. Its
     * backward pass is then not run. NULL: it does not. */
    bool (*takes_flat)(const glnn__layer *layer);

    /* Checks the numbers of the description against the input's shape, and sets the shapes of the
     * output and of the parameters. `layers` are all up to this one. */
    glnn_status (*shape)(glnn__layer *layer, const glnn__layer *layers);

    /* Gives the parameters, which are zeros, the values that training begins with, and makes the
     * constants. NULL: the parameters stay zeros, or there are none. */
    glnn_status (*initialise)(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer);

    /* Lists the parameters and then the statistics as files have them, and returns how many arrays
     * there are. Elements of the parameters that are in none of them stay 0. NULL: there are no
     * parameters. */
    int (*arrays)(const glnn__layer *layer, glnn__layer_array out[GLNN__LAYER_ARRAYS]);

    /* The large matrix products of a training step of so many samples, by which the network's
     * layout is chosen; returns how many there are. NULL: there are none. */
    int (*products)(const glnn__layer *layer, int samples,
                    glnn__layout_use uses[GLNN__LAYER_PRODUCTS]);

    /* Makes the matrices `work` for so many samples. NULL: it needs none. */
    glnn_status (*prepare)(glnn_context *ctx, glnn__layer *layer, int samples);

    /* Numbers of these matrices for a sample, if they are so many that they have to limit the
     * capacity. NULL: they need not. */
    int64_t (*work_numbers)(const glnn__layer *layer);

    glnn_status (*forward)(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input);

    /* Finds what the backward pass and the gradient share, once the delta of the output is
     * complete. It runs before both. NULL: there is nothing. */
    glnn_status (*begin_backward)(const glnn__flow *flow, const glnn__layer *layer,
                                  const glnn__signal *input);

    /* The delta of the input from that of the output. */
    glnn_status (*backward)(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input);

    /* Instead of `forward` and `backward`, for a layer whose kernel does both: `out` is the output
     * of the input `x`, or the input's delta of the delta `x`. With `y`, the latter is multiplied
     * by the derivative of `activation`. */
    glnn_status (*both_ways)(const glnn__flow *flow, const glnn__layer *layer, const glnn_matrix *x,
                             const glnn_matrix *y, glnn_map activation, glnn_matrix *out);

    /* Instead of `backward`, for a layer with several inputs: the delta of one of them, or with
     * `adds` this layer's part of it. */
    glnn_status (*backward_to)(const glnn__flow *flow, const glnn__layer *layer, int number,
                               const glnn__signal *input, bool adds);

    /* Hands the gradient of the parameters, summed over the samples, to the sink: as a product, or
     * as a matrix. NULL: there are none. */
    glnn_status (*gradient)(const glnn__flow *flow, glnn__layer *layer, const glnn__signal *input,
                            const glnn__sink *sink);
};

/* The number of elements of a sample of this shape; 0 if it is not positive, or too large for an
 * int with a bias. */
int glnn__shape_size(glnn_shape shape);

bool glnn__layer_has_parameters(const glnn__layer *layer);

/* Whether another layer has the parameters. */
bool glnn__layer_shares(const glnn__layer *layer);

/* Rows of the matrix of the parameters, whose last row is the biases where there are some. */
int glnn__layer_parameter_rows(const glnn__layer *layer);

/* The parameters as products read them. */
const glnn_matrix *glnn__layer_weights(const glnn__layer *layer);

/* Creates the parameters of a layer that has some, as zeros, with the states of the
 * optimizer. */
glnn_status glnn__layer_create_parameters(glnn_context *ctx, glnn_layout layout,
                                          const glnn_optimizer *optimizer, glnn__layer *layer);

/* Creates the copy in 16 bits, and destroys it. */
glnn_status glnn__layer_create_copy(glnn_context *ctx, glnn__layer *layer);
void glnn__layer_destroy_copy(glnn__layer *layer);

/* E_LIMIT if the loops of a fragment take more turns than the device runs. `turns` are those for
 * the eight texels of a block of TILED. Software rasterisers end all loops of a fragment after
 * 65535 turns together, without an error. */
glnn_status glnn__layer_check_turns(const glnn_context *ctx, const glnn__layer *layer,
                                    int64_t turns);

/* The passes `forward` and `backward` of the type, or `both_ways`. */
glnn_status glnn__layer_forward(const glnn__flow *flow, const glnn__layer *layer,
                                const glnn__signal *input);
glnn_status glnn__layer_backward(const glnn__flow *flow, const glnn__layer *layer,
                                 const glnn__signal *input);

/* Rows of the statistics that are kept with the parameters. */
#define GLNN__KEPT_STATISTICS 2

/* Rounds the parameters to 16 bits, where products read them so and no update has just done it. */
glnn_status glnn__layer_refresh_copy(glnn_context *ctx, glnn__layer *layer);

/* Lists the tensors of the layer. */
void glnn__layer_visit(glnn__layer *layer, glnn__visitor *visitor);

/* Empties the values, which are lent to the program, and destroys the delta. */
void glnn__signal_empty(glnn__signal *signal);

/* Empties the outputs of a batch, and destroys its other matrices. */
void glnn__layer_destroy_batch(glnn__layer *layer);

void glnn__layer_destroy(glnn__layer *layer);

#endif
