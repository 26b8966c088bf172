#include "train/optimizer.h"

#include "base/status.h"
#include "data/check.h"
#include "pass/pass.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

#include <float.h>
#include <math.h>

int glnn__optimizer_states(const glnn_optimizer *optimizer)
{
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM)
        return 2;
    return optimizer->kind == GLNN_OPTIMIZER_NESTEROV || optimizer->momentum > 0;
}

/* A number of an optimizer's description, and whether the optimizer uses it. */
typedef struct number {
    const char *name;
    float *value;
    float standard; /* the meaning of 0        */
    float least;    /* of a value other than 0 */
    float limit;
    bool is_used;
} number;

/* A number that is not used may have its standard value, as in descriptions that the library gives
 * out and in files. */
static glnn_status check_number(const char *optimizer, const number *n)
{
    if (*n->value == 0)
        *n->value = n->standard;
    if (!(*n->value >= n->least && *n->value < n->limit))
        return glnn__fail(GLNN_E_ARG, "optimizer: %s is %g; it has to be in [%g, %g)", n->name,
                          (double)*n->value, (double)n->least, (double)n->limit);
    if (!n->is_used && *n->value != n->standard)
        return glnn__fail(GLNN_E_ARG, "optimizer: %s is %g, but %s does not use it", n->name,
                          (double)*n->value, optimizer);
    return GLNN_OK;
}

