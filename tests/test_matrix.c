/* Matrices: creation, transfer to and from main memory, limits, the texture pool. Downloads that do
 * not wait are in test_download. */
#include "support/support.h"
#include "tex/matrix.h"

#include <limits.h>

static const int shapes[][2] = {{1, 1},  {1, 8},  {8, 1},  {3, 4},   {4, 5},   {5, 7},   {7, 3},
                                {4, 8},  {8, 9},  {9, 8},  {31, 33}, {33, 31}, {13, 17}, {1, 33},
                                {33, 1}, {5, 64}, {64, 9}, {3, 257}, {257, 3}};

static void a_layout_is_found_by_its_name_alone(void **state)
{
    (void)state;
    glnn_layout layout = GLNN_LAYOUT_PAGED;
    expect_error(glnn_layout_from_name("Tiled", &layout), GLNN_E_ARG,
                 "\"Tiled\" is not one of auto, tiled, packed");
    expect_error(glnn_layout_from_name(NULL, &layout), GLNN_E_ARG, "null");
    assert_int_equal(layout, GLNN_LAYOUT_PAGED);
    expect_ok(glnn_layout_from_name("auto", &layout));
    assert_int_equal(layout, GLNN_LAYOUT_AUTO);
    assert_string_equal(glnn_layout_name(GLNN_LAYOUT_AUTO), "auto");
}

static void layouts_and_matrices_have_names_and_shapes(void **state)
{
    (void)state;
    static const char *const names[GLNN_LAYOUT_COUNT] = {"auto", "tiled", "packed", "unpacked",
                                                         "paged"};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout) {
        glnn_layout found = GLNN_LAYOUT_COUNT;
        assert_string_equal(glnn_layout_name(layout), names[layout]);
        expect_ok(glnn_layout_from_name(names[layout], &found));
        assert_int_equal(found, layout);
        const glnn_matrix_desc desc = {
            .rows = 3, .columns = 7, .layout = layout, .name = "weights"};
        glnn_matrix *matrix = NULL;
        expect_ok(glnn_matrix_create(glnn_test_context(), &desc, &matrix));
        assert_int_equal(glnn_matrix_get_rows(matrix), 3);
        assert_int_equal(glnn_matrix_get_columns(matrix), 7);
        assert_int_equal(glnn_matrix_get_layout(matrix), layout);
        assert_string_equal(glnn_matrix_get_name(matrix), "weights");
        glnn_matrix_destroy(matrix);
    }
    assert_string_equal(glnn_matrix_get_name(matrix_zero(1, 1, GLNN_LAYOUT_TILED)), "matrix");
    assert_int_equal(glnn_matrix_get_rows(NULL), 0);
    assert_int_equal(glnn_matrix_get_columns(NULL), 0);
    assert_int_equal(glnn_matrix_get_layout(NULL), GLNN_LAYOUT_AUTO);
    assert_int_equal(glnn_matrix_get_storage(NULL), GLNN_STORAGE_FLOAT32);
    assert_string_equal(glnn_matrix_get_name(NULL), "");
    glnn_matrix_destroy(NULL);
}

static void elements_survive_the_way_to_the_device_and_back(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout)
        for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
            array values = array_random(shapes[i][0], shapes[i][1], -9.0, 9.0);
            expect_equal(matrix_of(values, layout), values, "upload and download");
            expect_equal(matrix_stored(values, layout, GLNN_STORAGE_FLOAT16), values,
                         "upload and download");
            release_all();
        }
}

static void elements_lie_where_the_layout_puts_them(void **state)
{
    (void)state;
    for (int number = 0; number < 3 * RENDERED_COUNT; ++number) {
        const glnn_layout layout = rendered_layout(number);
        array values = array_numbered(9, 18);
        glnn_matrix *matrix = matrix_of(values, layout);
        if (number >= RENDERED_COUNT)
            matrix_wrapped(matrix, number / RENDERED_COUNT);
        size_t count = 0, found = 0;
        float *texels = texels_of(matrix, &count);
        for (size_t i = 0; i < count; ++i) {
            int row = 0, column = 0;
            if (!texel_place(matrix, i, &row, &column))
                continue;
            ++found;
            if ((double)texels[i] != *at(values, row, column))
                fail_at(__FILE__, __LINE__, "%s: float %zu is %g, element (%d, %d) is %g",
                        glnn_layout_name(layout), i, (double)texels[i], row, column,
                        *at(values, row, column));
        }
        assert_int_equal(found, length_of(values));
    }
}

