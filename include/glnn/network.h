/* glnn/network.h - networks made of layers, trained by back-propagation
 *
 * A network is a list of layers, each of which maps the output of the one before. The first one
 * gets the features of a sample. Everything that a step needs stays on the GPU: a step is a fixed
 * list of passes without readback, allocation or wait; docs/architecture.md follows one pass by
 * pass. */
#ifndef GLNN_NETWORK_H
#define GLNN_NETWORK_H

#include <glnn/optimizer.h>
#include <glnn/preparation.h>
#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glnn_network glnn_network;

/* z is what the output units get before their activation, y after it, t the target; sums run over
 * the outputs of a sample, and the loss is the mean over the samples of a batch, of the loss times
 * the sample's weight (glnn/dataset.h). */
typedef enum glnn_loss {
    GLNN_LOSS_CROSS_ENTROPY = 0, /* -sum t log softmax(z), by labels of as many classes as there are
                                    outputs; with a single output and two classes
                                    -t log s(z) - (1 - t) log(1 - s(z)), s the sigmoid and t the
                                    label, computed from z so that no logarithm overflows */
    GLNN_LOSS_SQUARED,           /* 1/2 sum (y - t)^2                                           */
    GLNN_LOSS_COUNT
} glnn_loss;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_loss_name(glnn_loss value);
GLNN_API glnn_status glnn_loss_from_name(const char *name, glnn_loss *out);

/* The function f of a layer's units; glnn/map.h has the formulas. */
typedef enum glnn_activation {
    GLNN_ACTIVATION_DEFAULT = 0, /* RELU in hidden layers, IDENTITY in the last one */
    GLNN_ACTIVATION_SIGMOID,
    GLNN_ACTIVATION_TANH,
    GLNN_ACTIVATION_SCALED_TANH,
    GLNN_ACTIVATION_RELU,
    GLNN_ACTIVATION_LEAKY_RELU,
    GLNN_ACTIVATION_IDENTITY, /* hidden layers of identities add nothing to a linear network */
    GLNN_ACTIVATION_COUNT
} glnn_activation;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_activation_name(glnn_activation value);
GLNN_API glnn_status glnn_activation_from_name(const char *name, glnn_activation *out);

typedef enum glnn_init {
    GLNN_INIT_AUTO = 0, /* HE before relu and leaky relu, GLOROT before the others          */
    GLNN_INIT_GLOROT,   /* uniform in +- sqrt(6 / (inputs + units)); Glorot, Bengio 2010    */
    GLNN_INIT_HE,       /* uniform in +- sqrt(6 / inputs); He, Zhang, Ren, Sun 2015         */
    GLNN_INIT_UNIFORM,  /* uniform in +- range                                              */
    GLNN_INIT_COUNT
} glnn_init;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_init_name(glnn_init value);
GLNN_API glnn_status glnn_init_from_name(const char *name, glnn_init *out);

/* The matrices that training stores in 16 bits (GLNN_STORAGE_FLOAT16 of glnn/matrix.h). */
typedef enum glnn_precision {
    GLNN_PRECISION_FLOAT32 = 0, /* nothing                                                     */
    GLNN_PRECISION_MIXED,       /* what products read: the inputs of a batch, the outputs of
                                   hidden layers, the deltas of all, and a copy of the weights that
                                   each step makes anew. Sums, the outputs, loss, gradients, the
                                   optimizer's state and the weights themselves stay float32; those
                                   are what is read, written, kept and saved                   */
    GLNN_PRECISION_COUNT
} glnn_precision;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_precision_name(glnn_precision value);
GLNN_API glnn_status glnn_precision_from_name(const char *name, glnn_precision *out);

typedef enum glnn_layer_kind {
    GLNN_LAYER_DENSE = 0, /* y = f(x W + b): W has a row per input and a column per unit. Takes an
                             input of any shape, gives `units` channels of 1 x 1                */
    GLNN_LAYER_DROPOUT,   /* While the network trains, each number of each sample becomes 0 with
                             probability `rate` and is multiplied by 1 / (1 - rate) otherwise;
                             else the input as it is. Which ones follows from the network's seed,
                             the step, the layer and the place in the batch alone               */
    GLNN_LAYER_COUNT
} glnn_layer_kind;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_layer_kind_name(glnn_layer_kind value);
GLNN_API glnn_status glnn_layer_kind_from_name(const char *name, glnn_layer_kind *out);

