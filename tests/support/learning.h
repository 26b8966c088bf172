/* Support for the tests of learners: samples in main memory, networks and data sets. These live
 * until the teardown of the test, or until release_learning(), which loops call after each case. */
#ifndef TESTS_LEARNING_H
#define TESTS_LEARNING_H

#include "bounded.h"
#include "support.h"
#include "tensors.h"

#include <glnn/network.h>

int learning_teardown(void **state);
#define LEARNING_TEST(function) cmocka_unit_test_teardown(function, learning_teardown)

/* Inputs, and either class numbers (count x 1) or target vectors; the other has no data. */
typedef struct samples {
    array inputs, labels, targets;
    array weights; /* count x 1; no data: all are 1 */
    int outputs;
} samples;

samples samples_random(int count, int features, int outputs, bool labels);
samples samples_part(samples all, int first, int count);

/* Row `row` and those below it, as a view of the same memory. */
array rows_of(array values, int row, int count);

/* Hands a learner over to release_learning, which destroys what came last first. */
void learning_own(void *learner, void (*destroy)(void *learner));

void learning_own_learner(glnn_learner *learner);

/* `texture_budget` as in the description; dataset_of has room for all. */
glnn_dataset *dataset_within(samples of, size_t texture_budget);
glnn_dataset *dataset_of(samples of);

/* The same as dataset_within, but the caller destroys it. */
glnn_dataset *dataset_create(samples of, size_t texture_budget);
glnn_learner *network_of(const glnn_network_desc *desc);

/* Outputs of a network, and samples that it can learn: of two classes for cross-entropy with one
 * output. */
int outputs_of(const glnn_learner *network);
samples samples_for(const glnn_learner *network, int count, bool labels);

bool has_parameters(const glnn_learner *network, int layer);

/* The weights, and a row of biases where there are some. */
array weights_of(const glnn_learner *network, int layer);
array state_of(const glnn_learner *network, int layer, int state);

/* Whether a layer has running statistics; these, as a row of means and a row of variances. */
bool has_statistics(const glnn_learner *network, int layer);
array statistics_of(const glnn_learner *network, int layer);

/* All weights, biases, statistics and states of two networks are the same bits. */
void expect_same_networks(const glnn_learner *left, const glnn_learner *right, const char *what);

/* Looks at each epoch from the end of the one before. */
typedef struct epoch_watch {
    uint64_t most_waits; /* that an epoch may take       */
    int epochs;          /* that were looked at, counted */
} epoch_watch;

/* A report function whose user is an epoch_watch: from the third epoch on, none makes a texture or
 * a program, or waits more often than it may. */
bool watch_steady_epoch(void *user, const glnn_report *report);

/* Something that a learner does with a data set. */
typedef glnn_status (*data_call)(void *learner, const glnn_dataset *data);

/* Each of the calls refuses what does not fit a learner of 3 features and 2 classes: with these
 * words 4 features and 7 classes, and samples without labels or of another context. */
void expect_unfit_data_refused(void *learner, const data_call *calls, size_t count,
                               const char *wide_part, const char *deep_part);

/* The losses of the first epochs; record_losses is a report function whose user is one. */
typedef struct loss_curve {
    double losses[64];
    int epochs;
} loss_curve;

bool record_losses(void *user, const glnn_report *report);

/* Passes of one step: what an epoch of four batches takes more than one of two, both behind one
 * that prepares what was set. `all` are as many samples as four batches have. */
typedef glnn_status (*train_call)(void *learner, const glnn_dataset *data,
                                  const glnn_train_desc *desc);
int passes_per_step(void *learner, train_call train, samples all, int batch);

/* Gives back what dataset_of, network_of and their like made, and then does release_all. */
void release_learning(void);

#endif
