#include "ops/softmax.h"

#include "base/status.h"
#include "ops/check.h"
#include "pass/pass.h"

#include <glnn/map.h>

glnn_status glnn__log_sum_exp(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = GLNN__KERNEL_LOG_SUM_EXP,
                                   .operands = {{.matrix = x}},
                                   .output = out,
                               });
}

static glnn_status normalize(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *stats,
                             glnn_matrix *out)
{
    GLNN__TRY(glnn__log_sum_exp(ctx, x, stats));
    return glnn__pass_run(
        ctx, &(glnn__pass){
                 .kernel = GLNN__KERNEL_SOFTMAX,
                 .operands = {{.matrix = x}, {stats, glnn__view_broadcast(false, true)}},
                 .output = out,
             });
}

glnn_status glnn_softmax(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    GLNN__TRY(glnn__check_operand(ctx, __func__, "x", x));
    GLNN__TRY(glnn__check_output(ctx, __func__, "out", out));
    GLNN__TRY(glnn__check_shape(__func__, "out", out, x->rows, x->columns));
    glnn_matrix *stats;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, out->layout, x->rows, 1, "row sums", &stats));
    glnn_status status = normalize(ctx, x, stats, out);
    glnn_matrix_destroy(stats);
    return status;
}
