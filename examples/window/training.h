/* A network that is trained between the frames of a window, in the OpenGL context of the window.
 * Failures end the program, as with CHECK. */
#ifndef EXAMPLES_TRAINING_H
#define EXAMPLES_TRAINING_H

#include <glnn/glnn.h>

#include "common/options.h"

#include "record.h"

typedef enum training_state {
    TRAINING_MEASURES, /* the device, before the first training on it            */
    TRAINING_COMPILES, /* the programs of the training                           */
    TRAINING_RUNS,
} training_state;

typedef struct training_options {
    const char *folder; /* of the files of MNIST */
    option_list hidden;
    int batch;
    float rate;
    uint64_t seed;
    glnn_stage stage;
    glnn_layout layout;
} training_options;

typedef struct training {
    training_options with;
    training_state state;
    double progress; /* of measuring or compiling, from 0 to 1 */
    glnn_shape image;
    glnn_context_info device;
    glnn_context *ctx;
    glnn_dataset *data, *test;
    glnn_learner *network; /* NULL while the device is measured */
    glnn_trainer *trainer;
    double epochs;    /* of this network, with the part of the epoch that it is in */
    uint64_t steps;   /* of this network */
    int step_passes;  /* passes of a step; 0 before the first */
    glnn_report last; /* the report before the latest one, of the same epoch */
    record losses, accuracies, test_losses, test_accuracies; /* accuracies in percent */
} training;

/* Adopts the current context. */
void training_start(training *out, const training_options *options);
void training_stop(training *of);

/* Uses a frame: measures, compiles, or makes as many steps as fit into the milliseconds, but at
 * most `steps` (0: no limit). Returns the steps made. */
int training_run(training *of, double milliseconds, int steps);

/* Makes a step and keeps its passes, in the state TRAINING_RUNS. If the epoch has no more steps, it
 * is ended first, which waits for the test. */
glnn_inspection *training_inspect(training *of);

/* A new network with the weights of the seed, in a layout. */
void training_restart(training *of, glnn_layout layout);

/* A new context, with a new network. */
void training_set_stage(training *of, glnn_stage stage);

/* The network stays, and trains with this rate from now on. */
void training_set_rate(training *of, float rate);

#endif
