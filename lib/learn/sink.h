/* The sink of the gradient of one matrix of parameters. If nothing stands between gradient and
 * step, a product that computes the gradient updates the parameters in the same pass.
 *
 * If several processes train, the sink begins to sum a gradient over them as soon as it is complete
 * on this one, and ends that before the update. It may gather the factors of a product instead, and
 * begins with each factor as soon as it is complete. */
#ifndef GLNN__LEARN_SINK_H
#define GLNN__LEARN_SINK_H

#include "learn/learner.h"
#include "ops/gemm/product.h"

/* How to use a gradient. A batch that is larger than the matrices has several parts. */
typedef struct glnn__sink {
    const glnn_optimizer *optimizer;
    const glnn__optimizer_slots *slots;
    bool is_first; /* of the parts: there is no sum yet */
    bool is_last;  /* the parts before and this one are the whole gradient of this process */

    /* All processes have a part of the gradient; NULL: this one has all of it. */
    glnn__exchange *exchange;
    bool is_empty; /* this process has no samples: whatever it computes counts as zeros */
    int batch;     /* samples of a batch of all processes; 0: they have several parts  */
} glnn__sink;

/* Fills the slots of the updates of a step, which the learner has counted. */
void glnn__sink_begin(glnn_learner *learner, const glnn__step *step);

/* For tensors (learn/tensor.h): destroys the matrices of parameters that have the rows of other
 * processes in a batch, before batches of another size. */
glnn_status glnn__sink_forget_ranks(void *unused, const glnn__tensor *tensor);

/* For the gradients of a part. */
glnn__sink glnn__sink_of(const glnn_learner *learner, const glnn__step *step);

/* Whether the last product of a gradient updates the parameters. If not, because the step depends
 * on the whole gradient, glnn__sink_apply updates them. */
bool glnn__sink_fuses(const glnn__sink *sink);

/* The factors of a gradient. */
typedef enum glnn__sent { GLNN__SENT_DELTAS, GLNN__SENT_INPUTS, GLNN__SENT_COUNT } glnn__sent;

/* Begins to gather a factor of all processes, if they exchange those of these parameters. The
 * passes that compute it have been submitted; its gradient goes to glnn__sink_take later. */
glnn_status glnn__sink_send(const glnn__sink *sink, glnn__sent factor, glnn_matrix *own,
                            glnn__parameters *parameters);

/* Adds one part's gradient, a product without a target, to the sum of the parts, or updates the
 * parameters. */
glnn_status glnn__sink_take(glnn_context *ctx, const glnn__sink *sink,
                            const glnn__product *gradient, glnn__parameters *parameters);

/* The same for a gradient that is a matrix of the shape of the parameters, however it was computed.
 * The update is a pass of its own. */
glnn_status glnn__sink_take_matrix(glnn_context *ctx, const glnn__sink *sink,
                                   const glnn_matrix *gradient, glnn__parameters *parameters);

/* Sums of squares, 1 x 1. Both live as long as the parameters, so that a step allocates nothing. */
typedef struct glnn__squares {
    glnn_matrix *sum;    /* of the gradients so far */
    glnn_matrix *latest; /* of the gradient that was added last */
} glnn__squares;

glnn_status glnn__squares_create(glnn_context *ctx, glnn__squares *squares);
void glnn__squares_destroy(glnn__squares *squares);

/* Adds the sum of squares of a whole gradient; the first one replaces the former sum. */
glnn_status glnn__sink_add_squares(glnn_context *ctx, const glnn__sink *sink,
                                   glnn__parameters *parameters, bool is_first,
                                   const glnn__squares *squares);

/* Updates parameters by the whole gradient, scaled so that the norm of the gradients that were
 * squared is at most clip_norm. Without clipping, `squares` is NULL. */
glnn_status glnn__sink_apply(glnn_context *ctx, const glnn__sink *sink, const glnn_matrix *squares,
                             glnn__parameters *parameters);

/* Destroys the matrices of parameters and of their gradient. */
void glnn__parameters_destroy(glnn__parameters *parameters);

#endif