static void a_matrix_without_data_is_zero_even_in_a_used_texture(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout) {
        matrix_of(array_numbered(9, 10), layout);
        release_all();
        expect_equal(matrix_zero(9, 10, layout), array_new(9, 10), "a matrix without data");
        release_all();
    }
}

static void a_leading_dimension_skips_elements_of_main_memory(void **state)
{
    (void)state;
    enum { ROWS = 5, COLUMNS = 9, LD = 13 };
    array wide = array_random(ROWS, LD, -1.0, 1.0);
    array values = array_new(ROWS, COLUMNS);
    for (int i = 0; i < ROWS; ++i)
        memcpy(at(values, i, 0), at(wide, i, 0), COLUMNS * sizeof(double));
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout) {
        float *data = floats_of(wide);
        const glnn_matrix_desc desc = {
            .rows = ROWS, .columns = COLUMNS, .layout = layout, .data = data, .ld = LD};
        glnn_matrix *created = NULL;
        expect_ok(glnn_matrix_create(glnn_test_context(), &desc, &created));
        expect_equal(created, values, "create with a leading dimension");
        glnn_matrix *matrix = matrix_zero(ROWS, COLUMNS, layout);
        expect_ok(glnn_matrix_upload(glnn_test_context(), matrix, NULL, data, LD));
        expect_equal(matrix, values, "upload with a leading dimension");
        for (size_t i = 0; i < ROWS * LD; ++i)
            data[i] = -7.0f;
        expect_ok(glnn_matrix_download(glnn_test_context(), created, NULL, data, LD));
        for (int i = 0; i < ROWS; ++i)
            for (int j = 0; j < LD; ++j)
                assert_true((double)data[i * LD + j] == (j < COLUMNS ? *at(values, i, j) : -7.0));
        glnn_matrix_destroy(created);
    }
}

/* Elements with numbers between the rows, which no transfer may read or write. */
static float *spaced_floats(array values, int ld)
{
    float *data = floats_new((size_t)values.rows * (size_t)ld);
    for (int i = 0; i < values.rows * ld; ++i)
        data[i] = i % ld < values.columns ? (float)*at(values, i / ld, i % ld) : -7.0f;
    return data;
}

/* Uploads new elements to `rect`, and compares both the whole matrix and the rectangle alone. */
static void check_rectangle(glnn_matrix *matrix, array values, glnn_rect rect)
{
    const int ld = rect.columns + 3;
    array part = array_stored(array_random(rect.rows, rect.columns, -1.0, 1.0),
                              glnn_matrix_get_storage(matrix));
    for (int i = 0; i < rect.rows; ++i)
        memcpy(at(values, rect.row + i, rect.column), at(part, i, 0),
               (size_t)rect.columns * sizeof(double));
    float *data = spaced_floats(part, ld);
    expect_ok(glnn_matrix_upload(glnn_test_context(), matrix, &rect, data, ld));
    expect_equal(matrix, values, "upload of %d x %d at (%d, %d)", rect.rows, rect.columns, rect.row,
                 rect.column);
    float *back = spaced_floats(array_new(rect.rows, rect.columns), ld);
    expect_ok(glnn_matrix_download(glnn_test_context(), matrix, &rect, back, ld));
    assert_memory_equal(back, data, (size_t)rect.rows * (size_t)ld * sizeof(float));
}

static void rectangles_are_written_and_read_at_every_offset(void **state)
{
    (void)state;
    enum { ROWS = 9, COLUMNS = 18 };
    static const int sizes[][2] = {{1, 1}, {2, 3}, {4, 8}, {5, 9}, {9, 4}, {1, 18}};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout)
        for (size_t size = 0; size < COUNT_OF(sizes); ++size) {
            array values = array_random(ROWS, COLUMNS, -1.0, 1.0);
            /* Each size in one of the storages for one layout, in the other for the next. */
            const glnn_storage storage = (glnn_storage)((size + layout) % STORED_COUNT);
            values = array_stored(values, storage);
            glnn_matrix *matrix = matrix_stored(values, layout, storage);
            for (int row = 0; row + sizes[size][0] <= ROWS; ++row)
                for (int column = 0; column + sizes[size][1] <= COLUMNS; ++column)
                    check_rectangle(matrix, values,
                                    (glnn_rect){row, column, sizes[size][0], sizes[size][1]});
            release_all();
        }
}

