/* Samples brought through a projection. */
#include "support/reference.h"

#include <glnn/preparation.h>

static glnn_projection *projection_of(int features, int components, double offset)
{
    glnn_projection *projection = NULL;
    array x = array_random(2 * features + 3, features, offset - 1, offset + 1);
    expect_ok(glnn_pca_fit(glnn_test_context(), &(glnn_pca_desc){.components = components}, x.rows,
                           features, floats_of(x), &projection));
    return projection;
}

/* W (x - mean) in double, with the bound that the header states. */
static expected reference_projection(const glnn_projection *projection, array x)
{
    int components = glnn_projection_get_components(projection);
    expected want = {array_new(x.rows, components), array_new(x.rows, components)};
    for (int i = 0; i < x.rows; ++i) {
        for (int c = 0; c < components; ++c) {
            double sum = 0, deviations = 0, means = 0;
            for (int j = 0; j < x.columns; ++j) {
                double weight =
                    (double)glnn_projection_get_directions(projection)[c * x.columns + j];
                double mean = (double)glnn_projection_get_mean(projection)[j];
                sum += weight * (*at(x, i, j) - mean);
                deviations += fabs(weight * (*at(x, i, j) - mean));
                means += fabs(weight * mean);
            }
            *at(want.value, i, c) = sum;
            *at(want.bound, i, c) = EPS * ((x.columns + 3) * deviations + means);
        }
    }
    return want;
}

/* Projects into memory that has one float more, which must stay. */
static float *project(const glnn_projection *projection, array x)
{
    size_t count = (size_t)x.rows * (size_t)glnn_projection_get_components(projection);
    float *out = floats_new(count + 1);
    out[count] = 77;
    expect_ok(glnn_projection_apply(projection, x.rows, floats_of(x), out));
    assert_true(out[count] == 77);
    return out;
}

static void samples_in_memory_are_projected_in_parts_of_any_length(void **state)
{
    (void)state;
    static const int rows[] = {1, 2, 7, 1023, 1024, 1025, 2053};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        random_seed(i);
        glnn_projection *projection = projection_of(13, 5, 0);
        array x = array_random(rows[i], 13, -3, 3);
        expected want = reference_projection(projection, x);
        const float *got = project(projection, x);
        for (size_t e = 0; e < length_of(want.value); ++e)
            if (!(fabs((double)got[e] - want.value.data[e]) <= want.bound.data[e]))
                fail_msg("%d rows: element %zu is %g instead of %g", rows[i], e, (double)got[e],
                         want.value.data[e]);
        glnn_projection_destroy(projection);
        release_all();
    }
}

static void matrices_are_projected_on_every_pair_of_layouts(void **state)
{
    (void)state;
    static const int shapes[][3] = {{1, 1, 1}, {5, 3, 2}, {9, 17, 9}, {1031, 7, 3}};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i)
        for (glnn_layout from = GLNN_LAYOUT_TILED; from < GLNN_LAYOUT_COUNT; ++from)
            for (glnn_layout to = GLNN_LAYOUT_TILED; to < RENDERED_END; ++to) {
                random_seed(i);
                glnn_projection *projection = projection_of(shapes[i][1], shapes[i][2], 0);
                array x = array_random(shapes[i][0], shapes[i][1], -3, 3);
                glnn_matrix *out = matrix_of(array_numbered(x.rows, shapes[i][2]), to);
                expect_ok(glnn_projection_apply_matrix(projection, matrix_of(x, from), out));
                expect_close(out, reference_projection(projection, x), "%d x %d to %d, %s -> %s",
                             x.rows, x.columns, shapes[i][2], glnn_layout_name(from),
                             glnn_layout_name(to));
                glnn_projection_destroy(projection);
                release_all();
            }
}

static void a_mean_far_from_zero_costs_no_digits(void **state)
{
    (void)state;
    random_seed(10);
    glnn_projection *projection = projection_of(11, 4, 4096);
    array x = array_random(20, 11, 4095, 4097);
    expected want = reference_projection(projection, x);
    glnn_matrix *out = matrix_zero(20, 4, GLNN_LAYOUT_TILED);
    expect_ok(glnn_projection_apply_matrix(projection, matrix_of(x, GLNN_LAYOUT_TILED), out));
    /* Of the mean only its own rounding is left, the same for all samples. */
    array got = values_of(out);
    for (int i = 1; i < 20; ++i)
        for (int c = 0; c < 4; ++c) {
            double moved = *at(got, i, c) - *at(got, 0, c);
            double wanted = *at(want.value, i, c) - *at(want.value, 0, c);
            if (!(fabs(moved - wanted) < 1e-5))
                fail_msg("sample %d, component %d moves by %g instead of %g", i, c, moved, wanted);
        }
    glnn_projection_destroy(projection);
}

