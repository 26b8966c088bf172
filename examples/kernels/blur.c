/* blur - blurs a picture by a Gaussian filter, along its columns and then along its rows. */
#include <glnn/glnn.h>

#include "common/check.h"

enum { SIDE = 256, RADIUS = 24 };

static const char squares_source[] = "float element(int row, int column)\n"
                                     "{\n"
                                     "    return float((row / 32 + column / 32) % 2);\n"
                                     "}\n";

/* Weights along a column. With a transposed operand, it is a row of the picture. */
static const char blur_source[] =
    "float element(int row, int column)\n"
    "{\n"
    "    float sum = 0.0, weights = 0.0;\n"
    "    for (int i = -RADIUS; i <= RADIUS; ++i) {\n"
    "        float weight = exp(-float(i * i) / (2.0 * deviation * deviation));\n"
    "        sum += weight * X_at(row + i, column);\n"
    "        weights += weight;\n"
    "    }\n"
    "    return sum / weights;\n"
    "}\n";

int main(int argc, char **argv)
{
    const glnn_kernel_desc squares_desc = {.name = "squares", .source = squares_source};
    const glnn_kernel_desc blur_desc = {.name = "blur",
                                        .source = blur_source,
                                        .operands = {"X"},
                                        .uniforms = {"float deviation"},
                                        .options = {"RADIUS"}};
    const glnn_matrix_desc desc = {.rows = SIDE, .columns = SIDE};
    static float pictures[2 * SIDE * SIDE];
    glnn_context *ctx;
    glnn_kernel *squares, *blur;
    glnn_matrix *x, *y;
    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_kernel_create(ctx, &squares_desc, &squares));
    CHECK(glnn_kernel_create(ctx, &blur_desc, &blur));
    CHECK(glnn_matrix_create(ctx, &desc, &x));
    CHECK(glnn_matrix_create(ctx, &desc, &y));
    CHECK(glnn_kernel_run(squares, NULL, x));
    CHECK(glnn_matrix_download(ctx, x, NULL, pictures, 0));

    /* Each pass transposes the picture, so that after two of them it is upright again. */
    glnn_kernel_run_desc run = {.uniforms = {8}, .options = {RADIUS}};
    run.operands[0] = (glnn_kernel_operand){.matrix = x, .transpose = true};
    CHECK(glnn_kernel_run(blur, &run, y));
    run.operands[0].matrix = y;
    CHECK(glnn_kernel_run(blur, &run, x));

    CHECK(glnn_matrix_download(ctx, x, NULL, pictures + SIDE * SIDE, 0));
    CHECK(glnn_image_write_sheet(argc > 1 ? argv[1] : "blur.png", 2, 2, 1, SIDE, SIDE, pictures, 0,
                                 1));
    glnn_matrix_destroy(x);
    glnn_matrix_destroy(y);
    glnn_kernel_destroy(squares);
    glnn_kernel_destroy(blur);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
