/* A program of somebody else's: C and C++, built against the installed library alone. */
#include <glnn/glnn.h>

#include <stdio.h>
#include <string.h>

static const float data[6] = {1, 2, 3, 4, 5, 6};

static glnn_status create(glnn_context *ctx, int rows, int columns, const float *elements,
                          glnn_matrix **out)
{
    glnn_matrix_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.rows = rows;
    desc.columns = columns;
    desc.data = elements;
    return glnn_matrix_create(ctx, &desc, out);
}

/* y = the transposed x plus a number, by a kernel that is recorded in a list. */
static glnn_status add_transposed(glnn_context *ctx, const glnn_matrix *x, double number,
                                  glnn_matrix *y)
{
    glnn_kernel_desc desc;
    glnn_kernel_run_desc run;
    glnn_kernel *kernel = NULL;
    glnn_list *list = NULL;
    memset(&desc, 0, sizeof desc);
    desc.source = "float element(int row, int column) { return X_at(row, column) + number; }";
    desc.operands[0] = "X";
    desc.uniforms[0] = "float number";
    memset(&run, 0, sizeof run);
    run.operands[0].matrix = x;
    run.operands[0].transpose = true;
    run.uniforms[0] = number;
    glnn_status status = glnn_kernel_create(ctx, &desc, &kernel);
    if (!status)
        status = glnn_list_begin(ctx, &list);
    if (!status)
        status = glnn_kernel_run(kernel, &run, y);
    if (!status)
        status = glnn_list_end(list);
    if (!status)
        status = glnn_list_run(list);
    glnn_list_destroy(list);
    glnn_kernel_destroy(kernel);
    return status;
}

static glnn_status compute(float got[6], float sum[6])
{
    glnn_context *ctx = NULL;
    glnn_matrix *x = NULL, *y = NULL;
    glnn_status status = glnn_context_create(NULL, &ctx);
    if (!status)
        status = create(ctx, 2, 3, data, &x);
    if (!status)
        status = create(ctx, 3, 2, NULL, &y);
    if (!status)
        status = glnn_transpose(ctx, x, y);
    if (!status)
        status = glnn_matrix_download(ctx, y, NULL, got, 0);
    if (!status)
        status = add_transposed(ctx, x, 0.5, y);
    if (!status)
        status = glnn_matrix_download(ctx, y, NULL, sum, 0);
    glnn_matrix_destroy(y);
    glnn_matrix_destroy(x);
    glnn_context_destroy(ctx);
    return status;
}

int main(void)
{
    const float want[6] = {1, 4, 2, 5, 3, 6}, want_sum[6] = {1.5f, 4.5f, 2.5f, 5.5f, 3.5f, 6.5f};
    float got[6], sum[6];
    if (compute(got, sum)) {
        fprintf(stderr, "outside: %s\n", glnn_last_error());
        return 1;
    }
    if (memcmp(got, want, sizeof want) != 0 || memcmp(sum, want_sum, sizeof sum) != 0) {
        fprintf(stderr, "outside: the transposed matrix or the sum is wrong\n");
        return 1;
    }
    return 0;
}
