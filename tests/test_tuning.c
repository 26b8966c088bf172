/* Choices that are made by timing: they change no result, and are remembered. */
#include "support/tree.h"

#include <stdlib.h>

#include <glnn/map.h>

#include "pass/pass.h"
#include "pass/tuning.h"

/* A product, op(a) = a transposed for `way` 1 and op(b) = b transposed for 2. */
static void multiply(glnn_context *ctx, int way, const glnn_matrix *a, const glnn_matrix *b,
                     glnn_matrix *c, glnn__fetching fetching)
{
    const int inner = way == 1 ? a->rows : a->columns;
    expect_ok(glnn__pass_run(ctx, &(glnn__pass){
                                      .kernel = GLNN__KERNEL_GEMM,
                                      .operands = {{.matrix = a}, {.matrix = b}},
                                      .output = c,
                                      .options = {way == 1, way == 2},
                                      .scalars = {1},
                                      .integers = {0, inner, inner, 1},
                                      .fetching = fetching,
                                  }));
}

static glnn_matrix *random_matrix(glnn_context *ctx, glnn_layout layout, int rows, int columns,
                                  uint64_t seed)
{
    glnn_matrix *m;
    expect_ok(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns, .layout = layout}, &m));
    expect_ok(glnn_fill_uniform(ctx, seed, -1, 1, m));
    return m;
}

static void compare_readings(glnn_context *ctx, int way, glnn_layout layout, int rows, int inner,
                             int columns)
{
    glnn_matrix *a =
        random_matrix(ctx, layout, way == 1 ? inner : rows, way == 1 ? rows : inner, 1);
    glnn_matrix *b =
        random_matrix(ctx, layout, way == 2 ? columns : inner, way == 2 ? inner : columns, 2);
    glnn_matrix *c = random_matrix(ctx, layout, rows, columns, 3);
    const size_t count = (size_t)rows * (size_t)columns;
    float *texels = calloc(count, sizeof *texels), *others = calloc(count, sizeof *others);
    assert_non_null(texels);
    assert_non_null(others);
    multiply(ctx, way, a, b, c, GLNN__FETCHING_TEXELS);
    expect_ok(glnn_matrix_download(ctx, c, NULL, texels, 0));
    for (int f = GLNN__FETCHING_SAMPLES; f < GLNN__FETCHING_COUNT; ++f) {
        multiply(ctx, way, a, b, c, (glnn__fetching)f);
        expect_ok(glnn_matrix_download(ctx, c, NULL, others, 0));
        assert_memory_equal(texels, others, count * sizeof *texels);
    }
    free(texels);
    free(others);
    glnn_matrix_destroy(a);
    glnn_matrix_destroy(b);
    glnn_matrix_destroy(c);
}

/* The long ones are where a coordinate's rounding would first hit a neighbour. */
static void every_way_to_read_gives_the_same_bits(void **state)
{
    static const int shapes[][3] = {{1, 1, 1}, {5, 7, 3}, {33, 65, 31}, {21, 16381, 5}};
    (void)state;
    for (int layout = 0; layout < RENDERED_LAYOUTS; ++layout)
        for (size_t i = 0; i < COUNT_OF(shapes); ++i)
            for (int way = 0; way < 3; ++way)
                compare_readings(glnn_test_context(), way, (glnn_layout)layout, shapes[i][0],
                                 shapes[i][1], shapes[i][2]);
    compare_readings(glnn_test_context(), 0, GLNN_LAYOUT_TILED, 5, 65533, 9);
}

/* Asks for a choice in a new context, and returns how often that waited for the GPU. */
static uint64_t waits_for_choice(const char *cache, glnn__fetching *fetching)
{
    glnn_context *ctx;
    expect_ok(glnn_context_create(
        &(glnn_context_desc){.cache_dir = cache, .stage = GLNN_STAGE_FRAGMENT}, &ctx));
    expect_ok(glnn__tuning_fetching(ctx, GLNN_LAYOUT_TILED, fetching));
    const uint64_t waits = counters_of(ctx).waits;
    glnn_context_destroy(ctx);
    return waits;
}

static void a_choice_is_measured_once_and_remembered(void **state)
{
    (void)state;
    glnn__fetching first = GLNN__FETCHING_COUNT, second = GLNN__FETCHING_COUNT;
    char cache[TREE_PATH];
    tree_make(cache);
    assert_true(waits_for_choice(cache, &first) > 0);
    assert_int_equal(waits_for_choice(cache, &second), 0);
    assert_int_equal(first, second);
    tree_remove(cache);
}

static void without_tuning_nothing_is_measured(void **state)
{
    (void)state;
    glnn__fetching fetching = GLNN__FETCHING_COUNT;
    char cache[TREE_PATH];
    tree_make(cache);
    setenv("GLNN_TUNE", "off", 1);
    assert_int_equal(waits_for_choice(cache, &fetching), 0);
    assert_int_equal(fetching, GLNN__FETCHING_TEXELS);
    unsetenv("GLNN_TUNE");
    tree_remove(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_way_to_read_gives_the_same_bits),
        TEST(a_choice_is_measured_once_and_remembered),
        TEST(without_tuning_nothing_is_measured),
    };
    return cmocka_run_group_tests_name("tuning", tests, test_group_setup, test_group_teardown);
}
