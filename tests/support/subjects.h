/* Learners of every kind, for tests of what all trainers do. */
#ifndef TESTS_SUBJECTS_H
#define TESTS_SUBJECTS_H

#include "clusters.h"
#include "prototypes.h"
#include "svms.h"

#include <glnn/trainer.h>

enum { SAMPLES = 53, FEATURES = 5, CLASSES = 3 };

/* Kinds of learners, each with a training that has something of its own. Those up to LVQ have a
 * learning rate; those from LVQ on leave class numbers in matrices. */
typedef enum learner_kind { NETWORK, SVM, LVQ, KMEANS, LLOYD, MIXTURE, KINDS } learner_kind;

/* A learner of a kind that trains on batches of 8, in parts of at most 4. */
typedef struct subject {
    learner_kind kind;
    glnn_learner *learner;
} subject;

glnn_learner *small_network(int capacity);
subject subject_of(learner_kind kind);
samples some_samples(void);

/* Three epochs that end with the best one. */
glnn_train_desc training_of(learner_kind kind);

glnn_status train_subject(const subject *of, const glnn_dataset *data, const glnn_train_desc *how,
                          glnn_train_result *result);

/* For learning_own. */
void destroy_trainer(void *trainer);

/* Lives until release_learning(). */
glnn_trainer *trainer_of(const subject *of, const glnn_dataset *data, const glnn_train_desc *how);

/* Steps to the end, so many at a time. */
void run_by(glnn_trainer *trainer, int steps, double milliseconds);

/* Expects the same bits in all that two learners of a kind have learnt. */
void expect_same_subjects(const subject *left, const subject *right, const char *what);

#endif
