/* The device profile: where it is measured, and that a wrong one does no harm. */
#include "support/tuned.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <glnn/advice.h>
#include <glnn/copy.h>
#include <glnn/reduce.h>

#include "base/clock.h"
#include "device/measure.h"
#include "ops/gemm/plan.h"
#include "pass/program.h"

/* Multiplies, transposes and sums matrices that are large enough for a profile, all without a wait,
 * and returns the bits of it. */
static array compute_unmeasured(glnn_context *ctx, char *plan, size_t size)
{
    enum { SIDE = 520, INNER = 70 }; /* long enough for strips, too */
    glnn_matrix *a = random_matrix(ctx, GLNN_LAYOUT_TILED, SIDE, INNER, 1);
    glnn_matrix *b = random_matrix(ctx, GLNN_LAYOUT_TILED, INNER, SIDE, 2);
    glnn_matrix *c = random_matrix(ctx, GLNN_LAYOUT_TILED, SIDE, SIDE, 3);
    glnn_matrix *t = random_matrix(ctx, GLNN_LAYOUT_TILED, SIDE, SIDE, 4);
    glnn_matrix *sums = random_matrix(ctx, GLNN_LAYOUT_PACKED, 1, SIDE, 5);
    float *values = floats_new(SIDE);
    expect_ok(glnn_gemm(ctx, NULL, 1, a, b, 0.5f, c));
    expect_ok(glnn_gemm_get_plan(ctx, NULL, 1, a, b, 0.5f, c, plan, size));
    expect_ok(glnn_transpose(ctx, c, t));
    expect_ok(glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, t, sums));
    assert_int_equal(counters_of(ctx).waits, 0);
    expect_ok(glnn_matrix_download(ctx, sums, NULL, values, 0));
    glnn_matrix_destroy(a);
    glnn_matrix_destroy(b);
    glnn_matrix_destroy(c);
    glnn_matrix_destroy(t);
    glnn_matrix_destroy(sums);
    return array_of_floats(1, SIDE, values);
}

/* Puts a line into the file of a context's profile. */
static void keep_line(glnn_context *ctx, const char *group, const char *value)
{
    glnn__programs *programs;
    char key[64];
    snprintf(key, sizeof key, "%s %s", glnn_stage_name(ctx->info.stage), group);
    expect_ok(glnn__gl_enter(ctx));
    expect_ok(glnn__programs_get(ctx, &programs));
    glnn__tuning_put(ctx, &programs->tuning, key, NULL, value);
    expect_ok(glnn__gl_leave(ctx, GLNN_OK));
}

/* A file in place of the folder, and a folder in which nothing can take the profile's place. */
static void make_useless_folders(const char *root, char file[TREE_PATH], char full[TREE_PATH])
{
    char profile[TREE_PATH];
    snprintf(file, TREE_PATH, "%s", tree_path(root, "file"));
    snprintf(full, TREE_PATH, "%s", tree_path(root, "full"));
    tree_write(file, "x", 1);
    glnn_context *ctx = context_with(full, GLNN_TUNING_QUICK);
    keep_line(ctx, "nothing", "0");
    glnn_context_destroy(ctx);
    snprintf(profile, sizeof profile, "%s", tuning_path(full));
    assert_int_equal(remove(profile), 0);
    assert_int_equal(mkdir(profile, 0755), 0);
    tree_write(tree_path(profile, "in the way"), "x", 1);
}

static void without_tuning_or_a_place_to_keep_it_nothing_is_measured(void **state)
{
    (void)state;
    char root[TREE_PATH], file[TREE_PATH], full[TREE_PATH], off[256], plan[256];
    tree_make(root);
    make_useless_folders(root, file, full);
    glnn_context *ctx = context_with(root, GLNN_TUNING_OFF);
    const array bits = compute_unmeasured(ctx, off, sizeof off);
    glnn_context_destroy(ctx);
    const char *const places[] = {"", file, full};
    for (size_t i = 0; i < COUNT_OF(places); ++i) {
        ctx = context_with(places[i], GLNN_TUNING_QUICK);
        expect_same_bits(compute_unmeasured(ctx, plan, sizeof plan), bits, "place %zu", i);
        assert_string_equal(plan, off);
        glnn_context_destroy(ctx);
    }
    tree_remove(root);
}

