/* Matrix products with windows of images: convolutions, their gradients, and how they are read. */
#include "support/reference.h"
#include "support/window_reference.h"

#include "ops/gemm/plan.h"

typedef enum part { OUTPUTS, WEIGHTS, INPUTS, PARTS } part;

static const char *const part_names[] = {"outputs", "gradient of weights", "gradient of inputs"};

typedef struct problem_layouts {
    glnn_layout a, b, c;
    glnn_storage stored_a, stored_b;
} problem_layouts;

/* A product with windows, and what it has to be. */
typedef struct windowed {
    glnn__product product;
    expected want;
} windowed;

static windowed make_outputs(const convolution *c, const problem_layouts *as)
{
    const glnn__sides grid = grid_of(c);
    const array pixels = array_stored(
        array_random(c->samples * c->image.height * c->image.width, c->channels, -1, 1),
        as->stored_a);
    const array weights = array_stored(window_weights(c), as->stored_b);
    const glnn_gemm_desc desc = {.augment = true, .activation = GLNN_MAP_TANH};
    return (windowed){
        {.a = matrix_stored(pixels, as->a, as->stored_a),
         .b = matrix_stored(weights, as->b, as->stored_b),
         .c = matrix_zero(c->samples * grid.height * grid.width, c->outputs, as->c),
         .alpha.f = 1,
         .augment = true,
         .activation = GLNN_MAP_TANH,
         .window = forward_window(c)},
        reference_gemm(&desc, 1, 0,
                       &(gemm_operands){.a = window_rows(c, pixels), .b = ungrouped(c, weights)})};
}

static windowed make_weights(const convolution *c, const problem_layouts *as)
{
    const glnn__sides grid = grid_of(c);
    const array pixels = array_stored(
        array_random(c->samples * c->image.height * c->image.width, c->channels, -1, 1),
        as->stored_a);
    const array delta = array_stored(
        array_random(c->samples * grid.height * grid.width, c->outputs, -1, 1), as->stored_b);
    const glnn_gemm_desc desc = {.augment = true, .transpose_a = true};
    return (windowed){
        {.a = matrix_stored(pixels, as->a, as->stored_a),
         .b = matrix_stored(delta, as->b, as->stored_b),
         .c = matrix_zero(group_lines_of(c) + 1, c->outputs, as->c),
         .alpha.f = 0.5f,
         .augment = true,
         .transpose_a = true,
         .window = forward_window(c)},
        grouped_gradient(
            c, reference_gemm(&desc, 0.5f, 0,
                              &(gemm_operands){.a = window_rows(c, pixels), .b = delta}))};
}

static windowed make_inputs(const convolution *c, const problem_layouts *as)
{
    const glnn__sides grid = grid_of(c);
    const int pixels = c->samples * c->image.height * c->image.width;
    const array delta = array_stored(
        array_random(c->samples * grid.height * grid.width, c->outputs, -1, 1), as->stored_a);
    const array weights = array_stored(window_weights(c), as->stored_b);
    const array y = array_random(pixels, c->channels, 0.05, 0.95);
    const glnn_gemm_desc desc = {.derivative = GLNN_MAP_SIGMOID};
    return (windowed){
        {.a = matrix_stored(delta, as->a, as->stored_a),
         .b = matrix_stored(weights, as->b, as->stored_b),
         .derivative_of = matrix_of(y, as->b),
         .c = matrix_zero(pixels, c->channels, as->c),
         .alpha.f = 1,
         .transpose_b = true,
         .derivative = GLNN_MAP_SIGMOID,
         .window = backward_window(c)},
        reference_gemm(&desc, 1, 0,
                       &(gemm_operands){.a = backward_windows_of(c, delta),
                                        .b = backward_weights_of(c, ungrouped(c, weights)),
                                        .y = y})};
}

static windowed make(part which, const convolution *c, const problem_layouts *as)
{
    return which == OUTPUTS   ? make_outputs(c, as)
           : which == WEIGHTS ? make_weights(c, as)
                              : make_inputs(c, as);
}

static void expect_windowed(part which, const convolution *c, const windowed *w, const char *how)
{
    const glnn_matrix *const matrices[] = {w->product.a, w->product.b, w->product.c};
    expect_close(w->product.c, w->want,
                 "%s of %d samples of %d x %d x %d to %d, kernel %d x %d, stride %d x %d, padding "
                 "%d x %d, %d groups, %s %s %s, %s",
                 part_names[which], c->samples, c->channels, c->image.height, c->image.width,
                 c->outputs, c->kernel.height, c->kernel.width, c->stride.height, c->stride.width,
                 c->padding.height, c->padding.width, c->groups,
                 glnn_layout_name(matrices[0]->layout), glnn_layout_name(matrices[1]->layout),
                 glnn_layout_name(matrices[2]->layout), how);
}

