/* Maps of special numbers, wrong operands of maps and derivatives, and the caller's own
 * expressions. Other results are in test_operations. */
#include "support/reference.h"

/* Indicators alone know nothing of NaN. */
static void maps_carry_nan_on(void **state)
{
    (void)state;
    for (glnn_map map = 0; map < GLNN_MAP_COUNT; ++map)
        for (glnn_layout layout = GLNN_LAYOUT_TILED;
             layout < RENDERED_END && map != GLNN_MAP_THRESHOLD; ++layout) {
            array x = array_new(3, 5);
            *at(x, 1, 2) = NAN;
            glnn_matrix *out = matrix_of(x, layout);
            expect_ok(glnn_map_apply(glnn_test_context(), map, matrix_of(x, layout), out));
            if (!isnan(*at(values_of(out), 1, 2)))
                fail_at(__FILE__, __LINE__, "%s of NaN is %g, %s", glnn_map_name(map),
                        *at(values_of(out), 1, 2), glnn_layout_name(layout));
            release_all();
        }
}

static void maps_with_finite_limits_reach_them_without_nan(void **state)
{
    (void)state;
    static const glnn_map maps[] = {GLNN_MAP_SIGMOID,  GLNN_MAP_TANH,      GLNN_MAP_SCALED_TANH,
                                    GLNN_MAP_SOFTPLUS, GLNN_MAP_RELU,      GLNN_MAP_LEAKY_RELU,
                                    GLNN_MAP_IDENTITY, GLNN_MAP_THRESHOLD, GLNN_MAP_ELU,
                                    GLNN_MAP_SOFTSIGN};
    static const double large[] = {20.0, 50.0, 89.0, 200.0, 1000.0, 1e6};
    array x = array_new(2, (int)COUNT_OF(large));
    for (int j = 0; j < x.columns; ++j) {
        *at(x, 0, j) = large[j];
        *at(x, 1, j) = -large[j];
    }
    for (size_t i = 0; i < COUNT_OF(maps); ++i) {
        glnn_matrix *out = matrix_zero(x.rows, x.columns, GLNN_LAYOUT_TILED);
        expect_ok(
            glnn_map_apply(glnn_test_context(), maps[i], matrix_of(x, GLNN_LAYOUT_TILED), out));
        expect_close(out, reference_map_apply(maps[i], x), "map %s of large arguments",
                     glnn_map_name(maps[i]));
    }
}

static void maps_have_the_names_of_the_options(void **state)
{
    (void)state;
    static const char *const names[GLNN_MAP_COUNT] = {
        "identity", "sigmoid", "tanh", "scaled_tanh", "relu", "leaky_relu", "softplus",
        "exp",      "log",     "sqrt", "threshold",   "elu",  "softsign"};
    for (glnn_map map = 0; map < GLNN_MAP_COUNT; ++map)
        assert_string_equal(glnn_map_name(map), names[map]);
}

static void maps_refuse_operands_that_do_not_fit(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(3, 5, 0), *out = matrix_zero(3, 5, 0),
                *wide = matrix_zero(3, 6, 0);
    glnn_matrix *paged = matrix_zero(3, 5, GLNN_LAYOUT_PAGED);
    const struct {
        glnn_context *ctx;
        glnn_map map;
        const glnn_matrix *x;
        glnn_matrix *out;
        glnn_status status;
    } wrong[] = {
        {NULL, GLNN_MAP_EXP, x, out, GLNN_E_ARG},   {ctx, GLNN_MAP_EXP, NULL, out, GLNN_E_ARG},
        {ctx, GLNN_MAP_EXP, x, NULL, GLNN_E_ARG},   {ctx, GLNN_MAP_EXP, x, paged, GLNN_E_ARG},
        {ctx, GLNN_MAP_COUNT, x, out, GLNN_E_ARG},  {ctx, (glnn_map)-1, x, out, GLNN_E_ARG},
        {ctx, GLNN_MAP_EXP, wide, x, GLNN_E_SHAPE},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        expect_error(glnn_map_apply(wrong[i].ctx, wrong[i].map, wrong[i].x, wrong[i].out),
                     wrong[i].status, "");
        expect_error(
            glnn_map_apply_derivative(wrong[i].ctx, wrong[i].map, wrong[i].x, NULL, wrong[i].out),
            wrong[i].status, "");
    }
    expect_error(glnn_map_apply_derivative(ctx, GLNN_MAP_EXP, x, wide, out), GLNN_E_SHAPE, "3 x 6");
}

typedef struct expression {
    const char *text;
    double (*value)(double x, int row, int column);
} expression;

static double parabola(double x, int row, int column)
{
    (void)row;
    (void)column;
    return x * x + 1.0;
}

static double step_at_half(double x, int row, int column)
{
    (void)row;
    (void)column;
    return x > 0.5 ? 1.0 : 0.0;
}

