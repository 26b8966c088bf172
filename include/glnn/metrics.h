/** @file
 *  @ingroup glnn_io
 *  @brief Metrics: how well predictions in main memory agree with the truth.
 *
 *  The functions take arrays and need no context, so the predictions can come from anywhere. Names
 *  and definitions are those of scikit-learn, unless this page names a difference. All sums are
 *  computed in double precision, in the order of the samples.
 *
 *      glnn_class_metrics metrics = {.size = sizeof metrics};
 *      glnn_status status = glnn_learner_predict(network, samples, inputs, outputs, NULL);
 *      if (!status)
 *          status = glnn_class_metrics_compute(
 *              &(glnn_class_metrics_desc){.samples = samples,
 *                                         .classes = 10,
 *                                         .labels = labels,
 *                                         .scores = outputs,
 *                                         .are_probabilities = true},
 *              &metrics);
 *      if (!status)
 *          printf("macro F1 %.3f, log loss %.3f\n", metrics.macro_f1, metrics.log_loss);
 *      glnn_class_metrics_free(&metrics);
 *
 *  @source scikit-learn, the chapter "Metrics and scoring" of its user guide. T. Fawcett, An
 *  introduction to ROC analysis, Pattern Recognition Letters 27 (2006). J. Davis, M. Goadrich, The
 *  relationship between precision-recall and ROC curves, ICML 2006. */
#ifndef GLNN_METRICS_H
#define GLNN_METRICS_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** Describes samples whose classes were predicted. There are labels with predicted classes, with
 * scores, or with both; or there is a confusion matrix in their place. @since 0.2 */
typedef struct glnn_class_metrics_desc {
    int classes;     /**< at least 1                                                             */
    int64_t samples; /**< at least 1; 0 with a confusion matrix                                  */

    /** The true class of each sample, 0 to classes - 1. -1 stands for a class that is not one of
     * these, for example one that the learner has never seen. Such a sample is always wrong. */
    const int *labels;

    /** The predicted class of each sample, 0 to classes - 1. NULL: the class with the greatest
     * score, and of equal scores the lowest class. */
    const int *predicted;

    /** samples x classes, row after row: the greater a number, the more likely is the class. They
     * can be infinite. NULL: there are none, and the metrics that need them are NAN. */
    const float *scores;

    /** The scores are probabilities: they are in [0, 1], and those of a sample sum to 1. Without
     * this the log loss is NAN. */
    bool are_probabilities;

    /** The weight of each sample, finite and not negative, with a sum above 0. A sample of weight 0
     * has an effect on `confusion` alone. NULL: all are 1. */
    const float *weights;

    int top_k; /**< the k of glnn_class_metrics::top_k_accuracy, 1 to classes; 0: NAN            */

    /** classes x classes counts, as glnn_learner_evaluate() gives them, in place of all arrays
     * above. NULL: there are labels. */
    const int64_t *confusion;
    uint64_t reserved[4]; /**< zeros; room for later versions                                    */
} glnn_class_metrics_desc;

/** Metrics of classes. Sums are over the weights of samples; tp, fp and fn are those of the true
 * positives, false positives and false negatives of a class. A metric is NAN if it is not defined.
 * The arrays are allocated with malloc and have a number for each class. @since 0.2 */
typedef struct glnn_class_metrics {
    size_t size;     /**< sizeof(glnn_class_metrics), set by the caller before the call          */
    int classes;     /**< of the description                                                     */
    double accuracy; /**< the share of samples whose predicted class is right                    */

    /** The mean recall of the classes that have samples; NAN without any. */
    double balanced_accuracy;

    /** The mean precision of the classes that occur among the labels or the predicted classes. A
     * class that is predicted but has no samples counts with 0, as in scikit-learn. */
    double macro_precision;
    double macro_recall; /**< the mean recall of these classes                                   */
    double macro_f1;     /**< the mean F1 of these classes                                       */

    /** The mean precision, in which a class counts by its support; NAN if no sample is of one of
     * the classes. */
    double weighted_precision;
    double weighted_recall; /**< the mean recall, in which a class counts by its support         */
    double weighted_f1;     /**< the mean F1, in which a class counts by its support             */

    /** The mean over the samples of -log p, where p is the probability of the true class, brought
     * into [2^-23, 1 - 2^-23] as scikit-learn does with float32. Samples with the label -1 are left
     * out. NAN without probabilities. */
    double log_loss;

    /** The area under the ROC curve of class 1, of two classes: the probability that a random
     * sample of class 1 has a greater score of class 1 than a random sample of class 0. Equal
     * scores count 1/2. NAN with another number of classes, without scores, and if one of the two
     * classes has no samples. */
    double roc_auc;

    /** The mean of `class_roc_auc` over the classes where it is defined. (scikit-learn gives NAN if
     * it is not defined for one of them.) */
    double macro_roc_auc;
    double weighted_roc_auc; /**< the same, in which a class counts by its support               */

    /** The average precision of class 1, of two classes: the area under its precision-recall curve
     * in steps, which `class_average_precision` defines. If class 1 is rare, it tells more than the
     * area under the ROC curve: a model that knows nothing has the share of class 1. NAN with
     * another number of classes, without scores, and if class 1 has no samples. */
    double average_precision;

    /** The mean of `class_average_precision` over the classes where it is defined. (scikit-learn
     * counts the others with 0.) */
    double macro_average_precision;
    double weighted_average_precision; /**< the same, in which a class counts by its support     */

    /** The share of samples whose class is among the k with the greatest scores. Of equal scores,
     * that of the lower class comes first. NAN without scores or k. */
    double top_k_accuracy;

    double *precision; /**< tp / (tp + fp); 0 for a class that is never predicted                */
    double *recall;    /**< tp / (tp + fn); 0 for a class without samples                        */
    double *f1;        /**< 2 tp / (2 tp + fp + fn); 0 for a class that does not occur           */
    double *support;   /**< the weights of the samples of the class; counts without weights      */

    /** One against the rest: the probability that a random sample of the class has a greater score
     * of the class than a random other sample. Equal scores count 1/2. NAN without scores, and if
     * the class has no samples or all. */
    double *class_roc_auc;

    /** One against the rest: sum over n of (R_n - R_(n-1)) P_n. P_n and R_n are precision and
     * recall if the samples with the n greatest of the different scores of the class are predicted
     * to be of the class; R_0 is 0. NAN without scores, and if the class has no samples. */
    double *class_average_precision;

    /** classes x classes counts, whatever the weights; the count at `label * classes + predicted`
     * belongs to the samples of that label and prediction. Those with the label -1 are left out. */
    int64_t *confusion;
} glnn_class_metrics;

