/* The numbers of an optimizer's description. */
#include "learn/optimizer.h"

#include "base/names.h"
#include "base/status.h"
#include "data/check.h"

#include <float.h>
#include <math.h>

#define DEFAULT_NOISE_DECAY 0.55f

static const char *const optimizers[] = {
    [GLNN_OPTIMIZER_SGD] = "sgd",     [GLNN_OPTIMIZER_NESTEROV] = "nesterov",
    [GLNN_OPTIMIZER_ADAM] = "adam",   [GLNN_OPTIMIZER_RMSPROP] = "rmsprop",
    [GLNN_OPTIMIZER_RPROP] = "rprop",
};

GLNN__DEFINE_NAMES(glnn_optimizer_kind, optimizers)

static int states_of_rule(const glnn_optimizer *optimizer)
{
    switch (optimizer->kind) {
    case GLNN_OPTIMIZER_ADAM:
    case GLNN_OPTIMIZER_RPROP:
        return 2;
    case GLNN_OPTIMIZER_RMSPROP:
        return optimizer->momentum > 0 ? 2 : 1;
    case GLNN_OPTIMIZER_NESTEROV:
        return 1;
    default:
        return optimizer->momentum > 0;
    }
}

int glnn__optimizer_states(const glnn_optimizer *optimizer)
{
    return states_of_rule(optimizer) + optimizer->two_parts;
}

/* Kinds of optimizers as bits. */
enum {
    SGD = 1 << GLNN_OPTIMIZER_SGD,
    NESTEROV = 1 << GLNN_OPTIMIZER_NESTEROV,
    ADAM = 1 << GLNN_OPTIMIZER_ADAM,
    RMSPROP = 1 << GLNN_OPTIMIZER_RMSPROP,
    RPROP = 1 << GLNN_OPTIMIZER_RPROP,
    ALL = (1 << GLNN_OPTIMIZER_COUNT) - 1
};

/* A number of an optimizer's description. */
typedef struct number {
    const char *name;
    float *value;
    int users;
    float standard; /* the meaning of 0        */
    float least;    /* of a value other than 0 */
    float limit;
} number;

/* A number that is not used may have its standard value, as in descriptions that the library gives
 * out and in files. */
static glnn_status check_number(glnn_optimizer_kind kind, const number *n)
{
    if (*n->value == 0)
        *n->value = n->standard;
    if (!(*n->value >= n->least && *n->value < n->limit))
        return glnn__fail(GLNN_E_ARG, "optimizer: %s is %g; it has to be in [%g, %g)", n->name,
                          (double)*n->value, (double)n->least, (double)n->limit);
    if (!(n->users & 1 << kind) && *n->value != n->standard)
        return glnn__fail(GLNN_E_ARG, "optimizer: %s is %g, but %s does not use it", n->name,
                          (double)*n->value, glnn_optimizer_kind_name(kind));
    return GLNN_OK;
}

static glnn_status check_steps(const glnn_optimizer *o)
{
    if (o->step_first >= o->step_min && o->step_first <= o->step_max)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "optimizer: step_first is %g, which is not in [%g, %g]",
                      (double)o->step_first, (double)o->step_min, (double)o->step_max);
}

glnn_status glnn__optimizer_check(glnn_optimizer *o)
{
    GLNN__TRY(glnn__check_choice("optimizer", (int)o->kind, GLNN_OPTIMIZER_COUNT));
    const float beta2 = o->kind == GLNN_OPTIMIZER_RMSPROP ? 0.99f : 0.999f;
    /* Shaders may take numbers below FLT_MIN for zero. */
    const number numbers[] = {
        {"momentum", &o->momentum, SGD | NESTEROV | RMSPROP, 0, 0, 1},
        {"weight decay", &o->weight_decay, ALL & ~RPROP, 0, 0, INFINITY},
        {"beta1", &o->beta1, ADAM, 0.9f, 0, 1},
        {"beta2", &o->beta2, ADAM | RMSPROP, beta2, 0, 1},
        {"epsilon", &o->epsilon, ADAM | RMSPROP, 1e-8f, FLT_MIN, INFINITY},
        {"clip norm", &o->clip_norm, ALL & ~RPROP, 0, 0, INFINITY},
        {"gradient_noise", &o->gradient_noise, ALL & ~RPROP, 0, 0, INFINITY},
        {"noise_decay", &o->noise_decay, ALL & ~RPROP, DEFAULT_NOISE_DECAY, 0, INFINITY},
        {"step_first", &o->step_first, RPROP, 0.01f, FLT_MIN, INFINITY},
        {"step_min", &o->step_min, RPROP, 1e-6f, FLT_MIN, INFINITY},
        {"step_max", &o->step_max, RPROP, 50, FLT_MIN, INFINITY},
        {"step_increase", &o->step_increase, RPROP, 1.2f, 1, INFINITY},
        {"step_decrease", &o->step_decrease, RPROP, 0.5f, FLT_MIN, 1},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        GLNN__TRY(check_number(o->kind, &numbers[i]));
    if (o->gradient_noise == 0 && o->noise_decay != DEFAULT_NOISE_DECAY)
        return glnn__fail(GLNN_E_ARG, "optimizer: noise_decay is %g, but gradient_noise is 0",
                          (double)o->noise_decay);
    return check_steps(o);
}
