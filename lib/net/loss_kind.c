#include "net/loss_kind.h"

#include "base/status.h"
#include "base/string.h"
#include "ops/map.h"
#include "pass/list.h"
#include "pass/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const glnn__loss_kind *glnn__loss_kind_of(glnn_loss loss)
{
    static const glnn__loss_kind kinds[GLNN_LOSS_COUNT] = {
        [GLNN_LOSS_CROSS_ENTROPY] = {.words = "cross-entropy",
                                     .needs_labels = true,
                                     .gives_probabilities = true},
        [GLNN_LOSS_HUBER] = {.parameter = 1},
        [GLNN_LOSS_HINGE] = {.words = "the hinge loss", .needs_labels = true},
        [GLNN_LOSS_BINARY_CROSS_ENTROPY] = {.words = "binary cross-entropy",
                                            .gives_probabilities = true},
        [GLNN_LOSS_QUANTILE] = {.parameter = 0.5f, .limit = 1},
    };
    return &kinds[loss];
}

/* ---- Checks */

bool glnn__loss_is_used(const glnn_network_desc *desc, glnn_loss loss)
{
    bool is_used = desc->output_count == 0 && desc->loss == loss;
    for (int i = 0; i < desc->output_count; ++i)
        is_used = is_used || desc->outputs[i].loss == loss;
    return is_used;
}

glnn_status glnn__loss_check_parameter(glnn_loss loss, float *parameter)
{
    const glnn__loss_kind *kind = glnn__loss_kind_of(loss);
    if (*parameter != 0 && kind->parameter == 0)
        return glnn__fail(GLNN_E_ARG, "loss_parameter is %g, but the loss %s does not use it",
                          (double)*parameter, glnn_loss_name(loss));
    if (kind->limit > 0 && *parameter >= kind->limit)
        return glnn__fail(GLNN_E_ARG,
                          "loss_parameter is %g; with the loss %s it has to be a number in (0, %g)",
                          (double)*parameter, glnn_loss_name(loss), (double)kind->limit);
    if (*parameter == 0)
        *parameter = kind->parameter;
    return GLNN_OK;
}

/* A field that no loss uses. */
static glnn_status fail_unused(const glnn_network_desc *desc, const char *what)
{
    if (desc->output_count > 0)
        return glnn__fail(GLNN_E_ARG, "%s, but none of the losses of the outputs uses it", what);
    return glnn__fail(GLNN_E_ARG, "%s, but the loss %s does not use it", what,
                      glnn_loss_name(desc->loss));
}

static glnn_status check_expression(const glnn_network_desc *desc, const char *name,
                                    const char *text)
{
    char what[48];
    snprintf(what, sizeof what, "%s is given", name);
    if (!glnn__loss_is_used(desc, GLNN_LOSS_EXPRESSION))
        return text ? fail_unused(desc, what) : GLNN_OK;
    return text ? glnn__check_expression(name, text)
                : glnn__fail(GLNN_E_ARG, "%s is null, but the loss %s needs it", name,
                             glnn_loss_name(GLNN_LOSS_EXPRESSION));
}

glnn_status glnn__loss_check(const glnn_network_desc *desc)
{
    char what[48];
    snprintf(what, sizeof what, "a label smoothing of %g", (double)desc->label_smoothing);
    if (desc->label_smoothing > 0 && !glnn__loss_is_used(desc, GLNN_LOSS_CROSS_ENTROPY) &&
        !glnn__loss_is_used(desc, GLNN_LOSS_BINARY_CROSS_ENTROPY))
        return fail_unused(desc, what);
    GLNN__TRY(check_expression(desc, "loss_value", desc->loss_value));
    return check_expression(desc, "loss_derivative", desc->loss_derivative);
}

/* ---- Expressions */

static const glnn__kernel expression_kernel = {
    .name = "net/loss_expression",
    .expression = "float expression(float y, float t)",
};

/* The driver compiles an expression now, and not in the first step of a training. */
static glnn_status compile(glnn_context *ctx, const char *name, const char *text)
{
    glnn_matrix *number;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1, 1, "loss", &number));
    glnn_status status = glnn__pass_run(
        ctx, &(glnn__pass){.kernel = &expression_kernel, .output = number, .expression = text});
    glnn__scratch_destroy(number);
    return status == GLNN_E_SHADER
               ? glnn__fail(status, "%s is \"%.200s\": %s", name, text, glnn__last_sentence())
               : status;
}

/* Messages of a compiler name line 1 of the value and line 2 of the derivative. */
static char *join(const char *value, const char *derivative)
{
    static const char form[] = "vec2((%s),\n(%s))";
    const size_t size = sizeof form + strlen(value) + strlen(derivative);
    char *both = malloc(size);
    if (both)
        snprintf(both, size, form, value, derivative);
    return both;
}

glnn_status glnn__loss_expressions_create(glnn_context *ctx, glnn_network_desc *desc,
                                          glnn__loss_expressions *out)
{
    if (!glnn__loss_is_used(desc, GLNN_LOSS_EXPRESSION))
        return GLNN_OK;
    out->value = glnn__string_copy(desc->loss_value);
    out->derivative = glnn__string_copy(desc->loss_derivative);
    out->both = join(desc->loss_value, desc->loss_derivative);
    if (!out->value || !out->derivative || !out->both)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the expressions of a loss");
    desc->loss_value = out->value;
    desc->loss_derivative = out->derivative;
    GLNN__TRY(compile(ctx, "loss_value", out->value));
    return compile(ctx, "loss_derivative", out->derivative);
}

void glnn__loss_expressions_destroy(glnn__loss_expressions *of)
{
    free(of->value);
    free(of->derivative);
    free(of->both);
}
