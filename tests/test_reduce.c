/* Reductions of special numbers, of many elements and pages, in contiguous order, and wrong
 * operands. Other results are in test_operations. */
#include "support/reference.h"

#include "ops/reduce.h"
#include "tex/texture.h"

static const char *const names[GLNN_REDUCTION_COUNT] = {
    "sum", "mean", "sum of squares", "max", "min", "argmax", "argmin", "log-sum-exp"};
static const char *const axes[GLNN_AXIS_COUNT] = {"all", "rows", "columns"};

typedef struct folding {
    glnn_reduction reduction;
    glnn_axis axis;
    glnn_layout from, to;
} folding;

/* Reduces x, and compares within the bound of as many passes as that took. `in_runs`: fragments
 * fold runs of their own, which some devices like better. */
static void check_order(const folding *f, bool in_runs, array x)
{
    glnn_context *ctx = glnn_test_context();
    int rows = f->axis == GLNN_AXIS_ROWS ? x.rows : 1;
    int columns = f->axis == GLNN_AXIS_COLUMNS ? x.columns : 1;
    glnn_matrix *in = matrix_of(x, f->from), *out = matrix_of(array_numbered(rows, columns), f->to);
    uint64_t before = counters_of(ctx).passes;
    if (in_runs)
        expect_ok(glnn__reduce(ctx, f->reduction, f->axis, false, in, out));
    else
        expect_ok(glnn_reduce(ctx, f->reduction, f->axis, in, out));
    int passes = (int)(counters_of(ctx).passes - before);
    expect_close(out, reference_reduce(f->reduction, f->axis, x, passes),
                 "%s of %s%s, %d x %d, %s -> %s, %d passes", names[f->reduction], axes[f->axis],
                 in_runs ? " in runs" : "", x.rows, x.columns, glnn_layout_name(f->from),
                 glnn_layout_name(f->to), passes);
}

static void check_reduce(const folding *f, array x)
{
    check_order(f, false, x);
}

/* Layouts take turns: each reduction has all three, as has each axis. */
static glnn_layout layout_of(glnn_reduction reduction, glnn_axis axis)
{
    return rendered_layout((int)reduction + (int)axis);
}

static void check_all(array x, bool in_runs)
{
    for (glnn_reduction reduction = 0; reduction < GLNN_REDUCTION_COUNT; ++reduction)
        for (glnn_axis axis = 0; axis < GLNN_AXIS_COUNT; ++axis)
            check_order(
                &(folding){reduction, axis, layout_of(reduction, axis), layout_of(reduction, axis)},
                in_runs, x);
    release_all();
}

/* All reductions of x along all axes. */
static void check_all_reductions(array x)
{
    check_all(x, false);
}

static void reductions_in_runs_agree_with_reference(void **state)
{
    (void)state;
    static const int shapes[][2] = {{1, 1},  {5, 9},    {33, 65},  {129, 3},
                                    {3, 65}, {3, 1025}, {1000, 1}, {257, 131}};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
        if (case_is_left_out((int)i))
            continue;
        array few = array_random(shapes[i][0], shapes[i][1], 0.0, 9.0);
        for (size_t j = 0; j < length_of(few); ++j)
            few.data[j] = floor(few.data[j]);
        check_all(few, true);
    }
    check_all(array_random(500, 301, -1.0, 1.0), true);
}

static void extremes_of_equal_elements_have_the_lowest_index(void **state)
{
    (void)state;
    static const int shapes[][2] = {{5, 9}, {33, 65}, {1, 100}, {100, 1}};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
        array equal = array_new(shapes[i][0], shapes[i][1]);
        check_all_reductions(equal);
        array few = array_random(shapes[i][0], shapes[i][1], 0.0, 3.0);
        for (size_t j = 0; j < length_of(few); ++j)
            few.data[j] = floor(few.data[j]);
        check_all_reductions(few);
    }
}

static void padding_does_not_count_as_an_extreme(void **state)
{
    (void)state;
    static const double ranges[][2] = {{-3.0, -1.0}, {1.0, 3.0}};
    for (size_t i = 0; i < COUNT_OF(ranges); ++i)
        for (int reduction = GLNN_REDUCTION_MAX; reduction <= GLNN_REDUCTION_ARGMIN; ++reduction)
            for (glnn_axis axis = 0; axis < GLNN_AXIS_COUNT; ++axis)
                for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
                    const folding f = {(glnn_reduction)reduction, axis, layout, layout};
                    check_reduce(&f, array_random(5, 9, ranges[i][0], ranges[i][1]));
                    check_reduce(&f, array_random(33, 35, ranges[i][0], ranges[i][1]));
                    release_all();
                }
}

