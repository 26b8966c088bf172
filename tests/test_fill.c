/* Fills with special numbers, seeds, moments, and wrong arguments. More are in test_operations. */
#include "support/reference.h"

#include <float.h>

static const int shapes[][2] = {{1, 1}, {1, 9}, {9, 1}, {3, 5}, {4, 8}, {13, 17}, {33, 31}};
static const uint64_t seeds[] = {0, 1, 0x123456789abcdefu, UINT64_MAX};

static void fill_sets_every_element_and_no_padding(void **state)
{
    (void)state;
    static const float numbers[] = {0.0f, -1.5f, 3.25e30f, INFINITY, NAN};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i)
        for (size_t j = 0; j < COUNT_OF(numbers); ++j)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
                array want = array_new(shapes[i][0], shapes[i][1]);
                for (size_t k = 0; k < length_of(want); ++k)
                    want.data[k] = numbers[j];
                glnn_matrix *out = matrix_of(array_numbered(shapes[i][0], shapes[i][1]), layout);
                expect_ok(glnn_fill(glnn_test_context(), numbers[j], out));
                expect_equal(out, want, "fill with %g", (double)numbers[j]);
                release_all();
            }
}

/* low + (high - low) u, where these ranges leave nothing to round but the product. */
static array uniform_in(uint64_t seed, float low, float high, int rows, int columns)
{
    array values = reference_uniform(seed, rows, columns);
    for (size_t i = 0; i < length_of(values); ++i)
        values.data[i] = (float)((double)low + (double)(high - low) * values.data[i]);
    return values;
}

static void uniform_numbers_are_the_same_bits_on_every_layout_as_in_c(void **state)
{
    (void)state;
    static const float ranges[][2] = {{0.0f, 1.0f}, {-0.5f, 0.5f}, {-2.0f, 2.0f}, {0.0f, 0.1f}};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i)
        for (size_t seed = 0; seed < COUNT_OF(seeds); ++seed)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
                float low = ranges[(i + seed) % COUNT_OF(ranges)][0];
                float high = ranges[(i + seed) % COUNT_OF(ranges)][1];
                glnn_matrix *out = matrix_zero(shapes[i][0], shapes[i][1], layout);
                expect_ok(glnn_fill_uniform(glnn_test_context(), seeds[seed], low, high, out));
                expect_equal(out, uniform_in(seeds[seed], low, high, shapes[i][0], shapes[i][1]),
                             "uniform in %g to %g, seed %zu", (double)low, (double)high, seed);
                release_all();
            }
}

static void uniform_numbers_stay_in_any_range(void **state)
{
    (void)state;
    static const float ranges[][2] = {{-0.3f, 0.7f},  {1.0f, 2.0f},    {5.0f, 5.0f},
                                      {-1e6f, -1.0f}, {1e3f, 1001.0f}, {1.0f, 1.0f + FLT_EPSILON}};
    for (size_t i = 0; i < COUNT_OF(ranges); ++i) {
        double low = (double)ranges[i][0], high = (double)ranges[i][1];
        glnn_matrix *out = matrix_zero(100, 101, GLNN_LAYOUT_TILED);
        expect_ok(glnn_fill_uniform(glnn_test_context(), 7, ranges[i][0], ranges[i][1], out));
        expected want = {reference_uniform(7, 100, 101), array_new(100, 101)};
        array got = values_of(out);
        for (size_t k = 0; k < length_of(got); ++k) {
            want.value.data[k] = low + (high - low) * want.value.data[k];
            want.bound.data[k] = 4.0 * EPS * (fabs(low) + fabs(high));
            assert_true(got.data[k] >= low && (got.data[k] < high || low == high));
        }
        expect_close(out, want, "uniform in %g to %g", low, high);
        release_all();
    }
}

typedef struct moments {
    double mean, variance;
} moments;

