/* 5_reduction - the sum of four million numbers, by passes whose outputs get ever smaller. */
#include <glnn/glnn.h>

#include <inttypes.h>
#include <stdio.h>

#include "common/check.h"

int main(void)
{
    const glnn_matrix_desc x_desc = {.rows = 2048, .columns = 2048, .name = "x"};
    const glnn_matrix_desc sum_desc = {.rows = 1, .columns = 1, .name = "sum"};
    glnn_counters counters = {.size = sizeof counters};
    glnn_context *ctx;
    glnn_matrix *x, *sum;
    float result;

    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_matrix_create(ctx, &x_desc, &x));
    CHECK(glnn_matrix_create(ctx, &sum_desc, &sum));
    CHECK(glnn_fill(ctx, 0.25f, x));

    glnn_context_reset_counters(ctx);
    CHECK(glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, x, sum));
    CHECK(glnn_context_get_counters(ctx, &counters));
    CHECK(glnn_matrix_download(ctx, sum, NULL, &result, 0));
    printf("the sum is %.0f, after %" PRIu64 " passes\n", (double)result, counters.passes);

    glnn_matrix_destroy(x);
    glnn_matrix_destroy(sum);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
