/* Whether a step of a learner should be faster on the CPU. */
#include "base/sized.h"
#include "base/status.h"
#include "gl/lifetime.h"
#include "learn/learner.h"

static glnn_status check(const glnn_learner *learner, int samples)
{
    if (samples < 1)
        return glnn__fail(GLNN_E_ARG, "a step of %d samples; it has at least one", samples);
    if (!learner->type->describe_step)
        return glnn__fail(GLNN_E_UNSUPPORTED, "the time of a step of a %s cannot be expected",
                          learner->type->name);
    return GLNN_OK;
}

static glnn_status advise(const glnn_learner *learner, int samples, bool may_measure,
                          glnn_advice *out)
{
    const glnn_advice_desc desc = {.task = GLNN_TASK_GEMM};
    glnn__task_work work = {.product_count = 0};
    GLNN__TRY(check(learner, samples));
    learner->type->describe_step(learner, samples, &work);
    return glnn__advise(learner->ctx, &work, &desc, may_measure, out);
}

glnn_status glnn_learner_get_advice(const glnn_learner *learner, int samples, bool may_measure,
                                    glnn_advice *out)
{
    glnn_advice advice;
    GLNN__HELD(learner);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_advice, from_factor, out));
    GLNN__TRY(glnn__gl_enter(learner->ctx));
    GLNN__TRY(glnn__gl_leave(learner->ctx, advise(learner, samples, may_measure, &advice)));
    glnn__sized_fill(out, &advice, sizeof advice);
    return GLNN_OK;
}