static void infinite_elements_are_reduced_like_others(void **state)
{
    (void)state;
    static const double signs[] = {-1.0, 1.0};
    for (size_t i = 0; i < COUNT_OF(signs); ++i) {
        array some = array_random(9, 35, -1.0, 1.0);
        for (int j = 0; j < some.rows; ++j)
            *at(some, j, 4 * j) = signs[i] * INFINITY;
        check_all_reductions(some);
        array only = array_new(3, 34);
        for (size_t j = 0; j < length_of(only); ++j)
            only.data[j] = signs[i] * INFINITY;
        check_all_reductions(only);
    }
}

static void sums_keep_a_nan_and_extremes_pass_over_it(void **state)
{
    (void)state;
    static const int places[][2] = {{0, 0}, {4, 8}, {2, 34}, {8, 17}};
    array x = array_random(9, 35, -1.0, 1.0);
    for (size_t i = 0; i < COUNT_OF(places); ++i)
        *at(x, places[i][0], places[i][1]) = NAN;
    check_all_reductions(x);
}

static void log_sum_exp_of_large_numbers_does_not_overflow(void **state)
{
    (void)state;
    static const double ranges[][2] = {{-1000.0, 1000.0}, {9990.0, 10000.0}, {-1e30, 1e30}};
    for (size_t i = 0; i < COUNT_OF(ranges); ++i)
        for (glnn_axis axis = 0; axis < GLNN_AXIS_COUNT; ++axis)
            for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
                check_reduce(&(folding){GLNN_REDUCTION_LOGSUMEXP, axis, layout, layout},
                             array_random(9, 131, ranges[i][0], ranges[i][1]));
}

static void reductions_of_many_elements_stay_within_the_bound(void **state)
{
    (void)state;
    array x = array_random(500, 301, 0.0, 1.0);
    check_all_reductions(x);
}

/* Where lines are many, one step folds more elements. */
static void reductions_of_many_lines_agree_with_reference(void **state)
{
    (void)state;
    static const glnn_reduction reductions[] = {GLNN_REDUCTION_SUM, GLNN_REDUCTION_MIN,
                                                GLNN_REDUCTION_ARGMAX};
    for (size_t i = 0; i < COUNT_OF(reductions); ++i) {
        const glnn_layout layout = rendered_layout(i);
        check_reduce(&(folding){reductions[i], GLNN_AXIS_ROWS, layout, layout},
                     array_random(8193, 131, -1.0, 1.0));
        check_reduce(&(folding){reductions[i], GLNN_AXIS_COLUMNS, layout, layout},
                     array_random(67, 16381, -1.0, 1.0));
        release_all();
    }
}

/* A texture of this side has no room for the columns, four in each texel. With four render targets
 * no matrix has more. */
static void partial_results_can_be_as_wide_as_a_tiled_matrix(void **state)
{
    enum { SIDE = 64, COLUMNS = 5 * SIDE };
    (void)state;
    glnn_context *ctx = glnn_test_context();
    int *side = &ctx->info.max_texture_size;
    const int former = *side;
    if (glnn__layout_in(ctx, GLNN_LAYOUT_TILED)->block_columns == 4)
        skip();
    *side = SIDE;
    for (glnn_axis axis = 0; axis < GLNN_AXIS_COUNT; ++axis)
        check_reduce(&(folding){GLNN_REDUCTION_SUM, axis, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED},
                     array_random(150, COLUMNS, -1.0, 1.0));
    release_all();
    *side = former;
}

static void reductions_read_every_page_of_a_paged_matrix(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    array x = array_random(info.max_texture_size + 5, 2, -1.0, 1.0);
    *at(x, info.max_texture_size + 1, 1) = 2.0;
    static const glnn_reduction reductions[] = {GLNN_REDUCTION_SUM, GLNN_REDUCTION_MAX,
                                                GLNN_REDUCTION_ARGMAX};
    for (size_t i = 0; i < COUNT_OF(reductions); ++i) {
        check_reduce(&(folding){reductions[i], GLNN_AXIS_ALL, GLNN_LAYOUT_PAGED, 0}, x);
        check_reduce(&(folding){reductions[i], GLNN_AXIS_COLUMNS, GLNN_LAYOUT_PAGED, 0}, x);
    }
}

