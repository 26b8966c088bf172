/** @file
 *  @ingroup glnn_train
 *  @brief How to train, and what training reports: the same for every learner.
 *
 * An epoch passes once over all training samples, in batches. A batch makes one step of the
 * parameters, or several batches do together. */
#ifndef GLNN_TRAIN_H
#define GLNN_TRAIN_H

#include <glnn/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** Trains a learner step by step; see glnn/trainer.h. */
typedef struct glnn_trainer glnn_trainer;

/** How to load a learner: choices that depend on the device and are not in the file.
 *
 * Zeros mean the defaults, and so does NULL. */
typedef struct glnn_load_desc {
    glnn_layout layout; /**< of parameters and batches; 0: AUTO             */
    int capacity;       /**< most samples in one list of passes; 0: 1024    */
} glnn_load_desc;

/** How the learning rate changes.
 *
 * t is the step, from 0, and T the number of steps of the training. e is the epoch, from 0. r is
 * the initial rate, and q the final rate. */
typedef enum glnn_schedule_kind {
    GLNN_SCHEDULE_CONSTANT = 0, /**< r                                         */
    GLNN_SCHEDULE_STEP,         /**< r factor^floor(e / every)                 */
    GLNN_SCHEDULE_EXPONENTIAL,  /**< r (q / r)^(t / T)                         */
    GLNN_SCHEDULE_LINEAR,       /**< r + (q - r) t / T                         */
    GLNN_SCHEDULE_COSINE,       /**< q + (r - q) (1 + cos(pi t / T)) / 2       */
    GLNN_SCHEDULE_INVERSE,      /**< r / (1 + (r / q - 1) t / T)               */
    GLNN_SCHEDULE_COUNT
} glnn_schedule_kind;

/** The name of a kind of schedule: "constant", "step", "exponential", "linear", "cosine",
 * "inverse". @since 0.2 */
GLNN_API const char *glnn_schedule_kind_name(glnn_schedule_kind value);

/** The kind of schedule with a name. @since 0.2 */
GLNN_API glnn_status glnn_schedule_kind_from_name(const char *name, glnn_schedule_kind *out);

/** A schedule of the learning rate. */
typedef struct glnn_schedule {
    glnn_schedule_kind kind; /**< 0: CONSTANT                */
    float rate;              /**< r, above 0                 */
    /** q, at least 0. CONSTANT and STEP require 0. EXPONENTIAL and INVERSE need q above 0; for them
     * 0 is r / 100. */
    float final_rate;
    float factor; /**< STEP: above 0; 0: 0.1. Others: 0     */
    int every;    /**< STEP: epochs from one change to the next; 0: 10. Others: 0 */
} glnn_schedule;

/** The learning rate at a step; 0 for NULL.
 *
 * Training checks the numbers of a schedule. This function does not.
 *
 * @param steps the number of steps of the training
 * @param epoch the epoch of the step, from 0
 *
 * @formula see ::glnn_schedule_kind
 * @thread  any.
 * @since   0.1 */
GLNN_API float glnn_schedule_get_rate(const glnn_schedule *schedule, uint64_t step, uint64_t steps,
                                      int epoch);

/** The metrics of samples.
 *
 * y are the outputs of a sample, t its targets, and w its weight (glnn/dataset.h). */
typedef struct glnn_metrics {
    double loss;     /**< the mean over the samples of weight times loss             */
    double accuracy; /**< the share of samples classified correctly; 0 without classes */
    /** The mean of w (y - t)^2 over samples and outputs; NAN without targets. */
    double squared_error;
    /** 1 - sum w (y - t)^2 / sum w (t - m)^2, where m is the mean target of the data set, without
     * weights. 1 is perfect, and 0 is as good as a constant answer m. NAN without targets, and if
     * all targets are equal. */
    double r_squared;
    double reserved[4]; /**< 0; for later versions */
} glnn_metrics;

/** Events that training reports. */
typedef enum glnn_event {
    GLNN_EVENT_BATCH, /**< metrics of the epoch so far arrived from the GPU            */
    GLNN_EVENT_EPOCH, /**< an epoch ended, and its validation if there is one          */
    GLNN_EVENT_COUNT
} glnn_event;