static double place_number(double x, int row, int column)
{
    (void)x;
    return 100.0 * row + column + 1.0;
}

static void expressions_see_the_element_and_its_place(void **state)
{
    (void)state;
    static const expression expressions[] = {
        {"x * x + 1.0", parabola},
        {"x > 0.5 ? 1.0 : 0.0", step_at_half},
        {"float(row) * 100.0 + float(column) + 1.0", place_number},
    };
    for (size_t i = 0; i < COUNT_OF(expressions); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            array x = array_random(9, 13, -2.0, 2.0);
            expected want = {array_new(9, 13), array_new(9, 13)};
            for (int row = 0; row < 9; ++row)
                for (int column = 0; column < 13; ++column) {
                    double value = expressions[i].value(*at(x, row, column), row, column);
                    *at(want.value, row, column) = value;
                    *at(want.bound, row, column) = 2.0 * EPS * fabs(value);
                }
            glnn_matrix *out = matrix_zero(9, 13, layout);
            expect_ok(glnn_map_apply_expression(glnn_test_context(), expressions[i].text,
                                                matrix_of(x, layout), out));
            expect_close(out, want, "expression %s, %s", expressions[i].text,
                         glnn_layout_name(layout));
            release_all();
        }
}

static void an_expression_is_compiled_once(void **state)
{
    (void)state;
    glnn_matrix *x = matrix_of(array_numbered(3, 5), GLNN_LAYOUT_TILED);
    expect_ok(glnn_map_apply_expression(glnn_test_context(), "x - 0.25", x, x));
    uint64_t compiled = counters_of(glnn_test_context()).programs_compiled;
    expect_ok(glnn_map_apply_expression(glnn_test_context(), "x - 0.25", x, x));
    assert_int_equal(counters_of(glnn_test_context()).programs_compiled, compiled);
}

/* "x", blanks up to `length` characters. */
static const char *padded_expression(size_t length)
{
    char *text = (char *)floats_new(length / sizeof(float) + 1);
    memset(text, ' ', length);
    text[0] = 'x';
    return text;
}

static void expressions_that_are_wrong_are_refused(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    array numbers = array_numbered(3, 5);
    glnn_matrix *x = matrix_of(numbers, GLNN_LAYOUT_TILED), *wide = matrix_zero(3, 6, 0);
    expect_error(glnn_map_apply_expression(ctx, "x + unknown_name", x, x), GLNN_E_SHADER,
                 "unknown_name");
    expect_error(glnn_map_apply_expression(ctx, "x +", x, x), GLNN_E_SHADER, "");
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"", "empty"},
        {" \t ", "empty"},
        {"x +\n1.0", "line break at character 4"},
        {"x +\r1.0", "line break at character 4"},
        {"x); discard; (1.0", "';' at character 3"},
        {"x; x", "';' at character 2"},
        {"x } {", "'}' at character 3"},
        {"{ x", "'{' at character 1"},
        {"x + #", "'#' at character 5"},
        {"x \\", "'\\' at character 3"},
        {"x // y", "comment"},
        {"x /* y */", "comment"},
        {"x) + (1.0", "')' at character 2"},
        {"(x))", "')' at character 4"},
        {"((x)", "leaves 1 '(' open"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(glnn_map_apply_expression(ctx, wrong[i].text, x, x), GLNN_E_ARG,
                     wrong[i].part);
    expect_error(glnn_map_apply_expression(ctx, padded_expression(4097), x, x), GLNN_E_ARG, "4096");
    expect_ok(glnn_map_apply_expression(ctx, padded_expression(4096), x, x));
    expect_error(glnn_map_apply_expression(NULL, "x", x, x), GLNN_E_ARG, "");
    expect_error(glnn_map_apply_expression(ctx, NULL, x, x), GLNN_E_ARG, "");
    expect_error(glnn_map_apply_expression(ctx, "x", NULL, x), GLNN_E_ARG, "");
    expect_error(glnn_map_apply_expression(ctx, "x", x, NULL), GLNN_E_ARG, "");
    expect_error(glnn_map_apply_expression(ctx, "x", x, wide), GLNN_E_SHAPE, "3 x 6");
    expect_error(glnn_map_apply_expression(ctx, "x", x, matrix_zero(3, 5, GLNN_LAYOUT_PAGED)),
                 GLNN_E_ARG, "paged");
    expect_equal(x, numbers, "a matrix after refused expressions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(maps_carry_nan_on),
        TEST(maps_with_finite_limits_reach_them_without_nan),
        TEST(maps_have_the_names_of_the_options),
        TEST(maps_refuse_operands_that_do_not_fit),
        TEST(expressions_see_the_element_and_its_place),
        TEST(an_expression_is_compiled_once),
        TEST(expressions_that_are_wrong_are_refused),
    };
    return cmocka_run_group_tests_name("map", tests, test_group_setup, test_group_teardown);
}
