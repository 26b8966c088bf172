#include "common/conv_nets.h"

#include <string.h>

#define CONVOLUTION .kind = GLNN_LAYER_CONVOLUTION
#define POOL        .kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}
#define FLATTEN     .kind = GLNN_LAYER_FLATTEN
#define TANH        .activation = GLNN_ACTIVATION_TANH

/* The net of Simard 2003 adds a row and a column to its images. Here they are padded on each side,
 * which gives outputs of the same size. */
const conv_net conv_nets[CONV_NETS] = {
    {"lenet5",
     128,
     {{CONVOLUTION, .units = 6, .kernel = {5, 5}, .padding = {2, 2}},
      {POOL},
      {CONVOLUTION, .units = 16, .kernel = {5, 5}},
      {POOL},
      {FLATTEN},
      {.units = 120},
      {.units = 84},
      {.units = CONV_CLASSES}}},
    {"simard",
     128,
     {{CONVOLUTION, .units = 6, .kernel = {5, 5}, .stride = {2, 2}, .padding = {1, 1}, TANH},
      {CONVOLUTION, .units = 50, .kernel = {5, 5}, .stride = {2, 2}, TANH},
      {FLATTEN},
      {.units = 100, TANH},
      {.units = CONV_CLASSES}}},
    {"conv32-64-128",
     32,
     {{CONVOLUTION, .units = 32, .kernel = {3, 3}, .padding = {1, 1}},
      {CONVOLUTION, .units = 64, .kernel = {3, 3}, .padding = {1, 1}},
      {POOL},
      {CONVOLUTION, .units = 128, .kernel = {3, 3}, .padding = {1, 1}},
      {POOL},
      {FLATTEN},
      {.units = 128},
      {.units = CONV_CLASSES}}},
};

glnn_learner *conv_network(bench *b, int net, int batch)
{
    glnn_network_desc desc = {.shape = {1, CONV_SIDE, CONV_SIDE},
                              .optimizer.momentum = 0.9f,
                              .layout = (glnn_layout)b->layout,
                              .capacity = batch,
                              .seed = 1};
    glnn_learner *network;
    memcpy(desc.layers, conv_nets[net].layers, sizeof conv_nets[net].layers);
    CHECK(glnn_network_create(b->ctx, &desc, &network));
    return network;
}
