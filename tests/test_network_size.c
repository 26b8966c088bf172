/* Networks that are too large for the device or for its budget. */
#include "support/learning.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const glnn_network_desc sound = {.features = 3, .layers = {{.units = 2}}};

static void samples_of_too_many_numbers_exceed_a_limit(void **state)
{
    (void)state;
    glnn_learner *network;
    const glnn_network_desc desc = {.shape = {65536, 65536, 2}, .layers = {{.units = 1}}};
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_LIMIT,
                 "a sample of 65536 channels of 65536 x 2 has too many numbers; there can be "
                 "2147483646");
}

static void networks_as_wide_as_an_int_are_refused(void **state)
{
    (void)state;
    static const int widths[] = {INT_MAX, INT_MAX - 1, INT_MAX - 2};
    for (size_t i = 0; i < COUNT_OF(widths); ++i) {
        const int w = widths[i];
        const glnn_network_desc wide[] = {
            {.features = w, .layers = {{.units = 2}}},
            {.features = 3, .layers = {{.units = w}}},
            {.features = 3, .layers = {{.units = w}, {.units = 2}}},
            {.features = w, .layers = {{.units = w}, {.units = w}}, .capacity = w},
            {.features = 3, .layers = {{.units = 2}}, .capacity = w},
        };
        for (size_t k = 0; k < COUNT_OF(wide); ++k) {
            glnn_learner *network = NULL;
            const glnn_status status = glnn_network_create(glnn_test_context(), &wide[k], &network);
            if (status != GLNN_E_LIMIT || !strstr(glnn_last_error(), "21474836"))
                fail_at(__FILE__, __LINE__, "network %zu, width %d: %s: %s", k, w,
                        glnn_status_name(status), glnn_last_error());
            assert_null(network);
        }
    }
}

/* Parameters are wrapped in a texture, but a sample is a row, which cannot be. */
static void a_sample_that_is_too_wide_for_a_texture_is_refused(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    const int widest = 4 * info.max_texture_size;
    glnn_network_desc desc = {
        .features = widest + 1, .layers = {{.units = 1}}, .layout = GLNN_LAYOUT_PACKED};
    char part[96];
    snprintf(part, sizeof part,
             "glnn_network_create: the input: the numbers of a sample: 1 x %d elements",
             widest + 1);
    glnn_learner *network = NULL;
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_LIMIT, part);
    desc.features = 1;
    desc.layers[1].units = widest + 1;
    desc.layers[2].units = 1;
    snprintf(part, sizeof part, "layer 1, dense: the numbers of a sample: 1 x %d elements",
             widest + 1);
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_LIMIT, part);
    desc.features = desc.layers[1].units = widest;
    network_of(&desc);
}

static void a_layer_whose_batch_is_too_large_is_named(void **state)
{
    (void)state;
    context_use(context_new(1000000, 0));
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 3,
                                        .layers = {{.units = 5}, {.units = 300}, {.units = 2}},
                                        .layout = GLNN_LAYOUT_PACKED});
    const glnn_dataset *data = dataset_of(samples_random(700, 3, 2, true));
    expect_error(
        glnn_learner_train(network, data, &(glnn_train_desc){.batch = GLNN_FULL_BATCH}, NULL),
        GLNN_E_LIMIT,
        "glnn_learner_train: layer 1, dense, gives 300 x 1 x 1 numbers for each of 700 samples: "
        "delta: needs 840000 bytes of texture, but ");
    assert_non_null(strstr(glnn_last_error(), " of the budget of 1000000 bytes are in use"));
    network_of(&sound);
}

static void the_layer_with_the_most_pixels_is_named(void **state)
{
    (void)state;
    context_use(context_new(100000, 0));
    const glnn_network_desc desc = {
        .shape = {1, 16, 16},
        .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 48, .kernel = {3, 3}},
                   {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
                   {.kind = GLNN_LAYER_FLATTEN},
                   {.units = 2}}};
    glnn_learner *network = NULL;
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_LIMIT,
                 "bytes, more than half of the texture budget of 100000 bytes; layer 0, "
                 "convolution, with 48 x 14 x 14 numbers, takes 75264 of them");
    assert_null(network);
}

static void networks_that_do_not_fit_say_so_and_leave_nothing_behind(void **state)
{
    (void)state;
    glnn_context *small = context_new(100000, 0.0);
    const glnn_network_desc wide = {.features = 3, .layers = {{.units = 5}, {.units = 3000000}}};
    const glnn_network_desc large = {
        .features = 100, .layers = {{.units = 100}, {.units = 500}}, .capacity = 8};
    glnn_learner *network = NULL;
    expect_error(glnn_network_create(small, &wide, &network), GLNN_E_LIMIT, "3000000");
    expect_error(glnn_network_create(small, &large, &network), GLNN_E_LIMIT, "100000");
    assert_null(network);
    context_use(small);
    network_of(&sound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(samples_of_too_many_numbers_exceed_a_limit),
        LEARNING_TEST(networks_as_wide_as_an_int_are_refused),
        LEARNING_TEST(a_sample_that_is_too_wide_for_a_texture_is_refused),
        LEARNING_TEST(a_layer_whose_batch_is_too_large_is_named),
        LEARNING_TEST(the_layer_with_the_most_pixels_is_named),
        LEARNING_TEST(networks_that_do_not_fit_say_so_and_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("network size", tests, test_group_setup,
                                       test_group_teardown);
}
