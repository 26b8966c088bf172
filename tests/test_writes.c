/* How the fragment stage writes: that it is chosen as described, and that render targets and images
 * get the same bits. Operations by images are in the tests of the operations, which run both
 * ways. */
#include "support/learning.h"

#include <glnn/copy.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

static const glnn_writes both[] = {GLNN_WRITES_TARGETS, GLNN_WRITES_IMAGES};

static glnn_context *context_writing(glnn_writes writes)
{
    const glnn_context_desc desc = {
        .stage = GLNN_STAGE_FRAGMENT, .writes = writes, .debug = true, .cache_dir = ""};
    glnn_context *ctx = NULL;
    expect_ok(glnn_context_create(&desc, &ctx));
    return ctx;
}

static glnn_writes writes_of(glnn_context *ctx)
{
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(ctx, &info));
    glnn_context_destroy(ctx);
    return info.writes;
}

static void the_environment_chooses_where_the_description_does_not(void **state)
{
    (void)state;
    glnn_context *ctx = NULL;
    unsetenv("GLNN_WRITES");
    assert_int_equal(writes_of(context_writing(GLNN_WRITES_DEFAULT)), GLNN_WRITES_AUTO);
    setenv("GLNN_WRITES", "images", 1);
    assert_int_equal(writes_of(context_writing(GLNN_WRITES_DEFAULT)), GLNN_WRITES_IMAGES);
    assert_int_equal(writes_of(context_writing(GLNN_WRITES_AUTO)), GLNN_WRITES_AUTO);
    assert_int_equal(writes_of(context_writing(GLNN_WRITES_TARGETS)), GLNN_WRITES_TARGETS);
    setenv("GLNN_WRITES", "paper", 1);
    expect_error(glnn_context_create(NULL, &ctx), GLNN_E_ARG,
                 "$GLNN_WRITES: \"paper\" is not one of default, auto, targets, images");
    unsetenv("GLNN_WRITES");
    expect_error(glnn_context_create(&(glnn_context_desc){.writes = GLNN_WRITES_COUNT}, &ctx),
                 GLNN_E_ARG, "writes is 4");
}

/* One that writes by targets, one by images. */
static void contexts_of_both_ways(glnn_context *out[2])
{
    for (size_t i = 0; i < COUNT_OF(both); ++i) {
        setenv("GLNN_WRITES", glnn_writes_name(both[i]), 1);
        out[i] = context_new(0, 0);
        unsetenv("GLNN_WRITES");
    }
}

/* Calls `compute` with either context, and compares what it returns. */
static void expect_same_both_ways(glnn_context *const contexts[2],
                                  array (*compute)(glnn_layout layout, int size),
                                  glnn_layout layout, int size, const char *what)
{
    array values[2];
    for (size_t i = 0; i < COUNT_OF(both); ++i) {
        context_use(contexts[i]);
        random_seed(7);
        values[i] = compute(layout, size);
    }
    expect_same_bits(values[0], values[1], "%s of %d into %s", what, size,
                     glnn_layout_name(layout));
}

/* Adding to what a matrix holds, by blending or in the shader, into a whole and into a part. */
static array add_up(glnn_layout layout, int size)
{
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_of(array_random(size, size + 3, -2, 2), layout);
    glnn_matrix *y = matrix_of(array_random(size, size + 3, -2, 2), layout);
    const glnn_rect rect = {0, 0, (size + 1) / 2, (size + 1) / 2};
    expect_ok(glnn_axpby(ctx, 0.3f, x, -0.7f, y));
    expect_ok(glnn_copy_rect(ctx, x, &rect, y, 0, 0));
    return values_of(y);
}

static array transpose_and_reduce(glnn_layout layout, int size)
{
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_of(array_random(size, 2 * size, -2, 2), layout);
    glnn_matrix *y = matrix_zero(2 * size, size, layout);
    glnn_matrix *sums = matrix_zero(2 * size, 1, layout);
    expect_ok(glnn_transpose(ctx, x, y));
    expect_ok(glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ROWS, y, sums));
    return values_of(sums);
}

/* Trains a network for some steps and returns its parameters; `optimizer` is a place below. */
static array learn(glnn_layout layout, int optimizer)
{
    static const glnn_optimizer optimizers[] = {
        {.weight_decay = 0.1f},
        {.momentum = 0.9f},
        {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f, .weight_decay = 0.1f},
        {.kind = GLNN_OPTIMIZER_ADAM, .weight_decay = 0.1f},
    };
    const glnn_network_desc desc = {
        .features = 9,
        .layers = {{.units = 13, .activation = GLNN_ACTIVATION_TANH}, {.units = 5}},
        .optimizer = optimizers[optimizer],
        .layout = layout,
        .capacity = 8,
        .seed = 3};
    const glnn_train_desc train = {.epochs = 2, .batch = 13, .schedule.rate = 0.05f};
    glnn_learner *network = network_of(&desc);
    expect_ok(
        glnn_learner_train(network, dataset_of(samples_random(50, 9, 5, true)), &train, NULL));
    return weights_of(network, 0);
}

static void results_are_the_same_bits(void **state)
{
    (void)state;
    static const int sizes[] = {1, 5, 17, 33};
    glnn_context *contexts[2];
    contexts_of_both_ways(contexts);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
            expect_same_both_ways(contexts, add_up, layout, sizes[i], "a sum");
            expect_same_both_ways(contexts, transpose_and_reduce, layout, sizes[i], "a reduction");
        }
        for (int optimizer = 0; optimizer < 4; ++optimizer)
            expect_same_both_ways(contexts, learn, layout, optimizer, "learning by optimizer");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_environment_chooses_where_the_description_does_not),
        LEARNING_TEST(results_are_the_same_bits),
    };
    return cmocka_run_group_tests_name("writes", tests, test_group_setup, test_group_teardown);
}
