/* Arithmetic of two operands. Broadcasts and outer products use the same kernel: the views of the
 * operands repeat rows and columns. */
#include "ops/binary.h"

#include "base/names.h"
#include "ops/check.h"
#include "ops/fill.h"
#include "pass/list.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>

/* An operation of binary.glsl that glnn_binary does not have. */
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
    return glnn__fail(
        GLNN_E_SHAPE,
        "%s: `%s` (%s) is %d x %d; for an output of %d x %d it must have %d or 1 rows and "
        "%d or 1 columns",
        what, role, matrix->name, matrix->rows, matrix->columns, out->rows, out->columns, out->rows,
        out->columns);
}

static glnn__operand broadcast(const glnn_matrix *matrix, const glnn_matrix *out)
{
    return (glnn__operand){
        .matrix = matrix,
        .view = glnn__view_broadcast(matrix->rows < out->rows, matrix->columns < out->columns)};
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
    GLNN__TRY(glnn__check_enumerator(__func__, "op", (int)op, GLNN_BINARY_COUNT));
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
    return glnn__fail(GLNN_E_SHAPE, "%s: `%s` (%s) is %d x %d; it must be a vector of %d elements",
                      what, role, vector->name, vector->rows, vector->columns, length);
}

/* From this number of rows on, an outer product is faster if its second vector is a row. */
#define MANY_ROWS 256

/* A vector as an operand for each element of an output: element i for row i if `along_rows`, else
 * for column i. */
static glnn__operand spread(const glnn_matrix *vector, bool along_rows)
{
    const bool is_column = vector->columns == 1 && (vector->rows > 1 || along_rows);
    const glnn__view repeated = glnn__view_broadcast(!along_rows, along_rows);
    const glnn__view transposed = glnn__view_transposed();
    return (glnn__operand){
        .matrix = vector,
        .view = is_column == along_rows ? repeated : glnn__view_compose(&transposed, &repeated)};
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
                                   .blend_factor = {.f = o->beta},
                               });
}

/* A block of a PACKED output is four columns of a row. If y is a column, it takes four fetches of
 * y, and one if y is a row. So a column is transposed first. */
static glnn_status run_outer(glnn_context *ctx, const outer *o)
{
    if (o->alpha == 0)
        return glnn__scale(ctx, (glnn__uniform){.f = o->beta}, o->out);
    const bool is_upright = o->y->columns == 1 && o->y->rows > 1;
    if (!is_upright || o->out->layout != GLNN_LAYOUT_PACKED || o->out->rows < MANY_ROWS)
        return multiply_spread(ctx, o, o->y);
    glnn_matrix *across;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1, o->out->columns,
                                          "second vector", &across));
    glnn_status status = glnn_transpose(ctx, o->y, across);
    if (!status)
        status = multiply_spread(ctx, o, across);
    glnn__scratch_destroy(across);
    return status;
}

glnn_status glnn_outer(glnn_context *ctx, float alpha, const glnn_matrix *x, const glnn_matrix *y,
                       float beta, glnn_matrix *out)
{
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    GLNN__TRY(check_vector(ctx, __func__, "x", x, out->rows));
    GLNN__TRY(check_vector(ctx, __func__, "y", y, out->columns));
    if (beta != 0 && (x == out || y == out))
        return glnn__fail(GLNN_E_ARG,
                          "%s: `out` is also an operand; with a beta other than 0 it must not be",
                          __func__);
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    return glnn__gl_leave(ctx, run_outer(ctx, &(outer){alpha, x, y, beta, out}));
}