static void reductions_refuse_operands_that_do_not_fit(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(3, 5, 0), *one = matrix_zero(1, 1, 0), *row = matrix_zero(1, 5, 0);
    glnn_matrix *column = matrix_zero(3, 1, 0), *paged = matrix_zero(1, 1, GLNN_LAYOUT_PAGED);
    const struct {
        glnn_reduction reduction;
        glnn_axis axis;
        const glnn_matrix *x;
        glnn_matrix *out;
        glnn_status status;
    } wrong[] = {
        {GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, NULL, one, GLNN_E_ARG},
        {GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, x, NULL, GLNN_E_ARG},
        {GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, x, paged, GLNN_E_ARG},
        {GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, one, one, GLNN_E_ARG},
        {GLNN_REDUCTION_COUNT, GLNN_AXIS_ALL, x, one, GLNN_E_ARG},
        {GLNN_REDUCTION_SUM, GLNN_AXIS_COUNT, x, one, GLNN_E_ARG},
        {GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, x, row, GLNN_E_SHAPE},
        {GLNN_REDUCTION_SUM, GLNN_AXIS_ROWS, x, row, GLNN_E_SHAPE},
        {GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, x, column, GLNN_E_SHAPE},
        {GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, x, one, GLNN_E_SHAPE},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(glnn_reduce(ctx, wrong[i].reduction, wrong[i].axis, wrong[i].x, wrong[i].out),
                     wrong[i].status, "");
    expect_error(glnn_reduce(NULL, GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, x, one), GLNN_E_ARG, "");
}

static void an_index_over_all_needs_at_most_2_to_24_elements(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(4097, 4096, GLNN_LAYOUT_UNPACKED), *one = matrix_zero(1, 1, 0);
    expect_error(glnn_reduce(ctx, GLNN_REDUCTION_ARGMAX, GLNN_AXIS_ALL, x, one), GLNN_E_LIMIT,
                 "4097 x 4096");
    expect_error(glnn_reduce(ctx, GLNN_REDUCTION_ARGMIN, GLNN_AXIS_ALL, x, one), GLNN_E_LIMIT,
                 "4097 x 4096");
}

/* The last index is 2^24 - 1, the greatest odd number of float32. */
static void an_index_over_2_to_24_elements_is_exact(void **state)
{
    (void)state;
    enum { SIDE = 4096 };
    static const float values[] = {3, -3};
    static const glnn_reduction reductions[] = {GLNN_REDUCTION_ARGMAX, GLNN_REDUCTION_ARGMIN};
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(SIDE, SIDE, GLNN_LAYOUT_TILED), *one = matrix_zero(1, 1, 0);
    for (int i = 0; i < 2; ++i) {
        const glnn_rect last = {SIDE - 1, SIDE - 1 - i, 1, 1};
        expect_ok(glnn_matrix_upload(ctx, x, &last, &values[i], 0));
        expect_ok(glnn_reduce(ctx, reductions[i], GLNN_AXIS_ALL, x, one));
        assert_true(*at(values_of(one), 0, 0) == SIDE * SIDE - 1 - i);
    }
}

static void a_reduction_without_room_for_its_passes_says_so(void **state)
{
    (void)state;
    context_use(context_new(1 << 20, 0.0));
    glnn_matrix *x = matrix_zero(511, 512, GLNN_LAYOUT_UNPACKED);
    glnn_matrix *out = matrix_zero(1, 1, GLNN_LAYOUT_UNPACKED);
    for (glnn_reduction reduction = 0; reduction < GLNN_REDUCTION_COUNT; ++reduction)
        expect_error(glnn_reduce(glnn_test_context(), reduction, GLNN_AXIS_ALL, x, out),
                     GLNN_E_LIMIT, "1048576");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reductions_in_runs_agree_with_reference),
        TEST(extremes_of_equal_elements_have_the_lowest_index),
        TEST(padding_does_not_count_as_an_extreme),
        TEST(infinite_elements_are_reduced_like_others),
        TEST(sums_keep_a_nan_and_extremes_pass_over_it),
        TEST(log_sum_exp_of_large_numbers_does_not_overflow),
        TEST(reductions_of_many_elements_stay_within_the_bound),
        TEST(reductions_of_many_lines_agree_with_reference),
        TEST(partial_results_can_be_as_wide_as_a_tiled_matrix),
        TEST(reductions_read_every_page_of_a_paged_matrix),
        TEST(reductions_refuse_operands_that_do_not_fit),
        TEST(an_index_over_2_to_24_elements_is_exact),
        TEST(a_reduction_without_room_for_its_passes_says_so),
        TEST(an_index_over_all_needs_at_most_2_to_24_elements),
    };
    return cmocka_run_group_tests_name("reduce", tests, test_group_setup, test_group_teardown);
}
