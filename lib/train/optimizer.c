#include "train/optimizer.h"

#include "base/status.h"
#include "ops/gemm/product.h"
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
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        GLNN__TRY(check_number(kind_names[optimizer->kind], &numbers[i]));
    return GLNN_OK;
}

static glnn__product gradient_product(float weight, const glnn_matrix *input,
                                      const glnn_matrix *delta, glnn_matrix *out)
{
    return (glnn__product){
        .a = input,
        .b = delta,
        .c = out,
        .alpha = weight,
        .transpose_a = true,
        .augment = true,
    };
}

glnn_status glnn__gradient(glnn_context *ctx, float weight, const glnn_matrix *input,
                           const glnn_matrix *delta, bool adds, glnn_matrix *out)
{
    glnn__product product = gradient_product(weight, input, delta, out);
    product.output_factor = adds;
    return glnn__product_run(ctx, &product);
}

/* The parts of a batch but the last add their gradients up. */
static glnn_status accumulate(glnn_context *ctx, const glnn__part *part, const glnn_matrix *input,
                              const glnn_matrix *delta, glnn__parameters *p)
{
    if (!p->sum)
        GLNN__TRY(glnn__matrix_create_scratch(ctx, p->values->layout, p->values->rows,
                                              p->values->columns, "gradient", &p->sum));
    return glnn__gradient(ctx, part->weight, input, delta, !part->is_first, p->sum);
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

static landing land_adam(const glnn_optimizer *optimizer, const glnn__part *part,
                         const glnn__parameters *p)
{
    const double t = (double)part->step;
    return (landing){
        1 - optimizer->beta1,
        {.update = GLNN__UPDATE_ADAM,
         .images = {[GLNN__STATE_IMAGE] = p->states[0], [GLNN__SQUARE_IMAGE] = p->states[1]},
         .scalars = {optimizer->beta1, part->rate, optimizer->epsilon,
                     (float)(1 / (1 - pow((double)optimizer->beta1, t))),
                     (float)(1 / (1 - pow((double)optimizer->beta2, t))), optimizer->beta2}}};
}

static landing choose_landing(const glnn_optimizer *optimizer, const glnn__part *part,
                              const glnn__parameters *p)
{
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM)
        return land_adam(optimizer, part, p);
    if (optimizer->kind == GLNN_OPTIMIZER_NESTEROV)
        return land_nesterov(optimizer->momentum, part->rate, p);
    if (optimizer->momentum > 0)
        return land_momentum(optimizer->momentum, part->rate, p);
    return (landing){.share = -part->rate};
}

glnn_status glnn__optimizer_update(glnn_context *ctx, const glnn_optimizer *optimizer,
                                   const glnn__part *part, const glnn_matrix *input,
                                   const glnn_matrix *delta, glnn__parameters *p)
{
    if (!part->is_last)
        return accumulate(ctx, part, input, delta, p);
    const landing l = choose_landing(optimizer, part, p);
    glnn__product product = gradient_product(l.share * part->weight, input, delta, p->values);
    product.addend = part->is_first ? NULL : p->sum;
    product.beta = l.share;
    product.output_factor = 1 - part->rate * optimizer->weight_decay;
    product.beside = l.beside;
    product.beside.images[GLNN__COPY_IMAGE] = p->copy;
    return glnn__product_run(ctx, &product);
}
