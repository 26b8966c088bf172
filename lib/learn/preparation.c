#include "learn/learner.h"

#include "base/status.h"
#include "io/preparation.h"

/* It makes all inputs, and classes or targets only as the learner has them. */
static glnn_status check_fit(glnn_learner *of, const glnn_preparation *preparation)
{
    const int classes = preparation->columns.classes, targets = preparation->columns.targets;
    const struct {
        const char *what;
        int made, had;
    } counts[] = {
        {"inputs", glnn_preparation_get_inputs(preparation), of->features},
        {"classes", classes, classes > 0 ? of->outputs : classes},
        {"targets", targets, targets > 0 ? of->targets : targets},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        if (counts[i].made != counts[i].had)
            return glnn__fail(GLNN_E_SHAPE, "the preparation makes %d %s, but the learner has %d",
                              counts[i].made, counts[i].what, counts[i].had);
    return GLNN_OK;
}

static glnn_status set(glnn_learner *learner, const char *function,
                       const glnn_preparation *preparation)
{
    glnn_preparation copy = {0};
    if (preparation)
        GLNN__TRY(glnn__preparation_copy(function, preparation, &copy));
    glnn_status status = copy.columns.features > 0 ? check_fit(learner, &copy) : GLNN_OK;
    if (status) {
        glnn_preparation_free(&copy);
        return status;
    }
    glnn_preparation_free(&learner->preparation);
    learner->preparation = copy;
    return GLNN_OK;
}

glnn_status glnn_learner_set_preparation(glnn_learner *learner, const glnn_preparation *preparation)
{
    GLNN__HELD(learner);
    return glnn__fail_in(__func__, set(learner, __func__, preparation));
}

const glnn_preparation *glnn_learner_get_preparation(const glnn_learner *learner)
{
    return learner && learner->preparation.columns.features > 0 ? &learner->preparation : NULL;
}
