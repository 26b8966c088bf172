/* Factors of 0: the operands that they multiply are not read. */
#include "support/reference.h"

#include <string.h>

#include <glnn/advice.h>

enum { ROWS = 9, COLUMNS = 13 };

typedef struct operands {
    glnn_matrix *nan, *row, *column, *ones, *out;
} operands;

static glnn_matrix *filled(int rows, int columns, glnn_layout layout, double value)
{
    array values = array_new(rows, columns);
    for (size_t i = 0; i < length_of(values); ++i)
        values.data[i] = value;
    return matrix_of(values, layout);
}

static glnn_status gemm_without_product(glnn_context *ctx, const operands *o)
{
    return glnn_gemm(ctx, NULL, 0, o->nan, o->nan, 0.5f, o->out);
}

static glnn_status gemm_of_the_output(glnn_context *ctx, const operands *o)
{
    return glnn_gemm(ctx, NULL, 0, o->out, o->nan, 0.5f, o->out);
}

static glnn_status gemm_of_slices(glnn_context *ctx, const operands *o)
{
    const glnn_gemm_desc desc = {.slice = 8, .accumulate = GLNN_ACCUMULATE_BLEND};
    return glnn_gemm(ctx, &desc, 0, o->nan, o->nan, 0.5f, o->out);
}

static glnn_status gemm_with_ones(glnn_context *ctx, const operands *o)
{
    const glnn_gemm_desc desc = {.augment = true};
    glnn_matrix *tall = filled(ROWS + 1, ROWS, GLNN_LAYOUT_PACKED, (double)NAN);
    return glnn_gemm(ctx, &desc, 0, o->nan, tall, 0.5f, o->out);
}

static glnn_status gemm_with_a_map(glnn_context *ctx, const operands *o)
{
    const glnn_gemm_desc desc = {.activation = GLNN_MAP_RELU, .derivative_of = o->ones};
    return glnn_gemm(ctx, &desc, 0, o->nan, o->nan, 0.5f, o->out);
}

static glnn_status outer_without_product(glnn_context *ctx, const operands *o)
{
    return glnn_outer(ctx, 0, o->column, o->row, 0.5f, o->out);
}

static glnn_status axpby_without_x(glnn_context *ctx, const operands *o)
{
    return glnn_axpby(ctx, 0, o->nan, 0.5f, o->out);
}

typedef glnn_status call_fn(glnn_context *ctx, const operands *o);

/* Half of an output of ones. */
static void an_alpha_of_zero_leaves_the_factors_unread(void **state)
{
    (void)state;
    static call_fn *const calls[] = {
        gemm_without_product, gemm_of_the_output,    gemm_of_slices, gemm_with_ones,
        gemm_with_a_map,      outer_without_product, axpby_without_x};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < COUNT_OF(calls); ++i) {
            const operands o = {
                .nan = filled(ROWS, ROWS, layout, (double)NAN),
                .row = filled(1, ROWS, layout, (double)NAN),
                .column = filled(ROWS, 1, layout, (double)NAN),
                .ones = filled(ROWS, ROWS, layout, 1),
                .out = filled(ROWS, ROWS, layout, 1),
            };
            expect_ok(calls[i](glnn_test_context(), &o));
            expect_equal(o.out, values_of(filled(ROWS, ROWS, layout, 0.5)), "call %zu, %s", i,
                         glnn_layout_name(layout));
            release_all();
        }
}

static glnn_status replace_by_gemm(glnn_context *ctx, const operands *o)
{
    return glnn_gemm(ctx, NULL, 2, o->column, o->row, 0, o->out);
}

static glnn_status replace_by_slices(glnn_context *ctx, const operands *o)
{
    const glnn_gemm_desc desc = {.transpose_a = true, .slice = 8};
    glnn_matrix *tall = filled(32, ROWS, GLNN_LAYOUT_PACKED, 0.25);
    glnn_matrix *wide = filled(32, COLUMNS, GLNN_LAYOUT_PACKED, 0.25);
    return glnn_gemm(ctx, &desc, 1, tall, wide, 0, o->out);
}

static glnn_status replace_by_outer(glnn_context *ctx, const operands *o)
{
    return glnn_outer(ctx, 2, o->column, o->row, 0, o->out);
}

static glnn_status replace_by_axpby(glnn_context *ctx, const operands *o)
{
    return glnn_axpby(ctx, 2, o->ones, 0, o->out);
}

static glnn_status clear(glnn_context *ctx, const operands *o)
{
    expect_ok(glnn_axpby(ctx, 0, o->ones, 0, o->out));
    return glnn_axpby(ctx, 2, o->ones, 1, o->out);
}

/* Twos over an output of NaN. */
static void a_beta_of_zero_leaves_the_output_unread(void **state)
{
    (void)state;
    static call_fn *const calls[] = {replace_by_gemm, replace_by_slices, replace_by_outer,
                                     replace_by_axpby, clear};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < COUNT_OF(calls); ++i) {
            const operands o = {
                .row = filled(1, COLUMNS, layout, 1),
                .column = filled(ROWS, 1, layout, 1),
                .ones = filled(ROWS, COLUMNS, layout, 1),
                .out = filled(ROWS, COLUMNS, layout, (double)NAN),
            };
            expect_ok(calls[i](glnn_test_context(), &o));
            expect_equal(o.out, values_of(filled(ROWS, COLUMNS, layout, 2)), "call %zu, %s", i,
                         glnn_layout_name(layout));
            release_all();
        }
}

static void the_plan_says_that_factors_are_not_read(void **state)
{
    (void)state;
    char text[256];
    glnn_matrix *m = filled(ROWS, ROWS, GLNN_LAYOUT_TILED, 1);
    expect_ok(glnn_gemm_get_plan(glnn_test_context(), NULL, 0, m, m, 1, m, text, sizeof text));
    assert_non_null(strstr(text, "factors are not read"));
    expect_ok(glnn_gemm_get_plan(glnn_test_context(), NULL, 1, m, m, 0, m, text, sizeof text));
    assert_null(strstr(text, "factors are not read"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_alpha_of_zero_leaves_the_factors_unread),
        TEST(a_beta_of_zero_leaves_the_output_unread),
        TEST(the_plan_says_that_factors_are_not_read),
    };
    return cmocka_run_group_tests_name("factors", tests, test_group_setup, test_group_teardown);
}
