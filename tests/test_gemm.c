/* Matrix products: shapes, layouts, scalars, and what is fused to them. */
#include "support/product.h"

static void products_agree_with_reference_on_all_combinations_of_layouts(void **state)
{
    (void)state;
    static const int sizes[][3] = {{5, 7, 9}, {13, 17, 6}};
    for (int which = 0; which < 4; ++which)
        for (int combination = 0; combination < 27; ++combination)
            for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
                product p = {.m = sizes[i][0], .n = sizes[i][1], .k = sizes[i][2]};
                p.a = rendered_layout(combination / 9);
                p.b = rendered_layout(combination / 3);
                p.c = rendered_layout(combination);
                set_transposes(&p, which);
                check_product(&p);
            }
}

static void products_agree_with_reference_on_every_shape(void **state)
{
    (void)state;
    static const int sizes[][3] = {
        {1, 1, 1},    {1, 1, 37},   {1, 33, 1},   {31, 1, 1},   {2, 3, 5},    {3, 4, 8},
        {4, 8, 4},    {4, 8, 8},    {5, 9, 7},    {7, 5, 3},    {8, 3, 31},   {9, 31, 4},
        {31, 33, 9},  {33, 31, 8},  {32, 64, 16}, {3, 7, 257},  {8, 16, 100}, {65, 3, 33},
        {1, 100, 64}, {100, 1, 64}, {64, 64, 1},  {67, 71, 73},
    };
    for (int which = 0; which < 4; ++which)
        for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
            product p = {.m = sizes[i][0], .n = sizes[i][1], .k = sizes[i][2]};
            set_transposes(&p, which);
            check_on_equal_layouts(p);
        }
}

static void scalars_bias_activation_and_derivative_apply_in_their_order(void **state)
{
    (void)state;
    static const product variants[] = {
        {.desc = {.alpha = -0.5f}},
        {.desc = {.beta = 0.75f}},
        {.desc = {.alpha = 0.01f, .beta = 0.9f}},
        {.bias = true},
        {.bias = true, .desc = {.alpha = 2.0f, .beta = -1.0f}},
        {.desc = {.activation = GLNN_MAP_RELU}},
        {.bias = true, .desc = {.activation = GLNN_MAP_SIGMOID}},
        {.bias = true, .desc = {.activation = GLNN_MAP_TANH, .alpha = 0.5f, .beta = 0.5f}},
        {.bias = true, .desc = {.activation = GLNN_MAP_SCALED_TANH}},
        {.bias = true, .desc = {.activation = GLNN_MAP_LEAKY_RELU}},
        {.bias = true, .desc = {.activation = GLNN_MAP_SOFTPLUS}},
        {.derivative_of = true, .desc = {.derivative = GLNN_MAP_IDENTITY}},
        {.derivative_of = true, .desc = {.derivative = GLNN_MAP_SIGMOID}},
        {.derivative_of = true, .desc = {.derivative = GLNN_MAP_SCALED_TANH, .alpha = 3.0f}},
        {.derivative_of = true, .bias = true, .desc = {.derivative = GLNN_MAP_TANH, .beta = 0.5f}},
        {.derivative_of = true,
         .bias = true,
         .desc = {.activation = GLNN_MAP_TANH, .derivative = GLNN_MAP_LEAKY_RELU}},
    };
    static const int sizes[][3] = {{9, 13, 7}, {1, 5, 3}};
    for (size_t variant = 0; variant < COUNT_OF(variants); ++variant)
        for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
            product p = variants[variant];
            p.m = sizes[i][0];
            p.n = sizes[i][1];
            p.k = sizes[i][2];
            set_transposes(&p, (int)variant % 4);
            check_on_equal_layouts(p);
            p.a = GLNN_LAYOUT_PACKED;
            p.b = GLNN_LAYOUT_TILED;
            p.c = GLNN_LAYOUT_UNPACKED;
            check_product(&p);
        }
}

static void augmented_products_have_a_constant_unit(void **state)
{
    (void)state;
    static const int sizes[][3] = {{2, 1, 1}, {5, 8, 4}, {9, 17, 8}, {33, 10, 31}, {4, 3, 7}};
    for (int transpose = 0; transpose < 2; ++transpose)
        for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
            product p = {.m = sizes[i][0], .n = sizes[i][1], .k = sizes[i][2]};
            p.desc.augment = true;
            p.desc.transpose_a = transpose == 1;
            check_on_equal_layouts(p);
            p.desc.beta = 0.9f;
            p.desc.alpha = -0.125f;
            check_on_equal_layouts(p);
            p.desc = (glnn_gemm_desc){
                .augment = true, .transpose_a = transpose == 1, .activation = GLNN_MAP_TANH};
            p.a = GLNN_LAYOUT_UNPACKED;
            p.b = GLNN_LAYOUT_PACKED;
            p.c = GLNN_LAYOUT_TILED;
            check_product(&p);
        }
}

