/* Arithmetic of two operands: broadcasting and outer products are a matter of views. */
#include "ops/binary.h"

#include "base/names.h"
#include "ops/check.h"
#include "ops/fill.h"
#include "pass/pass.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>

/* One more operation of binary.glsl. */
enum { DIVIDE_BY_ROOT = GLNN_BINARY_COUNT };

static const glnn__enumerator operations[] = {
    GLNN__ENUMERATOR(GLNN_BINARY_ADD),      GLNN__ENUMERATOR(GLNN_BINARY_SUBTRACT),
    GLNN__ENUMERATOR(GLNN_BINARY_MULTIPLY), GLNN__ENUMERATOR(GLNN_BINARY_DIVIDE),
    GLNN__ENUMERATOR(GLNN_BINARY_MAXIMUM),  GLNN__ENUMERATOR(GLNN_BINARY_MINIMUM),
    GLNN__ENUMERATOR(DIVIDE_BY_ROOT),       {0}};

static const char *const operation_names[GLNN_BINARY_COUNT] = {
    [GLNN_BINARY_ADD] = "add",           [GLNN_BINARY_SUBTRACT] = "subtract",
    [GLNN_BINARY_MULTIPLY] = "multiply", [GLNN_BINARY_DIVIDE] = "divide",
    [GLNN_BINARY_MAXIMUM] = "maximum",   [GLNN_BINARY_MINIMUM] = "minimum",
};

GLNN__DEFINE_NAMES(glnn_binary, operation_names)

enum { OPERATION };
enum { ALPHA };

static const glnn__kernel binary_kernel = {
    .name = "ops/binary",
    .operands = {"X", "Y"},
    .options = {[OPERATION] = "OPERATION"},
    .uniforms = {[ALPHA] = "float alpha"},
    .enumerations = {operations},
};

static glnn_status check_broadcast(const glnn_context *ctx, const char *what, const char *role,
                                   const glnn_matrix *matrix, const glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, what, role, matrix));
    if ((matrix->rows == out->rows || matrix->rows == 1) &&
        (matrix->columns == out->columns || matrix->columns == 1))
        return GLNN_OK;
    return glnn__fail(GLNN_E_SHAPE, "%s: %s, %s, is %d x %d and does not broadcast to %d x %d",
                      what, role, matrix->name, matrix->rows, matrix->columns, out->rows,
                      out->columns);
}

static glnn__operand broadcast(const glnn_matrix *matrix, const glnn_matrix *out)
{
    return (glnn__operand){
        matrix, glnn__view_broadcast(matrix->rows < out->rows, matrix->columns < out->columns)};
}

static glnn__pass binary_pass(unsigned op, const glnn_matrix *x, const glnn_matrix *y,
                              glnn_matrix *out)
{
    return (glnn__pass){
        .kernel = &binary_kernel,
        .operands = {broadcast(x, out), broadcast(y, out)},
        .output = out,
        .options = {[OPERATION] = op},
        .uniforms = {[ALPHA] = {.f = 1}},
    };
}

glnn_status glnn_binary_apply(glnn_context *ctx, glnn_binary op, const glnn_matrix *x,
                              const glnn_matrix *y, glnn_matrix *out)
{
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    GLNN__TRY(check_broadcast(ctx, __func__, "x", x, out));
    GLNN__TRY(check_broadcast(ctx, __func__, "y", y, out));
    if ((unsigned)op >= GLNN_BINARY_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: operation %d is unknown", __func__, (int)op);
    const glnn__pass pass = binary_pass(op, x, y, out);
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn__divide_by_root(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *y,
                                 glnn_matrix *out)
{
    const glnn__pass pass = binary_pass(DIVIDE_BY_ROOT, x, y, out);
    return glnn__pass_run(ctx, &pass);
}

static glnn_status check_vector(const glnn_context *ctx, const char *what, const char *role,
                                const glnn_matrix *vector, int length)
{
    GLNN__TRY(glnn__check_operand(ctx, what, role, vector));
    if ((vector->rows == 1 && vector->columns == length) ||
        (vector->columns == 1 && vector->rows == length))
        return GLNN_OK;
    return glnn__fail(GLNN_E_SHAPE, "%s: %s, %s, is %d x %d; it has to be a vector of %d", what,
                      role, vector->name, vector->rows, vector->columns, length);
}

/* From this number of rows of an outer product on, laying its second vector across saves time. */
#define MANY_ROWS 256

/* The vector along the rows (element i under row i) or the columns of an output. */
static glnn__operand spread(const glnn_matrix *vector, bool along_rows)
{
    const bool is_column = vector->columns == 1 && (vector->rows > 1 || along_rows);
    const glnn__view repeated = glnn__view_broadcast(!along_rows, along_rows);
    const glnn__view transposed = glnn__view_transposed();
    return (glnn__operand){
        vector, is_column == along_rows ? repeated : glnn__view_compose(&transposed, &repeated)};
}

typedef struct outer {
    float alpha;
    const glnn_matrix *x, *y;
    float beta;
    glnn_matrix *out;
} outer;

static glnn_status multiply_spread(glnn_context *ctx, const outer *o, const glnn_matrix *y)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &binary_kernel,
                                   .operands = {spread(o->x, true), spread(y, false)},
                                   .output = o->out,
                                   .options = {[OPERATION] = GLNN_BINARY_MULTIPLY},
                                   .uniforms = {[ALPHA] = {.f = o->alpha}},
                                   .blend = o->beta != 0,
                                   .blend_factor = o->beta,
                               });
}

/* An upright y costs a packed block of one texel as many fetches as a tiled one of eight; laid
 * across first, it costs one. */
static glnn_status run_outer(glnn_context *ctx, const outer *o)
{
    if (o->alpha == 0)
        return glnn__scale(ctx, o->beta, o->out);
    const bool is_upright = o->y->columns == 1 && o->y->rows > 1;
    if (!is_upright || o->out->layout != GLNN_LAYOUT_PACKED || o->out->rows < MANY_ROWS)
        return multiply_spread(ctx, o, o->y);
    glnn_matrix *across;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1, o->out->columns,
                                          "second vector", &across));
    glnn_status status = glnn_transpose(ctx, o->y, across);
    if (!status)
        status = multiply_spread(ctx, o, across);
    glnn_matrix_destroy(across);
    return status;
}

glnn_status glnn_outer(glnn_context *ctx, float alpha, const glnn_matrix *x, const glnn_matrix *y,
                       float beta, glnn_matrix *out)
{
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    GLNN__TRY(check_vector(ctx, __func__, "x", x, out->rows));
    GLNN__TRY(check_vector(ctx, __func__, "y", y, out->columns));
    if (beta != 0 && (x == out || y == out))
        return glnn__fail(GLNN_E_ARG, "%s: with beta, out may not be an operand", __func__);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, run_outer(ctx, &(outer){alpha, x, y, beta, out}));
}
