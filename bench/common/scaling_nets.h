/* The networks whose training by several processes is measured and predicted. */
#ifndef BENCH_SCALING_NETS_H
#define BENCH_SCALING_NETS_H

#include <glnn/network.h>

#include "common/scaling_cost.h"

enum {
    SCALING_NETS = 3,
    SCALING_LAYERS = 12, /* at most, of a network */
    SCALING_BATCHES = 2,
    SCALING_FEATURES = 784,
    SCALING_CLASSES = 10
};

/* The samples of one process in a step. */
extern const int scaling_batches[SCALING_BATCHES];

/* A layer with parameters: a product of `positions` rows and `inputs` columns for each sample, with
 * `units` columns. Dense layers have one position. */
typedef struct scaling_product {
    int inputs, units, positions;
} scaling_product;

typedef struct scaling_net {
    const char *name;
    glnn_layer_desc layers[SCALING_LAYERS];
    scaling_product products[SCALING_LAYERS]; /* up to the first of zeros */
} scaling_net;

extern const scaling_net scaling_nets[SCALING_NETS];

int scaling_net_products(const scaling_net *net);

/* The layers of the model. The seconds of a step are divided among the passes by their
 * multiply-adds; the first layer computes no deltas of its inputs. Returns their number. */
int scaling_net_layers(const scaling_net *net, double step_seconds,
                       cost_layer layers[SCALING_LAYERS]);

#endif
