/* Where prototypes start. */
#include "support/lvq_reference.h"

static glnn_learner *started(glnn_lvq_desc desc, samples from)
{
    desc.features = from.inputs.columns;
    desc.classes = from.outputs;
    glnn_learner *lvq = lvq_of(&desc);
    expect_ok(glnn_learner_initialise(lvq, dataset_of(from)));
    return lvq;
}

static bool has_row(array inputs, array labels, array row, int i, int class)
{
    for (int s = 0; s < inputs.rows; ++s) {
        if ((int)labels.data[s] == class &&
            memcmp(at(inputs, s, 0), at(row, i, 0), (size_t)inputs.columns * sizeof(double)) == 0)
            return true;
    }
    return false;
}

static void one_prototype_starts_at_the_mean_of_its_class(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const samples all = samples_random(101, 7, 3, true);
        const glnn_lvq_desc desc = {.layout = layout, .capacity = 16};
        const array prototypes = prototypes_of(started(desc, all));
        double sums[3][7] = {{0}};
        int counts[3] = {0};
        for (int i = 0; i < 101; ++i) {
            const int class = (int)all.labels.data[i];
            counts[class]++;
            for (int j = 0; j < 7; ++j)
                sums[class][j] += *at(all.inputs, i, j);
        }
        for (int c = 0; c < 3; ++c)
            for (int j = 0; j < 7; ++j)
                assert_true(fabs(*at(prototypes, c, j) - sums[c][j] / counts[c]) <= 2 * EPS);
        release_learning();
    }
}

static void several_prototypes_at_the_mean_lie_close_to_it_and_apart(void **state)
{
    (void)state;
    const samples all = samples_random(60, 5, 2, true);
    const glnn_lvq_desc several = {.prototypes = 3, .init = GLNN_LVQ_INIT_MEANS};
    const array means = prototypes_of(started((glnn_lvq_desc){0}, all));
    const array spread = prototypes_of(started(several, all));
    for (int p = 0; p < 6; ++p)
        for (int j = 0; j < 5; ++j) {
            const double offset = *at(spread, p, j) - *at(means, p / 3, j);
            assert_true(offset != 0 && fabs(offset) < 0.05);
            assert_true(*at(spread, p, j) != *at(spread, p / 3 * 3 + (p + 1) % 3, j));
        }
}

static void prototypes_that_start_at_samples_are_different_samples_of_their_class(void **state)
{
    (void)state;
    const samples all = samples_random(80, 4, 3, true);
    const glnn_lvq_desc desc = {.prototypes = 6, .init = GLNN_LVQ_INIT_SAMPLES, .capacity = 8};
    const array prototypes = prototypes_of(started(desc, all));
    for (int p = 0; p < 18; ++p) {
        assert_true(has_row(all.inputs, all.labels, prototypes, p, p / 6));
        for (int q = 0; q < p; ++q)
            assert_true(*at(prototypes, p, 0) != *at(prototypes, q, 0));
    }
    glnn_lvq_desc other = desc;
    other.seed = 9;
    assert_true(*at(prototypes_of(started(other, all)), 0, 0) != *at(prototypes, 0, 0));
}

/* The mean squared distance of samples to the nearest prototype of their class. */
static double quantisation_error(const lvq_reference *lvq, samples all)
{
    double sum = 0, bound;
    for (int i = 0; i < all.inputs.rows; ++i) {
        double least = INFINITY;
        for (int p = 0; p < lvq->classes.rows; ++p)
            if (lvq->classes.data[p] == all.labels.data[i])
                least = fmin(least, lvq_reference_distance(lvq, all.inputs, i, p, &bound));
        sum += least;
    }
    return sum / all.inputs.rows;
}

/* A step of k-means in double precision. */
static void step_kmeans(lvq_reference *lvq, samples all)
{
    const array m = lvq->prototypes.value;
    array sums = array_new(m.rows, m.columns), counts = array_new(m.rows, 1);
    for (int i = 0; i < all.inputs.rows; ++i) {
        int best = -1;
        double least = INFINITY, bound;
        for (int p = 0; p < m.rows; ++p) {
            const double d = lvq_reference_distance(lvq, all.inputs, i, p, &bound);
            if (lvq->classes.data[p] == all.labels.data[i] && d < least) {
                least = d;
                best = p;
            }
        }
        counts.data[best]++;
        for (int j = 0; j < m.columns; ++j)
            *at(sums, best, j) += *at(all.inputs, i, j);
    }
    for (int p = 0; p < m.rows; ++p)
        for (int j = 0; j < m.columns && counts.data[p] > 0; ++j)
            *at(m, p, j) = *at(sums, p, j) / counts.data[p];
}

