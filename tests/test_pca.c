/* Fits of principal components. */
#include "support/scatter.h"

static glnn_projection *pca(array x, const glnn_pca_desc *desc)
{
    glnn_projection *projection = NULL;
    expect_ok(
        glnn_pca_fit(glnn_test_context(), desc, x.rows, x.columns, floats_of(x), &projection));
    return projection;
}

/* C w = eigenvalue w for rows of W that are orthonormal and have the right signs. */
static void check_eigenvectors(const glnn_projection *projection, array x)
{
    array c = scatter_of(x, NULL, 1);
    int features = x.columns;
    double bound = (SCATTER_ERROR + 4 * EPS) * trace_of(c);
    const float *values = glnn_projection_get_eigenvalues(projection);
    for (int a = 0; a < glnn_projection_get_components(projection); ++a) {
        const float *w = direction(projection, a);
        assert_true(a == 0 || values[a] <= values[a - 1]);
        for (int j = 0; j < features; ++j) {
            double image = 0;
            for (int k = 0; k < features; ++k)
                image += *at(c, j, k) * (double)w[k];
            expect_near(image, (double)values[a] * (double)w[j], bound, "an element of C w");
        }
        for (int b = 0; b <= a; ++b)
            expect_near(inner(features, w, direction(projection, b)), a == b,
                        2 * EPS * features + 1e-12, "the product of two directions");
        expect_positive_sign(projection, a);
    }
}

static void principal_components_are_the_eigenvectors_of_the_covariance(void **state)
{
    (void)state;
    static const int shapes[][2] = {{3, 1},    {5, 2},     {9, 8},   {100, 7},
                                    {1023, 9}, {1025, 33}, {2050, 4}};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
        random_seed(i);
        array x = samples_random(shapes[i][0], shapes[i][1], 3);
        glnn_projection *projection = pca(x, NULL);
        assert_int_equal(glnn_projection_get_features(projection), x.columns);
        assert_int_equal(glnn_projection_get_components(projection), x.columns);
        check_eigenvectors(projection, x);
        array mean = means_of(x, NULL, 1);
        double sum = 0, trace = trace_of(scatter_of(x, NULL, 1));
        for (int j = 0; j < x.columns; ++j) {
            expect_near((double)glnn_projection_get_mean(projection)[j], *at(mean, 0, j),
                        EPS * fabs(*at(mean, 0, j)), "a mean");
            sum += (double)glnn_projection_get_eigenvalues(projection)[j];
        }
        expect_near(sum, trace, (SCATTER_ERROR + EPS) * trace, "the sum of the eigenvalues");
        glnn_projection_destroy(projection);
        release_all();
    }
}

static void fewer_components_are_the_first_ones(void **state)
{
    (void)state;
    random_seed(20);
    array x = samples_random(300, 19, 0);
    glnn_projection *all = pca(x, NULL), *some = pca(x, &(glnn_pca_desc){.components = 5});
    assert_int_equal(glnn_projection_get_components(some), 5);
    check_eigenvectors(some, x);
    for (int a = 0; a < 5; ++a)
        expect_near((double)glnn_projection_get_eigenvalues(some)[a],
                    (double)glnn_projection_get_eigenvalues(all)[a],
                    EPS * (double)glnn_projection_get_eigenvalues(all)[0], "an eigenvalue");
    glnn_projection_destroy(all);
    glnn_projection_destroy(some);
}

static void fewer_samples_than_features_leave_as_many_directions_as_there_are(void **state)
{
    (void)state;
    random_seed(21);
    array x = samples_random(6, 40, 100);
    glnn_projection *projection = pca(x, NULL);
    assert_int_equal(glnn_projection_get_components(projection), 5);
    check_eigenvectors(projection, x);
    glnn_projection_destroy(projection);
    glnn_context *ctx = glnn_test_context();
    expect_error(
        glnn_pca_fit(ctx, &(glnn_pca_desc){.components = 6}, 6, 40, floats_of(x), &projection),
        GLNN_E_LIMIT, "6 components; 6 rows of 40 features have at most 5");
    assert_null(projection);
}

static void a_scatter_larger_than_the_memory_is_refused_with_its_size(void **state)
{
    enum { FEATURES = 3000000 };
    (void)state;
    float *x = calloc(2 * FEATURES, sizeof *x);
    assert_non_null(x);
    glnn_projection *projection;
    glnn_context *ctx = glnn_test_context();
    expect_error(glnn_pca_fit(ctx, &(glnn_pca_desc){.components = 1}, 2, FEATURES, x, &projection),
                 GLNN_E_LIMIT, "3000000 features takes 180000.0 GB");
    expect_error(glnn_lda_fit(ctx, NULL, 2, FEATURES, x, (int[]){0, 1}, 2, &projection),
                 GLNN_E_LIMIT, "which is enough for");
    free(x);
}

