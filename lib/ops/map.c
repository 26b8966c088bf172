#include <glnn/map.h>

#include "base/status.h"
#include "ops/check.h"
#include "ops/fetching.h"
#include "pass/pass.h"

#include <string.h>

const char *glnn_map_name(glnn_map map)
{
    static const char *const names[GLNN_MAP_COUNT] = {
        [GLNN_MAP_IDENTITY] = "identity",
        [GLNN_MAP_SIGMOID] = "sigmoid",
        [GLNN_MAP_TANH] = "tanh",
        [GLNN_MAP_SCALED_TANH] = "scaled_tanh",
        [GLNN_MAP_RELU] = "relu",
        [GLNN_MAP_LEAKY_RELU] = "leaky_relu",
        [GLNN_MAP_SOFTPLUS] = "softplus",
        [GLNN_MAP_EXP] = "exp",
        [GLNN_MAP_LOG] = "log",
        [GLNN_MAP_SQRT] = "sqrt",
        [GLNN_MAP_THRESHOLD] = "threshold",
    };
    return (unsigned)map < GLNN_MAP_COUNT ? names[map] : "unknown map";
}

static glnn_status check_map(const glnn_context *ctx, const char *what, const char *role,
                             const glnn_matrix *x, const glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, what, role, x));
    GLNN__TRY(glnn__check_output(ctx, what, "out", out));
    return glnn__check_shape(what, "out", out, x->rows, x->columns);
}

glnn_status glnn_map_apply(glnn_context *ctx, glnn_map map, const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, out));
    GLNN__TRY(glnn__check_map(__func__, map));
    glnn__fetching fetching;
    GLNN__TRY(glnn__choose_fetching(ctx, x, &fetching));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_MAP,
                                   .operands = {{.matrix = x}},
                                   .output = out,
                                   .options = {map},
                                   .scalars = {1},
                                   .fetching = fetching,
                               });
}

glnn_status glnn_map_derivative(glnn_context *ctx, glnn_map map, const glnn_matrix *y,
                                const glnn_matrix *dy, glnn_matrix *out)
{
    GLNN__TRY(check_map(ctx, __func__, "y", y, out));
    GLNN__TRY(glnn__check_map(__func__, map));
    if (dy)
        GLNN__TRY(check_map(ctx, __func__, "dy", dy, out));
    glnn__fetching fetching;
    GLNN__TRY(glnn__choose_fetching(ctx, y, &fetching));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_DERIVATIVE,
                                   .operands = {{.matrix = y}, {.matrix = dy}},
                                   .output = out,
                                   .options = {map},
                                   .fetching = fetching,
                               });
}

#define MAP_EXPRESSION 255 /* the number that map.glsl knows it by */
#define MAX_EXPRESSION 4096

glnn_status glnn_map_expression(glnn_context *ctx, const char *expression, const glnn_matrix *x,
                                glnn_matrix *out)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, out));
    if (!expression || !*expression)
        return glnn__fail(GLNN_E_ARG, "%s: the expression is empty", __func__);
    if (strlen(expression) > MAX_EXPRESSION || strpbrk(expression, "\r\n"))
        return glnn__fail(GLNN_E_ARG, "%s: an expression is one line of at most %d characters",
                          __func__, MAX_EXPRESSION);
    glnn__fetching fetching;
    GLNN__TRY(glnn__choose_fetching(ctx, x, &fetching));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_MAP,
                                   .operands = {{.matrix = x}},
                                   .output = out,
                                   .options = {MAP_EXPRESSION},
                                   .expression = expression,
                                   .fetching = fetching,
                               });
}

glnn_status glnn_axpby(glnn_context *ctx, float alpha, const glnn_matrix *x, float beta,
                       glnn_matrix *y)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, y));
    glnn__fetching fetching;
    GLNN__TRY(glnn__choose_fetching(ctx, x, &fetching));
    /* A pass cannot read what it blends into, so y = alpha y + beta y is a plain map. */
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_MAP,
                                   .operands = {{.matrix = x}},
                                   .output = y,
                                   .options = {GLNN_MAP_IDENTITY},
                                   .scalars = {x == y ? alpha + beta : alpha},
                                   .fetching = fetching,
                                   .blend = x != y,
                                   .blend_factor = beta,
                               });
}

glnn_status glnn_axpy(glnn_context *ctx, float alpha, const glnn_matrix *x, glnn_matrix *y)
{
    return glnn_axpby(ctx, alpha, x, 1, y);
}
