/* Which samples are drawn, in which order, and which are kept apart for validation. */
#include "support/learning.h"

#include "data/order.h"

static void an_order_is_a_permutation_of_all_samples(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 100, 1000};
    for (size_t c = 0; c < COUNT_OF(counts); ++c) {
        const int count = counts[c];
        glnn__order order;
        expect_ok(glnn__order_create(count, 5, &order));
        for (int shuffle = 0; shuffle < 3; ++shuffle) {
            bool seen[1000] = {false};
            glnn__order_shuffle(&order, count);
            for (int i = 0; i < count; ++i) {
                const int entry = order.entries[i];
                assert_true(entry >= 0 && entry < count && !seen[entry]);
                seen[entry] = true;
            }
        }
        glnn__order_destroy(&order);
    }
}

static void an_order_follows_its_seed_and_shuffles_only_what_it_is_told(void **state)
{
    (void)state;
    glnn__order a, b, c;
    expect_ok(glnn__order_create(50, 5, &a));
    expect_ok(glnn__order_create(50, 5, &b));
    expect_ok(glnn__order_create(50, 6, &c));
    glnn__order_shuffle(&a, 40);
    glnn__order_shuffle(&b, 40);
    glnn__order_shuffle(&c, 40);
    assert_memory_equal(a.entries, b.entries, 50 * sizeof(int));
    assert_memory_not_equal(a.entries, c.entries, 40 * sizeof(int));
    for (int i = 40; i < 50; ++i)
        assert_true(a.entries[i] == i);
    glnn__order_shuffle(&b, 40);
    assert_memory_not_equal(a.entries, b.entries, 40 * sizeof(int));
    glnn__order_destroy(&a);
    glnn__order_destroy(&b);
    glnn__order_destroy(&c);
}

/* All 24 orders of four samples, 24000 draws: chi squared with 23 degrees of freedom exceeds 65 for
 * one seed in 100 000. Each draw begins with 0, 1, 2, 3: orders that were shuffled repeatedly are
 * all likely even where a single shuffle leaves nothing in place. */
static void all_orders_are_equally_likely(void **state)
{
    (void)state;
    int counts[256] = {0};
    glnn__order order;
    expect_ok(glnn__order_create(4, 1, &order));
    for (int i = 0; i < 24000; ++i) {
        for (int k = 0; k < 4; ++k)
            order.entries[k] = k;
        glnn__order_shuffle(&order, 4);
        counts[order.entries[0] | order.entries[1] << 2 | order.entries[2] << 4 |
               order.entries[3] << 6]++;
    }
    glnn__order_destroy(&order);
    double chi = 0;
    int orders = 0;
    for (int i = 0; i < 256; ++i)
        if (counts[i] > 0) {
            chi += (counts[i] - 1000) * (counts[i] - 1000) / 1000.0;
            ++orders;
        }
    assert_int_equal(orders, 24);
    assert_true(chi < 65);
}

/* Samples that leave a trace: sample i is the i-th unit vector, so that row i of the weights
 * changes if and only if sample i is trained on */

enum { TRACED = 60 };

static samples traced_samples(void)
{
    samples made = samples_random(TRACED, TRACED, 3, true);
    for (int i = 0; i < TRACED; ++i)
        for (int j = 0; j < TRACED; ++j)
            *at(made.inputs, i, j) = i == j;
    return made;
}

static glnn_learner *traced_network(void)
{
    const glnn_network_desc desc = {.features = TRACED, .layers = {{.units = 3}}};
    return network_of(&desc);
}

static int changed_rows(array before, array after, bool *changed)
{
    int count = 0;
    for (int i = 0; i < TRACED; ++i) {
        changed[i] = memcmp(at(before, i, 0), at(after, i, 0), 3 * sizeof(double)) != 0;
        count += changed[i];
    }
    return count;
}

static int train_with_split(float split, uint64_t seed, bool keep_order, bool *changed)
{
    glnn_learner *network = traced_network();
    const array before = weights_of(network, 0);
    const glnn_train_desc train = {
        .epochs = 4, .batch = 7, .seed = seed, .keep_order = keep_order, .validation_split = split};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network, dataset_of(traced_samples()), &train, &result));
    return changed_rows(before, weights_of(network, 0), changed);
}

static void samples_kept_apart_for_validation_are_never_trained_on(void **state)
{
    (void)state;
    bool changed[4][TRACED];
    assert_int_equal(train_with_split(0, 1, false, changed[0]), 60);
    assert_int_equal(train_with_split(0.25f, 1, false, changed[0]), 45);
    assert_int_equal(train_with_split(0.25f, 1, true, changed[1]), 45);
    assert_int_equal(train_with_split(0.25f, 2, false, changed[2]), 45);
    assert_int_equal(train_with_split(0.5f, 1, false, changed[3]), 30);
    assert_memory_equal(changed[0], changed[1], sizeof changed[0]);
    assert_memory_not_equal(changed[0], changed[2], sizeof changed[0]);
}

/* With all biases equal, row i of the weights of a linear layer gives the loss of sample i. The
 * validation loss has to be the mean over the rows that training did not change. The bound,
 * 300 eps, is twice that of support/network_reference.h for such a loss. */
static void the_validation_loss_is_that_of_the_samples_kept_apart(void **state)
{
    (void)state;
    glnn_learner *network = traced_network();
    const samples all = traced_samples();
    const array before = weights_of(network, 0);
    const glnn_train_desc train = {.epochs = 3, .batch = 8, .validation_split = 0.2f, .seed = 9};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network, dataset_of(all), &train, &result));
    const array after = weights_of(network, 0);
    bool changed[TRACED];
    assert_int_equal(changed_rows(before, after, changed), 48);
    double loss = 0;
    int right = 0;
    for (int i = 0; i < TRACED; ++i) {
        double z[3], sum = 0;
        for (int j = 0; j < 3; ++j)
            sum += exp(z[j] = *at(after, i, j) + *at(after, TRACED, j));
        const int label = (int)all.labels.data[i];
        if (changed[i])
            continue;
        loss += (log(sum) - z[label]) / 12;
        right += z[label] >= fmax(z[0], fmax(z[1], z[2]));
    }
    assert_true(fabs(result.validation.loss - loss) <= 300 * EPS * (1 + loss));
    assert_true(result.validation.accuracy == (double)(float)right / 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(an_order_is_a_permutation_of_all_samples),
        LEARNING_TEST(an_order_follows_its_seed_and_shuffles_only_what_it_is_told),
        LEARNING_TEST(all_orders_are_equally_likely),
        LEARNING_TEST(samples_kept_apart_for_validation_are_never_trained_on),
        LEARNING_TEST(the_validation_loss_is_that_of_the_samples_kept_apart),
    };
    return cmocka_run_group_tests_name("order", tests, test_group_setup, test_group_teardown);
}
