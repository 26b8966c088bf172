/* Processes with shares of different size train a network as one does. Error bounds as in
 * test_exchange.c. */
#include "support/together.h"

#include "learn/exchange/shares.h"

static outcome one[1], two[2], three[3], again[3];

/* ---- Division */

static void shares_sum_up_and_differ_from_the_exact_ones_by_less_than_a_sample(void **state)
{
    static const double weights[][4] = {
        {1, 1, 1, 1}, {1, 3, 1, 1}, {0.1f, 1, 1, 0.5f}, {1e-6, 7, 0.3f, 2}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(weights); ++i) {
        glnn__shares shares;
        expect_ok(glnn__shares_create(4, &shares));
        glnn__shares_set(&shares, weights[i]);
        for (int count = 0; count < 300; ++count) {
            glnn__shares_divide(&shares, count);
            assert_int_equal(shares.begins[0], 0);
            assert_int_equal(shares.begins[4], count);
            for (int r = 0; r < 4; ++r) {
                const double exact = count * weights[i][r] / shares.total;
                assert_true(fabs(shares.begins[r + 1] - shares.begins[r] - exact) < 1);
            }
        }
        glnn__shares_destroy(&shares);
    }
}

static void the_largest_remainders_and_then_the_first_ranks_have_one_more(void **state)
{
    static const struct {
        double weights[3];
        int count, begins[4];
    } cases[] = {
        {{1, 1, 1}, 61, {0, 21, 41, 61}}, {{1, 1, 1}, 2, {0, 1, 2, 2}},
        {{1, 3, 3}, 14, {0, 2, 8, 14}},   {{0.1, 1, 1}, 12, {0, 0, 6, 12}},
        {{2, 1, 1}, 6, {0, 3, 5, 6}},     {{1, 2, 5}, 3, {0, 0, 1, 3}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        glnn__shares shares;
        expect_ok(glnn__shares_create(3, &shares));
        glnn__shares_set(&shares, cases[i].weights);
        glnn__shares_divide(&shares, cases[i].count);
        assert_memory_equal(shares.begins, cases[i].begins, sizeof cases[i].begins);
        glnn__shares_destroy(&shares);
    }
}

static void ranks_take_whole_batches_in_turn_by_their_shares(void **state)
{
    static const int equal[] = {0, 1, 2, 0, 1, 2, 0, 1};
    (void)state;
    glnn__shares shares;
    expect_ok(glnn__shares_create(3, &shares));
    expect_ok(glnn__shares_take_turns(&shares, COUNT_OF(equal)));
    assert_memory_equal(shares.turns, equal, sizeof equal);
    glnn__shares_set(&shares, (const double[]){1, 2, 5});
    expect_ok(glnn__shares_take_turns(&shares, 80));
    int counts[3] = {0};
    for (int i = 0; i < 80; ++i) {
        counts[shares.turns[i]]++;
        for (int r = 0; r < 3; ++r)
            assert_true(fabs(counts[r] - (i + 1) * shares.weights[r] / 8) < 1);
    }
    assert_int_equal(counts[0], 10);
    assert_int_equal(counts[2], 50);
    glnn__shares_destroy(&shares);
}

/* ---- Training */

static void uneven(const team_member *self, glnn_network_desc *network, glnn_train_desc *training)
{
    static const float of_two[] = {1, 3}, of_three[] = {0.1f, 1, 1};
    (void)network;
    training->exchange.share = self->ranks == 3   ? of_three[self->rank]
                               : self->ranks == 2 ? of_two[self->rank]
                                                  : 0;
}

static void expect_same_bits_twice(const together *how)
{
    train_together(how, &(team_desc){.ranks = 3, .is_late = true}, three);
    expect_trained(three, 3);
    expect_same_on_all(three, 3);
    train_together(how, &(team_desc){.ranks = 3}, again);
    assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
}

/* 1 process, 2 with shares of 1 : 3, and 3 with 0.1 : 1 : 1, of which rank 0 has no sample of most
 * batches. */
static void expect_same_training(together *how, double bound, const char *what)
{
    how->change = uneven;
    train_together(how, &(team_desc){.ranks = 1}, one);
    expect_trained(one, 1);
    train_together(how, &(team_desc){.ranks = 2}, two);
    expect_trained(two, 2);
    expect_same_on_all(two, 2);
    expect_near(&two[0], &one[0], bound, what);
    expect_same_bits_twice(how);
    expect_near(&three[0], &one[0], bound, what);
}

static void gradients_of_uneven_shares_are_those_of_the_batch(void **state)
{
    (void)state;
    for (size_t i = 0; i < RENDERED_COUNT; ++i) {
        together how = dense();
        how.network.layout = rendered_layout(i);
        how.network.optimizer.momentum = 0.9f;
        how.training.batch = 13;
        expect_same_training(&how, 1e-4, "gradients");
        release_learning();
    }
}

/* The first layer gathers matrices of different sizes; so does the second one with 5 samples. */
static void activations_of_uneven_shares_give_the_gradient_of_the_batch(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * RENDERED_COUNT; ++i) {
        together how = dense();
        how.network.layout = rendered_layout(i);
        how.network.optimizer =
            i % 2 ? (glnn_optimizer){.clip_norm = 0.2f} : (glnn_optimizer){.momentum = 0.9f};
        how.training.batch = i % 2 ? 9 : 5;
        how.training.exchange.kind = GLNN_EXCHANGE_ACTIVATIONS;
        expect_same_training(&how, 1e-4, "activations");
        const uint64_t numbers = team_get_counts().numbers;
        how.training.exchange.kind = GLNN_EXCHANGE_GRADIENTS;
        train_together(&how, &(team_desc){.ranks = 3}, again);
        assert_int_not_equal(numbers, team_get_counts().numbers);
        release_learning();
    }
}

