/* Matrix products in 16 bits, large ones in any mix of storages, infinite elements, plans of
 * products in place, and wrong operands. Other results are in test_operations. */
#include "support/product.h"

/* Each of a, b and c in 32 or 16 bits; the finish reads and adds to what is rounded too. */
static void check_storages(product p)
{
    for (int stored = 1; stored < 8; ++stored) {
        p.stored_a = (glnn_storage)(stored & 1);
        p.stored_b = (glnn_storage)(stored >> 1 & 1);
        p.stored_c = (glnn_storage)(stored >> 2);
        check_product(&p);
    }
}

/* Products with one inner index are exact in float32: of integers, some of which lie in the middle
 * of two numbers that 16 bits hold, and of one that has to be rounded on its way in. */
static void products_in_16_bits_are_the_nearest_and_of_two_the_even_one(void **state)
{
    (void)state;
    enum { ROWS = 9, COLUMNS = 7, FIRST = 2041 };
    const glnn_storage half = GLNN_STORAGE_FLOAT16;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        array x = array_new(ROWS, 1), y = array_new(1, COLUMNS), want = array_new(ROWS, COLUMNS);
        for (int r = 0; r < ROWS; ++r)
            for (int c = 0; c < COLUMNS; ++c) {
                *at(x, r, 0) = FIRST + 2 * r;
                *at(y, 0, c) = 1 + 2 * c;
                *at(want, r, c) = *at(x, r, 0) * *at(y, 0, c);
            }
        glnn_matrix *c = matrix_stored(array_new(ROWS, COLUMNS), layout, half);
        expect_ok(glnn_gemm(glnn_test_context(), NULL, 1, matrix_of(x, layout),
                            matrix_of(y, layout), 0, c));
        expect_equal(c, want, "a product rounded to 16 bits, %s", glnn_layout_name(layout));
        const array ones = array_new(1, 1);
        *at(ones, 0, 0) = 1;
        glnn_matrix *rounded = matrix_zero(ROWS, 1, layout);
        expect_ok(glnn_gemm(glnn_test_context(), NULL, 1, matrix_stored(x, layout, half),
                            matrix_of(ones, layout), 0, rounded));
        expect_equal(rounded, array_stored(x, half), "a factor rounded to 16 bits, %s",
                     glnn_layout_name(layout));
        release_all();
    }
}

/* Large enough for the work groups that share what they read, where the stage has them. */
static void large_products_take_any_mix_of_storages(void **state)
{
    (void)state;
    for (int which = 0; which < 4; ++which) {
        const glnn_layout layout = which % 2 ? GLNN_LAYOUT_PACKED : GLNN_LAYOUT_TILED;
        product p = {.m = 67, .n = 70, .k = 51, .alpha = 1, .a = layout, .b = layout, .c = layout};
        set_transposes(&p, which);
        check_storages(p);
    }
}

/* Products of one shape whose plans differ: only the first one leaves its addend to blending. */
static void a_plan_for_adding_in_place_is_not_taken_where_the_result_is_an_operand(void **state)
{
    (void)state;
    enum { N = 9 };
    const glnn_gemm_desc plain = {0};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const array b = array_random(N, N, -1, 1);
        gemm_operands in = {.a = array_random(N, N, -1, 1), .b = b, .c = array_random(N, N, -1, 1)};
        glnn_matrix *c = matrix_of(in.c, layout);
        const glnn_matrix *factor = matrix_of(b, layout);
        expect_ok(
            glnn_gemm(glnn_test_context(), NULL, 1, matrix_of(in.a, layout), factor, 0.5f, c));
        expect_close(c, reference_gemm(&plain, 1, 0.5f, &in), "c = a b + c / 2, %s",
                     glnn_layout_name(layout));
        in.a = in.c = values_of(c);
        expect_ok(glnn_gemm(glnn_test_context(), NULL, 1, c, factor, 0.5f, c));
        expect_close(c, reference_gemm(&plain, 1, 0.5f, &in), "c = c b + c / 2, %s",
                     glnn_layout_name(layout));
        release_all();
    }
}

/* In the first inner index, and in the last one, which indices outside of the operands are read
 * from. */
