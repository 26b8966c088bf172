#include "learn/passes.h"

#include "base/status.h"
#include "learn/visits.h"

/* The work of a list; `part` or `step` is NULL if it has none. */
typedef struct work {
    glnn_learner *learner;
    const glnn__batch *part;
    const glnn__step *step;
} work;

/* All that the passes depend on, but for the learner and its flags. The place of a part matters to
 * processes that exchange rows. */
static glnn__list_key key_of(int kind, const work *of)
{
    const glnn__step none = {0}, *step = of->step ? of->step : &none;
    const glnn__batch nothing = {0}, *part = of->part ? of->part : &nothing;
    const glnn_dataset *data = part->data;
    return (glnn__list_key){
        .of = {data, data ? data->inputs : NULL, data ? data->targets : NULL, part->order,
               part->distorter,
               of->step ? (const void *)step->exchange : of->learner->measured.rows},
        .numbers = {kind, part->count, part->group, data ? data->samples : 0, step->is_first,
                    step->is_last, step->samples, step->own_samples, step->has_one_part,
                    step->epoch_samples, step->exchange ? part->place : 0},
    };
}

/* Lists are of a training, which tells when they are over. Without samples a process has nothing to
 * do, unless it is part of a sum. */
static glnn_status run(glnn_learner *learner, int kind, glnn__describe_fn *describe, const work *of)
{
    const glnn__list_key key = key_of(kind, of);
    if (of->step && of->step->own_samples == 0 && !of->step->is_summed)
        return GLNN_OK;
    if (!learner->trainer)
        return describe(learner, of);
    return glnn__lists_run(&learner->lists, learner->ctx, kind, &key, &learner->flags, describe,
                           learner, of);
}

/* The part with slots in place of its numbers. */
static glnn__batch with_slots(glnn_learner *learner, const glnn__batch *part)
{
    glnn__batch slotted = *part;
    glnn__batch_fill(part, &learner->slots);
    slotted.slots = &learner->slots;
    return slotted;
}

/* The sums of a step travel between its last part and its update. Statistics are not read before
 * the next step. */
static glnn_status describe_gradient(void *self, const void *what)
{
    const work *of = what;
    glnn_learner *learner = of->learner;
    const glnn__step *step = of->step;
    if (of->part->count == 0)
        GLNN__TRY(glnn__learner_clear(learner, GLNN__ROLES_STEP));
    GLNN__TRY(learner->type->gradient(self, of->part, step));
    if (!step->is_summed || !step->is_last)
        return GLNN_OK;
    GLNN__TRY(glnn__learner_begin_sums(learner, GLNN__ROLES_STEP, step->exchange, 1));
    return glnn__learner_begin_sums(learner, GLNN__ROLES_STATISTIC, step->exchange,
                                    (float)step->own_samples / (float)step->samples);
}

glnn_status glnn__step_complete(const glnn__step *step, glnn_matrix *sum)
{
    GLNN__TRY(glnn__exchange_begin(step->exchange, GLNN__EXCHANGE_WITHIN, sum));
    return glnn__exchange_end(step->exchange, GLNN__EXCHANGE_WITHIN);
}

glnn_status glnn__learner_gradient(glnn_learner *learner, const glnn__batch *part,
                                   const glnn__step *step)
{
    const glnn__batch slotted = with_slots(learner, part);
    const glnn__label former = glnn__label_part(learner->ctx, "add up changes");
    glnn_status status = glnn__batch_prepare(part);
    if (!status)
        status =
            run(learner, GLNN__LIST_GRADIENT, describe_gradient, &(work){learner, &slotted, step});
    return glnn__label_end(learner->ctx, former, status);
}

static glnn_status describe_apply(void *self, const void *what)
{
    const work *of = what;
    glnn_learner *learner = of->learner;
    const glnn__step *step = of->step;
    if (!step->is_summed)
        return learner->type->apply(self, step);
    GLNN__TRY(glnn__learner_end_sums(learner, GLNN__ROLES_STEP, step->exchange));
    GLNN__TRY(learner->type->apply(self, step));
    return glnn__learner_end_sums(learner, GLNN__ROLES_STATISTIC, step->exchange);
}

glnn_status glnn__learner_apply_epoch(glnn_learner *learner)
{
    return learner->updates_by_epoch && learner->type->apply ? learner->type->apply(learner, NULL)
                                                             : GLNN_OK;
}

glnn_status glnn__learner_apply(glnn_learner *learner, const glnn__step *step)
{
    if (learner->updates_by_epoch || !learner->type->apply)
        return GLNN_OK;
    const glnn__label former = glnn__label_part(learner->ctx, "update");
    return glnn__label_end(
        learner->ctx, former,
        run(learner, GLNN__LIST_APPLY, describe_apply, &(work){learner, NULL, step}));
}

static glnn_status describe_measure(void *self, const void *what)
{
    const work *of = what;
    return of->learner->type->measure(self, of->part);
}

glnn_status glnn__learner_measure(glnn_learner *learner, const glnn__batch *part)
{
    const glnn__batch slotted = with_slots(learner, part);
    const glnn__label former = glnn__label_part(learner->ctx, "evaluation");
    return glnn__label_end(
        learner->ctx, former,
        run(learner, GLNN__LIST_MEASURE, describe_measure, &(work){learner, &slotted, NULL}));
}
