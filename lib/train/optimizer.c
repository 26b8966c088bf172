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

/* Of parameters with and without a copy in 16 bits. */
static const glnn__kernel update_epilogue = {UPDATE_NAMES};
static const glnn__kernel copying_epilogue = {UPDATE_NAMES, .takes_sum = true};

/* What the pass makes of share * gradient before it adds it to the parameters. */
typedef struct landing {
    float share;
    glnn__epilogue epilogue;
} landing;

static landing land_momentum(float momentum, float rate)
{
    return (landing){1,
                     {.options = {[UPDATE] = UPDATE_MOMENTUM},
                      .uniforms = {[STATE_FACTOR] = {.f = momentum}, [RATE] = {.f = rate}}}};
}

static landing land_nesterov(float momentum, float rate)
{
    return (landing){1,
                     {.options = {[UPDATE] = UPDATE_NESTEROV},
                      .uniforms = {[STATE_FACTOR] = {.f = momentum},
                                   [RATE] = {.f = rate * (1 + momentum)},
                                   [FORMER_RATE] = {.f = rate * momentum}}}};
}

static landing land_adam(const glnn_optimizer *optimizer, const glnn__part *part)
{
    const double t = (double)part->step;
    const double mean_kept = pow((double)optimizer->beta1, t);
    const double square_kept = pow((double)optimizer->beta2, t);
    return (landing){1 - optimizer->beta1,
                     {.options = {[UPDATE] = UPDATE_ADAM},
                      .uniforms = {[STATE_FACTOR] = {.f = optimizer->beta1},
                                   [RATE] = {.f = part->rate},
                                   [EPSILON] = {.f = optimizer->epsilon},
                                   [MEAN_CORRECTION] = {.f = (float)(1 / (1 - mean_kept))},
                                   [SQUARE_CORRECTION] = {.f = (float)(1 / (1 - square_kept))},
                                   [BETA2] = {.f = optimizer->beta2}}}};
}

static landing choose_landing(const glnn_optimizer *optimizer, const glnn__part *part)
{
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM)
        return land_adam(optimizer, part);
    if (optimizer->kind == GLNN_OPTIMIZER_NESTEROV)
        return land_nesterov(optimizer->momentum, part->rate);
    if (optimizer->momentum > 0)
        return land_momentum(optimizer->momentum, part->rate);
    return (landing){.share = -part->rate};
}

glnn_status glnn__optimizer_update(glnn_context *ctx, const glnn_optimizer *optimizer,
                                   const glnn__part *part, const glnn_matrix *input,
                                   const glnn_matrix *delta, glnn__parameters *p)
{
    if (!part->is_last)
        return accumulate(ctx, part, input, delta, p);
    landing l = choose_landing(optimizer, part);
    l.epilogue.kernel = p->copy ? &copying_epilogue : &update_epilogue;
    l.epilogue.side_outputs[STATE] = p->states[0];
    l.epilogue.side_outputs[SQUARE] = p->states[1];
    l.epilogue.side_outputs[COPY] = p->copy;
    glnn__product product = gradient_product(l.share * part->weight, input, delta, p->values);
    product.addend = part->is_first ? NULL : p->sum;
    product.beta = l.share;
    product.output_factor = 1 - part->rate * optimizer->weight_decay;
    if (p->copy || l.epilogue.options[UPDATE] != UPDATE_NONE)
        product.epilogue = &l.epilogue;
    return glnn__product_run(ctx, &product);
}
