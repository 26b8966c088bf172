/* Sums over the samples of each prototype against sums in double precision. */
#include "support/reference.h"

#include "ops/scatter_add.h"

#include <glnn/list.h>

#include <stdio.h>

/* A batch of `count` samples in `rows` rows, whose entries are spread over the prototypes. */
typedef struct problem {
    int rows, count, prototypes, features;
} problem;

/* Random moves: indices, -1 among them, and coefficients, 0 among them. */
static array moves_of(const problem *p)
{
    array moves = array_random(p->rows, 4, -1.0, 1.0);
    array index = array_random(p->rows, 2, -1.0, p->prototypes);
    for (int i = 0; i < p->rows; ++i)
        for (int e = 0; e < 2; ++e) {
            *at(moves, i, 2 * e) = floor(*at(index, i, e));
            if ((i + e) % 7 == 3)
                *at(moves, i, 2 * e + 1) = 0.0;
        }
    return moves;
}

/* The least bound of a sum of so many terms of this size. */
static double bound_of(int terms, double size)
{
    return EPS * (terms + 4) * size;
}

/* The sum of the entries of a prototype for one of its elements. */
typedef struct element_sum {
    double value, size;              /* of a (x - m), and of the absolute terms */
    double push, positive, negative; /* the part of the value whose a is negative; sums of |a| */
    int terms;
} element_sum;

static element_sum sum_element(const problem *p, array moves, array x, int prototype, int column,
                               double start)
{
    element_sum sum = {0};
    for (int i = 0; i < p->count; ++i)
        for (int e = 0; e < 2; ++e) {
            if (*at(moves, i, 2 * e) != prototype)
                continue;
            const double a = *at(moves, i, 2 * e + 1), term = a * (*at(x, i, column) - start);
            sum.value += term;
            sum.push += a < 0.0 ? term : 0.0;
            sum.positive += fmax(a, 0.0);
            sum.negative += fmax(-a, 0.0);
            sum.size += fabs(a) * (fabs(*at(x, i, column)) + fabs(start));
            ++sum.terms;
        }
    return sum;
}

/* Prototypes m after their moves. */
static expected reference_move(const problem *p, array moves, array x, array m,
                               glnn__move_limits limits)
{
    expected moved = {array_new(p->prototypes, x.columns), array_new(p->prototypes, x.columns)};
    for (int q = 0; q < p->prototypes; ++q)
        for (int j = 0; j < x.columns; ++j) {
            const double start = *at(m, q, j);
            const element_sum sum = sum_element(p, moves, x, q, j, start);
            const double total = sum.positive + sum.negative;
            const double most = sum.positive + (double)limits.excess.f;
            const double scale =
                limits.total > 0 && total > (double)limits.total ? (double)limits.total / total : 1;
            const double excess =
                limits.excess.f > 0 && sum.negative > most ? 1 - most / sum.negative : 0;
            *at(moved.value, q, j) = start + scale * (sum.value - excess * sum.push);
            *at(moved.bound, q, j) = bound_of(4 * sum.terms, fabs(start) + scale * sum.size);
        }
    return moved;
}

/* The sum of a x for each prototype, over all entries or those whose a is negative. */
static expected reference_sum(const problem *p, array moves, array x, bool pushes)
{
    expected sum = {array_new(p->prototypes, x.columns), array_new(p->prototypes, x.columns)};
    for (int q = 0; q < p->prototypes; ++q)
        for (int j = 0; j < x.columns; ++j) {
            const element_sum element = sum_element(p, moves, x, q, j, 0.0);
            *at(sum.value, q, j) = pushes ? element.push : element.value;
            *at(sum.bound, q, j) = bound_of(2 * element.terms, element.size);
        }
    return sum;
}

