/* 4_product - the product of two matrices, with one element in a texel, with four, and in tiles. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"

enum { SIZE = 256, REPEATS = 3 };

static glnn_matrix *create(glnn_context *ctx, glnn_layout layout, const char *name)
{
    glnn_matrix *matrix;
    CHECK(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = SIZE, .columns = SIZE, .layout = layout, .name = name},
        &matrix));
    return matrix;
}

int main(void)
{
    static const glnn_layout layouts[] = {GLNN_LAYOUT_UNPACKED, GLNN_LAYOUT_PACKED,
                                          GLNN_LAYOUT_TILED};
    const glnn_gemm_desc in_one_pass = {.slice = SIZE};
    glnn_context *ctx;
    float corner;

    CHECK(glnn_context_create(NULL, &ctx));
    for (int l = 0; l < 3; ++l) {
        glnn_matrix *a = create(ctx, layouts[l], "a"), *b = create(ctx, layouts[l], "b");
        glnn_matrix *c = create(ctx, layouts[l], "c");
        CHECK(glnn_fill(ctx, 0.5f, a));
        CHECK(glnn_fill(ctx, 3.0f, b));
        for (int i = 0; i < REPEATS; ++i)
            CHECK(glnn_gemm(ctx, &in_one_pass, 1, a, b, 0, c)); /* c = 1 a b + 0 c */
        CHECK(glnn_matrix_download(ctx, c, &(glnn_rect){0, 0, 1, 1}, &corner, 0));
        printf("%-8s  every element of c is %g\n", glnn_layout_name(layouts[l]), (double)corner);
        glnn_matrix_destroy(a);
        glnn_matrix_destroy(b);
        glnn_matrix_destroy(c);
    }
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
