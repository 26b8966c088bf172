#include <glnn/scale.h>

#include "support/files.h"

#include <float.h>
#include <math.h>

static void standard_scaling_gives_mean_0_and_deviation_1(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    /* The offset is large against the spread, where the difference of two sums would fail. */
    float samples[ROWS][2];
    for (int i = 0; i < ROWS; ++i) {
        samples[i][0] = 10000 + (float)(i % 10);
        samples[i][1] = -0.001f * (float)i;
    }
    glnn_scale scale;
    assert_int_equal(glnn_scale_fit(GLNN_SCALE_STANDARD, ROWS, 2, samples[0], &scale), GLNN_OK);
    assert_int_equal(scale.features, 2);
    assert_true(scale.offset[0] == 10004.5f);
    assert_true(fabs((double)scale.factor[0] - 1 / sqrt(8.25)) < 1e-6);
    assert_int_equal(glnn_scale_apply(&scale, ROWS, 2, samples[0]), GLNN_OK);
    for (int j = 0; j < 2; ++j) {
        double sum = 0, squares = 0;
        for (int i = 0; i < ROWS; ++i) {
            sum += (double)samples[i][j];
            squares += (double)samples[i][j] * (double)samples[i][j];
        }
        assert_true(fabs(sum / ROWS) < 1e-6);
        assert_true(fabs(squares / ROWS - 1) < 1e-6);
    }
    glnn_scale_free(&scale);
    assert_null(scale.offset);
}

static void range_scaling_spans_0_to_1(void **state)
{
    (void)state;
    float samples[] = {-3, 5, 1, 5, 5, 5};
    const float wanted[] = {0, 0, 0.5f, 0, 1, 0};
    glnn_scale scale;
    assert_int_equal(glnn_scale_fit(GLNN_SCALE_RANGE, 3, 2, samples, &scale), GLNN_OK);
    assert_int_equal(glnn_scale_apply(&scale, 3, 2, samples), GLNN_OK);
    assert_memory_equal(samples, wanted, sizeof samples);
    glnn_scale_free(&scale);
}

static void constant_features_keep_factor_1(void **state)
{
    (void)state;
    float samples[] = {0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f};
    for (glnn_scale_kind kind = 0; kind < GLNN_SCALE_COUNT; ++kind) {
        glnn_scale scale;
        assert_int_equal(glnn_scale_fit(kind, 7, 1, samples, &scale), GLNN_OK);
        assert_true(scale.offset[0] == 0.1f && scale.factor[0] == 1);
        glnn_scale_free(&scale);
    }
}

static void extreme_values_stay_finite(void **state)
{
    (void)state;
    for (glnn_scale_kind kind = 0; kind < GLNN_SCALE_COUNT; ++kind) {
        float samples[] = {-FLT_MAX, FLT_TRUE_MIN, FLT_MAX, 0};
        glnn_scale scale;
        assert_int_equal(glnn_scale_fit(kind, 2, 2, samples, &scale), GLNN_OK);
        assert_true(isfinite(scale.factor[0]) && isfinite(scale.factor[1]));
        assert_int_equal(glnn_scale_apply(&scale, 2, 2, samples), GLNN_OK);
        for (int i = 0; i < 4; ++i)
            assert_true(isfinite(samples[i]));
        glnn_scale_free(&scale);
    }
}

static void values_that_are_not_finite_are_named(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        float samples[] = {1, 2, 3, 4, 5, 6};
        glnn_scale scale;
        samples[3] = bad[i];
        assert_fails(glnn_scale_fit(GLNN_SCALE_STANDARD, 3, 2, samples, &scale), GLNN_E_FORMAT,
                     "row 1, feature 1");
        assert_true(scale.features == 0 && !scale.offset && !scale.factor);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    float samples[] = {1, 2};
    glnn_scale scale;
    assert_fails(glnn_scale_fit(GLNN_SCALE_RANGE, 1, 2, NULL, &scale), GLNN_E_ARG, "samples");
    assert_fails(glnn_scale_fit(GLNN_SCALE_RANGE, 1, 2, samples, NULL), GLNN_E_ARG, "out");
    assert_fails(glnn_scale_fit(GLNN_SCALE_RANGE, 0, 2, samples, &scale), GLNN_E_ARG, "0 rows");
    assert_fails(glnn_scale_fit(GLNN_SCALE_RANGE, 1, -1, samples, &scale), GLNN_E_ARG, "-1");
    assert_fails(glnn_scale_fit(GLNN_SCALE_COUNT, 1, 2, samples, &scale), GLNN_E_ARG,
                 "`kind` is 2");
    assert_int_equal(glnn_scale_fit(GLNN_SCALE_RANGE, 1, 2, samples, &scale), GLNN_OK);
    assert_fails(glnn_scale_apply(NULL, 1, 2, samples), GLNN_E_ARG, "scale");
    assert_fails(glnn_scale_apply(&scale, 1, 2, NULL), GLNN_E_ARG, "samples");
    assert_fails(glnn_scale_apply(&scale, 0, 2, samples), GLNN_E_ARG, "`rows` is 0");
    assert_fails(glnn_scale_apply(&scale, 2, 1, samples), GLNN_E_SHAPE, "scaling has 2");
    glnn_scale_free(&scale);
    glnn_scale_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_scaling_gives_mean_0_and_deviation_1),
        cmocka_unit_test(range_scaling_spans_0_to_1),
        cmocka_unit_test(constant_features_keep_factor_1),
        cmocka_unit_test(extreme_values_stay_finite),
        cmocka_unit_test(values_that_are_not_finite_are_named),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
