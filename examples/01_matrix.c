/* 01_matrix - matrices on the GPU: upload, matrix product, download, a rectangle of one, and a
 * download that does not wait. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"

static void print_matrix(const char *title, const float *values, int rows, int columns)
{
    printf("%s\n", title);
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j)
            printf("%7g", (double)values[i * columns + j]);
        printf("\n");
    }
}

int main(void)
{
    const float a_values[2 * 3] = {1, 2, 3, 4, 5, 6};
    const float b_values[3 * 2] = {7, 8, 9, 10, 11, 12};
    const float corner[1] = {-1};
    float c_values[2 * 2], column[2];
    glnn_context *ctx;
    glnn_matrix *a, *b, *c;
    glnn_download *download;

    CHECK(glnn_context_create(NULL, &ctx));

    /* Elements can come with the description, or later. */
    CHECK(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = 2, .columns = 3, .data = a_values, .name = "a"}, &a));
    CHECK(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 3, .columns = 2, .name = "b"}, &b));
    CHECK(glnn_matrix_upload(ctx, b, NULL, b_values, 0));

    /* Operands may have different layouts. */
    CHECK(glnn_matrix_create(
        ctx,
        &(glnn_matrix_desc){.rows = 2, .columns = 2, .layout = GLNN_LAYOUT_PACKED, .name = "c"},
        &c));
    CHECK(glnn_gemm(ctx, NULL, 1, a, b, 0, c));
    CHECK(glnn_matrix_download(ctx, c, NULL, c_values, 0));
    print_matrix("c = a b", c_values, 2, 2);

    /* A rectangle: {row, column, rows, columns}. */
    CHECK(glnn_matrix_upload(ctx, c, &(glnn_rect){0, 0, 1, 1}, corner, 0));
    CHECK(glnn_matrix_download(ctx, c, &(glnn_rect){0, 1, 2, 1}, column, 0));
    print_matrix("column 1 of c", column, 2, 1);

    /* The copy is taken behind the passes asked for so far; c may change at once. */
    CHECK(glnn_download_begin(ctx, c, NULL, &download));
    CHECK(glnn_fill(ctx, 0.0f, c));
    while (!glnn_download_is_ready(download))
        ; /* the CPU is free for something else here */
    CHECK(glnn_download_end(download, c_values, 0));
    print_matrix("c with -1 in its corner, as it was before the fill", c_values, 2, 2);

    glnn_matrix_destroy(a);
    glnn_matrix_destroy(b);
    glnn_matrix_destroy(c);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
