/* The measurements of the device, and the plans that are made from them. */
#include "support/tuned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glnn/advice.h>
#include <glnn/kmeans.h>
#include <glnn/train.h>

#include "device/profiler.h"
#include "ops/gemm/plan.h"
#include "pass/program.h"

/* A product, op(a) = a transposed for `way` 1 and op(b) = b transposed for 2. */
static void multiply(glnn_context *ctx, int way, const glnn_matrix *a, const glnn_matrix *b,
                     glnn_matrix *c, glnn__fetching fetching, bool layered)
{
    const int inner = way == 1 ? a->rows : a->columns;
    expect_ok(glnn__pass_run(
        ctx,
        &(glnn__pass){
            .kernel = &glnn__gemm_kernel,
            .operands = {{.matrix = a}, {.matrix = b}},
            .output = c,
            .options = {[GLNN__GEMM_TRANSPOSE_A] = way == 1, [GLNN__GEMM_TRANSPOSE_B] = way == 2},
            .uniforms = {[GLNN__GEMM_INNER_END] = {.i = inner},
                         [GLNN__GEMM_SLICE_LENGTH] = {.i = inner},
                         [GLNN__GEMM_SLICE_BLOCKS] = {.i = 1},
                         [GLNN__GEMM_ALPHA] = {.f = 1}},
            .fetching = fetching,
            .blocking.layered = {layered && way != 1, layered},
        }));
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
    multiply(ctx, way, a, b, c, GLNN__FETCHING_TEXELS, false);
    expect_ok(glnn_matrix_download(ctx, c, NULL, texels, 0));
    const int layered = glnn__pass_can_split(ctx, layout);
    for (int f = 1; f < GLNN__FETCHING_COUNT * (1 + layered); ++f) {
        multiply(ctx, way, a, b, c, (glnn__fetching)(f % GLNN__FETCHING_COUNT),
                 f >= GLNN__FETCHING_COUNT);
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
    for (int layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < COUNT_OF(shapes); ++i)
            for (int way = 0; way < 3; ++way)
                compare_readings(glnn_test_context(), way, (glnn_layout)layout, shapes[i][0],
                                 shapes[i][1], shapes[i][2]);
    compare_readings(glnn_test_context(), 0, GLNN_LAYOUT_TILED, 5, 65533, 9);
}

/* Asks for the profile in a new context, and returns how often that waited for the GPU. */
static uint64_t waits_for_profile(const char *cache, glnn_profile *profile)
{
    glnn_context *ctx = context_with(cache, GLNN_TUNING_QUICK);
    *profile = (glnn_profile){.size = sizeof *profile};
    expect_ok(glnn_context_get_profile(ctx, profile));
    const uint64_t waits = counters_of(ctx).waits;
    glnn_context_destroy(ctx);
    return waits;
}

static void the_profile_is_measured_once_and_remembered(void **state)
{
    (void)state;
    glnn_profile first, second;
    char cache[TREE_PATH];
    tree_make(cache);
    assert_true(waits_for_profile(cache, &first) > 0);
    assert_int_equal(waits_for_profile(cache, &second), 0);
    assert_memory_equal(&first, &second, sizeof first);
    assert_true(first.peak_gflops > 0 && first.fetch_gtexels > 0 && first.copy_gb > 0);
    assert_true(first.blend_gb > 0 && first.pass_us > 0 && first.gemm_gflops > 0);
    assert_true(first.fragments_to_fill >= 16 && first.cpu_gflops > 0.01 &&
                first.cpu_gb > 0.01); /* 1e-3 if nothing was measured */
    tree_remove(cache);
}

/* Searches of few samples among few prototypes, as of a small table. */
static void a_small_search_measures_nothing(void **state)
{
    (void)state;
    enum { SAMPLES = 90, FEATURES = 3 };
    static float inputs[SAMPLES * FEATURES];
    char cache[TREE_PATH];
    bool is_known;
    glnn_dataset *data;
    glnn_learner *clusters;
    for (int i = 0; i < SAMPLES * FEATURES; ++i)
        inputs[i] = (float)(i * 37 % 101) / 101.0f;
    tree_make(cache);
    glnn_context *ctx = context_with(cache, GLNN_TUNING_QUICK);
    expect_ok(glnn_dataset_create(
        ctx, &(glnn_dataset_desc){.samples = SAMPLES, .features = FEATURES, .inputs = inputs},
        &data));
    expect_ok(glnn_kmeans_create(
        ctx, &(glnn_kmeans_desc){.features = FEATURES, .centres = 4, .capacity = SAMPLES},
        &clusters));
    expect_ok(
        glnn_learner_train(clusters, data, &(glnn_train_desc){.epochs = 1, .batch = 8}, NULL));
    expect_ok(glnn__profiler_knows(ctx, ctx->info.stage, (unsigned)GLNN__PROFILE_TILED, &is_known));
    assert_false(is_known);
    glnn_learner_destroy(clusters);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    tree_remove(cache);
}

/* The text that a profile's file has for a group. */
static const char *group_text(const unsigned char *file, const char *key)
{
    const char *line = strstr((const char *)file, key);
    assert_non_null(line);
    return line + strlen(key);
}

static void each_way_of_writing_keeps_its_own_numbers(void **state)
{
    (void)state;
    glnn_profile profile;
    char cache[TREE_PATH];
    size_t size;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    if (info.stage != GLNN_STAGE_FRAGMENT)
        return; /* compute shaders have one way only */
    tree_make(cache);
    waits_for_profile(cache, &profile);
    unsigned char *file = tree_read(tuning_path(cache), &size);
    const char *targets = group_text(file, "fragment targets = ");
    const char *images = group_text(file, "fragment images = ");
    assert_true(strncmp(targets, images, strcspn(targets, "\n")) != 0);
    free(file);
    tree_remove(cache);
}

static void a_plan_says_what_is_done(void **state)
{
    (void)state;
    char text[256], word[8];
    glnn_context *ctx = glnn_test_context();
    run_long_product(ctx, text, sizeof text);
    assert_non_null(strstr(text, "16 x 64 x 1024"));
    assert_non_null(strstr(text, "operands"));
    glnn_matrix *m = random_matrix(ctx, GLNN_LAYOUT_TILED, 8, 8, 1);
    glnn_matrix *wide = random_matrix(ctx, GLNN_LAYOUT_TILED, 9, 8, 1);
    expect_ok(
        glnn_gemm_get_plan(ctx, &(glnn_gemm_desc){.slice = 8}, 1, m, m, 0, m, word, sizeof word));
    assert_string_equal(word, "8 x 8 x");
    expect_error(glnn_gemm_get_plan(ctx, NULL, 1, m, wide, 0, m, text, sizeof text), GLNN_E_SHAPE,
                 "glnn_gemm_get_plan: inner dimensions differ");
    expect_error(glnn_gemm_get_plan(ctx, NULL, 1, m, m, 0, m, NULL, 9), GLNN_E_ARG,
                 "glnn_gemm_get_plan: `text` is null");
    expect_error(glnn_gemm_get_plan(ctx, NULL, 1, m, m, 0, m, text, 0), GLNN_E_ARG, "size is 0");
    glnn_matrix_destroy(m);
    glnn_matrix_destroy(wide);
}

/* Everything of a damaged file is measured again, and nothing fails. The stages take the files in
 * turn. */
static void a_damaged_profile_is_measured_anew(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "\n\n = \n",
                                        "fragment targets = 1 2 3\n",
                                        "fragment blending = x\ncompute images = -1\n",
                                        "plain C on the CPU = 0 0\n",
                                        "plain C on the CPU = -1 -1\n",
                                        "plain C on the CPU = 99999999999999999999 1\n"};
    char cache[TREE_PATH];
    glnn_profile profile = {.size = sizeof profile};
    tree_make(cache);
    waits_for_profile(cache, &profile);
    for (size_t i = 0; i < COUNT_OF(texts); ++i) {
        if (case_is_left_out((int)i % 2))
            continue;
        tree_write(tuning_path(cache), texts[i], strlen(texts[i]));
        waits_for_profile(cache, &profile);
        assert_true(profile.peak_gflops > 0 && profile.peak_gflops < 1e9);
        assert_true(profile.cpu_gflops > 0 && profile.cpu_gflops < 1e9);
    }
    tree_remove(cache);
}

