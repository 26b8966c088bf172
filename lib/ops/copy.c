/* Copies, rectangles and transposes: one kernel, with different views of its operand. */
#include "ops/copy.h"

#include "base/status.h"
#include "ops/check.h"
#include "pass/pass.h"

#include <glnn/copy.h>

enum { ROW_BEGIN, ROW_END, COLUMN_BEGIN, COLUMN_END };

static const glnn__kernel copy_kernel = {
    .name = "ops/copy",
    .operands = {"X", "OLD"},
    .uniforms = {[ROW_BEGIN] = "int row_begin",
                 [ROW_END] = "int row_end",
                 [COLUMN_BEGIN] = "int column_begin",
                 [COLUMN_END] = "int column_end"},
};

static glnn_status check_pair(const glnn_context *ctx, const char *what, const glnn_matrix *x,
                              const glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, what, "x", x));
    return glnn__check_output(ctx, what, "out", out);
}

glnn__pass glnn__copy_pass(const glnn_matrix *x, glnn_matrix *out)
{
    return (glnn__pass){.kernel = &copy_kernel, .operands = {{.matrix = x}}, .output = out};
}

glnn_status glnn_copy(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(check_pair(ctx, __func__, x, out));
    GLNN__TRY(glnn__check_shape(__func__, "out", out, x->rows, x->columns));
    glnn__pass pass = glnn__copy_pass(x, out);
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn_copy_rect(glnn_context *ctx, const glnn_matrix *x, const glnn_rect *from,
                           glnn_matrix *out, int row, int column)
{
    GLNN__TRY(check_pair(ctx, __func__, x, out));
    glnn_rect source, target;
    GLNN__TRY(glnn__matrix_rect(__func__, x, from, &source));
    GLNN__TRY(glnn__matrix_rect(__func__, out,
                                &(glnn_rect){row, column, source.rows, source.columns}, &target));

    /* If the rectangle cuts blocks, the pass reads `out` too, to keep the other elements of these
     * blocks. */
    const bool reads_old = x == out || !glnn__layout_is_whole(glnn__layout_of(out), 0, &target,
                                                              out->rows, out->columns);
    return glnn__pass_run(
        ctx,
        &(glnn__pass){
            .kernel = &copy_kernel,
            .operands = {{.matrix = x,
                          .view = glnn__view_shifted(source.row - row, source.column - column)},
                         {.matrix = reads_old ? out : NULL}},
            .output = out,
            .uniforms = {[ROW_BEGIN] = {.i = row},
                         [ROW_END] = {.i = row + source.rows},
                         [COLUMN_BEGIN] = {.i = column},
                         [COLUMN_END] = {.i = column + source.columns}},
            .region =
                reads_old ? (glnn__blocks){0} : glnn__layout_cover(glnn__layout_of(out), &target),
        });
}

glnn_status glnn_transpose(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(check_pair(ctx, __func__, x, out));
    GLNN__TRY(glnn__check_shape(__func__, "out", out, x->columns, x->rows));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &copy_kernel,
                                   .operands = {{.matrix = x, .view = glnn__view_transposed()}},
                                   .output = out,
                               });
}