/* A profile that was asked for, but cannot be kept, would change the plans of this process
 * alone. */
static void a_profile_that_is_not_kept_changes_no_plan(void **state)
{
    (void)state;
    char off[256], plan[256];
    double ratio;
    glnn_context *ctx = context_with("", GLNN_TUNING_OFF);
    run_long_product(ctx, off, sizeof off);
    glnn_context_destroy(ctx);
    ctx = context_with("", GLNN_TUNING_QUICK);
    expect_ok(glnn_context_compare_stages(ctx, &ratio));
    assert_true(counters_of(ctx).waits > 0 && ratio > 0);
    run_long_product(ctx, plan, sizeof plan);
    assert_string_equal(plan, off);
    glnn_context_destroy(ctx);
}

static void the_stage_is_chosen_by_the_built_in_profile_where_nothing_is_measured(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    glnn_context *ctx;
    expect_ok(
        glnn_context_create(&(glnn_context_desc){.cache_dir = "", .stage = GLNN_STAGE_AUTO}, &ctx));
    expect_ok(glnn_context_get_info(ctx, &info));
    assert_int_equal(info.stage, ctx->info.software ? GLNN_STAGE_FRAGMENT : GLNN_STAGE_COMPUTE);
    assert_int_equal(counters_of(ctx).waits, 0);
    glnn_context_destroy(ctx);
}

/* Some drivers compile, but do not give the program away. */
static void a_driver_without_binaries_has_a_profile_all_the_same(void **state)
{
    (void)state;
    char cache[TREE_PATH], names[8][256];
    glnn__programs *programs;
    const glnn__profile *profile;
    tree_make(cache);
    for (int run = 0; run < 2; ++run) {
        glnn_context *ctx = context_with(cache, GLNN_TUNING_QUICK);
        expect_ok(glnn__gl_enter(ctx));
        expect_ok(glnn__programs_get(ctx, &programs));
        programs->has_binaries = false;
        expect_ok(glnn__profile_for_plans(ctx, GLNN__PROFILE_REDUCTIONS, &profile));
        expect_ok(glnn__gl_leave(ctx, GLNN_OK));
        assert_int_equal(counters_of(ctx).waits > 0, run == 0);
        assert_int_equal(counters_of(ctx).programs_loaded, 0);
        glnn_context_destroy(ctx);
    }
    assert_int_equal(tree_list(cache, names, COUNT_OF(names)), 1);
    tree_remove(cache);
}

/* ---- The clock of a software rasteriser */

/* With a limit, Linux counts some clocks of processor time in ticks of milliseconds. */
static void processor_time_has_small_steps_under_a_limit_too(void **state)
{
    struct rlimit limit, low;
    int steps = 0;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_CPU, &limit), 0);
    low = limit;
    low.rlim_cur = limit.rlim_max < 100000 ? limit.rlim_max : 100000;
    assert_int_equal(setrlimit(RLIMIT_CPU, &low), 0);
    const double start = glnn__clock_processor_seconds();
    for (double last = start, now = start; now < start + 0.05; last = now) {
        now = glnn__clock_processor_seconds();
        steps += now > last;
    }
    assert_int_equal(setrlimit(RLIMIT_CPU, &limit), 0);
    assert_true(steps > 1000);
}

/* ---- A busy machine */

/* A clock without a device. The time of a pass follows from its size, and is three times as long
 * while the machine is busy. */
typedef struct simulation {
    double now, busy_from, busy_to; /* seconds */
    glnn_context_info info;
} simulation;

