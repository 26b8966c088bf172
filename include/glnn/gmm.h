/** @file
 *  @ingroup glnn_learners
 *  @brief Mixtures of Gaussians, fitted by expectation and maximisation.
 *
 * The density of a mixture is
 *
 *     p(x) = sum_j w_j N(x; m_j, S_j)
 *
 * with weights w_j that sum to 1, means m_j and covariances S_j. Each term of the sum is a
 * component.
 *
 * With classes, each class has components of its own, and the weights of a class sum to its prior
 * probability. p(x, c) is the sum over the components of class c. The mixture is then a classifier
 * by Bayes' rule: it finds the class with the greatest p(x, c). The components of class c have the
 * numbers from c * `components` on.
 *
 * The GPU computes the responsibilities of the components and sums them over the samples. The CPU
 * does the rest of an iteration in double precision: a division and a Cholesky factor for each
 * component. In training a sample meets only the components of its own class. */
#ifndef GLNN_GMM_H
#define GLNN_GMM_H

#include <glnn/preparation.h>
#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** A mixture of Gaussians. */
typedef struct glnn_gmm glnn_gmm;

/** The shape of a component's covariance. */
typedef enum glnn_covariance {
    GLNN_COVARIANCE_FULL = 0,  /**< any symmetric positive definite matrix */
    GLNN_COVARIANCE_DIAGONAL,  /**< a variance for each feature            */
    GLNN_COVARIANCE_SPHERICAL, /**< one variance for all features          */
    GLNN_COVARIANCE_COUNT
} glnn_covariance;

/** The name of a covariance: "full", "diagonal", "spherical". @since 0.2 */
GLNN_API const char *glnn_covariance_name(glnn_covariance value);

/** The covariance with a name. @since 0.2 */
GLNN_API glnn_status glnn_covariance_from_name(const char *name, glnn_covariance *out);

/** The most features with full covariances. */
#define GLNN_GMM_MAX_FULL_FEATURES 64

/** Describes a mixture. Zeros mean the defaults; features and components have none. */
typedef struct glnn_gmm_desc {
    int features;               /**< at least 1; FULL: at most GLNN_GMM_MAX_FULL_FEATURES    */
    int components;             /**< at least 1; with classes: of each class                 */
    int classes;                /**< a mixture for each class; 0: one, which ignores labels  */
    glnn_covariance covariance; /**< 0: FULL                                                 */
    /** The least variance of a component in any direction, as a share of the mean variance of the
     * features at the start of a training: from 1e-6 to 0.5. 0: 1e-4. A full covariance needs more
     * samples than features, or a floor of 0.1 and more: otherwise the mixture fits its training
     * samples and hardly any others. */
    float variance_floor;
    /** Training ends if an epoch improves the mean log-likelihood by less than this. With classes
     * this holds for each class by itself: a class that has converged stays as it is, and training
     * ends with the last class. 0: 1e-3. Negative: never. */
    float tolerance;
    glnn_layout layout; /**< of parameters and batches; 0: AUTO          */
    int capacity;       /**< most samples in one list of passes; 0: 1024 */
    uint64_t seed;      /**< of the k-means that training starts from    */
} glnn_gmm_desc;

/** Creates a mixture. It has no parameters until it is initialised, trained or loaded, or until
 * they are set.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null; a number is out of range or a choice is unknown.
 *   - GLNN_E_LIMIT: there are more features than full covariances can have; a matrix does not fit
 *     the device or the budget.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who destroys it with glnn_gmm_destroy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_gmm_create(glnn_context *ctx, const glnn_gmm_desc *desc, glnn_gmm **out);

/** Destroys a mixture. NULL does nothing.
 *
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API void glnn_gmm_destroy(glnn_gmm *gmm);

/** The description of the mixture with its defaults filled in; NULL for NULL.
 *
 * @owner   the mixture.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API const glnn_gmm_desc *glnn_gmm_get_desc(const glnn_gmm *gmm);

/** The number of components of all classes; 0 for NULL. @since 0.1 */
GLNN_API int glnn_gmm_get_count(const glnn_gmm *gmm);

