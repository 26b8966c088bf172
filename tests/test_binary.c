/* Arithmetic of two operands: element-wise with broadcast, and axpby. */
#include "support/reference.h"

static const char *const names[GLNN_BINARY_COUNT] = {"add",    "subtract", "multiply",
                                                     "divide", "maximum",  "minimum"};

/* Random numbers away from 0, so that a quotient stays moderate. */
static array array_nonzero(int rows, int columns)
{
    array values = array_random(rows, columns, 0.1, 3.0);
    for (size_t i = 0; i < length_of(values); i += 2)
        values.data[i] = -values.data[i];
    return values;
}

/* How an operand broadcasts: bit 0 along the rows, bit 1 along the columns. */
typedef struct pair {
    glnn_binary op;
    int rows, columns;
    int x_broadcast, y_broadcast;
    glnn_layout x, y, out;
} pair;

static array operand_of(const pair *p, int broadcast)
{
    return array_nonzero(broadcast & 1 ? 1 : p->rows, broadcast & 2 ? 1 : p->columns);
}

static void check_pair(const pair *p)
{
    array x = operand_of(p, p->x_broadcast), y = operand_of(p, p->y_broadcast);
    if (length_of(x) == length_of(y))
        y.data[0] = x.data[0];
    glnn_matrix *out = matrix_of(array_numbered(p->rows, p->columns), p->out);
    expect_ok(
        glnn_binary_apply(glnn_test_context(), p->op, matrix_of(x, p->x), matrix_of(y, p->y), out));
    expect_close(out, reference_binary_apply(p->op, x, y, p->rows, p->columns),
                 "%s of %s %d x %d and %s %d x %d -> %s", names[p->op], glnn_layout_name(p->x),
                 x.rows, x.columns, glnn_layout_name(p->y), y.rows, y.columns,
                 glnn_layout_name(p->out));
    release_all();
}

static void operations_agree_with_reference_with_every_broadcast(void **state)
{
    (void)state;
    static const int shapes[][2] = {{9, 13}, {1, 5}, {6, 1}, {4, 8}};
    for (int broadcast = 0; broadcast < 16; ++broadcast)
        for (size_t i = 0; i < COUNT_OF(shapes); ++i)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
                for (int op = broadcast % 2; op < GLNN_BINARY_COUNT; op += 2)
                    check_pair(&(pair){(glnn_binary)op, shapes[i][0], shapes[i][1], broadcast % 4,
                                       broadcast / 4, layout, layout, layout});
}

static void operations_agree_with_reference_on_all_combinations_of_layouts(void **state)
{
    (void)state;
    int broadcast = 0;
    for (glnn_layout x = GLNN_LAYOUT_TILED; x < GLNN_LAYOUT_COUNT; ++x)
        for (glnn_layout y = GLNN_LAYOUT_TILED; y < GLNN_LAYOUT_COUNT; ++y)
            for (glnn_layout out = GLNN_LAYOUT_TILED; out < RENDERED_END;
                 ++out, broadcast = (broadcast + 5) % 16) {
                check_pair(&(pair){GLNN_BINARY_SUBTRACT, 9, 13, 0, 0, x, y, out});
                check_pair(
                    &(pair){GLNN_BINARY_DIVIDE, 5, 9, broadcast % 4, broadcast / 4, x, y, out});
            }
}

static void operations_work_in_place_of_either_operand(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (int which = 0; which < 3; ++which) {
            array x = array_nonzero(9, 13), y = which == 2 ? x : array_nonzero(9, 13);
            glnn_matrix *left = matrix_of(x, layout);
            glnn_matrix *right = which == 2 ? left : matrix_of(y, layout);
            glnn_matrix *out = which == 1 ? right : left;
            expect_ok(
                glnn_binary_apply(glnn_test_context(), GLNN_BINARY_SUBTRACT, left, right, out));
            expect_close(out, reference_binary_apply(GLNN_BINARY_SUBTRACT, x, y, 9, 13),
                         "subtract in place, way %d", which);
        }
}

static void quotients_by_zero_do_not_reach_the_padding(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        array x = array_numbered(5, 9), y = array_new(5, 9);
        glnn_matrix *out = matrix_zero(5, 9, layout);
        expect_ok(glnn_binary_apply(glnn_test_context(), GLNN_BINARY_DIVIDE, matrix_of(x, layout),
                                    matrix_of(y, layout), out));
        expect_close(out, reference_binary_apply(GLNN_BINARY_DIVIDE, x, y, 5, 9), "divide by zero");
    }
}