/* The sum of a and, in a second column, of |a|. */
static expected reference_weights(const problem *p, array moves, int columns)
{
    expected sum = {array_new(p->prototypes, columns), array_new(p->prototypes, columns)};
    for (int i = 0; i < p->count; ++i)
        for (int e = 0; e < 2; ++e)
            for (int j = 0; j < columns && *at(moves, i, 2 * e) >= 0.0; ++j) {
                int q = (int)*at(moves, i, 2 * e);
                double a = *at(moves, i, 2 * e + 1);
                *at(sum.value, q, j) += j == 0 ? a : fabs(a);
                *at(sum.bound, q, j) += bound_of(p->count, fabs(a));
            }
    return sum;
}

static glnn__scatter_add scatter;

static int destroy_links(void **state)
{
    glnn__scatter_add_destroy(&scatter);
    return test_teardown(state);
}

/* Like TEST, for tests that leave entries behind where they fail. */
#define SCATTER_TEST(function) cmocka_unit_test_teardown(function, destroy_links)

static glnn_matrix *link_moves(const problem *p, array moves)
{
    glnn_matrix *matrix = matrix_of(moves, GLNN_LAYOUT_PACKED);
    glnn__scatter_add_destroy(&scatter);
    expect_ok(glnn__scatter_add_create(glnn_test_context(), p->rows, p->prototypes, &scatter));
    expect_ok(glnn__scatter_add_link(glnn_test_context(), matrix, p->count, &scatter));
    return matrix;
}

static const char *text_of(const problem *p, glnn_layout x, glnn_layout m)
{
    static char text[128];
    snprintf(text, sizeof text, "%d of %d %s samples, %d %s prototypes of %d", p->count, p->rows,
             glnn_layout_name(x), p->prototypes, glnn_layout_name(m), p->features);
    return text;
}

/* Moves and sums of random samples. */
static void check_sums(const problem *p, glnn_layout samples, glnn_layout prototypes)
{
    glnn_context *ctx = glnn_test_context();
    array moves = moves_of(p), x = array_random(p->rows, p->features, -1.0, 1.0);
    array m = array_random(p->prototypes, p->features, -1.0, 1.0);
    glnn_matrix *entries = link_moves(p, moves), *in = matrix_of(x, samples);
    static const glnn__move_limits limits[] = {
        {0.0f, {.f = 0.0f}}, {1.25f, {.f = 0.0f}}, {1.25f, {.f = 0.125f}}};
    for (size_t i = 0; i < COUNT_OF(limits); ++i) {
        glnn_matrix *moved = matrix_of(m, prototypes);
        expect_ok(glnn__scatter_add_move(ctx, &scatter, entries, in, limits[i], moved));
        expect_close(moved, reference_move(p, moves, x, m, limits[i]),
                     "moved by at most %g, an excess of %g, %s", (double)limits[i].total,
                     (double)limits[i].excess.f, text_of(p, samples, prototypes));
    }
    glnn_matrix *pushed = matrix_of(array_numbered(p->prototypes, p->features), prototypes);
    expect_ok(glnn__scatter_add_sum_pushes(ctx, &scatter, entries, in, 0.0f, pushed));
    expect_close(pushed, reference_sum(p, moves, x, true), "pushes, %s",
                 text_of(p, samples, prototypes));
    expected sum = reference_sum(p, moves, x, false);
    expected weight = reference_weights(p, moves, p->count % 2 + 1);
    glnn_matrix *sums = matrix_of(array_numbered(p->prototypes, p->features), prototypes);
    glnn_matrix *weights = matrix_of(array_numbered(p->prototypes, p->count % 2 + 1), prototypes);
    expect_ok(glnn__scatter_add_sum(ctx, &scatter, entries, in, 0.0f, sums, weights));
    expect_close(sums, sum, "summed, %s", text_of(p, samples, prototypes));
    expect_close(weights, weight, "weights, %s", text_of(p, samples, prototypes));

    expect_ok(glnn__scatter_add_sum(ctx, &scatter, entries, in, 1.0f, sums, NULL));
    expect_ok(glnn__scatter_add_sum(ctx, &scatter, entries, NULL, 1.0f, NULL, weights));
    expected *doubled[] = {&sum, &weight};
    for (size_t i = 0; i < COUNT_OF(doubled); ++i)
        for (size_t j = 0; j < length_of(doubled[i]->value); ++j) {
            doubled[i]->value.data[j] *= 2.0;
            doubled[i]->bound.data[j] *= 3.0;
        }
    expect_close(sums, sum, "summed twice, %s", text_of(p, samples, prototypes));
    expect_close(weights, weight, "weights twice, %s", text_of(p, samples, prototypes));
    release_all();
}

