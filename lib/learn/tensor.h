/* Tensors: the arrays of a learner that a training changes. A learner lists them once, in its
 * function `visit`. Checkpoints, snapshots, means and sums over processes and the check for finite
 * numbers all go through this list. */
#ifndef GLNN__LEARN_TENSOR_H
#define GLNN__LEARN_TENSOR_H

#include "learn/optimizer.h"

/* The meaning of a tensor, by which each use of the list takes its own. */
typedef enum glnn__role {
    GLNN__ROLE_PARAMETER, /* is learnt                                                 */
    GLNN__ROLE_ATTACHED,  /* belongs to the parameters, such as their low digits       */
    GLNN__ROLE_STATISTIC, /* is gathered from the samples without a gradient           */
    GLNN__ROLE_STATE,     /* of the optimizer                                          */
    GLNN__ROLE_SUM,       /* over the samples of an epoch, each process over its own   */
    GLNN__ROLE_GREATEST,  /* rows of an epoch with the greatest first numbers, in their order, each
                             process of its own samples */
    GLNN__ROLE_STEP       /* a sum over the samples of a step, which nothing outlives  */
} glnn__role;

/* Sets of roles. */
enum {
    GLNN__ROLES_PARAMETER = 1 << GLNN__ROLE_PARAMETER,
    GLNN__ROLES_STATISTIC = 1 << GLNN__ROLE_STATISTIC,
    GLNN__ROLES_STATE = 1 << GLNN__ROLE_STATE,
    GLNN__ROLES_SUM = 1 << GLNN__ROLE_SUM,
    GLNN__ROLES_STEP = 1 << GLNN__ROLE_STEP,
    GLNN__ROLES_EPOCH = GLNN__ROLES_SUM | 1 << GLNN__ROLE_GREATEST,
    GLNN__ROLES_SNAPSHOT = GLNN__ROLES_PARAMETER | GLNN__ROLES_STATISTIC | 1 << GLNN__ROLE_ATTACHED,
    GLNN__ROLES_ALL = (2 << GLNN__ROLE_GREATEST) - 1
};

/* One of `matrix`, `values` and `flag` is not NULL. */
typedef struct glnn__tensor {
    char name[40]; /* unique among the tensors of the learner */
    glnn__role role;
    int layer;                    /* that it belongs to, from 0                    */
    glnn_matrix *matrix;          /* on the GPU                                    */
    glnn__parameters *parameters; /* whose values the matrix is; NULL: of none     */
    float *values;                /* in main memory: `count` of them               */
    size_t count, columns;        /* in rows of so many                            */
    bool *flag;                   /* in main memory: whether another tensor is used */
} glnn__tensor;

typedef glnn_status glnn__visitor_fn(void *user, const glnn__tensor *tensor);

/* A visit under way. */
typedef struct glnn__visitor {
    unsigned roles;
    glnn__visitor_fn *take;
    void *user;
    glnn_status status; /* the first error, after which no tensor is taken */
} glnn__visitor;

/* For `visit`: each takes a tensor, whose name follows as for printf. NULL matrices and values are
 * left out. Numbers that do not come in rows have 1 column. */
__attribute__((format(printf, 6, 7))) void
glnn__visit_matrix(glnn__visitor *visitor, glnn__role role, int layer, glnn_matrix *matrix,
                   glnn__parameters *parameters, const char *name, ...);
__attribute__((format(printf, 6, 7))) void glnn__visit_floats(glnn__visitor *visitor,
                                                              glnn__role role, float *values,
                                                              size_t count, size_t columns,
                                                              const char *name, ...);
__attribute__((format(printf, 4, 5))) void glnn__visit_flag(glnn__visitor *visitor, glnn__role role,
                                                            bool *flag, const char *name, ...);

/* The matrix of a tensor as passes read it. */
static inline const glnn_matrix *glnn__tensor_read(const glnn__tensor *tensor)
{
    const glnn__parameters *of = tensor->parameters;
    return of && of->copy ? of->copy : tensor->matrix;
}

#endif
