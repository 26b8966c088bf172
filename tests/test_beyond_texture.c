/* Matrices that are larger than a texture, in every operation: one row or column below the limit of
 * a texture, at it, and beyond it. Each result is right, or a matrix is refused with its size and
 * the limit. */
#include "support/problems.h"
#include "support/small_device.h"

#include <glnn/distortion.h>
#include <glnn/kernel.h>
#include <glnn/projection.h>

#include "base/status.h"
#include "tex/matrix.h"

#include <stdio.h>

static const glnn_layout layouts[] = {GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED, GLNN_LAYOUT_UNPACKED,
                                      GLNN_LAYOUT_PAGED};
enum { LAYOUTS = COUNT_OF(layouts) };

/* Rows and columns: so many halves of those that a texture has, and so many more. */
typedef struct shape {
    int half_rows, more_rows, half_columns, more_columns;
} shape;

/* In the last two, all rows of blocks that fit side by side are in each row of texels. */
static const shape shapes[] = {
    {2, -1, 0, 3},
    {2, 0, 0, 3},
    {2, 1, 0, 3},
    {0, 3, 2, -1},
    {0, 3, 2, 0},
    {0, 3, 2, 1},
    {2, 1, 1, 0},
    {2, 1, 1, 1},
    {4, 0, 1, 0},
    {4, 1, 1, 0},
    {2, -1, 2, -1},
    {2, 0, 2, 0},
    {2, 1, 2, 0},
    {2, 0, 2, 1},
    {2, 1, 2, 1},
    {2 * SMALL_SIDE, 0, 0, 1},
    {2 * SMALL_SIDE, 1, 0, 1},
};
enum { SHAPES = COUNT_OF(shapes) };

static int rows_of_shape(shape of, glnn_layout layout)
{
    const glnn__layout_info *info = glnn__layout_in(glnn_test_context(), layout);
    return of.half_rows * SMALL_SIDE / 2 * info->block_rows + of.more_rows;
}

static int columns_of_shape(shape of, glnn_layout layout)
{
    const glnn__layout_info *info = glnn__layout_in(glnn_test_context(), layout);
    return of.half_columns * SMALL_SIDE / 2 * info->block_columns + of.more_columns;
}

/* Rows and columns of a shape can be m and n of a product, m and k, or k and n. */
enum { PLACES = 3 };

static glnn__sizes sizes_of(shape of, glnn_layout layout, int place)
{
    enum { FEW = 5 };
    const int rows = rows_of_shape(of, layout), columns = columns_of_shape(of, layout);
    const glnn__sizes sizes[PLACES] = {
        {rows, columns, FEW}, {rows, FEW, columns}, {FEW, columns, rows}};
    return sizes[place];
}

/* Creates a matrix that the device cannot have; returns false if it can. */
static bool is_refused(int rows, int columns, glnn_layout layout)
{
    if (rows == 0 || fits_small_device(layout, rows, columns))
        return false;
    const glnn_matrix_desc desc = {.rows = rows, .columns = columns, .layout = layout};
    glnn_matrix *matrix = NULL;
    expect_limit_refusal(glnn_matrix_create(glnn_test_context(), &desc, &matrix),
                         "glnn_matrix_create: matrix", rows, columns);
    assert_null(matrix);
    return true;
}

static bool is_any_refused(const glnn__problem *p, const setting *s)
{
    int refused = is_refused(p->out.rows, p->out.columns, s->out);
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        refused += is_refused(p->operand[i].rows, p->operand[i].columns, s->operands[i]);
    return refused > 0;
}

/* The headers name two operations that need larger matrices than their operands: partial products
 * that the program asks for, and the first entries of each row of a scatter-add. */
static bool has_limit_of_its_own(const glnn__problem *p)
{
    return p->op->gemm.accumulate == GLNN_ACCUMULATE_PARTIAL ||
           (strcmp(p->op->call, "glnn_scatter_add_rows") == 0 && p->out.rows > 4 * SMALL_SIDE);
}

