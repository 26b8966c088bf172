/* Several processes train a network together as one does. Error bounds: a sum in another order
 * differs by rounding, which the steps of an epoch carry on. */
#include "support/together.h"

static outcome one[1], two[2], three[3], again[3];

static void expect_success(const outcome *outcomes, int ranks)
{
    for (int r = 0; r < ranks; ++r)
        if (outcomes[r].status)
            fail_at(__FILE__, __LINE__, "rank %d of %d: %s", r, ranks, outcomes[r].sentence);
}

/* The processes end with the same bits and the same results. */
static void expect_same_on_all(const outcome *outcomes, int ranks)
{
    for (int r = 1; r < ranks; ++r) {
        assert_int_equal(outcomes[r].count, outcomes[0].count);
        assert_memory_equal(outcomes[r].numbers, outcomes[0].numbers,
                            outcomes[0].count * sizeof(float));
        assert_true(outcomes[r].result.training.loss == outcomes[0].result.training.loss);
        assert_true(outcomes[r].result.validation.loss == outcomes[0].result.validation.loss);
        assert_int_equal(outcomes[r].result.steps, outcomes[0].result.steps);
        assert_int_equal(outcomes[r].result.epochs, outcomes[0].result.epochs);
        assert_int_equal(outcomes[r].result.best_epoch, outcomes[0].result.best_epoch);
    }
}

static void expect_near(const outcome *got, const outcome *want, double bound, const char *what)
{
    double worst = 0;
    assert_int_equal(got->count, want->count);
    for (size_t i = 0; i < want->count; ++i) {
        const double size = fmax(fabs((double)want->numbers[i]), 0.05);
        worst = fmax(worst, fabs((double)got->numbers[i] - (double)want->numbers[i]) / size);
        assert_true(isfinite(got->numbers[i]));
    }
    if (worst > bound)
        fail_at(__FILE__, __LINE__, "%s: a number differs by %g of its size, more than %g", what,
                worst, bound);
    if (!(fabs(got->result.training.loss / want->result.training.loss - 1) < bound))
        fail_at(__FILE__, __LINE__, "%s: the loss is %g, not %g", what, got->result.training.loss,
                want->result.training.loss);
    assert_int_equal(got->result.steps, want->result.steps);
}

/* 1, 2 and 3 processes, and 3 again. */
static void expect_same_training(const together *how, double bound, const char *what)
{
    train_together(how, &(team_desc){.ranks = 1}, one);
    expect_success(one, 1);
    train_together(how, &(team_desc){.ranks = 2}, two);
    expect_success(two, 2);
    expect_same_on_all(two, 2);
    expect_near(&two[0], &one[0], bound, what);
    train_together(how, &(team_desc){.ranks = 3, .is_late = true}, three);
    expect_success(three, 3);
    expect_same_on_all(three, 3);
    expect_near(&three[0], &one[0], bound, what);
    train_together(how, &(team_desc){.ranks = 3}, again);
    expect_success(again, 3);
    assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
}

static together dense(void)
{
    random_seed(5);
    return (together){
        .network = {.features = 11,
                    .layers = {{.units = 9, .activation = GLNN_ACTIVATION_TANH}, {.units = 5}},
                    .capacity = 16,
                    .seed = 3},
        .training = {.epochs = 2, .batch = 12, .schedule.rate = 0.05f, .seed = 8},
        .samples = samples_random(61, 11, 5, true),
    };
}

static void dense_networks_learn_the_same(void **state)
{
    (void)state;
    const together how = dense();
    expect_same_training(&how, 1e-5, "dense");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(dense_networks_learn_the_same),
    };
    return cmocka_run_group_tests_name("exchange", tests, test_group_setup, test_group_teardown);
}
