/* Timing passes on a machine that other programs may keep busy. */
#ifndef GLNN__DEVICE_TRIAL_H
#define GLNN__DEVICE_TRIAL_H

#include "ops/gemm/plan.h"

/* A pass to be timed. */
typedef struct glnn__trial {
    glnn__pass pass;
    int repeats; /* of the pass */
    int rows;    /* of blocks that are drawn; 0: all */
    /* A matrix product, which gets more inner indices until the clock can measure it. */
    glnn__product product;
    glnn__plan plan;
    int most_inner; /* most inner indices of the product; 0: the pass is not a product */
    double work;    /* of one pass, or of an inner index of a product */
    double *number; /* the result: work per microsecond; without work, microseconds of one pass */
    double us, start_us; /* the least times so far: of all repeats; of submission and waiting */
} glnn__trial;

/* Sets the number of inner indices of a product, and its pass. */
void glnn__trial_product(glnn__trial *trial, int inner);

/* The clock that times trials. A test can replace it. */
typedef struct glnn__stopwatch {
    /* Runs a pass `count` times and waits; *us is the time. */
    glnn_status (*time)(glnn_context *ctx, const glnn__pass *pass, int count, void *user,
                        double *us);
    double (*seconds)(void *user); /* since any moment; decides when the rounds end */
    void *user;
} glnn__stopwatch;

extern const glnn__stopwatch glnn__stopwatch_real;

/* Trials that are run piece by piece. A piece starts one program, draws once with it, wakes the
 * device, or times one trial once more. All trials are timed in turn, round after round, and the
 * least time of each counts. So a moment in which other programs keep the machine busy spoils some
 * rounds of all trials rather than all rounds of some trials. Submission and waiting time are not
 * counted. */
typedef struct glnn__trials {
    glnn__trial *all;
    int count;
    /* Zeros at first. */
    enum { GLNN__TRIALS_START, GLNN__TRIALS_DRAW, GLNN__TRIALS_WAKE, GLNN__TRIALS_TIME } work;
    int next;          /* trial                     */
    int round;         /* of timing                 */
    double since;      /* this work began           */
    uint64_t compiled; /* programs before the start */
} glnn__trials;

/* Runs the next piece. *is_over: it was the last one, and the results are there. */
glnn_status glnn__trials_next(glnn_context *ctx, const glnn__stopwatch *watch, glnn__trials *trials,
                              bool *is_over);

/* The share of the pieces that were run. */
double glnn__trials_progress(const glnn__trials *trials);

#endif
