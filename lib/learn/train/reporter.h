/* The reports of a training: requests and takes metrics of training and validation, calls the
 * program, and hears whether it wishes to stop. Under an exchange, the metrics are those of all
 * processes, and all report them after the same step. */
#ifndef GLNN__LEARN_TRAIN_REPORTER_H
#define GLNN__LEARN_TRAIN_REPORTER_H

#include "learn/train/cursor.h"

typedef struct glnn__reporter {
    const glnn__training *of;
    glnn__cursor *at;
    const glnn_train_result *result; /* of the stopper                                  */
    glnn_report report;              /* the latest                                      */
    int requested_batches;           /* that the pending totals cover                   */
    bool wants_metrics;              /* a request was left to a later call              */
    bool is_reporting;               /* the callback is under way                       */
    bool is_cut_off;        /* the callback left a context that the library cannot use       */
    bool wants_stop;        /* the callback of this process has returned false               */
    bool is_summing;        /* metrics travel between the processes                          */
    bool is_asking;         /* wishes to stop travel                                         */
    float wishes;           /* to stop, of all processes                                     */
    glnn__parts parts;      /* of the validation samples, if they are being measured         */
    glnn__metrics measured; /* of them; zeros: not yet                                  */
} glnn__reporter;

void glnn__reporter_begin(glnn__reporter *reporter);
void glnn__reporter_destroy(glnn__reporter *reporter);

/* A step is about to begin, or an epoch. */
void glnn__reporter_begin_step(glnn__reporter *reporter);

/* After a step of `batches` batches: reports metrics that have arrived, and requests the next.
 * Without `may_wait`, a request for which the driver would wait is left, until request_left. */
glnn_status glnn__reporter_follow(glnn__reporter *reporter, int batches, bool may_wait);
glnn_status glnn__reporter_request_left(glnn__reporter *reporter);

/* After the last step of an epoch: ends the exchanges that are under way, requests the metrics of
 * the epoch, and takes them. */
glnn_status glnn__reporter_settle(glnn__reporter *reporter);
glnn_status glnn__reporter_request(glnn__reporter *reporter);
glnn_status glnn__reporter_take(glnn__reporter *reporter);

/* Between two steps: the report gets the metrics of the steps so far. Waits for the device. */
glnn_status glnn__reporter_update(glnn__reporter *reporter);

/* The validation: makes its metrics, begins it, measures a part if any is left, and takes the
 * metrics. */
glnn_status glnn__reporter_prepare_validation(glnn__reporter *reporter);
glnn_status glnn__reporter_begin_validation(glnn__reporter *reporter);
glnn_status glnn__reporter_measure_part(glnn__reporter *reporter, bool *has_part);
glnn_status glnn__reporter_request_validation(glnn__reporter *reporter);
glnn_status glnn__reporter_take_validation(glnn__reporter *reporter);
void glnn__reporter_drop_validation(glnn__reporter *reporter);

/* Reports an epoch. All processes stop if the callback of one has returned false. */
glnn_status glnn__reporter_report_epoch(glnn__reporter *reporter, bool is_best);

/* The advice for a loss that is not finite. It names very large inputs. */
typedef struct glnn__advice {
    char text[320];
} glnn__advice;
glnn__advice glnn__reporter_advise(const glnn__reporter *reporter);

void glnn__reporter_state(glnn__reporter *reporter, glnn__state *state);

#endif