/** Computes the metrics of predicted classes.
 *
 *     precision = tp / (tp + fp)    recall = tp / (tp + fn)    f1 = 2 tp / (2 tp + fp + fn)
 *
 * A sample with the label -1 is a false positive of its predicted class. In curves it is a sample
 * of the rest, in `roc_auc` and `average_precision` too. Micro means are not listed, because with
 * one label a sample the micro means of precision, recall and F1 are the accuracy.
 *
 * @shapes  labels, predicted and weights have `samples` numbers; scores is samples x classes.
 * @numbers Computed in double precision. Equal scores are found exactly, and their order does not
 *   change the area under a curve. With scores, the time grows with classes x samples x log
 *   samples.
 * @errors
 *   - GLNN_E_ARG: desc or out is null; out->size is not set. There are no classes or no samples.
 *     There are no labels, or neither predicted classes nor scores. `top_k` is not in 0 to classes.
 *     `are_probabilities` or `top_k` is set without scores. A confusion matrix is given with
 *     samples or one of the arrays.
 *   - GLNN_E_FORMAT: a label or a predicted class is out of its range. A score is NAN. A
 *     probability is not in [0, 1], or those of a sample do not sum to 1, both within 0.001. A
 *     weight is negative or not finite, or all are 0. A count is negative, or all are 0. The
 *     sentence names row and column.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_class_metrics_free. After a failure *out is empty.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_class_metrics_compute(const glnn_class_metrics_desc *desc,
                                                glnn_class_metrics *out);

/** Frees the arrays of metrics and empties them; the size stays. NULL does nothing. @thread any.
 * @since 0.2 */
GLNN_API void glnn_class_metrics_free(glnn_class_metrics *metrics);

/** Describes samples whose targets were predicted. @since 0.2 */
typedef struct glnn_target_metrics_desc {
    int64_t samples;        /**< at least 1                                                      */
    int targets;            /**< the numbers of a sample, at least 1                             */
    const float *wanted;    /**< samples x targets, row after row: the true numbers              */
    const float *predicted; /**< samples x targets: the predicted ones                           */

    /** The weight of each sample, finite and not negative, with a sum above 0. NULL: all are 1. */
    const float *weights;
    uint64_t reserved[4]; /**< zeros; room for later versions                                    */
} glnn_target_metrics_desc;

/** Metrics of targets. The arrays are allocated with malloc and have a number for each target. The
 * other numbers are the means of the arrays; they are NAN if an element is. @since 0.2 */
typedef struct glnn_target_metrics {
    size_t size; /**< sizeof(glnn_target_metrics), set by the caller before the call            */
    int targets; /**< of the description                                                        */
    double mean_absolute_error;       /**< over all targets                                       */
    double root_mean_squared_error;   /**< the same: the mean of the roots                        */
    double r_squared;                 /**< the same                                               */
    double *mean_absolute_errors;     /**< sum w |y - t| / sum w                                 */
    double *root_mean_squared_errors; /**< sqrt(sum w (y - t)^2 / sum w), in the target's unit   */
    double *max_errors;               /**< the greatest |y - t| of a weight above 0              */

    /** 1 - sum w (y - t)^2 / sum w (t - m)^2, where m is the weighted mean of t: 1 is perfect, 0 as
     * good as the mean. NAN if all wanted numbers are equal. (scikit-learn gives 1 or 0 then, or
     * NAN for a single sample.) */
    double *r_squareds;
} glnn_target_metrics;

/** Computes the metrics of predicted targets, where w is a weight, t a wanted number and y a
 * predicted one.
 *
 * @shapes  wanted and predicted are samples x targets; weights has `samples` numbers.
 * @numbers Computed in double precision.
 * @errors
 *   - GLNN_E_ARG: desc, desc->wanted, desc->predicted or out is null; out->size is not set. There
 *     are no samples or no targets.
 *   - GLNN_E_FORMAT: a number is not finite; a weight is negative or not finite, or all are 0. The
 *     sentence names row and target.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_target_metrics_free. After a failure *out is empty.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_target_metrics_compute(const glnn_target_metrics_desc *desc,
                                                 glnn_target_metrics *out);

/** Frees the arrays of metrics and empties them; the size stays. NULL does nothing. @thread any.
 * @since 0.2 */
GLNN_API void glnn_target_metrics_free(glnn_target_metrics *metrics);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