/* One layer. A number that its kind does not use has to be 0. */
typedef struct glnn_layer_desc {
    glnn_layer_kind kind;
    int units;                  /* DENSE: outputs, >= 1                                        */
    glnn_activation activation; /* of kinds with an f. 0: RELU in hidden layers, IDENTITY in the
                                   last, which must have it with cross-entropy: the softmax or
                                   sigmoid follows                                             */
    float rate;                 /* DROPOUT: in (0, 1)                                          */
} glnn_layer_desc;

/* The shape of a sample between two layers. Its numbers are ordered by channel, then by row
 * (height), then by column. */
typedef struct glnn_shape {
    int channels, height, width;
} glnn_shape;

/* The shape of a layer's parameters: weights, and one bias for each of their columns where the kind
 * has biases. A matrix of both, such as a gradient, has the biases as its last row. The formula of
 * the kind names W and b; DENSE has inputs x units weights, and biases. */
typedef struct glnn_parameter_shape {
    int rows, columns; /* of the weights */
    bool has_biases;
} glnn_parameter_shape;

/* The most layers that a network may have. */
#define GLNN_NETWORK_MAX_LAYERS 32

/* Describes a network:
 *
 *     {.features = 784, .layers = {{.units = 256}, {.units = 10}}}
 *
 * Zeros mean the defaults, but sizes have none. */
typedef struct glnn_network_desc {
    int features;     /* of a sample, >= 1; 0: the product of `shape`                         */
    glnn_shape shape; /* the same as an image, whose product is `features`; zeros:
                          `features` channels of 1 x 1                                         */
    int layer_count;  /* 1 .. GLNN_NETWORK_MAX_LAYERS; 0: up to the last of `layers` that is
                          not all zeros                                                        */
    glnn_layer_desc layers[GLNN_NETWORK_MAX_LAYERS]; /* from the input to the output; the last one
                                                        may not be of a kind that works in
                                                        training alone                         */
    glnn_loss loss;
    glnn_init init;
    float init_range; /* UNIFORM alone; 0: 0.05                                                */
    glnn_optimizer optimizer;
    glnn_layout layout;       /* of weights and activations; 0: AUTO                           */
    glnn_precision precision; /* 0: FLOAT32                                                    */
    int capacity;             /* most samples in one list of passes: larger batches are summed
                                 over several; 0: 1024                                         */
    uint64_t seed;            /* of the initial weights, and of what layers draw at random     */
} glnn_network_desc;

/* Creates a network with random weights and zero biases.
 *
 * Errors   E_ARG    a null argument, a count < 1 or too many layers, an unknown choice, a layer
 *                   that does not fit its place or its input, a number out of range or one that is
 *                   not used; sentences name layers from 0
 *          E_SHAPE  `features` is not the product of `shape`
 *          E_LIMIT  a matrix does not fit the device or the budget
 *          E_NOMEM  no memory
 * Owner    the caller, who passes it to glnn_network_destroy before the context goes.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_network_create(glnn_context *ctx, const glnn_network_desc *desc,
                                         glnn_network **out);

/* Destroys a network. NULL does nothing. Thread: the context's own. Since 0.1 */
GLNN_API void glnn_network_destroy(glnn_network *network);

/* The description that the network was made from, defaults filled in; NULL for NULL.
 * Owner: the network. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_network_desc *glnn_network_get_desc(const glnn_network *network);

/* The shape of a sample's output of a layer, or of its input to the network for layer -1; zeros for
 * NULL and where there is no such layer. Thread: the context's own. Since 0.1 */
GLNN_API glnn_shape glnn_network_get_shape(const glnn_network *network, int layer);

/* The shape of a layer's parameters; zeros for NULL, a layer without parameters, and where there is
 * no such layer. Thread: the context's own. Since 0.1 */
GLNN_API glnn_parameter_shape glnn_network_get_parameter_shape(const glnn_network *network,
                                                               int layer);

