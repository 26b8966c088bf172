/* histogram - counts the values of a picture by scatter-add, and draws the counts. */
#include <glnn/glnn.h>

#include "common/check.h"

enum { SIDE = 128, BINS = 64 };

/* A picture of rings. */
static const char rings_source[] =
    "float element(int row, int column)\n"
    "{\n"
    "    vec2 place = vec2(row, column) / vec2(output_rows, output_columns) - 0.5;\n"
    "    return 0.5 + 0.45 * sin(80.0 * dot(place, place));\n"
    "}\n";

/* The bin of each pixel, one below the other. */
static const char bins_source[] =
    "float element(int row, int column)\n"
    "{\n"
    "    return floor(float(BINS) * X_at(row / X_columns, row % X_columns));\n"
    "}\n";

/* Bars of the counts; the greatest one reaches the top. */
static const char bars_source[] =
    "float element(int row, int column)\n"
    "{\n"
    "    float count = COUNTS_at(column * COUNTS_rows / output_columns, 0);\n"
    "    return count * float(output_rows) > MOST_at(0, 0) * float(output_rows - row) ? 1.0 : "
    "0.0;\n"
    "}\n";

static void run(glnn_context *ctx, const glnn_kernel_desc *desc, const glnn_matrix *first,
                const glnn_matrix *second, glnn_matrix *out)
{
    glnn_kernel *kernel;
    const glnn_kernel_run_desc arguments = {.operands = {{.matrix = first}, {.matrix = second}},
                                            .options = {desc->options[0] ? BINS : 0}};
    CHECK(glnn_kernel_create(ctx, desc, &kernel));
    CHECK(glnn_kernel_run(kernel, &arguments, out));
    glnn_kernel_destroy(kernel);
}

static glnn_matrix *matrix(glnn_context *ctx, int rows, int columns, const char *name)
{
    const glnn_matrix_desc desc = {.rows = rows, .columns = columns, .name = name};
    glnn_matrix *out;
    CHECK(glnn_matrix_create(ctx, &desc, &out));
    return out;
}

int main(int argc, char **argv)
{
    const glnn_kernel_desc rings_desc = {.name = "rings", .source = rings_source};
    const glnn_kernel_desc bins_desc = {
        .name = "bins", .source = bins_source, .operands = {"X"}, .options = {"BINS"}};
    const glnn_kernel_desc bars_desc = {
        .name = "bars", .source = bars_source, .operands = {"COUNTS", "MOST"}};
    static float pictures[2 * SIDE * SIDE];
    glnn_context *ctx;
    CHECK(glnn_context_create(NULL, &ctx));
    glnn_matrix *image = matrix(ctx, SIDE, SIDE, "image"), *bars = matrix(ctx, SIDE, SIDE, "bars");
    glnn_matrix *index = matrix(ctx, SIDE * SIDE, 1, "index"), *most = matrix(ctx, 1, 1, "most");
    glnn_matrix *ones = matrix(ctx, SIDE * SIDE, 1, "ones"),
                *counts = matrix(ctx, BINS, 1, "counts");
    run(ctx, &rings_desc, NULL, NULL, image);
    run(ctx, &bins_desc, image, NULL, index);
    CHECK(glnn_fill(ctx, 1, ones));
    CHECK(glnn_scatter_add_rows(ctx, 1, ones, index, 0, counts));
    CHECK(glnn_reduce(ctx, GLNN_REDUCTION_MAX, GLNN_AXIS_ALL, counts, most));
    run(ctx, &bars_desc, counts, most, bars);

    CHECK(glnn_matrix_download(ctx, image, NULL, pictures, 0));
    CHECK(glnn_matrix_download(ctx, bars, NULL, pictures + SIDE * SIDE, 0));
    CHECK(glnn_image_write_sheet(argc > 1 ? argv[1] : "histogram.png", 2, 2, 1, SIDE, SIDE,
                                 pictures, 0, 1));
    glnn_matrix *all[] = {image, bars, index, most, ones, counts};
    for (int i = 0; i < 6; ++i)
        glnn_matrix_destroy(all[i]);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
