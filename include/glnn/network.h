/** @file
 *  @ingroup glnn_learners
 *  @brief Networks made of layers, trained by back-propagation.
 *
 *  A network is a list of layers (glnn/layer.h). Each layer maps the output of the layer before it,
 *  and the first one takes the features of a sample. All numbers of a step stay on the GPU. A step
 *  is a fixed list of passes (draw calls), without readback, allocation or wait.
 *
 *  ### Training
 *
 *  Cross-entropy and hinge need labels. The other losses learn the targets of the data set. If the
 *  data set has labels instead, the target is 1 for the output of the label and 0 for the others.
 *  For several labels at once, such as the objects in a picture, take BINARY_CROSS_ENTROPY and
 *  targets that are 1 for each label of a sample and 0 for the others.
 *
 *  The default rate is 0.05, with ADAM and RMSPROP 0.003. RPROP has no rate and refuses one. Each
 *  of its steps takes all training samples: the default batch is GLNN_FULL_BATCH, and `batch` times
 *  `accumulate` may not be less than all.
 *
 *  In the tier FULL (::glnn_tier), a step takes 1 pass and 3 for each layer with parameters, so
 *  that a step of two dense layers has seven. A layer without parameters takes two, or one if no
 *  layer before it has parameters. Products that are cut into slices take one more each, and
 *  cross-entropy of more than 64 outputs two. `clip_norm` takes a reduction and an update for each
 *  layer. A batch larger than the capacity repeats the list. In a lower tier, the metrics take one
 *  more, and the update of a layer up to n + 1 more. Here n counts the matrices that it writes next
 *  to the weights: the states of the optimizer, the copy in 16 bits and the low digits.
 *
 *  With MIXED, magnitudes from 65520 on become infinite in matrices of 16 bits; an input of that
 *  size is refused with GLNN_E_FORMAT. The deltas are those of single samples and are divided by
 *  the batch size only in the gradient's sum, so that the loss needs no scale.
 *
 *  ### Outputs and classes
 *
 *  With cross-entropy the outputs are the probabilities of the classes, or of class 1 if there is a
 *  single output. With BINARY_CROSS_ENTROPY each output is the probability of its label. Otherwise
 *  they are the activations of the last layer. The class is the number of the greatest output, and
 *  of equal ones the lowest. For a single output of cross-entropy it is 1 if the probability is
 *  above 1/2, and for one of HINGE if the output is above 0, otherwise 0. A network that learnt
 *  targets has no classes; their numbers then have no meaning.
 *
 *  The metrics (glnn_metrics) depend on what the data set has. With labels, the accuracy is the
 *  share of samples whose class is the label. With targets it is:
 *
 *      loss                  metrics besides the loss
 *      SQUARED               squared_error and r_squared
 *      BINARY_CROSS_ENTROPY  accuracy: the share of outputs, of all samples, that are above 1/2
 *                            where the target is, and not above it where the target is not
 *      others                squared_error, or the accuracy of CROSS_ENTROPY, which has targets
 *                            as one of several outputs alone
 *
 *  @anchor network_outputs
 *  ### Several inputs and outputs
 *
 *  Several inputs are ranges of the features: a SLICE takes one of them from the input of the
 *  network, and UNFLATTEN makes an image of it.
 *
 *  With glnn_network_desc::outputs a network has several outputs, whose losses are added up, each
 *  times its weight. Predictions, and the matrices of the open ends, have their numbers one after
 *  the other. So have the targets of a data set. The targets of an output with CROSS_ENTROPY are
 *  the probabilities of its classes, 1 for one of them and 0 for the others as a rule; that of a
 *  single number is the probability of class 1. Those of HINGE are 1 and 0. If all outputs have as
 *  many numbers, a data set can have labels instead, which all of them learn. An example are the
 *  additional outputs of GoogLeNet.
 *
 *  Classes, accuracy, squared error and the confusion matrix are those of the first output;
 *  r_squared is not computed. With targets, an output of CROSS_ENTROPY is right where its greatest
 *  number is, of equal ones the first, if the greatest target is there.
 *
 *  ### Tensors
 *
 *  The @ref learner_tensors "tensors" have the names and shapes of the state dict
 *  of a `torch.nn.Sequential` of PyTorch, in files too. M counts its modules: each layer is one,
 *  and an activation other than identity is another one after its layer. The network of the example
 *  at ::glnn_network_desc has Linear 0, ReLU 1 and Linear 2:
 *
 *      tensor                          layer         shape
 *      M.weight                        DENSE         units x inputs
 *      M.weight                        CONVOLUTION   units x channels / groups x kernel height x
 *                                                    kernel width
 *      M.weight                        TRANSPOSED_   channels x units x kernel height x
 *                                      CONVOLUTION   kernel width
 *      M.bias                          these three   units
 *      M.weight, M.bias (gamma, beta)  BATCH_NORM,   channels
 *                                      LAYER_NORM
 *      M.running_mean, M.running_var   BATCH_NORM    channels
 *      M.weight_ih_l0 (W)              RECURRENT     units x channels
 *                                      GRU           3 units x channels
 *      M.weight_hh_l0 (U)              the same      units x units, 3 units x units
 *      M.bias_ih_l0, M.bias_hh_l0      the same      units, 3 units
 *      glnn.M.state.S                  all with      those of the layer's matrix
 *                                      weights
 *
 *  The matrix of M.weight and M.bias is the one that training works on. It has the layout of the
 *  network. Unit j is column j, and its bias is in the last row. Row i of a DENSE layer has the
 *  weights of input i. A CONVOLUTION has C rows for each place (y, x) of the kernel, where C is
 *  channels / groups rounded up to a multiple of 4. The weights of channel c at that place are in
 *  row (y * kernel width + x) * C + c. A TRANSPOSED_CONVOLUTION has units and channels exchanged,
 *  and its biases follow in as many rows as they need. Row 0 of BATCH_NORM and LAYER_NORM has
 *  gamma. Those of RECURRENT and GRU have all four tensors in one matrix (glnn/layer.h). With
 *  glnn_optimizer::two_parts the matrix has the high digits, and setting weights sets
 *  the low ones to 0. With MIXED it has the weights in float32. The running statistics are rows 0
 *  and 1 of a matrix of their own. A running variance may not be negative.
 *
 *  The states S of the optimizer are, in the order of their numbers:
 *
 *      SGD         with momentum: the velocity
 *      NESTEROV    the velocity
 *      ADAM        the first and the second moment
 *      RMSPROP     the second moment; with momentum also the velocity
 *      RPROP       the former gradient, and the step
 *
 *  With glnn_optimizer::two_parts the low digits of the parameters follow as the last state.
 *
 *  A second moment may not be negative. A step of RPROP is from glnn_optimizer::step_min to
 *  step_max, or 0 before the first update. glnn_learner_set_tensor() refuses other numbers with
 *  GLNN_E_ARG, and loading a file with GLNN_E_FORMAT.
 *
 *  ### Files
 *
 *  A file has the tensors. The softmax or sigmoid of cross-entropy is not a module. PyTorch also
 *  has a count of batches for BATCH_NORM, `num_batches_tracked`, and sets it to 0 if the file does
 *  not have it. The description is in the metadata, without `init`, `init_range` and `precision`.
 *  The program examples/pytorch.py makes modules of a file.
 *
 *  glnn_learner_load_parameters() loads the weights, the biases, the running statistics, the state
 *  of the optimizer and the number of updates. The network keeps the loss, the numbers of the
 *  optimizer and the rates of its layers; the file must have the same layers and activations. The
 *  texts of FUNCTION layers are not compared. A safetensors file of another program fits if it has
 *  the tensors above with the same names and shapes, in F32, F16 or BF16. Other tensors in it have
 *  no effect. If a file has no state of the optimizer, the state and the number of updates become
 *  0. A file with another number of states is refused with GLNN_E_SHAPE.
 *
 *  The functions that all learners have stand in glnn/learner.h and glnn/train.h. */
