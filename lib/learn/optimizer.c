#include "learn/optimizer.h"

#include "base/status.h"
#include "ops/combine.h"
#include "ops/gemm_plan.h"
#include "pass/pass.h"

#include <glnn/map.h>

#include <math.h>

int glnn__optimizer_states(const glnn_optimizer *optimizer)
{
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM)
        return 2;
    return optimizer->kind == GLNN_OPTIMIZER_NESTEROV || optimizer->momentum > 0;
}

glnn_status glnn__optimizer_check(glnn_optimizer *optimizer)
{
    if ((unsigned)optimizer->kind >= GLNN_OPTIMIZER_COUNT)
        return glnn__fail(GLNN_E_ARG, "optimizer %d is unknown", (int)optimizer->kind);
    if (optimizer->beta1 == 0)
        optimizer->beta1 = 0.9f;
    if (optimizer->beta2 == 0)
        optimizer->beta2 = 0.999f;
    if (optimizer->epsilon == 0)
        optimizer->epsilon = 1e-8f;
    const struct {
        const char *name;
        float value, limit;
    } numbers[] = {
        {"momentum", optimizer->momentum, 1},
        {"beta1", optimizer->beta1, 1},
        {"beta2", optimizer->beta2, 1},
        {"weight decay", optimizer->weight_decay, INFINITY},
        {"epsilon", optimizer->epsilon, INFINITY},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (!(numbers[i].value >= 0 && numbers[i].value < numbers[i].limit))
            return glnn__fail(GLNN_E_ARG, "optimizer: %s is %g; it has to be in [0, %g)",
                              numbers[i].name, (double)numbers[i].value, (double)numbers[i].limit);
    return GLNN_OK;
}

glnn_status glnn__gradient(glnn_context *ctx, float weight, const glnn_matrix *input,
                           const glnn_matrix *delta, float beta, const glnn_matrix *addend,
                           glnn_matrix *out)
{
    const glnn__product product = {
        .a = input,
        .b = delta,
        .addend = addend,
        .c = out,
        .alpha = weight,
        .beta = beta,
        .transpose_a = true,
        .augment = true,
    };
    return glnn__product_run(ctx, &product);
}

static glnn_status ensure_sum(glnn_context *ctx, glnn__parameters *p)
{
    if (p->sum)
        return GLNN_OK;
    return glnn__matrix_create_scratch(ctx, p->values->layout, p->values->rows, p->values->columns,
                                       "gradient", &p->sum);
}

/* to = weight * gradient + beta * from for the first part; the others are added. */
static glnn_status accumulate(glnn_context *ctx, const glnn__part *part, float weight,
                              const glnn_matrix *input, const glnn_matrix *delta, float beta,
                              const glnn_matrix *from, glnn_matrix *to)
{
    if (part->is_first)
        return glnn__gradient(ctx, weight, input, delta, beta, beta != 0 ? from : NULL, to);
    return glnn__gradient(ctx, weight, input, delta, 1, to, to);
}

static void swap(glnn_matrix **a, glnn_matrix **b)
{
    glnn_matrix *kept = *a;
    *a = *b;
    *b = kept;
}

/* Descent without momentum: the gradient goes right into the values, where one part is all. */
static glnn_status update_plain(glnn_context *ctx, float decay, const glnn__part *part,
                                const glnn_matrix *input, const glnn_matrix *delta,
                                glnn__parameters *p)
{
    if (part->is_first && part->is_last)
        return glnn__gradient(ctx, -part->rate * part->weight, input, delta, decay, p->values,
                              p->values);
    GLNN__TRY(ensure_sum(ctx, p));
    GLNN__TRY(accumulate(ctx, part, part->weight, input, delta, 0, NULL, p->sum));
    return part->is_last ? glnn_axpby(ctx, -part->rate, p->sum, decay, p->values) : GLNN_OK;
}

static glnn_status update_momentum(glnn_context *ctx, float momentum, float decay,
                                   const glnn__part *part, const glnn_matrix *input,
                                   const glnn_matrix *delta, glnn__parameters *p)
{
    GLNN__TRY(
        accumulate(ctx, part, part->weight, input, delta, momentum, p->states[0], p->states[0]));
    return part->is_last ? glnn_axpby(ctx, -part->rate, p->states[0], decay, p->values) : GLNN_OK;
}

/* With v' = momentum v + g, the step g + momentum v' is (1 + momentum) v' - momentum v, so that no
 * gradient needs to be kept beside the old and the new velocity. */
static glnn_status update_nesterov(glnn_context *ctx, float momentum, float decay,
                                   const glnn__part *part, const glnn_matrix *input,
                                   const glnn_matrix *delta, glnn__parameters *p)
{
    GLNN__TRY(ensure_sum(ctx, p));
    GLNN__TRY(accumulate(ctx, part, part->weight, input, delta, momentum, p->states[0], p->sum));
    if (!part->is_last)
        return GLNN_OK;
    GLNN__TRY(glnn__combine(ctx, -part->rate * (1 + momentum), p->sum, part->rate * momentum,
                            p->states[0], decay, p->values));
    swap(&p->sum, &p->states[0]);
    return GLNN_OK;
}

static glnn_status add_square(glnn_context *ctx, const glnn_optimizer *optimizer,
                              glnn__parameters *p)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_ADAM_MOMENT,
                                   .operands = {{.matrix = p->sum}, {.matrix = p->states[0]}},
                                   .output = p->states[1],
                                   .scalars = {optimizer->beta1, optimizer->beta2},
                                   .blend = true,
                                   .blend_factor = optimizer->beta2,
                               });
}