static void check(const convolution *c, problem_layouts as)
{
    for (part which = OUTPUTS; which < PARTS; ++which) {
        const windowed w = make(which, c, &as);
        expect_ok(glnn__product_run(glnn_test_context(), &w.product));
        expect_windowed(which, c, &w, "as planned");
        release_all();
    }
}

static const convolution convolutions[] = {
    {1, 1, 1, {1, 1}, {1, 1}, {1, 1}, {0, 0}, 1, {1, 1}},
    {2, 3, 5, {4, 8}, {1, 1}, {1, 1}, {0, 0}, 1, {1, 1}},
    {2, 1, 6, {7, 9}, {5, 5}, {1, 1}, {2, 2}, 1, {1, 1}},
    {3, 6, 16, {7, 6}, {5, 5}, {1, 1}, {0, 0}, 1, {1, 1}},
    {1, 4, 9, {5, 12}, {3, 3}, {1, 1}, {1, 1}, 1, {1, 1}},
    {2, 5, 3, {9, 8}, {2, 3}, {2, 1}, {0, 2}, 1, {1, 1}},
    {1, 8, 7, {11, 13}, {3, 2}, {3, 2}, {3, 1}, 1, {1, 1}},
    {2, 9, 4, {4, 3}, {5, 4}, {2, 3}, {2, 3}, 1, {1, 1}},
    {5, 2, 10, {3, 3}, {2, 2}, {3, 3}, {1, 0}, 1, {1, 1}},
    {1, 7, 8, {2, 16}, {1, 5}, {1, 2}, {0, 2}, 1, {1, 1}},
    {2, 6, 5, {8, 8}, {5, 5}, {2, 2}, {1, 1}, 1, {1, 1}},
    {1, 3, 4, {9, 7}, {1, 1}, {2, 3}, {0, 0}, 1, {1, 1}},
    {3, 5, 6, {6, 10}, {2, 3}, {4, 5}, {1, 2}, 1, {1, 1}},
    {2, 4, 9, {16, 5}, {4, 2}, {3, 2}, {5, 1}, 1, {1, 1}},
    {2, 12, 24, {5, 6}, {3, 2}, {1, 1}, {1, 0}, 3, {1, 1}},
    {1, 16, 32, {7, 7}, {2, 3}, {2, 2}, {0, 1}, 2, {1, 1}},
    {3, 20, 20, {4, 5}, {3, 3}, {1, 1}, {1, 1}, 5, {1, 1}},
    /* With dilations that share no divisor with the stride, one, and all. */
    {2, 5, 6, {9, 8}, {3, 2}, {1, 1}, {2, 0}, 1, {2, 3}},
    {2, 6, 5, {13, 12}, {3, 4}, {2, 3}, {1, 4}, 1, {3, 2}},
    {1, 4, 9, {15, 17}, {4, 3}, {4, 6}, {3, 2}, 1, {6, 4}},
    {2, 7, 8, {11, 9}, {4, 5}, {3, 2}, {4, 0}, 1, {3, 2}},
    {1, 16, 32, {9, 11}, {2, 3}, {2, 3}, {0, 1}, 2, {2, 4}},
};

/* On TILED and on another layout: the layers of tests/test_convolution.c have all of them. */
static void convolutions_and_their_gradients_agree_with_the_reference(void **state)
{
    (void)state;
    for (int i = 0; i < (int)COUNT_OF(convolutions); ++i)
        for (int j = 0; j < 2; ++j) {
            const glnn_layout layout = rendered_layout(j * (1 + i % 2));
            if (case_is_left_out(i + j))
                continue;
            check(&convolutions[i], (problem_layouts){layout, layout, layout, 0, 0});
        }
}

static void windows_take_any_mix_of_layouts_and_storages(void **state)
{
    (void)state;
    for (int i = 0; i < RENDERED_COUNT * RENDERED_COUNT * RENDERED_COUNT; ++i) {
        const problem_layouts as = {rendered_layout(i), rendered_layout(i / RENDERED_COUNT),
                                    rendered_layout(i / RENDERED_COUNT / RENDERED_COUNT),
                                    i % 2 ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32,
                                    i % 3 ? GLNN_STORAGE_FLOAT32 : GLNN_STORAGE_FLOAT16};
        if (!case_is_left_out(i + i / RENDERED_COUNT + i / RENDERED_COUNT / RENDERED_COUNT))
            check(&convolutions[5 + i % 2], as);
    }
}

/* Large enough for all cuts; no number of pixels is a multiple of a block. Each cut meets each part
 * and layout with one of the convolutions, which take the ways to fetch in turn, so that each cut
 * meets all of them. */
