/* Outer products of a vector with itself, and wrong operands. Other results are in
 * test_operations. */
#include "support/reference.h"

static void outer_of_a_vector_with_itself_is_symmetric(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        array x = array_random(11, 1, -1.0, 1.0);
        glnn_matrix *vector = matrix_of(x, layout), *out = matrix_zero(11, 11, layout);
        expect_ok(glnn_outer(glnn_test_context(), 1.0f, vector, vector, 0.0f, out));
        array values = values_of(out);
        expect_same_bits(reference_transpose(values), values, "x x', %s", glnn_layout_name(layout));
    }
}

static void outer_products_refuse_operands_that_do_not_fit(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(3, 1, 0), *y = matrix_zero(1, 5, 0), *out = matrix_zero(3, 5, 0);
    glnn_matrix *square = matrix_zero(3, 3, 0), *paged = matrix_zero(3, 5, GLNN_LAYOUT_PAGED);
    expect_error(glnn_outer(NULL, 1.0f, x, y, 0.0f, out), GLNN_E_ARG, "");
    expect_error(glnn_outer(ctx, 1.0f, NULL, y, 0.0f, out), GLNN_E_ARG, "");
    expect_error(glnn_outer(ctx, 1.0f, x, NULL, 0.0f, out), GLNN_E_ARG, "");
    expect_error(glnn_outer(ctx, 1.0f, x, y, 0.0f, NULL), GLNN_E_ARG, "");
    expect_error(glnn_outer(ctx, 1.0f, x, y, 0.0f, paged), GLNN_E_ARG, "");
    expect_error(glnn_outer(ctx, 1.0f, square, y, 0.0f, out), GLNN_E_SHAPE, "3 x 3");
    expect_error(glnn_outer(ctx, 1.0f, x, square, 0.0f, out), GLNN_E_SHAPE, "3 x 3");
    expect_error(glnn_outer(ctx, 1.0f, y, x, 0.0f, out), GLNN_E_SHAPE, "1 x 5");
    expect_error(glnn_outer(ctx, 1.0f, x, y, 0.0f, square), GLNN_E_SHAPE, "1 x 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(outer_of_a_vector_with_itself_is_symmetric),
        TEST(outer_products_refuse_operands_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("outer", tests, test_group_setup, test_group_teardown);
}
