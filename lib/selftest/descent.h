/* Training steps against a reference that knows only the loss: its gradient comes from differences
 * of the loss in double precision. */
#ifndef GLNN__SELFTEST_DESCENT_H
#define GLNN__SELFTEST_DESCENT_H

#include "selftest/cell.h"

/* A learner of samples whose labels are 0, 1, ..., `classes` - 1, 0, ... */
typedef struct glnn__descent {
    const void *of; /* passed to the functions */
    int features, samples, classes;
    const float *inputs;
    int parameters;     /* numbers of all tensors of parameters, in their order, or of `tensor` */
    const char *tensor; /* that alone is compared; NULL: all of the parameters                  */
    glnn_optimizer optimizer;
    float rate;
    double (*loss)(const void *of, const float *inputs, const double *parameters);
    glnn_status (*create)(glnn_context *ctx, const void *of, const glnn_optimizer *optimizer,
                          glnn_layout layout, glnn_learner **out);
} glnn__descent;

/* The most parameters. */
#define GLNN__DESCENT_PARAMETERS 160

/* Makes two steps and compares all parameters. The ways share the layouts. */
void glnn__descent_test(glnn_context *ctx, const glnn__descent *descent, glnn__turn turn,
                        glnn__cell *cell);

#endif
