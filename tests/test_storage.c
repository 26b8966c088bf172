/* Matrices stored in 16 bits: how numbers are rounded, and what the pool makes of them. Operations
 * are in test_operations, transfers that do not depend on numbers in test_matrix. */
#include "support/reference.h"

#include "base/half.h"

#include <string.h>

enum { SIDE = 256, HALVES = SIDE * SIDE };

static const glnn_storage half = GLNN_STORAGE_FLOAT16;

/* The number in 16 bits: sign, 5 bits of exponent with a bias of 15, 10 bits after the point. */
static double half_of_bits(unsigned bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double sign = bits >> 15 ? -1 : 1, mantissa = bits & 1023;
    if (exponent == 31)
        return mantissa > 0 ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(mantissa, -24);
    return sign * ldexp(1024 + mantissa, exponent - 25);
}

static array all_halves(void)
{
    array values = array_new(SIDE, SIDE);
    for (unsigned i = 0; i < HALVES; ++i)
        values.data[i] = half_of_bits(i);
    return values;
}

/* For every two neighbouring numbers of 16 bits: what lies in the middle, and the floats next to
 * the middle. Beyond the greatest, the neighbour is what the next exponent would begin with. */
static array around_all_ties(void)
{
    array values = array_new(SIDE, 3 * SIDE);
    for (unsigned i = 0; i < HALVES; ++i) {
        const double low = half_of_bits(i), high = half_of_bits(i + 1);
        const bool is_greatest = (i & 0x7FFF) == 0x7BFF;
        const double next = is_greatest ? copysign(65536, low) : high;
        const float middle = (i & 0x7FFF) < 0x7C00 ? (float)((low + next) / 2) : 0;
        values.data[3 * i] = (double)nextafterf(middle, 0);
        values.data[3 * i + 1] = (double)middle;
        values.data[3 * i + 2] = (double)nextafterf(middle, copysignf(INFINITY, middle));
    }
    return values;
}

static glnn_matrix *copy_of(const glnn_matrix *x, glnn_layout layout, glnn_storage storage)
{
    const array shape = {glnn_matrix_get_rows(x), glnn_matrix_get_columns(x), NULL};
    glnn_matrix *out = matrix_stored(shape, layout, storage);
    expect_ok(glnn_copy(glnn_test_context(), x, out));
    return out;
}

static void a_matrix_says_how_it_is_stored(void **state)
{
    (void)state;
    assert_int_equal(glnn_matrix_get_storage(matrix_zero(1, 1, 0)), GLNN_STORAGE_FLOAT32);
    assert_int_equal(glnn_matrix_get_storage(matrix_stored(array_new(1, 1), 0, half)), half);
}

static void every_number_of_16_bits_survives_transfers_and_passes(void **state)
{
    (void)state;
    array values = all_halves();
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout) {
        glnn_matrix *matrix = matrix_stored(values, layout, half);
        expect_equal(matrix, values, "upload and download");
        if (layout == GLNN_LAYOUT_PAGED)
            continue;
        expect_equal(copy_of(matrix, layout, half), values, "copy, float16 -> float16");
        expect_equal(copy_of(matrix, layout, GLNN_STORAGE_FLOAT32), values,
                     "copy, float16 -> float32");
    }
}

static void numbers_are_rounded_to_the_nearest_and_of_two_to_the_even_one(void **state)
{
    (void)state;
    array values = around_all_ties();
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout) {
        expect_equal(matrix_stored(values, layout, half), values, "upload around ties");
        if (layout == GLNN_LAYOUT_PAGED)
            continue;
        expect_equal(copy_of(matrix_of(values, layout), layout, half), values, "copy around ties");
        release_all();
        values = around_all_ties();
    }
}

