/* LVQ1, OLVQ1, LVQ2.1 and LVQ3 on classes that overlap, where many samples push a prototype at
 * once: how far a batch moves it, that the defaults do no harm, and what is said where prototypes
 * leave. */
#include "support/lvq_reference.h"

static const glnn_lvq_kind kinds[] = {GLNN_LVQ_LVQ1, GLNN_LVQ_OLVQ1, GLNN_LVQ_LVQ21, GLNN_LVQ_LVQ3};

/* Classes of three groups each around a centre. Features vary together, in the same way in all
 * classes, so that the means of the classes are not the best prototypes. */
typedef struct shape {
    int train, test, features, classes;
    double centres, groups, together, noise; /* deviations */
    double least, most;                      /* of a feature; whole numbers where they differ */
} shape;

/* Of the shapes of letter recognition, vowel and pendigits, the large ones with fewer samples. */
static const shape letters = {3000, 1000, 16, 26, 1.3, 1.5, 1.7, 1.0, 0, 15};
static const shape vowels = {528, 462, 10, 11, 0.8, 0.8, 0.9, 0.35, 0, 0};
static const shape digits = {1500, 1000, 16, 10, 16, 16, 13, 6, 0, 100};

enum { GROUPS = 3, FACTORS = 4 };

/* Uniform numbers of deviation 1. */
static array spread(int rows, int columns)
{
    return array_random(rows, columns, -sqrt(3.0), sqrt(3.0));
}

static double within(double x, double least, double most)
{
    return least < most ? fmin(fmax(floor(x + 0.5), least), most) : (double)(float)x;
}

static samples overlapping(const shape *of)
{
    const int count = of->train + of->test;
    const array centres = spread(of->classes, of->features);
    const array groups = spread(of->classes * GROUPS, of->features);
    const array loadings = spread(of->features, FACTORS), factors = spread(count, FACTORS);
    const array choice = array_random(count, 1, 0.0, 1.0);
    samples made = {spread(count, of->features), array_new(count, 1), .outputs = of->classes};
    for (int i = 0; i < count; ++i) {
        const int label = i % of->classes;
        const double share = *at(choice, i, 0);
        const int group = label * GROUPS + (share < 0.6 ? 0 : share < 0.8 ? 1 : 2);
        made.labels.data[i] = label;
        for (int j = 0; j < of->features; ++j) {
            double x = (of->least + of->most) / 2 + of->noise * *at(made.inputs, i, j) +
                       of->centres * *at(centres, label, j) + of->groups * *at(groups, group, j);
            for (int f = 0; f < FACTORS; ++f)
                x += of->together * *at(loadings, j, f) * *at(factors, i, f);
            *at(made.inputs, i, j) = within(x, of->least, of->most);
        }
    }
    return made;
}

/* A classifier that starts from the means of the classes, and the sets. */
typedef struct problem {
    glnn_learner *lvq;
    const glnn_dataset *train, *test;
} problem;

static problem problem_of(const shape *of, glnn_lvq_kind kind)
{
    const glnn_lvq_desc desc = {.kind = kind, .features = of->features, .classes = of->classes};
    random_seed(11);
    const samples all = overlapping(of);
    const problem made = {lvq_of(&desc), dataset_of(samples_part(all, 0, of->train)),
                          dataset_of(samples_part(all, of->train, of->test))};
    expect_ok(glnn_learner_initialise(made.lvq, made.train));
    return made;
}

static double accuracy_of(const problem *of)
{
    glnn_metrics metrics;
    expect_ok(glnn_learner_evaluate(of->lvq, of->test, &metrics, NULL));
    return metrics.accuracy;
}

static void expect_no_harm(const shape *of, glnn_lvq_kind kind, int batch)
{
    const problem here = problem_of(of, kind);
    const double start = accuracy_of(&here);
    expect_ok(glnn_learner_train(here.lvq, here.train, &(glnn_train_desc){.batch = batch}, NULL));
    const double end = accuracy_of(&here);
    if (end < start)
        fail_at(__FILE__, __LINE__, "%s, %d classes, batch %d: %.4f, but %.4f at the start",
                glnn_lvq_kind_name(kind), of->classes, batch, end, start);
    release_learning();
}

static void defaults_do_not_end_below_their_start(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        expect_no_harm(&letters, kinds[i], 0);
        expect_no_harm(&letters, kinds[i], -1);
        expect_no_harm(&vowels, kinds[i], 0);
        expect_no_harm(&digits, kinds[i], 0);
    }
}

static void olvq1_of_single_samples_does_not_end_below_its_start(void **state)
{
    (void)state;
    expect_no_harm(&vowels, GLNN_LVQ_OLVQ1, 1);
}

