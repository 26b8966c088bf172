/* Where k-means starts: greedy k-means++ against the reference in double, and restarts. */
#include "support/clusters.h"

#include "base/random.h"

typedef struct shape {
    int samples, features, clusters, centres, classes;
} shape;

/* Samples of a case. */
#define MOST 300

typedef struct seeding {
    samples all;
    int centres, classes, candidates; /* classes: at least 1 */
    glnn__random random;
    int pool[MOST];         /* all samples: as many of each class as it has centres, then others */
    double distances[MOST]; /* of each sample from the nearest centre of its class               */
    int chosen[MOST];       /* classes x centres                                                 */
} seeding;

static int class_in(const seeding *s, int i)
{
    return s->classes > 1 ? (int)s->all.labels.data[i] : 0;
}

static void fill_pool(seeding *s)
{
    const int count = s->all.inputs.rows;
    int order[MOST], taken[MOST] = {0}, size = 0;
    for (int i = 0; i < count; ++i)
        order[i] = i;
    glnn__random_shuffle(&s->random, order, count);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < count; ++i) {
            const int c = order[i] < 0 ? 0 : class_in(s, order[i]);
            if (order[i] < 0 || (pass == 0 && taken[c] == s->centres))
                continue;
            taken[c]++;
            s->pool[size++] = order[i];
            order[i] = -1;
        }
}

static double apart(const seeding *s, int i, int j)
{
    double sum = 0;
    for (int f = 0; f < s->all.inputs.columns; ++f)
        sum += pow(*at(s->all.inputs, i, f) - *at(s->all.inputs, j, f), 2);
    return sum;
}

/* The sum of the distances of a class if `added` were a centre too. */
static double potential(const seeding *s, int class, int added)
{
    double sum = 0;
    for (int i = 0; i < s->all.inputs.rows; ++i)
        if (class_in(s, i) == class)
            sum += fmin(s->distances[i], apart(s, i, added));
    return sum;
}

/* The sample at a share of the weight of a class. The first centre has no distances yet. */
static int draw_one(seeding *s, int class, bool is_first, double share)
{
    double left = 0;
    int found = -1;
    for (int p = 0; p < s->all.inputs.rows; ++p)
        if (class_in(s, s->pool[p]) == class)
            left += is_first ? 1 : s->distances[s->pool[p]];
    left *= share;
    for (int p = 0; p < s->all.inputs.rows && left > 0; ++p) {
        if (class_in(s, s->pool[p]) != class)
            continue;
        found = s->pool[p];
        left -= is_first ? 1 : s->distances[found];
    }
    return found;
}

static double share_of(seeding *s)
{
    return ((double)glnn__random_next(&s->random) + 0.5) / 4294967296.0;
}

/* Returns whether another candidate than the first is taken. */
static bool choose_one(seeding *s, int class, int index)
{
    const int candidates = index == 0 ? 1 : s->candidates;
    double least = INFINITY;
    int best = -1, winner = 0;
    for (int l = 0; l < candidates; ++l) {
        const int i = draw_one(s, class, index == 0, share_of(s));
        const double sum = potential(s, class, i);
        winner = sum < least ? l : winner;
        best = sum < least ? i : best;
        least = fmin(least, sum);
    }
    s->chosen[class * s->centres + index] = best;
    return winner > 0;
}

static void add_centre(seeding *s, int class, int index)
{
    const int centre = s->chosen[class * s->centres + index];
    for (int i = 0; i < s->all.inputs.rows; ++i)
        if (class_in(s, i) == class)
            s->distances[i] = fmin(s->distances[i], apart(s, i, centre));
}

/* Returns how often another candidate than the first was better. */
static int seed_in_double(seeding *s, uint64_t seed)
{
    int better = 0;
    for (int i = 0; i < s->all.inputs.rows; ++i)
        s->distances[i] = INFINITY;
    glnn__random_start(&s->random, seed);
    fill_pool(s);
    for (int index = 0; index < s->centres; ++index) {
        for (int c = 0; c < s->classes; ++c)
            better += choose_one(s, c, index);
        for (int c = 0; c < s->classes; ++c)
            add_centre(s, c, index);
    }
    return better;
}

static int place_of(array rows, array row, int r)
{
    for (int i = 0; i < rows.rows; ++i)
        if (memcmp(at(rows, i, 0), at(row, r, 0), (size_t)row.columns * sizeof(double)) == 0)
            return i;
    return -1;
}