static void the_output_may_be_the_samples(void **state)
{
    (void)state;
    static const int rows[] = {6, 1030};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        random_seed(11);
        glnn_projection *projection = projection_of(5, 5, 1);
        array x = array_random(rows[i], 5, 0, 2);
        glnn_matrix *matrix = matrix_of(x, GLNN_LAYOUT_PACKED);
        expect_ok(glnn_projection_apply_matrix(projection, matrix, matrix));
        expect_close(matrix, reference_projection(projection, x), "%d rows in place", rows[i]);
        glnn_projection_destroy(projection);
    }
}

static void two_runs_give_the_same_bits(void **state)
{
    (void)state;
    random_seed(12);
    glnn_projection *projection = projection_of(37, 9, 0);
    array x = array_random(1100, 37, -1, 1);
    const float *first = project(projection, x), *second = project(projection, x);
    assert_memory_equal(first, second, 1100 * 9 * sizeof(float));
    glnn_projection_destroy(projection);
}

static void operands_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    random_seed(13);
    glnn_projection *projection = projection_of(5, 2, 0);
    float x[10] = {0}, y[4];
    expect_error(glnn_projection_apply(NULL, 2, x, y), GLNN_E_ARG, "projection");
    expect_error(glnn_projection_apply(projection, 2, NULL, y), GLNN_E_ARG, "samples");
    expect_error(glnn_projection_apply(projection, 2, x, NULL), GLNN_E_ARG, "out");
    expect_error(glnn_projection_apply(projection, 0, x, y), GLNN_E_ARG, "`rows` is 0");
    glnn_matrix *samples = matrix_zero(3, 5, 0), *out = matrix_zero(3, 2, 0);
    expect_error(glnn_projection_apply_matrix(NULL, samples, out), GLNN_E_ARG, "projection");
    expect_error(glnn_projection_apply_matrix(projection, NULL, out), GLNN_E_ARG, "samples");
    expect_error(glnn_projection_apply_matrix(projection, samples, NULL), GLNN_E_ARG, "out");
    expect_error(
        glnn_projection_apply_matrix(projection, samples, matrix_zero(3, 2, GLNN_LAYOUT_PAGED)),
        GLNN_E_ARG, "paged");
    expect_error(glnn_projection_apply_matrix(projection, matrix_zero(3, 4, 0), out), GLNN_E_SHAPE,
                 "3 x 4");
    expect_error(glnn_projection_apply_matrix(projection, samples, matrix_zero(2, 2, 0)),
                 GLNN_E_SHAPE, "2 x 2");
    glnn_projection_destroy(projection);
}

static void a_projection_whose_context_was_destroyed_fails_with_a_status(void **state)
{
    (void)state;
    float x[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1}, y[2];
    glnn_context *ctx = context_new(0, 0.0);
    glnn_projection *projection = NULL, *other = NULL;
    expect_ok(glnn_pca_fit(ctx, NULL, 5, 2, x, &projection));
    glnn_context_destroy(ctx);
    expect_error(glnn_projection_apply(projection, 1, x, y), GLNN_E_STATE,
                 "glnn_projection_apply: the context of `projection` was destroyed");
    expect_error(glnn_projection_apply_matrix(projection, NULL, NULL), GLNN_E_STATE, "destroyed");
    expect_error(glnn_pca_fit(ctx, NULL, 5, 2, x, &other), GLNN_E_STATE, "destroyed");
    expect_error(glnn_lda_fit(ctx, NULL, 5, 2, x, (int[5]){0, 1}, 2, &other), GLNN_E_STATE,
                 "destroyed");
    expect_error(glnn_projection_load(ctx, "x", &other), GLNN_E_STATE, "destroyed");
    const glnn_preparation preparation = {.columns.features = 2};
    expect_error(glnn_preparation_apply(ctx, &preparation, 1, x, y), GLNN_E_STATE, "destroyed");
    assert_int_equal(glnn_projection_get_features(projection), 2);
    glnn_projection_destroy(projection);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(samples_in_memory_are_projected_in_parts_of_any_length),
        TEST(matrices_are_projected_on_every_pair_of_layouts),
        TEST(a_mean_far_from_zero_costs_no_digits),
        TEST(the_output_may_be_the_samples),
        TEST(two_runs_give_the_same_bits),
        TEST(operands_that_do_not_fit_are_refused),
        TEST(a_projection_whose_context_was_destroyed_fails_with_a_status),
    };
    return cmocka_run_group_tests_name("projection_apply", tests, test_group_setup,
                                       test_group_teardown);
}
