/** @file
 *  @ingroup glnn_train
 *  @brief Optimizers: how a gradient changes the parameters of a network. */
#ifndef GLNN_OPTIMIZER_H
#define GLNN_OPTIMIZER_H

#include <glnn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** The rule of an update. w is a parameter and g its gradient. v is a velocity, and m and s are
 * moments; all three start at 0. n counts the updates, this one included. rate is that of the
 * schedule (::glnn_schedule), decay is glnn_optimizer::weight_decay, and the other numbers are the
 * fields of ::glnn_optimizer. */
typedef enum glnn_optimizer_kind {
    /** Gradient descent: v = momentum v + g, then w = (1 - rate decay) w - rate v. */
    GLNN_OPTIMIZER_SGD = 0,
    /** Descent with Nesterov's momentum: v = momentum v + g, then
     * w = (1 - rate decay) w - rate (g + momentum v). */
    GLNN_OPTIMIZER_NESTEROV,
    /** Adam (Kingma, Ba 2015): m = beta1 m + (1 - beta1) g and s = beta2 s + (1 - beta2) g^2, then
     * w = (1 - rate decay) w - rate (m / (1 - beta1^n)) / (sqrt(s / (1 - beta2^n)) + epsilon). */
    GLNN_OPTIMIZER_ADAM,
    GLNN_OPTIMIZER_COUNT
} glnn_optimizer_kind;

/** The name of an optimizer: "sgd", "nesterov", "adam". @since 0.2 */
GLNN_API const char *glnn_optimizer_kind_name(glnn_optimizer_kind kind);

/** The optimizer with a name. @since 0.2 */
GLNN_API glnn_status glnn_optimizer_kind_from_name(const char *name, glnn_optimizer_kind *out);

/** Describes an optimizer. A number that the kind does not use must be 0 or its default. */
typedef struct glnn_optimizer {
    glnn_optimizer_kind kind; /**< 0: SGD                                                        */
    float momentum;           /**< SGD, NESTEROV: in [0, 1)                                      */
    float weight_decay;       /**< of weights and biases alike; at least 0                       */
    float beta1;              /**< ADAM: decay of the first moment, in [0, 1); 0: 0.9            */
    float beta2;              /**< ADAM: decay of the second moment, in [0, 1); 0: 0.999         */
    float epsilon;            /**< ADAM: at least FLT_MIN; 0: 1e-8                               */

    /** The greatest norm of a gradient, taken over all parameters together. A longer gradient is
     * scaled to this norm before the update. At least 0; 0: no limit. */
    float clip_norm;
} glnn_optimizer;

/** @} */

#ifdef __cplusplus
}
#endif
#endif
