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

static glnn_status transpose(float got[6])
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
    glnn_matrix_destroy(y);
    glnn_matrix_destroy(x);
    glnn_context_destroy(ctx);
    return status;
}

int main(void)
{
    const float want[6] = {1, 4, 2, 5, 3, 6};
    float got[6];
    if (transpose(got)) {
        fprintf(stderr, "outside: %s\n", glnn_last_error());
        return 1;
    }
    if (memcmp(got, want, sizeof want) != 0) {
        fprintf(stderr, "outside: the transposed matrix is wrong\n");
        return 1;
    }
    return 0;
}
