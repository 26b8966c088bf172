/* glnn/gmm.h - mixtures of Gaussians, fitted by expectation and maximisation
 *
 * The density of a mixture is p(x) = sum_j w_j N(x; m_j, S_j), with weights w_j that sum to 1,
 * means m_j and covariances S_j. With classes, each class has components of its own, whose weights
 * sum to the prior probability of the class: p(x, c) is the sum over the components of class c, and
 * the mixture is a classifier by Bayes' rule, which names the class of the greatest p(x, c).
 *
 * Responsibilities and their sums over samples are passes. The rest of an iteration, a division and
 * a Cholesky factor per component, is done on the CPU in double. While training, samples come class
 * by class and meet the components of their own class alone. To classify them takes all components:
 * with full covariances, matrices of as many columns as all components have features together.
 * Components of class c are numbered from c * desc.components on. */
#ifndef GLNN_GMM_H
#define GLNN_GMM_H

#include <glnn/preparation.h>
#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glnn_gmm glnn_gmm;

typedef enum glnn_covariance {
    GLNN_COVARIANCE_FULL = 0,  /* any symmetric positive definite matrix                 */
    GLNN_COVARIANCE_DIAGONAL,  /* one variance a feature                                 */
    GLNN_COVARIANCE_SPHERICAL, /* one variance                                           */
    GLNN_COVARIANCE_COUNT
} glnn_covariance;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_covariance_name(glnn_covariance value);
GLNN_API glnn_status glnn_covariance_from_name(const char *name, glnn_covariance *out);

/* The most features with full covariances. */
#define GLNN_GMM_MAX_FULL_FEATURES 64

/* Describes a mixture. Zeros mean the defaults, but features and components have none.
 *
 * `variance_floor` is the least variance of a component in any direction, as a share of the mean
 * variance of the features when a training begins. Full covariances of no more samples a component
 * than features are singular but for the floor, and hardly classify other samples than those: they
 * want DIAGONAL instead, or a floor of 0.1 or more. Training ends with an epoch whose mean
 * log-likelihood is less than `tolerance` above that of the epoch before. With classes, this is
 * decided for each of them by the mean over its own samples: a class that has settled stays as it
 * is, and training ends when all have. */
typedef struct glnn_gmm_desc {
    int features;               /* >= 1; FULL: at most GLNN_GMM_MAX_FULL_FEATURES             */
    int components;             /* >= 1; with classes: of each class                          */
    int classes;                /* 0: labels are not looked at; else >= 1: a mixture for each */
    glnn_covariance covariance; /* 0: FULL                                                    */
    float variance_floor;       /* in [1e-6, 0.5]; 0: 1e-4                                    */
    float tolerance;            /* 0: 1e-3, negative: never                                   */
    glnn_layout layout;         /* of parameters and batches; 0: AUTO                         */
    int capacity;               /* most samples in one list of passes; 0: 1024                */
    uint64_t seed;              /* of the k-means that training starts from                   */
} glnn_gmm_desc;

/* Creates a mixture without parameters: training finds a start for them.
 *
 * Errors   E_ARG    a null argument, a count out of range, an unknown choice, a variance floor or
 *                   tolerance out of range
 *          E_LIMIT  more features than full covariances can have, or a matrix does not fit the
 *                   device or the budget
 *          E_NOMEM  no memory
 * Owner    the caller, who passes it to glnn_gmm_destroy before the context goes.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_gmm_create(glnn_context *ctx, const glnn_gmm_desc *desc, glnn_gmm **out);

/* Destroys a mixture. NULL does nothing. Thread: the context's own. Since 0.1 */
GLNN_API void glnn_gmm_destroy(glnn_gmm *gmm);

/* The description that the mixture was made from, defaults filled in; NULL for NULL.
 * Owner: the mixture. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_gmm_desc *glnn_gmm_get_desc(const glnn_gmm *gmm);

/* How many components there are: those of all classes. 0 for NULL. Since 0.1 */
GLNN_API int glnn_gmm_get_count(const glnn_gmm *gmm);

/* Finds a start for the parameters from a data set, and forgets those that were there: k-means with
 * at most 20 epochs (of each class by itself) gives means and weights, and all covariances are
 * spherical with the k-means error / features as their variance. A class with fewer samples than
 * components gets as many components as it has samples: the others have weight 0, and the log has a
 * warning. glnn_gmm_train does this by itself where it has not been done, with the samples that it
 * trains on.
 *
 * Numbers  seeded: equal bits for equal data, seed, device and device profile (glnn/context.h).
 * Errors   as glnn_gmm_train; the parameters are then as before
 * Thread   the context's own.   Since 0.2 */
GLNN_API glnn_status glnn_gmm_initialise(glnn_gmm *gmm, const glnn_dataset *data);

