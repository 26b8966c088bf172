/** @file
 *  @ingroup glnn_learners
 *  @brief Linear support vector machines: a hyperplane for each class, with a wide margin.
 *
 *  A support vector machine has a vector of weights w_c and a bias b_c for each class c. They are
 *  trained one class versus the rest: the output of a class is to be at least 1 for samples of the
 *  class, and at most -1 for all others.
 *
 *  The functions that all learners have stand in glnn/learner.h and glnn/train.h.
 *
 *  ### Outputs, loss and classes
 *
 *  x is a sample and y its class. t_c is 1 if c is y, and -1 otherwise. The output of class c is
 *
 *      z_c = w_c x + b_c
 *
 *  and the loss of the sample is the sum over the classes of the hinge loss or of its square:
 *
 *      hinge          l = sum_c max(0, 1 - t_c z_c)
 *      squared hinge  l = sum_c max(0, 1 - t_c z_c)^2
 *
 *  The class of a sample is that of the greatest output, and of equal ones the lowest. The accuracy
 *  is the share of samples of the right class. Reports and evaluations have the mean of l.
 *
 *  ### Training
 *
 *  Training minimises the mean of l over the samples plus a penalty of the weights, but not of the
 *  biases:
 *
 *      mean l + lambda / 2 sum_c |w_c|^2
 *
 *  It descends the stochastic subgradient. d_c is the slope of l with respect to z_c: -t_c for the
 *  hinge if t_c z_c < 1, otherwise 0, and -2 t_c max(0, 1 - t_c z_c) for the squared hinge. A step
 *  of B samples (::glnn_train_desc) sums over them. u_c and v_c are velocities, which start at 0,
 *  and rate is that of the schedule:
 *
 *      u_c = momentum u_c + (sum d_c x) / B
 *      v_c = momentum v_c + (sum d_c) / B
 *      w_c = (1 - rate lambda) w_c - rate u_c
 *      b_c = b_c - rate v_c
 *
 *  The penalty is not a part of the velocities. Weights and biases start at 0, so nothing is drawn
 *  at random but the order of the samples. A rate of 1 / lambda or more is refused with GLNN_E_ARG,
 *  because it would turn the weights around.
 *
 *  @source Shalev-Shwartz, Singer, Srebro: Pegasos: primal estimated sub-gradient solver for SVM
 *    (2007), for the step. Its rates 1 / (lambda t) are those of GLNN_SCHEDULE_INVERSE but for a
 *    factor. Its projection of the weights is left out.
 *
 *  The default rate is 0.1 for the hinge and 0.02 for the squared hinge, but at most
 *  1 / (2 lambda). Both suit features of
 *  about the size 1, such as standardised features (glnn/scale.h) and pixels from 0 to 1. Steps of
 *  the squared hinge may diverge at rates above 1 / (1 + m), where m is the mean of |x|^2. At a
 *  constant rate the loss stays a little above its least value. It comes nearer if the rate falls
 *  (GLNN_SCHEDULE_LINEAR, GLNN_SCHEDULE_COSINE).
 *
 *  Several processes (glnn/exchange.h) exchange gradients, or averages of weights and biases.
 *
 *  In the tier FULL (::glnn_tier), a step takes 5 passes: the samples, the outputs, the slopes with
 *  the loss, the penalty, and the subgradient with the update. The plan of a product can add
 *  passes.
 *
 *  ### Tensors
 *
 *      tensor     momentum   shape                     role
 *      weight     any        classes x features        parameter
 *      bias       any        classes                   parameter
 *      velocity   above 0    features + 1 x classes    state
 *
 *  `velocity` has u in all rows but the last, and v in the last. The matrix of `weight` and `bias`
 *  has the same form: w_c is column c, and b_c is in the last row.
 *
 *  ### Files
 *
 *  A file has the tensors. The description is in the metadata. glnn_learner_load_parameters() loads
 *  the tensors; the file must have the same features and classes, and both learners momentum, or
 *  neither. */
#ifndef GLNN_SVM_H
#define GLNN_SVM_H

#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** The loss of a support vector machine; the head of glnn/svm.h has the formulas. @since 0.2 */
typedef enum glnn_svm_loss {
    GLNN_SVM_HINGE = 0,     /**< grows with the distance to the margin            */
    GLNN_SVM_SQUARED_HINGE, /**< grows with the square of it, and is smooth there */
    GLNN_SVM_LOSS_COUNT
} glnn_svm_loss;

/** The name of a loss: "hinge", "squared_hinge". @since 0.2 */
GLNN_API const char *glnn_svm_loss_name(glnn_svm_loss loss);

/** The loss with a name. @since 0.2 */
GLNN_API glnn_status glnn_svm_loss_from_name(const char *name, glnn_svm_loss *out);

/** Describes a support vector machine. Zeros are defaults, except in `features` and `classes`.
 * @since 0.2 */
typedef struct glnn_svm_desc {
    int features;       /**< of a sample, at least 1                                             */
    int classes;        /**< at least 2                                                          */
    glnn_svm_loss loss; /**< 0: HINGE                                                            */

    /** The strength of the penalty of the weights, per sample; finite and above 0. 0: 1e-4. A tiny
     * number such as 1e-30 has no effect on the weights. */
    float lambda;
    float momentum;     /**< share of the former step, in [0, 1)                                 */
    glnn_layout layout; /**< of weights and batches; 0: AUTO                                     */
    int capacity;       /**< most samples in one list of passes; 0: 1024                         */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_svm_desc;

/** Creates a support vector machine whose weights and biases are 0.
 *
 * @errors @ref learner_errors "as all learners".
 * @owner  the caller, who passes it to glnn_learner_destroy().
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_svm_create(glnn_context *ctx, const glnn_svm_desc *desc,
                                     glnn_learner **out);

/** The description with the defaults filled in; NULL for NULL, and for a learner of another kind.
 *
 * @owner  the learner.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API const glnn_svm_desc *glnn_svm_get_desc(const glnn_learner *learner);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
