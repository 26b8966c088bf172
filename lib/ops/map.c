#include "ops/map.h"

#include "base/status.h"
#include "ops/check.h"
#include "pass/pass.h"

#include <glnn/map.h>

#include <string.h>

const glnn__enumerator glnn__map_enumerators[] = {
    GLNN__ENUMERATOR(GLNN_MAP_IDENTITY),  GLNN__ENUMERATOR(GLNN_MAP_SIGMOID),
    GLNN__ENUMERATOR(GLNN_MAP_TANH),      GLNN__ENUMERATOR(GLNN_MAP_SCALED_TANH),
    GLNN__ENUMERATOR(GLNN_MAP_RELU),      GLNN__ENUMERATOR(GLNN_MAP_LEAKY_RELU),
    GLNN__ENUMERATOR(GLNN_MAP_SOFTPLUS),  GLNN__ENUMERATOR(GLNN_MAP_EXP),
    GLNN__ENUMERATOR(GLNN_MAP_LOG),       GLNN__ENUMERATOR(GLNN_MAP_SQRT),
    GLNN__ENUMERATOR(GLNN_MAP_THRESHOLD), {0}};

/* A value of the option next to the maps. */
enum { MAP_EXPRESSION = 255 };

static const glnn__enumerator expressions[] = {GLNN__ENUMERATOR(MAP_EXPRESSION), {0}};

enum { MAP, DERIVATIVE };
enum { ALPHA };

static const glnn__kernel map_kernel = {
    .name = "ops/map",
    .operands = {"X", "DY"},
    .options = {[MAP] = "MAP", [DERIVATIVE] = "DERIVATIVE"},
    .uniforms = {[ALPHA] = "float alpha"},
    .enumerations = {glnn__map_enumerators, expressions},
};

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
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &map_kernel,
                                   .operands = {{.matrix = x}},
                                   .output = out,
                                   .options = {[MAP] = map},
                                   .uniforms = {[ALPHA] = {.f = 1}},
                               });
}

glnn_status glnn_map_apply_derivative(glnn_context *ctx, glnn_map map, const glnn_matrix *y,
                                      const glnn_matrix *dy, glnn_matrix *out)
{
    GLNN__TRY(check_map(ctx, __func__, "y", y, out));
    GLNN__TRY(glnn__check_map(__func__, map));
    if (dy)
        GLNN__TRY(check_map(ctx, __func__, "dy", dy, out));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &map_kernel,
                                   .operands = {{.matrix = y}, {.matrix = dy}},
                                   .output = out,
                                   .options = {[MAP] = map, [DERIVATIVE] = true},
                               });
}

#define MAX_EXPRESSION 4096

glnn_status glnn_map_apply_expression(glnn_context *ctx, const char *expression,
                                      const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, out));
    if (!expression || !*expression)
        return glnn__fail(GLNN_E_ARG, "%s: the expression is empty", __func__);
    if (strlen(expression) > MAX_EXPRESSION || strpbrk(expression, "\r\n"))
        return glnn__fail(GLNN_E_ARG, "%s: an expression is one line of at most %d characters",
                          __func__, MAX_EXPRESSION);
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &map_kernel,
                                   .operands = {{.matrix = x}},
                                   .output = out,
                                   .options = {[MAP] = MAP_EXPRESSION},
                                   .expression = expression,
                               });
}

glnn_status glnn_axpby(glnn_context *ctx, float alpha, const glnn_matrix *x, float beta,
                       glnn_matrix *y)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, y));
    /* A pass cannot read what it blends into, so y = alpha y + beta y is a plain map. */
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &map_kernel,
                                   .operands = {{.matrix = x}},
                                   .output = y,
                                   .options = {[MAP] = GLNN_MAP_IDENTITY},
                                   .uniforms = {[ALPHA] = {.f = x == y ? alpha + beta : alpha}},
                                   .blend = x != y,
                                   .blend_factor = beta,
                               });
}

glnn_status glnn_axpy(glnn_context *ctx, float alpha, const glnn_matrix *x, glnn_matrix *y)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, y));
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, glnn_axpby(ctx, alpha, x, 1, y));
}

glnn_status glnn__subtract_row(glnn_context *ctx, const glnn_matrix *row, glnn_matrix *from)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &map_kernel,
                                   .operands = {{row, glnn__view_broadcast(true, false)}},
                                   .output = from,
                                   .options = {[MAP] = GLNN_MAP_IDENTITY},
                                   .uniforms = {[ALPHA] = {.f = -1}},
                                   .blend = true,
                                   .blend_factor = 1,
                               });
}