static void tuning_is_chosen_by_call_and_by_environment(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    glnn_context *ctx;
    setenv("GLNN_TUNE", "again", 1);
    ctx = context_with("", GLNN_TUNING_DEFAULT);
    expect_ok(glnn_context_get_info(ctx, &info));
    assert_int_equal(info.tuning, GLNN_TUNING_AGAIN);
    expect_ok(glnn_context_set_tuning(ctx, GLNN_TUNING_OFF));
    setenv("GLNN_TUNE", "sometimes", 1);
    expect_error(glnn_context_set_tuning(ctx, GLNN_TUNING_DEFAULT), GLNN_E_ARG, "sometimes");
    expect_error(glnn_context_set_tuning(ctx, GLNN_TUNING_COUNT), GLNN_E_ARG, "tuning is 4");
    expect_error(glnn_context_set_tuning(NULL, GLNN_TUNING_OFF), GLNN_E_ARG, "null");
    expect_ok(glnn_context_get_info(ctx, &info));
    assert_int_equal(info.tuning, GLNN_TUNING_OFF);
    glnn_context_destroy(ctx);
    expect_error(glnn_context_create(NULL, &ctx), GLNN_E_ARG, "off, quick, again");
    unsetenv("GLNN_TUNE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_way_to_read_gives_the_same_bits),
        TEST(the_profile_is_measured_once_and_remembered),
        TEST(a_small_search_measures_nothing),
        TEST(each_way_of_writing_keeps_its_own_numbers),
        TEST(a_plan_says_what_is_done),
        TEST(a_damaged_profile_is_measured_anew),
        TEST(tuning_is_chosen_by_call_and_by_environment),
    };
    return cmocka_run_group_tests_name("tuning", tests, test_group_setup, test_group_teardown);
}
