/* Timing passes on a machine that other programs may keep busy. */
#ifndef GLNN__DEVICE_TIMING_H
#define GLNN__DEVICE_TIMING_H

#include "ops/gemm/plan.h"

/* A pass to be timed. */
typedef struct glnn__timing {
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
} glnn__timing;

/* Sets the number of inner indices of a product, and its pass. */
void glnn__timing_product(glnn__timing *timing, int inner);

/* The clock of timings. A test can replace it. */
typedef struct glnn__stopwatch {
    /* Runs a pass `count` times and waits; *us is the time. */
    glnn_status (*time)(glnn_context *ctx, const glnn__pass *pass, int count, void *user,
                        double *us);
    double (*seconds)(void *user); /* since any moment; decides when the rounds end */
    void *user;
} glnn__stopwatch;

extern const glnn__stopwatch glnn__stopwatch_real;

/* Timings that are run piece by piece. A piece starts one program, draws once with it, wakes the
 * device, or runs one timing once more. All timings run in turn, round after round, and the
 * least time of each counts. So a moment in which other programs keep the machine busy spoils some
 * rounds of all timings rather than all rounds of some timings. Submission and waiting time are not
 * counted. */
typedef struct glnn__timings {
    glnn__timing *all;
    int count;
    /* Zeros at first. */
    enum { GLNN__TIMINGS_START, GLNN__TIMINGS_DRAW, GLNN__TIMINGS_WAKE, GLNN__TIMINGS_TIME } work;
    int next;          /* timing                     */
    int round;         /* of timing                 */
    double since;      /* this work began           */
    uint64_t compiled; /* programs before the start */
} glnn__timings;

/* Runs the next piece. *is_over: it was the last one, and the results are there. */
glnn_status glnn__timings_next(glnn_context *ctx, const glnn__stopwatch *watch,
                               glnn__timings *timings, bool *is_over);

/* The share of the pieces that were run. */
double glnn__timings_progress(const glnn__timings *timings);

#endif
