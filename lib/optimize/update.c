#include "optimize/update.h"

#include "base/random.h"

#include <math.h>

/* Random numbers of updates come from counters that no other use has. */
#define NOISE_STREAM 2

enum { UPDATE_NONE, UPDATE_MOMENTUM, UPDATE_NESTEROV, UPDATE_ADAM, UPDATE_RMSPROP };

static const glnn__enumerator updates[] = {
    GLNN__ENUMERATOR(UPDATE_NONE),     GLNN__ENUMERATOR(UPDATE_MOMENTUM),
    GLNN__ENUMERATOR(UPDATE_NESTEROV), GLNN__ENUMERATOR(UPDATE_ADAM),
    GLNN__ENUMERATOR(UPDATE_RMSPROP),  {0}};

/* Of both kernels. */
enum { NOISE, UPDATE };
enum { DECAY, DEVIATION, KEY_LOW, KEY_HIGH, SHARED_UNIFORMS };
enum { STATE, SQUARE, LOW, COPY };

#define SHARED_UNIFORM_NAMES                                                                       \
    [DECAY] = "float decay", [DEVIATION] = "float deviation", [KEY_LOW] = "int key_low",           \
    [KEY_HIGH] = "int key_high"

enum {
    STATE_FACTOR = SHARED_UNIFORMS,
    RATE,
    FORMER_RATE,
    EPSILON,
    MEAN_CORRECTION,
    SQUARE_CORRECTION,
    BETA2
};

static const glnn__kernel update_kernel = {
    .name = "optimize/update",
    .options = {[NOISE] = "NOISE", [UPDATE] = "UPDATE"},
    .uniforms = {SHARED_UNIFORM_NAMES, [STATE_FACTOR] = "float state_factor", [RATE] = "float rate",
                 [FORMER_RATE] = "float former_rate", [EPSILON] = "float epsilon",
                 [MEAN_CORRECTION] = "float mean_correction",
                 [SQUARE_CORRECTION] = "float square_correction", [BETA2] = "float beta2"},
    .side_outputs = {[STATE] = "STATE", [SQUARE] = "SQUARE", [LOW] = "LOW", [COPY] = "COPY"},
    .enumerations = {updates},
};

enum { INCREASE = SHARED_UNIFORMS, DECREASE, LEAST, MOST, FIRST };
enum { STEP = SQUARE };

static const glnn__kernel rprop_kernel = {
    .name = "optimize/rprop",
    .options = {[NOISE] = "NOISE"},
    .uniforms = {SHARED_UNIFORM_NAMES, [INCREASE] = "float step_increase",
                 [DECREASE] = "float step_decrease", [LEAST] = "float step_min",
                 [MOST] = "float step_max", [FIRST] = "float step_first"},
    .side_outputs = {[STATE] = "STATE", [STEP] = "STEP", [LOW] = "LOW", [COPY] = "COPY"},
};

static glnn__update plain_update(float rate)
{
    return (glnn__update){.factor = -rate, .epilogue = {.kernel = &update_kernel}};
}

static glnn__update momentum_update(float momentum, float rate)
{
    return (glnn__update){
        .factor = 1,
        .epilogue = {.kernel = &update_kernel,
                     .options = {[UPDATE] = UPDATE_MOMENTUM},
                     .uniforms = {[STATE_FACTOR] = {.f = momentum}, [RATE] = {.f = rate}}}};
}

static glnn__update nesterov_update(float momentum, float rate)
{
    return (glnn__update){.factor = 1,
                          .epilogue = {.kernel = &update_kernel,
                                       .options = {[UPDATE] = UPDATE_NESTEROV},
                                       .uniforms = {[STATE_FACTOR] = {.f = momentum},
                                                    [RATE] = {.f = rate * (1 + momentum)},
                                                    [FORMER_RATE] = {.f = rate * momentum}}}};
}

static glnn__update adam_update(const glnn__sink *sink)
{
    const glnn_optimizer *optimizer = sink->optimizer;
    const double t = (double)sink->step;
    const double mean_bias = pow((double)optimizer->beta1, t);
    const double square_bias = pow((double)optimizer->beta2, t);
    return (glnn__update){
        .factor = 1 - optimizer->beta1,
        .epilogue = {.kernel = &update_kernel,
                     .options = {[UPDATE] = UPDATE_ADAM},
                     .uniforms = {[STATE_FACTOR] = {.f = optimizer->beta1},
                                  [RATE] = {.f = sink->rate},
                                  [EPSILON] = {.f = optimizer->epsilon},
                                  [MEAN_CORRECTION] = {.f = (float)(1 / (1 - mean_bias))},
                                  [SQUARE_CORRECTION] = {.f = (float)(1 / (1 - square_bias))},
                                  [BETA2] = {.f = optimizer->beta2}}}};
}

