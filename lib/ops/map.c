#include "ops/map.h"

#include "base/names.h"
#include "base/status.h"
#include "ops/check.h"
#include "ops/fill.h"
#include "pass/pass.h"

#include <glnn/map.h>

#include <string.h>

/* ---- Expressions */

#define MAX_EXPRESSION 4096

static glnn_status check_length(const char *what, const char *text)
{
    const size_t length = strlen(text);
    if (strspn(text, " \t") == length)
        return glnn__fail(GLNN_E_ARG, "%s: the expression is empty", what);
    if (length > MAX_EXPRESSION)
        return glnn__fail(GLNN_E_ARG, "%s: the expression has %zu characters; it may have %d", what,
                          length, MAX_EXPRESSION);
    return GLNN_OK;
}

static glnn_status check_characters(const char *what, const char *text)
{
    const char *found = strpbrk(text, ";{}#\\\r\n");
    if (found && strchr("\r\n", *found))
        return glnn__fail(GLNN_E_ARG, "%s: the expression has a line break at character %d", what,
                          (int)(found - text) + 1);
    if (found)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the expression has a '%c' at character %d, which cannot be part of "
                          "an expression",
                          what, *found, (int)(found - text) + 1);
    if (strstr(text, "//") || strstr(text, "/*"))
        return glnn__fail(GLNN_E_ARG, "%s: the expression has a comment", what);
    return GLNN_OK;
}

static glnn_status check_parentheses(const char *what, const char *text)
{
    int open = 0;
    for (const char *c = text; *c; ++c) {
        open += (*c == '(') - (*c == ')');
        if (open < 0)
            return glnn__fail(GLNN_E_ARG,
                              "%s: the ')' at character %d of the expression closes no '('", what,
                              (int)(c - text) + 1);
    }
    if (open > 0)
        return glnn__fail(GLNN_E_ARG, "%s: the expression leaves %d '(' open", what, open);
    return GLNN_OK;
}

glnn_status glnn__check_expression(const char *what, const char *text)
{
    GLNN__TRY(check_length(what, text));
    GLNN__TRY(check_characters(what, text));
    return check_parentheses(what, text);
}

/* ---- Maps */

const glnn__enumerator glnn__map_enumerators[] = {
    GLNN__ENUMERATOR(GLNN_MAP_IDENTITY),  GLNN__ENUMERATOR(GLNN_MAP_SIGMOID),
    GLNN__ENUMERATOR(GLNN_MAP_TANH),      GLNN__ENUMERATOR(GLNN_MAP_SCALED_TANH),
    GLNN__ENUMERATOR(GLNN_MAP_RELU),      GLNN__ENUMERATOR(GLNN_MAP_LEAKY_RELU),
    GLNN__ENUMERATOR(GLNN_MAP_SOFTPLUS),  GLNN__ENUMERATOR(GLNN_MAP_EXP),
    GLNN__ENUMERATOR(GLNN_MAP_LOG),       GLNN__ENUMERATOR(GLNN_MAP_SQRT),
    GLNN__ENUMERATOR(GLNN_MAP_THRESHOLD), GLNN__ENUMERATOR(GLNN_MAP_ELU),
    GLNN__ENUMERATOR(GLNN_MAP_SOFTSIGN),  {0}};

/* The value of the option for a map that the caller gives as text. */
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
    .expression = "float expression(float x, int row, int column)",
};

static const char *const map_names[GLNN_MAP_COUNT] = {
    [GLNN_MAP_IDENTITY] = GLNN__NAME_IDENTITY,
    [GLNN_MAP_SIGMOID] = GLNN__NAME_SIGMOID,
    [GLNN_MAP_TANH] = GLNN__NAME_TANH,
    [GLNN_MAP_SCALED_TANH] = GLNN__NAME_SCALED_TANH,
    [GLNN_MAP_RELU] = GLNN__NAME_RELU,
    [GLNN_MAP_LEAKY_RELU] = GLNN__NAME_LEAKY_RELU,
    [GLNN_MAP_SOFTPLUS] = "softplus",
    [GLNN_MAP_EXP] = "exp",
    [GLNN_MAP_LOG] = "log",
    [GLNN_MAP_SQRT] = "sqrt",
    [GLNN_MAP_THRESHOLD] = "threshold",
    [GLNN_MAP_ELU] = GLNN__NAME_ELU,
    [GLNN_MAP_SOFTSIGN] = GLNN__NAME_SOFTSIGN,
};

