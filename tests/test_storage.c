/* Matrices stored in 16 bits: how numbers are rounded, and every operation that reads or writes
 * them. Products are in test_gemm, transfers that do not depend on numbers in test_matrix. */
#include "support/reference.h"

enum { SIDE = 256, HALVES = SIDE * SIDE, MIXES = 4 };

static const glnn_storage half = GLNN_STORAGE_FLOAT16;

/* What 16 bits stand for: sign, 5 bits of exponent with a bias of 15, 10 bits behind the point. */
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

/* For every two neighbouring numbers of 16 bits: what lies in the middle, and the floats next to the
 * middle. Beyond the greatest, the neighbour is what the next exponent would begin with. */
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
    const array shape = {glnn_matrix_rows(x), glnn_matrix_columns(x), NULL};
    glnn_matrix *out = matrix_stored(shape, layout, storage);
    expect_ok(glnn_copy(glnn_test_context(), x, out));
    return out;
}

static void storages_have_names(void **state)
{
    (void)state;
    assert_string_equal(glnn_storage_name(GLNN_STORAGE_FLOAT32), "float32");
    assert_string_equal(glnn_storage_name(GLNN_STORAGE_FLOAT16), "float16");
    assert_string_equal(glnn_storage_name(GLNN_STORAGE_COUNT), "unknown storage");
    assert_string_equal(glnn_storage_name((glnn_storage)-1), "unknown storage");
    assert_int_equal(glnn_matrix_storage(matrix_zero(1, 1, 0)), GLNN_STORAGE_FLOAT32);
    assert_int_equal(glnn_matrix_storage(matrix_stored(array_new(1, 1), 0, half)), half);
}

