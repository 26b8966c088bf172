#include "train/preparation.h"

#include "base/status.h"

static glnn_status check_fit(const glnn__learner *of, const char *function,
                             const glnn_preparation *preparation)
{
    const int inputs = glnn_preparation_inputs(preparation);
    if (inputs != of->features)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation makes %d inputs, but the learner has %d", function,
                          inputs, of->features);
    if (preparation->classes > 0 && preparation->classes != of->outputs)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation has %d classes, but the learner has %d", function,
                          preparation->classes, of->outputs);
    if (preparation->columns.targets > 0 && !of->learns_targets)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation has %d targets, but the learner learns none",
                          function, preparation->columns.targets);
    if (preparation->columns.targets > 0 && preparation->columns.targets != of->outputs)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation has %d targets, but the learner has %d outputs",
                          function, preparation->columns.targets, of->outputs);
    return GLNN_OK;
}

glnn_status glnn__preparation_set(const glnn__learner *learner, const char *function,
                                  const glnn_preparation *preparation)
{
    glnn_preparation copy = {0};
    if (!learner->self)
        return glnn__fail(GLNN_E_ARG, "%s: the %s is null", function, learner->type->name);
    if (preparation)
        GLNN__TRY(glnn_preparation_copy(preparation, &copy));
    glnn_status status = copy.columns.features > 0 ? check_fit(learner, function, &copy) : GLNN_OK;
    if (status) {
        glnn_preparation_free(&copy);
        return status;
    }
    glnn_preparation_free(&learner->trained->preparation);
    learner->trained->preparation = copy;
    return GLNN_OK;
}

const glnn_preparation *glnn__preparation_get(const glnn__trained *trained)
{
    return trained->preparation.columns.features > 0 ? &trained->preparation : NULL;
}