static void every_cut_of_a_product_with_windows_agrees_with_the_reference(void **state)
{
    (void)state;
    static const convolution large[] = {
        {3, 18, 33, {9, 10}, {3, 3}, {1, 1}, {1, 1}, 1, {1, 1}},
        {3, 17, 34, {12, 8}, {3, 2}, {2, 1}, {0, 1}, 1, {1, 1}},
        {4, 10, 35, {11, 9}, {5, 5}, {2, 2}, {1, 2}, 1, {1, 1}},
        {2, 64, 64, {6, 5}, {3, 3}, {1, 1}, {1, 1}, 2, {1, 1}},
        {3, 24, 40, {9, 7}, {3, 3}, {2, 1}, {1, 0}, 2, {1, 1}},
    };
    glnn_context *ctx = glnn_test_context();
    for (size_t i = 0; i < COUNT_OF(large); ++i)
        for (int turn = 0; turn < PARTS * RENDERED_COUNT; ++turn) {
            const part which = (part)(turn / RENDERED_COUNT);
            const glnn_layout layout = rendered_layout(turn);
            windowed w = make(which, &large[i], &(problem_layouts){layout, layout, layout, 0, 0});
            glnn__product_complete(ctx, &w.product);
            w.product.can_stack = glnn__pass_can_stack(ctx, w.product.c);
            glnn__plan cuts[GLNN__MAX_CUTS];
            const int count = glnn__cost_cuts(ctx, &w.product, cuts);
            for (int c = 0; c < count; ++c) {
                const int fetch = c + (int)i;
                if (!all_cases_are_run() && (size_t)(c + turn) % COUNT_OF(large) != i)
                    continue;
                glnn__plan plan = cuts[c];
                char text[256];
                plan.fetching = (glnn__fetching)(fetch & 1);
                plan.blocking.layered[0] = plan.blocking.layered[1] = fetch >> 1 & 1;
                expect_ok(glnn__gl_enter(ctx));
                glnn__plan_complete(ctx, &w.product, &plan);
                expect_ok(glnn__gl_leave(ctx, glnn__plan_run(ctx, &w.product, &plan)));
                glnn__plan_describe(ctx, &w.product, &plan, text, sizeof text);
                expect_windowed(which, &large[i], &w, text);
            }
            release_all();
        }
}

/* The rows of the weights that pad the channels stay zero while training. */
static void channels_that_pad_have_no_gradient(void **state)
{
    (void)state;
    const convolution c = {2, 5, 3, {6, 5}, {3, 2}, {1, 1}, {1, 0}, 1, {1, 1}};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const windowed w = make(WEIGHTS, &c, &(problem_layouts){layout, layout, layout, 0, 0});
        expect_ok(glnn__product_run(glnn_test_context(), &w.product));
        const array gradient = values_of(w.product.c);
        for (int line = 0; line < group_lines_of(&c); ++line)
            for (int o = 0; o < c.outputs && line % 8 >= c.channels; ++o)
                assert_true(*at(gradient, line, o) == 0.0);
        release_all();
    }
}

static void two_runs_have_the_same_bits(void **state)
{
    (void)state;
    const problem_layouts tiled = {GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED, 0, 0};
    for (part which = OUTPUTS; which < PARTS; ++which) {
        const windowed w = make(which, &convolutions[3], &tiled);
        expect_ok(glnn__product_run(glnn_test_context(), &w.product));
        const array first = values_of(w.product.c);
        expect_ok(glnn__product_run(glnn_test_context(), &w.product));
        expect_same_bits(values_of(w.product.c), first, "%s", part_names[which]);
        release_all();
    }
}

/* In numbers of blocks that do and do not fill the last row of texels. The fragments of a wrapped
 * output do not share, which adds in another order. */
static void wrapped_textures_change_no_bits(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    static const glnn_layout layouts[] = {GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED,
                                          GLNN_LAYOUT_UNPACKED};
    for (int number = 0; number < 2 * 3 * PARTS; ++number) {
        if (case_is_left_out(number + number / 3))
            continue;
        const glnn_layout layout = layouts[number % 3];
        const int side = 7 + number / 3 % 2;
        const part which = (part)(number / 6);
        const convolution c = {8, 6, 5, {side, side}, {3, 3}, {1, 1}, {1, 1}, 1, {1, 1}};
        const windowed w = make(which, &c, &(problem_layouts){layout, layout, layout, 0, 0});
        expect_ok(glnn__product_run(ctx, &w.product));
        const array plain = values_of(w.product.c);
        const bool shares = glnn__pass_can_share(ctx, w.product.c);
        matrix_wrapped((glnn_matrix *)w.product.a, 2);
        matrix_wrapped(w.product.c, 1 + number % 3);
        expect_ok(glnn__product_run(ctx, &w.product));
        if (shares)
            expect_windowed(which, &c, &w, "wrapped");
        else
            expect_same_bits(values_of(w.product.c), plain, "%s of images of %d", part_names[which],
                             side);
        release_all();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(convolutions_and_their_gradients_agree_with_the_reference),
        TEST(windows_take_any_mix_of_layouts_and_storages),
        TEST(every_cut_of_a_product_with_windows_agrees_with_the_reference),
        TEST(channels_that_pad_have_no_gradient),
        TEST(two_runs_have_the_same_bits),
        TEST(wrapped_textures_change_no_bits),
    };
    return cmocka_run_group_tests_name("windows", tests, test_group_setup, test_group_teardown);
}
