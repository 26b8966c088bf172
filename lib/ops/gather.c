#include "ops/gather.h"

#include "base/status.h"
#include "ops/check.h"
#include "ops/sample.h"
#include "pass/pass.h"

#include <glnn/copy.h>

static const glnn__kernel gather_kernel = {
    .name = "ops/gather",
    .operands = {"X", "INDEX"},
    .unviewed = 2,
    .uniforms = {GLNN__SAMPLE_UNIFORMS},
};

static glnn__pass gather_pass(const glnn_matrix *x, const glnn_matrix *index, glnn__uniform first,
                              int count, int samples, glnn_matrix *out)
{
    return (glnn__pass){
        .kernel = &gather_kernel,
        .operands = {{.matrix = x}, {.matrix = index}},
        .output = out,
        .uniforms = {GLNN__SAMPLE_VALUES(first, count, samples)},
    };
}

glnn_status glnn__gather(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *index,
                         glnn__uniform first, int count, int samples, glnn_matrix *out)
{
    const glnn__pass pass = gather_pass(x, index, first, count, samples, out);
    return glnn__pass_run(ctx, &pass);
}

static glnn_status check(const glnn_context *ctx, const char *what, const glnn_matrix *x,
                         const glnn_matrix *index, int first, int count, const glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, what, "x", x));
    GLNN__TRY(glnn__check_output(ctx, what, "out", out));
    GLNN__TRY(glnn__check_operand(ctx, what, "index", index));
    GLNN__TRY(glnn__check_shape(what, "out", out, out->rows, x->columns));
    GLNN__TRY(glnn__check_shape(what, "index", index, index->rows, 1));
    if (first < 0 || count < 0)
        return glnn__fail(GLNN_E_ARG, "%s: first is %d and count is %d; neither may be negative",
                          what, first, count);
    if (count > out->rows || count > index->rows - first)
        return glnn__fail(
            GLNN_E_SHAPE,
            "%s: count is %d and first is %d, but `index` (%s) has %d rows and `out` (%s) has %d",
            what, count, first, index->name, index->rows, out->name, out->rows);
    return GLNN_OK;
}

glnn_status glnn_gather_rows(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *index,
                             int first, int count, glnn_matrix *out)
{
    GLNN__TRY(check(ctx, __func__, x, index, first, count, out));
    const glnn__pass pass = gather_pass(x, index, (glnn__uniform){.i = first}, count, x->rows, out);
    return glnn__pass_run(ctx, &pass);
}