#ifndef GLNN_NETWORK_H
#define GLNN_NETWORK_H

#include <glnn/layer.h>
#include <glnn/optimizer.h>
#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** The loss of a sample. z are the outputs before their activation, y after it, t the target; sums
 * are over the outputs. The loss of a batch is the mean over its samples of weight times loss. At
 * a kink, where there is no derivative, training takes the one that is stated here. */
typedef enum glnn_loss {
    /** -sum t log softmax(z), with a label of as many classes as there are outputs, or with targets
     * that are probabilities if the output is one of glnn_network_desc::outputs. A single output
     * has two classes and -t log s(z) - (1 - t) log(1 - s(z)), where s is the sigmoid and t the
     * label. Both are computed from z, so that no logarithm overflows. */
    GLNN_LOSS_CROSS_ENTROPY = 0,
    GLNN_LOSS_SQUARED, /**< 1/2 sum (y - t)^2 */

    /** sum |y - t|, whose derivative by y is 0 where y = t. @since 0.2 */
    GLNN_LOSS_ABSOLUTE,

    /** sum h(y - t), where h(d) = d^2 / 2 if |d| < p, and p (|d| - p / 2) otherwise. p is
     * glnn_network_desc::loss_parameter (Huber 1964). @since 0.2 */
    GLNN_LOSS_HUBER,

    /** sum max(0, 1 - s y): each class against the rest, as glnn/svm.h does, and not the formula of
     * Crammer and Singer. s is 1 for the output of the label and -1 for the others. A single output
     * has two classes; s is 1 if the label is 1, and -1 if it is 0. The derivative is 0 where
     * s y = 1. @since 0.2 */
    GLNN_LOSS_HINGE,

    /** sum -t log s(z) - (1 - t) log(1 - s(z)), where s is the sigmoid: for several labels at once.
     * t has to be in [0, 1]; a data set with other targets is refused with GLNN_E_FORMAT, but not
     * one whose targets are a matrix of the program. It is computed from z, so that no logarithm
     * overflows. @since 0.2 */
    GLNN_LOSS_BINARY_CROSS_ENTROPY,

    /** sum q (t - y) where y < t, and (1 - q) (y - t) otherwise. q is
     * glnn_network_desc::loss_parameter. Its least value is at the quantile q of the targets
     * (Koenker, Bassett 1978). The derivative is 1/2 - q where y = t. @since 0.2 */
    GLNN_LOSS_QUANTILE,

    /** sum v(y, t), where v is glnn_network_desc::loss_value. @ref emphasis "Emphasis" takes a loss
     * below 0 for 0. @since 0.2 */
    GLNN_LOSS_EXPRESSION,
    GLNN_LOSS_COUNT
} glnn_loss;