static void operations_refuse_operands_that_do_not_broadcast(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(3, 5, 0), *out = matrix_zero(3, 5, 0);
    static const int wrong[][2] = {{3, 4}, {2, 5}, {1, 4}, {2, 1}, {5, 3}, {3, 10}, {6, 5}};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        glnn_matrix *other = matrix_zero(wrong[i][0], wrong[i][1], 0);
        expect_error(glnn_binary_apply(ctx, GLNN_BINARY_ADD, x, other, out), GLNN_E_SHAPE, "3 x 5");
        expect_error(glnn_binary_apply(ctx, GLNN_BINARY_ADD, other, x, out), GLNN_E_SHAPE, "3 x 5");
    }
    expect_error(glnn_binary_apply(ctx, GLNN_BINARY_ADD, x, x, matrix_zero(1, 5, 0)), GLNN_E_SHAPE,
                 "1 x 5");
    expect_error(glnn_binary_apply(NULL, GLNN_BINARY_ADD, x, x, out), GLNN_E_ARG, "");
    expect_error(glnn_binary_apply(ctx, GLNN_BINARY_ADD, NULL, x, out), GLNN_E_ARG, "");
    expect_error(glnn_binary_apply(ctx, GLNN_BINARY_ADD, x, NULL, out), GLNN_E_ARG, "");
    expect_error(glnn_binary_apply(ctx, GLNN_BINARY_ADD, x, x, NULL), GLNN_E_ARG, "");
    expect_error(glnn_binary_apply(ctx, GLNN_BINARY_COUNT, x, x, out), GLNN_E_ARG, "");
    expect_error(
        glnn_binary_apply(ctx, GLNN_BINARY_ADD, x, x, matrix_zero(3, 5, GLNN_LAYOUT_PAGED)),
        GLNN_E_ARG, "paged");
}

static void check_axpby(float alpha, float beta, const int shape[2], glnn_layout from,
                        glnn_layout to)
{
    array x = array_nonzero(shape[0], shape[1]), y = array_nonzero(shape[0], shape[1]);
    glnn_matrix *out = matrix_of(y, to);
    expect_ok(glnn_axpby(glnn_test_context(), alpha, matrix_of(x, from), beta, out));
    expect_close(out, reference_axpby(alpha, x, beta, y), "%g x + %g y, %s -> %s", (double)alpha,
                 (double)beta, glnn_layout_name(from), glnn_layout_name(to));
    release_all();
}

static void axpby_agrees_with_reference(void **state)
{
    (void)state;
    static const float scalars[][2] = {{1.0f, 1.0f}, {-0.01f, 1.0f}, {0.5f, 0.9f},
                                       {2.0f, 0.0f}, {0.0f, -1.0f},  {0.0f, 0.0f}};
    static const int shapes[][2] = {{1, 1}, {9, 13}, {4, 8}, {1, 33}, {33, 1}};
    for (size_t i = 0; i < COUNT_OF(scalars); ++i)
        for (glnn_layout from = GLNN_LAYOUT_TILED; from < GLNN_LAYOUT_COUNT; ++from)
            for (glnn_layout to = GLNN_LAYOUT_TILED; to < RENDERED_END; ++to)
                for (size_t j = 0; j < COUNT_OF(shapes); ++j)
                    check_axpby(scalars[i][0], scalars[i][1], shapes[j], from, to);
}

static void axpby_takes_one_matrix_twice(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        array y = array_nonzero(9, 13);
        glnn_matrix *matrix = matrix_of(y, layout);
        expect_ok(glnn_axpby(glnn_test_context(), 0.5f, matrix, 0.75f, matrix));
        expect_close(matrix, reference_axpby(0.5f, y, 0.75f, y), "0.5 y + 0.75 y");
    }
}

static void axpy_adds_up_over_many_calls(void **state)
{
    (void)state;
    enum { CALLS = 50 };
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        array x = array_numbered(9, 13), sum = array_new(9, 13);
        glnn_matrix *from = matrix_of(x, layout), *to = matrix_zero(9, 13, layout);
        for (int call = 0; call < CALLS; ++call)
            expect_ok(glnn_axpy(glnn_test_context(), 0.25f, from, to));
        for (size_t i = 0; i < length_of(x); ++i)
            sum.data[i] = 0.25 * CALLS * x.data[i];
        expect_equal(to, sum, "%d times axpy", CALLS);
    }
}

static void axpby_refuses_operands_that_do_not_fit(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(3, 5, 0), *y = matrix_zero(3, 6, 0);
    expect_error(glnn_axpby(ctx, 1.0f, x, 1.0f, y), GLNN_E_SHAPE, "3 x 6");
    expect_error(glnn_axpy(ctx, 1.0f, x, y), GLNN_E_SHAPE, "3 x 6");
    expect_error(glnn_axpby(NULL, 1.0f, x, 1.0f, x), GLNN_E_ARG, "");
    expect_error(glnn_axpby(ctx, 1.0f, NULL, 1.0f, x), GLNN_E_ARG, "");
    expect_error(glnn_axpby(ctx, 1.0f, x, 1.0f, NULL), GLNN_E_ARG, "");
    expect_error(glnn_axpby(ctx, 1.0f, x, 1.0f, matrix_zero(3, 5, GLNN_LAYOUT_PAGED)), GLNN_E_ARG,
                 "paged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(operations_agree_with_reference_with_every_broadcast),
        TEST(operations_agree_with_reference_on_all_combinations_of_layouts),
        TEST(operations_work_in_place_of_either_operand),
        TEST(quotients_by_zero_do_not_reach_the_padding),
        TEST(operations_refuse_operands_that_do_not_broadcast),
        TEST(axpby_agrees_with_reference),
        TEST(axpby_takes_one_matrix_twice),
        TEST(axpy_adds_up_over_many_calls),
        TEST(axpby_refuses_operands_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("binary", tests, test_group_setup, test_group_teardown);
}
