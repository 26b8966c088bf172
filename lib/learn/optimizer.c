/* The numbers of an optimizer's description. */
#include "learn/optimizer.h"

#include "base/names.h"
#include "base/status.h"

#include <float.h>
#include <stddef.h>

#define NOISE_DECAY   0.55
#define BETA2         0.999
#define RMSPROP_BETA2 0.99

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

GLNN__DECLARE_NAMES(glnn_optimizer_kind)

#define AT(member) offsetof(glnn_optimizer, member)
/* Shaders may take numbers below FLT_MIN for zero. */
static const glnn__field fields[] = {
    GLNN__ROW(CHOICE, kind, GLNN__IN_FILES, .key = "optimizer",
              .names = &glnn__names_of_glnn_optimizer_kind),
    GLNN__ROW(FLOAT, momentum, GLNN__IN_FILES, .users = SGD | NESTEROV | RMSPROP, .most = 1,
              .below = true),
    GLNN__ROW(FLOAT, weight_decay, GLNN__IN_FILES, .users = ALL & ~RPROP),
    GLNN__ROW(FLOAT, beta1, GLNN__IN_FILES, .users = ADAM, .standard = 0.9, .above = true,
              .most = 1, .below = true),
    GLNN__ROW(FLOAT, beta2, GLNN__IN_FILES, .users = ADAM | RMSPROP, .standard = BETA2,
              .zero = GLNN__TEXT(BETA2) ", or " GLNN__TEXT(RMSPROP_BETA2) " with rmsprop",
              .above = true, .most = 1, .below = true),
    GLNN__ROW(FLOAT, epsilon, GLNN__IN_FILES, .users = ADAM | RMSPROP, .standard = 1e-8,
              .least = FLT_MIN),
    GLNN__ROW(FLOAT, clip_norm, GLNN__IN_FILES, .users = ALL & ~RPROP),
    GLNN__ROW(BOOL, two_parts, GLNN__IN_FILES),
    GLNN__ROW(FLOAT, gradient_noise, GLNN__IN_FILES, .users = ALL & ~RPROP),
    GLNN__ROW(FLOAT, noise_decay, GLNN__IN_FILES, .users = ALL & ~RPROP, .standard = NOISE_DECAY,
              .above = true),
    GLNN__ROW(FLOAT, step_first, GLNN__IN_FILES, .users = RPROP, .standard = 0.01, .above = true),
    GLNN__ROW(FLOAT, step_min, GLNN__IN_FILES, .users = RPROP, .standard = 1e-6, .least = FLT_MIN),
    GLNN__ROW(FLOAT, step_max, GLNN__IN_FILES, .users = RPROP, .standard = 50, .above = true),
    GLNN__ROW(FLOAT, step_increase, GLNN__IN_FILES, .users = RPROP, .standard = 1.2, .least = 1),
    GLNN__ROW(FLOAT, step_decrease, GLNN__IN_FILES, .users = RPROP, .standard = 0.5,
              .least = FLT_MIN, .most = 1, .below = true),
};

const glnn__fields glnn__optimizer_fields = GLNN__DESCRIPTION(glnn_optimizer, fields);

/* A number that is not used may have its standard value, as in descriptions that the library gives
 * out and in files. */
static glnn_status check_users(const glnn_optimizer *o)
{
    glnn__place place;
    for (int i = 0; glnn__fields_at(&glnn__optimizer_fields, i, &place); ++i) {
        const glnn__field *field = place.field;
        if (!field->users || field->users >> o->kind & 1)
            continue;
        const float value = (float)glnn__field_number(&place, o);
        if (value != (float)field->standard)
            return glnn__fail(GLNN_E_ARG, "optimizer: %s is %g, but %s does not use it",
                              field->name, (double)value, glnn_optimizer_kind_name(o->kind));
    }
    return GLNN_OK;
}

glnn_status glnn__optimizer_check(glnn_optimizer *o)
{
    if (o->beta2 == 0)
        o->beta2 = (float)(o->kind == GLNN_OPTIMIZER_RMSPROP ? RMSPROP_BETA2 : BETA2);
    GLNN__TRY(check_users(o));
    if (o->gradient_noise == 0 && o->noise_decay != (float)NOISE_DECAY)
        return glnn__fail(GLNN_E_ARG, "optimizer: noise_decay is %g, but gradient_noise is 0",
                          (double)o->noise_decay);
    if (o->step_first >= o->step_min && o->step_first <= o->step_max)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "optimizer: step_first is %g, which is not in [%g, %g]",
                      (double)o->step_first, (double)o->step_min, (double)o->step_max);
}

static bool is_valid(const glnn_optimizer *o, int state, float value)
{
    if (o->kind == GLNN_OPTIMIZER_RPROP && state == 1)
        return value == 0 || (value >= o->step_min && value <= o->step_max);
    const bool is_square = (o->kind == GLNN_OPTIMIZER_ADAM && state == 1) ||
                           (o->kind == GLNN_OPTIMIZER_RMSPROP && state == 0);
    return !is_square || value >= 0;
}

glnn_status glnn__optimizer_check_state(const glnn_optimizer *o, int state, size_t count,
                                        const float *values)
{
    for (size_t i = 0; i < count; ++i)
        if (!is_valid(o, state, values[i]))
            return o->kind == GLNN_OPTIMIZER_RPROP
                       ? glnn__fail(GLNN_E_ARG,
                                    "has a step of %g in place %zu; it has to be in [%g, %g], or 0 "
                                    "before the first update",
                                    (double)values[i], i, (double)o->step_min, (double)o->step_max)
                       : glnn__fail(GLNN_E_ARG,
                                    "has a mean of squares of %g in place %zu; it must not be "
                                    "negative",
                                    (double)values[i], i);
    return GLNN_OK;
}
