/* 3_pass - applies a function to every element of a matrix, in one pass. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"

int main(void)
{
    const float numbers[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    const glnn_matrix_desc x_desc = {.rows = 2, .columns = 4, .data = numbers[0], .name = "x"};
    const glnn_matrix_desc y_desc = {.rows = 2, .columns = 4, .name = "y"};
    float result[2][4];
    glnn_context *ctx;
    glnn_matrix *x, *y;

    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_matrix_create(ctx, &x_desc, &x));
    CHECK(glnn_matrix_create(ctx, &y_desc, &y));

    CHECK(glnn_map_apply_expression(ctx, "x * x + 0.5", x, y));   /* one pass             */
    CHECK(glnn_binary_apply(ctx, GLNN_BINARY_SUBTRACT, y, x, y)); /* y = y - x: a second */
    CHECK(glnn_matrix_download(ctx, y, NULL, result[0], 0));
    for (int i = 0; i < 2; ++i)
        printf("%6g %6g %6g %6g\n", (double)result[i][0], (double)result[i][1],
               (double)result[i][2], (double)result[i][3]);

    glnn_matrix_destroy(x);
    glnn_matrix_destroy(y);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
