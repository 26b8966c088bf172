/* The convolutional nets that are measured. bench/torch_conv.py has the same. */
#ifndef BENCH_CONV_NETS_H
#define BENCH_CONV_NETS_H

#include "common/harness.h"

enum { CONV_NETS = 3, CONV_SIDE = 28, CONV_PIXELS = CONV_SIDE * CONV_SIDE, CONV_CLASSES = 10 };

typedef struct conv_net {
    const char *name;
    int largest_on_cpu; /* batch on a software rasteriser */
    glnn_layer_desc layers[12];
} conv_net;

extern const conv_net conv_nets[CONV_NETS];

/* A network of one of them, with momentum. */
glnn_learner *conv_network(bench *b, int net, int batch);

#endif