/* Fits the mixture to a data set by expectation and maximisation (Dempster, Laird, Rubin 1977).
 *
 * Start    the parameters as they are; without any, as glnn_gmm_initialise finds them from the
 *          samples to train on.
 * Warning  FULL with a floor below 0.1, where classes (without classes: the data set) have samples,
 *          but at most features times components of them to train on: the log has one warning for
 *          each training, which names the class with the fewest.
 * Formula  r_ij = w_j N(x_i; m_j, S_j) / sum over the components of x_i's class (without classes:
 *          all), N_j = sum_i r_ij, then w_j = N_j / samples, m_j = sum_i r_ij x_i / N_j and
 *          S_j = sum_i r_ij (x_i - m_j)(x_i - m_j)' / N_j, or its diagonal, or the mean of that.
 *          Variances (FULL: eigenvalues) below the floor are raised to it, which is the most likely
 *          S_j among those that obey the floor, so that the likelihood never falls. A component
 *          with N_j < 1e-3 keeps its mean and covariance.
 * Reports  an epoch is an iteration over all samples, desc.epochs 0: 100. The loss is minus the
 *          mean log-likelihood before the iteration's update, of p(x, c) with classes, else p(x).
 *          Accuracies are not counted, so they are 0; glnn_gmm_evaluate finds them. Batch and
 *          the kind of schedule are not used, and a rate is refused.
 * Numbers  logarithms are summed apart from the greatest, so that no responsibility under- or
 *          overflows. The same seeds, data, layout, device and device profile (glnn/context.h) give
 *          the same parameters, bit for bit.
 * Passes   in a step no wait, texture or program after the first; an epoch's end waits for its
 *          sums.
 * Errors   E_ARG       a null argument, a number out of range, a data set of another context
 *          E_SHAPE     other features or classes; where it starts without parameters: without
 *                      classes fewer samples to train on than components, or a class without any
 *          E_STATE     classes, but a data set without labels
 *          E_DIVERGED  a density or a sum is no finite number
 *          E_LIMIT, E_NOMEM, E_GL  as the operations
 * Owner    `desc` NULL stands for the defaults; `result` may be NULL.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_gmm_train(glnn_gmm *gmm, const glnn_dataset *data,
                                    const glnn_train_desc *desc, glnn_train_result *result);

/* Creates a trainer, which makes the steps of glnn_gmm_train by a loop of the program's own
 * (glnn/trainer.h).
 * Errors: as glnn_gmm_train before its first step; E_ARG `out` is null; E_STATE another trainer
 * trains the mixture. Owner: the caller, who passes *out to glnn_trainer_destroy before the data
 * sets and the context go; on failure *out is null. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_gmm_trainer_create(glnn_gmm *gmm, const glnn_dataset *data,
                                             const glnn_train_desc *desc, glnn_trainer **out);

/* Measures the mixture on a data set without changing it.
 *
 * Formula  the loss is minus the mean of log p(x, c) with classes and labels, else of log p(x); the
 *          accuracy the share of samples classified right (0 without classes or labels).
 *          confusion[label * classes + predicted] counts samples.
 * Errors   E_ARG a null mixture or data set, or one of another context; E_SHAPE other features or
 *          classes; E_STATE no parameters yet, or `confusion` without classes or labels; E_DIVERGED
 *          a density is no finite number, whether it is asked for or not
 * Owner    metrics and confusion (classes x classes) are the caller's; each may be NULL.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_gmm_evaluate(glnn_gmm *gmm, const glnn_dataset *data,
                                       glnn_metrics *metrics, int64_t *confusion);

/* The outputs of a sample: the classes, or the components without classes. 0 for NULL.
 * Since 0.2 */
GLNN_API int glnn_gmm_get_outputs(const glnn_gmm *gmm);

/* Predicts samples.
 *
 * Formula  outputs: with classes, the posterior probabilities p(x, c) / p(x); without, the
 *          responsibilities of the components. classes: the class of the greatest p(x, c), or
 *          without classes the component of the greatest responsibility (ties: the lowest number).
 * Shapes   inputs: samples x features, outputs: samples x glnn_gmm_get_outputs, classes: samples;
 *          row-major, dense.
 * Numbers  as glnn_gmm_compute_densities.
 * Errors   E_ARG a null mixture or null inputs, outputs and classes both null, samples < 1, an
 *          input that is not finite: the sentence names sample and feature; E_STATE no parameters
 *          yet; E_DIVERGED the logarithm of a density is not finite: the sentence names the sample;
 *          E_NOMEM, E_LIMIT, E_GL
 * Owner    the arrays are the caller's; outputs or classes may be NULL.
 * Thread   the context's own.   Since 0.2 */
GLNN_API glnn_status glnn_gmm_predict(glnn_gmm *gmm, int64_t samples, const float *inputs,
                                      float *outputs, int *classes);