static void check_operation_beyond(const glnn__operation *op, shape of, glnn_layout layout,
                                   int place)
{
    glnn_matrix *out = NULL;
    setting s = setting_of(layout);
    glnn__problem p = problem_new(op, sizes_of(of, layout, place));
    if (layout == GLNN_LAYOUT_PAGED)
        s.out = GLNN_LAYOUT_PACKED;
    const glnn_status status = is_any_refused(&p, &s) ? GLNN_OK : try_problem(&p, &s, &out);
    if (status && !has_limit_of_its_own(&p))
        fail_at(__FILE__, __LINE__, "%s of %d, %d, %d in %s gives %s: %s", op->name, p.size.m,
                p.size.n, p.size.k, glnn_layout_name(layout), glnn_status_name(status),
                glnn_last_error());
    if (status)
        expect_limit_refusal(status, op->call, 0, 0);
    glnn__problem_free(&p);
    release_all();
}

static void every_operation_is_right_or_a_matrix_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < glnn__operation_count; ++i) {
        const glnn__operation *op = &glnn__operations[i];
        const int places = op->kind == GLNN__KIND_PRODUCT ? PLACES : 1;
        for (int j = 0; j < LAYOUTS * SHAPES * places; ++j) {
            const int layout = j / SHAPES % LAYOUTS;
            const bool is_usual = is_its_turn(op, j) && (i + j) % 2 == 0;
            if (all_cases_are_run() || (is_usual && !case_is_left_out(i + j + j / SHAPES)))
                check_operation_beyond(op, shapes[j % SHAPES], layouts[layout],
                                       j / SHAPES / LAYOUTS);
        }
    }
}

/* ---- Operations without a row in the table: the bits are those of a device with large textures */

enum { PIXELS = 36 }; /* of an image of 6 x 6 */

/* A call with a matrix of this shape, whose result has other columns or, with 0, the same. */
typedef struct further {
    const char *name;
    glnn_status (*run)(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);
    int columns;
    const char *refusal; /* how the sentence begins if it needs a larger texture; NULL: never */
} further;

static glnn_shape shape_of_rows(const glnn_matrix *x)
{
    const int columns = glnn_matrix_get_columns(x);
    return columns == PIXELS ? (glnn_shape){1, 6, 6} : (glnn_shape){1, 2, columns / 2};
}

static glnn_status run_blur(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    return glnn_image_blur(ctx, shape_of_rows(x), 1, x, out);
}

static glnn_status run_normalise(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    return glnn_image_normalise(ctx, 1e-3f, x, out);
}

static glnn_status run_gradients(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    return glnn_image_gradients(ctx, shape_of_rows(x), x, out);
}

static glnn_status run_distort(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    const glnn_distortion how = {.shape = shape_of_rows(x), .shift = 1};
    return glnn_image_distort(ctx, &how, 3, 1, x, out);
}

static glnn_status run_projection(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    const int features = glnn_matrix_get_columns(x);
    glnn_projection *projection = NULL;
    random_seed(5);
    const array samples = array_random(9, features, -1, 1);
    GLNN__TRY(glnn_pca_fit(ctx, &(glnn_pca_desc){.components = glnn_matrix_get_columns(out)}, 9,
                           features, floats_of(samples), &projection));
    const glnn_status status = glnn_projection_apply_matrix(projection, x, out);
    glnn_projection_destroy(projection);
    return status;
}

static glnn_status run_kernel(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    static const glnn_kernel_desc neighbours = {
        .source = "float element(int row, int column)\n"
                  "{\n"
                  "    return X_at(row - 1, column) - 2.0 * X_at(row, column + 1);\n"
                  "}\n",
        .operands = {"X"}};
    glnn_kernel *kernel = NULL;
    GLNN__TRY(glnn_kernel_create(ctx, &neighbours, &kernel));
    const glnn_kernel_run_desc run = {.operands = {{.matrix = x}}};
    const glnn_status status = glnn_kernel_run(kernel, &run, out);
    glnn_kernel_destroy(kernel);
    return status;
}