static void products_read_paged_operands(void **state)
{
    (void)state;
    static const int paged[][2] = {{1, 0}, {0, 1}, {1, 1}};
    for (size_t i = 0; i < COUNT_OF(paged); ++i)
        for (int which = 0; which < 4; ++which)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
                product p = {.m = 9, .n = 7, .k = 13, .c = layout, .bias = which == 0};
                p.a = paged[i][0] ? GLNN_LAYOUT_PAGED : layout;
                p.b = paged[i][1] ? GLNN_LAYOUT_PAGED : layout;
                set_transposes(&p, which);
                check_product(&p);
            }
}

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

static void products_take_any_mix_of_storages(void **state)
{
    (void)state;
    static const product variants[] = {
        {.desc = {.alpha = 0}},
        {.desc = {.beta = 0.75f, .alpha = 0.5f}},
        {.bias = true, .desc = {.activation = GLNN_MAP_SIGMOID}},
        {.derivative_of = true, .desc = {.derivative = GLNN_MAP_TANH, .beta = -0.5f}},
        {.desc = {.slice = 8, .accumulate = GLNN_ACCUMULATE_BLEND, .beta = 0.25f}},
        {.desc = {.slice = 8, .accumulate = GLNN_ACCUMULATE_PARTIAL, .beta = 0.25f}},
    };
    for (int variant = 0; variant < (int)COUNT_OF(variants); ++variant) {
        product p = variants[variant];
        p.m = 13;
        p.n = 17;
        p.k = 22 + variant;
        p.a = (glnn_layout)(GLNN_LAYOUT_TILED + variant % (RENDERED_COUNT + 1));
        p.b = rendered_layout(variant);
        p.c = rendered_layout(variant + variant / 3);
        set_transposes(&p, variant % 4);
        check_storages(p);
    }
    check_storages((product){.m = 33, .n = 10, .k = 31, .desc.augment = true});
}

/* Products with one inner index are exact in float32: of integers, some of which lie in the middle of two
 * numbers that 16 bits hold, and of one that has to be rounded on its way in. */
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
        expect_ok(
            glnn_gemm(glnn_test_context(), NULL, matrix_of(x, layout), matrix_of(y, layout), c));
        expect_equal(c, want, "a product rounded to 16 bits, %s", glnn_layout_name(layout));
        const array ones = array_new(1, 1);
        *at(ones, 0, 0) = 1;
        glnn_matrix *rounded = matrix_zero(ROWS, 1, layout);
        expect_ok(glnn_gemm(glnn_test_context(), NULL, matrix_stored(x, layout, half),
                            matrix_of(ones, layout), rounded));
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
        product p = {.m = 67, .n = 70, .k = 51, .a = layout, .b = layout, .c = layout};
        set_transposes(&p, which);
        check_storages(p);
    }
}

typedef enum alias {
    ALIAS_A,
    ALIAS_B,
    ALIAS_BOTH,
    ALIAS_BIAS,
    ALIAS_DERIVATIVE,
    ALIAS_COUNT
} alias;

/* The product of square operands (or of rows, for the bias) where c is one of them. */
static void check_alias(alias which, glnn_layout layout, int size, float beta)
{
    int rows = which == ALIAS_BIAS ? 1 : size;
    glnn_gemm_desc desc = {.beta = beta, .derivative = GLNN_MAP_TANH};
    array shared = array_random(rows, size, -0.9, 0.9);
    gemm_operands in = {.a = array_random(rows, size, -1.0, 1.0),
                        .b = array_random(size, size, -1.0, 1.0),
                        .c = shared};
    glnn_matrix *c = matrix_of(shared, layout);
    const glnn_matrix *a = c, *b = c;
    if (which == ALIAS_A || which == ALIAS_BOTH)
        in.a = shared;
    else
        a = matrix_of(in.a, layout);
    if (which == ALIAS_B || which == ALIAS_BOTH)
        in.b = shared;
    else
        b = matrix_of(in.b, layout);
    if (which == ALIAS_BIAS) {
        in.bias = shared;
        desc.bias = c;
    }
    if (which == ALIAS_DERIVATIVE) {
        in.y = shared;
        desc.derivative_of = c;
    }
    expected want = reference_gemm(&desc, &in);
    expect_ok(glnn_gemm(glnn_test_context(), &desc, a, b, c));
    expect_close(c, want, "gemm where c is operand %d, size %d, beta %g", (int)which, size,
                 (double)beta);
    release_all();
}

