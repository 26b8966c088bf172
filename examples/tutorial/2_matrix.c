/* 2_matrix - puts a matrix into a texture, in three layouts, and reads a part of it back. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"

enum { ROWS = 6, COLUMNS = 10 };

int main(void)
{
    static const glnn_layout layouts[] = {GLNN_LAYOUT_UNPACKED, GLNN_LAYOUT_PACKED,
                                          GLNN_LAYOUT_TILED};
    const glnn_rect last_row = {.row = 5, .column = 0, .rows = 1, .columns = COLUMNS};
    float numbers[ROWS][COLUMNS], row[COLUMNS];
    glnn_context *ctx;

    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            numbers[i][j] = (float)(10 * i + j);

    CHECK(glnn_context_create(NULL, &ctx));
    for (int l = 0; l < 3; ++l) {
        glnn_matrix *x;
        CHECK(glnn_matrix_create(
            ctx, &(glnn_matrix_desc){.rows = ROWS, .columns = COLUMNS, .layout = layouts[l]}, &x));
        CHECK(glnn_matrix_upload(ctx, x, NULL, numbers[0], 0));
        CHECK(glnn_matrix_download(ctx, x, &last_row, row, 0));
        printf("%-8s ", glnn_layout_name(layouts[l]));
        for (int j = 0; j < COLUMNS; ++j)
            printf(" %g", (double)row[j]);
        printf("\n");
        glnn_matrix_destroy(x);
    }
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
