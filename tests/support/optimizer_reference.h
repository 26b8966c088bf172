/* The steps of optimizers in double precision, by the formulas of glnn/optimizer.h. */
#ifndef TESTS_OPTIMIZER_REFERENCE_H
#define TESTS_OPTIMIZER_REFERENCE_H

#include "bounded.h"

#include <glnn/optimizer.h>

enum { MOST_STATES = 3 };

/* One parameter with its states, which are exact before a step. A parameter of two parts is their
 * sum. */
typedef struct parameter {
    bounded value, state[MOST_STATES];
} parameter;

/* Makes step number `step`, from 1. */
void optimizer_reference_step(const glnn_optimizer *optimizer, double rate, uint64_t step,
                              bounded gradient, parameter *parameter);

#endif
