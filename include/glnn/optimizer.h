/** @file
 *  @ingroup glnn_train
 *  @brief Optimizers: how a gradient changes the parameters of a network. */
#ifndef GLNN_OPTIMIZER_H
#define GLNN_OPTIMIZER_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** The rule of an update. w is a parameter and g its gradient. v is a velocity, and m and s are
 * moments; all three start at 0. n counts the updates, this one included. rate is that of the
 * schedule (::glnn_schedule), decay is glnn_optimizer::weight_decay, and the other numbers are the
 * fields of ::glnn_optimizer. Each kind makes its assignments in the order given. */
typedef enum glnn_optimizer_kind {
    /** Gradient descent.
     *
     *     v = momentum v + g
     *     w = (1 - rate decay) w - rate v */
    GLNN_OPTIMIZER_SGD = 0,
    /** Descent with Nesterov's momentum.
     *
     *     v = momentum v + g
     *     w = (1 - rate decay) w - rate (g + momentum v) */
    GLNN_OPTIMIZER_NESTEROV,
    /** Adam (Kingma, Ba 2015).
     *
     *     m = beta1 m + (1 - beta1) g
     *     s = beta2 s + (1 - beta2) g^2
     *
     *     w = (1 - rate decay) w
     *         - rate (m / (1 - beta1^n)) / (sqrt(s / (1 - beta2^n)) + epsilon) */
    GLNN_OPTIMIZER_ADAM,
    /** RMSprop (Tieleman, Hinton 2012, lecture 6.5), with momentum as in PyTorch.
     *
     *     s = beta2 s + (1 - beta2) g^2
     *     v = momentum v + g / (sqrt(s) + epsilon)
     *     w = (1 - rate decay) w - rate v */
    GLNN_OPTIMIZER_RMSPROP,
    /** iRprop- (Igel, Huesken 2000, algorithm 4). Each parameter has a step d, first `step_first`,
     * and a former gradient h, first 0. If g h > 0, d becomes min(`step_increase` d, `step_max`).
     * If g h < 0, d becomes max(`step_decrease` d, `step_min`) and g becomes 0.
     *
     *     w = w - sign(g) d
     *     h = g
     *
     * The rule compares the gradients of successive steps, so each step must take all training
     * samples. Training fails otherwise, also with @ref emphasis or a distortion. A network with
     * dropout layers or gradient noise is refused, because both change the gradient at random. The
     * rule uses no learning rate. */
    GLNN_OPTIMIZER_RPROP,
    GLNN_OPTIMIZER_COUNT
} glnn_optimizer_kind;

/** The name of an optimizer: "sgd", "nesterov", "adam", "rmsprop", "rprop".
 *
 * @since 0.2 */
GLNN_API const char *glnn_optimizer_kind_name(glnn_optimizer_kind kind);

/** The optimizer with a name. @since 0.2 */
GLNN_API glnn_status glnn_optimizer_kind_from_name(const char *name, glnn_optimizer_kind *out);

/** Describes an optimizer. A number that the kind does not use must be 0 or its default. */
typedef struct glnn_optimizer {
    glnn_optimizer_kind kind; /**< 0: SGD                                                        */
    float momentum;           /**< SGD, NESTEROV, RMSPROP: in [0, 1)                             */
    float weight_decay;       /**< of weights and biases alike; at least 0; not RPROP            */
    float beta1;              /**< ADAM: decay of the first moment, in (0, 1); 0: 0.9            */

    /** Decay of the second moment, in (0, 1). ADAM, 0: 0.999. RMSPROP, 0: 0.99. */
    float beta2;
    float epsilon; /**< ADAM, RMSPROP: at least FLT_MIN; 0: 1e-8                                 */

    /** The greatest norm of a gradient, taken over all parameters together. A longer gradient is
     * scaled to this norm before the update. At least 0; 0: no limit. Not RPROP. */
    float clip_norm;

    /** Keeps each parameter as the sum of two float32 numbers, its high and its low digits. The low
     * digits collect updates that are too small to change the high ones, so that training with a
     * small rate does not stall. Products read the high digits alone, which are the sum rounded to
     * float32. The low digits are the last matrix of state of a layer.
     *
     * @source Knuth: The Art of Computer Programming 2 (1969), section 4.2.2, theorem C: the sum of
     *   two floats and its rounding error. */
    bool two_parts;

    /** Adds normal noise to each element of the gradient, after clipping and before the rule above.
     * The noise of update n has the mean 0 and the variance gradient_noise / n^noise_decay. It
     * depends only on the seed of the network, n, the layer and the place in its parameters. At
     * least 0; 0: no noise. Not RPROP.
     *
     * @source Neelakantan, Vilnis, Le, Sutskever, Kaiser, Kurach, Martens: Adding gradient noise
     *   improves learning for very deep networks (2015). There t is n - 1, gradient_noise is eta,
     *   from 0.01 to 1, and noise_decay is gamma. */
    float gradient_noise;
    float noise_decay; /**< only with gradient_noise; at least 0; 0: 0.55                        */

    float step_first;     /**< RPROP: from step_min to step_max; 0: 0.01                          */
    float step_min;       /**< RPROP: at least FLT_MIN; 0: 1e-6                                   */
    float step_max;       /**< RPROP: at least step_min; 0: 50                                    */
    float step_increase;  /**< RPROP: at least 1; 0: 1.2                                          */
    float step_decrease;  /**< RPROP: in [FLT_MIN, 1); 0: 0.5                                     */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_optimizer;

/** @} */

#ifdef __cplusplus
}
#endif
#endif