static moments moments_of(array values)
{
    double count = (double)length_of(values), sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < length_of(values); ++i)
        sum += values.data[i];
    for (size_t i = 0; i < length_of(values); ++i)
        squares += pow(values.data[i] - sum / count, 2.0);
    return (moments){sum / count, squares / count};
}

/* A deviation of five standard errors happens once in more than a million seeds. */
static void random_numbers_have_the_moments_that_are_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(seeds); ++i) {
        glnn_matrix *out = matrix_zero(200, 201, GLNN_LAYOUT_TILED);
        double count = 200.0 * 201.0;
        expect_ok(glnn_fill_uniform(glnn_test_context(), seeds[i], 0.0f, 1.0f, out));
        moments uniform = moments_of(values_of(out));
        assert_true(fabs(uniform.mean - 0.5) < 5.0 * sqrt(1.0 / 12.0 / count));
        assert_true(fabs(uniform.variance - 1.0 / 12.0) < 5.0 * sqrt(1.0 / 180.0 / count));
        expect_ok(glnn_fill_normal(glnn_test_context(), seeds[i], 3.0f, 2.0f, out));
        moments normal = moments_of(values_of(out));
        assert_true(fabs(normal.mean - 3.0) < 5.0 * 2.0 / sqrt(count));
        assert_true(fabs(normal.variance - 4.0) < 5.0 * 4.0 * sqrt(2.0 / count));
        release_all();
    }
}

static void fills_refuse_wrong_arguments(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *out = matrix_zero(3, 5, 0), *paged = matrix_zero(3, 5, GLNN_LAYOUT_PAGED);
    expect_error(glnn_fill(NULL, 1.0f, out), GLNN_E_ARG, "");
    expect_error(glnn_fill(ctx, 1.0f, NULL), GLNN_E_ARG, "");
    expect_error(glnn_fill(ctx, 1.0f, paged), GLNN_E_ARG, "paged");
    expect_error(glnn_fill_uniform(NULL, 1, 0.0f, 1.0f, out), GLNN_E_ARG, "");
    expect_error(glnn_fill_uniform(ctx, 1, 0.0f, 1.0f, NULL), GLNN_E_ARG, "");
    expect_error(glnn_fill_uniform(ctx, 1, 0.0f, 1.0f, paged), GLNN_E_ARG, "paged");
    expect_error(glnn_fill_normal(NULL, 1, 0.0f, 1.0f, out), GLNN_E_ARG, "");
    expect_error(glnn_fill_normal(ctx, 1, 0.0f, 1.0f, NULL), GLNN_E_ARG, "");
    expect_error(glnn_fill_normal(ctx, 1, 0.0f, 1.0f, paged), GLNN_E_ARG, "paged");
    static const float ranges[][2] = {{1.0f, 0.5f},      {NAN, 1.0f},      {0.0f, NAN},
                                      {-INFINITY, 1.0f}, {0.0f, INFINITY}, {-3e38f, 3e38f}};
    for (size_t i = 0; i < COUNT_OF(ranges); ++i)
        expect_error(glnn_fill_uniform(ctx, 1, ranges[i][0], ranges[i][1], out), GLNN_E_ARG, "");
    static const float parameters[][2] = {
        {0.0f, -1.0f}, {0.0f, NAN}, {NAN, 1.0f}, {INFINITY, 1.0f}, {0.0f, INFINITY}};
    for (size_t i = 0; i < COUNT_OF(parameters); ++i)
        expect_error(glnn_fill_normal(ctx, 1, parameters[i][0], parameters[i][1], out), GLNN_E_ARG,
                     "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(fill_sets_every_element_and_no_padding),
        TEST(uniform_numbers_are_the_same_bits_on_every_layout_as_in_c),
        TEST(uniform_numbers_stay_in_any_range),
        TEST(random_numbers_have_the_moments_that_are_asked_for),
        TEST(fills_refuse_wrong_arguments),
    };
    return cmocka_run_group_tests_name("fill", tests, test_group_setup, test_group_teardown);
}