static void k_means_agrees_with_the_reference_and_quantises_better_with_each_step(void **state)
{
    (void)state;
    const samples all = samples_random(90, 3, 3, true);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_lvq_desc desc = {
            .prototypes = 4, .init = GLNN_LVQ_INIT_SAMPLES, .layout = layout, .capacity = 32};
        lvq_reference want = lvq_reference_of(started(desc, all));
        double before = quantisation_error(&want, all);
        desc.init = GLNN_LVQ_INIT_AUTO;
        for (desc.kmeans_steps = 1; desc.kmeans_steps <= 4; ++desc.kmeans_steps) {
            const array got = prototypes_of(started(desc, all));
            step_kmeans(&want, all);
            for (size_t i = 0; i < length_of(got); ++i)
                assert_true(fabs(got.data[i] - want.prototypes.value.data[i]) <= 100 * EPS);
            const double after = quantisation_error(&want, all);
            assert_true(after <= before);
            before = after;
        }
    }
}

static void equal_seeds_start_equally_for_every_way(void **state)
{
    (void)state;
    const samples all = samples_random(50, 6, 2, true);
    for (glnn_lvq_init init = 0; init < GLNN_LVQ_INIT_COUNT; ++init) {
        const glnn_lvq_desc desc = {.prototypes = 3, .init = init, .seed = 11};
        glnn_learner *left = started(desc, all), *right = started(desc, all);
        expect_same_classifiers(left, right, "two classifiers");
        expect_ok(glnn_learner_train(left, dataset_of(all), &(glnn_train_desc){.epochs = 2}, NULL));
        expect_ok(glnn_learner_initialise(left, dataset_of(all)));
        expect_same_classifiers(left, right, "one that starts afresh");
    }
}

static void a_class_with_few_samples_or_none_gets_prototypes_and_a_warning(void **state)
{
    (void)state;
    for (glnn_lvq_init init = 0; init < GLNN_LVQ_INIT_COUNT; ++init) {
        samples all = samples_random(40, 3, 4, true);
        for (int i = 0; i < 40; ++i)
            all.labels.data[i] = i < 2 ? 0 : i < 20 ? 1 : 2;
        log_clear();
        glnn_learner *lvq = started((glnn_lvq_desc){.prototypes = 4, .init = init}, all);
        assert_int_equal(log_count(GLNN_LOG_WARNING), 2);
        assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "class 0 has 2 samples for 4"));
        assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "class 3 has 0 samples for 4"));
        log_clear();
        const array prototypes = prototypes_of(lvq);
        for (int p = 0; p < 16; ++p)
            for (int q = 0; q < p; ++q)
                assert_true(*at(prototypes, p, 0) != *at(prototypes, q, 0) || p / 4 != q / 4);
        expect_ok(glnn_learner_train(lvq, dataset_of(all), &(glnn_train_desc){.epochs = 2}, NULL));
        glnn_metrics metrics;
        expect_ok(glnn_learner_evaluate(lvq, dataset_of(all), &metrics, NULL));
        assert_true(isfinite(metrics.loss));
        release_learning();
    }
}

static void data_without_spread_leave_a_scale_of_one(void **state)
{
    (void)state;
    samples all = samples_random(12, 3, 2, true);
    for (size_t i = 0; i < length_of(all.inputs); ++i)
        all.inputs.data[i] = 0.25;
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        glnn_learner *lvq = started((glnn_lvq_desc){.kind = kind, .prototypes = 2}, all);
        assert_true(glnn_lvq_get_desc(lvq)->scale == 1);
        glnn_train_result result = {.size = sizeof result};
        expect_ok(
            glnn_learner_train(lvq, dataset_of(all), &(glnn_train_desc){.epochs = 2}, &result));
        assert_true(isfinite(result.training.loss));
        log_clear();
    }
}