/* Trains on a data set. Called again, it goes on from the weights and the optimizer's state.
 *
 * Numbers  the same seed, data, layout, precision, device and device profile (glnn/context.h) give
 *          the same weights, bit for bit.
 *          With MIXED, magnitudes from 65520 on become infinite where 16 bits store them; a loss
 *          that is not finite ends training as always. Deltas are those of single samples, divided
 *          by the size of the batch only in the gradient's sum, so that the loss needs no scale.
 * Passes   1 + 3 a layer, whatever the optimizer and the precision: a step of two layers has seven.
 *          A layer without parameters takes two, or one if no layer below has parameters.
 *          One more for each product that is cut into slices, as forward products of few samples
 *          are, where the compute stage does not sum them within work groups; two more for more
 *          than 64 outputs with cross-entropy. With clip_norm a layer of weights takes one more
 *          pass, those of a reduction, and one to add the reductions of two layers. A batch larger
 *          than the capacity takes a list for each part of it. No wait, texture or program in a
 *          step after the first, but for what glnn/dataset.h says of streams.
 * Errors   E_ARG       a null network or data set, a number out of range, or one that is not used:
 *                      see glnn_train_desc
 *          E_SHAPE     features or outputs of a data set are not the network's; a single output
 *                      with cross-entropy learns two classes
 *          E_STATE     cross-entropy on a data set without labels, squared error on one with
 *                      neither labels nor targets; a report function left an adopted context
 *                      unusable
 *          E_FORMAT    MIXED, and an input of a data set has a magnitude of 65520 or more
 *          E_DIVERGED  the loss is not finite: the sentence names epoch and step; or a weight is
 *                      not finite at the end of an epoch, or the last steps went so far that the
 *                      loss no longer is. The weights are those of the best epoch with
 *                      restore_best, else as they came out
 *          E_LIMIT, E_FORMAT, E_IO  of data sets that stream: see glnn/dataset.h
 *          E_LIMIT, E_NOMEM, E_GL  as the operations
 * Owner    `desc` may be NULL, which means the defaults, and so may `result`.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_network_train(glnn_network *network, const glnn_dataset *data,
                                        const glnn_train_desc *desc, glnn_train_result *result);

/* Creates a trainer, which makes the steps of glnn_network_train by a loop of the program's own
 * (glnn/trainer.h).
 * Errors: as glnn_network_train before its first step; E_ARG `out` is null; E_STATE another trainer
 * trains the network. Owner: the caller, who passes *out to glnn_trainer_destroy before the data
 * sets and the context go; on failure *out is null. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_network_trainer_create(glnn_network *network, const glnn_dataset *data,
                                                 const glnn_train_desc *desc, glnn_trainer **out);

/* Measures the network on a data set without changing it.
 *
 * Formula  as glnn_metrics says; the accuracy is the share of samples whose greatest output is the
 *          label's (a single output of cross-entropy says class 1 if it is above 1/2).
 *          confusion[label * classes + predicted] counts samples.
 * Errors   E_ARG a null network or data set, `confusion` without labels; E_SHAPE, E_STATE as
 *          glnn_network_train; E_DIVERGED the loss is not finite, whether it is asked for or not
 * Owner    metrics and confusion (classes x classes) are the caller's; each may be NULL.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_network_evaluate(glnn_network *network, const glnn_dataset *data,
                                           glnn_metrics *metrics, int64_t *confusion);

/* The outputs of a sample: the units of the last layer. 0 for NULL. Since 0.2 */
GLNN_API int glnn_network_get_outputs(const glnn_network *network);

/* Predicts samples.
 *
 * Formula  outputs: softmax probabilities with cross-entropy, for a single output the probability
 *          of class 1, else the activations of the last layer. classes: the number of the greatest
 *          output (ties: the lowest); for a single output of cross-entropy 1 if it is above 1/2,
 *          else 0. After training on target vectors, a class has no meaning.
 * Shapes   inputs: samples x features, outputs: samples x glnn_network_get_outputs, classes:
 *          samples; row-major, dense.
 * Errors   E_ARG a null network or null inputs, outputs and classes both null, samples < 1, an
 *          input that is not finite; E_FORMAT MIXED, and an input has a magnitude of 65520 or more;
 *          E_DIVERGED an output is not finite. These sentences name the sample. E_NOMEM, E_GL as
 *          the operations
 * Owner    the arrays are the caller's; outputs or classes may be NULL. After an error they are
 *          undefined.
 * Thread   the context's own.   Since 0.2 */
GLNN_API glnn_status glnn_network_predict(glnn_network *network, int64_t samples,
                                          const float *inputs, float *outputs, int *classes);

