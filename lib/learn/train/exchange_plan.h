/* The plan of the processes of a training: which of them use the same device profile, how they
 * share batches, what they exchange, and how long that takes. Without an exchange, the functions
 * that a training calls do nothing. */
#ifndef GLNN__LEARN_TRAIN_EXCHANGE_PLAN_H
#define GLNN__LEARN_TRAIN_EXCHANGE_PLAN_H

#include "learn/train/cursor.h"
#include "learn/visits.h"

#include <glnn/trainer.h>

/* Times are in seconds; all processes have the same ones but for those of epochs. */
typedef struct glnn__exchange_plan {
    const glnn__training *of;
    const glnn__cursor *at;
    bool can_measure; /* all processes can measure the exchange */
    bool devices_differ;
    bool is_measured;
    glnn_exchange_kind kind; /* chosen */
    int count;               /* of layers */
    glnn__exchanged layers[GLNN_EXCHANGE_MAX_LAYERS];
    double alone, rate; /* a step of one process, and its samples a second: means of all      */
    double slowest;     /* of the steps of one process                                         */
    double samples;     /* of all processes in such steps                                      */
    double seconds[GLNN_EXCHANGE_COUNT]; /* of a step of all, by kind; 0: not tried            */
    double epoch_seconds;                /* of the training so far, without what is left out   */
    double epoch_samples, epoch_steps;
    double left_out_seconds; /* of the epoch under way: its begin up to the first step of the
                                trainer, which compiles programs                               */
    double left_out_samples, left_out_steps;
} glnn__exchange_plan;

/* Before the first operation of the training: E_ARG on all processes if the version of the library
 * or the stage of one differs from rank 0, or if their shares are not possible. Sets the weights of
 * shares that the descriptions give. From now on, processes with the device of rank 0 use its
 * device profile and its plans of products. */
glnn_status glnn__exchange_plan_agree(glnn__exchange_plan *plan);

/* After the samples are chosen: gives processes with different devices shares by their measured
 * speed, unless the descriptions give shares, or a process cannot measure. */
glnn_status glnn__exchange_plan_share(const glnn__exchange_plan *plan);

/* Before the first step: measures trial steps, unless a process must not, chooses the kind of
 * exchange, and logs the plan. */
glnn_status glnn__exchange_plan_make(glnn__exchange_plan *plan);

/* The times of the training count without those in which programs are compiled: the epoch under way
 * so far, after the first step of a trainer, and some seconds more of the first epoch. */
void glnn__exchange_plan_leave_out_steps(glnn__exchange_plan *plan);
void glnn__exchange_plan_leave_out(glnn__exchange_plan *plan, double seconds);

/* Counts the times of an epoch that has ended, and fills the structure of the program. */
void glnn__exchange_plan_follow(glnn__exchange_plan *plan);

/* The plan for the program. */
glnn_exchange_plan glnn__exchange_plan_report(const glnn__exchange_plan *plan);

/* ---- Also for tests */

/* A way to make a trial step. */
typedef struct glnn__candidate {
    glnn_exchange_kind kind; /* AUTO: without an exchange, as if the process trained alone. AVERAGES
                                has means in each step */
    int samples;             /* of this process in the step, at least 1 */
    double seconds;          /* the result: the least time of a step of this process */
} glnn__candidate;

/* Times the candidates, which all processes have in the same order, at the same time. At the end
 * the learner is as before, bit for bit, also after an error. Waits. */
glnn_status glnn__exchange_plan_try(const glnn__exchange_plan *plan, glnn__candidate *candidates,
                                    int count);

/* The samples of a whole step that this process computes: its share, at least 1, of one group.
 * Where processes take whole batches in turn, those of a batch. */
int glnn__exchange_plan_samples(const glnn__exchange_plan *plan);

/* A device, and the time that a process needs with it for the same step as all. */
typedef struct glnn__speed {
    uint64_t device;
    double seconds;
} glnn__speed;

/* The weights of processes. Those with the same device have the same weight, by the fastest of
 * them. All weights are equal unless a device takes more than a quarter longer than the fastest
 * one; otherwise they are multiples of an eighth of the greatest, so that small differences between
 * two measurements seldom change them. */
void glnn__exchange_plan_weigh(int ranks, const glnn__speed *speeds, double *weights);

/* The choice of AUTO. seconds[kind] is that of a step of all processes, 0: the kind cannot be
 * chosen; `alone` is that of one process with its share. GRADIENTS if they are hidden, or if no
 * kind saves a fifth of their time; else the fastest kind. */
glnn_exchange_kind glnn__exchange_plan_choose(double alone,
                                              const double seconds[GLNN_EXCHANGE_COUNT]);

#endif