static void sums_agree_with_reference_on_every_pair_of_layouts(void **state)
{
    (void)state;
    static const problem linked = {70, 69, 13, 11}, unlinked = {7, 6, 13, 11};
    for (glnn_layout samples = GLNN_LAYOUT_TILED; samples < GLNN_LAYOUT_COUNT; ++samples)
        for (glnn_layout prototypes = GLNN_LAYOUT_TILED; prototypes < RENDERED_END; ++prototypes) {
            if (case_is_left_out((int)samples + (int)prototypes))
                continue;
            check_sums(&linked, samples, prototypes);
            check_sums(&unlinked, samples, prototypes);
        }
}

static void sums_agree_with_reference_on_every_shape(void **state)
{
    (void)state;
    static const problem shapes[] = {
        {1, 1, 1, 1},      {1, 1, 5, 3},     {2, 1, 3, 4},       {8, 8, 2, 5},
        {9, 9, 2, 5},      {9, 1, 7, 8},     {31, 31, 37, 9},    {63, 63, 1, 4},
        {64, 64, 4, 4},    {65, 65, 5, 4},   {128, 1, 3, 2},     {128, 65, 3, 2},
        {129, 129, 61, 7}, {300, 200, 9, 3}, {1000, 1000, 2, 3}, {700, 700, 900, 1},
        {9, 9, 401, 13},   {2, 2, 101, 9},   {80, 3, 130, 5},
    };
    for (size_t i = 0; i < COUNT_OF(shapes); ++i)
        check_sums(&shapes[i], GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
}

/* Coefficients are powers of two and samples have few digits, so that products are exact and a sum
 * in float32 has the bits that its order gives it. */
static void entries_are_summed_in_ascending_order(void **state)
{
    (void)state;
    static const problem shapes[] = {{8, 8, 2, 3}, {60, 60, 3, 5}, {400, 390, 5, 9}};
    for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
        const problem *p = &shapes[s];
        array moves = moves_of(p), x = array_random(p->rows, p->features, -64.0, 64.0);
        for (size_t i = 0; i < length_of(x); ++i)
            x.data[i] = floor(x.data[i]);
        for (int i = 0; i < p->rows; ++i)
            for (int e = 0; e < 2; ++e)
                *at(moves, i, 2 * e + 1) = ldexp(1.0, (i * 7 + e * 5) % 32 - 16);
        array want = array_new(p->prototypes, p->features);
        for (int i = 0; i < p->count; ++i)
            for (int e = 0; e < 2; ++e)
                for (int j = 0; j < p->features && *at(moves, i, 2 * e) >= 0.0; ++j) {
                    double *sum = at(want, (int)*at(moves, i, 2 * e), j);
                    *sum = (float)(*sum + *at(moves, i, 2 * e + 1) * *at(x, i, j));
                }
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            glnn_matrix *entries = link_moves(p, moves), *in = matrix_of(x, layout);
            glnn_matrix *sums = matrix_zero(p->prototypes, p->features, layout);
            expect_ok(glnn__scatter_add_sum(glnn_test_context(), &scatter, entries, in, 0.0f, sums,
                                            NULL));
            expect_equal(sums, want, "sums in order, %s", text_of(p, layout, layout));
        }
        release_all();
    }
}