static glnn__update rmsprop_update(const glnn_optimizer *optimizer, float rate)
{
    return (glnn__update){.factor = 1,
                          .epilogue = {.kernel = &update_kernel,
                                       .options = {[UPDATE] = UPDATE_RMSPROP},
                                       .uniforms = {[STATE_FACTOR] = {.f = optimizer->momentum},
                                                    [RATE] = {.f = rate},
                                                    [EPSILON] = {.f = optimizer->epsilon},
                                                    [BETA2] = {.f = optimizer->beta2}}}};
}

static glnn__update rprop_update(const glnn_optimizer *optimizer)
{
    return (glnn__update){.factor = 1,
                          .epilogue = {.kernel = &rprop_kernel,
                                       .uniforms = {[INCREASE] = {.f = optimizer->step_increase},
                                                    [DECREASE] = {.f = optimizer->step_decrease},
                                                    [LEAST] = {.f = optimizer->step_min},
                                                    [MOST] = {.f = optimizer->step_max},
                                                    [FIRST] = {.f = optimizer->step_first}}}};
}

static glnn__update update_of(const glnn__sink *sink)
{
    const glnn_optimizer *optimizer = sink->optimizer;
    switch (optimizer->kind) {
    case GLNN_OPTIMIZER_NESTEROV:
        return nesterov_update(optimizer->momentum, sink->rate);
    case GLNN_OPTIMIZER_ADAM:
        return adam_update(sink);
    case GLNN_OPTIMIZER_RMSPROP:
        return rmsprop_update(optimizer, sink->rate);
    case GLNN_OPTIMIZER_RPROP:
        return rprop_update(optimizer);
    default:
        return optimizer->momentum > 0 ? momentum_update(optimizer->momentum, sink->rate)
                                       : plain_update(sink->rate);
    }
}

/* The states as the kernel knows them. The first state of RMSprop is the second moment. */
static void give_states(const glnn__sink *sink, const glnn__parameters *p, glnn__epilogue *epilogue)
{
    const bool is_rmsprop = sink->optimizer->kind == GLNN_OPTIMIZER_RMSPROP;
    glnn_matrix *const states[] = {p->states[0] == p->low ? NULL : p->states[0],
                                   p->states[1] == p->low ? NULL : p->states[1]};
    epilogue->side_outputs[STATE] = states[is_rmsprop ? 1 : 0];
    epilogue->side_outputs[SQUARE] = states[is_rmsprop ? 0 : 1];
    epilogue->side_outputs[LOW] = p->low;
    epilogue->side_outputs[COPY] = p->copy;
    epilogue->takes_sum = p->copy != NULL;
    epilogue->blends = p->low != NULL;
}

/* Noise for factor * gradient. The key depends on all that the place in the parameters does not. */
static void add_noise(const glnn__sink *sink, const glnn__parameters *p, glnn__update *u)
{
    const double variance = (double)sink->optimizer->gradient_noise /
                            pow((double)sink->step, (double)sink->optimizer->noise_decay);
    const uint32_t counter[4] = {(uint32_t)sink->step, (uint32_t)(sink->step >> 32),
                                 (uint32_t)p->number, NOISE_STREAM};
    uint32_t key[4];
    glnn__philox(sink->seed, counter, key);
    u->epilogue.options[NOISE] = 1;
    u->epilogue.uniforms[DEVIATION].f = u->factor * (float)sqrt(variance);
    u->epilogue.uniforms[KEY_LOW].i = (int)key[0];
    u->epilogue.uniforms[KEY_HIGH].i = (int)key[1];
}

glnn__update glnn__update_choose(const glnn__sink *sink, const glnn__parameters *p)
{
    const float decay = sink->rate * sink->optimizer->weight_decay;
    glnn__update u = update_of(sink);
    give_states(sink, p, &u.epilogue);
    u.kept = u.epilogue.blends ? 1 : 1 - decay;
    u.epilogue.uniforms[DECAY].f = decay;
    if (sink->optimizer->gradient_noise > 0)
        add_noise(sink, p, &u);
    u.is_plain = u.epilogue.kernel == &update_kernel && u.epilogue.options[UPDATE] == UPDATE_NONE &&
                 !u.epilogue.options[NOISE] && !u.epilogue.takes_sum && !u.epilogue.blends;
    return u;
}
