/* The variants that passes get by the device profile. */
#include "support/support.h"

#include "pass/variant.h"

static const glnn__kernel reading = {.name = "reading", .operands = {"X"}};
static const glnn__kernel deciding = {.name = "deciding", .operands = {"X"}, .has_fetching = true};

/* Tiles are read faster at sampled coordinates, other layouts are not. */
static glnn_status ask_profile(glnn_context *ctx, glnn_stage stage, unsigned groups,
                               const glnn__profile **out)
{
    static glnn__profile profile;
    (void)groups;
    profile = *glnn__profile_builtin(ctx, stage);
    for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_PAGED; ++layout) {
        glnn__products *products = &profile.products[GLNN__RENDERED(layout)];
        const double speed = products->speeds[GLNN__OCCUPANCIES - 1];
        products->sampled = layout == GLNN_LAYOUT_TILED ? 2 * speed : 0.5 * speed;
    }
    *out = &profile;
    return GLNN_OK;
}

static glnn__fetching fetching_of(const glnn__pass *pass)
{
    glnn_context *ctx = glnn_test_context();
    glnn__device *device = glnn__device_of(ctx);
    const glnn__device former = *device;
    glnn__variant variant;
    device->ask_profile = ask_profile;
    expect_ok(glnn__choose_variant(ctx, pass, &variant));
    *device = former;
    return (glnn__fetching)variant.fetching;
}

static glnn__pass pass_over(glnn_layout layout, int rows, int columns, glnn_matrix *output)
{
    return (glnn__pass){.kernel = &reading,
                        .operands = {{.matrix = matrix_zero(rows, columns, layout)}},
                        .output = output};
}

static void large_matrices_are_read_as_the_profile_says(void **state)
{
    (void)state;
    glnn_matrix *row = matrix_zero(1, 512, GLNN_LAYOUT_TILED);
    const struct {
        glnn__pass pass;
        glnn__fetching want;
    } cases[] = {
        {pass_over(GLNN_LAYOUT_TILED, 512, 512, row), GLNN__FETCHING_SAMPLES},
        {pass_over(GLNN_LAYOUT_TILED, 511, 512, row), GLNN__FETCHING_TEXELS},
        {pass_over(GLNN_LAYOUT_PACKED, 512, 512, row), GLNN__FETCHING_TEXELS},
        {pass_over(GLNN_LAYOUT_PAGED, 512, 512, row), GLNN__FETCHING_TEXELS},
        {pass_over(GLNN_LAYOUT_TILED, 1, 512, matrix_zero(512, 512, GLNN_LAYOUT_TILED)),
         GLNN__FETCHING_SAMPLES},
        {{.kernel = &reading, .output = matrix_zero(512, 512, GLNN_LAYOUT_TILED)},
         GLNN__FETCHING_TEXELS},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        if (fetching_of(&cases[i].pass) != cases[i].want)
            fail_at(__FILE__, __LINE__, "case %zu is not fetched in way %d", i, cases[i].want);
}

static void passes_that_read_small_matrices_often_say_so(void **state)
{
    (void)state;
    glnn__pass pass = pass_over(GLNN_LAYOUT_TILED, 8, 8, matrix_zero(8, 8, GLNN_LAYOUT_TILED));
    pass.fetches = 1 << 18;
    assert_int_equal(fetching_of(&pass), GLNN__FETCHING_SAMPLES);
    pass.fetches = (1 << 18) - 1;
    assert_int_equal(fetching_of(&pass), GLNN__FETCHING_TEXELS);
}

static void products_and_measured_passes_decide_for_themselves(void **state)
{
    (void)state;
    const glnn__way way = {GLNN_STAGE_FRAGMENT, GLNN_WRITES_TARGETS};
    glnn__pass pass = pass_over(GLNN_LAYOUT_TILED, 512, 512, matrix_zero(4, 4, GLNN_LAYOUT_TILED));
    pass.way = &way;
    assert_int_equal(fetching_of(&pass), GLNN__FETCHING_TEXELS);
    pass.way = NULL;
    pass.kernel = &deciding;
    assert_int_equal(fetching_of(&pass), GLNN__FETCHING_TEXELS);
    pass.fetching = GLNN__FETCHING_SAMPLES;
    assert_int_equal(fetching_of(&pass), GLNN__FETCHING_SAMPLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(large_matrices_are_read_as_the_profile_says),
        TEST(passes_that_read_small_matrices_often_say_so),
        TEST(products_and_measured_passes_decide_for_themselves),
    };
    return cmocka_run_group_tests_name("choose", tests, test_group_setup, test_group_teardown);
}