static glnn_status simulate(glnn_context *ctx, const glnn__pass *pass, int count, void *user,
                            double *us)
{
    simulation *s = user;
    /* Stage and way of writing are the pass's, and the context keeps its own. */
    assert_int_equal(ctx->info.stage, s->info.stage);
    assert_int_equal(ctx->info.writes, s->info.writes);
    assert_non_null(pass->way);
    const int inner = pass->uniforms[GLNN__GEMM_INNER_END].i;
    const bool is_start = pass->region.width > 0, is_long = inner > 16;
    const double size = (double)pass->output->rows * pass->output->columns;
    const double work = is_start ? 1 : size * (1 + inner) / (is_long ? 5e3 : 3e3);
    const bool is_busy = s->now >= s->busy_from && s->now < s->busy_to;
    *us = count * (20 + work) * (is_busy ? 3 : 1);
    s->now += 1e-6 * *us;
    return GLNN_OK;
}

static double simulated_seconds(void *user)
{
    return ((const simulation *)user)->now;
}

/* The profile that is measured by a simulation; returns the seconds that it took. */
static double measure_simulated(glnn_stage stage, double busy_from, double busy_to,
                                glnn__profile *out)
{
    const unsigned all = (1u << GLNN__PROFILE_GROUPS) - 1;
    glnn_context *ctx = glnn_test_context();
    simulation s = {0, busy_from, busy_to, ctx->info};
    const glnn__stopwatch watch = {simulate, simulated_seconds, &s};
    memset(out, 0, sizeof *out);
    expect_ok(glnn__gl_enter(ctx));
    expect_ok(glnn__gl_leave(ctx, glnn__measure_profile(ctx, stage, all, &watch, out)));
    return s.now;
}

/* Three fifths of the measurement, at its begin, in the middle and at its end. */
static void a_busy_machine_has_the_profile_of_a_quiet_one(void **state)
{
    (void)state;
    for (int stage = GLNN_STAGE_FRAGMENT; stage < GLNN_STAGE_AUTO; ++stage) {
        glnn__profile quiet, busy;
        const double seconds = measure_simulated((glnn_stage)stage, 0, 0, &quiet);
        for (int fifth = 0; fifth < 3; ++fifth) {
            measure_simulated((glnn_stage)stage, seconds * fifth / 5, seconds * (fifth + 3) / 5,
                              &busy);
            assert_memory_equal(&busy, &quiet, sizeof quiet);
        }
    }
}

/* ---- A slow device */

/* The microseconds of a multiply-add. */
#define SLOW_US 0.1

static glnn_status simulate_slow(glnn_context *ctx, const glnn__pass *pass, int count, void *user,
                                 double *us)
{
    (void)ctx;
    simulation *s = user;
    const glnn__extent extent = pass->output->texture->extent;
    const double blocks = pass->region.width > 0 ? (double)pass->region.width * pass->region.height
                                                 : (double)extent.width * extent.height;
    const double all = (double)extent.width * extent.height;
    const double size = (double)pass->output->rows * pass->output->columns * blocks / all;
    const bool is_product = strncmp(pass->kernel->name, "ops/gemm", 8) == 0;
    const int inner = is_product ? pass->uniforms[GLNN__GEMM_INNER_END].i : 64;
    *us = count * (20 + SLOW_US * size * inner);
    s->now += 1e-6 * *us;
    return GLNN_OK;
}

