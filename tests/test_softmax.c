/* Softmax of large, equal and infinite numbers. Other results are in test_operations. */
#include "support/reference.h"

#include "ops/softmax.h"

static void check_softmax(array x, glnn_layout from, glnn_layout to, const char *what)
{
    glnn_matrix *out = matrix_of(array_numbered(x.rows, x.columns), to);
    expect_ok(glnn_softmax(glnn_test_context(), matrix_of(x, from), out));
    expect_close(out, reference_softmax(x), "softmax of %s, %d x %d, %s -> %s", what, x.rows,
                 x.columns, glnn_layout_name(from), glnn_layout_name(to));
    release_all();
}

static void softmax_of_large_numbers_does_not_overflow(void **state)
{
    (void)state;
    static const double ranges[][2] = {{-1000.0, 1000.0}, {88.0, 90.0},        {-90.0, -88.0},
                                       {9990.0, 10000.0}, {-10000.0, -9990.0}, {-1e30, 1e30}};
    for (size_t i = 0; i < COUNT_OF(ranges); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            check_softmax(array_random(5, 11, ranges[i][0], ranges[i][1]), layout, layout,
                          "large numbers");
}

static void softmax_of_equal_numbers_is_even(void **state)
{
    (void)state;
    array x = array_new(5, 10);
    for (size_t i = 0; i < length_of(x); ++i)
        x.data[i] = -3.0;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_matrix *matrix = matrix_of(x, layout);
        expect_ok(glnn_softmax(glnn_test_context(), matrix, matrix));
        expect_close(matrix, reference_softmax(x), "softmax in place");
    }
}

/* All of a row but one element: in a long one, whole chunks that add nothing to the sum. */
static array one_finite_element(int columns)
{
    array x = array_random(3, columns, -5.0, 5.0);
    for (int row = 0; row < x.rows; ++row)
        for (int j = 0; j < x.columns; ++j)
            if (j != row * 4)
                *at(x, row, j) = -INFINITY;
    return x;
}

static void softmax_of_minus_infinity_is_zero(void **state)
{
    (void)state;
    static const int lengths[] = {10, 300, 600, 1030};
    for (size_t i = 0; i < COUNT_OF(lengths); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            check_softmax(one_finite_element(lengths[i]), layout, layout, "minus infinity");
}

static void
softmax_of_rows_ends_with_their_log_sum_exp_and_leaves_out_rows_without_a_sample(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    enum { ROWS = 9, COLUMNS = 12, COUNT = 7 };
    array x = array_random(ROWS, COLUMNS, -5.0, 5.0);
    expected softmax = reference_softmax(x),
             want = {array_new(ROWS, COLUMNS + 1), array_new(ROWS, COLUMNS + 1)};
    expected sums = reference_reduce(GLNN_REDUCTION_LOGSUMEXP, GLNN_AXIS_ROWS, x, 2);
    for (int i = 0; i < COUNT; ++i)
        for (int j = 0; j <= COLUMNS; ++j) {
            const expected *from = j < COLUMNS ? &softmax : &sums;
            *at(want.value, i, j) = *at(from->value, i, j % COLUMNS);
            *at(want.bound, i, j) = *at(from->bound, i, j % COLUMNS);
        }
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_matrix *from = matrix_of(x, layout), *stats = matrix_zero(ROWS, 4, layout);
        glnn_matrix *out = matrix_of(array_numbered(ROWS, COLUMNS + 1), layout);
        expect_ok(glnn__row_stats(ctx, from, stats));
        expect_ok(glnn__softmax_rows(ctx, from, stats, COUNT, out));
        expect_close(out, want, "softmax of rows, %s", glnn_layout_name(layout));
    }
}

static void softmax_refuses_operands_that_do_not_fit(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(3, 5, 0);
    expect_error(glnn_softmax(NULL, x, x), GLNN_E_ARG, "");
    expect_error(glnn_softmax(ctx, NULL, x), GLNN_E_ARG, "");
    expect_error(glnn_softmax(ctx, x, NULL), GLNN_E_ARG, "");
    expect_error(glnn_softmax(ctx, x, matrix_zero(3, 5, GLNN_LAYOUT_PAGED)), GLNN_E_ARG, "paged");
    expect_error(glnn_softmax(ctx, x, matrix_zero(5, 3, 0)), GLNN_E_SHAPE, "5 x 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(softmax_of_large_numbers_does_not_overflow),
        TEST(softmax_of_equal_numbers_is_even),
        TEST(softmax_of_minus_infinity_is_zero),
        TEST(softmax_of_rows_ends_with_their_log_sum_exp_and_leaves_out_rows_without_a_sample),
        TEST(softmax_refuses_operands_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("softmax", tests, test_group_setup, test_group_teardown);
}
