/* Outer products. */
#include "support/reference.h"

static const glnn_layout all_layouts[] = {GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED,
                                          GLNN_LAYOUT_UNPACKED, GLNN_LAYOUT_PAGED};

typedef struct outer {
    int m, n;
    bool x_is_row, y_is_row;
    float alpha, beta;
    glnn_layout x, y, out;
} outer;

static array vector_random(int length, bool is_row)
{
    return array_random(is_row ? 1 : length, is_row ? length : 1, -1.0, 1.0);
}

static void check_outer(const outer *p)
{
    array x = vector_random(p->m, p->x_is_row), y = vector_random(p->n, p->y_is_row);
    array former = array_random(p->m, p->n, -1.0, 1.0);
    glnn_matrix *out = matrix_of(former, p->out);
    expect_ok(glnn_outer(glnn_test_context(), p->alpha, matrix_of(x, p->x), matrix_of(y, p->y),
                         p->beta, out));
    expect_close(out, reference_outer(p->alpha, x, y, p->beta, former),
                 "outer of %s %s %d and %s %s %d -> %s, alpha %g beta %g", glnn_layout_name(p->x),
                 p->x_is_row ? "row" : "column", p->m, glnn_layout_name(p->y),
                 p->y_is_row ? "row" : "column", p->n, glnn_layout_name(p->out), (double)p->alpha,
                 (double)p->beta);
    release_all();
}

static void outer_products_agree_with_reference_on_all_combinations_of_layouts(void **state)
{
    (void)state;
    for (size_t x = 0; x < COUNT_OF(all_layouts); ++x)
        for (size_t y = 0; y < COUNT_OF(all_layouts); ++y)
            for (glnn_layout out = GLNN_LAYOUT_TILED; out < RENDERED_END; ++out)
                for (int way = 0; way < 4; ++way)
                    check_outer(&(outer){9, 13, way % 2 == 1, way / 2 == 1, 0.75f, 0.0f,
                                         all_layouts[x], all_layouts[y], out});
}

static void outer_products_agree_with_reference_on_every_shape_and_scalar(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1},  {1, 7},   {7, 1},  {3, 4},    {4, 8},  {5, 9},
                                   {8, 31}, {33, 31}, {65, 1}, {64, 100}, {257, 9}};
    static const float scalars[][2] = {{1.0f, 0.0f}, {-2.5f, 0.0f},  {0.0f, 0.0f},
                                       {1.0f, 1.0f}, {-0.01f, 0.9f}, {0.0f, 0.5f}};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < COUNT_OF(sizes); ++i)
            for (size_t j = 0; j < COUNT_OF(scalars); ++j)
                check_outer(&(outer){sizes[i][0], sizes[i][1], i % 2 == 1, j % 2 == 1,
                                     scalars[j][0], scalars[j][1], layout, layout, layout});
}

static void outer_of_a_vector_with_itself_is_symmetric(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        array x = vector_random(11, layout == GLNN_LAYOUT_PACKED);
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
        TEST(outer_products_agree_with_reference_on_all_combinations_of_layouts),
        TEST(outer_products_agree_with_reference_on_every_shape_and_scalar),
        TEST(outer_of_a_vector_with_itself_is_symmetric),
        TEST(outer_products_refuse_operands_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("outer", tests, test_group_setup, test_group_teardown);
}