static void check_stripes(int rows, int columns, glnn_layout layout)
{
    for (glnn_storage storage = 0; storage < STORED_COUNT; ++storage) {
        array values = array_stored(array_random(rows, columns, -1.0, 1.0), storage);
        glnn_matrix *matrix = matrix_stored(values, layout, storage);
        expect_equal(matrix, values, "upload in stripes");
        check_rectangle(matrix, values, (glnn_rect){1, 3, rows - 2, columns - 6});
        release_all();
    }
}

/* An upload packs a limited part of the matrix at a time. A larger matrix arrives in stripes, which
 * are never lower than a block, however wide it is. */
static void large_matrices_arrive_in_stripes(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout)
        check_stripes(769, 701, layout);
    check_stripes(5, 70001, GLNN_LAYOUT_TILED);
}

static void a_paged_matrix_has_more_rows_than_a_texture(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    int rows = 2 * info.max_texture_size + 3;
    array values = array_random(rows, 5, -1.0, 1.0);
    for (glnn_storage storage = 0; storage < STORED_COUNT; ++storage) {
        values = array_stored(values, storage);
        glnn_matrix *matrix = matrix_stored(values, GLNN_LAYOUT_PAGED, storage);
        expect_equal(matrix, values, "upload across pages");
        for (int page = 1; page <= 2; ++page)
            check_rectangle(matrix, values, (glnn_rect){page * info.max_texture_size - 2, 1, 4, 3});
    }
}

static void a_matrix_may_have_more_rows_than_a_texture(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    for (int number = 0; number < RENDERED_COUNT * STORED_COUNT; ++number) {
        const glnn_layout layout = rendered_layout(number);
        const glnn_storage storage = (glnn_storage)(number / RENDERED_COUNT);
        const int texels = (layout == GLNN_LAYOUT_TILED ? 4 : 1) * info.max_texture_size;
        array values = array_stored(array_random(texels + 5, 5, -1.0, 1.0), storage);
        glnn_matrix *matrix = matrix_stored(values, layout, storage);
        expect_equal(matrix, values, "upload of wrapped rows");
        check_rectangle(matrix, values, (glnn_rect){texels - 2, 1, 4, 3});
        check_rectangle(matrix, values, (glnn_rect){13, 2, 70, 2});
        release_all();
    }
}

static void a_matrix_larger_than_the_device_is_refused_with_the_numbers(void **state)
{
    (void)state;
    glnn_context *ctx = context_new(1 << 20, 0.0);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout) {
        const glnn_matrix_desc desc = {.rows = 100000, .columns = 100000, .layout = layout};
        glnn_matrix *matrix = NULL;
        assert_int_equal(glnn_matrix_create(ctx, &desc, &matrix), GLNN_E_LIMIT);
        assert_null(matrix);
        /* A device with larger textures stops at the budget instead. */
        const char *said = glnn_last_error();
        if (!strstr(said, "100000 x 100000") && !strstr(said, "1048576"))
            fail_at(__FILE__, __LINE__, "%s: no numbers in \"%s\"", glnn_layout_name(layout), said);
    }
    const glnn_matrix_desc longest = {.rows = INT_MAX, .columns = INT_MAX};
    glnn_matrix *matrix = NULL;
    expect_error(glnn_matrix_create(ctx, &longest, &matrix), GLNN_E_LIMIT, "2147483647");
}

static void a_budget_that_is_exceeded_is_named(void **state)
{
    (void)state;
    glnn_context *ctx = context_new(1 << 20, 0.0);
    context_use(ctx);
    matrix_zero(256, 512, GLNN_LAYOUT_UNPACKED);
    const glnn_matrix_desc desc = {.rows = 512, .columns = 512, .name = "too large"};
    glnn_matrix *matrix = NULL;
    expect_error(glnn_matrix_create(ctx, &desc, &matrix), GLNN_E_LIMIT, "1048576");
    expect_error(glnn_matrix_create(ctx, &desc, &matrix), GLNN_E_LIMIT, "524288");
    expect_error(glnn_matrix_create(ctx, &desc, &matrix), GLNN_E_LIMIT, "too large");
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(ctx, &info));
    assert_int_equal(info.texture_budget, 1 << 20);
    assert_int_equal(info.texture_bytes, 256 * 512 * 4);
}

