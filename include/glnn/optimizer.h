/** @file
 *  @ingroup glnn_train
 *  @brief How the gradient of a batch changes the parameters of a learner. */
#ifndef GLNN_OPTIMIZER_H
#define GLNN_OPTIMIZER_H

#include <glnn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** Rules for a step of the parameters w.
 *
 * g is the gradient of the mean loss of a batch, v the velocity, which begins with 0, and decay the
 * weight decay. Biases decay like weights. */
typedef enum glnn_optimizer_kind {
    /** v = momentum v + g; w = (1 - rate decay) w - rate v */
    GLNN_OPTIMIZER_SGD = 0,
    /** v = momentum v + g; w = (1 - rate decay) w - rate (g + momentum v) */
    GLNN_OPTIMIZER_NESTEROV,
    /** Adam (Kingma and Ba, 2015). The decay is separate from the gradient, as in SGD. */
    GLNN_OPTIMIZER_ADAM,
    GLNN_OPTIMIZER_COUNT
} glnn_optimizer_kind;

/** The name of a kind of optimizer: "sgd", "nesterov", "adam". @since 0.2 */
GLNN_API const char *glnn_optimizer_kind_name(glnn_optimizer_kind value);

/** The kind of optimizer with a name. @since 0.2 */
GLNN_API glnn_status glnn_optimizer_kind_from_name(const char *name, glnn_optimizer_kind *out);

/** An optimizer. A number that its kind does not use must be 0 or the default. */
typedef struct glnn_optimizer {
    glnn_optimizer_kind kind; /**< 0: SGD                                        */
    float momentum;           /**< SGD, NESTEROV: at least 0 and below 1         */
    float weight_decay;       /**< at least 0                                    */
    float beta1;              /**< ADAM: decay of the first moment; 0: 0.9       */
    float beta2;              /**< ADAM: decay of the second moment; 0: 0.999    */
    float epsilon;            /**< ADAM: at least FLT_MIN; 0: 1e-8               */
    /** The greatest norm of a gradient, over all parameters together. A greater gradient is scaled
     * to this norm before the step. 0: no limit. */
    float clip_norm;
} glnn_optimizer;

/** @} */

#ifdef __cplusplus
}
#endif
#endif
