/* The result of a training: what it has reached, its best epoch, and whether its parameters are
 * finite. */
#ifndef GLNN__LEARN_TRAIN_STOPPER_H
#define GLNN__LEARN_TRAIN_STOPPER_H

#include "learn/train/reporter.h"

typedef struct glnn__stopper {
    const glnn__training *of;
    const glnn__reporter *reporter;
    glnn_train_result result;
    double best_loss;
    uint64_t best_steps; /* done at the end of the best epoch                                 */
    bool has_snapshot;
    float squares; /* sum of those of what is learnt, at the end of the latest epoch; 0: not asked
                      for */
    glnn_download *asked; /* for them; NULL: not asked for                                    */
} glnn__stopper;

void glnn__stopper_begin(glnn__stopper *stopper);
void glnn__stopper_count_step(glnn__stopper *stopper);

/* Asks for the sum of squares of all that is learnt, without a wait; *out is NULL where there is
 * nothing to ask for. */
glnn_status glnn__stopper_request(glnn_learner *learner, glnn_download **out);

/* The same for this training. Once the sum and the metrics have arrived, `check` fails with
 * E_DIVERGED and names the first element that is not finite, if there is one. */
glnn_status glnn__stopper_ask(glnn__stopper *stopper);
bool glnn__stopper_has_arrived(const glnn__stopper *stopper);
glnn_status glnn__stopper_check(glnn__stopper *stopper);
void glnn__stopper_drop(glnn__stopper *stopper);

/* Notes the metrics of an epoch. The other function counts it, if all of its steps were made, and
 * takes a snapshot of the best one. *is_over: the best one is too long ago, or good enough. */
void glnn__stopper_note(glnn__stopper *stopper);
glnn_status glnn__stopper_judge(glnn__stopper *stopper, int epoch, bool *is_best, bool *is_over);

/* Takes a snapshot for the program. */
glnn_status glnn__stopper_take_snapshot(glnn__stopper *stopper);

/* Times of the training so far, and of the steps of an epoch that has ended. */
void glnn__stopper_set_seconds(glnn__stopper *stopper, double seconds);
void glnn__stopper_add_epoch(glnn__stopper *stopper, double seconds);

/* Training ends with a status, which it returns. With restore_best it brings back the snapshot of
 * the best epoch. */
glnn_status glnn__stopper_end(glnn__stopper *stopper, glnn_status status, bool is_stopped);

/* Saves or loads the best epoch, and the result. */
void glnn__stopper_state(glnn__stopper *stopper, glnn__state *state);
void glnn__stopper_state_of_result(glnn__stopper *stopper, glnn__state *state);

#endif
