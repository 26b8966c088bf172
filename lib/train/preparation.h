/* The preparations that learners own. */
#ifndef GLNN__TRAIN_PREPARATION_H
#define GLNN__TRAIN_PREPARATION_H

#include <glnn/preparation.h>

/* The learner that a preparation is for. */
typedef struct glnn__prepared {
    const char *function; /* for error sentences */
    int inputs;
    int outputs;
    bool has_targets; /* its outputs may stand for targets */
} glnn__prepared;

/* Replaces the learner's preparation by a copy of one that fits it; NULL or an empty one: by none. */
glnn_status glnn__preparation_set(const glnn__prepared *of, const glnn_preparation *preparation,
                                  glnn_preparation *kept);

/* The learner's preparation; NULL if it is empty. */
const glnn_preparation *glnn__preparation_get(const glnn_preparation *kept);

#endif
