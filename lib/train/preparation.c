#include "train/preparation.h"

#include "base/status.h"

static glnn_status check_fit(const glnn__prepared *of, const glnn_preparation *preparation)
{
    const int inputs = glnn_preparation_inputs(preparation);
    if (inputs != of->inputs)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation makes %d inputs, but the learner has %d",
                          of->function, inputs, of->inputs);
    if (preparation->classes > 0 && preparation->classes != of->outputs)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation has %d classes, but the learner has %d",
                          of->function, preparation->classes, of->outputs);
    if (preparation->columns.targets > 0 && !of->has_targets)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation has %d targets, but the learner learns none",
                          of->function, preparation->columns.targets);
    if (preparation->columns.targets > 0 && preparation->columns.targets != of->outputs)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the preparation has %d targets, but the learner has %d outputs",
                          of->function, preparation->columns.targets, of->outputs);
    return GLNN_OK;
}

glnn_status glnn__preparation_set(const glnn__prepared *of, const glnn_preparation *preparation,
                                  glnn_preparation *kept)
{
    glnn_preparation copy = {0};
    if (preparation)
        GLNN__TRY(glnn_preparation_copy(preparation, &copy));
    glnn_status status = copy.columns.features > 0 ? check_fit(of, &copy) : GLNN_OK;
    if (status) {
        glnn_preparation_free(&copy);
        return status;
    }
    glnn_preparation_free(kept);
    *kept = copy;
    return GLNN_OK;
}

const glnn_preparation *glnn__preparation_get(const glnn_preparation *kept)
{
    return kept->columns.features > 0 ? kept : NULL;
}
