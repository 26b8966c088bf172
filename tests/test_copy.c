/* Rectangles at every place, indexes out of range, pages, special numbers, and wrong operands of
 * what moves elements. Other results are in test_operations. */
#include "support/reference.h"

static void copy_keeps_infinite_elements_and_nan(void **state)
{
    (void)state;
    array x = array_numbered(5, 9);
    x.data[0] = INFINITY;
    x.data[13] = -INFINITY;
    x.data[44] = NAN;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_matrix *out = matrix_zero(5, 9, layout);
        expect_ok(glnn_copy(glnn_test_context(), matrix_of(x, layout), out));
        expect_equal(out, x, "copy of infinite elements");
    }
}

/* Copies a rectangle of x into out; both hold `values` and `former` before, and out is x where
 * `out` is NULL. */
static void check_copy_rect(glnn_matrix *x, array values, const glnn_rect *from, glnn_matrix *out,
                            array former, int row, int column)
{
    glnn_context *ctx = glnn_test_context();
    array target = out ? former : values;
    glnn_matrix *to = out ? out : x;
    expect_ok(glnn_matrix_upload(ctx, to, NULL, floats_of(target), 0));
    expect_ok(glnn_copy_rect(ctx, x, from, to, row, column));
    expect_equal(to, reference_copy_rect(values, *from, target, row, column),
                 "copy of %d x %d at (%d, %d) of %s to (%d, %d) of %s", from->rows, from->columns,
                 from->row, from->column, glnn_layout_name(glnn_matrix_get_layout(x)), row, column,
                 out ? glnn_layout_name(glnn_matrix_get_layout(out)) : "itself");
}

static void rectangles_are_copied_from_and_to_every_offset(void **state)
{
    (void)state;
    enum { ROWS = 7, COLUMNS = 13, HEIGHT = 3, WIDTH = 5 };
    enum { DOWN = ROWS - HEIGHT + 1, ACROSS = COLUMNS - WIDTH + 1, PLACES = DOWN * ACROSS };
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (int i = 0; i < PLACES; ++i) {
            array x = array_random(ROWS, COLUMNS, -1.0, 1.0);
            array former = array_numbered(ROWS, COLUMNS);
            glnn_matrix *in = matrix_of(x, layout), *out = matrix_of(former, layout);
            /* 7 is prime to PLACES, so that every offset is a target once. */
            int j = i * 7 % PLACES;
            const glnn_rect rect = {i / ACROSS, i % ACROSS, HEIGHT, WIDTH};
            check_copy_rect(in, x, &rect, out, former, j / ACROSS, j % ACROSS);
            release_all();
        }
}

static void rectangles_of_every_size_are_copied(void **state)
{
    (void)state;
    enum { ROWS = 6, COLUMNS = 11 };
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (int rows = 1; rows <= ROWS; ++rows)
            for (int columns = 1; columns <= COLUMNS; ++columns) {
                array x = array_random(ROWS, COLUMNS, -1.0, 1.0);
                array former = array_numbered(ROWS + 1, COLUMNS + 2);
                glnn_matrix *in = matrix_of(x, layout), *out = matrix_of(former, layout);
                const glnn_rect rect = {ROWS - rows, COLUMNS - columns, rows, columns};
                check_copy_rect(in, x, &rect, out, former, 1, 2);
                release_all();
            }
}

static void rectangles_may_overlap_in_one_matrix(void **state)
{
    (void)state;
    enum { ROWS = 7, COLUMNS = 13, HEIGHT = 4, WIDTH = 9 };
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (int row = 0; row + HEIGHT <= ROWS; ++row)
            for (int column = 0; column + WIDTH <= COLUMNS; ++column) {
                array x = array_random(ROWS, COLUMNS, -1.0, 1.0);
                glnn_matrix *in = matrix_of(x, layout);
                const glnn_rect rect = {1, 2, HEIGHT, WIDTH};
                check_copy_rect(in, x, &rect, NULL, x, row, column);
                release_all();
            }
}

static void a_null_rectangle_copies_the_whole_matrix(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        array x = array_random(5, 6, -1.0, 1.0), former = array_numbered(8, 11);
        glnn_matrix *out = matrix_of(former, layout);
        expect_ok(glnn_copy_rect(glnn_test_context(), matrix_of(x, layout), NULL, out, 3, 5));
        expect_equal(out, reference_copy_rect(x, (glnn_rect){0, 0, 5, 6}, former, 3, 5),
                     "copy of a whole matrix into a rectangle");
    }
}

typedef struct gathering {
    int rows, columns, first, count, out_rows;
    glnn_layout x, index, out;
} gathering;