/* A rate that was too high for a batch without a limit: prototypes stay among the samples. */
static void prototypes_in_batches_stay_near_the_samples_at_high_rates(void **state)
{
    (void)state;
    const glnn_train_desc train = {.schedule.rate = 0.1f};
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const problem here = problem_of(&letters, kinds[i]);
        expect_ok(glnn_learner_train(here.lvq, here.train, &train, NULL));
        const array prototypes = prototypes_of(here.lvq);
        for (size_t j = 0; j < length_of(prototypes); ++j)
            if (!(fabs(prototypes.data[j] - 7.5) < 10 * 7.5))
                fail_at(__FILE__, __LINE__, "%s: a coordinate is %g", glnn_lvq_kind_name(kinds[i]),
                        prototypes.data[j]);
        release_learning();
    }
}

/* One step over samples of class 0, which prototype 1, of class 1, wins; returns how far it moves
 * by their mean distance from it, 1. */
static double pushed_by(glnn_lvq_kind kind, int count, float rate, int capacity)
{
    const glnn_lvq_desc desc = {
        .kind = kind, .features = 2, .classes = 2, .capacity = capacity, .window = 0.9f};
    const float prototypes[4] = {-1.5f, 0, 1, 0};
    const glnn_train_desc step = {.epochs = 1, .batch = GLNN_FULL_BATCH, .schedule.rate = rate};
    const samples all = {array_new(count, 2), array_new(count, 1), .outputs = 2};
    glnn_learner *lvq = lvq_of(&desc);
    expect_ok(lvq_write(lvq, prototypes, NULL));
    expect_ok(glnn_learner_train(lvq, dataset_of(all), &step, NULL));
    const array moved = prototypes_of(lvq);
    assert_true(*at(moved, 1, 1) == 0);
    const double distance = *at(moved, 1, 0) - 1;
    release_learning();
    return distance;
}

/* Batches of one list of passes and of several, with and without links. */
static void a_batch_that_only_pushes_moves_a_prototype_by_no_more_than_one_sample_does(void **state)
{
    (void)state;
    static const float rates[] = {0.01f, 0.4f};
    static const int counts[] = {2, 9, 150};
    for (size_t i = 0; i < COUNT_OF(kinds) * COUNT_OF(rates); ++i) {
        const glnn_lvq_kind kind = kinds[i % COUNT_OF(kinds)];
        const float rate = rates[i / COUNT_OF(kinds)];
        const double single = pushed_by(kind, 1, rate, 0);
        assert_true(fabs(single - (double)rate) <= 2 * EPS);
        for (size_t c = 0; c < COUNT_OF(counts); ++c)
            for (int capacity = 64; capacity <= 256; capacity *= 4) {
                const double moved = pushed_by(kind, counts[c], rate, capacity);
                const double want = (double)rate / fmax(1, counts[c] * (double)rate);
                if (!(fabs(moved - want) <= 1e-5 * want + 4 * EPS))
                    fail_at(__FILE__, __LINE__, "%s, %d samples at a rate of %g: moved by %g of %g",
                            glnn_lvq_kind_name(kind), counts[c], (double)rate, moved, want);
            }
    }
}

/* Single samples at a rate that is too high: the rule has no limit then, and prototypes leave. */
static void prototypes_that_leave_the_data_end_training_with_an_error_that_names_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        const problem here = problem_of(&vowels, kinds[i]);
        const glnn_train_desc train = {.batch = 1, .schedule.rate = 0.9f};
        glnn_train_result result = {.size = sizeof result};
        expect_error(glnn_learner_train(here.lvq, here.train, &train, &result), GLNN_E_DIVERGED,
                     "the limit is");
        const char *text = glnn_last_error();
        assert_non_null(strstr(text, "after epoch "));
        assert_non_null(strstr(text, " prototype "));
        assert_non_null(strstr(text, ", of class "));
        assert_true(result.epochs < 10);
        release_learning();
    }
}

/* Far from all samples, but not by what it has learnt. */
static void prototypes_may_start_far_from_the_data(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = {.kind = GLNN_LVQ_LVQ1, .features = 2, .classes = 2};
    const float far[4] = {0, 0, 1e7f, 0};
    glnn_learner *lvq = lvq_of(&desc);
    expect_ok(lvq_write(lvq, far, NULL));
    expect_ok(glnn_learner_train(lvq, dataset_of(samples_random(9, 2, 2, true)), NULL, NULL));
    assert_true(*at(prototypes_of(lvq), 1, 0) == 1e7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(defaults_do_not_end_below_their_start),
        LEARNING_TEST(olvq1_of_single_samples_does_not_end_below_its_start),
        LEARNING_TEST(prototypes_in_batches_stay_near_the_samples_at_high_rates),
        LEARNING_TEST(a_batch_that_only_pushes_moves_a_prototype_by_no_more_than_one_sample_does),
        LEARNING_TEST(prototypes_that_leave_the_data_end_training_with_an_error_that_names_one),
        LEARNING_TEST(prototypes_may_start_far_from_the_data),
    };
    return cmocka_run_group_tests_name("lvq batches", tests, test_group_setup, test_group_teardown);
}