static void constant_features_and_copies_take_no_direction(void **state)
{
    (void)state;
    random_seed(22);
    array x = samples_random(200, 7, 0);
    for (int i = 0; i < x.rows; ++i) {
        *at(x, i, 2) = 1.1f;
        *at(x, i, 5) = *at(x, i, 4);
    }
    glnn_projection *projection = pca(x, NULL);
    assert_int_equal(glnn_projection_get_components(projection), 5);
    for (int a = 0; a < 5; ++a)
        expect_near((double)direction(projection, a)[2], 0, EPS, "the weight of a constant");
    glnn_projection_destroy(projection);
    expect_error(glnn_pca_fit(glnn_test_context(), &(glnn_pca_desc){.components = 6}, x.rows,
                              x.columns, floats_of(x), &projection),
                 GLNN_E_LIMIT, "only 5 directions hold more than 2^-20 of the variance");
}

static void whitened_components_have_variance_1(void **state)
{
    (void)state;
    random_seed(23);
    array x = samples_random(500, 11, -2);
    for (int i = 0; i < x.rows; ++i)
        *at(x, i, 3) = (float)(20 * *at(x, i, 3));
    glnn_projection *projection = pca(x, &(glnn_pca_desc){.whiten = true});
    array c = scatter_of(x, NULL, 1);
    double ratio = trace_of(c) / (double)glnn_projection_get_eigenvalues(projection)[10];
    for (int a = 0; a < 11; ++a)
        for (int b = 0; b <= a; ++b)
            expect_near(form(c, direction(projection, a), direction(projection, b)), a == b,
                        (SCATTER_ERROR + 4 * EPS) * ratio, "a covariance of what is projected");
    glnn_projection_destroy(projection);
}

static void samples_of_any_size_are_fitted(void **state)
{
    (void)state;
    for (int exponent = -60; exponent <= 60; exponent += 20) {
        random_seed(50);
        array x = samples_random(50, 5, 1);
        for (size_t i = 0; i < length_of(x); ++i)
            x.data[i] = ldexp(x.data[i], exponent);
        glnn_projection *projection = pca(x, NULL);
        assert_int_equal(glnn_projection_get_components(projection), 5);
        check_eigenvectors(projection, x);
        glnn_projection_destroy(projection);
    }
    const float huge[] = {-3e38f, 3e38f, -3e38f};
    glnn_projection *projection;
    expect_error(glnn_pca_fit(glnn_test_context(), NULL, 3, 1, huge, &projection), GLNN_E_FORMAT,
                 "eigenvalues");
}

static void two_fits_give_the_same_bits(void **state)
{
    (void)state;
    random_seed(51);
    array x = samples_random(1500, 21, 0);
    expect_same_projection(pca(x, NULL), pca(x, NULL));
}

static void nonsense_is_not_fitted(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_projection *out;
    float x[] = {1, 2, 3, 4, 5, 6};
    expect_error(glnn_pca_fit(NULL, NULL, 3, 2, x, &out), GLNN_E_ARG, "ctx");
    assert_null(out);
    expect_error(glnn_pca_fit(ctx, NULL, 3, 2, NULL, &out), GLNN_E_ARG, "samples");
    expect_error(glnn_pca_fit(ctx, NULL, 3, 2, x, NULL), GLNN_E_ARG, "out");
    expect_error(glnn_pca_fit(ctx, NULL, 1, 2, x, &out), GLNN_E_ARG, "1 rows");
    expect_error(glnn_pca_fit(ctx, NULL, 3, 0, x, &out), GLNN_E_ARG, "0 features");
    expect_error(glnn_pca_fit(ctx, &(glnn_pca_desc){.components = -1}, 3, 2, x, &out), GLNN_E_ARG,
                 "desc->components is -1; it must not be negative");
    expect_error(glnn_pca_fit(ctx, &(glnn_pca_desc){.components = 3}, 3, 2, x, &out), GLNN_E_LIMIT,
                 "at most 2");
    x[3] = NAN;
    expect_error(glnn_pca_fit(ctx, NULL, 3, 2, x, &out), GLNN_E_FORMAT, "row 1, feature 1");
    for (int i = 0; i < 6; ++i)
        x[i] = 7;
    expect_error(glnn_pca_fit(ctx, NULL, 3, 2, x, &out), GLNN_E_FORMAT, "all the same");
    assert_null(out);
}

static void no_projection_has_no_numbers(void **state)
{
    (void)state;
    glnn_projection_destroy(NULL);
    assert_int_equal(glnn_projection_get_features(NULL), 0);
    assert_int_equal(glnn_projection_get_components(NULL), 0);
    assert_null(glnn_projection_get_mean(NULL));
    assert_null(glnn_projection_get_directions(NULL));
    assert_null(glnn_projection_get_eigenvalues(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(principal_components_are_the_eigenvectors_of_the_covariance),
        TEST(fewer_components_are_the_first_ones),
        TEST(fewer_samples_than_features_leave_as_many_directions_as_there_are),
        TEST(a_scatter_larger_than_the_memory_is_refused_with_its_size),
        TEST(constant_features_and_copies_take_no_direction),
        TEST(whitened_components_have_variance_1),
        TEST(samples_of_any_size_are_fitted),
        TEST(two_fits_give_the_same_bits),
        TEST(nonsense_is_not_fitted),
        TEST(no_projection_has_no_numbers),
    };
    return cmocka_run_group_tests_name("pca", tests, test_group_setup, test_group_teardown);
}