static void numbers_of_any_size_are_rounded_or_become_infinite(void **state)
{
    (void)state;
    static const double special[] = {0,       65504,    65519.996, 65520,     65536,    1e5,
                                     3.4e38,  INFINITY, NAN,       0x1p-14,   0x1p-24,  0x1p-25,
                                     0x1p-26, 0x1p-126, 0x1.8p-25, 0x1.8p-24, 0x3p-149, 2049};
    array values = array_new(2, COUNT_OF(special));
    for (int j = 0; j < values.columns; ++j) {
        *at(values, 0, j) = (double)(float)special[j];
        *at(values, 1, j) = -(double)(float)special[j];
    }
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        expect_equal(matrix_stored(values, layout, half), values, "upload of special numbers");
        expect_equal(copy_of(matrix_of(values, layout), layout, half), values,
                     "copy of special numbers");
    }
    for (int exponent = -40; exponent < 40; ++exponent) {
        array random = array_random(9, 33, -1, 1);
        for (size_t i = 0; i < length_of(random); ++i)
            random.data[i] = ldexp(random.data[i], exponent);
        glnn_matrix *matrix = matrix_of(random, GLNN_LAYOUT_TILED);
        expect_equal(matrix_stored(random, GLNN_LAYOUT_TILED, half), random, "upload");
        expect_equal(copy_of(matrix, GLNN_LAYOUT_TILED, half), random, "copy");
        release_all();
    }
}

/* 65536 is beyond 65504, and 2049 ones are not a number of 16 bits: neither shows in between. */
static void sums_may_leave_16_bits_on_their_way(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    array ones = array_new(1, 65536), large = array_new(1, 4);
    for (size_t i = 0; i < length_of(ones); ++i)
        ones.data[i] = 1;
    glnn_matrix *x = matrix_stored(ones, GLNN_LAYOUT_TILED, half);
    glnn_matrix *mean = matrix_stored(array_new(1, 1), GLNN_LAYOUT_PACKED, half);
    expect_ok(glnn_reduce(ctx, GLNN_REDUCTION_MEAN, GLNN_AXIS_ALL, x, mean));
    assert_true(values_of(mean).data[0] == 1);
    for (int j = 0; j < large.columns; ++j)
        large.data[j] = j % 2 ? -65504 : 65504;
    x = matrix_stored(large, GLNN_LAYOUT_TILED, half);
    expect_ok(glnn_gemm(ctx, &(glnn_gemm_desc){.transpose_b = true}, 0x1p-30f, x, x, 0, mean));
    assert_true(values_of(mean).data[0] == glnn__half_of(4 * 65504.0 * 65504.0 * 0x1p-30));
}

static void the_pool_tells_storages_apart_and_counts_their_bytes(void **state)
{
    (void)state;
    glnn_context *ctx = context_new(0, 0.0);
    context_use(ctx);
    glnn_context_info info = {.size = sizeof info};
    matrix_stored(array_new(64, 64), GLNN_LAYOUT_TILED, half);
    expect_ok(glnn_context_get_info(ctx, &info));
    assert_int_equal(info.texture_bytes, 64 * 64 * 2);
    glnn_counters before = counters_of(ctx);
    array values = array_numbered(64, 64);
    matrix_stored(values, GLNN_LAYOUT_TILED, GLNN_STORAGE_FLOAT32);
    expect_ok(glnn_context_get_info(ctx, &info));
    assert_int_equal(info.texture_bytes, 64 * 64 * 6);
    assert_int_equal(counters_of(ctx).bytes_uploaded - before.bytes_uploaded, 64 * 64 * 4);
    before = counters_of(ctx);
    matrix_stored(values, GLNN_LAYOUT_TILED, half);
    assert_int_equal(counters_of(ctx).bytes_uploaded - before.bytes_uploaded, 64 * 64 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_matrix_says_how_it_is_stored),
        TEST(every_number_of_16_bits_survives_transfers_and_passes),
        TEST(numbers_are_rounded_to_the_nearest_and_of_two_to_the_even_one),
        TEST(numbers_of_any_size_are_rounded_or_become_infinite),
        TEST(sums_may_leave_16_bits_on_their_way),
        TEST(the_pool_tells_storages_apart_and_counts_their_bytes),
    };
    return cmocka_run_group_tests_name("storage", tests, test_group_setup, test_group_teardown);
}
