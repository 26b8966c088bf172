/* heat - heat flows around a wall with a gap, as a picture. */
#include "repeat.h"

enum { SIDE = 96, STEPS = 4000 };

/* How well each place conducts heat: a wall in the middle does not, except for its gap. */
static const char plate_source[] =
    "float element(int row, int column)\n"
    "{\n"
    "    bool is_wall = abs(column - 48) < 2, is_gap = abs(row - 30) < 8;\n"
    "    return is_wall && !is_gap ? 0.001 : 0.24;\n"
    "}\n";

/* The left edge is kept hot and the right one cold. */
static const char heat_source[] =
    "float flow(int row, int column, float x, float k)\n"
    "{\n"
    "    return min(k, K_at(row, column)) * (X_at(row, column) - x);\n"
    "}\n"
    "float element(int row, int column)\n"
    "{\n"
    "    float x = X_at(row, column), k = K_at(row, column);\n"
    "    if (column == 0 || column >= output_columns - 1)\n"
    "        return column == 0 ? 1.0 : 0.0;\n"
    "    return x + flow(row - 1, column, x, k) + flow(row + 1, column, x, k) +\n"
    "           flow(row, column - 1, x, k) + flow(row, column + 1, x, k);\n"
    "}\n";

int main(int argc, char **argv)
{
    const glnn_kernel_desc plate_desc = {.name = "plate", .source = plate_source};
    const glnn_kernel_desc heat_desc = {
        .name = "heat", .source = heat_source, .operands = {"X", "K"}};
    const glnn_matrix_desc desc = {.rows = SIDE, .columns = SIDE};
    glnn_context *ctx;
    glnn_kernel *plate, *heat;
    glnn_matrix *x, *k;
    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_kernel_create(ctx, &plate_desc, &plate));
    CHECK(glnn_kernel_create(ctx, &heat_desc, &heat));
    CHECK(glnn_matrix_create(ctx, &desc, &x));
    CHECK(glnn_matrix_create(ctx, &desc, &k));
    CHECK(glnn_kernel_run(plate, NULL, k));

    const glnn_kernel_run_desc run = {.operands = {{.matrix = x}, {.matrix = k}}};
    repeat(ctx, heat, &run, x, STEPS, argc > 1 ? argv[1] : "heat.png");
    glnn_matrix_destroy(x);
    glnn_matrix_destroy(k);
    glnn_kernel_destroy(plate);
    glnn_kernel_destroy(heat);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
