/* Lists of layers as text:
 *
 *     convolution 6 5 padding 2, max_pool 2, flatten, dense 120 tanh, dropout 0.5
 *
 * Commas separate layers. A layer is the name of its kind, the numbers that the kind cannot do
 * without, and then in any order names with a number and the name of an activation:
 *
 *     dense UNITS
 *     convolution CHANNELS KERNEL, transposed_convolution CHANNELS KERNEL
 *     max_pool KERNEL, average_pool KERNEL
 *     dropout RATE
 *     residual SKIP
 *     batch_norm, layer_norm
 *     local_response_norm
 *     upsample STRIDE
 *     spectrogram BANDS KERNEL
 *     flatten
 *     recurrent UNITS, gru UNITS
 *     ... stride N, padding N, dilation N, groups N
 *     recurrent ..., gru ... window N, all_states
 *     spectrogram ... stride N, sample_rate N
 *     local_response_norm ... size N, alpha A, beta B, k K
 *
 * A size is a number, or height x width as in 5x3. Names are those of the library, or the first
 * letters of one if no other begins with them. */
#ifndef TRAIN_LAYERS_H
#define TRAIN_LAYERS_H

#include <glnn/network.h>

#include <stdbool.h>

/* The layers of a network but the last, which has the outputs. */
typedef struct layer_list {
    int count;
    glnn_layer_desc layers[GLNN_NETWORK_MAX_LAYERS - 1];
} layer_list;

/* Reads a text. Layers that have an activation but name none get the given one. False with a
 * failure that names the layer. */
bool layers_parse(const char *text, glnn_activation activation, layer_list *out);

/* A layer has a kernel or a stride, or is recurrent, so it needs images or sequences. */
bool layers_need_images(const layer_list *list);

/* Room for the text of a layer. */
enum { LAYER_TEXT = 128 };

/* The text of a layer of a network, from which layers_parse makes the same layer. */
void layers_describe(const glnn_layer_desc *of, char text[LAYER_TEXT]);

#endif