/** The name of a loss: "cross_entropy", "squared", "absolute", "huber", "hinge",
 * "binary_cross_entropy", "quantile", "expression". @since 0.2 */
GLNN_API const char *glnn_loss_name(glnn_loss loss);

/** The loss with a name. @since 0.2 */
GLNN_API glnn_status glnn_loss_from_name(const char *name, glnn_loss *out);

/** The distribution of the first weights. n is the number of inputs of a unit, u the number of
 * units. Biases start at 0. ::GLNN_LAYER_RECURRENT says how it is used there. */
typedef enum glnn_init {
    GLNN_INIT_AUTO = 0, /**< HE before relu, leaky relu and elu, GLOROT before the others        */
    GLNN_INIT_GLOROT,   /**< uniform within sqrt(6 / (n + u)) of 0 (Glorot, Bengio 2010)         */
    GLNN_INIT_HE,       /**< uniform within sqrt(6 / n) of 0 (He, Zhang, Ren, Sun 2015)          */
    GLNN_INIT_UNIFORM,  /**< uniform within glnn_network_desc::init_range of 0                   */
    GLNN_INIT_COUNT
} glnn_init;

/** The name of a distribution: "auto", "glorot", "he", "uniform". @since 0.2 */
GLNN_API const char *glnn_init_name(glnn_init init);

/** The distribution with a name. @since 0.2 */
GLNN_API glnn_status glnn_init_from_name(const char *name, glnn_init *out);

/** The matrices that are stored in 16 bits (GLNN_STORAGE_FLOAT16). */
typedef enum glnn_precision {
    GLNN_PRECISION_FLOAT32 = 0, /**< none                                                        */

    /** The operands of products: the inputs of a batch, the outputs of hidden layers, all deltas,
     * and a copy of the weights that each step makes anew. Sums, outputs, loss, gradients, the
     * state of the optimizer and the weights themselves stay float32. */
    GLNN_PRECISION_MIXED,
    GLNN_PRECISION_COUNT
} glnn_precision;

