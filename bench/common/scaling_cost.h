/* Predicts the time of a training step of several processes from measured speeds.
 *
 * All functions are arithmetic on their arguments. Times are in seconds, sizes in bytes, speeds in
 * bytes a second. A *message* is what one process sends to another at a time.
 *
 * The device makes the passes of a step in their order. Readbacks, messages and uploads are three
 * queues next to it: an exchange passes through them one after another, and each of them works on
 * one exchange at a time. Part of a transfer may delay the passes; see `delay`. */
#ifndef BENCH_SCALING_COST_H
#define BENCH_SCALING_COST_H

#include <glnn/exchange.h>
#include <glnn/network.h>

/* The measured speeds of one process, and the size of its messages. */
typedef struct cost_speeds {
    double readback, upload; /* between the device and main memory                               */
    double transfer;         /* seconds that a readback or an upload takes at least              */
    double delay;            /* share of their time in which the device makes no pass, 0 to 1    */
    double add;              /* numbers of a message that a process adds to its own              */
    double link;             /* messages from one process to another                             */
    double latency;          /* seconds that a message takes at least                            */
    double bucket;           /* TREE: bytes of a message, not a speed; 0: as many as there are   */
} cost_speeds;

/* How P processes sum numbers.
 *
 * - ALLREDUCE takes the faster of two ways. In a ring each process has a P-th of the sum, and sends
 *   P - 1 parts to its neighbour to be added and P - 1 to be copied. In recursive doubling, pairs
 *   of processes exchange and add all numbers, ceil(log2 P) times.
 * - TREE is a binary tree of floor(log2 P) levels below its root. The numbers go up to be added and
 *   down to be copied, in buckets that follow one another. */
typedef enum cost_order { COST_ALLREDUCE, COST_TREE, COST_ORDER_COUNT } cost_order;

/* A layer, and the seconds of its passes for the samples of one process. */
typedef struct cost_layer {
    double parameters;    /* numbers: weights and biases                               */
    double inputs, units; /* M and N of a dense layer; 0: the layer is of another kind */
    double forward, backward, gradient;
} cost_layer;

typedef struct cost_plan {
    cost_speeds speeds;
    int ranks, samples;       /* processes, and samples of one of them in a step               */
    glnn_exchange_kind kind;  /* any but AUTO                                                  */
    cost_order order;         /* of sums                                                       */
    int every;                /* AVERAGES: steps between two means                             */
    const cost_layer *layers; /* from input to output                */
    int layer_count;          /* at most GLNN_NETWORK_MAX_LAYERS */
} cost_plan;

/* The parts of the exchange of one layer. */
typedef struct cost_parts {
    double readback, message, upload;
    double passes; /* additional seconds of the device: the gradient of the samples of others */
} cost_parts;

typedef struct cost_step {
    double alone;    /* a step of one process                                             */
    double exchange; /* all readbacks, messages and uploads of a step, one after another  */
    double seconds;  /* a step of all processes                                           */
    double hidden;   /* share of `exchange` that does not lengthen the step, at least 0   */
    double speedup;  /* samples a second of all processes, relative to one alone          */
    glnn_exchange_kind kinds[GLNN_NETWORK_MAX_LAYERS]; /* of the layers */
} cost_step;

/* Seconds until all processes have the sum of `bytes` bytes, or all of the `bytes` bytes of which
 * each has an equal share. */
double cost_sum(const cost_speeds *speeds, cost_order order, int ranks, double bytes);
double cost_gather(const cost_speeds *speeds, int ranks, double bytes);

/* The speed of messages with which a sum of `bytes` bytes takes `seconds`. */
double cost_find_link(const cost_speeds *speeds, cost_order order, int ranks, double bytes,
                      double seconds);

/* The samples of a whole batch below which ACTIVATIONS sends fewer numbers than GRADIENTS in a
 * ring: 2 M N / (M + N). */
double cost_break_even(double inputs, double units);

/* The exchange of one layer by one kind; of AVERAGES, in a step that has one. */
cost_parts cost_of_layer(const cost_plan *plan, int layer, glnn_exchange_kind kind);

/* All parts of the exchange one after another, with the additional passes. */
double cost_total(const cost_parts *parts);

/* ACTIVATIONS if a layer is predicted to take less time with it, else GRADIENTS. */
glnn_exchange_kind cost_faster(const cost_plan *plan, int layer);

/* Predicts a step. With ACTIVATIONS, each layer exchanges the kind that is predicted to be
 * faster. */
cost_step cost_predict(const cost_plan *plan);

#endif
