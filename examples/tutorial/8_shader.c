/* 8_shader - applies f(x) = x to a matrix: only an edited shader changes the numbers. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"

enum { SIZE = 512 };

int main(void)
{
    const glnn_matrix_desc x_desc = {.rows = SIZE, .columns = SIZE, .name = "x"};
    const glnn_matrix_desc y_desc = {.rows = SIZE, .columns = SIZE, .name = "y"};
    const float first[4] = {0.2f, 0.4f, 0.6f, 0.8f};
    const glnn_rect corner = {.row = 0, .column = 0, .rows = 1, .columns = 4};
    glnn_context *ctx;
    glnn_matrix *x, *y;
    float result[4];

    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_matrix_create(ctx, &x_desc, &x));
    CHECK(glnn_matrix_create(ctx, &y_desc, &y));
    CHECK(glnn_fill(ctx, 0.5f, x));
    CHECK(glnn_matrix_upload(ctx, x, &corner, first, 0));

    CHECK(glnn_map_apply(ctx, GLNN_MAP_IDENTITY, x, y)); /* y = x */
    CHECK(glnn_matrix_download(ctx, y, &corner, result, 0));
    printf("%.3f %.3f %.3f %.3f\n", (double)result[0], (double)result[1], (double)result[2],
           (double)result[3]);

    glnn_matrix_destroy(x);
    glnn_matrix_destroy(y);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