/* Drawn whole, the passes would take more than half an hour. */
static void a_slow_device_is_measured_within_half_a_minute(void **state)
{
    (void)state;
    for (int stage = GLNN_STAGE_FRAGMENT; stage < GLNN_STAGE_AUTO; ++stage) {
        glnn__profile slow;
        glnn_context *ctx = glnn_test_context();
        const bool was_software = ctx->info.software;
        const unsigned all = (1u << GLNN__PROFILE_GROUPS) - 1;
        simulation s = {0};
        const glnn__stopwatch watch = {simulate_slow, simulated_seconds, &s};
        memset(&slow, 0, sizeof slow);
        ctx->info.software = false;
        expect_ok(glnn__gl_enter(ctx));
        expect_ok(
            glnn__gl_leave(ctx, glnn__measure_profile(ctx, (glnn_stage)stage, all, &watch, &slow)));
        ctx->info.software = was_software;
        assert_true(s.now < 30);
        const double *speeds = slow.products[GLNN__RENDERED(GLNN_LAYOUT_TILED)].speeds;
        for (int i = 1; i < GLNN__OCCUPANCIES; ++i)
            assert_true(fabs(speeds[i] * SLOW_US - 1) < 0.01);
    }
}

/* ---- Measuring anew */

/* Elements that a reduction is expected to read in a microsecond, by a file that says a
 * thousandth. */
static double reduction_speed(const char *cache, glnn_tuning tuning, bool measures)
{
    const glnn__profile *profile;
    glnn_context *ctx = context_with(cache, tuning);
    if (measures)
        expect_ok(glnn_context_measure(ctx));
    expect_ok(glnn__gl_enter(ctx));
    expect_ok(glnn__profile_for_plans(ctx, GLNN__PROFILE_REDUCTIONS, &profile));
    const double speed = profile->contiguous;
    expect_ok(glnn__gl_leave(ctx, GLNN_OK));
    glnn_context_destroy(ctx);
    return speed;
}

static void a_profile_is_measured_anew_by_a_call_and_by_a_tuning(void **state)
{
    (void)state;
    for (int call = 0; call < 2; ++call) {
        char cache[TREE_PATH];
        tree_make(cache);
        glnn_context *ctx = context_with(cache, GLNN_TUNING_QUICK);
        keep_line(ctx, "reductions", "1 1");
        glnn_context_destroy(ctx);
        assert_true(reduction_speed(cache, GLNN_TUNING_QUICK, false) < 2e-3);
        const double anew =
            reduction_speed(cache, call ? GLNN_TUNING_QUICK : GLNN_TUNING_AGAIN, call);
        assert_true(anew > 1);
        assert_true(reduction_speed(cache, GLNN_TUNING_QUICK, false) == anew);
        tree_remove(cache);
    }
    expect_error(glnn_context_measure(NULL), GLNN_E_ARG, "null");
}

/* A profile that expects products to take a thousand times as long as they do anywhere. */
static void keep_slow_profile(glnn_context *ctx)
{
    keep_line(ctx, "targets", "8000 8000000");
    keep_line(ctx, "images", "8000 8000000");
    keep_line(ctx, "blending", "8000000");
    keep_line(
        ctx, "tiled products",
        "1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000");
}

/* A product with a slow profile; returns its bits, and how many passes and waits it took. */
static array run_slow_product(glnn_context *ctx, glnn_counters *counters)
{
    enum { SIDE = 260 };
    glnn_matrix *a = random_matrix(ctx, GLNN_LAYOUT_TILED, SIDE, SIDE, 1);
    glnn_matrix *b = random_matrix(ctx, GLNN_LAYOUT_TILED, SIDE, SIDE, 2);
    glnn_matrix *c = random_matrix(ctx, GLNN_LAYOUT_TILED, SIDE, SIDE, 3);
    float *values = floats_new(SIDE * SIDE);
    glnn_context_reset_counters(ctx);
    expect_ok(glnn_gemm(ctx, &(glnn_gemm_desc){.slice = SIDE}, 1, a, b, 0.5f, c));
    *counters = counters_of(ctx);
    expect_ok(glnn_matrix_download(ctx, c, NULL, values, 0));
    glnn_matrix_destroy(a);
    glnn_matrix_destroy(b);
    glnn_matrix_destroy(c);
    return array_of_floats(SIDE, SIDE, values);
}