static void prototypes_without_entries_stay_as_they_are(void **state)
{
    (void)state;
    static const problem shapes[] = {{5, 5, 11, 9}, {100, 100, 11, 9}};
    for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
        const problem *p = &shapes[s];
        array moves = moves_of(p), m = array_random(p->prototypes, p->features, -1.0, 1.0);
        for (int i = 0; i < p->rows; ++i)
            for (int e = 0; e < 2; ++e)
                *at(moves, i, 2 * e + i % 2) = i % 2 ? 0.0 : -1.0;
        glnn_matrix *entries = link_moves(p, moves), *moved = matrix_of(m, 0);
        glnn_matrix *x = matrix_of(array_random(p->rows, p->features, -1.0, 1.0), 0);
        expect_ok(glnn__scatter_add_move(glnn_test_context(), &scatter, entries, x,
                                         (glnn__move_limits){0}, moved));
        expect_equal(moved, m, "prototypes that nothing moves");
        release_all();
    }
}

static void two_runs_give_the_same_bits(void **state)
{
    (void)state;
    static const problem p = {300, 300, 17, 19};
    array moves = moves_of(&p), m = array_random(p.prototypes, p.features, -1.0, 1.0);
    array x = array_random(p.rows, p.features, -1.0, 1.0);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        array once = {0};
        for (int run = 0; run < 2; ++run) {
            glnn_matrix *moved = matrix_of(m, layout);
            glnn_matrix *entries = link_moves(&p, moves);
            expect_ok(glnn__scatter_add_move(glnn_test_context(), &scatter, entries,
                                             matrix_of(x, layout), (glnn__move_limits){0}, moved));
            if (run == 0)
                once = values_of(moved);
            else
                expect_same_bits(values_of(moved), once, "%s", glnn_layout_name(layout));
        }
    }
}

static void repeated_steps_make_nothing_and_wait_for_nothing(void **state)
{
    (void)state;
    static const problem shapes[] = {{4, 4, 30, 9}, {200, 200, 30, 9}};
    glnn_context *ctx = glnn_test_context();
    for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
        const problem *p = &shapes[s];
        glnn_matrix *entries = link_moves(p, moves_of(p));
        glnn_matrix *x = matrix_zero(p->rows, p->features, 0);
        glnn_matrix *m = matrix_zero(p->prototypes, p->features, 0);
        glnn_counters before = {0};
        for (int run = 0; run < 3; ++run) {
            if (run == 1)
                before = counters_of(ctx);
            expect_ok(glnn__scatter_add_link(ctx, entries, p->count, &scatter));
            expect_ok(glnn__scatter_add_move(ctx, &scatter, entries, x, (glnn__move_limits){0}, m));
        }
        glnn_counters after = counters_of(ctx);
        assert_int_equal(after.textures_created, before.textures_created);
        assert_int_equal(after.programs_compiled, before.programs_compiled);
        assert_int_equal(after.waits, before.waits);
        assert_int_equal(after.bytes_downloaded, before.bytes_downloaded);
        release_all();
    }
}

static void links_without_room_are_an_error(void **state)
{
    (void)state;
    context_use(context_new(1 << 20, 0.0));
    expect_error(glnn__scatter_add_create(glnn_test_context(), 8192, 60000, &scatter), GLNN_E_LIMIT,
                 "entries");
    assert_null(scatter.segments);
    assert_null(scatter.links);
}

/* ---- Rows that an index names */