static void check_gather(const gathering *g, array index)
{
    array x = array_random(g->rows, g->columns, -1.0, 1.0);
    glnn_matrix *out = matrix_of(array_numbered(g->out_rows, g->columns), g->out);
    expect_ok(glnn_gather_rows(glnn_test_context(), matrix_of(x, g->x), matrix_of(index, g->index),
                               g->first, g->count, out));
    expect_equal(out, reference_gather_rows(x, index, g->first, g->count, g->out_rows),
                 "gather of %d rows from index %d on, %s by %s -> %s", g->count, g->first,
                 glnn_layout_name(g->x), glnn_layout_name(g->index), glnn_layout_name(g->out));
    release_all();
}

static array index_random(int count, int rows)
{
    array index = array_random(count, 1, 0.0, rows);
    for (size_t i = 0; i < length_of(index); ++i)
        index.data[i] = floor(index.data[i]);
    return index;
}

static void gather_leaves_zeros_behind_the_rows_it_counts(void **state)
{
    (void)state;
    static const int counts[][3] = {{0, 0, 5},  {0, 1, 1}, {0, 3, 9},  {2, 4, 5},
                                    {5, 7, 33}, {1, 8, 8}, {16, 1, 4}, {17, 0, 2}};
    for (size_t i = 0; i < COUNT_OF(counts); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            check_gather(&(gathering){31, 10, counts[i][0], counts[i][1], counts[i][2], layout,
                                      layout, layout},
                         index_random(17, 31));
}

static void gather_clamps_indexes_and_cuts_fractions_off(void **state)
{
    (void)state;
    static const double indexes[] = {-1.0, -0.5, -1e30, 0.75, 6.999, 7.0, 7.5, 1e9, 1e30, 3.0};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        int count = (int)COUNT_OF(indexes);
        array index = array_new(count, 1);
        for (int i = 0; i < count; ++i)
            *at(index, i, 0) = indexes[i];
        check_gather(&(gathering){7, 5, 0, count, count, layout, layout, layout}, index);
    }
}

static void copies_read_every_page_of_a_paged_matrix(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    int rows = 2 * info.max_texture_size + 3, edge = info.max_texture_size;
    array x = array_random(rows, 5, -1.0, 1.0), index = array_new(6, 1);
    const double places[] = {0.0, edge - 1, edge, 2 * edge, rows - 1, 1.0};
    memcpy(index.data, places, sizeof places);
    glnn_matrix *paged = matrix_of(x, GLNN_LAYOUT_PAGED);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_matrix *out = matrix_zero(6, 5, layout);
        expect_ok(
            glnn_gather_rows(glnn_test_context(), paged, matrix_of(index, layout), 0, 6, out));
        expect_equal(out, reference_gather_rows(x, index, 0, 6, 6), "gather across pages");
        const glnn_rect rect = {edge - 2, 1, 5, 3};
        expect_ok(glnn_copy_rect(glnn_test_context(), paged, &rect, out, 1, 2));
        expect_equal(out,
                     reference_copy_rect(x, rect, reference_gather_rows(x, index, 0, 6, 6), 1, 2),
                     "copy across pages");
    }
}

/* No float holds the odd numbers of rows there. In 16 bits the matrix takes 128 MiB. */
static void rows_that_no_float_holds_are_copied_from_a_paged_matrix(void **state)
{
    (void)state;
    enum { FIRST = (1 << 24) + 1, COUNT = 5 };
    glnn_context *ctx = glnn_test_context();
    const glnn_matrix_desc desc = {.rows = FIRST + COUNT,
                                   .columns = 1,
                                   .layout = GLNN_LAYOUT_PAGED,
                                   .storage = GLNN_STORAGE_FLOAT16,
                                   .name = "tall"};
    const glnn_rect rect = {FIRST, 0, COUNT, 1};
    const float values[COUNT] = {1, 2, 3, 4, 5};
    float copied[COUNT];
    glnn_matrix *tall, *out = matrix_zero(COUNT, 1, GLNN_LAYOUT_PACKED);
    expect_ok(glnn_matrix_create(ctx, &desc, &tall));
    expect_ok(glnn_matrix_upload(ctx, tall, &rect, values, 0));
    expect_ok(glnn_copy_rect(ctx, tall, &rect, out, 0, 0));
    glnn_matrix_destroy(tall);
    expect_ok(glnn_matrix_download(ctx, out, NULL, copied, 0));
    assert_memory_equal(copied, values, sizeof values);
}

