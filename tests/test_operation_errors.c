/* The sentences of operations name the function that was called and the argument, and the names of
 * their enumerations lead back to the enumerators. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include <glnn/advice.h>
#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>
#include <glnn/nearest.h>
#include <glnn/network.h>
#include <glnn/reduce.h>

/* The call fails, and its sentence begins with the function and the argument. */
#define REFUSES(argument, function, ...)                                                           \
    expect_sentence(function(__VA_ARGS__), GLNN_E_ARG, #function ": `" #argument "` is null")
#define REFUSES_SHAPE(argument, function, ...)                                                     \
    expect_sentence(function(__VA_ARGS__), GLNN_E_SHAPE, #function ": `" #argument "`")

static void expect_sentence(glnn_status status, glnn_status wanted, const char *begin)
{
    assert_int_equal(status, wanted);
    if (strncmp(glnn_last_error(), begin, strlen(begin)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", glnn_last_error(), begin);
}

static void null_arguments_are_named_by_the_function_that_was_called(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *m = matrix_zero(3, 3, 0), *v = matrix_zero(3, 1, 0);
    const glnn_reduction sum = GLNN_REDUCTION_SUM;
    const glnn_axis rows = GLNN_AXIS_ROWS;
    char text[64];
    REFUSES(ctx, glnn_gemm, NULL, NULL, 1, m, m, 0, m);
    REFUSES(a, glnn_gemm, ctx, NULL, 1, NULL, m, 0, m);
    REFUSES(b, glnn_gemm, ctx, NULL, 1, m, NULL, 0, m);
    REFUSES(c, glnn_gemm, ctx, NULL, 1, m, m, 0, NULL);
    REFUSES(ctx, glnn_gemm_get_plan, NULL, NULL, 1, m, m, 0, m, text, sizeof text);
    REFUSES(a, glnn_gemm_get_plan, ctx, NULL, 1, NULL, m, 0, m, text, sizeof text);
    REFUSES(c, glnn_gemm_get_plan, ctx, NULL, 1, m, m, 0, NULL, text, sizeof text);
    REFUSES(text, glnn_gemm_get_plan, ctx, NULL, 1, m, m, 0, m, NULL, sizeof text);
    REFUSES(ctx, glnn_outer, NULL, 1, v, v, 0, m);
    REFUSES(x, glnn_outer, ctx, 1, NULL, v, 0, m);
    REFUSES(y, glnn_outer, ctx, 1, v, NULL, 0, m);
    REFUSES(out, glnn_outer, ctx, 1, v, v, 0, NULL);
    REFUSES(ctx, glnn_map_apply, NULL, GLNN_MAP_EXP, m, m);
    REFUSES(x, glnn_map_apply, ctx, GLNN_MAP_EXP, NULL, m);
    REFUSES(out, glnn_map_apply, ctx, GLNN_MAP_EXP, m, NULL);
    REFUSES(y, glnn_map_apply_derivative, ctx, GLNN_MAP_EXP, NULL, m, m);
    REFUSES(out, glnn_map_apply_derivative, ctx, GLNN_MAP_EXP, m, m, NULL);
    REFUSES(expression, glnn_map_apply_expression, ctx, NULL, m, m);
    REFUSES(x, glnn_map_apply_expression, ctx, "x", NULL, m);
    REFUSES(out, glnn_map_apply_expression, ctx, "x", m, NULL);
    REFUSES(x, glnn_binary_apply, ctx, GLNN_BINARY_ADD, NULL, m, m);
    REFUSES(y, glnn_binary_apply, ctx, GLNN_BINARY_ADD, m, NULL, m);
    REFUSES(out, glnn_binary_apply, ctx, GLNN_BINARY_ADD, m, m, NULL);
    REFUSES(x, glnn_axpby, ctx, 1, NULL, 1, m);
    REFUSES(y, glnn_axpby, ctx, 1, m, 1, NULL);
    REFUSES(ctx, glnn_axpy, NULL, 1, m, m);
    REFUSES(x, glnn_axpy, ctx, 1, NULL, m);
    REFUSES(y, glnn_axpy, ctx, 1, m, NULL);
    REFUSES(x, glnn_softmax, ctx, NULL, m);
    REFUSES(out, glnn_softmax, ctx, m, NULL);
    REFUSES(ctx, glnn_fill, NULL, 1, m);
    REFUSES(out, glnn_fill, ctx, 1, NULL);
    REFUSES(out, glnn_fill_uniform, ctx, 1, 0, 1, NULL);
    REFUSES(out, glnn_fill_normal, ctx, 1, 0, 1, NULL);
    REFUSES(x, glnn_copy, ctx, NULL, m);
    REFUSES(out, glnn_copy, ctx, m, NULL);
    REFUSES(x, glnn_copy_rect, ctx, NULL, NULL, m, 0, 0);
    REFUSES(out, glnn_copy_rect, ctx, m, NULL, NULL, 0, 0);
    REFUSES(x, glnn_transpose, ctx, NULL, m);
    REFUSES(out, glnn_transpose, ctx, m, NULL);
    REFUSES(x, glnn_gather_rows, ctx, NULL, v, 0, 1, m);
    REFUSES(index, glnn_gather_rows, ctx, m, NULL, 0, 1, m);
    REFUSES(out, glnn_gather_rows, ctx, m, v, 0, 1, NULL);
    REFUSES(ctx, glnn_reduce, NULL, sum, rows, m, v);
    REFUSES(x, glnn_reduce, ctx, sum, rows, NULL, v);
    REFUSES(out, glnn_reduce, ctx, sum, rows, m, NULL);
}

static void shapes_that_differ_are_named_by_the_function_that_was_called(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *m = matrix_zero(3, 3, 0), *wide = matrix_zero(3, 5, 0);
    const glnn_rect outside = {0, 0, 4, 1};
    char text[64];
    REFUSES_SHAPE(c, glnn_gemm, ctx, NULL, 1, m, m, 0, wide);
    REFUSES_SHAPE(c, glnn_gemm_get_plan, ctx, NULL, 1, m, m, 0, wide, text, sizeof text);
    REFUSES_SHAPE(y, glnn_axpby, ctx, 1, m, 1, wide);
    REFUSES_SHAPE(y, glnn_axpy, ctx, 1, m, wide);
    REFUSES_SHAPE(out, glnn_map_apply, ctx, GLNN_MAP_EXP, m, wide);
    REFUSES_SHAPE(out, glnn_softmax, ctx, m, wide);
    expect_sentence(glnn_copy_rect(ctx, m, &outside, wide, 0, 0), GLNN_E_SHAPE,
                    "glnn_copy_rect: a rectangle of 4 x 1");
    expect_sentence(glnn_copy_rect(ctx, m, NULL, wide, 1, 0), GLNN_E_SHAPE,
                    "glnn_copy_rect: a rectangle of 3 x 3 at (1, 0)");
    REFUSES_SHAPE(out, glnn_transpose, ctx, wide, m);
}

/* Each enumerator's name is its own, and leads back to it. */
#define CHECK_NAMES(type, count)                                                                   \
    do {                                                                                           \
        for (int i = 0; i < (count); ++i) {                                                        \
            type found = (type)(-1 - i + (count));                                                 \
            expect_ok(type##_from_name(type##_name((type)i), &found));                             \
            assert_int_equal(found, i);                                                            \
        }                                                                                          \
        type kept = (type)1;                                                                       \
        assert_string_equal(type##_name((type)(count)), "unknown");                                \
        assert_string_equal(type##_name((type)(-1)), "unknown");                                   \
        expect_sentence(type##_from_name("no such", &kept), GLNN_E_ARG,                            \
                        #type "_from_name: \"no such\" is not one of ");                           \
        assert_int_equal(kept, 1);                                                                 \
        REFUSES(name, type##_from_name, NULL, &kept);                                              \
        REFUSES(out, type##_from_name, "add", NULL);                                               \
    } while (0)

static void names_of_enumerators_lead_back_to_them(void **state)
{
    (void)state;
    CHECK_NAMES(glnn_map, GLNN_MAP_COUNT);
    CHECK_NAMES(glnn_binary, GLNN_BINARY_COUNT);
    CHECK_NAMES(glnn_accumulate, GLNN_ACCUMULATE_COUNT);
    CHECK_NAMES(glnn_reduction, GLNN_REDUCTION_COUNT);
    CHECK_NAMES(glnn_axis, GLNN_AXIS_COUNT);
    CHECK_NAMES(glnn_search, GLNN_SEARCH_COUNT);
    CHECK_NAMES(glnn_activation, GLNN_ACTIVATION_COUNT);
}

static void activations_are_named_like_their_maps(void **state)
{
    (void)state;
    for (int i = GLNN_ACTIVATION_DEFAULT + 1; i < GLNN_ACTIVATION_COUNT; ++i) {
        glnn_map map = GLNN_MAP_COUNT;
        expect_ok(glnn_map_from_name(glnn_activation_name((glnn_activation)i), &map));
        assert_true(map < GLNN_MAP_COUNT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(null_arguments_are_named_by_the_function_that_was_called),
        TEST(shapes_that_differ_are_named_by_the_function_that_was_called),
        TEST(names_of_enumerators_lead_back_to_them),
        TEST(activations_are_named_like_their_maps),
    };
    return cmocka_run_group_tests_name("operation_errors", tests, test_group_setup,
                                       test_group_teardown);
}
