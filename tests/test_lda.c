/* Fits of linear discriminants. */
#include "support/scatter.h"

/* Classes by turns, each moved in a direction of its own. */
static int *spread_classes(array x, int classes, double distance)
{
    int *labels = (int *)(void *)floats_new((size_t)x.rows);
    array centers = array_random(classes, x.columns, -distance, distance);
    for (int i = 0; i < x.rows; ++i) {
        labels[i] = i % classes;
        for (int j = 0; j < x.columns; ++j)
            *at(x, i, j) = (float)(*at(x, i, j) + *at(centers, labels[i], j));
    }
    return labels;
}

static glnn_projection *lda(array x, const int *labels, int classes, const glnn_lda_desc *desc)
{
    glnn_projection *projection = NULL;
    expect_ok(glnn_lda_fit(glnn_test_context(), desc, x.rows, x.columns, floats_of(x), labels,
                           classes, &projection));
    return projection;
}

/* S_b w = eigenvalue S w, in the form v' S_b w for all rows v of W and for single features. */
static void check_discriminants(const glnn_projection *projection, array x, const int *labels,
                                int classes, double shrinkage)
{
    int features = x.columns;
    array within = scatter_of(x, labels, classes), total = scatter_of(x, NULL, 1);
    array between = array_new(features, features);
    double level = shrinkage * trace_of(within) / features;
    for (int j = 0; j < features; ++j)
        for (int k = 0; k < features; ++k) {
            *at(between, j, k) = *at(total, j, k) - *at(within, j, k);
            *at(within, j, k) = (1 - shrinkage) * *at(within, j, k) + (j == k ? level : 0);
        }
    float *unit = floats_new((size_t)features);
    for (int a = 0; a < glnn_projection_get_components(projection); ++a) {
        const float *w = direction(projection, a);
        double value = (double)glnn_projection_get_eigenvalues(projection)[a];
        double size = sqrt(inner(features, w, w)) * trace_of(within);
        for (int j = 0; j < features; ++j) {
            memset(unit, 0, (size_t)features * sizeof *unit);
            unit[j] = 1;
            expect_near(form(between, unit, w), value * form(within, unit, w),
                        (1 + value) * 2 * SCATTER_ERROR * size, "an element of S_b w");
        }
        expect_positive_sign(projection, a);
    }
}

static void discriminants_solve_the_eigenproblem_of_both_scatters(void **state)
{
    (void)state;
    static const struct {
        int rows, features, classes, components;
    } cases[] = {{8, 1, 2, 1}, {40, 2, 3, 2}, {300, 9, 4, 3}, {1100, 17, 10, 9}, {200, 3, 7, 3}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        random_seed(30 + i);
        array x = samples_random(cases[i].rows, cases[i].features, 5);
        int *labels = spread_classes(x, cases[i].classes, 2);
        for (int shrinkage = 0; shrinkage < 2; ++shrinkage) {
            glnn_projection *projection =
                lda(x, labels, cases[i].classes,
                    &(glnn_lda_desc){.shrinkage = 0.25f * (float)shrinkage});
            assert_int_equal(glnn_projection_get_components(projection), cases[i].components);
            check_discriminants(projection, x, labels, cases[i].classes,
                                shrinkage ? 0.25 : (double)1e-3f);
            for (int a = 0; a < cases[i].components; ++a)
                expect_near(inner(x.columns, direction(projection, a), direction(projection, a)), 1,
                            4 * EPS, "the square of a direction's length");
            glnn_projection_destroy(projection);
        }
        release_all();
    }
}

static void whitened_discriminants_have_scatter_1_within_classes(void **state)
{
    (void)state;
    random_seed(40);
    array x = samples_random(600, 8, 0);
    int *labels = spread_classes(x, 5, 1);
    glnn_projection *projection =
        lda(x, labels, 5, &(glnn_lda_desc){.shrinkage = 1e-6f, .whiten = true, .components = 3});
    assert_int_equal(glnn_projection_get_components(projection), 3);
    array within = scatter_of(x, labels, 5);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b <= a; ++b)
            expect_near(form(within, direction(projection, a), direction(projection, b)), a == b,
                        1e-3, "the scatter of what is projected");
    glnn_projection_destroy(projection);
}

static void discriminants_allow_constant_features_few_samples_and_empty_classes(void **state)
{
    (void)state;
    random_seed(41);
    array x = samples_random(9, 30, 0);
    int *labels = spread_classes(x, 3, 1);
    for (int i = 0; i < x.rows; ++i) {
        *at(x, i, 7) = -4;
        labels[i] *= 2;
    }
    glnn_projection *projection = lda(x, labels, 6, NULL);
    assert_int_equal(glnn_projection_get_components(projection), 2);
    for (int a = 0; a < 2; ++a)
        expect_near((double)direction(projection, a)[7], 0, EPS, "the weight of a constant");
    check_discriminants(projection, x, labels, 6, (double)1e-3f);
    glnn_projection_destroy(projection);
}