/* Mean loss and the gradient of the mean loss over the first `samples` samples of a data set, at
 * the weights as they are: for checks and for optimizers of the caller's own. DROPOUT drops what it
 * would in the next step.
 *
 * Shapes   gradient: that of the layer's weights (glnn_network_get_parameter_shape), followed by a
 *          row of biases where it has some.
 * Errors   as glnn_network_train; E_ARG samples < 1 or more than the data set or the capacity, no
 *          such layer, or one without weights
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_network_compute_gradient(glnn_network *network, const glnn_dataset *data,
                                                   int64_t samples, int layer, double *loss,
                                                   float *gradient);

/* Reads or writes the weights (row-major, dense) and biases of a layer, whose numbers
 * glnn_network_get_parameter_shape tells; a null pointer leaves that part out.
 * Errors: E_ARG a null network, no such layer or one without weights, biases of a layer without
 * them; E_GL.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_network_get_weights(const glnn_network *network, int layer,
                                              float *weights, float *biases);
GLNN_API glnn_status glnn_network_set_weights(glnn_network *network, int layer,
                                              const float *weights, const float *biases);

/* How many matrices of state the optimizer keeps a layer with weights: 0 for plain descent, 1 with
 * momentum (the velocity), 2 for ADAM (first and second moment). 0 for NULL. Since 0.1 */
GLNN_API int glnn_network_get_state_count(const glnn_network *network);

/* Reads or writes one matrix of the optimizer's state, row-major, dense: the shape of the weights,
 * followed by a row for the biases where the layer has some.
 * Errors: E_ARG a null argument, no such layer or state; E_GL.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_network_get_state(const glnn_network *network, int layer, int state,
                                            float *values);
GLNN_API glnn_status glnn_network_set_state(glnn_network *network, int layer, int state,
                                            const float *values);

/* Changes what training stores in 16 bits from the next step on; the weights and the optimizer's
 * state stay the bits that they are. For networks from glnn_network_load, which are FLOAT32.
 * Errors: E_ARG a null network, an unknown precision; E_LIMIT, E_NOMEM no room for copies, and the
 * network stays as it is. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_network_set_precision(glnn_network *network, glnn_precision precision);

/* The weight updates done so far, which ADAM's bias correction counts. 0 for NULL. Since 0.1 */
GLNN_API uint64_t glnn_network_get_steps(const glnn_network *network);
GLNN_API glnn_status glnn_network_set_steps(glnn_network *network, uint64_t steps);

/* Sets how raw samples are prepared: a copy is kept, and saved with the learner. NULL or an empty
 * preparation removes it. Results do not depend on it. Errors: E_ARG a null network; as
 * glnn_preparation_copy; E_SHAPE it makes another count of inputs than the network has, or names
 * another count of classes or targets than the network has outputs. Thread: the context's own.
 * Since 0.1 */
GLNN_API glnn_status glnn_network_set_preparation(glnn_network *network,
                                                  const glnn_preparation *preparation);

/* The preparation that was set, or loaded with the learner; NULL: there is none.
 * Owner: the learner, until another one is set. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_preparation *glnn_network_get_preparation(const glnn_network *network);

/* Writes a network: "layers.0.weight" (columns x rows, for DENSE units x inputs, as other libraries
 * order it) and "layers.0.bias" per layer that has some, "layers.0.state.0" ... for the optimizer's
 * state as glnn_network_get_state gives it, and the description in the metadata, but for how the
 * weights were initialised; the preparation follows, as glnn/preparation.h says.
 * Errors: as glnn_safetensors_write and glnn_network_get_weights; E_DIVERGED a weight or bias is no
 * finite number, and nothing is written. Thread: the network's context's own. Since 0.1 */
GLNN_API glnn_status glnn_network_save(const glnn_network *network, const char *path);

/* Creates a network from a file that glnn_network_save wrote.
 * `desc` NULL means the defaults.
 * Errors: as glnn_safetensors_open and glnn_network_create; E_FORMAT the file holds no network or
 * one that cannot be, an array is missing, or a weight or bias is no finite number; E_SHAPE an
 * array has other sizes than the description says.
 * Owner: the caller, who passes *out to glnn_network_destroy; on failure *out is null.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_network_load(glnn_context *ctx, const char *path,
                                       const glnn_load_desc *desc, glnn_network **out);

/* Reads weights, biases, state and steps from a file into a network that exists, which keeps its
 * loss, the numbers of its optimizer, the rates of its layers and its preparation. Nothing is
 * changed unless all of it fits.
 * Errors: as glnn_network_load; E_SHAPE the file's network has other layers or activations, where
 * the sentence has both, or another count of states. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_network_load_parameters(glnn_network *network, const char *path);

#ifdef __cplusplus
}
#endif
#endif
