/* glnn/optimizer.h - how a gradient changes the parameters of a learner */
#ifndef GLNN_OPTIMIZER_H
#define GLNN_OPTIMIZER_H

#include <glnn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum glnn_optimizer_kind {
    GLNN_OPTIMIZER_SGD =
        0, /* v = momentum v + g;  w = (1 - rate decay) w - rate v                */
    GLNN_OPTIMIZER_NESTEROV, /* v = momentum v + g;
                                w = (1 - rate decay) w - rate (g + momentum v)                 */
    GLNN_OPTIMIZER_ADAM, /* Kingma, Ba 2015, with the decay apart from the gradient, as in SGD  */
    GLNN_OPTIMIZER_COUNT
} glnn_optimizer_kind;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_optimizer_kind_name(glnn_optimizer_kind value);
GLNN_API glnn_status glnn_optimizer_kind_from_name(const char *name, glnn_optimizer_kind *out);

/* g is the gradient of the batch's mean loss. Biases are decayed like weights. */
typedef struct glnn_optimizer {
    glnn_optimizer_kind kind;
    float momentum;     /* SGD, NESTEROV: in [0, 1)                                */
    float weight_decay; /* >= 0                                                    */
    float beta1, beta2; /* ADAM: decay of the moments; 0: 0.9 and 0.999            */
    float epsilon;      /* ADAM: >= FLT_MIN; 0: 1e-8                               */
    float clip_norm;    /* 0: no limit. Else a gradient whose norm, over all parameters together, is
                           greater is scaled to this norm before the step           */
} glnn_optimizer;       /* a number that the kind does not use has to be 0 or its default */

#ifdef __cplusplus
}
#endif
#endif
