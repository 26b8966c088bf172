/* Small networks, trained and saved, for the tests of their files. */
#ifndef TESTS_NETWORKS_H
#define TESTS_NETWORKS_H

#include "learner_files.h"

enum { INPUTS = 5, HIDDEN = 7, OUTPUTS = 3, SAMPLES = 24, VALUES = (HIDDEN + 1) * (HIDDEN + 1) };

/* A network that lives until release_learning(). */
glnn_learner *new_network(glnn_optimizer_kind kind, float momentum, int hidden);

/* SAMPLES x INPUTS numbers, and three epochs on them. */
const float *inputs_of_samples(void);
void train(glnn_learner *network);

/* Weights, biases, optimizer state and steps of both layers. */
typedef struct snapshot {
    float weights[2][VALUES], biases[2][HIDDEN], state[2][2][VALUES];
    uint64_t steps;
} snapshot;

snapshot snapshot_of(const glnn_learner *network);

/* A trained network in a file, with ADAM's state. */
file_path saved(const char *name);

/* A file_reader: loads a network, which has to be none where that fails. */
glnn_status network_reader(const char *path);

#endif
