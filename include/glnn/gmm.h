/** @file
 *  @ingroup glnn_learners
 *  @brief Mixtures of Gaussians, fitted by expectation and maximisation.
 *
 *  A mixture has *components*, each with a weight w_j, a mean m_j and a covariance S_j. Its density
 *  is p(x) = sum_j w_j N(x; m_j, S_j), with weights that sum to 1. The *responsibility* of a
 *  component for a sample is its share of the density at the sample.
 *
 *  With classes, each class has components of its own, and their weights sum to the prior
 *  probability of the class. p(x, c) is the part of the sum p(x) that belongs to the components of
 *  class c. The mixture then classifies by Bayes' rule: the class of a sample is that of the
 *  greatest p(x, c). The components of class c are numbered from c * glnn_gmm_desc::components on.
 *
 *  The GPU computes responsibilities and their sums over the samples. The CPU computes the rest of
 *  an iteration in double precision: a division and a Cholesky factor for each component.
 *
 *  Several processes (glnn/exchange.h) find the start each by themselves, from the same seed. They
 *  then exchange the sums once an epoch, and each computes the rest of the iteration.
 *
 *  ### Start
 *
 *  glnn_learner_initialise() finds the first parameters by at most 20 epochs of k-means within each
 *  class. Centres become means, and sizes become weights. All covariances are spherical, with the
 *  error of k-means divided by the features as variance. If a class has fewer samples than
 *  components, the components without samples get weight 0, and the library logs a warning. It
 *  fails with GLNN_E_SHAPE if there are fewer samples than components without classes, or if a
 *  class has no samples. After an error the parameters are as before. Training does this by itself
 *  if there are no parameters, with the samples that it trains on. Without a validation split the
 *  result has the same bits.
 *
 *  ### Training
 *
 *  Training is expectation and maximisation (Dempster, Laird, Rubin 1977). An epoch is one
 *  iteration. It first finds the responsibilities r_ij of the components for each sample i, among
 *  the components of the class of the sample. Then, with N_j = sum_i r_ij:
 *
 *      w_j = N_j / samples
 *      m_j = sum_i r_ij x_i / N_j
 *      S_j = sum_i r_ij (x_i - m_j)(x_i - m_j)' / N_j
 *
 *  DIAGONAL takes the diagonal of S_j, and SPHERICAL the mean of the diagonal. FULL and DIAGONAL
 *  then shrink covariances, with n = glnn_gmm_desc::shrinkage times the features, where N is the
 *  sum of all N_j of the class:
 *
 *      C   = sum_j N_j S_j / N
 *      C   = (N C + n diag(C)) / (N + n)      FULL alone
 *      S_j = (N_j S_j + n C) / (N_j + n)
 *
 *  The last line is the posterior mode under an inverse Wishart prior (Fraley, Raftery 2007) around
 *  the pooled covariance (Friedman 1989). Variances below the floor (FULL: eigenvalues) are raised
 *  to it. Without shrinkage, the result is the most likely S_j that obeys the floor, so that the
 *  likelihood never falls. With shrinkage it can fall slightly in the end. A component with N_j <
 *  1e-3 keeps its mean and covariance.
 *
 *  The loss of a report is minus the mean log-likelihood before the update, of p(x, c) with
 *  classes, otherwise of p(x). Accuracies are 0, because training does not count them. The library
 *  logs a warning if a class has fewer samples than its components have parameters. With d
 *  features, a component has 1 + d + d (d + 1) / 2 of them with FULL, 1 + 2 d with DIAGONAL and 2 +
 *  d with SPHERICAL. Training fails with GLNN_E_DIVERGED if a density or a sum is not finite.
 *
 *  Logarithms are summed relative to the greatest, so that no responsibility overflows or vanishes
 *  by rounding. A step neither waits nor makes textures. The end of an epoch waits for its sums.
 *
 *  ### Loss, outputs and classes
 *
 *  The loss of an evaluation is minus the mean of log p(x, c) with classes and labels, otherwise of
 *  log p(x). The accuracy is the share of samples classified right, 0 without classes or labels.
 *
 *  With classes, the outputs are the posterior probabilities p(x, c) / p(x), and the class of a
 *  sample is the most probable one. Without classes, the outputs are the responsibilities of the
 *  components, and the class is the component with the greatest. Of equal ones the lowest number
 *  counts. They are as exact as the numbers of glnn_gmm_compute_densities().
 *
 *  ### Tensors
 *
 *      tensor        covariance   shape                          role
 *      weights       any          count                          parameter
 *      means         any          count x features               parameter
 *      covariances   FULL         count x features x features    parameter
 *      covariances   DIAGONAL     count x features               parameter
 *      covariances   SPHERICAL    count                          parameter
 *
 *  The CPU has them in main memory, so that they have no matrix. Reading them fails with
 *  GLNN_E_STATE before glnn_learner_initialise(), training, or glnn_learner_set_tensor() of weights
 *  and covariances; means that were not set are 0. No weight may be negative, and one must be above
 *  0. Weights are scaled to the sum 1 if it is off by more than 1e-5. Variances must be above 0. Of
 *  a full covariance the lower triangle counts, and it must be positive definite.
 *
 *  ### Files
 *
 *  A file has the tensors. The description is in the metadata, without `shrinkage`, `tolerance` and
 *  `seed`. glnn_learner_load_parameters() loads the tensors; the file must have the same features,
 *  components, classes and form of the covariances.
 *
 *  The functions that all learners have stand in glnn/learner.h and glnn/train.h. */
