#include "learn/visits.h"

#include "base/status.h"
#include "learn/snapshot.h"

#include <glnn/map.h>

#include <string.h>

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
 * layers' messages, by which a plan tells how long the messages of a layer take. */
typedef struct messages {
    glnn__exchange *exchange;
    float weight;
    int others;
} messages;

static int number_of(messages *of, const glnn__tensor *tensor)
{
    switch (tensor->role) {
    case GLNN__ROLE_PARAMETER:
        return 2 * tensor->layer;
    case GLNN__ROLE_STATISTIC:
        return 2 * tensor->layer + 1;
    default:
        return GLNN__EXCHANGE_TENSORS + of->others++;
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

glnn_status glnn__learner_begin_sums(glnn_learner *learner, unsigned roles,
                                     glnn__exchange *exchange, float weight)
{
    return glnn__learner_visit(learner, roles, begin,
                               &(messages){.exchange = exchange, .weight = weight});
}

glnn_status glnn__learner_end_sums(glnn_learner *learner, unsigned roles, glnn__exchange *exchange)
{
    return glnn__learner_visit(learner, roles, end, &(messages){.exchange = exchange});
}

static glnn_status average(glnn_learner *learner, unsigned roles, glnn__exchange *exchange)
{
    GLNN__TRY(
        glnn__learner_begin_sums(learner, roles, exchange, glnn__exchange_take_weight(exchange)));
    GLNN__TRY(glnn__learner_end_sums(learner, roles, exchange));
    glnn__learner_changed(learner);
    return GLNN_OK;
}

glnn_status glnn__learner_follow_averages(glnn_learner *learner, const glnn__step *step,
                                          uint64_t steps)
{
    const int every = glnn__exchange_averages(step->exchange);
    if (every == 0)
        return GLNN_OK;
    glnn__exchange_count_samples(step->exchange, step->own_samples, step->samples);
    return steps % (uint64_t)every == 0
               ? average(learner, GLNN__ROLES_PARAMETER | GLNN__ROLES_STATISTIC, step->exchange)
               : GLNN_OK;
}

glnn_status glnn__learner_average(glnn_learner *learner, glnn__exchange *exchange)
{
    return glnn__exchange_averages(exchange)
               ? average(learner, GLNN__ROLES_PARAMETER | GLNN__ROLES_STATISTIC | GLNN__ROLES_STATE,
                         exchange)
               : GLNN_OK;
}

/* ---- An epoch */

static glnn_status join_values(void *user, const glnn__tensor *tensor)
{
    glnn__exchange *exchange = user;
    if (!tensor->values)
        return GLNN_OK;
    if (tensor->role == GLNN__ROLE_GREATEST)
        return glnn__exchange_keep_greatest(exchange, tensor->values,
                                            tensor->count / tensor->columns, tensor->columns);
    GLNN__TRY(glnn__exchange_begin_numbers(exchange, GLNN__EXCHANGE_VALUES, tensor->values,
                                           tensor->count));
    return glnn__exchange_end(exchange, GLNN__EXCHANGE_VALUES);
}

glnn_status glnn__learner_join(glnn_learner *learner, glnn__exchange *exchange)
{
    if (!exchange)
        return GLNN_OK;
    GLNN__TRY(glnn__learner_begin_sums(learner, GLNN__ROLES_SUM, exchange, 1));
    GLNN__TRY(glnn__learner_end_sums(learner, GLNN__ROLES_SUM, exchange));
    return glnn__learner_visit(learner, GLNN__ROLES_EPOCH, join_values, exchange);
}

static glnn_status clear(void *user, const glnn__tensor *tensor)
{
    (void)user;
    if (tensor->matrix)
        return glnn_fill(tensor->matrix->ctx, 0, tensor->matrix);
    memset(tensor->values, 0, tensor->count * sizeof *tensor->values);
    return GLNN_OK;
}

glnn_status glnn__learner_clear(glnn_learner *learner, unsigned roles)
{
    return glnn__learner_visit(learner, roles, clear, NULL);
}

/* ---- A plan */

typedef struct layers {
    glnn__exchanged *list;
    int count;
} layers;

/* Factors are gathered in 32 bits. */
static glnn_status list_layer(void *user, const glnn__tensor *tensor)
{
    layers *to = user;
    const glnn__parameters *of = tensor->parameters;
    if (!of || !of->name)
        return GLNN_OK;
    const bool is_gathered = of->is_product && !of->copy;
    const double rows = of->values->rows, columns = of->values->columns;
    to->list[to->count++] = (glnn__exchanged){
        .layer = tensor->layer,
        .name = of->name,
        .first = 2 * tensor->layer,
        .messages = 2,
        .parameters = rows * columns,
        .inputs = is_gathered ? rows - 1 : 0,
        .units = is_gathered ? columns : 0,
    };
    return GLNN_OK;
}

int glnn__learner_list_exchanged(glnn_learner *learner,
                                 glnn__exchanged out[GLNN_EXCHANGE_MAX_LAYERS])
{
    layers to = {out, 0};
    glnn__learner_visit(learner, GLNN__ROLES_PARAMETER, list_layer, &to);
    return to.count;
}
