/* Gradients that processes exchange in 16 bits. */
#include "support/together.h"

static outcome one[1], two[2], three[3], again[3];

static void networks_learn_as_with_32_bits(void **state)
{
    (void)state;
    together how = dense();
    train_together(&how, &(team_desc){.ranks = 1}, one);
    how.training.exchange.gradient_storage = GLNN_STORAGE_FLOAT16;
    train_together(&how, &(team_desc){.ranks = 2}, two);
    expect_trained(two, 2);
    expect_same_on_all(two, 2);
    expect_near(&two[0], &one[0], 1e-12, "half");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(networks_learn_as_with_32_bits),
    };
    return cmocka_run_group_tests_name("exchange half", tests, test_group_setup,
                                       test_group_teardown);
}