static void free_textures_make_room_within_the_budget(void **state)
{
    (void)state;
    glnn_context *ctx = context_new(1 << 20, 0.0);
    for (int columns = 512; columns <= 1024; columns += 64) {
        const glnn_matrix_desc desc = {.rows = 256, .columns = columns};
        glnn_matrix *matrix = NULL;
        expect_ok(glnn_matrix_create(ctx, &desc, &matrix));
        glnn_matrix_destroy(matrix);
        glnn_context_info info = {.size = sizeof info};
        expect_ok(glnn_context_get_info(ctx, &info));
        assert_true(info.texture_bytes <= info.texture_budget);
    }
}

/* Powers of two, and another number. */
static void a_software_rasteriser_has_no_sides_that_are_powers_of_two(void **state)
{
    (void)state;
    static const int sides[] = {1, 2, 3, 16, 256};
    const glnn_context *ctx = glnn_test_context();
    for (size_t i = 0; i < COUNT_OF(sides); ++i) {
        const glnn_matrix *m = matrix_zero(sides[i], 5, GLNN_LAYOUT_UNPACKED);
        const int height = m->texture->height;
        assert_int_equal(m->texture->extent.height, sides[i]);
        if (ctx->info.software)
            assert_true(height > sides[i] - (sides[i] == 3) && (height & (height - 1)) != 0);
        else
            assert_int_equal(height, sides[i]);
    }
}

static void a_shape_made_again_takes_its_texture_from_the_pool(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout) {
        matrix_of(array_numbered(21, 22), layout);
        release_all();
        uint64_t created = counters_of(glnn_test_context()).textures_created;
        matrix_of(array_numbered(21, 22), layout);
        release_all();
        matrix_zero(21, 22, layout);
        release_all();
        assert_int_equal(counters_of(glnn_test_context()).textures_created, created);
    }
}

static void a_context_reports_leaked_matrices_which_can_still_be_destroyed(void **state)
{
    (void)state;
    const glnn_context_desc context = {.cache_dir = ""};
    glnn_context *ctx = NULL;
    expect_ok(glnn_context_create(&context, &ctx));
    static const char *const names[] = {"first leak", "second leak"};
    glnn_matrix *matrices[COUNT_OF(names)];
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        const glnn_matrix_desc desc = {.rows = 3, .columns = 4, .name = names[i]};
        expect_ok(glnn_matrix_create(ctx, &desc, &matrices[i]));
    }
    log_clear();
    glnn_context_destroy(ctx);
    assert_int_equal(log_count(GLNN_LOG_WARNING), COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        assert_non_null(strstr(log_text(GLNN_LOG_WARNING), names[i]));
        glnn_matrix_destroy(matrices[i]);
    }
    expect_ok(glnn_context_finish(glnn_test_context()));
}