/* Parts have 8192 rows. */
static void rows_of_many_parts_are_added_up(void **state)
{
    (void)state;
    enum { COUNT = 20000, BINS = 7 };
    array index = array_random(COUNT, 1, -1.0, BINS + 1.0), ones = array_new(COUNT, 1);
    array want = array_new(BINS, 1);
    for (int i = 0; i < COUNT; ++i) {
        *at(ones, i, 0) = 1;
        if (i % 1000 == 0)
            *at(index, i, 0) = NAN;
        const double number = *at(index, i, 0);
        if (number >= 0 && number < BINS)
            *at(want, (int)number, 0) += 1;
    }
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_matrix *out = matrix_of(array_numbered(BINS, 1), layout);
        expect_ok(glnn_scatter_add_rows(glnn_test_context(), 1, matrix_of(ones, layout),
                                        matrix_of(index, GLNN_LAYOUT_PAGED), 0, out));
        expect_equal(out, want, "counts, %s", glnn_layout_name(layout));
    }
}

static void a_recorded_scatter_add_has_the_same_bits(void **state)
{
    (void)state;
    enum { COUNT = 9000 };
    glnn_context *ctx = glnn_test_context();
    const glnn_matrix *x = matrix_of(array_random(COUNT, 5, -1, 1), GLNN_LAYOUT_TILED);
    const glnn_matrix *index = matrix_of(array_random(COUNT, 1, 0, 11), GLNN_LAYOUT_PACKED);
    glnn_matrix *called = matrix_zero(11, 5, GLNN_LAYOUT_TILED);
    glnn_matrix *recorded = matrix_zero(11, 5, GLNN_LAYOUT_TILED);
    glnn_list *list;
    expect_ok(glnn_list_begin(ctx, &list));
    expect_ok(glnn_scatter_add_rows(ctx, 0.3f, x, index, 0.5f, recorded));
    expect_ok(glnn_list_end(list));
    for (int i = 0; i < 3; ++i) {
        expect_ok(glnn_list_run(list));
        expect_ok(glnn_scatter_add_rows(ctx, 0.3f, x, index, 0.5f, called));
        expect_same_bits(values_of(recorded), values_of(called), "run %d", i);
    }
    glnn_list_destroy(list);
}

static void scattered_rows_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(4, 3, 0), *index = matrix_zero(4, 1, 0),
                *out = matrix_zero(2, 3, 0);
    expect_error(glnn_scatter_add_rows(ctx, 1, x, matrix_zero(3, 1, 0), 0, out), GLNN_E_SHAPE,
                 "glnn_scatter_add_rows: `index` (matrix) is 3 x 1; it must be 4 x 1");
    expect_error(glnn_scatter_add_rows(ctx, 1, x, matrix_zero(4, 2, 0), 0, out), GLNN_E_SHAPE,
                 "`index` (matrix) is 4 x 2; it must be 4 x 1");
    expect_error(glnn_scatter_add_rows(ctx, 1, x, index, 0, matrix_zero(2, 4, 0)), GLNN_E_SHAPE,
                 "`out` (matrix) is 2 x 4; it must be 2 x 3");
    expect_error(glnn_scatter_add_rows(ctx, 1, x, index, 0, x), GLNN_E_ARG,
                 "glnn_scatter_add_rows: `out` is also an operand");
    expect_error(glnn_scatter_add_rows(ctx, 1, index, index, 0, index), GLNN_E_ARG,
                 "glnn_scatter_add_rows: `out` is also an operand");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCATTER_TEST(sums_agree_with_reference_on_every_pair_of_layouts),
        SCATTER_TEST(sums_agree_with_reference_on_every_shape),
        SCATTER_TEST(entries_are_summed_in_ascending_order),
        SCATTER_TEST(prototypes_without_entries_stay_as_they_are),
        SCATTER_TEST(two_runs_give_the_same_bits),
        SCATTER_TEST(rows_of_many_parts_are_added_up),
        SCATTER_TEST(a_recorded_scatter_add_has_the_same_bits),
        SCATTER_TEST(scattered_rows_that_do_not_fit_are_refused),
        SCATTER_TEST(repeated_steps_make_nothing_and_wait_for_nothing),
        SCATTER_TEST(links_without_room_are_an_error),
    };
    return cmocka_run_group_tests_name("scatter_add", tests, test_group_setup, test_group_teardown);
}
