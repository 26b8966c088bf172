/* Copy, slice, transpose, gather: one kernel and the views of its operand. */
#include "ops/copy.h"

#include <glnn/copy.h>

#include "base/status.h"
#include "ops/check.h"
#include "ops/fetching.h"
#include "pass/pass.h"

static glnn_status check_pair(const glnn_context *ctx, const char *what, const glnn_matrix *x,
                              const glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, what, "x", x));
    return glnn__check_output(ctx, what, "out", out);
}

glnn__pass glnn__copy_pass(const glnn_matrix *x, glnn_matrix *out)
{
    return (glnn__pass){.kernel = GLNN__KERNEL_COPY, .operands = {{.matrix = x}}, .output = out};
}

glnn_status glnn_copy(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(check_pair(ctx, __func__, x, out));
    GLNN__TRY(glnn__check_shape(__func__, "out", out, x->rows, x->columns));
    glnn__pass pass = glnn__copy_pass(x, out);
    GLNN__TRY(glnn__choose_fetching(ctx, x, &pass.fetching));
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn_copy_rect(glnn_context *ctx, const glnn_matrix *x, const glnn_rect *from,
                           glnn_matrix *out, int row, int column)
{
    GLNN__TRY(check_pair(ctx, __func__, x, out));
    glnn_rect source, target;
    GLNN__TRY(glnn__matrix_rect(x, from, &source));
    GLNN__TRY(
        glnn__matrix_rect(out, &(glnn_rect){row, column, source.rows, source.columns}, &target));

    /* Blocks that are cut apart keep their other elements: the pass reads what was there. */
    const bool reads_old =
        x == out || !glnn__layout_is_whole(out->layout, &target, out->rows, out->columns);
    return glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = GLNN__KERNEL_COPY,
                 .operands = {{x, glnn__view_shifted(source.row - row, source.column - column)},
                              {.matrix = reads_old ? out : NULL}},
                 .output = out,
                 .integers = {row, column, row + source.rows, column + source.columns},
                 .region = reads_old ? (glnn__blocks){0} : glnn__layout_cover(out->layout, &target),
             });
}

glnn_status glnn_transpose(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(check_pair(ctx, __func__, x, out));
    GLNN__TRY(glnn__check_shape(__func__, "out", out, x->columns, x->rows));
    glnn__fetching fetching;
    GLNN__TRY(glnn__choose_fetching(ctx, x, &fetching));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_COPY,
                                   .operands = {{x, glnn__view_transposed()}},
                                   .output = out,
                                   .fetching = fetching,
                               });
}

static glnn_status check_gather(const glnn_context *ctx, const char *what, const glnn_matrix *x,
                                const glnn_matrix *index, int first, int count,
                                const glnn_matrix *out)
{
    GLNN__TRY(check_pair(ctx, what, x, out));
    GLNN__TRY(glnn__check_operand(ctx, what, "index", index));
    GLNN__TRY(glnn__check_shape(what, "out", out, out->rows, x->columns));
    GLNN__TRY(glnn__check_shape(what, "index", index, index->rows, 1));
    if (first < 0 || count < 0)
        return glnn__fail(GLNN_E_ARG, "%s: first is %d and count %d; neither may be negative", what,
                          first, count);
    if (count > out->rows || count > index->rows - first)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: %d rows from entry %d on: the index has %d entries, out %d rows",
                          what, count, first, index->rows, out->rows);
    return GLNN_OK;
}

glnn_status glnn_gather_rows(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *index,
                             int first, int count, glnn_matrix *out)
{
    GLNN__TRY(check_gather(ctx, __func__, x, index, first, count, out));
    glnn__fetching fetching;
    GLNN__TRY(glnn__choose_fetching(ctx, x, &fetching));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_GATHER,
                                   .operands = {{.matrix = x}, {.matrix = index}},
                                   .output = out,
                                   .fetching = fetching,
                                   .integers = {first, count, x->rows},
                               });
}