static void creation_refuses_wrong_arguments(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    float data[4] = {0};
    static const struct {
        int rows, columns, layout, storage, ld;
        const char *part;
    } wrong[] = {
        {0, 4, 0, 0, 0, "0 x 4"},
        {4, 0, 0, 0, 0, "4 x 0"},
        {-1, 4, 0, 0, 0, "-1 x 4"},
        {2, 2, 77, 0, 0, "the layout of matrix is 77"},
        {2, 2, -1, 0, 0, "layout of matrix is -1"},
        {2, 2, 0, GLNN_STORAGE_UNORM8, 0, "storage of matrix is unorm8"},
        {2, 2, 0, GLNN_STORAGE_COUNT, 0, "storage of matrix is 3"},
        {2, 2, 0, -1, 0, "storage of matrix is -1"},
        {2, 2, 0, 0, 1, "ld is 1"},
        {2, 2, 0, 0, -2, "-2"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        const glnn_matrix_desc desc = {.rows = wrong[i].rows,
                                       .columns = wrong[i].columns,
                                       .layout = (glnn_layout)wrong[i].layout,
                                       .storage = (glnn_storage)wrong[i].storage,
                                       .data = data,
                                       .ld = wrong[i].ld};
        glnn_matrix *matrix = NULL;
        expect_error(glnn_matrix_create(ctx, &desc, &matrix), GLNN_E_ARG, wrong[i].part);
        assert_null(matrix);
    }
    const glnn_matrix_desc desc = {.rows = 2, .columns = 2};
    glnn_matrix *matrix = NULL;
    expect_error(glnn_matrix_create(NULL, &desc, &matrix), GLNN_E_ARG, "null");
    expect_error(glnn_matrix_create(ctx, NULL, &matrix), GLNN_E_ARG, "null");
    expect_error(glnn_matrix_create(ctx, &desc, NULL), GLNN_E_ARG, "null");
}

static void transfers_refuse_wrong_arguments(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    array values = array_numbered(5, 9);
    glnn_matrix *matrix = matrix_of(values, GLNN_LAYOUT_TILED);
    float data[45] = {0};
    static const glnn_rect outside[] = {
        {0, 0, 0, 1},       {0, 0, 1, 0},       {0, 0, -1, 1},     {-1, 0, 1, 1}, {0, -1, 1, 1},
        {5, 0, 1, 1},       {0, 9, 1, 1},       {4, 0, 2, 1},      {0, 8, 1, 2},  {1, 1, 5, 9},
        {INT_MAX, 0, 1, 1}, {1, 1, INT_MAX, 1}, {1, 1, 1, INT_MAX}};
    for (size_t i = 0; i < COUNT_OF(outside); ++i) {
        expect_error(glnn_matrix_upload(ctx, matrix, &outside[i], data, 0), GLNN_E_SHAPE, "5 x 9");
        expect_error(glnn_matrix_download(ctx, matrix, &outside[i], data, 0), GLNN_E_SHAPE,
                     "5 x 9");
    }
    expect_error(glnn_matrix_upload(NULL, matrix, NULL, data, 0), GLNN_E_ARG, "null");
    expect_error(glnn_matrix_upload(ctx, NULL, NULL, data, 0), GLNN_E_ARG, "null");
    expect_error(glnn_matrix_upload(ctx, matrix, NULL, NULL, 0), GLNN_E_ARG, "null");
    expect_error(glnn_matrix_upload(ctx, matrix, NULL, data, 8), GLNN_E_ARG, "8");
    expect_error(glnn_matrix_download(NULL, matrix, NULL, data, 0), GLNN_E_ARG, "null");
    expect_error(glnn_matrix_download(ctx, NULL, NULL, data, 0), GLNN_E_ARG, "null");
    expect_error(glnn_matrix_download(ctx, matrix, NULL, NULL, 0), GLNN_E_ARG, "null");
    expect_error(glnn_matrix_download(ctx, matrix, NULL, data, -1), GLNN_E_ARG, "-1");
    glnn_context *other = context_new(0, 0.0);
    expect_error(glnn_matrix_download(other, matrix, NULL, data, 0), GLNN_E_ARG, "context");
    expect_error(glnn_matrix_upload(other, matrix, NULL, data, 0), GLNN_E_ARG, "context");
    expect_equal(matrix, values, "a matrix after refused transfers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_layout_is_found_by_its_name_alone),
        TEST(layouts_and_matrices_have_names_and_shapes),
        TEST(elements_survive_the_way_to_the_device_and_back),
        TEST(elements_lie_where_the_layout_puts_them),
        TEST(a_matrix_without_data_is_zero_even_in_a_used_texture),
        TEST(a_leading_dimension_skips_elements_of_main_memory),
        TEST(rectangles_are_written_and_read_at_every_offset),
        TEST(large_matrices_arrive_in_stripes),
        TEST(a_paged_matrix_has_more_rows_than_a_texture),
        TEST(a_matrix_may_have_more_rows_than_a_texture),
        TEST(a_matrix_larger_than_the_device_is_refused_with_the_numbers),
        TEST(a_budget_that_is_exceeded_is_named),
        TEST(free_textures_make_room_within_the_budget),
        TEST(a_software_rasteriser_has_no_sides_that_are_powers_of_two),
        TEST(a_shape_made_again_takes_its_texture_from_the_pool),
        TEST(a_context_reports_leaked_matrices_which_can_still_be_destroyed),
        TEST(creation_refuses_wrong_arguments),
        TEST(transfers_refuse_wrong_arguments),
    };
    let_driver_have_threads();
    return cmocka_run_group_tests_name("matrix", tests, test_group_setup, test_group_teardown);
}
