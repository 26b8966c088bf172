/* Training steps of a net with one hidden layer: on the CPU, and in double precision to judge by.
 *
 * With labels: relu, softmax with cross-entropy. With targets: sigmoids, squared error. */
#ifndef BENCH_NET_H
#define BENCH_NET_H

#include <stdbool.h>
#include <stddef.h>

#include "common/cpu.h"

#define NET_RATE 0.02f

typedef struct net_case {
    int inputs, hidden, outputs, batch;
    bool has_labels;
    float momentum;
} net_case;

/* Batches one behind the other. */
typedef struct net_data {
    int batches;
    float *inputs;  /* batches x batch x inputs                   */
    int *labels;    /* NULL without labels                        */
    float *targets; /* batches x batch x outputs; NULL with labels */
} net_data;

/* Weights, a row per input and one more for the biases, of both layers. */
typedef struct net_weights {
    float *layer[2];
} net_weights;

net_data net_data_new(const net_case *of);
void net_data_free(const net_data *data);

/* Random weights, the same in every run. */
net_weights net_weights_new(const net_case *of);
void net_weights_free(const net_weights *weights);
size_t net_weights_count(const net_case *of, int layer);

/* A net in main memory. */
typedef struct net {
    net_case of;
    product_fn multiply;
    net_weights weights, velocity;
    float *hidden, *outputs, *hidden_delta, *sums;
} net;

net net_new(const net_case *of, product_fn multiply);
void net_free(net *n);
void net_step(net *n, const net_data *data, int batch);

/* The outputs of the first `samples` samples, which go to n->outputs. */
void net_forward(net *n, const float *inputs, int samples);

/* The first step in double precision. With `mixed`, the operands of products are rounded to 16
 * bits where the library's mixed precision does it (glnn/network.h). */
typedef struct net_reference {
    net_case of;
    bool mixed;
    net_weights before;
    net_weights read;    /* the same as products read them */
    double *gradient[2]; /* of both layers, like the weights */
    double *doubt; /* of the first layer: what relus may add whose argument is as good as zero */
} net_reference;

net_reference net_reference_new(const net_case *of, const net_data *data, bool mixed);
void net_reference_free(const net_reference *r);

/* The greatest deviation of weights after the first step, in units of what rounding explains.
 * `additions`: how many numbers were added to each weight, one after another. */
double net_judge(const net_reference *r, const net_weights *got, int additions);

#endif
