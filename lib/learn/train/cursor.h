/* The place of a training: in which epoch, group of samples and batch it is, and what is done. */
#ifndef GLNN__LEARN_TRAIN_CURSOR_H
#define GLNN__LEARN_TRAIN_CURSOR_H

#include "base/clock.h"
#include "data/batch_iterator.h"
#include "learn/train/training.h"

typedef enum glnn__phase {
    GLNN__PHASE_BETWEEN,   /* the next step begins an epoch     */
    GLNN__PHASE_STEPS,     /* batches of the epoch are left     */
    GLNN__PHASE_EPOCH_END, /* the epoch is to be ended          */
    GLNN__PHASE_ENDED      /* training is over                  */
} glnn__phase;

typedef struct glnn__cursor {
    const glnn__training *of;
    float rate; /* of the schedule: desc.schedule.rate until the program sets another */
    glnn__phase phase;
    bool stops;                    /* training ends early, at the next opportunity           */
    int epoch;                     /* under way, from 0                                      */
    int group;                     /* under way, from 0                                      */
    int group_done;                /* samples of the group, of all processes                 */
    int batches;                   /* done of the epoch                                      */
    uint64_t steps;                /* done of the epoch                                      */
    glnn__batch_iterator iterator; /* of the group under way, or of own_order  */
    glnn__order own_order;         /* streams that are shared: the samples of this process in the
                                      group under way */
    glnn__elapsed calls;           /* of the trainer                           */
    glnn__elapsed stepping;        /* in this epoch, without its validation    */
} glnn__cursor;

/* Begins an epoch, or training is over. An epoch without a sample to learn from has no steps. */
glnn_status glnn__cursor_begin_epoch(glnn__cursor *cursor);
void glnn__cursor_end(glnn__cursor *cursor);
void glnn__cursor_destroy(glnn__cursor *cursor);

/* The learning rate of the next step, its number in the training, and its samples of all processes,
 * of which `own` are those of this one. */
float glnn__cursor_rate(const glnn__cursor *cursor);
uint64_t glnn__cursor_step(const glnn__cursor *cursor);
int glnn__cursor_step_samples(const glnn__cursor *cursor, int *own);

/* The next batch, which has *count samples: those of this process are *out, from *first on. */
glnn_status glnn__cursor_next(glnn__cursor *cursor, glnn__batch *out, int *first, int *count);

/* Counts a step. The other function goes on to the next group, or to the end of the epoch. */
void glnn__cursor_count_step(glnn__cursor *cursor);
glnn_status glnn__cursor_go_on(glnn__cursor *cursor);

/* Training ends early if `is_over`. Once a stop is wanted, no more steps of the epoch are made. */
void glnn__cursor_stop(glnn__cursor *cursor, bool is_over);
void glnn__cursor_leave_steps(glnn__cursor *cursor);

/* The last epoch that has begun, of which the batches and steps are; below 0: none. */
int glnn__cursor_last_epoch(const glnn__cursor *cursor);

/* Counts an epoch. The other function says that the next step begins one. */
void glnn__cursor_count_epoch(glnn__cursor *cursor);
void glnn__cursor_close_epoch(glnn__cursor *cursor);
void glnn__cursor_set_rate(glnn__cursor *cursor, float rate);

/* Saves or loads the place, and the times. With `goes_on`, the place of a training that stops is
 * saved as if it went on. `check` fails if the place that was loaded does not exist, and `resume`
 * begins the group there. */
void glnn__cursor_state(glnn__cursor *cursor, glnn__state *state, bool goes_on);
void glnn__cursor_state_of_times(glnn__cursor *cursor, glnn__state *state);
glnn_status glnn__cursor_check(const glnn__cursor *cursor, const char *path);
glnn_status glnn__cursor_resume(glnn__cursor *cursor);

#endif