/** Finds initial parameters from a data set. They replace those that the mixture has.
 *
 * k-means with at most 20 epochs gives the means and weights, for each class by itself. All
 * covariances are spherical; their variance is the error of k-means divided by the number of
 * features. A class with fewer samples than components uses as many components as it has samples.
 * Its other components have weight 0, and the log has a warning.
 *
 * glnn_gmm_train calls this function for a mixture without parameters.
 *
 * @numbers the same data, seed, device and device profile (glnn/context.h) give the same bits.
 * @errors  as glnn_gmm_train. A failure leaves the parameters unchanged.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_gmm_initialise(glnn_gmm *gmm, const glnn_dataset *data);

/** Fits the mixture to a data set.
 *
 * An epoch is one iteration over all samples:
 *
 *     r_ij = w_j N(x_i; m_j, S_j) / sum over the components of the class of x_i
 *     N_j  = sum_i r_ij
 *     w_j  = N_j / samples
 *     m_j  = sum_i r_ij x_i / N_j
 *     S_j  = sum_i r_ij (x_i - m_j)(x_i - m_j)' / N_j
 *
 * DIAGONAL takes the diagonal of S_j, and SPHERICAL the mean of the diagonal. Variances below the
 * floor are raised to it; with FULL these are the eigenvalues. This is the most likely S_j among
 * those above the floor, so the likelihood never decreases. A component with N_j < 1e-3 keeps its
 * mean and covariance.
 *
 * Training continues from the parameters of the mixture, or from those of glnn_gmm_initialise if it
 * has none. The log warns once if a class has at most as many samples for a full component as there
 * are features, and the floor is below 0.1.
 *
 * `desc` NULL means the defaults. `result` may be NULL.
 *
 * @reports the loss is minus the mean log-likelihood before the update: of p(x, c) with classes,
 *          otherwise of p(x). The accuracy is 0; glnn_gmm_evaluate computes it.
 * @numbers logarithms are summed relative to the greatest, so responsibilities neither underflow
 *          nor overflow. The same seeds, data, layout, device and device profile (glnn/context.h)
 *          give the same bits.
 * @passes  after the first step, no step waits or creates a texture or program. The end of an epoch
 *          waits for its sums.
 * @errors
 *   - GLNN_E_ARG: an argument is null or belongs to another context; a number is out of range; the
 *     schedule has a rate.
 *   - GLNN_E_SHAPE: the data set has other features or classes. Without parameters: there are fewer
 *     samples than components, or a class has no samples.
 *   - GLNN_E_STATE: the mixture has classes and the data set has no labels.
 *   - GLNN_E_DIVERGED: a density or a sum is not finite.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: as for all operations.
 * @thread  the context's own.
 * @source  Dempster, Laird and Rubin, 1977.
 * @since   0.1 */
GLNN_API glnn_status glnn_gmm_train(glnn_gmm *gmm, const glnn_dataset *data,
                                    const glnn_train_desc *desc, glnn_train_result *result);

/** Creates a trainer, which makes the steps of glnn_gmm_train in a loop of the program
 * (glnn/trainer.h).
 *
 * @errors
 *   - GLNN_E_ARG: `out` is null.
 *   - GLNN_E_STATE: the mixture has another trainer.
 *   - Others: as glnn_gmm_train before its first step. *out is then NULL.
 * @owner   the caller, who destroys it with glnn_trainer_destroy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_gmm_trainer_create(glnn_gmm *gmm, const glnn_dataset *data,
                                             const glnn_train_desc *desc, glnn_trainer **out);

/** Measures the mixture on a data set.
 *
 * The loss is minus the mean of log p(x, c) with classes and labels, otherwise of log p(x). The
 * accuracy is 0 without classes or labels.
 *
 * @param metrics   receives the metrics; may be NULL
 * @param confusion classes x classes counts of samples; element label * classes + class found. May
 *                  be NULL
 *
 * @errors
 *   - GLNN_E_ARG: `gmm` or `data` is null; `data` belongs to another context.
 *   - GLNN_E_SHAPE: the data set has other features or classes.
 *   - GLNN_E_STATE: the mixture has no parameters; `confusion` is given without classes or labels.
 *   - GLNN_E_DIVERGED: a density is not finite.
 * @owner   `metrics` and `confusion` are the caller's.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_gmm_evaluate(glnn_gmm *gmm, const glnn_dataset *data,
                                       glnn_metrics *metrics, int64_t *confusion);

/** The number of outputs of a sample: the classes, or the components without classes. 0 for NULL.
 * @since 0.2 */
GLNN_API int glnn_gmm_get_outputs(const glnn_gmm *gmm);

