/* Matrix products that are split into several passes, and the order of their sums. */
#include "support/product.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <glnn/advice.h>

static void slices_of_the_inner_dimension_add_up(void **state)
{
    (void)state;
    static const int slices[] = {1, 4, 5, 7, 12, 16, 49, INT_MAX};
    static const glnn_accumulate ways[] = {GLNN_ACCUMULATE_AUTO, GLNN_ACCUMULATE_BLEND,
                                           GLNN_ACCUMULATE_PARTIAL};
    static const product variants[] = {
        {.m = 5, .n = 9, .k = 50, .alpha = 1},
        {.m = 9, .n = 3, .k = 49, .alpha = 1, .desc = {.transpose_a = true, .augment = true}},
        {.m = 3, .n = 10, .k = 50, .alpha = 0.5f, .beta = -0.5f, .desc = {.transpose_b = true}},
        {.m = 4,
         .n = 8,
         .k = 49,
         .alpha = 1,
         .bias = true,
         .derivative_of = true,
         .desc = {.augment = true, .activation = GLNN_MAP_SIGMOID, .derivative = GLNN_MAP_TANH}},
    };
    for (size_t way = 0; way < COUNT_OF(ways); ++way)
        for (size_t variant = 0; variant < COUNT_OF(variants); ++variant)
            for (size_t i = 0; i < COUNT_OF(slices); ++i) {
                if (case_is_left_out((int)(i + variant + way)))
                    continue;
                product p = variants[variant];
                p.desc.slice = slices[i];
                p.desc.accumulate = ways[way];
                check_on_equal_layouts(p);
            }
}

/* Returns the passes of a product of 20 x k by k x 20, whose plan has slices of this length. */
static int passes_of(glnn_layout layout, int k, int slice)
{
    glnn_context *ctx = glnn_test_context();
    const glnn_gemm_desc desc = {.slice = slice, .accumulate = GLNN_ACCUMULATE_BLEND};
    glnn_matrix *a = matrix_zero(20, k, layout), *b = matrix_zero(k, 20, layout);
    glnn_matrix *c = matrix_zero(20, 20, layout);
    char plan[256], words[64];
    snprintf(words, sizeof words, "in %d slices of %d blended", (k + slice - 1) / slice, slice);
    expect_ok(glnn_gemm_get_plan(ctx, &desc, 1, a, b, 0, c, plan, sizeof plan));
    if (!strstr(plan, words))
        fail_msg("not %s: %s", words, plan);
    const uint64_t before = counters_of(ctx).passes;
    expect_ok(glnn_gemm(ctx, &desc, 1, a, b, 0, c));
    return (int)(counters_of(ctx).passes - before);
}

static void slices_have_the_length_that_the_caller_asks_for(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        assert_int_equal(passes_of(layout, 784, 12), 66);
        assert_int_equal(passes_of(layout, 784, 16), 49);
        assert_int_equal(passes_of(layout, 50, 5), 10);
        assert_int_equal(passes_of(layout, 7, 1), 7);
        release_all();
    }
}

static void long_inner_dimensions_stay_within_the_bound(void **state)
{
    (void)state;
    for (int way = GLNN_ACCUMULATE_AUTO; way <= GLNN_ACCUMULATE_PARTIAL; ++way)
        for (int which = 0; which < 4; ++which) {
            product p = {.m = 3, .n = 2, .k = 4001, .alpha = 1};
            if (case_is_left_out(way + which))
                continue;
            p.desc.accumulate = (glnn_accumulate)way;
            set_transposes(&p, which);
            check_on_equal_layouts(p);
        }
}

static void the_former_result_is_not_read_without_beta(void **state)
{
    (void)state;
    for (int way = GLNN_ACCUMULATE_AUTO; way <= GLNN_ACCUMULATE_PARTIAL; ++way)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            product p = {
                .m = 5, .n = 9, .k = 20, .alpha = 1, .a = layout, .b = layout, .c = layout};
            p.desc.slice = 7;
            p.desc.accumulate = (glnn_accumulate)way;
            gemm_operands in = operands_of(&p);
            for (size_t i = 0; i < length_of(in.c); ++i)
                in.c.data[i] = NAN;
            expect_close(run_product(&p, &in), reference_product(&p, &in),
                         "gemm over a c of NaN, accumulate %d", way);
            release_all();
        }
}

static void two_runs_give_the_same_bits(void **state)
{
    (void)state;
    static const product variants[] = {
        {.m = 33, .n = 31, .k = 65, .alpha = 1},
        {.m = 3, .n = 5, .k = 3000, .alpha = 1},
        {.m = 33,
         .n = 31,
         .k = 65,
         .alpha = 1,
         .desc = {.slice = 8, .accumulate = GLNN_ACCUMULATE_BLEND}},
        {.m = 33,
         .n = 31,
         .k = 65,
         .alpha = 1,
         .desc = {.slice = 8, .accumulate = GLNN_ACCUMULATE_PARTIAL}},
        {.m = 9, .n = 31, .k = 65, .alpha = 1, .bias = true, .desc = {.activation = GLNN_MAP_TANH}},
    };
    for (size_t i = 0; i < COUNT_OF(variants); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            product p = variants[i];
            p.a = p.b = p.c = layout;
            const gemm_operands in = operands_of(&p);
            array once = values_of(run_product(&p, &in));
            expect_same_bits(values_of(run_product(&p, &in)), once, "product %zu, %s", i,
                             glnn_layout_name(layout));
            release_all();
        }
}

