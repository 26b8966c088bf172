/* life - the game of life on a torus, 500 generations, as a picture. */
#include "repeat.h"

enum { SIDE = 256, GENERATIONS = 500 };

static const char source[] =
    "float cell(int row, int column) /* the world has no edge */\n"
    "{\n"
    "    return X_at((row + X_rows) % X_rows, (column + X_columns) % X_columns);\n"
    "}\n"
    "float element(int row, int column)\n"
    "{\n"
    "    float neighbours = -cell(row, column);\n"
    "    for (int i = -1; i <= 1; ++i)\n"
    "        for (int j = -1; j <= 1; ++j)\n"
    "            neighbours += cell(row + i, column + j);\n"
    "    return neighbours == 3.0 || (neighbours == 2.0 && cell(row, column) == 1.0) ? 1.0 : 0.0;\n"
    "}\n";

int main(int argc, char **argv)
{
    const glnn_kernel_desc life_desc = {.name = "life", .source = source, .operands = {"X"}};
    const glnn_matrix_desc desc = {.rows = SIDE, .columns = SIDE, .name = "world"};
    glnn_context *ctx;
    glnn_kernel *life;
    glnn_matrix *x;
    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_kernel_create(ctx, &life_desc, &life));
    CHECK(glnn_matrix_create(ctx, &desc, &x));
    CHECK(glnn_fill_uniform(ctx, 1, 0, 1, x));
    CHECK(glnn_map_apply_expression(ctx, "x < 0.3 ? 1.0 : 0.0", x, x));

    const glnn_kernel_run_desc run = {.operands = {{.matrix = x}}};
    repeat(ctx, life, &run, x, GENERATIONS, argc > 1 ? argv[1] : "life.png");
    glnn_matrix_destroy(x);
    glnn_kernel_destroy(life);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