GLNN__DEFINE_NAMES(glnn_map, map_names)

static glnn_status check_map(const glnn_context *ctx, const char *what, const char *role,
                             const glnn_matrix *x, const char *output_role, const glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, what, role, x));
    GLNN__TRY(glnn__check_output(ctx, what, output_role, out));
    return glnn__check_shape(what, output_role, out, x->rows, x->columns);
}

glnn_status glnn_map_apply(glnn_context *ctx, glnn_map map, const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, "out", out));
    GLNN__TRY(glnn__check_enumerator(__func__, "map", (int)map, GLNN_MAP_COUNT));
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
    GLNN__TRY(check_map(ctx, __func__, "y", y, "out", out));
    GLNN__TRY(glnn__check_enumerator(__func__, "map", (int)map, GLNN_MAP_COUNT));
    if (dy)
        GLNN__TRY(check_map(ctx, __func__, "dy", dy, "out", out));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &map_kernel,
                                   .operands = {{.matrix = y}, {.matrix = dy}},
                                   .output = out,
                                   .options = {[MAP] = map, [DERIVATIVE] = true},
                               });
}

glnn_status glnn_map_apply_expression(glnn_context *ctx, const char *expression,
                                      const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, "out", out));
    GLNN__NOT_NULL(expression);
    GLNN__TRY(glnn__check_expression(__func__, expression));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &map_kernel,
                                   .operands = {{.matrix = x}},
                                   .output = out,
                                   .options = {[MAP] = MAP_EXPRESSION},
                                   .expression = expression,
                               });
}

/* y = alpha x + beta y by blending. A pass cannot read the matrix that it blends into, so if x is
 * y, the pass is a plain map with the factor alpha + beta. */
static glnn_status add_scaled(glnn_context *ctx, float alpha, const glnn_matrix *x, float beta,
                              glnn_matrix *y)
{
    if (alpha == 0)
        return glnn__scale(ctx, (glnn__uniform){.f = beta}, y);
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &map_kernel,
                                   .operands = {{.matrix = x}},
                                   .output = y,
                                   .options = {[MAP] = GLNN_MAP_IDENTITY},
                                   .uniforms = {[ALPHA] = {.f = x == y ? alpha + beta : alpha}},
                                   .blend = x != y && beta != 0,
                                   .blend_factor = {.f = beta},
                               });
}

glnn_status glnn_axpby(glnn_context *ctx, float alpha, const glnn_matrix *x, float beta,
                       glnn_matrix *y)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, "y", y));
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    return glnn__gl_leave(ctx, add_scaled(ctx, alpha, x, beta, y));
}

glnn_status glnn_axpy(glnn_context *ctx, float alpha, const glnn_matrix *x, glnn_matrix *y)
{
    GLNN__TRY(check_map(ctx, __func__, "x", x, "y", y));
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    return glnn__gl_leave(ctx, add_scaled(ctx, alpha, x, 1, y));
}

glnn_status glnn__subtract_row(glnn_context *ctx, const glnn_matrix *row, glnn_matrix *from)
{
    return glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = &map_kernel,
                 .operands = {{.matrix = row, .view = glnn__view_broadcast(true, false)}},
                 .output = from,
                 .options = {[MAP] = GLNN_MAP_IDENTITY},
                 .uniforms = {[ALPHA] = {.f = -1}},
                 .blend = true,
                 .blend_factor = {.f = 1},
             });
}
