/* The plan of the exchange between the processes of a training: what they exchange, chosen from
 * measured times, and how long it takes. */
#ifndef GLNN__TRAIN_EXCHANGE_PLAN_H
#define GLNN__TRAIN_EXCHANGE_PLAN_H

#include "train/training.h"

/* Makes the plan before the first step, and logs it: measures trial steps, unless a process
 * must not, and chooses the kinds. All processes call it together. Without an exchange it
 * does nothing. */
glnn_status glnn__exchange_plan_make(glnn_trainer *trainer);

/* The choice of AUTO. seconds[kind] is that of a step of all processes, 0: the kind cannot be
 * chosen; `alone` is that of one process with its share. GRADIENTS if they are hidden, or if no
 * kind saves a fifth of their time; else the fastest kind. */
glnn_exchange_kind glnn__exchange_plan_choose(double alone,
                                              const double seconds[GLNN_EXCHANGE_COUNT]);

/* The times of the training count without those in which programs are compiled: the epoch under way
 * so far, after the first step of a trainer, and some seconds more of the first epoch. */
void glnn__exchange_plan_leave_out_steps(glnn_trainer *trainer);
void glnn__exchange_plan_leave_out(glnn_trainer *trainer, double seconds);

/* Counts the times of an epoch that has ended. */
void glnn__exchange_plan_follow(glnn_trainer *trainer);

/* Fills the structure of the program, if it has given one. */
void glnn__exchange_plan_show(const glnn_trainer *trainer);

#endif
