/* A training under way: the inside of a trainer. */
#ifndef GLNN__TRAIN_TRAINING_H
#define GLNN__TRAIN_TRAINING_H

#include "data/batch_iterator.h"
#include "data/emphasis.h"
#include "learner/evaluate.h"
#include "learner/learner.h"
#include "train/flights.h"
#include "train/samples.h"

typedef enum glnn__phase {
    GLNN__PHASE_BETWEEN,   /* the next step begins an epoch     */
    GLNN__PHASE_STEPS,     /* batches of the epoch are left     */
    GLNN__PHASE_EPOCH_END, /* the epoch is to be ended          */
    GLNN__PHASE_ENDED      /* training is over                  */
} glnn__phase;

/* Parts of the texts by which a checkpoint recognises its training. */
typedef enum glnn__identity_part {
    GLNN__IDENTITY_LEARNER,
    GLNN__IDENTITY_TRAINING,
    GLNN__IDENTITY_DATA,
    GLNN__IDENTITY_VALIDATION,
    GLNN__IDENTITY_DEVICE,
    GLNN__IDENTITIES
} glnn__identity_part;

typedef struct glnn__identity {
    char *texts[GLNN__IDENTITIES]; /* NULL: not yet found */
} glnn__identity;

/* The checkpoint that a training goes on from. */
typedef struct glnn__loaded {
    enum { GLNN__LOADED_NONE, GLNN__LOADED_LAST, GLNN__LOADED_FORMER } file;
    char checksum[20];
} glnn__loaded;

/* The plan of an exchange. Times are in seconds; all processes have the same ones but for those of
 * epochs. */
