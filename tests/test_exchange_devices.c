/* Processes with the same device plan as rank 0 does, and devices of different speed have shares of
 * different size. */
#include "support/together.h"

#include "device/profiler.h"
#include "gl/gl.h"
#include "learn/train/exchange_plan.h"

static outcome two[2];

/* ---- Plans */

static bool is_other; /* rank 1 has another device */

/* The profile of rank 1 says that only products with many fragments are fast, so that long products
 * are cut into slices. */
static void plan_otherwise(const team_member *self, glnn_network_desc *network,
                           glnn_train_desc *training)
{
    glnn__planning planning;
    (void)network;
    (void)training;
    if (self->rank == 0)
        return;
    expect_ok(glnn__profiler_give(self->ctx, &planning));
    for (int layout = 0; layout < GLNN__RENDERED_LAYOUTS; ++layout)
        for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
            planning.profile.products[layout].speeds[i] = i < GLNN__OCCUPANCIES - 1 ? 1 : 1e6;
    planning.profile.targets = planning.profile.images = (glnn__writing){1, 1e6};
    planning.tuning = GLNN_TUNING_QUICK;
    expect_ok(glnn__profiler_take(self->ctx, &planning));
    if (is_other)
        ((char *)self->ctx->info.renderer)[0] = '?';
}

/* Each process adds 288 products, which is long enough for slices. The layer gathers activations,
 * because 2 M N / (M + N) is 656. */
static together wide(void)
{
    random_seed(11);
    return (together){
        .network = {.features = 656,
                    .layers = {{.units = 656, .activation = GLNN_ACTIVATION_TANH}, {.units = 3}},
                    .capacity = 288,
                    .seed = 3},
        .training = {.epochs = 1,
                     .batch = 576,
                     .schedule.rate = 0.05f,
                     .seed = 8,
                     .exchange.kind = GLNN_EXCHANGE_ACTIVATIONS},
        .samples = samples_random(576, 656, 3, true),
        .change = plan_otherwise,
    };
}

static bool have_same_bits(void)
{
    return two[0].count == two[1].count &&
           memcmp(two[0].numbers, two[1].numbers, two[0].count * sizeof(float)) == 0;
}

static void equal_devices_plan_as_rank_0_does_and_end_with_the_same_bits(void **state)
{
    (void)state;
    const together how = wide();
    is_other = false;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_trained(two, 2);
    assert_true(have_same_bits());
}

/* Whether these profiles lead to other sums depends on what the device can do. */
static bool sums_differ(void)
{
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    return info.software;
}

static void other_devices_keep_their_profile_so_that_activations_drift_apart(void **state)
{
    (void)state;
    const together how = wide();
    is_other = true;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_trained(two, 2);
    if (sums_differ())
        assert_false(have_same_bits());
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "rank 1 computes on ?"));
    log_clear();
}

/* ---- Shares by speed */

static void expect_weights(int ranks, const uint64_t *devices, const double *seconds,
                           const double *wanted)
{
    glnn__speed speeds[8] = {{0, 0}};
    double weights[8];
    for (int r = 0; r < ranks; ++r)
        speeds[r] = (glnn__speed){devices[r], seconds[r]};
    glnn__exchange_plan_weigh(ranks, speeds, weights);
    for (int r = 0; r < ranks; ++r)
        assert_true(weights[r] == wanted[r]);
}

static void equal_devices_have_equal_weights_whatever_was_measured(void **state)
{
    (void)state;
    expect_weights(3, (const uint64_t[]){7, 7, 7}, (const double[]){1, 5, 2},
                   (const double[]){1, 1, 1});
    expect_weights(4, (const uint64_t[]){7, 9, 7, 9}, (const double[]){1, 4, 3, 2},
                   (const double[]){1, 0.5, 1, 0.5});
}

static void devices_of_nearly_the_same_speed_have_equal_weights(void **state)
{
    (void)state;
    expect_weights(2, (const uint64_t[]){7, 9}, (const double[]){1, 1.24}, (const double[]){1, 1});
    expect_weights(2, (const uint64_t[]){7, 9}, (const double[]){1.4, 1},
                   (const double[]){0.75, 1});
}

static void weights_are_eighths_of_the_greatest_and_none_is_zero(void **state)
{
    (void)state;
    expect_weights(3, (const uint64_t[]){1, 2, 3}, (const double[]){100, 3, 1},
                   (const double[]){0.125, 0.375, 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(equal_devices_plan_as_rank_0_does_and_end_with_the_same_bits),
        LEARNING_TEST(other_devices_keep_their_profile_so_that_activations_drift_apart),
        cmocka_unit_test(equal_devices_have_equal_weights_whatever_was_measured),
        cmocka_unit_test(devices_of_nearly_the_same_speed_have_equal_weights),
        cmocka_unit_test(weights_are_eighths_of_the_greatest_and_none_is_zero),
    };
    return cmocka_run_group_tests_name("exchange devices", tests, test_group_setup,
                                       test_group_teardown);
}
