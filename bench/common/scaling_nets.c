#include "common/scaling_nets.h"

#define RELU        .activation = GLNN_ACTIVATION_RELU
#define CONVOLUTION .kind = GLNN_LAYER_CONVOLUTION, .kernel = {5, 5}, RELU
#define POOL        .kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}

const int scaling_batches[SCALING_BATCHES] = {128, 1024};

const scaling_net scaling_nets[SCALING_NETS] = {
    {"784-2500-2000-1500-1000-500-10",
     {{.units = 2500, RELU},
      {.units = 2000, RELU},
      {.units = 1500, RELU},
      {.units = 1000, RELU},
      {.units = 500, RELU},
      {.units = 10}},
     {{784, 2500, 1},
      {2500, 2000, 1},
      {2000, 1500, 1},
      {1500, 1000, 1},
      {1000, 500, 1},
      {500, 10, 1}}},
    {"784-800-10", {{.units = 800, RELU}, {.units = 10}}, {{784, 800, 1}, {800, 10, 1}}},
    {"lenet5",
     {{CONVOLUTION, .units = 6, .padding = {2, 2}},
      {POOL},
      {CONVOLUTION, .units = 16},
      {POOL},
      {.kind = GLNN_LAYER_FLATTEN},
      {.units = 120, RELU},
      {.units = 84, RELU},
      {.units = 10}},
     {{25, 6, 28 * 28}, {150, 16, 10 * 10}, {400, 120, 1}, {120, 84, 1}, {84, 10, 1}}},
};

int scaling_net_products(const scaling_net *net)
{
    int count = 0;
    while (net->products[count].units > 0)
        ++count;
    return count;
}

static double multiply_adds(const scaling_product *p)
{
    return (double)p->inputs * p->units * p->positions;
}

int scaling_net_layers(const scaling_net *net, double step_seconds,
                       cost_layer layers[SCALING_LAYERS])
{
    const int count = scaling_net_products(net);
    double sum = -multiply_adds(&net->products[0]);
    for (int i = 0; i < count; ++i)
        sum += 3 * multiply_adds(&net->products[i]);
    for (int i = 0; i < count; ++i) {
        const scaling_product *p = &net->products[i];
        const double seconds = step_seconds * multiply_adds(p) / sum;
        const bool is_dense = p->positions == 1;
        layers[i] = (cost_layer){
            .parameters = (p->inputs + 1.0) * p->units,
            .inputs = is_dense ? p->inputs : 0,
            .units = is_dense ? p->units : 0,
            .forward = seconds,
            .backward = i > 0 ? seconds : 0,
            .gradient = seconds,
        };
    }
    return count;
}