/* 3 centres have 3 candidates each, 9 have 4, and 23 have 5. */
static void of_several_candidates_the_one_that_lowers_the_potential_most_is_taken(void **state)
{
    (void)state;
    static const struct {
        shape of;
        int candidates;
    } cases[] = {{{200, 5, 11, 3, 0}, 3},
                 {{150, 8, 20, 9, 0}, 4},
                 {{260, 7, 9, 9, 3}, 4},
                 {{130, 3, 40, 23, 0}, 5},
                 {{5, 2, 5, 1, 0}, 2}};
    random_seed(27);
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const shape of = cases[i].of;
        seeding s = {.all =
                         samples_clustered(of.samples, of.features, of.clusters, 0.5, of.classes),
                     .centres = of.centres,
                     .classes = of.classes > 0 ? of.classes : 1,
                     .candidates = cases[i].candidates};
        glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = of.features,
                                                             .centres = of.centres,
                                                             .classes = of.classes,
                                                             .layout = rendered_layout(i),
                                                             .seed = 3});
        expect_ok(glnn_learner_initialise(kmeans, dataset_of(s.all)));
        assert_true(seed_in_double(&s, 3) > 0 || of.centres == 1);
        const array centres = centres_of(kmeans);
        for (int p = 0; p < centres.rows; ++p)
            assert_int_equal(place_of(s.all.inputs, centres, p), s.chosen[p]);
        release_learning();
    }
}

/* ---- Restarts */

typedef struct epochs {
    glnn_learner *kmeans;
    int count;
    double losses[40];
    array best; /* centres of the best epoch so far */
} epochs;

static bool record_epoch(void *user, const glnn_report *report)
{
    epochs *to = user;
    assert_true(to->count < (int)COUNT_OF(to->losses));
    to->losses[to->count++] = report->training.loss;
    if (report->best)
        to->best = centres_of(to->kmeans);
    return true;
}

/* Centres are few against the clusters, so that starts end in different minima. */
static glnn_train_result train_restarting(int restarts, float tolerance, int most, epochs *out)
{
    random_seed(28);
    const glnn_dataset *data = dataset_of(samples_clustered(400, 4, 30, 0.5, 0));
    *out = (epochs){.kmeans = kmeans_of(&(glnn_kmeans_desc){.features = 4,
                                                            .centres = 12,
                                                            .restarts = restarts,
                                                            .tolerance = tolerance,
                                                            .seed = 1})};
    glnn_train_result result = {.size = sizeof result};
    const glnn_train_desc training = {.epochs = most, .report = record_epoch, .user = out};
    expect_ok(glnn_learner_train(out->kmeans, data, &training, &result));
    return result;
}

static double least_of(const epochs *of, int begin, int end)
{
    double least = INFINITY;
    for (int i = begin; i < end; ++i)
        least = fmin(least, of->losses[i]);
    return least;
}

static void of_several_runs_the_one_with_the_least_error_is_kept(void **state)
{
    (void)state;
    epochs alone, all;
    train_restarting(0, -1, 5, &alone);
    const glnn_train_result result = train_restarting(4, -1, 25, &all);
    assert_int_equal(alone.count, 5);
    assert_int_equal(all.count, 25);
    assert_memory_equal(alone.losses, all.losses, 5 * sizeof(double));
    int best = 0;
    for (int r = 1; r < 5; ++r) {
        assert_true(all.losses[5 * r] > all.losses[5 * r - 1]);
        best = least_of(&all, 5 * r, 5 * r + 5) < least_of(&all, 5 * best, 5 * best + 5) ? r : best;
    }
    assert_true(best > 0 && best < 4);
    assert_int_equal((result.best_epoch - 1) / 5, best);
    assert_true(all.losses[result.best_epoch - 1] == least_of(&all, 0, 25));
    expect_same_bits(centres_of(all.kmeans), all.best, "the centres of the best epoch");
}

static void runs_end_by_the_tolerance_and_the_last_takes_the_epochs_that_are_left(void **state)
{
    (void)state;
    epochs all;
    int rises = 0;
    const glnn_train_result result = train_restarting(2, 0.05f, 40, &all);
    for (int e = 1; e < all.count; ++e)
        rises += all.losses[e] > all.losses[e - 1];
    assert_int_equal(rises, 2);
    assert_true(result.stopped && all.count < 40);
    train_restarting(3, -1, 6, &all);
    for (int e = 1; e < all.count; ++e)
        assert_int_equal(all.losses[e] > all.losses[e - 1], e % 2 == 0);
    assert_int_equal(all.count, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(of_several_candidates_the_one_that_lowers_the_potential_most_is_taken),
        LEARNING_TEST(of_several_runs_the_one_with_the_least_error_is_kept),
        LEARNING_TEST(runs_end_by_the_tolerance_and_the_last_takes_the_epochs_that_are_left),
    };
    return cmocka_run_group_tests_name("starts of k-means", tests, test_group_setup,
                                       test_group_teardown);
}