/** The name of an event: "batch", "epoch". @since 0.2 */
GLNN_API const char *glnn_event_name(glnn_event value);

/** The event with a name. @since 0.2 */
GLNN_API glnn_status glnn_event_from_name(const char *name, glnn_event *out);

/** The progress of a training. */
typedef struct glnn_report {
    glnn_event event;          /**< the event that is reported                                 */
    int epoch;                 /**< the current epoch, from 1                                  */
    int epochs;                /**< the number of epochs                                       */
    int batch;                 /**< batches of this epoch that the metrics cover               */
    int batches;               /**< batches of an epoch                                        */
    glnn_metrics training;     /**< of the samples of this epoch so far                        */
    glnn_metrics validation;   /**< EPOCH with validation; otherwise 0 and NAN                 */
    bool has_validation;       /**< `validation` is set                                        */
    bool best;                 /**< EPOCH: the best validation loss so far                     */
    float rate;                /**< the learning rate of the latest step                       */
    double samples_per_second; /**< of this epoch, without validation                          */
    double seconds;            /**< since the start, with validation                           */
} glnn_report;

/** Receives a report. If it returns false, training ends after the current step.
 *
 * The function may call the library. It must not train the learner, and must not destroy the
 * learner, its context or its data sets. It may make other OpenGL contexts current. An adopted
 * context must be current again when the function returns, and free for the library
 * (glnn/context.h). Otherwise training fails with GLNN_E_STATE and changes nothing more. */
typedef bool (*glnn_report_fn)(void *user, const glnn_report *report);

/** The value of `batch` in ::glnn_train_desc for one step with the whole data set. */
#define GLNN_FULL_BATCH (-1)

/** How to train. Zeros mean the defaults.
 *
 * Training fails with GLNN_E_ARG if a number is not finite, if the learner does not use it, or if
 * it is negative and its comment gives negative numbers no meaning. */
typedef struct glnn_train_desc {
    int epochs; /**< 0: 10 for networks and LVQ, 100 for k-means and mixtures */
    /** Samples of a batch. #GLNN_FULL_BATCH, or more than there are: all samples. 0: 128 for
     * networks and LVQ, all for k-means and mixtures. Mixtures take all samples only. */
    int batch;
    /** Batches whose gradients make one step; 0: 1. Learners that make one step an epoch accept only
     * the default. */
    int accumulate;
    /** The learning rate. `rate` 0: the default of the learner. K-means and mixtures have no rate
     * and accept no schedule. */
    glnn_schedule schedule;
    uint64_t seed;   /**< of the order of samples and of the split */
    bool keep_order; /**< do not shuffle the samples               */
    /** The data set that is measured after each epoch. NULL: none, or a split. */
    const glnn_dataset *validation;
    float validation_split; /**< share of the samples for validation, from 0 to below 1 */
    /** Stop after this number of epochs without a better validation loss; 0: never. It needs
     * `validation` or `validation_split`. */
    int patience;
    float min_improvement; /**< a better loss is lower by more than this */
    /** End with the parameters of the epoch that has the lowest validation loss, or the lowest
     * training loss without validation. */
    bool restore_best;
    glnn_report_fn report; /**< receives the reports; NULL: none */
    void *user;            /**< the first argument of `report`   */
    /** Batches from one BATCH report to the next; 0: 64. Metrics arrive without a wait, so they
     * cover a few batches less. */
    int report_every;
} glnn_train_desc;

/** The result of training, which the caller allocates. */
typedef struct glnn_train_result {
    size_t size;    /**< set by the caller: sizeof(glnn_train_result) */
    int epochs;     /**< completed epochs                             */
    uint64_t steps; /**< steps of the parameters                      */
    /** Training ended early: the report function returned false, patience ran out or the learner
     * converged. */
    bool stopped;
    int best_epoch;          /**< from 1; 0 without a completed epoch         */
    glnn_metrics training;   /**< of the training samples in the last epoch   */
    glnn_metrics validation; /**< of the last epoch; 0 and NAN without validation */
    double seconds;          /**< of training and validation                  */
    double train_seconds;    /**< of training alone                           */
} glnn_train_result;

/** @} */

#ifdef __cplusplus
}
#endif
#endif