glnn_status glnn__optimizer_check(glnn_optimizer *optimizer)
{
    GLNN__TRY(glnn__check_choice("optimizer", (int)optimizer->kind, GLNN_OPTIMIZER_COUNT));
    const bool is_adam = optimizer->kind == GLNN_OPTIMIZER_ADAM;
    /* Shaders may take numbers below FLT_MIN for zero. */
    const number numbers[] = {
        {"momentum", &optimizer->momentum, 0, 0, 1, !is_adam},
        {"weight decay", &optimizer->weight_decay, 0, 0, INFINITY, true},
        {"beta1", &optimizer->beta1, 0.9f, 0, 1, is_adam},
        {"beta2", &optimizer->beta2, 0.999f, 0, 1, is_adam},
        {"epsilon", &optimizer->epsilon, 1e-8f, FLT_MIN, INFINITY, is_adam},
        {"clip norm", &optimizer->clip_norm, 0, 0, INFINITY, true},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        GLNN__TRY(check_number(glnn_optimizer_kind_name(optimizer->kind), &numbers[i]));
    return GLNN_OK;
}

void glnn__parameters_state(const glnn__parameters *p, glnn__state *state, const char *prefix)
{
    glnn__state_matrix(state, p->values, "%s.values", prefix);
    for (int i = 0; i < GLNN__MAX_STATES; ++i)
        glnn__state_matrix(state, p->states[i], "%s.state.%d", prefix, i);
}

static glnn_status make_sum(glnn_context *ctx, glnn__parameters *p)
{
    if (p->sum)
        return GLNN_OK;
    return glnn__matrix_create_scratch(ctx, p->values->layout, p->values->rows, p->values->columns,
                                       "gradient", &p->sum);
}

/* Adds the gradient to the sum of the parts before. */
static glnn_status accumulate(glnn_context *ctx, const glnn__sink *sink, glnn__product product,
                              glnn__parameters *p)
{
    GLNN__TRY(make_sum(ctx, p));
    product.c = p->sum;
    product.alpha = sink->weight;
    product.output_factor = sink->is_first ? 0 : 1;
    return glnn__product_run(ctx, &product);
}

enum { UPDATE_NONE, UPDATE_MOMENTUM, UPDATE_NESTEROV, UPDATE_ADAM };

static const glnn__enumerator updates[] = {GLNN__ENUMERATOR(UPDATE_NONE),
                                           GLNN__ENUMERATOR(UPDATE_MOMENTUM),
                                           GLNN__ENUMERATOR(UPDATE_NESTEROV),
                                           GLNN__ENUMERATOR(UPDATE_ADAM),
                                           {0}};

enum { UPDATE };
enum { STATE_FACTOR, RATE, FORMER_RATE, EPSILON, MEAN_CORRECTION, SQUARE_CORRECTION, BETA2 };
enum { STATE, SQUARE, COPY };

#define UPDATE_NAMES                                                                               \
    .name = "train/update", .options = {[UPDATE] = "UPDATE"},                                      \
    .uniforms = {[STATE_FACTOR] = "float state_factor",                                            \
                 [RATE] = "float rate",                                                            \
                 [FORMER_RATE] = "float former_rate",                                              \
                 [EPSILON] = "float epsilon",                                                      \
                 [MEAN_CORRECTION] = "float mean_correction",                                      \
                 [SQUARE_CORRECTION] = "float square_correction",                                  \
                 [BETA2] = "float beta2"},                                                         \
    .side_outputs = {[STATE] = "STATE", [SQUARE] = "SQUARE", [COPY] = "COPY"},                     \
    .enumerations = {updates}

/* Without and with a copy of the parameters in 16 bits. */
static const glnn__kernel update_epilogue = {UPDATE_NAMES};
static const glnn__kernel copying_epilogue = {UPDATE_NAMES, .takes_sum = true};

/* The step of an optimizer: an epilogue that turns factor * gradient into the change of the
 * parameters. */
typedef struct update {
    float factor;
    glnn__epilogue epilogue;
} update;

static update momentum_update(float momentum, float rate)
{
    return (update){1,
                    {.options = {[UPDATE] = UPDATE_MOMENTUM},
                     .uniforms = {[STATE_FACTOR] = {.f = momentum}, [RATE] = {.f = rate}}}};
}

static update nesterov_update(float momentum, float rate)
{
    return (update){1,
                    {.options = {[UPDATE] = UPDATE_NESTEROV},
                     .uniforms = {[STATE_FACTOR] = {.f = momentum},
                                  [RATE] = {.f = rate * (1 + momentum)},
                                  [FORMER_RATE] = {.f = rate * momentum}}}};
}

static update adam_update(const glnn__sink *sink)
{
    const glnn_optimizer *optimizer = sink->optimizer;
    const double t = (double)sink->step;
    const double mean_bias = pow((double)optimizer->beta1, t);
    const double square_bias = pow((double)optimizer->beta2, t);
    return (update){1 - optimizer->beta1,
                    {.options = {[UPDATE] = UPDATE_ADAM},
                     .uniforms = {[STATE_FACTOR] = {.f = optimizer->beta1},
                                  [RATE] = {.f = sink->rate},
                                  [EPSILON] = {.f = optimizer->epsilon},
                                  [MEAN_CORRECTION] = {.f = (float)(1 / (1 - mean_bias))},
                                  [SQUARE_CORRECTION] = {.f = (float)(1 / (1 - square_bias))},
                                  [BETA2] = {.f = optimizer->beta2}}}};
}

static update choose_update(const glnn__sink *sink)
{
    const glnn_optimizer *optimizer = sink->optimizer;
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM)
        return adam_update(sink);
    if (optimizer->kind == GLNN_OPTIMIZER_NESTEROV)
        return nesterov_update(optimizer->momentum, sink->rate);
    if (optimizer->momentum > 0)
        return momentum_update(optimizer->momentum, sink->rate);
    return (update){.factor = -sink->rate};
}

/* The epilogue of a pass that updates parameters; NULL if the pass itself does all of it. */
static const glnn__epilogue *complete_update(const glnn__parameters *p, update *u)
{
    u->epilogue.kernel = p->copy ? &copying_epilogue : &update_epilogue;
    u->epilogue.side_outputs[STATE] = p->states[0];
    u->epilogue.side_outputs[SQUARE] = p->states[1];
    u->epilogue.side_outputs[COPY] = p->copy;
    return p->copy || u->epilogue.options[UPDATE] != UPDATE_NONE ? &u->epilogue : NULL;
}