#ifndef GLNN_GMM_H
#define GLNN_GMM_H

#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** The form of the covariances. */
typedef enum glnn_covariance {
    GLNN_COVARIANCE_FULL = 0,  /**< any symmetric positive definite matrix */
    GLNN_COVARIANCE_DIAGONAL,  /**< one variance for each feature          */
    GLNN_COVARIANCE_SPHERICAL, /**< one variance                           */
    GLNN_COVARIANCE_COUNT
} glnn_covariance;

/** The name of a form: "full", "diagonal", "spherical". @since 0.1 */
GLNN_API const char *glnn_covariance_name(glnn_covariance covariance);

/** The form with a name. @since 0.2 */
GLNN_API glnn_status glnn_covariance_from_name(const char *name, glnn_covariance *out);

/** The most features with full covariances. */
#define GLNN_GMM_MAX_FULL_FEATURES 64

/** Describes a mixture. Zeros are defaults, except in `features` and `components`. */
typedef struct glnn_gmm_desc {
    int features;   /**< at least 1; FULL: at most GLNN_GMM_MAX_FULL_FEATURES                    */
    int components; /**< at least 1; with classes: of each class                                 */
    int classes;    /**< at least 1: a mixture for each class; 0: labels are ignored             */
    glnn_covariance covariance; /**< 0: FULL                                                     */

    /** The least variance of a component in any direction, as a share of the mean variance of the
     * features when training begins; in [1e-6, 0.5]. 0: 1e-4. */
    float variance_floor;

    /** How far glnn_learner_train() draws covariances towards the mean covariance of their class:
     * as if a component had this many more samples for each feature, with that covariance. It keeps
     * components of few samples from fitting these alone. Components of many samples hardly change.
     * At most 1e6. 0: 1. Negative: covariances are the most likely ones. @since 0.2 */
    float shrinkage;

    /** Training ends with an epoch whose mean log-likelihood is less than this above that of the
     * epoch before. With classes this holds for each class by itself: its components then stay as
     * they are, and training ends when all classes have reached it. 0: 1e-3. Negative: never. */
    float tolerance;
    glnn_layout layout; /**< of parameters and batches; 0: AUTO                                  */
    int capacity;       /**< most samples in one list of passes; 0: 1024                         */
    uint64_t seed; /**< of the k-means of glnn_learner_initialise()                             */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_gmm_desc;

/** Creates a mixture without parameters.
 *
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_LIMIT: there are more than 2^24 components, or more than GLNN_GMM_MAX_FULL_FEATURES
 *     features with full covariances.
 * @owner  the caller, who passes it to glnn_learner_destroy().
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_gmm_create(glnn_context *ctx, const glnn_gmm_desc *desc,
                                     glnn_learner **out);

/** The description with the defaults filled in; NULL for NULL.
 *
 * @owner  the learner.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_gmm_desc *glnn_gmm_get_desc(const glnn_learner *learner);

/** Computes log p(x) of samples, and the responsibilities of all components, whatever their class.
 *
 * @shapes  `inputs` is samples x features, `log_densities` has `samples` numbers,
 *   `responsibilities` is samples x components of all classes; row after row.
 * @numbers float32, relative to the mean of the mixture. DIAGONAL and SPHERICAL sum x^2 / v and
 *   x m / v over the features, v being the variance: the error of a logarithm is about 2^-24 of the
 *   sum of (|x| + |m_j|)^2 / v. This is large if variances are tiny against the distances between
 *   components. FULL multiplies deviations by a factor of S^-1 and squares the products, so that
 *   errors are relative to |x - m_j|.
 * @errors  @ref learner_errors "as all learners".
 * @owner  the arrays are the caller's; `log_densities` or `responsibilities` can be NULL, but not
 *   both.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_gmm_compute_densities(glnn_learner *learner, int64_t samples,
                                                const float *inputs, float *log_densities,
                                                float *responsibilities);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
