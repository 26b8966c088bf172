/* Arrays of doubles, and how they compare with matrices. */
#include "support.h"

#include <stdio.h>

#include "base/random.h"
#include "tex/matrix.h"

static glnn__random source;

void random_seed(uint64_t seed)
{
    glnn__random_start(&source, seed);
}

array array_random(int rows, int columns, double low, double high)
{
    array values = array_new(rows, columns);
    for (size_t i = 0; i < length_of(values); ++i) {
        double u = (double)(glnn__random_next(&source) >> 8) * 0x1p-24;
        values.data[i] = (float)(low + (high - low) * u);
    }
    return values;
}

array array_numbered(int rows, int columns)
{
    array values = array_new(rows, columns);
    for (size_t i = 0; i < length_of(values); ++i)
        values.data[i] = (double)(i + 1);
    return values;
}

array array_copy(array values)
{
    array copy = array_new(values.rows, values.columns);
    memcpy(copy.data, values.data, length_of(values) * sizeof(double));
    return copy;
}

array array_stored(array values, glnn_storage storage)
{
    array stored = array_copy(values);
    for (size_t i = 0; i < length_of(stored) && storage == GLNN_STORAGE_FLOAT16; ++i)
        stored.data[i] = glnn__half_of(stored.data[i]);
    return stored;
}

float *floats_of(array values)
{
    float *floats = floats_new(length_of(values));
    for (size_t i = 0; i < length_of(values); ++i)
        floats[i] = (float)values.data[i];
    return floats;
}

array array_of_floats(int rows, int columns, const float *floats)
{
    array made = array_new(rows, columns);
    for (size_t i = 0; i < length_of(made); ++i)
        made.data[i] = (double)floats[i];
    return made;
}

glnn_matrix *matrix_zero(int rows, int columns, glnn_layout layout)
{
    return matrix_of((array){rows, columns, NULL}, layout);
}

glnn_matrix *matrix_wrapped(glnn_matrix *matrix, int wrap)
{
    glnn_context *ctx = glnn_test_context();
    if (matrix->layout == GLNN_LAYOUT_PAGED)
        return matrix;
    float *floats = floats_of(values_of(matrix));
    expect_ok(glnn__gl_enter(ctx));
    glnn__texture_release(ctx, matrix->texture);
    expect_ok(glnn__texture_acquire(
        ctx, matrix->layout, matrix->storage,
        glnn__layout_wrapped(glnn__layout_of(matrix), matrix->rows, matrix->columns, wrap),
        matrix->name, &matrix->texture));
    expect_ok(glnn__gl_leave(ctx, GLNN_OK));
    expect_ok(glnn_matrix_upload(ctx, matrix, NULL, floats, 0));
    return matrix;
}

array values_of(const glnn_matrix *matrix)
{
    array values = array_new(glnn_matrix_get_rows(matrix), glnn_matrix_get_columns(matrix));
    float *floats = floats_new(length_of(values));
    expect_ok(glnn_matrix_download(glnn_test_context(), matrix, NULL, floats, 0));
    for (size_t i = 0; i < length_of(values); ++i)
        values.data[i] = floats[i];
    return values;
}

float *texels_of(const glnn_matrix *matrix, size_t *count)
{
    glnn_context *ctx = glnn_test_context();
    const glnn_rect whole = {0, 0, matrix->rows, matrix->columns};
    const glnn__blocks blocks = glnn__matrix_cover(matrix, &whole);
    *count = glnn__blocks_floats(glnn__layout_of(matrix), &blocks);
    float *texels = floats_new(*count);
    expect_ok(glnn__gl_enter(ctx));
    expect_ok(glnn__gl_claim(ctx, GLNN__PARTS_COPY));
    expect_ok(glnn__matrix_read_blocks(ctx, matrix, &blocks, texels));
    expect_ok(glnn__gl_leave(ctx, glnn__gl_check(ctx, "reading texels")));
    return texels;
}

bool texel_place(const glnn_matrix *matrix, size_t index, int *row, int *column)
{
    const int rows = matrix->rows, columns = matrix->columns, wrap = matrix->texture->extent.wrap;
    const bool is_tiled = matrix->layout == GLNN_LAYOUT_TILED;
    const size_t floats = matrix->layout == GLNN_LAYOUT_UNPACKED ? 1 : 4;
    const size_t texels_across = is_tiled ? (size_t)matrix->ctx->info.render_targets / 4 : 1;
    const size_t block_rows = is_tiled ? 4 : 1, block_columns = texels_across * floats;
    const size_t side = (size_t)1 << wrap;
    const size_t across = ((size_t)columns + block_columns - 1) / block_columns * side;
    const size_t down = ((size_t)rows + block_rows * side - 1) / (block_rows * side);
    const size_t texel = index / floats, layer = texel / (across * down);
    const size_t x = texel % across, y = texel / across % down;
    *row = (int)((y * side + x % side) * block_rows + (is_tiled ? layer / texels_across : 0));
    *column = (int)(x / side * block_columns + (is_tiled ? layer % texels_across * 4 : 0) +
                    index % floats);
    return *row < rows && *column < columns;
}