static void averages_weigh_uneven_shares_by_their_samples(void **state)
{
    (void)state;
    together how = dense();
    how.training.batch = 13;
    how.training.exchange = (glnn_exchange_desc){.kind = GLNN_EXCHANGE_AVERAGES, .every = 1};
    expect_same_training(&how, 1e-5, "averages");
    how.training.exchange.every = 3;
    how.training.validation_split = 0.2f;
    how.network.optimizer = (glnn_optimizer){.kind = GLNN_OPTIMIZER_ADAM};
    how.training.schedule.rate = 0.002f;
    expect_same_bits_twice(&how);
}

static void accumulation_and_validation_follow_the_shares(void **state)
{
    (void)state;
    together how = dense();
    how.samples.weights = array_random(61, 1, 0.5, 2.0);
    how.network.capacity = 4;
    how.training.accumulate = 2;
    how.training.epochs = 4;
    how.training.validation_split = 0.3f;
    how.training.patience = 2;
    how.training.restore_best = true;
    expect_same_training(&how, 1e-5, "accumulation");
    assert_true(fabs(two[0].result.validation.loss / one[0].result.validation.loss - 1) < 1e-5);
    assert_int_equal(two[0].result.best_epoch, one[0].result.best_epoch);
}

static void streams_give_each_process_its_share(void **state)
{
    (void)state;
    together how = dense();
    how.samples = samples_random(61, 11, 5, false);
    how.network.loss = GLNN_LOSS_SQUARED;
    how.validation = samples_random(17, 11, 5, false);
    how.texture_budget = 16 * 20 * 2 * sizeof(float);
    expect_same_training(&how, 1e-5, "streams");
    how.texture_budget = 0;
    train_together(&how, &(team_desc){.ranks = 3}, again);
    assert_memory_equal(again[0].numbers, three[0].numbers, three[0].count * sizeof(float));
    assert_true(again[0].result.validation.loss == three[0].result.validation.loss);
}

/* Each process normalises by its share. A process without samples has statistics of weight 0. */
static void running_statistics_of_uneven_shares_are_the_same_on_all(void **state)
{
    (void)state;
    random_seed(6);
    together how = {
        .network = {.features = 64,
                    .shape = {1, 8, 8},
                    .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 6, .kernel = {3, 3}},
                               {.kind = GLNN_LAYER_BATCH_NORM},
                               {.kind = GLNN_LAYER_FLATTEN},
                               {.units = 4}},
                    .capacity = 16,
                    .seed = 3},
        .training = {.epochs = 2, .batch = 13, .schedule.rate = 0.05f, .seed = 8},
        .samples = samples_random(40, 64, 4, true),
        .change = uneven,
    };
    expect_same_bits_twice(&how);
}

/* ---- Shares that are not possible */

static float shares[TOGETHER_RANKS];

static void give(const team_member *self, glnn_network_desc *network, glnn_train_desc *training)
{
    (void)network;
    training->exchange.share = shares[self->rank];
}

static void impossible_shares_are_errors_on_all_that_name_the_rank(void **state)
{
    static const struct {
        float shares[TOGETHER_RANKS];
        const char *part;
    } cases[] = {
        {{1, 1, 0},
         "exchange.share of rank 2 is 0, and that of rank 0 is 1; either all processes "
         "give one or none does"},
        {{0, 0.5f, 0}, "exchange.share of rank 1 is 0.5, and that of rank 0 is 0; "},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        together how = dense();
        how.change = give;
        memcpy(shares, cases[i].shares, sizeof shares);
        train_together(&how, &(team_desc){.ranks = 3}, three);
        expect_all_fail(three, 3, GLNN_E_ARG, cases[i].part);
        assert_int_equal(three[0].result.steps, 0);
        release_learning();
    }
}

static void a_share_out_of_its_range_is_an_error_that_the_others_are_told(void **state)
{
    static const float wrong[] = {-2, NAN, INFINITY};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        together how = dense();
        how.change = give;
        memcpy(shares, (float[TOGETHER_RANKS]){1, wrong[i], 1}, sizeof shares);
        train_together(&how, &(team_desc){.ranks = 3}, three);
        assert_int_equal(three[1].status, GLNN_E_ARG);
        assert_non_null(strstr(three[1].sentence, "; it has to be a finite number from 0 on"));
        for (int r = 0; r < 3; r += 2) {
            assert_int_equal(three[r].status, GLNN_E_PROCESS);
            assert_non_null(strstr(three[r].sentence, "rank 1 failed: exchange.share is "));
        }
        release_learning();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_sum_up_and_differ_from_the_exact_ones_by_less_than_a_sample),
        cmocka_unit_test(the_largest_remainders_and_then_the_first_ranks_have_one_more),
        cmocka_unit_test(ranks_take_whole_batches_in_turn_by_their_shares),
        LEARNING_TEST(gradients_of_uneven_shares_are_those_of_the_batch),
        LEARNING_TEST(activations_of_uneven_shares_give_the_gradient_of_the_batch),
        LEARNING_TEST(averages_weigh_uneven_shares_by_their_samples),
        LEARNING_TEST(accumulation_and_validation_follow_the_shares),
        LEARNING_TEST(streams_give_each_process_its_share),
        LEARNING_TEST(running_statistics_of_uneven_shares_are_the_same_on_all),
        LEARNING_TEST(impossible_shares_are_errors_on_all_that_name_the_rank),
        LEARNING_TEST(a_share_out_of_its_range_is_an_error_that_the_others_are_told),
    };
    return cmocka_run_group_tests_name("exchange shares", tests, test_group_setup,
                                       test_group_teardown);
}
