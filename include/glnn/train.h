/* glnn/train.h - what training is told and what it reports, the same for every learner */
#ifndef GLNN_TRAIN_H
#define GLNN_TRAIN_H

#include <glnn/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Trains a learner step by step: glnn/trainer.h. */
typedef struct glnn_trainer glnn_trainer;

/* How to load a learner from a file: the choices that a file does not keep, because they depend on
 * the device. Zeros mean the defaults, and so does NULL. */
typedef struct glnn_load_desc {
    glnn_layout layout; /* of parameters and batches; 0: AUTO           */
    int capacity;       /* most samples in one list of passes; 0: 1024  */
} glnn_load_desc;

/* How the learning rate changes. t is the step, from 0; T the steps of the whole training;
 * e the epoch, from 0; r the initial rate, q the final one. */
typedef enum glnn_schedule_kind {
    GLNN_SCHEDULE_CONSTANT = 0, /* r                                         */
    GLNN_SCHEDULE_STEP,         /* r factor^floor(e / every)                 */
    GLNN_SCHEDULE_EXPONENTIAL,  /* r (q / r)^(t / T)                         */
    GLNN_SCHEDULE_LINEAR,       /* r + (q - r) t / T                         */
    GLNN_SCHEDULE_COSINE,       /* q + (r - q) (1 + cos(pi t / T)) / 2       */
    GLNN_SCHEDULE_INVERSE,      /* r / (1 + (r / q - 1) t / T)               */
    GLNN_SCHEDULE_COUNT
} glnn_schedule_kind;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_schedule_kind_name(glnn_schedule_kind value);
GLNN_API glnn_status glnn_schedule_kind_from_name(const char *name, glnn_schedule_kind *out);

typedef struct glnn_schedule {
    glnn_schedule_kind kind;
    float rate;       /* r, > 0                                                        */
    float final_rate; /* q, >= 0; 0 stands for r / 100 where EXPONENTIAL or INVERSE
                         needs q > 0; must be 0 with CONSTANT and STEP                 */
    float factor;     /* STEP alone, > 0; 0 stands for 0.1                             */
    int every;        /* STEP alone: epochs between two steps, > 0; 0 stands for 10    */
} glnn_schedule;

/* The rate at a step, 0 for NULL. The training functions check the schedule's numbers; this does
 * not.
 * Formula: see glnn_schedule_kind. Thread: any. Since 0.1 */
GLNN_API float glnn_schedule_get_rate(const glnn_schedule *schedule, uint64_t step, uint64_t steps,
                                      int epoch);

/* The metrics of samples. */
typedef struct glnn_metrics {
    double loss;          /* mean over samples of weight times loss                             */
    double accuracy;      /* share classified right; 0 where it is not counted                  */
    double squared_error; /* mean of w (y - t)^2 over samples and outputs, where w is the
                             sample's weight (glnn/dataset.h); NAN unless the learner learns
                             target vectors                                                     */
    double r_squared;     /* 1 - sum w (y - t)^2 / sum w (t - m)^2, where m is the mean target of
                             the whole data set, without weights: 1 is perfect, 0 as good as
                             always saying m. NAN unless the learner learns target vectors, and
                             where all are equal                                                */
    double reserved[4];   /* 0: for figures of later versions                                   */
} glnn_metrics;

typedef enum glnn_event {
    GLNN_EVENT_BATCH, /* loss and correct counts of the epoch so far arrived from the GPU  */
    GLNN_EVENT_EPOCH, /* an epoch ended, and was validated where there is a validation set */
    GLNN_EVENT_COUNT
} glnn_event;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_event_name(glnn_event value);
GLNN_API glnn_status glnn_event_from_name(const char *name, glnn_event *out);

/* The argument of a callback. */
typedef struct glnn_report {
    glnn_event event;
    int epoch, epochs;         /* the epoch under way, from 1, and how many there will be       */
    int batch, batches;        /* batches of this epoch that the metrics cover, and all of them */
    glnn_metrics training;     /* of the samples of this epoch so far                           */
    glnn_metrics validation;   /* EPOCH with a validation set; else 0 and NAN                   */
    bool has_validation;       /* the validation's metrics are set                              */
    bool best;                 /* EPOCH: the best so far by validation loss                     */
    float rate;                /* the learning rate of the latest step                          */
    double samples_per_second; /* of training alone, in this epoch                              */
    double seconds;            /* of training and validation since the start                    */
} glnn_report;

/* Receives reports; returning false ends training after the step under way. It may call the
 * library, but not destroy what is being trained, its context or its data sets, or train it.
 *
 * It may make other OpenGL contexts current. Before it returns, an adopted context has to be
 * current again and free for the library, as glnn/context.h says; else training fails with E_STATE,
 * leaves the learner as the callback found it, and touches no other context. */
typedef bool (*glnn_report_fn)(void *user, const glnn_report *report);

/* The value of glnn_train_desc.batch that takes the whole data set for one step. */
#define GLNN_FULL_BATCH (-1)

/* How to train. Zeros mean the defaults. Training refuses with E_ARG
 *   - a negative number, except where the field's comment gives it a meaning;
 *   - a number that is not finite;
 *   - a number that it would not use. */
typedef struct glnn_train_desc {
    int epochs;             /* 0: 10 for networks and LVQ, 100 for k-means and mixtures      */
    int batch;              /* samples a step; more than there are: all, as GLNN_FULL_BATCH.
                                   0: 128 for networks and LVQ, GLNN_FULL_BATCH for k-means and
                                   mixtures; mixtures take nothing else                          */
    int accumulate;         /* batches whose gradients make one update; 0: 1. Refused by learners
                                   that update once an epoch                                     */
    glnn_schedule schedule; /* rate 0: the learner's own default. K-means and mixtures have no
                                   rate, and refuse a schedule                                   */
    uint64_t seed;          /* of the order of samples and of the split                      */
    bool keep_order;        /* do not shuffle                                                */
    const glnn_dataset *validation; /* measured after each epoch; NULL: none, or a split         */
    float validation_split; /* share of the samples kept apart for validation, in [0, 1)     */
    int patience;           /* stop after so many epochs without a better validation loss,
                                   which needs `validation` or a split; 0: never                 */
    float min_improvement;  /* a loss is better where it is lower by more than this          */
    bool restore_best;      /* end with the weights of the epoch with the best validation
                                   loss, or the lowest training loss without validation          */
    glnn_report_fn report;  /* NULL: no reports                                              */
    void *user;             /* handed to `report`                                            */
    int report_every;       /* batches between two BATCH reports; 0: 64. Figures arrive
                                   without a wait, so they cover a few batches less              */
} glnn_train_desc;

/* The result of training, which the caller allocates. */
typedef struct glnn_train_result {
    size_t size;             /* sizeof(glnn_train_result), which the caller sets              */
    int epochs;              /* epochs completed                                              */
    uint64_t steps;          /* weight updates                                                */
    bool stopped;            /* ended early: by the callback, for want of patience, or because
                                the learner had converged                                     */
    int best_epoch;          /* from 1; 0 without a completed epoch                           */
    glnn_metrics training;   /* of the last epoch's training samples                          */
    glnn_metrics validation; /* of the last epoch; without validation 0 and NAN               */
    double seconds;          /* wall clock, training and validation                           */
    double train_seconds;    /* wall clock, training alone                                    */
} glnn_train_result;

#ifdef __cplusplus
}
#endif
#endif