/* All rows but the first and all columns but the last, to and from main memory. */
static glnn_status run_transfers(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out)
{
    const glnn_rect part = {1, 0, glnn_matrix_get_rows(x) - 1, glnn_matrix_get_columns(x) - 1};
    float *floats = floats_new((size_t)part.rows * (size_t)part.columns);
    GLNN__TRY(glnn_matrix_download(ctx, x, &part, floats, 0));
    return glnn_matrix_upload(ctx, out, &part, floats, 0);
}

static const further calls[] = {
    {"blur", run_blur, 0, NULL},
    {"normalise", run_normalise, 0, NULL},
    {"distort", run_distort, 0, "glnn_image_distort: "},
    {"gradients", run_gradients, GLNN_IMAGE_GRADIENTS, "glnn_image_gradients: "},
    {"projection", run_projection, 3, "glnn_pca_fit: scatter: "},
    {"kernel", run_kernel, 0, NULL},
    {"transfers", run_transfers, 0, NULL},
};

static int columns_of_result(const further *call, int columns)
{
    return call->columns ? call->columns : columns;
}

/* TILED holds the most columns. */
static glnn_layout layout_of_result(const further *call, glnn_layout layout)
{
    return call->columns == GLNN_IMAGE_GRADIENTS ? GLNN_LAYOUT_TILED : layout;
}

/* The result; no data: the call is refused, which only a small device may do. */
static array result_of(const further *call, array x, glnn_layout layout)
{
    glnn_matrix *out =
        matrix_zero(x.rows, columns_of_result(call, x.columns), layout_of_result(call, layout));
    const glnn_status status = call->run(glnn_test_context(), matrix_of(x, layout), out);
    if (status == GLNN_OK)
        return values_of(out);
    if (!call->refusal || status != GLNN_E_LIMIT ||
        strncmp(glnn_last_error(), call->refusal, strlen(call->refusal)) != 0 ||
        !strstr(glnn_last_error(), "128 x 128"))
        fail_at(__FILE__, __LINE__, "%s of %d x %d in %s gives %s: %s", call->name, x.rows,
                x.columns, glnn_layout_name(layout), glnn_status_name(status), glnn_last_error());
    log_clear();
    return (array){0};
}

static void check_further(const further *call, int rows, int columns, glnn_layout layout)
{
    if (is_refused(rows, columns_of_result(call, columns), layout_of_result(call, layout)))
        return;
    random_seed(8);
    const array x = array_random(rows, columns, -1, 1);
    const array small = result_of(call, x, layout);
    small_device_end();
    const array large = result_of(call, x, layout);
    small_device_begin();
    if (small.data)
        expect_same_bits(small, large, "%s of %d x %d in %s", call->name, rows, columns,
                         glnn_layout_name(layout));
    release_all();
}

static void images_projections_kernels_and_transfers_have_the_same_bits_or_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(calls); ++i)
        for (int j = 0; j < RENDERED_COUNT; ++j) {
            const glnn_layout layout = rendered_layout(j);
            if (case_is_left_out((int)i + j))
                continue;
            for (int more = -1; more <= 1; ++more)
                check_further(&calls[i], rows_of_shape((shape){2, more, 0, 0}, layout), PIXELS,
                              layout);
            check_further(&calls[i], 5, columns_of_shape((shape){0, 0, 2, 0}, layout), layout);
            check_further(&calls[i], 5, columns_of_shape((shape){0, 0, 2, -2}, layout), layout);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_operation_is_right_or_a_matrix_is_refused),
        TEST(images_projections_kernels_and_transfers_have_the_same_bits_or_are_refused),
    };
    return cmocka_run_group_tests_name("matrices beyond a texture", tests, small_device_setup,
                                       test_group_teardown);
}