static void the_scale_is_the_spread_of_the_data_unless_it_is_given(void **state)
{
    (void)state;
    const samples all = samples_random(300, 5, 2, true);
    double mean[5] = {0}, spread = 0;
    for (int i = 0; i < 300; ++i)
        for (int j = 0; j < 5; ++j)
            mean[j] += *at(all.inputs, i, j) / 300;
    for (int i = 0; i < 300; ++i)
        for (int j = 0; j < 5; ++j)
            spread += pow(*at(all.inputs, i, j) - mean[j], 2) / 300;
    const glnn_lvq_desc *found = glnn_lvq_get_desc(started((glnn_lvq_desc){0}, all));
    assert_true(fabs((double)found->scale - spread) <= 2 * EPS * spread);
    assert_true(fabs((double)found->sigma - sqrt(spread) / 8) <= 4 * EPS * spread);
    const glnn_lvq_desc given = {.scale = 3, .sigma = 2};
    const glnn_lvq_desc *kept = glnn_lvq_get_desc(started(given, all));
    assert_true(kept->scale == 3 && kept->sigma == 2);
}

static void an_evaluation_finds_only_the_numbers_that_the_kind_needs(void **state)
{
    (void)state;
    static const float given[2 * 5] = {1, [7] = 1};
    const samples all = samples_random(30, 5, 2, true);
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const bool is_soft = kind == GLNN_LVQ_RSLVQ;
        glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.kind = kind,
                                                    .features = 5,
                                                    .classes = 2,
                                                    .scale = is_soft ? 0 : 3,
                                                    .sigma = is_soft ? 2 : 0});
        expect_ok(glnn_learner_set_tensor(lvq, "prototypes", COUNT_OF(given), given));
        expect_ok(glnn_learner_evaluate(lvq, dataset_of(all), NULL, NULL));
        const glnn_lvq_desc *desc = glnn_lvq_get_desc(lvq);
        assert_true(is_soft ? desc->scale == 0 : desc->sigma == 0);
    }
}

static void training_initialises_what_has_not_been(void **state)
{
    (void)state;
    const samples all = samples_random(60, 5, 3, true);
    const glnn_dataset *data = dataset_of(all);
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const glnn_lvq_desc desc = {
            .kind = kind, .features = 5, .classes = 3, .prototypes = 2, .seed = 3};
        const glnn_train_desc train = {.epochs = 2, .batch = 8, .validation_split = 0.2f};
        glnn_learner *by_itself = lvq_of(&desc), *before = started(desc, all);
        expect_ok(glnn_learner_train(by_itself, data, &train, NULL));
        expect_ok(glnn_learner_train(before, data, &train, NULL));
        expect_same_classifiers(by_itself, before, glnn_lvq_kind_name(kind));
    }
}

static void descriptions_have_their_defaults_filled_in(void **state)
{
    (void)state;
    static const int counts[2] = {3, 1};
    const glnn_lvq_desc desc = {.features = 6, .classes = 2, .prototypes_of = counts};
    glnn_learner *lvq = lvq_of(&desc);
    const glnn_lvq_desc *filled = glnn_lvq_get_desc(lvq);
    assert_int_equal(tensor_rows(lvq, "prototypes"), 4);
    assert_int_equal(filled->capacity, 1024);
    assert_int_equal(filled->rank, 6);
    assert_int_equal(filled->kmeans_steps, 5);
    assert_true(filled->window == 0.3f && filled->epsilon == 0.2f && filled->metric_rate == 1);
    assert_true(filled->prototypes_of != counts);
    assert_memory_equal(filled->prototypes_of, counts, sizeof counts);
    assert_null(glnn_lvq_get_desc(NULL));
    glnn_learner_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(one_prototype_starts_at_the_mean_of_its_class),
        LEARNING_TEST(several_prototypes_at_the_mean_lie_close_to_it_and_apart),
        LEARNING_TEST(prototypes_that_start_at_samples_are_different_samples_of_their_class),
        LEARNING_TEST(k_means_agrees_with_the_reference_and_quantises_better_with_each_step),
        LEARNING_TEST(equal_seeds_start_equally_for_every_way),
        LEARNING_TEST(a_class_with_few_samples_or_none_gets_prototypes_and_a_warning),
        LEARNING_TEST(data_without_spread_leave_a_scale_of_one),
        LEARNING_TEST(the_scale_is_the_spread_of_the_data_unless_it_is_given),
        LEARNING_TEST(an_evaluation_finds_only_the_numbers_that_the_kind_needs),
        LEARNING_TEST(training_initialises_what_has_not_been),
        LEARNING_TEST(descriptions_have_their_defaults_filled_in),
    };
    return cmocka_run_group_tests_name("lvq init", tests, test_group_setup, test_group_teardown);
}
