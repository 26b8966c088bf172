#include "learn/visits.h"

#include "base/status.h"
#include "learn/snapshot.h"

#include <glnn/map.h>

/* ---- Checkpoints */

static glnn_status exchange(void *user, const glnn__tensor *tensor)
{
    glnn__state *state = user;
    if (tensor->matrix)
        glnn__state_matrix(state, tensor->matrix, "%s", tensor->name);
    else if (tensor->values)
        glnn__state_floats(state, tensor->values, tensor->count, "%s", tensor->name);
    else
        glnn__state_bool(state, tensor->flag, "%s", tensor->name);
    return state->status;
}

void glnn__learner_state(glnn_learner *learner, glnn__state *state)
{
    if (learner->type->state)
        learner->type->state(learner, state);
    glnn__learner_visit(learner, GLNN__ROLES_ALL, exchange, state);
    glnn__snapshot_state(learner, state);
    if (!glnn__state_loads(state))
        return;
    glnn__learner_changed(learner);
    glnn__lists_destroy(&learner->lists); /* which have numbers of the former state */
}

/* ---- Messages */

/* Messages of tensors of some roles. Those of parameters and statistics have the numbers of their
 * layers' gradients and statistics, by which a plan tells how long the messages of a layer take. */
typedef struct messages {
    glnn__exchange *exchange;
    float weight;
    int states;
} messages;

static int number_of(messages *of, const glnn__tensor *tensor)
{
    switch (tensor->role) {
    case GLNN__ROLE_PARAMETER:
        return 2 * tensor->layer;
    case GLNN__ROLE_STATISTIC:
        return 2 * tensor->layer + 1;
    default:
        return GLNN__EXCHANGE_LEARNER / 2 + of->states++;
    }
}

static glnn_status begin(void *user, const glnn__tensor *tensor)
{
    messages *of = user;
    return tensor->matrix ? glnn__exchange_begin_weighted(of->exchange, number_of(of, tensor),
                                                          of->weight, tensor->matrix)
                          : GLNN_OK;
}

static glnn_status end(void *user, const glnn__tensor *tensor)
{
    messages *of = user;
    return tensor->matrix ? glnn__exchange_end(of->exchange, number_of(of, tensor)) : GLNN_OK;
}

/* Each tensor becomes the sum of weight times the tensor over all processes. */
static glnn_status sum(glnn_learner *learner, unsigned roles, float weight)
{
    messages of = {.exchange = learner->exchange, .weight = weight};
    GLNN__TRY(glnn__learner_visit(learner, roles, begin, &of));
    of.states = 0;
    return glnn__learner_visit(learner, roles, end, &of);
}

static glnn_status average(glnn_learner *learner, unsigned roles)
{
    const float weight = (float)(learner->own_samples / learner->all_samples);
    learner->own_samples = learner->all_samples = 0;
    GLNN__TRY(sum(learner, roles, weight));
    glnn__learner_changed(learner);
    return GLNN_OK;
}

glnn_status glnn__learner_follow_averages(glnn_learner *learner, const glnn__step *step,
                                          uint64_t steps)
{
    const int every = glnn__exchange_averages(step->exchange);
    if (every == 0)
        return GLNN_OK;
    learner->own_samples += step->own_samples;
    learner->all_samples += step->samples;
    return steps % (uint64_t)every == 0
               ? average(learner, GLNN__ROLES_PARAMETER | GLNN__ROLES_STATISTIC)
               : GLNN_OK;
}

glnn_status glnn__learner_average(glnn_learner *learner)
{
    const glnn__exchange *exchange = learner->exchange;
    if (!glnn__exchange_averages(exchange))
        return GLNN_OK;
    if (learner->all_samples == 0) {
        learner->own_samples = glnn__exchange_weight(exchange, glnn__exchange_rank(exchange));
        learner->all_samples = 1;
    }
    return average(learner, GLNN__ROLES_PARAMETER | GLNN__ROLES_STATISTIC | GLNN__ROLES_STATE);
}

/* ---- Sums of an epoch */

glnn_status glnn__learner_sum_epoch(glnn_learner *learner)
{
    return learner->exchange ? sum(learner, GLNN__ROLES_SUM, 1) : GLNN_OK;
}

glnn_status glnn__learner_join_sums(glnn_learner *learner)
{
    if (!learner->exchange)
        return GLNN_OK;
    GLNN__TRY(glnn__learner_sum_epoch(learner));
    return learner->type->join_sums ? learner->type->join_sums(learner) : GLNN_OK;
}

static glnn_status clear(void *user, const glnn__tensor *tensor)
{
    (void)user;
    return tensor->matrix ? glnn_fill(tensor->matrix->ctx, 0, tensor->matrix) : GLNN_OK;
}

glnn_status glnn__learner_leave_sums(glnn_learner *learner)
{
    GLNN__TRY(glnn__learner_visit(learner, GLNN__ROLES_SUM, clear, NULL));
    return learner->type->leave_sums ? learner->type->leave_sums(learner) : GLNN_OK;
}