/** The name of a precision: "float32", "mixed". @since 0.1 */
GLNN_API const char *glnn_precision_name(glnn_precision precision);

/** The precision with a name. @since 0.2 */
GLNN_API glnn_status glnn_precision_from_name(const char *name, glnn_precision *out);

/** The most layers of a network. */
#define GLNN_NETWORK_MAX_LAYERS 64

/** The most outputs of a network. */
#define GLNN_NETWORK_MAX_OUTPUTS 8

/** Describes an output of a network that has several: the output of a layer, and its loss. */
typedef struct glnn_output_desc {
    int layer;      /**< from 0 to GLNN_NETWORK_MAX_LAYERS - 1; no other output has it       */
    glnn_loss loss; /**< 0: CROSS_ENTROPY                                                   */
    float loss_parameter; /**< as glnn_network_desc::loss_parameter; 0: the default of the loss   */
    float weight;         /**< of this loss in the sum, above 0; 0: 1                             */
    uint64_t reserved[2]; /**< zeros; room for later versions */
} glnn_output_desc;

/** Describes a network. Zeros are defaults, except in sizes:
 *
 *     {.features = 784, .layers = {{.units = 256}, {.units = 10}}} */
typedef struct glnn_network_desc {
    int features;     /**< of a sample, at least 1; 0: the product of `shape`                    */
    glnn_shape shape; /**< of a sample, with `features` numbers; zeros: `features` channels of
                           1 x 1                                                                 */
    int layer_count;  /**< 1 to GLNN_NETWORK_MAX_LAYERS; 0: up to the last of `layers` that is not
                           all zeros                                                             */
    glnn_layer_desc layers[GLNN_NETWORK_MAX_LAYERS]; /**< from input to output; DROPOUT cannot be
                                                          the last                               */
    glnn_loss loss; /**< 0: CROSS_ENTROPY                                              */

    /** HUBER: the width p, above 0; 0: 1. QUANTILE: the quantile q, in (0, 1); 0: 1/2. With other
     * losses it has to be 0. 0: the default of the loss. @since 0.2 */
    float loss_parameter;

    /** EXPRESSION only: the loss of one output, and its derivative by y, as GLSL expressions of the
     * type float. They have two variables of that type: y is the output after its activation, and
     * t its target. The library multiplies the derivative by that of the activation, and trusts
     * that it belongs to the value. An example is "sqrt(1.0 + (y - t) * (y - t))" with
     * "(y - t) / sqrt(1.0 + (y - t) * (y - t))". A value that is not finite, as that of an
     * exponential of a large error, ends the training. For the texts the same holds as for
     * glnn_map_apply_expression(). They are copied, saved in files and part of what a checkpoint
     * recognises. The driver compiles them when the network is
     * created or loaded. NULL with other losses. @since 0.2 */
    const char *loss_value;
    const char *loss_derivative; /**< see `loss_value` @since 0.2 */

    /** The number of outputs, up to GLNN_NETWORK_MAX_OUTPUTS. 0: there is one, that of the last
     * layer, with `loss` and `loss_parameter`, which have to be 0 otherwise. See @ref
     * network_outputs "several outputs". @since 0.2 */
    int output_count;
    glnn_output_desc outputs[GLNN_NETWORK_MAX_OUTPUTS]; /**< the first `output_count` @since 0.2 */

    /** CROSS_ENTROPY and BINARY_CROSS_ENTROPY only, in [0, 1). Training learns the target
     * (1 - e) t + e / K in place of t. e is this number and K the number of classes: 2 for a single
     * output, and for each output of BINARY_CROSS_ENTROPY. The loss that
     * training reports, and that of glnn_network_compute_gradient(), is the one with these targets.
     * Evaluation and validation measure the loss with t. 0: no smoothing.
     *
     * @source Szegedy, Vanhoucke, Ioffe, Shlens, Wojna: Rethinking the Inception architecture for
     *   computer vision (2016), section 7. */
    float label_smoothing;
    glnn_init init;           /**< distribution of the first weights; 0: AUTO                    */
    float init_range;         /**< UNIFORM only, in (0, FLT_MAX / 2]; 0: 0.05                    */
    glnn_optimizer optimizer; /**< 0: plain descent                                              */
    glnn_layout layout;       /**< of weights and batches; 0: AUTO                               */
    glnn_precision precision; /**< 0: FLOAT32                                                    */
    int capacity;             /**< most samples in one list of passes; larger batches take several
                                   lists. 0: 1024. A network of images takes fewer if the pixels
                                   of so many do not fit half of the texture budget              */
    uint64_t seed;            /**< of the first weights and of random layers                     */
    uint64_t reserved[4];     /**< zeros; room for later versions */
} glnn_network_desc;