static void every_number_of_16_bits_survives_transfers_and_passes(void **state)
{
    (void)state;
    array values = all_halves();
    for (glnn_layout layout = 0; layout < GLNN_LAYOUT_COUNT; ++layout) {
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
    for (glnn_layout layout = 0; layout < GLNN_LAYOUT_COUNT; ++layout) {
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
    for (glnn_layout layout = 0; layout < RENDERED_LAYOUTS; ++layout) {
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

/* ---- Operations. In mix 0 the operands are stored in 16 bits, in 1 the result, in 2 all, in 3 the
 * first operand and the result. */

typedef struct mix {
    glnn_storage x, y, out;
} mix;

static const mix mixes[MIXES] = {
    {GLNN_STORAGE_FLOAT16, GLNN_STORAGE_FLOAT16, GLNN_STORAGE_FLOAT32},
    {GLNN_STORAGE_FLOAT32, GLNN_STORAGE_FLOAT32, GLNN_STORAGE_FLOAT16},
    {GLNN_STORAGE_FLOAT16, GLNN_STORAGE_FLOAT16, GLNN_STORAGE_FLOAT16},
    {GLNN_STORAGE_FLOAT16, GLNN_STORAGE_FLOAT32, GLNN_STORAGE_FLOAT16},
};

typedef struct setting {
    const mix *stored;
    glnn_layout from, to;
    int turn; /* counts the settings: each takes another part of what there is much of */
} setting;

/* Calls `check` for every mix, into every layout. */
static void for_all(void (*check)(const setting *in))
{
    static const glnn_layout pairs[][2] = {
        {GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED},
        {GLNN_LAYOUT_UNPACKED, GLNN_LAYOUT_UNPACKED},
        {GLNN_LAYOUT_PAGED, GLNN_LAYOUT_PACKED},
    };
    for (int m = 0; m < MIXES; ++m)
        for (size_t i = 0; i < COUNT_OF(pairs); ++i) {
            check(&(setting){&mixes[m], pairs[i][0], pairs[i][1], m + (int)i});
            release_all();
        }
}

static array random_x(const setting *s, int rows, int columns)
{
    return array_stored(array_random(rows, columns, -3, 3), s->stored->x);
}

static array random_y(const setting *s, int rows, int columns)
{
    return array_stored(array_random(rows, columns, 0.25, 3), s->stored->y);
}

static glnn_matrix *stored_x(const setting *s, array x)
{
    return matrix_stored(x, s->from, s->stored->x);
}

static glnn_matrix *stored_y(const setting *s, array y)
{
    return matrix_stored(y, s->from, s->stored->y);
}

static glnn_matrix *stored_out(const setting *s, int rows, int columns)
{
    return matrix_stored(array_numbered(rows, columns), s->to, s->stored->out);
}

#define DESCRIBED(what) what ", %s %s -> %s %s"
#define DESCRIPTION(s)                                                                             \
    glnn_layout_name((s)->from), glnn_storage_name((s)->stored->x), glnn_layout_name((s)->to),     \
        glnn_storage_name((s)->stored->out)

static void check_moves(const setting *s)
{
    glnn_context *ctx = glnn_test_context();
    array x = random_x(s, 9, 13), index = array_new(5, 1);
    const glnn_matrix *matrix = stored_x(s, x);
    glnn_matrix *out = stored_out(s, 13, 9);
    expect_ok(glnn_transpose(ctx, matrix, out));
    expect_equal(out, reference_transpose(x), DESCRIBED("transpose"), DESCRIPTION(s));

    const glnn_rect from = {1, 2, 6, 7};
    glnn_matrix *part = stored_out(s, 10, 11);
    array former = array_numbered(10, 11);
    expect_ok(glnn_copy_rect(ctx, matrix, &from, part, 3, 1));
    expect_equal(part, reference_copy_rect(x, from, former, 3, 1), DESCRIBED("copy_rect"),
                 DESCRIPTION(s));

    for (int i = 0; i < index.rows; ++i)
        *at(index, i, 0) = (i * 5 + 3) % 9;
    glnn_matrix *rows = stored_out(s, 6, 13);
    expect_ok(glnn_gather_rows(ctx, matrix, stored_y(s, index), 1, 4, rows));
    expect_equal(rows, reference_gather_rows(x, index, 1, 4, 6), DESCRIBED("gather_rows"),
                 DESCRIPTION(s));
}

static void rows_columns_and_rectangles_are_moved(void **state)
{
    (void)state;
    for_all(check_moves);
}

static void check_maps(const setting *s)
{
    glnn_context *ctx = glnn_test_context();
    array x = random_y(s, 7, 11), dy = random_x(s, 7, 11);
    x = array_stored(x, s->stored->x);
    const glnn_matrix *matrix = stored_x(s, x);
    for (int i = s->turn % 4; i < GLNN_MAP_COUNT; i += 4) {
        const glnn_map map = (glnn_map)i;
        glnn_matrix *out = stored_out(s, 7, 11);
        expect_ok(glnn_map_apply(ctx, map, matrix, out));
        expect_close(out, reference_map_apply(map, x), DESCRIBED("%s"), glnn_map_name(map),
                     DESCRIPTION(s));
    }
    array slope = array_stored(dy, s->stored->y);
    glnn_matrix *out = stored_out(s, 7, 11);
    expect_ok(glnn_map_derivative(ctx, GLNN_MAP_TANH, matrix, stored_y(s, slope), out));
    expect_close(out, reference_map_derivative(GLNN_MAP_TANH, x, slope), DESCRIBED("derivative"),
                 DESCRIPTION(s));
    array twice = array_copy(x);
    for (size_t i = 0; i < length_of(twice); ++i)
        twice.data[i] *= 2;
    expect_ok(glnn_map_expression(ctx, "x + x", matrix, out));
    expect_equal(out, twice, DESCRIBED("expression"), DESCRIPTION(s));
}

static void functions_are_mapped(void **state)
{
    (void)state;
    for_all(check_maps);
}

static void check_arithmetic(const setting *s)
{
    glnn_context *ctx = glnn_test_context();
    array x = random_x(s, 9, 13), y = random_y(s, 9, 1);
    for (int op = s->turn % 3; op < GLNN_BINARY_COUNT; op += 3) {
        glnn_matrix *out = stored_out(s, 9, 13);
        expect_ok(glnn_binary_apply(ctx, (glnn_binary)op, stored_x(s, x), stored_y(s, y), out));
        expect_close(out, reference_binary_apply((glnn_binary)op, x, y, 9, 13),
                     DESCRIBED("operation %d"), op, DESCRIPTION(s));
    }
    glnn_matrix *out = stored_out(s, 9, 13);
    expect_ok(glnn_softmax(ctx, stored_x(s, x), out));
    expect_close(out, reference_softmax(x), DESCRIBED("softmax"), DESCRIPTION(s));
}

static void operands_are_combined(void **state)
{
    (void)state;
    for_all(check_arithmetic);
}

static void check_sums(const setting *s)
{
    glnn_context *ctx = glnn_test_context();
    array x = random_x(s, 9, 13), former = array_stored(random_x(s, 9, 13), s->stored->out);
    static const float factors[] = {1, 0.75f, -0.5f};
    for (size_t i = 0; i < COUNT_OF(factors); ++i) {
        glnn_matrix *y = matrix_stored(former, s->to, s->stored->out);
        expect_ok(glnn_axpby(ctx, 0.1f, stored_x(s, x), factors[i], y));
        expect_close(y, reference_axpby(0.1f, x, factors[i], former), DESCRIBED("axpby"),
                     DESCRIPTION(s));
    }
    array column = random_x(s, 9, 1), row = random_y(s, 1, 13);
    glnn_matrix *out = matrix_stored(former, s->to, s->stored->out);
    expect_ok(glnn_outer(ctx, 0.3f, stored_x(s, column), stored_y(s, row), 0.9f, out));
    expect_close(out, reference_outer(0.3f, column, row, 0.9f, former), DESCRIBED("outer"),
                 DESCRIPTION(s));
}

static void results_are_added_to_what_is_there_with_one_rounding(void **state)
{
    (void)state;
    for_all(check_sums);
}

static void check_reductions(const setting *s)
{
    glnn_context *ctx = glnn_test_context();
    array x = random_x(s, 41, 37);
    for (int i = s->turn % 6; i < GLNN_REDUCTION_COUNT * GLNN_AXIS_COUNT; i += 6) {
        const glnn_reduction reduction = (glnn_reduction)(i / GLNN_AXIS_COUNT);
        const glnn_axis axis = (glnn_axis)(i % GLNN_AXIS_COUNT);
        glnn_matrix *out =
            stored_out(s, axis == GLNN_AXIS_ROWS ? 41 : 1, axis == GLNN_AXIS_COLUMNS ? 37 : 1);
        const uint64_t before = counters_of(ctx).passes;
        expect_ok(glnn_reduce(ctx, reduction, axis, stored_x(s, x), out));
        const int passes = (int)(counters_of(ctx).passes - before);
        expect_close(out, reference_reduce(reduction, axis, x, passes),
                     DESCRIBED("reduction %d along axis %d"), (int)reduction, (int)axis,
                     DESCRIPTION(s));
    }
}

static void rows_and_columns_are_reduced_in_float32(void **state)
{
    (void)state;
    for_all(check_reductions);
}

/* 70 000 is beyond 65504, and 2049 ones are not a number of 16 bits: neither shows in between. */
static void sums_may_leave_16_bits_on_their_way(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    array ones = array_new(1, 70000), large = array_new(1, 4);
    for (size_t i = 0; i < length_of(ones); ++i)
        ones.data[i] = 1;
    glnn_matrix *x = matrix_stored(ones, GLNN_LAYOUT_TILED, half);
    glnn_matrix *mean = matrix_stored(array_new(1, 1), GLNN_LAYOUT_PACKED, half);
    expect_ok(glnn_reduce(ctx, GLNN_REDUCTION_MEAN, GLNN_AXIS_ALL, x, mean));
    assert_true(values_of(mean).data[0] == 1);
    for (int j = 0; j < large.columns; ++j)
        large.data[j] = j % 2 ? -65504 : 65504;
    x = matrix_stored(large, GLNN_LAYOUT_TILED, half);
    expect_ok(
        glnn_gemm(ctx, &(glnn_gemm_desc){.transpose_b = true, .alpha = 0x1p-30f}, x, x, mean));
    assert_true(values_of(mean).data[0] == half_of(4 * 65504.0 * 65504.0 * 0x1p-30));
}

static void numbers_are_filled_in_rounded(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    for (glnn_layout layout = 0; layout < RENDERED_LAYOUTS; ++layout) {
        glnn_matrix *out = matrix_stored(array_new(9, 13), layout, half);
        array value = array_new(9, 13);
        for (size_t i = 0; i < length_of(value); ++i)
            value.data[i] = (double)0.1f;
        expect_ok(glnn_fill(ctx, 0.1f, out));
        expect_equal(out, value, "fill");
        expect_ok(glnn_fill_uniform(ctx, 5, 0, 1, out));
        expect_equal(out, reference_uniform(5, 0, 9, 13), "fill_uniform");
        expect_ok(glnn_fill_normal(ctx, 5, 1, 2, out));
        expect_close(out, reference_normal(5, 1, 2, 9, 13), "fill_normal");
    }
}

static void an_output_may_be_an_operand(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    for (glnn_layout layout = 0; layout < RENDERED_LAYOUTS; ++layout) {
        array x = array_stored(array_random(9, 9, -3, 3), half);
        glnn_matrix *matrix = matrix_stored(x, layout, half);
        expect_ok(glnn_transpose(ctx, matrix, matrix));
        x = reference_transpose(x);
        expect_equal(matrix, x, "transpose in place");
        expect_ok(glnn_binary_apply(ctx, GLNN_BINARY_MULTIPLY, matrix, matrix, matrix));
        expect_close(matrix, reference_binary_apply(GLNN_BINARY_MULTIPLY, x, x, 9, 9),
                     "square in place");
    }
}

static void the_pool_tells_storages_apart_and_counts_their_bytes(void **state)
{
    (void)state;
    glnn_context *ctx = context_new(0, 0.0);
    context_use(ctx);
    glnn_context_info info;
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
        TEST(storages_have_names),
        TEST(every_number_of_16_bits_survives_transfers_and_passes),
        TEST(numbers_are_rounded_to_the_nearest_and_of_two_to_the_even_one),
        TEST(numbers_of_any_size_are_rounded_or_become_infinite),
        TEST(rows_columns_and_rectangles_are_moved),
        TEST(functions_are_mapped),
        TEST(operands_are_combined),
        TEST(results_are_added_to_what_is_there_with_one_rounding),
        TEST(rows_and_columns_are_reduced_in_float32),
        TEST(sums_may_leave_16_bits_on_their_way),
        TEST(numbers_are_filled_in_rounded),
        TEST(an_output_may_be_an_operand),
        TEST(the_pool_tells_storages_apart_and_counts_their_bytes),
    };
    return cmocka_run_group_tests_name("storage", tests, test_group_setup, test_group_teardown);
}