/* The second product of a context, which knows how long the first one took, and its passes. */
static array product_within(glnn_context *ctx, const product *p, const gemm_operands *in,
                            uint64_t *passes)
{
    context_use(ctx);
    run_product(p, in);
    const uint64_t before = counters_of(ctx).passes;
    const array values = values_of(run_product(p, in));
    *passes = counters_of(ctx).passes - before;
    return values;
}

/* Tiles have the fewest blocks, and a strip fills the device: this takes 14 746 blocks by the
 * built-in profile of the compute stage, and the product has 17 028. */
static void a_short_pass_limit_changes_the_passes_but_no_bit(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        if (case_is_left_out((int)layout))
            continue;
        product p = {
            .m = 1031, .n = 523, .k = 70, .alpha = 1, .a = layout, .b = layout, .c = layout};
        p.beta = 0.5f;
        p.desc.transpose_a = layout == GLNN_LAYOUT_PACKED;
        p.desc.slice = 72; /* partial products in work groups are made in one piece */
        const gemm_operands in = operands_of(&p);
        uint64_t many = 0, few = 0;
        array split = product_within(context_new(0, 0.002), &p, &in, &many);
        array whole = product_within(context_new(0, 1e6), &p, &in, &few);
        expect_same_bits(split, whole, "a product in %d passes against %d, %s", (int)many, (int)few,
                         glnn_layout_name(layout));
        assert_true(many > few);
        release_all();
    }
}

static void slices_that_are_higher_than_a_texture_are_side_by_side_where_asked_for(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    int m = info.max_texture_size / 2 - 1;
    product p = {.m = m, .n = 1, .k = 24, .alpha = 1, .desc = {.slice = 8}};
    p.a = p.b = p.c = GLNN_LAYOUT_UNPACKED;
    check_product(&p);
    p.desc.accumulate = GLNN_ACCUMULATE_PARTIAL;
    check_product(&p);
}

static void a_product_without_room_leaves_its_result_alone(void **state)
{
    (void)state;
    context_use(context_new(1 << 20, 0.0));
    array values = array_random(340, 340, -1.0, 1.0);
    glnn_matrix *a = matrix_of(values, GLNN_LAYOUT_TILED);
    glnn_matrix *b = matrix_of(values, GLNN_LAYOUT_TILED);
    expect_error(glnn_gemm(glnn_test_context(), NULL, 1, a, b, 0, a), GLNN_E_LIMIT, "1048576");
    expect_equal(a, values, "the result of a product without room");
}

static void repeated_products_make_nothing_and_wait_for_nothing(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    static const struct {
        glnn_gemm_desc desc;
        float alpha, beta;
    } variants[] = {
        {{0}, 1, 0},
        {{0}, 0, 0},
        {{.activation = GLNN_MAP_TANH}, 1, 0.5f},
        {{.slice = 64, .accumulate = GLNN_ACCUMULATE_BLEND, .activation = GLNN_MAP_RELU}, 1, 0},
        {{.slice = 64, .accumulate = GLNN_ACCUMULATE_PARTIAL}, 1, 0},
    };
    glnn_matrix *a = matrix_zero(257, 257, 0), *b = matrix_zero(257, 257, 0);
    glnn_matrix *c = matrix_zero(257, 257, 0);
    for (int run = 0; run < 3; ++run) {
        glnn_counters before = counters_of(ctx);
        for (size_t i = 0; i < COUNT_OF(variants); ++i) {
            const float alpha = variants[i].alpha, beta = variants[i].beta;
            expect_ok(glnn_gemm(ctx, &variants[i].desc, alpha, a, b, beta, c));
            expect_ok(glnn_gemm(ctx, &variants[i].desc, alpha, a, c, beta, c));
        }
        glnn_counters after = counters_of(ctx);
        assert_true(after.passes > before.passes);
        if (run == 0)
            continue;
        assert_int_equal(after.textures_created, before.textures_created);
        assert_int_equal(after.programs_compiled, before.programs_compiled);
        assert_int_equal(after.waits, before.waits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(slices_of_the_inner_dimension_add_up),
        TEST(slices_have_the_length_that_the_caller_asks_for),
        TEST(long_inner_dimensions_stay_within_the_bound),
        TEST(the_former_result_is_not_read_without_beta),
        TEST(two_runs_give_the_same_bits),
        TEST(a_short_pass_limit_changes_the_passes_but_no_bit),
        TEST(slices_that_are_higher_than_a_texture_are_side_by_side_where_asked_for),
        TEST(a_product_without_room_leaves_its_result_alone),
        TEST(repeated_products_make_nothing_and_wait_for_nothing),
    };
    return cmocka_run_group_tests_name("gemm passes", tests, test_group_setup, test_group_teardown);
}
