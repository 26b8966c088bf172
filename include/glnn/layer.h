/** @file
 *  @ingroup glnn_learners
 *  @brief The layers of which networks are made.
 *
 *  A layer maps its input x to its output y. Both are images: channels of height x width numbers.
 *  Numbers without a place in an image are channels of 1 x 1. A sequence is an image of height 1.
 *  Kernels of height 1 make one-dimensional convolution and pooling of it. Their files are those of
 *  PyTorch's two-dimensional modules. */
#ifndef GLNN_LAYER_H
#define GLNN_LAYER_H

#include <glnn/kernel.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** The function f of a layer's units; glnn/map.h has the formulas. */
typedef enum glnn_activation {
    GLNN_ACTIVATION_DEFAULT =
        0, /**< RELU in hidden layers, IDENTITY in outputs and before GELU        */
    GLNN_ACTIVATION_SIGMOID,     /**< ::GLNN_MAP_SIGMOID                                         */
    GLNN_ACTIVATION_TANH,        /**< ::GLNN_MAP_TANH                                            */
    GLNN_ACTIVATION_SCALED_TANH, /**< ::GLNN_MAP_SCALED_TANH                                     */
    GLNN_ACTIVATION_RELU,        /**< ::GLNN_MAP_RELU                                            */
    GLNN_ACTIVATION_LEAKY_RELU,  /**< ::GLNN_MAP_LEAKY_RELU                                      */
    GLNN_ACTIVATION_IDENTITY,    /**< ::GLNN_MAP_IDENTITY                                        */
    GLNN_ACTIVATION_ELU,         /**< ::GLNN_MAP_ELU                                             */
    GLNN_ACTIVATION_SOFTSIGN,    /**< ::GLNN_MAP_SOFTSIGN                                        */
    GLNN_ACTIVATION_COUNT
} glnn_activation;

/** The name of an activation: "default", "sigmoid", "tanh", "scaled_tanh", "relu", "leaky_relu",
 * "identity", "elu", "softsign". @since 0.1 */
GLNN_API const char *glnn_activation_name(glnn_activation activation);

/** The activation with a name. @since 0.2 */
GLNN_API glnn_status glnn_activation_from_name(const char *name, glnn_activation *out);