static void no_profile_has_a_software_rasteriser_cut_a_product(void **state)
{
    (void)state;
    glnn_counters counters;
    char cache[TREE_PATH];
    if (!glnn_test_context()->info.software)
        skip();
    tree_make(cache);
    glnn_context *ctx = context_with(cache, GLNN_TUNING_QUICK);
    keep_slow_profile(ctx);
    run_slow_product(ctx, &counters);
    assert_int_equal(counters.passes, 1);
    assert_int_equal(counters.waits, 0);
    glnn_context_destroy(ctx);
    tree_remove(cache);
}

/* By this profile, images are always faster. A host would have to wait for what they store to its
 * textures. */
static void neither_a_software_rasteriser_nor_a_shared_texture_is_written_by_images(void **state)
{
    (void)state;
    char cache[TREE_PATH];
    glnn_context *ctx;
    tree_make(cache);
    const glnn_context_desc desc = {
        .cache_dir = cache, .stage = GLNN_STAGE_FRAGMENT, .writes = GLNN_WRITES_AUTO};
    expect_ok(glnn_context_create(&desc, &ctx));
    keep_line(ctx, "targets", "8000 8000000");
    keep_line(ctx, "images", "1 8000000");
    glnn_matrix *out = random_matrix(ctx, GLNN_LAYOUT_TILED, 64, 64, 1);
    for (int is_software = 0; is_software < 2; ++is_software)
        for (int is_shared = 0; is_shared < 2; ++is_shared) {
            ctx->info.software = is_software;
            out->texture->is_shared = is_shared;
            assert_int_equal(glnn__pass_can_stack(ctx, out),
                             ctx->has_images && !is_software && !is_shared);
        }
    out->texture->is_shared = false;
    glnn_matrix_destroy(out);
    glnn_context_destroy(ctx);
    tree_remove(cache);
}

/* By the profile the product takes 17 s. A program that was never timed is taken to be ten times as
 * slow as that; a first row of blocks and a second one show that it is far faster. */
static void strips_follow_the_time_that_passes_take_and_change_no_bit(void **state)
{
    (void)state;
    glnn_counters first, second, whole;
    char cache[TREE_PATH];
    tree_make(cache);
    const glnn_context_desc desc = {.cache_dir = cache, .pass_limit_ms = 100e3};
    glnn_context *ctx;
    expect_ok(glnn_context_create(&desc, &ctx));
    keep_slow_profile(ctx);
    const array cut = run_slow_product(ctx, &first);
    const array timed = run_slow_product(ctx, &second);
    glnn_context_destroy(ctx);
    assert_int_equal(first.passes, 3);
    assert_int_equal(second.passes, 1);
    assert_int_equal(second.waits, 0);
    ctx = context_with("", GLNN_TUNING_OFF);
    const array at_once = run_slow_product(ctx, &whole);
    glnn_context_destroy(ctx);
    expect_same_bits(cut, at_once, "a product in strips");
    expect_same_bits(timed, at_once, "a product that was timed");
    tree_remove(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_tuning_or_a_place_to_keep_it_nothing_is_measured),
        TEST(a_profile_that_is_not_kept_changes_no_plan),
        TEST(the_stage_is_chosen_by_the_built_in_profile_where_nothing_is_measured),
        TEST(a_driver_without_binaries_has_a_profile_all_the_same),
        TEST(processor_time_has_small_steps_under_a_limit_too),
        TEST(a_busy_machine_has_the_profile_of_a_quiet_one),
        TEST(a_slow_device_is_measured_within_half_a_minute),
        TEST(a_profile_is_measured_anew_by_a_call_and_by_a_tuning),
        TEST(no_profile_has_a_software_rasteriser_cut_a_product),
        TEST(neither_a_software_rasteriser_nor_a_shared_texture_is_written_by_images),
        TEST(strips_follow_the_time_that_passes_take_and_change_no_bit),
    };
    return cmocka_run_group_tests_name("profile", tests, test_group_setup, test_group_teardown);
}