static void infinite_elements_do_not_reach_the_padding(void **state)
{
    (void)state;
    enum { K = 6 };
    for (int which = 0; which < 4; ++which)
        for (int i = 0; i < 2 * RENDERED_COUNT; ++i) {
            const glnn_layout layout = rendered_layout(i / 2);
            const int inner = i % 2 ? K - 1 : 0;
            product p = {.m = 3, .n = 5, .k = K, .alpha = 1, .a = layout, .b = layout, .c = layout};
            set_transposes(&p, which);
            gemm_operands in = operands_of(&p);
            *(p.desc.transpose_a ? at(in.a, inner, 0) : at(in.a, 0, inner)) = INFINITY;
            *(p.desc.transpose_b ? at(in.b, 1, inner) : at(in.b, inner, 1)) = -INFINITY;
            expect_close(run_product(&p, &in), reference_product(&p, &in),
                         "gemm %s with infinite elements in inner index %d", transposes_of(&p.desc),
                         inner);
            release_all();
        }
}

static void products_refuse_operands_that_do_not_fit(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *a = matrix_zero(3, 5, 0), *b = matrix_zero(5, 7, 0), *c = matrix_zero(3, 7, 0);
    glnn_matrix *row = matrix_zero(1, 6, 0), *paged = matrix_zero(3, 7, GLNN_LAYOUT_PAGED);
    const struct {
        glnn_gemm_desc desc;
        const glnn_matrix *a, *b;
        glnn_matrix *c;
        glnn_status status;
        const char *part;
    } wrong[] = {
        {{0}, NULL, b, c, GLNN_E_ARG, "glnn_gemm: `a` is null"},
        {{0}, a, NULL, c, GLNN_E_ARG, "glnn_gemm: `b` is null"},
        {{0}, a, b, NULL, GLNN_E_ARG, "glnn_gemm: `c` is null"},
        {{0}, a, b, paged, GLNN_E_ARG, "paged"},
        {{.slice = -1}, a, b, c, GLNN_E_ARG, "slice is -1"},
        {{.accumulate = (glnn_accumulate)9}, a, b, c, GLNN_E_ARG, "accumulate is 9"},
        {{.activation = GLNN_MAP_COUNT}, a, b, c, GLNN_E_ARG, "activation is 13"},
        {{.derivative_of = c, .derivative = (glnn_map)99}, a, b, c, GLNN_E_ARG, "derivative is 99"},
        {{.augment = true, .transpose_b = true}, a, b, c, GLNN_E_ARG, "augment"},
        {{0}, b, a, c, GLNN_E_SHAPE, "3 x 5"},
        {{.transpose_a = true}, a, b, c, GLNN_E_SHAPE, "5 x 3"},
        {{.transpose_b = true}, a, b, c, GLNN_E_SHAPE, "7 x 5"},
        {{.augment = true}, a, b, c, GLNN_E_SHAPE, "3 x 6"},
        {{0}, a, b, a, GLNN_E_SHAPE, "3 x 7"},
        {{.bias = row}, a, b, c, GLNN_E_SHAPE, "1 x 6"},
        {{.derivative_of = a}, a, b, c, GLNN_E_SHAPE, "derivative_of"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(glnn_gemm(ctx, &wrong[i].desc, 1, wrong[i].a, wrong[i].b, 0, wrong[i].c),
                     wrong[i].status, wrong[i].part);
    expect_error(glnn_gemm(NULL, &wrong[0].desc, 1, a, b, 0, c), GLNN_E_ARG,
                 "glnn_gemm: `ctx` is null");
    expect_error(glnn_gemm(ctx, NULL, 1, b, a, 0, c), GLNN_E_SHAPE, "5 x 7");
    context_use(context_new(0, 0.0));
    glnn_matrix *foreign = matrix_zero(3, 5, 0);
    expect_error(glnn_gemm(ctx, NULL, 1, foreign, b, 0, c), GLNN_E_ARG, "context");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(products_in_16_bits_are_the_nearest_and_of_two_the_even_one),
        TEST(large_products_take_any_mix_of_storages),
        TEST(a_plan_for_adding_in_place_is_not_taken_where_the_result_is_an_operand),
        TEST(infinite_elements_do_not_reach_the_padding),
        TEST(products_refuse_operands_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("gemm", tests, test_group_setup, test_group_teardown);
}