/** The kind of a layer. */
typedef enum glnn_layer_kind {
    /** y = f(x W + b). W has a row for each input and a column for each unit. The layer gives
     * `units` channels of 1 x 1. An image that another layer gives has to be made flat (FLATTEN)
     * before it. */
    GLNN_LAYER_DENSE = 0,

    /** During training each number of a sample becomes 0 with probability `rate` and is otherwise
     * multiplied by 1 / (1 - rate). The choice depends only on the seed of the network, the step,
     * the layer and the place in the batch. Outside of training the layer is left out. */
    GLNN_LAYER_DROPOUT,

    /** Two-dimensional convolution: y = f(b + the sum of x at the taps of a window times weights).
     * Each of the `units` channels of the output is a sum over the `kernel.height` *
     * `kernel.width` taps of a window and over the channels of its group. The windows begin
     * `padding` outside of the image, where all numbers are 0, and are `stride` apart. The taps are
     * `dilation` apart, so a window reaches over reach = dilation.height * (kernel.height - 1) + 1
     * rows. An output has (height + 2 * padding.height - reach) / stride.height + 1 rows, rounded
     * down, and as many columns by the widths. With `groups`, the channels of input and output are
     * divided into as many groups, and a unit sees the channels of its own group alone.
     *
     * The parameters have a row for each tap and channel of a group. Rows are ordered by tap, in
     * the order of the window's rows, and then by channel. The channels of a tap are padded to a
     * multiple of four by rows that no output depends on.
     *
     * A first layer whose samples have one channel reads them as they are, whatever their width,
     * unless it has a dilation. If four does not divide the widths of input and output, a
     * multiply-add takes up to 1.3 times as long on llvmpipe and up to 1.5 times on an H200. With
     * strides of 2 or more it takes up to 1.5 and 1.9 times. In the compute stage of the H200, a
     * kernel of 7 x 7 with a stride of 3 takes up to 4.6 times as long. */
    GLNN_LAYER_CONVOLUTION,

    /** The same numbers as channels of 1 x 1. It stands between layers of images and DENSE. */
    GLNN_LAYER_FLATTEN,

    /** The greatest number of each window of `kernel` pixels, for every channel by itself. Windows
     * begin `stride` apart; they do not overlap by default. An image of h rows with padding p has
     * (h + 2 p - kernel) / stride + 1 windows, rounded down, below each other, and as many next to
     * each other by its columns. The padding is at most half of the kernel and never the greatest.
     * The gradient goes to the first of equal numbers, by row and then by column. NaN counts as
     * greater than all numbers.
     *
     * A window has at most 2^24 pixels. Software rasterisers end long loops; there training and
     * prediction fail with GLNN_E_LIMIT for windows of more than about 90 x 90 pixels, and for
     * large kernels of a CONVOLUTION with groups. */
    GLNN_LAYER_MAX_POOL,

    /** The mean of each window, which is placed as with MAX_POOL. The padding counts as zeros. The
     * limits are those of MAX_POOL. */
    GLNN_LAYER_AVERAGE_POOL,

    /** y = f(gamma n + beta), where n = (x - mean) / sqrt(variance + 10^-5) (Ioffe, Szegedy 2015).
     * gamma and beta are numbers of a channel: the one row of weights, which begins with 1, and
     * the biases. Training takes mean and variance over all pixels of a channel in all samples of
     * the batch. If the batch is larger than the capacity, each part is normalised by itself.
     *
     * Outside of training they are the running mean and the running variance. These begin with 0
     * and 1, and each batch moves them by 1/10 of their distance from the mean and the variance of
     * the batch. This variance is the unbiased one, the sum of squares divided by count - 1. With
     * one number for a channel it is 0.
     *
     * A step takes 3 passes and, with c numbers for a channel, twice as many more as c has to be
     * divided by 128 to reach 1. */
    GLNN_LAYER_BATCH_NORM,

    /** y = f(x + s), where s is the output of the layer from which the connection comes. It skips
     * the last `skip` layers: with 1, s is the input of the layer before. A connection past all
     * layers comes from the input of the network. x and s have the same shape (He, Zhang, Ren, Sun
     * 2016). A step takes one pass more than other layers without parameters. */
    GLNN_LAYER_RESIDUAL,

    /** y = f(the sum of 2 to 4 inputs), which have the same shape. */
    GLNN_LAYER_ADD,

    /** y = f(the product of 2 to 4 inputs, number by number), which have the same shape. */
    GLNN_LAYER_MULTIPLY,

    /** The channels of 2 to 4 inputs, which have the same height and width, one after the other. It
     * takes a pass for each input. */
    GLNN_LAYER_CONCATENATE,
    /** y = x P(x), where P is the distribution function of a standard normal number: the exact form
     * of Gaussian error linear units (Hendrycks, Gimpel 2016). It is a layer and not an activation,
     * because its derivative does not follow from y. Give the layer before it IDENTITY. A shader
     * has no error function, so P is computed by formula 7.1.26 of Abramowitz and Stegun:
     * |error of y| <= 64 eps (1 + |x|), with eps = 2^-24. C files call erfcf(). @since 0.2 */
    GLNN_LAYER_GELU,
    /** y = f(gamma n + beta), where n = (x - mean) / sqrt(variance + 10^-5) (Ba, Kiros, Hinton
     * 2016). Mean and variance are those of all numbers of a sample: the units of a dense layer, or
     * all pixels of all channels of an image. The variance is the sum of squares divided by their
     * count. gamma and beta are numbers of a channel: the one row of weights, which begins with 1,
     * and the biases. This is LayerNorm of PyTorch after a dense layer, and GroupNorm with one
     * group for images. Training and prediction compute the same.
     *
     * A step takes 5 passes and, with c numbers for a channel in the batch, as many more as c has
     * to be divided by 128 to reach 1. For images, two of them read about 512 numbers of a sample
     * in a fragment. Two more follow for each division by 128 that their results need. */
    GLNN_LAYER_LAYER_NORM,

    /** y = x / (k + alpha / size * the sum of the squares of `size` channels)^beta, at each pixel
     * by itself (Krizhevsky, Sutskever, Hinton 2012; PyTorch divides by size, too). The channels
     * are those from size / 2 before x to (size - 1) / 2 after it, both rounded down, as far as
     * there are some. A step takes 3 passes. */
    GLNN_LAYER_LOCAL_RESPONSE_NORM,

    /** Each pixel becomes `stride.height` x `stride.width` equal pixels. The gradient of a pixel is
     * the sum of theirs. */
    GLNN_LAYER_UPSAMPLE,

    /** The transposed map of a CONVOLUTION, with biases of its own and f: each pixel of x adds its
     * numbers times weights to the taps of a window of y. The windows begin `padding` outside of y,
     * where the sums are dropped, and are `stride` apart. Their taps are `dilation` apart. The
     * output has `units` channels and (height - 1) * stride.height + dilation.height *
     * (kernel.height - 1) + 1 - 2 * padding.height rows, and as many columns by the widths
     * (ConvTranspose2d of PyTorch).
     *
     * The parameters have a row for each tap and unit, and a column for each channel of x. Rows are
     * ordered by tap, in the order of the window's rows, and then by unit. The units of a tap are
     * padded to a multiple of four by rows that no output depends on. The biases follow as so many
     * rows as they need. A step takes at least 4 passes more than that of a
     * convolution. */
    GLNN_LAYER_TRANSPOSED_CONVOLUTION,

    /** `units` channels of x, from channel `first` on. An input of the network that has several
     * parts is taken apart by it. */
    GLNN_LAYER_SLICE,

    /** The same numbers as an image of `shape`, which has as many: the reverse of FLATTEN. It
     * stands between DENSE, or features of a table, and layers of images. */
    GLNN_LAYER_UNFLATTEN,

    /** A kernel of the program (glnn/kernel.h), given as `function`. Its operand has a row for each
     * sample, whose numbers are ordered by channel, row and column. Its output has a row of `units`
     * numbers for each sample; 0: as many as the input. A row of the output depends on the same row
     * of the operand alone. The kernel has one operand, no uniforms and no options, and its
     * glnn_kernel_desc::adjoint is its derivative. The texts are copied and saved in files, and are
     * a part of what a checkpoint recognises. An image that another layer gives has to be made flat
     * (FLATTEN) before it. The layer cannot be exported. */
    GLNN_LAYER_FUNCTION,

    /** h_t = tanh(x_t W + b + h_(t-1) U + c) for the times t = 0, 1, ... of a sequence, with h_(-1)
     * = 0 (Elman 1990; nn.RNN of PyTorch). x_t are the channels of pixel t: images of more than one
     * row are read row after row. h_t has `units` numbers. With `all_states` the layer gives all
     * h_t, as an image of `units` channels with the height and width of x. Otherwise it gives the
     * last one, as `units` channels of 1 x 1.
     *
     * An optional second input has one number of each sample, its length: `inputs` = {1, 2}, for
     * example. The state is computed for the times t < length, and always for t = 0. It then stays
     * as it is, so that the last state is that at the end of the sequence. With `all_states` the
     * output is 0 at later times. Lengths below 1, and NaN, count as 1, those above the number of
     * times as that number, and a fraction as the next integer. The gradient with respect to
     * lengths is 0. With mixed precision they are rounded to 16 bits, which holds the integers up
     * to 2048.
     *
     * The gradient is carried back through all times (back-propagation through time). With `window`
     * it does not pass from h_t to h_(t-1) at times t that are multiples of `window`, where h_(t-1)
     * counts as a constant (Williams, Peng 1990). A state that stays as it is passes it on anyway.
     *
     * The parameters have a row for each channel of x, which are W, a row b, a row for each unit,
     * which are U, and a row c. They have a column for each unit, and columns of zeros up to a
     * multiple of four. GLNN_INIT_AUTO draws W and U uniformly within 1 / sqrt(units) of 0, as
     * PyTorch does. The other ways count the channels of x as inputs of W and the units as inputs
     * of U, and the units as outputs of both. Biases begin with 0.
     *
     * With T times, prediction takes T + 3 passes and a step 2 T + 13 at least, one less as the
     * first layer. */
    GLNN_LAYER_RECURRENT,

    /** Gated recurrent units (Cho et al. 2014; nn.GRU of PyTorch):
     *
     *     r = sigmoid(x W_r + b_r + h U_r + c_r)
     *     z = sigmoid(x W_z + b_z + h U_z + c_z)
     *     n = tanh(x W_n + b_n + r (h U_n + c_n))
     *     h_t = (1 - z) n + z h
     *
     * with x = x_t and h = h_(t-1). All else is as with RECURRENT, but for three times as many
     * columns of the parameters: those of r, z and n, each padded to a multiple of four. A step
     * takes one pass more. */
    GLNN_LAYER_GRU,

    /** The normalised mel spectrogram of sound. The input is a sequence of N numbers x: 1 channel
     * of 1 x N, or N channels of 1 x 1. The output has one channel, `units` rows, which are bands
     * from low to high frequencies, and (N - W) / hop + 1 columns, rounded down, which are frames.
     * With the window W = `kernel.width`, the hop `stride.width` and w_n = 0.5 - 0.5 cos(2 pi n /
     * W), frame t begins with sample t hop:
     *
     *     X_k = 2 / W * the sum of w_n x_(t hop + n) exp(-2 pi i k n / W) over n = 0 to W - 1
     *     E_b = the sum of m_bk |X_k|^2 over the bins 0 < k < W / 2
     *     L_b = log(E_b + floor)
     *     y_b = (L_b - mean) / sqrt(variance + 10^-5)
     *
     * Mean and variance are those of all numbers L of the recording. m is `units` triangles, whose
     * corners are equally spaced in mel(f) = 2595 log10(1 + f / 700), from 0 to half of the
     * `sample_rate`. Triangle b rises from 0 at corner b to 1 at corner b + 1, and falls to 0 at
     * corner b + 2. Each triangle has to have a bin, which is at the frequency k sample_rate / W.
     *
     * So loudness hardly matters, unless energies are near the floor. The layer has no parameters.
     * The Fourier transform and the sums over bins are products with matrices that are made with
     * the network. Windows of more than about 8000 samples are refused with E_LIMIT. Training and
     * prediction compute the same. A step takes at least 7 passes more than one without it. The
     * backward pass takes as many, and is only run if a layer before it has parameters or the
     * gradient of the input is wanted. With mixed precision, inputs and outputs alone have 16 bits.
     * @since 0.2 */
    GLNN_LAYER_SPECTROGRAM,
    GLNN_LAYER_COUNT
} glnn_layer_kind;

