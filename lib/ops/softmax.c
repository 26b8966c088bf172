#include "ops/softmax.h"

#include "base/status.h"
#include "ops/check.h"
#include "pass/pass.h"

#include <glnn/map.h>

glnn_status glnn__row_stats(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_ROW_STATS,
                                   .operands = {{.matrix = x}},
                                   .output = out,
                               });
}

static glnn_status normalize(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *stats,
                             glnn_matrix *out)
{
    GLNN__TRY(glnn__row_stats(ctx, x, stats));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_SOFTMAX,
                                   .operands = {{.matrix = x}, {.matrix = stats}},
                                   .output = out,
                               });
}

glnn_status glnn_softmax(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, __func__, "x", x));
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    GLNN__TRY(glnn__check_shape(__func__, "out", out, x->rows, x->columns));
    glnn_matrix *stats;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, out->layout, x->rows, 2, "row statistics", &stats));
    glnn_status status = normalize(ctx, x, stats, out);
    glnn_matrix_destroy(stats);
    return status;
}
