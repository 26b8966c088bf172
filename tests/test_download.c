/* Downloads that do not wait for the device. */
#include "support/support.h"

#include <time.h>

static array download_end(glnn_download *download, int rows, int columns)
{
    array values = array_new(rows, columns);
    float *floats = floats_new(length_of(values));
    expect_ok(glnn_download_end(download, floats, 0));
    for (size_t i = 0; i < length_of(values); ++i)
        values.data[i] = floats[i];
    return values;
}

static void an_asynchronous_download_gives_the_elements_of_its_beginning(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    for (int i = GLNN_LAYOUT_TILED * STORED_COUNT; i < GLNN_LAYOUT_COUNT * STORED_COUNT; ++i) {
        const glnn_layout layout = (glnn_layout)(i / STORED_COUNT);
        const glnn_storage storage = (glnn_storage)(i % STORED_COUNT);
        array values = array_stored(array_random(9, 10, -1.0, 1.0), storage);
        const glnn_matrix_desc desc = {.rows = 9,
                                       .columns = 10,
                                       .layout = layout,
                                       .storage = storage,
                                       .data = floats_of(values),
                                       .name = "short-lived"};
        glnn_matrix *matrix = NULL;
        glnn_download *whole = NULL, *part = NULL, *dropped = NULL;
        expect_ok(glnn_matrix_create(ctx, &desc, &matrix));
        expect_ok(glnn_download_begin(ctx, matrix, NULL, &whole));
        expect_ok(glnn_download_begin(ctx, matrix, &(glnn_rect){3, 5, 4, 4}, &part));
        expect_ok(glnn_download_begin(ctx, matrix, NULL, &dropped));
        expect_ok(glnn_matrix_upload(ctx, matrix, NULL, floats_of(array_numbered(9, 10)), 0));
        glnn_matrix_destroy(matrix);
        expect_same_bits(download_end(whole, 9, 10), values, "download of the whole");
        array rectangle = array_new(4, 4);
        for (int row = 0; row < 4; ++row)
            memcpy(at(rectangle, row, 0), at(values, 3 + row, 5), 4 * sizeof(double));
        expect_same_bits(download_end(part, 4, 4), rectangle, "download of a part");
        expect_ok(glnn_download_end(dropped, NULL, 0));
    }
}

static void an_asynchronous_download_becomes_ready_without_a_wait(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *matrix = matrix_of(array_numbered(33, 33), GLNN_LAYOUT_TILED);
    glnn_download *download = NULL;
    uint64_t waits = counters_of(ctx).waits;
    expect_ok(glnn_download_begin(ctx, matrix, NULL, &download));
    for (int i = 0; i < 10000 && !glnn_download_is_ready(download); ++i)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_true(glnn_download_is_ready(download));
    expect_same_bits(download_end(download, 33, 33), array_numbered(33, 33), "download");
    assert_int_equal(counters_of(ctx).waits, waits);
}

static void downloads_of_many_sizes_share_their_pixel_buffer(void **state)
{
    (void)state;
    static const int sides[] = {5, 33, 9, 64, 1, 33};
    glnn_context *ctx = glnn_test_context();
    for (size_t i = 0; i + 1 < COUNT_OF(sides); ++i) {
        array first = array_random(sides[i], 7, -1.0, 1.0);
        array second = array_random(sides[i + 1], 11, -1.0, 1.0);
        glnn_matrix *a = matrix_of(first, GLNN_LAYOUT_TILED);
        glnn_matrix *b = matrix_of(second, GLNN_LAYOUT_PACKED);
        glnn_download *under_way = NULL, *dropped = NULL;
        expect_ok(glnn_download_begin(ctx, a, NULL, &under_way));
        expect_ok(glnn_download_begin(ctx, a, NULL, &dropped));
        expect_ok(glnn_download_end(dropped, NULL, 0));
        expect_equal(b, second, "download beside another");
        expect_same_bits(download_end(under_way, sides[i], 7), first, "download under way");
    }
}

static void downloads_refuse_what_does_not_fit(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *matrix = matrix_zero(3, 4, GLNN_LAYOUT_TILED);
    glnn_download *download = NULL;
    float room[12];
    expect_error(glnn_download_begin(NULL, matrix, NULL, &download), GLNN_E_ARG, "null");
    expect_error(glnn_download_begin(ctx, NULL, NULL, &download), GLNN_E_ARG, "null");
    expect_error(glnn_download_begin(ctx, matrix, NULL, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_download_begin(ctx, matrix, &(glnn_rect){0, 0, 4, 4}, &download),
                 GLNN_E_SHAPE, "4 x 4");
    assert_null(download);
    expect_ok(glnn_download_begin(ctx, matrix, NULL, &download));
    expect_error(glnn_download_end(download, room, 3), GLNN_E_ARG, "ld is 3");
    expect_ok(glnn_download_end(NULL, room, 4));
    assert_false(glnn_download_is_ready(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_asynchronous_download_gives_the_elements_of_its_beginning),
        TEST(an_asynchronous_download_becomes_ready_without_a_wait),
        TEST(downloads_of_many_sizes_share_their_pixel_buffer),
        TEST(downloads_refuse_what_does_not_fit),
    };
    let_driver_have_threads();
    return cmocka_run_group_tests_name("download", tests, test_group_setup, test_group_teardown);
}
