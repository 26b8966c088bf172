/* Squared distances between rows. */
#include "support/reference.h"

#include "ops/distances.h"

static double squared_distance(array x, int i, array m, int j)
{
    double sum = 0.0;
    for (int f = 0; f < x.columns; ++f)
        sum += (*at(x, i, f) - *at(m, j, f)) * (*at(x, i, f) - *at(m, j, f));
    return sum;
}

/* |x| |m| summed over the features; of a row with itself its squared norm. */
static double magnitude(array x, int i, array m, int j)
{
    double sum = 0.0;
    for (int f = 0; f < x.columns; ++f)
        sum += fabs(*at(x, i, f) * *at(m, j, f));
    return sum;
}

static expected reference_norms(array x)
{
    expected want = {array_new(1, x.rows), array_new(1, x.rows)};
    for (int r = 0; r < x.rows; ++r) {
        *at(want.value, 0, r) = magnitude(x, r, x, r);
        *at(want.bound, 0, r) = EPS * (x.columns + 2) * *at(want.value, 0, r);
    }
    return want;
}

static void norms_of_rows_agree_with_reference(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {5, 3}, {301, 31}, {9, 67}, {3, 300}};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i)
        for (glnn_layout from = GLNN_LAYOUT_TILED; from < GLNN_LAYOUT_COUNT; ++from)
            for (glnn_layout to = GLNN_LAYOUT_TILED; to < RENDERED_END; ++to) {
                array x = array_random(sizes[i][0], sizes[i][1], -1.0, 1.0);
                glnn_matrix *out = matrix_of(array_numbered(1, x.rows), to);
                expect_ok(glnn__row_norms(glnn_test_context(), matrix_of(x, from), out));
                expect_close(out, reference_norms(x), "norms of %d x %d, %s -> %s", x.rows,
                             x.columns, glnn_layout_name(from), glnn_layout_name(to));
                release_all();
            }
}

static expected reference_scores(array x, array m)
{
    expected want = {array_new(x.rows, m.rows), array_new(x.rows, m.rows)};
    for (int i = 0; i < x.rows; ++i)
        for (int j = 0; j < m.rows; ++j) {
            *at(want.value, i, j) = squared_distance(x, i, m, j) - magnitude(x, i, x, i);
            *at(want.bound, i, j) = EPS * ((2 * x.columns + 6) * magnitude(x, i, m, j) +
                                           (x.columns + 2) * magnitude(m, j, m, j));
        }
    return want;
}

static void scores_are_squared_distances_less_the_norm_of_the_sample(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    array x = array_random(9, 37, -1.0, 1.0), m = array_random(13, 37, -1.0, 1.0);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_matrix *prototypes = matrix_of(m, layout), *norms = matrix_zero(1, m.rows, layout);
        glnn_matrix *out = matrix_zero(x.rows, m.rows, layout);
        expect_ok(glnn__row_norms(ctx, prototypes, norms));
        expect_ok(glnn__row_scores(ctx, matrix_of(x, layout), prototypes, norms, out));
        expect_close(out, reference_scores(x, m), "scores, %s", glnn_layout_name(layout));
    }
}

/* The first and second row of m that each row of x is paired with; -1: none. */
static int partner_of(array m, int row, int entry)
{
    return (row + entry) % 4 == 3 ? -1 : (5 * row + 7 * entry) % m.rows;
}

static array name_partners(array x, array m)
{
    array winners = array_numbered(x.rows, 4);
    for (int row = 0; row < x.rows; ++row)
        for (int entry = 0; entry < 2; ++entry)
            *at(winners, row, 2 * entry) = partner_of(m, row, entry);
    return winners;
}

/* The shares of the slices, summed to the distances of two pairs a row. */
static void expect_pairs(array shares, array x, array m, int count)
{
    for (int row = 0; row < x.rows; ++row)
        for (int entry = 0; entry < 2; ++entry) {
            const int partner = partner_of(m, row, entry);
            const double want =
                row < count && partner >= 0 ? squared_distance(x, row, m, partner) : 0.0;
            double sum = 0.0;
            for (int s = 0; s < shares.columns; s += 4)
                sum += *at(shares, row, s + entry);
            assert_true(fabs(sum - want) <= EPS * (x.columns / 4 + 6) * want);
        }
}

static void distances_of_pairs_agree_with_reference_close_to_a_row_too(void **state)
{
    (void)state;
    static const int features[] = {1, 4, 37, 128, 300};
    enum { COUNT = 8 };
    for (size_t i = 0; i < COUNT_OF(features); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            array x = array_random(9, features[i], 100.0, 100.01);
            array m = array_random(6, features[i], 100.0, 100.01);
            glnn_matrix *out =
                matrix_zero(x.rows, glnn__pair_distance_columns(features[i]), GLNN_LAYOUT_PACKED);
            expect_ok(glnn__pair_distances(
                glnn_test_context(), matrix_of(x, layout), matrix_of(m, layout),
                matrix_of(name_partners(x, m), GLNN_LAYOUT_PACKED), COUNT, out));
            expect_pairs(values_of(out), x, m, COUNT);
            release_all();
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(norms_of_rows_agree_with_reference),
        TEST(scores_are_squared_distances_less_the_norm_of_the_sample),
        TEST(distances_of_pairs_agree_with_reference_close_to_a_row_too),
    };
    return cmocka_run_group_tests_name("distances", tests, test_group_setup, test_group_teardown);
}
