/* Timing passes on a machine that other programs may keep busy. */
#ifndef GLNN__PASS_TRIAL_H
#define GLNN__PASS_TRIAL_H

#include "pass/pass.h"

/* A pass to be timed, and how long it takes at least. */
typedef struct glnn__trial {
    glnn__pass pass;
    glnn_writes writes;
    int repeats;    /* of the pass; 0: 1                                                 */
    int most_inner; /* of an inner product: it may be made longer, up to so many indices */
    double us;      /* the result, of one pass                                           */
    double start_us;
} glnn__trial;

/* Times all of them in turn, round after round, and takes the best of each: a busy moment disturbs one
 * round of all of them. Submitting a pass and waiting for it is not counted. */
glnn_status glnn__trials_run(glnn_context *ctx, glnn__trial *trials, int count);

/* Multiply-adds, bytes or what else `work` counts, a microsecond. */
double glnn__trial_speed(const glnn__trial *trial, double work);

#endif
