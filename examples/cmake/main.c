/* product - multiplies two matrices on the GPU, to show that the library is found and works. */
#include <glnn/glnn.h>

#include <stdio.h>

int main(void)
{
    const float a_values[2 * 3] = {1, 2, 3, 4, 5, 6}, b_values[3 * 2] = {7, 8, 9, 10, 11, 12};
    float c_values[2 * 2] = {0};
    glnn_context *ctx = NULL;
    glnn_matrix *a = NULL, *b = NULL, *c = NULL;

    /* A status of 0 is success, so the first failure ends the chain. */
    const bool failed =
        glnn_context_create(NULL, &ctx) ||
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 3, .data = a_values},
                           &a) ||
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 3, .columns = 2, .data = b_values},
                           &b) ||
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2}, &c) ||
        glnn_gemm(ctx, NULL, 1.0f, a, b, 0.0f, c) ||
        glnn_matrix_download(ctx, c, NULL, c_values, 0);
    if (failed)
        fprintf(stderr, "error: %s\n", glnn_last_error());
    else
        printf("libglnn %s: %g %g %g %g\n", glnn_version(), (double)c_values[0],
               (double)c_values[1], (double)c_values[2], (double)c_values[3]);

    /* Destroying NULL does nothing. */
    glnn_matrix_destroy(a);
    glnn_matrix_destroy(b);
    glnn_matrix_destroy(c);
    glnn_context_destroy(ctx);
    return failed ? 1 : 0;
}