/** Creates a network with random weights.
 *
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_ARG: a layer does not fit its place or its input. Sentences number layers from 0.
 *   - GLNN_E_SHAPE: `features` is not the product of `shape`.
 *   - GLNN_E_SHADER: `loss_value` or `loss_derivative` does not compile. The sentence has the text
 *     and the compiler's message.
 * @owner  the caller, who passes it to glnn_learner_destroy().
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_network_create(glnn_context *ctx, const glnn_network_desc *desc,
                                         glnn_learner **out);

/** The description with the defaults filled in; NULL for NULL.
 *
 * @owner  the learner.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_network_desc *glnn_network_get_desc(const glnn_learner *learner);

/** The shape of the output of a layer, or of the input of the network for layer -1; zeros for NULL
 * and for other numbers.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_shape glnn_network_get_shape(const glnn_learner *learner, int layer);

/** Computes the mean loss of the first samples of a data set, and its gradient for one layer.
 *
 * It is meant for checks and for optimizers outside of the library. DROPOUT drops the numbers that
 * it would drop in the next step. BATCH_NORM takes mean and variance of the samples, and its
 * running statistics stay as they are.
 *
 * @shapes `gradient` has the rows and columns of the layer's matrix of weights and biases, which
 *   glnn_learner_get_tensor_matrix() returns.
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_ARG: `samples` is more than the data set or the capacity; the layer does not exist or
 *     has no parameters.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_network_compute_gradient(glnn_learner *learner, const glnn_dataset *data,
                                                   int64_t samples, int layer, double *loss,
                                                   float *gradient);

/** The matrix in which a layer has its outputs for the samples that the network computed last.
 * Nothing is copied.
 *
 * These samples are those of the last step, or those of the last piece of a prediction or of an
 * evaluation. Layer -1 is the input of the network. The outputs of the last layer are those before
 * the softmax or sigmoid of cross-entropy. In predictions and evaluations DROPOUT has the outputs
 * of the layer before it.
 *
 * The handle stays the same until the network is destroyed. Its number of rows
 * (glnn_matrix_get_rows()) changes when the network computes another number of samples. Calls on
 * the matrix fail with GLNN_E_STATE from glnn_network_set_precision() until the network computes
 * samples again, and after a call of the network that ran out of memory.
 *
 * @shapes  samples x numbers of glnn_network_get_shape(). Images can be a row for each pixel
 *   instead: channel c of pixel (y, x) of sample n is then in column c of row
 *   (n * height + y) * width + x, and the matrix has as many columns as there are channels. There
 *   can be more rows than samples; these have no meaning. The matrix has the layout of the network.
 *   With MIXED it is stored as FLOAT16, except that of the last layer.
 * @errors
 *   - GLNN_E_ARG: an argument is null; the layer does not exist.
 *   - GLNN_E_STATE: the context was destroyed, or the network has computed no samples yet.
 * @owner  the network; valid until it is destroyed. After a failure `*out` is NULL.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_network_get_activation_matrix(const glnn_learner *learner, int layer,
                                                        const glnn_matrix **out);

/** @name Open ends
 *
 *  These four functions let a program run a network by itself: with a loss of its own, with
 *  another network before or behind it, or to learn what comes before it. Samples and gradients are
 *  matrices, and nothing is read back.
 *
 *      glnn_network_forward(network, inputs, true, outputs);
 *      ...                                      // gradient = the derivative of a loss by `outputs`
 *      glnn_network_backward(network, gradient, NULL);
 *      glnn_network_update(network, 0.01f);
 *
 *  glnn_lvq_backward() lets prototypes classify the outputs.
 *
 *  They fail with GLNN_E_STATE while a trainer exists for the network. From the second time on,
 *  calls with the same matrices allocate, compile and wait for nothing. */
