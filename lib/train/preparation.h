/* The preparations that learners keep. */
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

/* Keeps a copy of a preparation that fits the learner, in place of the one before; NULL or an empty
 * one: keeps none. */
glnn_status glnn__preparation_set(const glnn__prepared *of, const glnn_preparation *preparation,
                                  glnn_preparation *kept);

/* The preparation that is kept; NULL where it is empty. */
const glnn_preparation *glnn__preparation_get(const glnn_preparation *kept);

#endif
