/* A training under way: the inside of a trainer. */
#ifndef GLNN__TRAIN_TRAINING_H
#define GLNN__TRAIN_TRAINING_H

#include "data/batch_iterator.h"
#include "train/learner.h"
#include "train/samples.h"

typedef enum glnn__phase {
    GLNN__PHASE_BETWEEN,   /* the next step begins an epoch     */
    GLNN__PHASE_STEPS,     /* batches of the epoch are left     */
    GLNN__PHASE_EPOCH_END, /* the epoch is to be ended          */
    GLNN__PHASE_ENDED      /* training is over                  */
} glnn__phase;

struct glnn_trainer {
    glnn__learner learner; /* self is NULL once the learner was destroyed */
    const glnn_dataset *data;
    glnn_train_desc desc; /* defaults filled in */
    glnn__samples samples;
    int batches;    /* of an epoch */
    uint64_t steps; /* of an epoch */

    glnn__phase phase;
    bool is_announced;             /* the programs of a step are made                         */
    bool stops;                    /* the callback or the learner ended it                     */
    bool is_reporting;             /* the callback is under way */
    bool is_cut_off;               /* the callback left a context that the library cannot use */
    int epoch;                     /* under way, from 0                                       */
    int group;                     /* under way, from 0                                       */
    glnn__batch_iterator iterator; /* of the group under way                    */
    int batches_done;              /* of the epoch                              */
    uint64_t steps_done;           /* of the epoch                              */

    double called;        /* when the call under way began                */
    double seconds;       /* in calls before it                           */
    double epoch_seconds; /* of steps in calls before it, of this epoch   */
    double step_seconds;  /* that a step is expected to take; 0: unknown  */
    double best_loss;
    uint64_t best_steps; /* done at the end of the best epoch           */
    bool has_snapshot;
    int requested_batches; /* that the pending totals cover               */
    glnn_report report;    /* the latest                                  */
    glnn_train_result result;
};

/* What all learners keep; `columns` as glnn__metrics_create. To be destroyed after
 * failure too. The trainer of a learner that is destroyed trains nothing more. */
glnn_status glnn__trained_create(glnn_context *ctx, int capacity, int columns, glnn__trained *out);
void glnn__trained_destroy(glnn__trained *trained);

#endif
