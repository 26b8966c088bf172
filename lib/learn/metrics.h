/* Loss and counts, added up on the GPU over many batches and read back now and then. */
#ifndef GLNN__LEARN_METRICS_H
#define GLNN__LEARN_METRICS_H

#include "tex/matrix.h"

#include <glnn/train.h>

/* Sums over samples, in the order of the last four columns of a row of metrics. */
typedef struct glnn__totals {
    float loss; /* times the weights of the samples                                            */
    float
        correct;  /* samples that are classified right; if target vectors are learnt, a glnn__fit */
    float finite; /* samples whose loss is a finite number                                       */
    float samples;
} glnn__totals;

/* The meaning of the number `correct` if target vectors are learnt. */
typedef enum glnn__fit {
    GLNN__FIT_DISTANCES, /* squared distances of targets from the mean one, times the weights: the
                            last columns of glnn_dataset.targets. The loss is half the squared
                            error */
    GLNN__FIT_ERRORS,    /* squared errors, times the weights */
    GLNN__FIT_RIGHT      /* outputs on the right side of 1/2 */
} glnn__fit;

/* Whether the losses of all samples and their sum are finite. */
bool glnn__totals_are_finite(const glnn__totals *totals);

/* The metrics that follow from totals. `fit` is the learner's, and `targets` is the length of the
 * target vectors that were learnt; 0: none. */
glnn_metrics glnn__totals_summary(const glnn__totals *totals, glnn__fit fit, int targets);

/* The sums of every row of a batch, in the last four columns, and a place for their total. */
typedef struct glnn__metrics {
    glnn_matrix *rows;  /* capacity x columns */
    glnn_matrix *total; /* 1 x columns        */

    /* Of another owner: a sequence (data/sequence.h) that receives the loss of each sample at its
     * place in the order; NULL: none. */
    glnn_matrix *losses;

    /* The same: the factors of the losses in gradients, at the same places; NULL: all are 1. The
     * metrics and `losses` are without them. */
    const glnn_matrix *factors;

    glnn_download *pending;
} glnn__metrics;

/* `columns` is 4, or more for a learner whose kernel writes other numbers before the sums. */
glnn_status glnn__metrics_create(glnn_context *ctx, int capacity, int columns, glnn__metrics *out);
void glnn__metrics_destroy(glnn__metrics *metrics);

/* Starts from zero. A read that is pending is dropped. */
glnn_status glnn__metrics_clear(glnn_context *ctx, glnn__metrics *metrics);

/* Sums the rows to the totals on the GPU. */
glnn_status glnn__metrics_sum(glnn_context *ctx, const glnn__metrics *metrics);

/* Asks for the totals as of now, if no read is pending; does not wait. */
glnn_status glnn__metrics_request(glnn_context *ctx, glnn__metrics *metrics);

/* Drops the read that is pending. */
void glnn__metrics_drop(glnn__metrics *metrics);

/* True once the totals that were asked for have arrived. */
bool glnn__metrics_ready(const glnn__metrics *metrics);

/* The totals that were asked for, or the present ones if none were; waits if it has to. */
glnn_status glnn__metrics_take(glnn_context *ctx, glnn__metrics *metrics, glnn__totals *out);

#endif