/** The name of a kind of layer: "dense", "dropout", "convolution", "flatten", "max_pool",
 * "average_pool", "batch_norm", "residual", "add", "multiply", "concatenate", "gelu", "layer_norm",
 * "local_response_norm", "upsample", "transposed_convolution", "slice", "unflatten", "function",
 * "recurrent", "gru", "spectrogram". @since 0.1 */
GLNN_API const char *glnn_layer_kind_name(glnn_layer_kind kind);

/** The kind of layer with a name. @since 0.2 */
GLNN_API glnn_status glnn_layer_kind_from_name(const char *name, glnn_layer_kind *out);

/** A size or a distance in an image. A side that is 0 has its default by itself, whatever the other
 * side is. */
typedef struct glnn_size {
    int height; /**< rows    */
    int width;  /**< columns */
} glnn_size;

#define GLNN_LAYER_MAX_INPUTS 4 /**< the most inputs of a layer */

/** Describes a layer. A number that its kind does not use must be 0. */
typedef struct glnn_layer_desc {
    glnn_layer_kind kind; /**< 0: DENSE                                                          */
    /** DENSE: numbers of the output; convolutions and SLICE: its channels; RECURRENT, GRU: numbers
     * of the state; at least 1. FUNCTION: numbers of the output; 0: those of the input.
     * SPECTROGRAM: bands; 0: 40 */
    int units;

    /** The function f. With cross-entropy the last layer must have IDENTITY, because the softmax or
     * sigmoid follows it. 0: RELU, and IDENTITY in the last layer, in other outputs of the network
     * and before GELU. FLATTEN at the end does not count as the last layer here. */
    glnn_activation activation;
    float rate; /**< DROPOUT: in (0, 1)                                                   */
    /** Of a window, at least 1 x 1. SPECTROGRAM: 1 x 3 at least; the width 0: the samples of 25
     * milliseconds. Its height may be 0. */
    glnn_size kernel;
    /** Between two windows; 0: 1 for convolutions, the kernel for pooling, and the samples of 10
     * milliseconds for the width of SPECTROGRAM. UPSAMPLE: the factors,
     * of which one may be 0: 1. */
    glnn_size stride;
    glnn_size padding;  /**< rows and columns around the image, on each side                      */
    int groups;         /**< CONVOLUTION: of channels that see only each other; 0: 1              */
    int skip;           /**< RESIDUAL: layers that the connection skips, at least 1               */
    int size;           /**< LOCAL_RESPONSE_NORM: channels that are summed; 0: 5                  */
    float alpha;        /**< LOCAL_RESPONSE_NORM: the factor of the mean square; 0: 0.0001        */
    float beta;         /**< LOCAL_RESPONSE_NORM: the exponent; 0: 0.75                           */
    float k;            /**< LOCAL_RESPONSE_NORM: added to the mean square; 0: 2                  */
    glnn_size dilation; /**< convolutions: from one tap of a window to the next; 0: 1             */
    int first;          /**< SLICE: its first channel in the input                                */

    /** The layer whose weights and biases this one uses too, counted back as `inputs` are. 0: it
     * has its own. Both have the same kind, units, kernel and groups, and inputs of as many
     * channels. The gradient is the sum of both. BATCH_NORM cannot share, because its running
     * statistics are those of one place. Files and the functions for tensors have the parameters
     * once, at the first of the layers. */
    int shares;
    glnn_shape shape; /**< UNFLATTEN: of the output; a height or width of 0: 1 */

    const glnn_kernel_desc *function; /**< FUNCTION: the kernel; NULL in other layers */

    /** Where the inputs come from, as layers counted back: 1 is the layer before, 2 the one before
     * that. One more than all layers before is the input of the network. Zeros follow the inputs
     * that there are, and all zeros mean the layer before: 1. The output of each layer
     * has to be an input of a layer or an output of the network. */
    int inputs[GLNN_LAYER_MAX_INPUTS];
    int window; /**< RECURRENT, GRU: times that the gradient is carried back; 0: all             */
    bool all_states;      /**< RECURRENT, GRU: gives the states of all times, not the last one */
    int sample_rate;      /**< SPECTROGRAM: samples of a second; 0: 16000 */
    float floor;          /**< SPECTROGRAM: added to energies before the logarithm; 0: 0.00000001 */
    uint64_t reserved[2]; /**< zeros; room for later versions */
} glnn_layer_desc;

/** @} */

#ifdef __cplusplus
}
#endif

#endif