/* The factor of the former parameters, which weight decay lessens. */
static float decay_factor(const glnn__sink *sink)
{
    return 1 - sink->rate * sink->optimizer->weight_decay;
}

bool glnn__sink_fuses(const glnn__sink *sink)
{
    return sink->optimizer->clip_norm == 0;
}

glnn_status glnn__sink_take(glnn_context *ctx, const glnn__sink *sink,
                            const glnn__product *gradient, glnn__parameters *p)
{
    if (!sink->is_last || !glnn__sink_fuses(sink))
        return accumulate(ctx, sink, *gradient, p);
    update u = choose_update(sink);
    glnn__product product = *gradient;
    product.c = p->values;
    product.alpha = u.factor * sink->weight;
    product.addend = sink->is_first ? NULL : p->sum;
    product.beta = u.factor;
    product.output_factor = decay_factor(sink);
    product.epilogue = complete_update(p, &u);
    return glnn__product_run(ctx, &product);
}

enum { FACTOR, CLIP_NORM };

static const glnn__kernel apply_kernel = {
    .name = "train/apply",
    .operands = {"SQUARES", "GRADIENT"},
    .unviewed = 1,
    .uniforms = {[FACTOR] = "float factor", [CLIP_NORM] = "float clip_norm"},
};

/* Updates parameters by weight * gradient; `squares` may be NULL, which clips nothing. */
static glnn_status update_by(glnn_context *ctx, const glnn__sink *sink, float weight,
                             const glnn_matrix *gradient, const glnn_matrix *squares,
                             const glnn__parameters *p)
{
    update u = choose_update(sink);
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &apply_kernel,
                                   .operands = {{.matrix = squares}, {.matrix = gradient}},
                                   .output = p->values,
                                   .epilogue = complete_update(p, &u),
                                   .uniforms = {[FACTOR] = {.f = weight * u.factor},
                                                [CLIP_NORM] = {.f = sink->optimizer->clip_norm}},
                                   .blend = true,
                                   .blend_factor = decay_factor(sink),
                               });
}

static glnn_status accumulate_matrix(glnn_context *ctx, const glnn__sink *sink,
                                     const glnn_matrix *gradient, glnn__parameters *p)
{
    GLNN__TRY(make_sum(ctx, p));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &apply_kernel,
                                   .operands = {{.matrix = NULL}, {.matrix = gradient}},
                                   .output = p->sum,
                                   .uniforms = {[FACTOR] = {.f = sink->weight}},
                                   .blend = !sink->is_first,
                                   .blend_factor = 1,
                               });
}

glnn_status glnn__sink_take_matrix(glnn_context *ctx, const glnn__sink *sink,
                                   const glnn_matrix *gradient, glnn__parameters *p)
{
    const bool fuses = sink->is_last && glnn__sink_fuses(sink);
    if (fuses && sink->is_first)
        return update_by(ctx, sink, sink->weight, gradient, NULL, p);
    GLNN__TRY(accumulate_matrix(ctx, sink, gradient, p));
    return fuses ? update_by(ctx, sink, 1, p->sum, NULL, p) : GLNN_OK;
}

static glnn_status add_squares(glnn_context *ctx, const glnn_matrix *gradient, glnn_matrix *squares)
{
    glnn_matrix *own;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, squares->layout, 1, 1, "squares", &own));
    glnn_status status =
        glnn_reduce(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, gradient, own);
    if (!status)
        status = glnn_axpby(ctx, 1, own, 1, squares);
    glnn_matrix_destroy(own);
    return status;
}

glnn_status glnn__sink_add_squares(glnn_context *ctx, const glnn__parameters *p, bool is_first,
                                   glnn_matrix *squares)
{
    if (!is_first)
        return add_squares(ctx, p->sum, squares);
    return glnn_reduce(ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, p->sum, squares);
}

glnn_status glnn__sink_apply(glnn_context *ctx, const glnn__sink *sink, const glnn_matrix *squares,
                             const glnn__parameters *p)
{
    return update_by(ctx, sink, 1, p->sum, squares, p);
}