/* Three means on one line, and the same spread about each. */
static void means_on_a_line_give_one_discriminant(void **state)
{
    (void)state;
    array x = array_new(12, 2);
    int labels[12];
    for (int i = 0; i < 12; ++i) {
        labels[i] = i / 4;
        *at(x, i, 0) = 3 * labels[i] + (i % 2 ? 1 : -1);
        *at(x, i, 1) = 3 * labels[i] + (i / 2 % 2 ? 1 : -1);
    }
    glnn_projection *projection = lda(x, labels, 3, NULL);
    assert_int_equal(glnn_projection_get_components(projection), 1);
    expect_near((double)direction(projection, 0)[0], sqrt(0.5), EPS, "the direction");
    expect_near((double)direction(projection, 0)[1], sqrt(0.5), EPS, "the direction");
    /* The means' variance along the line is 6 + 6, the classes' own is 1. */
    expect_near((double)glnn_projection_get_eigenvalues(projection)[0], 12, 1e-5, "the eigenvalue");
    glnn_projection_destroy(projection);
    expect_error(glnn_lda_fit(glnn_test_context(), &(glnn_lda_desc){.components = 2}, 12, 2,
                              floats_of(x), labels, 3, &projection),
                 GLNN_E_LIMIT, "differ only in 1 directions");
}

static void two_fits_give_the_same_bits(void **state)
{
    (void)state;
    random_seed(51);
    array x = samples_random(1500, 21, 0);
    int *labels = spread_classes(x, 4, 1);
    expect_same_projection(lda(x, labels, 4, NULL), lda(x, labels, 4, NULL));
}

static void nonsense_is_not_fitted(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_projection *out;
    float x[] = {1, 2, 2, 3, 5, 1, 6, 2};
    int y[] = {0, 0, 1, 1};
    expect_error(glnn_lda_fit(NULL, NULL, 4, 2, x, y, 2, &out), GLNN_E_ARG, "ctx");
    expect_error(glnn_lda_fit(ctx, NULL, 4, 2, NULL, y, 2, &out), GLNN_E_ARG, "samples");
    expect_error(glnn_lda_fit(ctx, NULL, 4, 2, x, NULL, 2, &out), GLNN_E_ARG, "labels");
    expect_error(glnn_lda_fit(ctx, NULL, 4, 2, x, y, 2, NULL), GLNN_E_ARG, "out");
    expect_error(glnn_lda_fit(ctx, NULL, 0, 2, x, y, 2, &out), GLNN_E_ARG, "0 rows");
    expect_error(glnn_lda_fit(ctx, NULL, 4, 2, x, y, 0, &out), GLNN_E_ARG, "`classes` is 0");
    expect_error(glnn_lda_fit(ctx, NULL, 4, 2, x, y, 1, &out), GLNN_E_FORMAT,
                 "label of row 2 is 1");
    expect_error(glnn_lda_fit(ctx, &(glnn_lda_desc){.components = -1}, 4, 2, x, y, 2, &out),
                 GLNN_E_ARG, "-1");
    expect_error(glnn_lda_fit(ctx, &(glnn_lda_desc){.components = 2}, 4, 2, x, y, 2, &out),
                 GLNN_E_LIMIT, "at most 1");
    expect_error(glnn_lda_fit(ctx, &(glnn_lda_desc){.shrinkage = 1.5f}, 4, 2, x, y, 2, &out),
                 GLNN_E_ARG, "1.5");
    expect_error(glnn_lda_fit(ctx, &(glnn_lda_desc){.shrinkage = NAN}, 4, 2, x, y, 2, &out),
                 GLNN_E_ARG, "nan");
    /* Both features move by the same within the classes. */
    expect_error(glnn_lda_fit(ctx, &(glnn_lda_desc){.shrinkage = 1e-20f}, 4, 2, x, y, 2, &out),
                 GLNN_E_FORMAT, "feature 1 is constant or a combination");
    const int same[] = {1, 1, 1, 1}, mixed[] = {0, 1, 1, 0};
    expect_error(glnn_lda_fit(ctx, NULL, 4, 2, x, same, 2, &out), GLNN_E_FORMAT,
                 "of one class only, 1;");
    const float centred[] = {1, 1, 1, 2, 3, 2, 3, 1}, points[] = {1, 1, 2, 2, 2, 2, 1, 1};
    expect_error(glnn_lda_fit(ctx, NULL, 4, 2, points, mixed, 2, &out), GLNN_E_FORMAT,
                 "each class are all the same");
    const int crossed[] = {0, 1, 0, 1};
    expect_error(glnn_lda_fit(ctx, NULL, 4, 2, centred, crossed, 2, &out), GLNN_E_FORMAT,
                 "means of all classes are the same");
    assert_null(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(discriminants_solve_the_eigenproblem_of_both_scatters),
        TEST(whitened_discriminants_have_scatter_1_within_classes),
        TEST(discriminants_allow_constant_features_few_samples_and_empty_classes),
        TEST(means_on_a_line_give_one_discriminant),
        TEST(two_fits_give_the_same_bits),
        TEST(nonsense_is_not_fitted),
    };
    return cmocka_run_group_tests_name("lda", tests, test_group_setup, test_group_teardown);
}