static void the_result_may_be_one_of_the_operands(void **state)
{
    (void)state;
    for (alias which = 0; which < ALIAS_COUNT; ++which)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            for (int size = 9; size <= 33; size += 24) {
                check_alias(which, layout, size, 0.0f);
                check_alias(which, layout, size, 0.5f);
            }
}

/* Products of one shape whose plans differ: only the first one leaves its addend to blending. */
static void a_plan_for_adding_in_place_is_not_taken_where_the_result_is_an_operand(void **state)
{
    (void)state;
    enum { N = 9 };
    const glnn_gemm_desc desc = {.beta = 0.5f};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const array b = array_random(N, N, -1, 1);
        gemm_operands in = {.a = array_random(N, N, -1, 1), .b = b, .c = array_random(N, N, -1, 1)};
        glnn_matrix *c = matrix_of(in.c, layout);
        const glnn_matrix *factor = matrix_of(b, layout);
        expect_ok(glnn_gemm(glnn_test_context(), &desc, matrix_of(in.a, layout), factor, c));
        expect_close(c, reference_gemm(&desc, &in), "c = a b + c / 2, %s",
                     glnn_layout_name(layout));
        in.a = in.c = values_of(c);
        expect_ok(glnn_gemm(glnn_test_context(), &desc, c, factor, c));
        expect_close(c, reference_gemm(&desc, &in), "c = c b + c / 2, %s",
                     glnn_layout_name(layout));
        release_all();
    }
}

/* In the first inner index, and in the last one, which indices outside of the operands are read from. */
static void infinite_elements_do_not_reach_the_padding(void **state)
{
    (void)state;
    enum { K = 6 };
    for (int which = 0; which < 4; ++which)
        for (int i = 0; i < 2 * RENDERED_COUNT; ++i) {
            const glnn_layout layout = rendered_layout(i / 2);
            const int inner = i % 2 ? K - 1 : 0;
            product p = {.m = 3, .n = 5, .k = K, .a = layout, .b = layout, .c = layout};
            set_transposes(&p, which);
            gemm_operands in = operands_of(&p);
            *(p.desc.transpose_a ? at(in.a, inner, 0) : at(in.a, 0, inner)) = INFINITY;
            *(p.desc.transpose_b ? at(in.b, 1, inner) : at(in.b, inner, 1)) = -INFINITY;
            expect_close(run_product(&p, &in), reference_gemm(&p.desc, &in),
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
        {{0}, NULL, b, c, GLNN_E_ARG, "a is null"},
        {{0}, a, NULL, c, GLNN_E_ARG, "b is null"},
        {{0}, a, b, NULL, GLNN_E_ARG, "c is null"},
        {{0}, a, b, paged, GLNN_E_ARG, "paged"},
        {{.slice = -1}, a, b, c, GLNN_E_ARG, "-1"},
        {{.accumulate = (glnn_accumulate)9}, a, b, c, GLNN_E_ARG, "9"},
        {{.activation = GLNN_MAP_COUNT}, a, b, c, GLNN_E_ARG, "map"},
        {{.derivative_of = c, .derivative = (glnn_map)99}, a, b, c, GLNN_E_ARG, "99"},
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
        expect_error(glnn_gemm(ctx, &wrong[i].desc, wrong[i].a, wrong[i].b, wrong[i].c),
                     wrong[i].status, wrong[i].part);
    expect_error(glnn_gemm(NULL, &wrong[0].desc, a, b, c), GLNN_E_ARG, "context");
    expect_error(glnn_gemm(ctx, NULL, b, a, c), GLNN_E_SHAPE, "5 x 7");
    context_use(context_new(0, 0.0));
    glnn_matrix *foreign = matrix_zero(3, 5, 0);
    expect_error(glnn_gemm(ctx, NULL, foreign, b, c), GLNN_E_ARG, "context");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(products_agree_with_reference_on_all_combinations_of_layouts),
        TEST(products_agree_with_reference_on_every_shape),
        TEST(scalars_bias_activation_and_derivative_apply_in_their_order),
        TEST(augmented_products_have_a_constant_unit),
        TEST(products_read_paged_operands),
        TEST(products_take_any_mix_of_storages),
        TEST(products_in_16_bits_are_the_nearest_and_of_two_the_even_one),
        TEST(large_products_take_any_mix_of_storages),
        TEST(the_result_may_be_one_of_the_operands),
        TEST(a_plan_for_adding_in_place_is_not_taken_where_the_result_is_an_operand),
        TEST(infinite_elements_do_not_reach_the_padding),
        TEST(products_refuse_operands_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("gemm", tests, test_group_setup, test_group_teardown);
}
