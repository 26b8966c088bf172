/* The inside of a trainer: a training under way. Only the file of a part writes its members. */
#ifndef GLNN__LEARN_TRAIN_TRAINER_H
#define GLNN__LEARN_TRAIN_TRAINER_H

#include "learn/train/checkpointer.h"
#include "learn/train/exchange_plan.h"
#include "learn/train/pacer.h"
#include "pass/list.h"

/* The end of an epoch consists of these pieces, one after the other. */
typedef enum glnn__ending {
    GLNN__ENDING_ASK,      /* asks for the metrics of the epoch            */
    GLNN__ENDING_TAKE,     /* takes them, once they have arrived           */
    GLNN__ENDING_LEARNER,  /* lets the learner end the epoch               */
    GLNN__ENDING_BEGIN,    /* begins to measure the validation samples     */
    GLNN__ENDING_MEASURE,  /* measures a part of them, until none is left  */
    GLNN__ENDING_SUM,      /* asks for the metrics of the validation       */
    GLNN__ENDING_VALIDATE, /* takes them, once they have arrived           */
    GLNN__ENDING_REPORT,   /* judges and reports the epoch                 */
    GLNN__ENDING_PIECES
} glnn__ending;

/* The warm-up: the parts that are done, and its progress, up to 1. */
typedef struct glnn__warmth {
    int done;
    double progress;
} glnn__warmth;

struct glnn_trainer {
    glnn__training training;
    glnn__cursor cursor;
    glnn__reporter reporter;
    glnn__stopper stopper;
    glnn__checkpointer checkpointer;
    glnn__exchange_plan plan;
    glnn__pacer pacer;
    glnn__warmth warmth;
    glnn__ending ending; /* the next piece, of the epoch whose end is under way */
    bool is_resumed;     /* no step was made since a checkpoint was loaded     */
    glnn__watch *watch;  /* of the passes of steps; NULL: none                 */
    glnn__dependent object;
};

/* ---- trainer.c */

/* Whether the trainer has its learner, no report is under way, and training is not over; `what` is
 * the public call. */
glnn_status glnn__trainer_check_running(const glnn_trainer *trainer, const char *what);

/* Begin and end a call of a trainer: its clock, and the context. */
glnn_status glnn__trainer_enter(glnn_trainer *trainer, const char *call);
glnn_status glnn__trainer_leave(glnn_trainer *trainer, glnn_status status);

/* Makes a step, as glnn_trainer_step does, whose passes are watched. The epoch has steps left. */
glnn_status glnn__trainer_step_watched(glnn_trainer *trainer, const char *what, glnn__watch *watch);

/* Describes a pass of a list. The names are those of its kernel. */
void glnn__pass_describe(const glnn__pass *pass, const glnn__label *label, glnn_pass_info *out);

/* ---- loop.c: if a step or the end of an epoch fails, training ends */

/* Makes steps, at most to the end of the epoch: the first one of an epoch begins it, and the last
 * one leaves it to be ended. */
glnn_status glnn__loop_steps(glnn_trainer *trainer, int steps);

/* Makes the report that of the steps of the epoch so far. */
glnn_status glnn__loop_update_report(glnn_trainer *trainer);

/* Ends an epoch whose steps are done or that the program stopped. After the last epoch it ends
 * training. The other function forgets all that the end of an epoch has under way. */
glnn_status glnn__loop_end_epoch(glnn_trainer *trainer);
void glnn__loop_drop_end(glnn_trainer *trainer);

/* Trains for some seconds: makes at most `steps` steps, and ends epochs. It does not wait for the
 * GPU. */
glnn_status glnn__loop_run_for(glnn_trainer *trainer, int steps, double seconds);

#endif
