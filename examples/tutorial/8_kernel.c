/* 8_kernel - heat spreads in a plate, by a kernel of the program's own. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"

enum { ROWS = 15, COLUMNS = 33, STEPS = 40 };

/* One step: each element moves towards its four neighbours. */
static const char source[] =
    "float element(int row, int column)\n"
    "{\n"
    "    float x = X_at(row, column);\n"
    "    float neighbours = X_at(row - 1, column) + X_at(row + 1, column) +\n"
    "                       X_at(row, column - 1) + X_at(row, column + 1);\n"
    "    return x + rate * (neighbours - 4.0 * x);\n"
    "}\n";

static void spread(glnn_kernel *heat, double rate, const glnn_matrix *x, glnn_matrix *out)
{
    const glnn_kernel_run_desc run = {.operands = {{.matrix = x}}, .uniforms = {rate}};
    CHECK(glnn_kernel_run(heat, &run, out));
}

int main(void)
{
    const glnn_kernel_desc heat_desc = {
        .name = "heat", .source = source, .operands = {"X"}, .uniforms = {"float rate"}};
    const glnn_matrix_desc desc = {.rows = ROWS, .columns = COLUMNS, .name = "plate"};
    const glnn_rect middle = {.row = 7, .column = 16, .rows = 1, .columns = 1};
    const float hot = 100;
    float plate[ROWS][COLUMNS], sum = 0;
    glnn_context *ctx;
    glnn_kernel *heat;
    glnn_matrix *x, *out;

    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_kernel_create(ctx, &heat_desc, &heat));
    CHECK(glnn_matrix_create(ctx, &desc, &x));
    CHECK(glnn_matrix_create(ctx, &desc, &out));
    CHECK(glnn_matrix_upload(ctx, x, &middle, &hot, 0));
    for (int i = 0; i < STEPS; i += 2) {
        spread(heat, 0.2, x, out);
        spread(heat, 0.2, out, x);
    }
    CHECK(glnn_matrix_download(ctx, x, NULL, plate[0], 0));
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < COLUMNS; ++j) {
            putchar(" .:-=+*#%@"[(int)(plate[i][j] * 9 / plate[7][16])]);
            sum += plate[i][j];
        }
        putchar('\n');
    }
    printf("the plate has %.1f in all\n", (double)sum);

    glnn_kernel_destroy(heat);
    glnn_matrix_destroy(x);
    glnn_matrix_destroy(out);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
