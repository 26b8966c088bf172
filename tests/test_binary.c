/* Arithmetic of two operands: wrong ones, division by zero, and many sums. Other results are in
 * test_operations. */
#include "support/reference.h"

static void quotients_by_zero_do_not_reach_the_padding(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        array x = array_numbered(5, 9), y = array_new(5, 9), want = array_new(5, 9);
        for (size_t i = 0; i < length_of(want); ++i)
            want.data[i] = INFINITY;
        glnn_matrix *out = matrix_zero(5, 9, layout);
        expect_ok(glnn_binary_apply(glnn_test_context(), GLNN_BINARY_DIVIDE, matrix_of(x, layout),
                                    matrix_of(y, layout), out));
        expect_equal(out, want, "divide by zero");
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
        TEST(quotients_by_zero_do_not_reach_the_padding),
        TEST(operations_refuse_operands_that_do_not_broadcast),
        TEST(axpy_adds_up_over_many_calls),
        TEST(axpby_refuses_operands_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("binary", tests, test_group_setup, test_group_teardown);
}
