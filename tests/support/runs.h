/* Trainings of every kind of learner, for tests of checkpoints: they are stopped, saved, loaded by
 * other objects and compared with trainings that never stopped. */
#ifndef TESTS_RUNS_H
#define TESTS_RUNS_H

#include "files.h"
#include "subjects.h"

/* A training of a learner that is made anew for each run. */
typedef struct run {
    const char *name;
    subject (*make)(int choice);
    int choice;     /* passed to `make` */
    size_t budget;  /* bytes of the data set's textures; 0: it is resident */
    bool is_valued; /* the data set has target vectors                      */
    int features;   /* 0: FEATURES                                          */
    glnn_train_desc how;
} run;

extern const run runs[];
extern const int run_count;

glnn_dataset *data_of(const run *of);

/* A trainer of a new learner on new data, in the present context. */
glnn_trainer *start_run(const run *of, const glnn_train_desc *how);

/* Makes steps until there were so many in all, or to the end. An epoch that has no further steps
 * then is ended or not. */
void advance(glnn_trainer *trainer, uint64_t steps, bool ends_epoch);
void finish(glnn_trainer *trainer);

/* All arrays of two checkpoints are the same bits, and so are all texts but for the times. */
void expect_same_checkpoints(const char *left, const char *right, const char *what);

#endif