static void copies_refuse_operands_that_do_not_fit(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(3, 5, 0), *out = matrix_zero(5, 3, 0);
    glnn_matrix *paged = matrix_zero(3, 5, GLNN_LAYOUT_PAGED);
    expect_error(glnn_copy(NULL, x, x), GLNN_E_ARG, "");
    expect_error(glnn_copy(ctx, NULL, x), GLNN_E_ARG, "");
    expect_error(glnn_copy(ctx, x, NULL), GLNN_E_ARG, "");
    expect_error(glnn_copy(ctx, x, paged), GLNN_E_ARG, "paged");
    expect_error(glnn_copy(ctx, x, out), GLNN_E_SHAPE, "5 x 3");
    expect_error(glnn_transpose(NULL, x, out), GLNN_E_ARG, "");
    expect_error(glnn_transpose(ctx, NULL, out), GLNN_E_ARG, "");
    expect_error(glnn_transpose(ctx, x, NULL), GLNN_E_ARG, "");
    expect_error(glnn_transpose(ctx, out, paged), GLNN_E_ARG, "paged");
    expect_error(glnn_transpose(ctx, x, x), GLNN_E_SHAPE, "3 x 5");
    expect_error(glnn_copy_rect(NULL, x, NULL, x, 0, 0), GLNN_E_ARG, "");
    expect_error(glnn_copy_rect(ctx, NULL, NULL, x, 0, 0), GLNN_E_ARG, "");
    expect_error(glnn_copy_rect(ctx, x, NULL, NULL, 0, 0), GLNN_E_ARG, "");
    expect_error(glnn_copy_rect(ctx, x, NULL, paged, 0, 0), GLNN_E_ARG, "paged");
    expect_error(glnn_copy_rect(ctx, x, NULL, out, 0, 0), GLNN_E_SHAPE, "5 x 3");
    expect_error(glnn_copy_rect(ctx, x, NULL, x, 1, 0), GLNN_E_SHAPE, "3 x 5");
    expect_error(glnn_copy_rect(ctx, x, NULL, x, -1, 0), GLNN_E_SHAPE, "3 x 5");
    expect_error(glnn_copy_rect(ctx, x, &(glnn_rect){0, 0, 0, 1}, x, 0, 0), GLNN_E_SHAPE, "3 x 5");
    expect_error(glnn_copy_rect(ctx, x, &(glnn_rect){2, 0, 2, 1}, x, 0, 0), GLNN_E_SHAPE, "3 x 5");
    expect_error(glnn_copy_rect(ctx, x, &(glnn_rect){0, 0, 1, 1}, x, 0, 5), GLNN_E_SHAPE, "3 x 5");
}

static void gather_refuses_operands_that_do_not_fit(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(9, 5, 0), *index = matrix_zero(4, 1, 0),
                *out = matrix_zero(3, 5, 0);
    glnn_matrix *paged = matrix_zero(3, 5, GLNN_LAYOUT_PAGED);
    const struct {
        const glnn_matrix *x, *index;
        int first, count;
        glnn_matrix *out;
        glnn_status status;
    } wrong[] = {
        {NULL, index, 0, 3, out, GLNN_E_ARG},
        {x, NULL, 0, 3, out, GLNN_E_ARG},
        {x, index, 0, 3, NULL, GLNN_E_ARG},
        {x, index, 0, 3, paged, GLNN_E_ARG},
        {x, index, -1, 3, out, GLNN_E_ARG},
        {x, index, 0, -1, out, GLNN_E_ARG},
        {x, index, 0, 4, out, GLNN_E_SHAPE},
        {x, index, 2, 3, out, GLNN_E_SHAPE},
        {x, index, 2147483647, 3, out, GLNN_E_SHAPE},
        {x, matrix_zero(1, 4, 0), 0, 1, out, GLNN_E_SHAPE},
        {x, index, 0, 3, matrix_zero(3, 6, 0), GLNN_E_SHAPE},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(glnn_gather_rows(ctx, wrong[i].x, wrong[i].index, wrong[i].first,
                                      wrong[i].count, wrong[i].out),
                     wrong[i].status, "");
    expect_error(glnn_gather_rows(NULL, x, index, 0, 3, out), GLNN_E_ARG, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(copy_keeps_infinite_elements_and_nan),
        TEST(rectangles_are_copied_from_and_to_every_offset),
        TEST(rectangles_of_every_size_are_copied),
        TEST(rectangles_may_overlap_in_one_matrix),
        TEST(a_null_rectangle_copies_the_whole_matrix),
        TEST(gather_leaves_zeros_behind_the_rows_it_counts),
        TEST(gather_clamps_indexes_and_cuts_fractions_off),
        TEST(copies_read_every_page_of_a_paged_matrix),
        TEST(rows_that_no_float_holds_are_copied_from_a_paged_matrix),
        TEST(copies_refuse_operands_that_do_not_fit),
        TEST(gather_refuses_operands_that_do_not_fit),
    };
    return cmocka_run_group_tests_name("copy", tests, test_group_setup, test_group_teardown);
}
