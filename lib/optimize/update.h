/* The update of parameters by a gradient: the epilogue of the pass that computes the gradient. */
#ifndef GLNN__OPTIMIZE_UPDATE_H
#define GLNN__OPTIMIZE_UPDATE_H

#include "optimize/optimizer.h"

/* The epilogue turns the gradient, times the optimizer's factor, into the change of the parameters.
 * The pass adds the change to kept * parameters. */
typedef struct glnn__update {
    glnn__uniform kept;
    glnn__epilogue epilogue;
    bool is_plain; /* the epilogue has nothing to do */
} glnn__update;

glnn__update glnn__update_choose(const glnn__sink *sink, const glnn__parameters *parameters);

/* The epilogue; NULL if the pass itself does all of it. */
static inline const glnn__epilogue *glnn__update_epilogue(const glnn__update *update)
{
    return update->is_plain ? NULL : &update->epilogue;
}

#endif