/** Predicts samples.
 *
 * @param outputs with classes, the posterior probabilities p(x, c) / p(x); otherwise the
 *                responsibilities of the components. May be NULL
 * @param classes with classes, the class with the greatest p(x, c); otherwise the component with
 *                the greatest responsibility. If two are equal, the lower number. May be NULL
 *
 * @shapes  inputs are samples x features, outputs are samples x glnn_gmm_get_outputs, row after
 *          row. classes has an element for each sample.
 * @numbers as glnn_gmm_compute_densities.
 * @errors
 *   - GLNN_E_ARG: `gmm` or `inputs` is null; `outputs` and `classes` are both null; `samples` is
 *     below 1; an input is not finite. The sentence names sample and feature.
 *   - GLNN_E_STATE: the mixture has no parameters.
 *   - GLNN_E_DIVERGED: the logarithm of a density is not finite. The sentence names the sample.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: as for all operations.
 * @owner   the arrays are the caller's.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_gmm_predict(glnn_gmm *gmm, int64_t samples, const float *inputs,
                                      float *outputs, int *classes);

/** Computes the density of each sample and the responsibilities of the components for it.
 *
 * @param log_densities    log p(x); may be NULL
 * @param responsibilities w_j N(x; m_j, S_j) / p(x) for all components of all classes; may be NULL
 *
 * @shapes  inputs are samples x features, log_densities has an element for each sample,
 *          responsibilities are samples x glnn_gmm_get_count; row after row.
 * @numbers float32, after the mean of the mixture is subtracted from x and all m_j. DIAGONAL and
 *          SPHERICAL sum x^2 / v and x m / v. The error of a logarithm is therefore about 2^-24
 *          times the sum of (|x| + |m_j|)^2 / v over the features. It is large if variances v are
 *          tiny compared with the distances of the components. FULL multiplies the deviations by a
 *          factor of S^-1 and squares the products; its error is relative to |x - m_j|.
 * @errors  as glnn_gmm_predict, with both results for its two outputs.
 * @owner   the arrays are the caller's.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_gmm_compute_densities(glnn_gmm *gmm, int64_t samples, const float *inputs,
                                                float *log_densities, float *responsibilities);

/** The number of elements of a component's covariance: features^2 with FULL, features with
 * DIAGONAL, 1 with SPHERICAL. 0 for NULL. @since 0.1 */
GLNN_API int glnn_gmm_get_covariance_size(const glnn_gmm *gmm);

/** Reads the parameters. A null pointer leaves a part out.
 *
 * @shapes  weights has an element for each component, means are count x features, covariances are
 *          count x glnn_gmm_get_covariance_size; row after row. count is glnn_gmm_get_count.
 * @errors
 *   - GLNN_E_ARG: `gmm` is null.
 *   - GLNN_E_STATE: the mixture has no parameters.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_gmm_get_parameters(const glnn_gmm *gmm, float *weights, float *means,
                                             float *covariances);

/** Sets all parameters.
 *
 * If the sum of the weights differs from 1 by more than 1e-5, they are scaled to the sum 1. Of a
 * full covariance only the lower triangle is read. A failure changes nothing.
 *
 * @shapes  as glnn_gmm_get_parameters.
 * @errors
 *   - GLNN_E_ARG: an argument is null; a weight is negative or none is above 0; a number is not
 *     finite; a variance is not positive or a full covariance not positive definite. The sentence
 *     names the component.
 *   - GLNN_E_NOMEM, GLNN_E_GL: as for all operations.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_gmm_set_parameters(glnn_gmm *gmm, const float *weights,
                                             const float *means, const float *covariances);

/** Keeps a copy of a preparation, which is saved with the mixture. It has no effect on results.
 *
 * NULL or an empty preparation removes it.
 *
 * @errors
 *   - GLNN_E_ARG: `gmm` is null.
 *   - GLNN_E_SHAPE: the preparation has another number of inputs or classes than the mixture, or it
 *     has targets.
 *   - Others: as glnn_preparation_copy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_gmm_set_preparation(glnn_gmm *gmm, const glnn_preparation *preparation);

/** The preparation that was set or loaded; NULL if there is none.
 *
 * @owner   the mixture, until another one is set.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API const glnn_preparation *glnn_gmm_get_preparation(const glnn_gmm *gmm);

/** Saves the mixture as safetensors.
 *
 * The arrays "weights", "means" and "covariances" are those of glnn_gmm_get_parameters. The
 * description is in the metadata, without seed and tolerance; the preparation follows
 * (glnn/preparation.h).
 *
 * @errors  as glnn_safetensors_write and glnn_gmm_get_parameters.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_gmm_save(const glnn_gmm *gmm, const char *path);

/** Loads a mixture that glnn_gmm_save wrote. It computes the same bits.
 *
 * `desc` NULL means the defaults.
 *
 * @errors
 *   - GLNN_E_FORMAT: the file holds no mixture; an array is missing or has impossible values.
 *   - GLNN_E_SHAPE: an array has other sizes than the description.
 *   - Others: as glnn_safetensors_read and glnn_gmm_create. *out is then NULL.
 * @owner   the caller, who destroys it with glnn_gmm_destroy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_gmm_load(glnn_context *ctx, const char *path, const glnn_load_desc *desc,
                                   glnn_gmm **out);

/** Loads the parameters of a file into a mixture.
 *
 * The mixture keeps the other numbers of its description and its preparation. A failure changes
 * nothing.
 *
 * @errors
 *   - GLNN_E_SHAPE: the file has other components, features, classes or covariances. The sentence
 *     has both numbers.
 *   - Others: as glnn_gmm_load.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_gmm_load_parameters(glnn_gmm *gmm, const char *path);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
