/* A kernel that computes a matrix anew from itself, and a picture of the result. */
#ifndef EXAMPLES_KERNELS_REPEAT_H
#define EXAMPLES_KERNELS_REPEAT_H

#include <glnn/glnn.h>

#include "common/check.h"

/* Runs the kernel so many times with `x` as its output, by a list, and writes the elements of x, 0
 * for black and 1 for white, as a picture. `run` has x as an operand. */
static inline void repeat(glnn_context *ctx, glnn_kernel *kernel, const glnn_kernel_run_desc *run,
                          glnn_matrix *x, int times, const char *path)
{
    const int rows = glnn_matrix_get_rows(x), columns = glnn_matrix_get_columns(x);
    float *picture = malloc((size_t)rows * (size_t)columns * sizeof *picture);
    glnn_list *list;
    if (!picture)
        exit(EXIT_FAILURE);
    CHECK(glnn_list_begin(ctx, &list));
    CHECK(glnn_kernel_run(kernel, run, x));
    CHECK(glnn_list_end(list));
    for (int i = 0; i < times; ++i)
        CHECK(glnn_list_run(list));
    CHECK(glnn_matrix_download(ctx, x, NULL, picture, 0));
    CHECK(glnn_image_write(path, 1, rows, columns, picture, 0, 1));
    glnn_list_destroy(list);
    free(picture);
}

#endif