/* Computes the density of each sample and the responsibilities of the components for it.
 *
 * Formula  log_densities: log p(x). responsibilities: w_j N(x; m_j, S_j) / p(x), over all
 *          components whatever their class.
 * Numbers  float32, after the mean of the mixture is taken from x and all m_j. DIAGONAL and
 *          SPHERICAL sum x^2 / v and x m / v, so that the error of a logarithm is some 2^-24 of the
 *          sum of (|x| + |m_j|)^2 / v over the features: large where variances v are tiny against
 *          the distances of the components. FULL multiplies deviations by a factor of S^-1 and
 *          squares the products, whose error is relative to |x - m_j|.
 * Shapes   inputs: samples x features, log_densities: samples, responsibilities: samples x
 *          glnn_gmm_get_count, row-major, dense.
 * Errors   E_ARG a null mixture or null inputs, both results null, samples < 1, an input that is
 *          not finite: the sentence names sample and feature; E_STATE no parameters yet; E_DIVERGED
 *          the logarithm of a density is not finite: the sentence names the sample; E_NOMEM,
 *          E_LIMIT, E_GL
 * Owner    the arrays are the caller's; log_densities and responsibilities may be NULL.
 * Thread   the context's own.   Since 0.2 */
GLNN_API glnn_status glnn_gmm_compute_densities(glnn_gmm *gmm, int64_t samples, const float *inputs,
                                                float *log_densities, float *responsibilities);

/* How many numbers the covariance of one component takes: features^2 with FULL (row-major),
 * features with DIAGONAL, 1 with SPHERICAL. 0 for NULL. Since 0.1 */
GLNN_API int glnn_gmm_get_covariance_size(const glnn_gmm *gmm);

/* Reads the parameters: weights (count), means (count x features) and covariances (count x
 * glnn_gmm_get_covariance_size), row-major, dense; a null pointer leaves that part out.
 * Errors: E_ARG a null mixture; E_STATE no parameters yet. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_gmm_get_parameters(const glnn_gmm *gmm, float *weights, float *means,
                                             float *covariances);

/* Sets all parameters, also those of a mixture that has none yet. Weights whose sum is more than
 * 1e-5 away from 1 are scaled to it; of a full covariance the lower triangle counts. Nothing is
 * changed where they do not fit.
 * Errors: E_ARG a null argument, a weight that is negative, no weight above 0, a number that is not
 * finite, a variance that is not positive, or a full covariance that is not positive definite: the
 * sentence names the component; E_NOMEM, E_GL. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_gmm_set_parameters(glnn_gmm *gmm, const float *weights,
                                             const float *means, const float *covariances);

/* Sets how raw samples are prepared: a copy is kept, and saved with the learner. NULL or an empty
 * preparation removes it. Results do not depend on it. Errors: E_ARG a null mixture; as
 * glnn_preparation_copy; E_SHAPE it makes another count of inputs than the mixture has features,
 * names another count of classes, or has targets. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_gmm_set_preparation(glnn_gmm *gmm, const glnn_preparation *preparation);

/* The preparation that was set, or loaded with the learner; NULL: there is none.
 * Owner: the learner, until another one is set. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_preparation *glnn_gmm_get_preparation(const glnn_gmm *gmm);

/* Writes "weights", "means" and "covariances", as glnn_gmm_get_parameters gives them, as
 * safetensors, and the description but for seed and tolerance; the preparation follows, as
 * glnn/preparation.h says.
 * Errors: as glnn_safetensors_write and glnn_gmm_get_parameters. Thread: the context's own.
 * Since 0.1 */
GLNN_API glnn_status glnn_gmm_save(const glnn_gmm *gmm, const char *path);

/* Creates a mixture from a file that glnn_gmm_save wrote; it computes the same bits.
 * `desc` NULL means the defaults.
 * Errors: as glnn_safetensors_read and glnn_gmm_create; E_FORMAT the file holds no mixture or one
 * that cannot be, an array is missing or holds what cannot be; E_SHAPE an array has other sizes
 * than the description says.
 * Owner: the caller, who passes *out to glnn_gmm_destroy; on failure *out is null.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_gmm_load(glnn_context *ctx, const char *path, const glnn_load_desc *desc,
                                   glnn_gmm **out);

/* Reads the parameters from a file into a mixture that exists, which keeps the other numbers of its
 * description and its preparation. Nothing is changed unless all of it fits.
 * Errors: as glnn_gmm_load; E_SHAPE the file has other components, features, classes or
 * covariances: the sentence has both. Thread: the context's own. Since 0.2 */
GLNN_API glnn_status glnn_gmm_load_parameters(glnn_gmm *gmm, const char *path);

#ifdef __cplusplus
}
#endif
#endif