static void expect_zero_padding(const glnn_matrix *matrix, const char *what)
{
    if (glnn_matrix_get_layout(matrix) == GLNN_LAYOUT_PAGED)
        return;
    size_t count = 0;
    float *texels = texels_of(matrix, &count);
    for (size_t i = 0; i < count; ++i) {
        int row = 0, column = 0;
        if (!texel_place(matrix, i, &row, &column) && texels[i] != 0.0f)
            fail_at(__FILE__, __LINE__, "%s: padding (%d, %d) of the %d x %d %s result is %g", what,
                    row, column, glnn_matrix_get_rows(matrix), glnn_matrix_get_columns(matrix),
                    glnn_layout_name(glnn_matrix_get_layout(matrix)), (double)texels[i]);
    }
}

expected expected_stored(expected want, glnn_storage storage)
{
    expected stored = {.value = array_copy(want.value),
                       .bound = array_new(want.value.rows, want.value.columns)};
    for (size_t i = 0; i < length_of(want.value); ++i)
        stored.bound.data[i] = glnn__stored_bound(storage, &stored.value.data[i],
                                                  want.bound.data ? want.bound.data[i] : 0.0);
    return stored;
}

static bool close_enough(double got, double want, double bound)
{
    if (isnan(want))
        return isnan(got);
    return isinf(want) ? got == want : fabs(got - want) <= bound;
}

/* The count of elements that are off, with the place of the first in `*first`. */
static size_t differences(array got, expected want, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < length_of(got); ++i) {
        if (!close_enough(got.data[i], want.value.data[i], want.bound.data[i]) && count++ == 0)
            *first = i;
    }
    return count;
}

static void compare(const glnn_matrix *matrix, expected want, const char *what)
{
    array got = values_of(matrix);
    if (got.rows != want.value.rows || got.columns != want.value.columns)
        fail_at(__FILE__, __LINE__, "%s: the result is %d x %d, expected %d x %d", what, got.rows,
                got.columns, want.value.rows, want.value.columns);
    want = expected_stored(want, glnn_matrix_get_storage(matrix));
    size_t first = 0;
    size_t count = differences(got, want, &first);
    if (count > 0)
        fail_at(__FILE__, __LINE__,
                "%s: element (%zu, %zu) of the %d x %d %s %s result is %.9g, expected %.17g, bound "
                "%.3g; %zu of %zu elements are off",
                what, first / (size_t)got.columns, first % (size_t)got.columns, got.rows,
                got.columns, glnn_layout_name(glnn_matrix_get_layout(matrix)),
                glnn_storage_name(glnn_matrix_get_storage(matrix)), got.data[first],
                want.value.data[first], want.bound.data[first], count, length_of(got));
    expect_zero_padding(matrix, what);
}

enum { WHAT_SIZE = 512 };

/* Formats the words that follow `format` into `what`. */
#define FORMAT_WHAT(what, format)                                                                  \
    do {                                                                                           \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        vsnprintf(what, WHAT_SIZE, format, arguments);                                             \
        va_end(arguments);                                                                         \
    } while (0)

void expect_close(const glnn_matrix *got, expected want, const char *format, ...)
{
    char what[WHAT_SIZE];
    FORMAT_WHAT(what, format);
    compare(got, want, what);
}

void expect_equal(const glnn_matrix *got, array want, const char *format, ...)
{
    char what[WHAT_SIZE];
    FORMAT_WHAT(what, format);
    compare(got, (expected){.value = want}, what);
}

void expect_same_bits(array left, array right, const char *format, ...)
{
    char what[WHAT_SIZE];
    FORMAT_WHAT(what, format);
    assert_int_equal(length_of(left), length_of(right));
    for (size_t i = 0; i < length_of(left); ++i)
        if (memcmp(&left.data[i], &right.data[i], sizeof(double)) != 0)
            fail_at(__FILE__, __LINE__, "%s: element %zu is %.9g here and %.9g there", what, i,
                    left.data[i], right.data[i]);
}