/** @{ */

/** Computes the outputs of samples.
 *
 * With `trains` the samples can be run backward afterwards, and layers behave as in training.
 * DROPOUT drops what it drops in the step that the next update makes. BATCH_NORM takes mean and
 * variance of these samples, and moves its running ones. Without it they behave as in a prediction.
 *
 * @param inputs  samples x features, in any layout; at most as many samples as the capacity. A
 *                preparation of the learner is not applied.
 * @param outputs samples x outputs; those of cross-entropy are before its softmax or sigmoid. NULL:
 *                they stay in the matrix of glnn_network_get_activation_matrix().
 * @errors
 *   - GLNN_E_ARG: `learner` or `inputs` is null, or of another kind or context; `outputs` is PAGED.
 *   - GLNN_E_SHAPE: a matrix has another shape.
 *   - GLNN_E_LIMIT: there are more samples than the capacity.
 *   - GLNN_E_STATE, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_network_forward(glnn_learner *learner, const glnn_matrix *inputs,
                                          bool trains, glnn_matrix *outputs);

/** Runs the samples of the latest glnn_network_forward() backward: adds the gradient of all
 * parameters to that which the next update takes.
 *
 * The gradient is a sum over the samples; a program that wants a mean divides `output_gradient` by
 * their number. Several calls before an update add up. The same samples can be run backward again.
 *
 * @param output_gradient samples x outputs: the derivative of the loss by the outputs that
 *                        glnn_network_forward() gives.
 * @param input_gradient  samples x features: becomes the derivative of the loss by the inputs.
 *                        NULL: it is not wanted, which spares the backward passes of the layers up
 *                        to the first one that has parameters.
 * @errors
 *   - GLNN_E_ARG: `learner` or `output_gradient` is null, or of another kind or context;
 *     `input_gradient` is PAGED.
 *   - GLNN_E_SHAPE: a matrix has another shape.
 *   - GLNN_E_STATE: no samples were run forward with `trains`, or the network has computed others
 *     since then.
 *   - GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_network_backward(glnn_learner *learner,
                                           const glnn_matrix *output_gradient,
                                           glnn_matrix *input_gradient);

/** Runs the samples of the latest glnn_network_forward() backward to the inputs alone.
 *
 * The gradient of the parameters stays as it is. This is for a network that stays fixed, and for an
 * adversary, which has another loss than the network whose outputs it judges. The forward pass
 * before it is that of training, in which BATCH_NORM moves its running statistics and DROPOUT
 * drops. A network that has these layers is therefore not quite fixed.
 *
 * @param output_gradient as glnn_network_backward().
 * @param input_gradient  samples x features: becomes the derivative of the loss by the inputs.
 * @errors as glnn_network_backward(); also GLNN_E_ARG: `input_gradient` is null.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_network_backward_to_inputs(glnn_learner *learner,
                                                     const glnn_matrix *output_gradient,
                                                     glnn_matrix *input_gradient);

/** Updates all parameters by the gradient that glnn_network_backward() has added up, as a step of a
 * training does, and counts a step. The parameters are not checked to be finite.
 *
 * @param rate the learning rate, above 0; 0: the default. RPROP has none: 0.
 * @errors
 *   - GLNN_E_ARG: `learner` is null, or of another kind; the rate is out of its range.
 *   - GLNN_E_STATE: no gradient was added up since the last update or training.
 *   - GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_network_update(glnn_learner *learner, float rate);

/** @} */

/** Changes the precision from the next step on. Weights and state keep their bits. A network from
 * glnn_learner_load() has FLOAT32.
 *
 * @errors
 *   - GLNN_E_ARG: `learner` is null, or of another kind; the precision is not in its enumeration.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM: there is no room for copies; nothing changes.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_network_set_precision(glnn_learner *learner, glnn_precision precision);

/** How many updates were made, which ADAM's bias correction needs; 0 for NULL.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API uint64_t glnn_network_get_steps(const glnn_learner *learner);

/** Sets how many updates were made.
 *
 * @errors
 *   - GLNN_E_ARG: `learner` is null, or of another kind.
 *   - GLNN_E_STATE: the context was destroyed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_network_set_steps(glnn_learner *learner, uint64_t steps);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
