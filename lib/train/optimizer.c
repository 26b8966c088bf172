#include "train/optimizer.h"

#include "base/status.h"
#include "pass/pass.h"

#include <math.h>

int glnn__optimizer_states(const glnn_optimizer *optimizer)
{
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM)
        return 2;
    return optimizer->kind == GLNN_OPTIMIZER_NESTEROV || optimizer->momentum > 0;
}

/* A number of an optimizer: what it is in its description, and which optimizers use it. */
typedef struct number {
    const char *name;
    float *value;
    float standard; /* what 0 stands for */
    float limit;
    bool is_used;
} number;

static const char *const kind_names[GLNN_OPTIMIZER_COUNT] = {
    [GLNN_OPTIMIZER_SGD] = "descent",
    [GLNN_OPTIMIZER_NESTEROV] = "Nesterov's descent",
    [GLNN_OPTIMIZER_ADAM] = "Adam",
};

/* The standard value of a number that is not used is let pass: descriptions that the library gives
 * out and files have it. */
static glnn_status check_number(const char *optimizer, const number *n)
{
    if (*n->value == 0)
        *n->value = n->standard;
    if (!(*n->value >= 0 && *n->value < n->limit))
        return glnn__fail(GLNN_E_ARG, "optimizer: %s is %g; it has to be in [0, %g)", n->name,
                          (double)*n->value, (double)n->limit);
    if (!n->is_used && *n->value != n->standard)
        return glnn__fail(GLNN_E_ARG, "optimizer: %s is %g, but %s does not use it", n->name,
                          (double)*n->value, optimizer);
    return GLNN_OK;
}

glnn_status glnn__optimizer_check(glnn_optimizer *optimizer)
{
    if ((unsigned)optimizer->kind >= GLNN_OPTIMIZER_COUNT)
        return glnn__fail(GLNN_E_ARG, "optimizer %d is unknown", (int)optimizer->kind);
    const bool is_adam = optimizer->kind == GLNN_OPTIMIZER_ADAM;
    const number numbers[] = {
        {"momentum", &optimizer->momentum, 0, 1, !is_adam},
        {"weight decay", &optimizer->weight_decay, 0, INFINITY, true},
        {"beta1", &optimizer->beta1, 0.9f, 1, is_adam},
        {"beta2", &optimizer->beta2, 0.999f, 1, is_adam},
        {"epsilon", &optimizer->epsilon, 1e-8f, INFINITY, is_adam},
        {"clip norm", &optimizer->clip_norm, 0, INFINITY, true},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        GLNN__TRY(check_number(kind_names[optimizer->kind], &numbers[i]));
    return GLNN_OK;
}

/* Adds the gradient to the sum of the parts before. */
static glnn_status accumulate(glnn_context *ctx, const glnn__sink *sink, glnn__product product,
                              glnn__parameters *p)
{
    if (!p->sum)
        GLNN__TRY(glnn__matrix_create_scratch(ctx, p->values->layout, p->values->rows,
                                              p->values->columns, "gradient", &p->sum));
    product.c = p->sum;
    product.alpha = sink->weight;
    product.keep = sink->is_first ? 0 : 1;
    return glnn__product_run(ctx, &product);
}

/* What the pass makes of share * gradient before it adds it to the parameters. */
typedef struct landing {
    float share;
    glnn__beside beside;
} landing;

static landing land_momentum(float momentum, float rate, const glnn__parameters *p)
{
    return (landing){1,
                     {.update = GLNN__UPDATE_MOMENTUM,
                      .images = {[GLNN__STATE_IMAGE] = p->states[0]},
                      .scalars = {momentum, rate}}};
}

static landing land_nesterov(float momentum, float rate, const glnn__parameters *p)
{
    return (landing){1,
                     {.update = GLNN__UPDATE_NESTEROV,
                      .images = {[GLNN__STATE_IMAGE] = p->states[0]},
                      .scalars = {momentum, rate * (1 + momentum), rate * momentum}}};
}

static landing land_adam(const glnn_optimizer *optimizer, const glnn__sink *sink,
                         const glnn__parameters *p)
{
    const double t = (double)sink->step;
    return (landing){
        1 - optimizer->beta1,
        {.update = GLNN__UPDATE_ADAM,
         .images = {[GLNN__STATE_IMAGE] = p->states[0], [GLNN__SQUARE_IMAGE] = p->states[1]},
         .scalars = {optimizer->beta1, sink->rate, optimizer->epsilon,
                     (float)(1 / (1 - pow((double)optimizer->beta1, t))),
                     (float)(1 / (1 - pow((double)optimizer->beta2, t))), optimizer->beta2}}};
}

static landing choose_landing(const glnn_optimizer *optimizer, const glnn__sink *sink,
                              const glnn__parameters *p)
{
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM)
        return land_adam(optimizer, sink, p);
    if (optimizer->kind == GLNN_OPTIMIZER_NESTEROV)
        return land_nesterov(optimizer->momentum, sink->rate, p);
    if (optimizer->momentum > 0)
        return land_momentum(optimizer->momentum, sink->rate, p);
    return (landing){.share = -sink->rate};
}

glnn_status glnn__sink_take(glnn_context *ctx, const glnn__sink *sink,
                            const glnn__product *gradient, glnn__parameters *p)
{
    if (!sink->is_last)
        return accumulate(ctx, sink, *gradient, p);
    const landing l = choose_landing(sink->optimizer, sink, p);
    glnn__product product = *gradient;
    product.c = p->values;
    product.alpha = l.share * sink->weight;
    product.addend = sink->is_first ? NULL : p->sum;
    product.beta = l.share;
    product.keep = 1 - sink->rate * sink->optimizer->weight_decay;
    product.beside = l.beside;
    product.beside.images[GLNN__COPY_IMAGE] = p->copy;
    return glnn__product_run(ctx, &product);
}
