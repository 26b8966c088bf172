/* Every operation that reads or writes matrices stored in 16 bits; products are in test_gemm. */
#include "support/reference.h"

enum { MIXES = 4 };

/* In mix 0 the operands are stored in 16 bits, in 1 the result, in 2 all, in 3 the
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_columns_and_rectangles_are_moved),
        TEST(functions_are_mapped),
        TEST(operands_are_combined),
        TEST(results_are_added_to_what_is_there_with_one_rounding),
        TEST(rows_and_columns_are_reduced_in_float32),
    };
    return cmocka_run_group_tests_name("storage operations", tests, test_group_setup,
                                       test_group_teardown);
}
