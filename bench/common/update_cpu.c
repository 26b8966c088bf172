#include "common/update_cpu.h"

#include <math.h>

#include "common/arrays.h"

static const float rate = 1e-4f;

struct update_cpu {
    glnn_optimizer what;
    int count;
    float *gradient, *values, *low;
    float *first, *second; /* the states of the optimizer */
    float *changes;        /* of the step                 */
};

update_cpu *update_cpu_new(const glnn_optimizer *optimizer, int parameters)
{
    if (optimizer->gradient_noise > 0)
        return NULL;
    const size_t count = (size_t)parameters;
    update_cpu *u = allocate(1, sizeof *u);
    *u = (update_cpu){.what = *optimizer,
                      .count = parameters,
                      .gradient = random_floats(count, -1, 1),
                      .values = random_floats(count, -1, 1),
                      .low = allocate(count, sizeof(float)),
                      .first = allocate(count, sizeof(float)),
                      .second = random_floats(count, 0, 1),
                      .changes = allocate(count, sizeof(float))};
    return u;
}

void update_cpu_free(update_cpu *u)
{
    free(u->gradient);
    free(u->values);
    free(u->low);
    free(u->first);
    free(u->second);
    free(u->changes);
    free(u);
}

/* ---- The changes of each optimizer */

static void descend(update_cpu *u)
{
    for (int i = 0; i < u->count; ++i)
        u->changes[i] = -rate * u->gradient[i];
}

static void descend_momentum(update_cpu *u)
{
    for (int i = 0; i < u->count; ++i) {
        u->first[i] = u->what.momentum * u->first[i] + u->gradient[i];
        u->changes[i] = -rate * u->first[i];
    }
}

static void descend_nesterov(update_cpu *u)
{
    for (int i = 0; i < u->count; ++i) {
        u->first[i] = u->what.momentum * u->first[i] + u->gradient[i];
        u->changes[i] = -rate * (u->gradient[i] + u->what.momentum * u->first[i]);
    }
}

static void descend_adam(update_cpu *u)
{
    for (int i = 0; i < u->count; ++i) {
        const float g = u->gradient[i];
        u->first[i] = 0.9f * u->first[i] + 0.1f * g;
        u->second[i] = 0.999f * u->second[i] + 0.001f * g * g;
        u->changes[i] = -rate * u->first[i] / (sqrtf(u->second[i]) + 1e-8f);
    }
}

static void descend_rmsprop(update_cpu *u)
{
    for (int i = 0; i < u->count; ++i) {
        const float g = u->gradient[i];
        u->second[i] = 0.99f * u->second[i] + 0.01f * g * g;
        u->changes[i] = -rate * g / (sqrtf(u->second[i]) + 1e-8f);
    }
}

static float sign_of(float x)
{
    return (float)((x > 0) - (x < 0));
}

/* iRprop-: the states are the former gradient and the length of the step. */
static void descend_rprop(update_cpu *u)
{
    for (int i = 0; i < u->count; ++i) {
        const float agreement = sign_of(u->gradient[i]) * sign_of(u->first[i]);
        const float factor = agreement > 0 ? 1.2f : agreement < 0 ? 0.5f : 1;
        const float gradient = agreement < 0 ? 0 : u->gradient[i];
        u->second[i] = fminf(fmaxf(factor * u->second[i], 1e-6f), 50);
        u->first[i] = gradient;
        u->changes[i] = -sign_of(gradient) * u->second[i];
    }
}

/* ---- The parameters */

static void add(update_cpu *u)
{
    for (int i = 0; i < u->count; ++i)
        u->values[i] += u->changes[i];
}

/* The sum and its rounding error (Knuth 1969, section 4.2.2). */
static void add_two_parts(update_cpu *u)
{
    for (int i = 0; i < u->count; ++i) {
        const float former = u->values[i], change = u->low[i] + u->changes[i];
        const float sum = former + change, taken = sum - former;
        u->low[i] = (former - (sum - taken)) + (change - taken);
        u->values[i] = sum;
    }
}

void update_cpu_step(void *state, int turn)
{
    static void (*const rules[])(update_cpu *) = {
        [GLNN_OPTIMIZER_SGD] = descend,         [GLNN_OPTIMIZER_NESTEROV] = descend_nesterov,
        [GLNN_OPTIMIZER_ADAM] = descend_adam,   [GLNN_OPTIMIZER_RMSPROP] = descend_rmsprop,
        [GLNN_OPTIMIZER_RPROP] = descend_rprop,
    };
    update_cpu *u = state;
    const bool has_momentum = u->what.kind == GLNN_OPTIMIZER_SGD && u->what.momentum > 0;
    (void)turn;
    (has_momentum ? descend_momentum : rules[u->what.kind])(u);
    (u->what.two_parts ? add_two_parts : add)(u);
}