typedef struct glnn__exchange_plan {
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

/* The end of an epoch consists of these parts, one after the other. */
typedef enum glnn__ending_part {
    GLNN__ENDING_ASK,      /* asks for the metrics of the epoch            */
    GLNN__ENDING_TAKE,     /* takes them, once they have arrived           */
    GLNN__ENDING_LEARNER,  /* lets the learner end the epoch               */
    GLNN__ENDING_BEGIN,    /* begins to measure the validation samples     */
    GLNN__ENDING_MEASURE,  /* measures a part of them, until none is left  */
    GLNN__ENDING_SUM,      /* asks for the metrics of the validation       */
    GLNN__ENDING_VALIDATE, /* takes them, once they have arrived           */
    GLNN__ENDING_REPORT,   /* judges and reports the epoch                 */
    GLNN__ENDING_PARTS
} glnn__ending_part;

typedef struct glnn__ending {
    glnn__ending_part next;
    glnn_download *squares; /* of what is learnt; NULL: not asked for */
    glnn__parts parts;      /* of the validation samples              */
} glnn__ending;

struct glnn_trainer {
    glnn_context *ctx;
    glnn_learner *learner;    /* NULL once it was destroyed, or has another trainer */
    const char *learner_name; /* of its kind, for errors */
    glnn_dataset *data;       /* shared with the program */
    glnn_dataset *validation; /* desc.validation, shared too; NULL: none */
    glnn_curve *curve;        /* desc.curve, shared too; NULL: none */
    glnn_train_desc desc;     /* defaults filled in */
    float rate;       /* of the schedule: desc.schedule.rate until the program sets another */
    char *checkpoint; /* own copy of desc.checkpoint */
    glnn__identity identity;
    glnn__loaded loaded;
    glnn__samples samples;
    glnn__distorter *distorter; /* NULL: none */
    glnn__emphasis emphasis;    /* zeros: none */
    glnn__exchange *exchange;   /* NULL: one process trains alone */
    glnn__exchange_plan plan;   /* of the exchange                */
    bool can_measure;           /* all processes can measure the exchange         */
    int batches;                /* of an epoch */
    uint64_t steps;             /* of an epoch */

    glnn__phase phase;
    bool is_resumed;               /* no step was made since a checkpoint was loaded          */
    bool stops;                    /* the callback or the learner ended it                     */
    bool wants_stop;               /* the callback of this process has returned false          */
    bool is_summing;               /* metrics travel between the processes                     */
    bool is_asking;                /* wishes to stop travel                                    */
    float wishes;                  /* to stop, of all processes                                */
    bool is_damaged;               /* the file at desc.checkpoint; the one before it was loaded */
    bool is_reporting;             /* the callback is under way */
    bool is_cut_off;               /* the callback left a context that the library cannot use */
    int warmed;                    /* parts of the warm-up that are done                       */
    double warmth;                 /* progress of the warm-up, up to 1                         */
    int epoch;                     /* under way, from 0                                       */
    int group;                     /* under way, from 0                                       */
    int group_done;                /* samples of the group, of all processes                  */
    glnn__batch_iterator iterator; /* of the group under way, or of own_order     */
    glnn__order own_order;         /* streams that are shared: the samples of this process in the
                                      group under way */
    int batches_done;              /* of the epoch                              */
    uint64_t steps_done;           /* of the epoch                              */

    double called;          /* when the call under way began                */
    double seconds;         /* in calls before it                           */
    double stepping;        /* when the steps under way began; 0: none are  */
    double epoch_seconds;   /* of the steps before them, of this epoch      */
    glnn__flights flights;  /* the work of calls with a time limit         */
    glnn__ending ending;    /* of the epoch whose end is under way         */
    glnn__metrics measured; /* validation in several calls; zeros: not yet */
    float squares; /* of what is learnt, at the end of the latest epoch; 0: not asked for */
    double best_loss;
    uint64_t best_steps; /* done at the end of the best epoch           */
    bool has_snapshot;
    int requested_batches; /* that the pending totals cover               */
    bool is_limited;       /* the steps are those of a call with a time limit */
    bool wants_metrics;    /* a request was left                          */
    glnn_report report;    /* the latest                                  */
    glnn_train_result result;
    glnn__dependent object;
};

/* ---- trainer.c */

/* Whether the trainer has its learner, and no report is under way; `what` is the public call. The
 * second function also checks that training is not over. */
glnn_status glnn__trainer_check(const glnn_trainer *trainer, const char *what);
glnn_status glnn__trainer_check_running(const glnn_trainer *trainer, const char *what);

/* Begin and end a call of a trainer: its clock, and the context. */
glnn_status glnn__trainer_enter(glnn_trainer *trainer, const char *call);
glnn_status glnn__trainer_leave(glnn_trainer *trainer, glnn_status status);

/* ---- share.c: the samples of a group that this process computes */

/* Decides who computes which batch, after the batches of an epoch are counted. */
glnn_status glnn__share_prepare(glnn_trainer *trainer);

/* Logs the shares of the processes, if there are several. */
void glnn__share_log(const glnn_trainer *trainer);

/* The most samples of a batch that this process computes, and that any process does. */
int glnn__share_most(const glnn_trainer *trainer);
int glnn__share_most_of_all(const glnn_trainer *trainer);

/* Whether each process computes its share of a batch at once. */
bool glnn__share_has_one_part(const glnn_trainer *trainer);

/* The samples of this process among the next `count` of all, from the begin of a batch on. */
int glnn__share_of(const glnn_trainer *trainer, int count);

/* Begins the batches of the group under way, from sample `done` of it on. */
glnn_status glnn__share_begin(glnn_trainer *trainer, int done);

/* Samples of the group that are left, of all processes. */
int glnn__share_left(const glnn_trainer *trainer);

/* The next batch, which has *count samples: those of this process are *out, from *first on. */
glnn_status glnn__share_next(glnn_trainer *trainer, glnn__batch *out, int *first, int *count);

void glnn__share_end(glnn_trainer *trainer);

/* Adds the totals of all processes; waits. */
glnn_status glnn__share_sum(const glnn_trainer *trainer, glnn__totals *totals);

/* Samples of a group. */
static inline int glnn__group_size(const glnn_trainer *trainer, int group)
{
    const int *begins = trainer->samples.groups.begins + group;
    return begins[1] - begins[0];
}

/* ---- training.c */

/* The seconds of the steps of the epoch so far. */
double glnn__steps_seconds(const glnn_trainer *trainer);

/* ---- step.c */

/* Counts the batches and steps of an epoch. */
void glnn__step_count(glnn_trainer *trainer);

/* Samples of a whole step, of all processes. */
int glnn__step_size(const glnn_trainer *trainer);

/* Makes a step of one batch of this process, in parts of so many rows, and counts nothing in the
 * trainer. The batch has its data, order, samples and group, and the step all but its rate, its own
 * samples and the places of parts. */
glnn_status glnn__step_try(const glnn_trainer *trainer, glnn__batch *batch, glnn__step *step,
                           int rows);

/* Makes the next step of the epoch under way, and counts it. */
glnn_status glnn__step_run(glnn_trainer *trainer);

/* Makes the matrices for the parts of a group. */
glnn_status glnn__step_prepare(const glnn_trainer *trainer, int group);

/* Runs the passes of all steps of a group, to be recorded, by a batch of its first samples. */
glnn_status glnn__step_record(const glnn_trainer *trainer, const glnn__batch *like);

/* ---- loop.c */

/* Makes steps, at most to the end of the epoch: the first one of an epoch begins it, and the last
 * one leaves it to be ended. If a step fails, training ends. */
glnn_status glnn__steps_run(glnn_trainer *trainer, int steps);

/* ---- limited.c */

/* Trains for some seconds: makes at most `steps` steps, and ends epochs. It does not wait for the
 * GPU. */
glnn_status glnn__limited_run(glnn_trainer *trainer, int steps, double seconds);

/* ---- report.c */

/* The advice for a loss that is not finite. */
typedef struct glnn__advice {
    char text[64];
} glnn__advice;

glnn__advice glnn__report_advise(const glnn_trainer *trainer);

/* Fills the report from totals of training samples; fails if they show a loss that is not
 * finite. */
glnn_status glnn__report_totals(glnn_trainer *trainer, int batches, const glnn__totals *totals);

/* For a report without validation. */
void glnn__report_clear_validation(glnn_report *report);

/* Hands the report to the program, which sees its own OpenGL state and may use the library. */
glnn_status glnn__report_send(glnn_trainer *trainer, glnn_event event);

/* After a step of `batches` batches: reports metrics that have arrived, and requests the next.
 * Under an exchange, these are the metrics of all processes, and all report them after the same
 * step. */
glnn_status glnn__report_follow(glnn_trainer *trainer, int batches);

/* Requests the metrics that a former call should have requested, but has left to a later one. */
glnn_status glnn__report_request_left(glnn_trainer *trainer);

/* Ends the exchanges of metrics and wishes to stop that are under way. */
glnn_status glnn__report_settle(glnn_trainer *trainer);

/* ---- learnt.c */

/* Asks for the sum of squares of all that is learnt, without a wait; *out is NULL where there is
 * nothing to ask for. The caller ends the download into trainer->squares. */
glnn_status glnn__learnt_request(glnn_learner *learner, glnn_download **out);

/* Fails with E_DIVERGED and names the first element that is not finite, if there is one. */
glnn_status glnn__learnt_check(glnn_trainer *trainer);

/* Fails with E_DIVERGED if parameters are so large that the loss of as many training samples as a
 * batch has is not finite. It measures nothing if validation has, or if the parameters are not
 * large. */
glnn_status glnn__learnt_measure(const glnn_trainer *trainer);

/* ---- epoch.c */

/* Makes the metrics of the validation, unless they exist. */
glnn_status glnn__validation_prepare(glnn_trainer *trainer);

/* Ends an epoch whose steps are done or that the program stopped. After the last epoch it ends
 * training. */
glnn_status glnn__epoch_end(glnn_trainer *trainer);

/* Runs the next part of the end of an epoch. *arrives false: the part needs numbers that have not
 * arrived, so nothing was done. */
glnn_status glnn__epoch_end_part(glnn_trainer *trainer, bool *arrives);

/* Frees everything that the end of an epoch has under way, and starts again with its first part. */
void glnn__epoch_end_drop(glnn_trainer *trainer);

/* Ends training with a status, which it returns. With restore_best it restores the snapshot of the
 * best epoch. */
glnn_status glnn__training_end(glnn_trainer *trainer, glnn_status status);

#endif