static glnn_status step_adam(glnn_context *ctx, const glnn_optimizer *optimizer, float decay,
                             const glnn__part *part, glnn__parameters *p)
{
    const double t = (double)part->step;
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_ADAM_STEP,
                                   .operands = {{.matrix = p->sum}, {.matrix = p->states[1]}},
                                   .output = p->values,
                                   .scalars = {part->rate, optimizer->epsilon,
                                               (float)(1 / (1 - pow((double)optimizer->beta1, t))),
                                               (float)(1 / (1 - pow((double)optimizer->beta2, t)))},
                                   .blend = true,
                                   .blend_factor = decay,
                               });
}

static glnn_status update_adam(glnn_context *ctx, const glnn_optimizer *optimizer, float decay,
                               const glnn__part *part, const glnn_matrix *input,
                               const glnn_matrix *delta, glnn__parameters *p)
{
    GLNN__TRY(ensure_sum(ctx, p));
    GLNN__TRY(accumulate(ctx, part, (1 - optimizer->beta1) * part->weight, input, delta,
                         optimizer->beta1, p->states[0], p->sum));
    if (!part->is_last)
        return GLNN_OK;
    GLNN__TRY(add_square(ctx, optimizer, p));
    GLNN__TRY(step_adam(ctx, optimizer, decay, part, p));
    swap(&p->sum, &p->states[0]);
    return GLNN_OK;
}

glnn_status glnn__optimizer_update(glnn_context *ctx, const glnn_optimizer *optimizer,
                                   const glnn__part *part, const glnn_matrix *input,
                                   const glnn_matrix *delta, glnn__parameters *parameters)
{
    const float decay = 1 - part->rate * optimizer->weight_decay;
    const float momentum = optimizer->momentum;
    if (optimizer->kind == GLNN_OPTIMIZER_ADAM)
        return update_adam(ctx, optimizer, decay, part, input, delta, parameters);
    if (optimizer->kind == GLNN_OPTIMIZER_NESTEROV)
        return update_nesterov(ctx, momentum, decay, part, input, delta, parameters);
    if (momentum > 0)
        return update_momentum(ctx, momentum, decay, part, input, delta, parameters);
    return update_plain(ctx, decay, part, input, delta, parameters);
}
