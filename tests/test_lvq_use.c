/* Using a classifier of prototypes: winners, short lists, scores, measures, and what is read and
 * written from C. */
#include "support/lvq_reference.h"

#include "prototypes/lvq/lvq.h"

enum { FEATURES = 9, CLASSES = 4, SAMPLES = 37 };

static glnn_lvq_desc describe(size_t number, glnn_layout layout)
{
    const glnn_lvq_kind kind = (glnn_lvq_kind)number;
    return (glnn_lvq_desc){.kind = kind,
                           .features = FEATURES,
                           .classes = CLASSES,
                           .prototypes = 3,
                           .sigma = 0.7f,
                           .xi = 3,
                           .rank = kind == GLNN_LVQ_GMLVQ ? 4 : 0,
                           .layout = layout,
                           .capacity = 16,
                           .seed = 3};
}

static glnn_learner *random_lvq(const glnn_lvq_desc *desc)
{
    glnn_learner *lvq = lvq_of(desc);
    const array random = array_random(tensor_rows(lvq, "prototypes"), FEATURES, -1.0, 1.0);
    expect_ok(lvq_write(lvq, floats_of(random), NULL));
    if (desc->kind == GLNN_LVQ_GRLVQ)
        expect_ok(write_tensor(lvq, "relevances", floats_of(array_random(1, FEATURES, 0.1, 1.0))));
    return lvq;
}

static void expect_distance(double got, double want, double bound, const glnn_lvq_desc *desc,
                            const char *what)
{
    if (!(fabs(got - want) <= bound))
        fail_at(__FILE__, __LINE__, "%s, %s: %s is %.9g, expected %.9g, bound %.2g",
                glnn_lvq_kind_name(desc->kind), glnn_layout_name(desc->layout), what, got, want,
                bound);
}

/* Outputs of glnn/lvq.h: (D + 8) 2^-22 (|x| + |m|)^2 */
static double product_bound(const lvq_reference *want, array inputs, int row, int prototype)
{
    double x = 0, m = 0;
    for (int j = 0; j < FEATURES; ++j) {
        x += *at(inputs, row, j) * *at(inputs, row, j);
        m += *at(want->prototypes.value, prototype, j) * *at(want->prototypes.value, prototype, j);
    }
    return (FEATURES + 8) * 4 * EPS * (sqrt(x) + sqrt(m)) * (sqrt(x) + sqrt(m));
}

static void check_winners(const glnn_lvq_desc *desc)
{
    glnn_learner *lvq = random_lvq(desc);
    const lvq_reference want = lvq_reference_of(lvq);
    const array inputs = array_random(SAMPLES, FEATURES, -1.0, 1.0);
    int winners[SAMPLES], classes[SAMPLES];
    float distances[SAMPLES];
    expect_ok(glnn_learner_find_nearest(lvq, SAMPLES, floats_of(inputs), 1, winners, distances));
    expect_ok(glnn_learner_predict(lvq, SAMPLES, floats_of(inputs), NULL, classes));
    for (int i = 0; i < SAMPLES; ++i) {
        double bound;
        const int first = lvq_reference_nearest(&want, inputs, i).first;
        const double d = lvq_reference_distance(&want, inputs, i, first, &bound);
        assert_int_equal(winners[i], first);
        assert_int_equal(classes[i], (int)want.classes.data[first]);
        expect_distance((double)distances[i], d, bound, desc, "the winner's distance");
    }
}

static void winners_agree_with_the_reference_for_any_number_of_samples(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            const glnn_lvq_desc desc = describe(kind, layout);
            check_winners(&desc);
            release_learning();
        }
}

static void check_lists(const glnn_lvq_desc *desc, int k)
{
    glnn_learner *lvq = random_lvq(desc);
    const lvq_reference want = lvq_reference_of(lvq);
    const array inputs = array_random(SAMPLES, FEATURES, -1.0, 1.0);
    int prototypes[SAMPLES * 12];
    float distances[SAMPLES * 12];
    expect_ok(glnn_learner_find_nearest(lvq, SAMPLES, floats_of(inputs), k, prototypes, distances));
    for (int i = 0; i < SAMPLES; ++i) {
        bool is_listed[12] = {false};
        for (int j = 0; j < k; ++j) {
            double bound;
            const int p = prototypes[i * k + j];
            const double d = lvq_reference_distance(&want, inputs, i, p, &bound);
            assert_false(is_listed[p]);
            is_listed[p] = true;
            expect_distance((double)distances[i * k + j], d, bound, desc, "a listed distance");
            assert_true(j == 0 || distances[i * k + j - 1] <= distances[i * k + j]);
        }
        assert_true(is_listed[lvq_reference_nearest(&want, inputs, i).first]);
    }
}

static void short_lists_ascend_and_begin_with_the_winner(void **state)
{
    (void)state;
    static const int lengths[] = {1, 3, 12};
    for (size_t i = 0; i < COUNT_OF(lengths) * RENDERED_COUNT; ++i)
        for (size_t kind = 0; kind < GLNN_LVQ_LVQ1; ++kind) {
            const glnn_lvq_desc desc = describe(kind, rendered_layout(i));
            check_lists(&desc, lengths[i / RENDERED_COUNT]);
            release_learning();
        }
}

static void check_scores(const glnn_lvq_desc *desc)
{
    glnn_learner *lvq = random_lvq(desc);
    const lvq_reference want = lvq_reference_of(lvq);
    const array inputs = array_random(SAMPLES, FEATURES, -1.0, 1.0);
    float scores[SAMPLES * CLASSES];
    assert_int_equal(glnn_learner_get_outputs(lvq), CLASSES);
    expect_ok(glnn_learner_predict(lvq, SAMPLES, floats_of(inputs), scores, NULL));
    for (int i = 0; i < SAMPLES; ++i) {
        double nearest[CLASSES], sum[CLASSES] = {0}, all = 0, ignored, bound = 0;
        for (int c = 0; c < CLASSES; ++c)
            nearest[c] = INFINITY;
        for (int p = 0; p < want.classes.rows; ++p) {
            const int c = (int)want.classes.data[p];
            const double d = lvq_reference_distance(&want, inputs, i, p, &ignored);
            const double sigma = (double)desc->sigma;
            nearest[c] = fmin(nearest[c], d);
            sum[c] += exp(-d / (2 * sigma * sigma));
            all += exp(-d / (2 * sigma * sigma));
            bound = fmax(bound, product_bound(&want, inputs, i, p));
        }
        for (int c = 0; c < CLASSES; ++c) {
            const bool soft = desc->kind == GLNN_LVQ_RSLVQ;
            expect_distance((double)scores[i * CLASSES + c], soft ? sum[c] / all : -nearest[c],
                            soft ? 4 * bound : bound, desc, "a class's score");
        }
    }
}

static void scores_of_classes_are_least_distances_or_posteriors(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < GLNN_LVQ_LVQ1; ++kind)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            const glnn_lvq_desc desc = describe(kind, layout);
            check_scores(&desc);
            release_learning();
        }
}

static void check_measures(const glnn_lvq_desc *desc, int count)
{
    glnn_learner *lvq = random_lvq(desc);
    const samples all = samples_random(count, FEATURES, CLASSES, true);
    const lvq_reference reference = lvq_reference_of(lvq);
    const lvq_measure want = lvq_reference_measure(&reference, all);
    int64_t confusion[CLASSES * CLASSES], counted[CLASSES * CLASSES] = {0};
    glnn_metrics metrics;
    for (int i = 0; i < count; ++i) {
        const int p = lvq_reference_nearest(&reference, all.inputs, i).first;
        counted[(int)all.labels.data[i] * CLASSES + (int)reference.classes.data[p]]++;
    }
    expect_ok(glnn_learner_evaluate(lvq, dataset_of(all), &metrics, confusion));
    expect_distance(metrics.loss, want.loss, want.bound, desc, "the loss");
    assert_true(metrics.accuracy == (double)want.right / count);
    assert_memory_equal(confusion, counted, sizeof counted);
    expect_ok(glnn_learner_evaluate(lvq, dataset_of(all), NULL, NULL));
}

static void loss_accuracy_and_confusion_agree_with_a_count_on_the_cpu(void **state)
{
    (void)state;
    static const int counts[] = {1, 15, 16, 17, 100};
    for (size_t kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind)
        for (size_t i = 0; i < COUNT_OF(counts); ++i) {
            const glnn_lvq_desc desc = describe(kind, rendered_layout(kind + i));
            check_measures(&desc, counts[i]);
            release_learning();
        }
}

static void every_search_finds_the_same_winners(void **state)
{
    (void)state;
    for (glnn_search search = 0; search < GLNN_SEARCH_COUNT; ++search) {
        glnn_lvq_desc desc = describe(GLNN_LVQ_GLVQ, GLNN_LAYOUT_TILED);
        desc.search = search;
        check_winners(&desc);
        check_measures(&desc, 40);
        release_learning();
    }
}

static void prototypes_may_have_any_classes_in_any_order(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = {.features = 2, .classes = 3, .prototypes = 2};
    const float prototypes[12] = {0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0};
    const int classes[6] = {2, 0, 2, 2, 0, 2};
    const float inputs[6] = {0.1f, 0, 3.9f, 0, 4.9f, 0};
    glnn_learner *lvq = lvq_of(&desc);
    float read[12], scores[9];
    int numbers[6], winners[3], found[3];
    expect_ok(lvq_write(lvq, prototypes, classes));
    expect_ok(lvq_read(lvq, read, numbers));
    assert_memory_equal(read, prototypes, sizeof read);
    assert_memory_equal(numbers, classes, sizeof numbers);
    static const int counts[3] = {2, 0, 4};
    assert_memory_equal(glnn_lvq_get_desc(lvq)->prototypes_of, counts, sizeof counts);
    expect_ok(glnn_learner_find_nearest(lvq, 3, inputs, 1, winners, NULL));
    expect_ok(glnn_learner_predict(lvq, 3, inputs, scores, found));
    static const int want[3] = {0, 4, 5}, want_classes[3] = {2, 0, 2};
    assert_memory_equal(winners, want, sizeof want);
    assert_memory_equal(found, want_classes, sizeof want_classes);
    assert_true(isinf(scores[1]) && scores[1] < 0);
}

static void a_class_without_prototypes_is_never_right_and_moves_nothing(void **state)
{
    (void)state;
    static const int counts[2] = {0, 2};
    const glnn_lvq_desc desc = {.features = 3, .classes = 2, .prototypes_of = counts};
    samples all = samples_random(9, 3, 2, true);
    for (int i = 0; i < 9; ++i)
        all.labels.data[i] = 0;
    glnn_learner *lvq = lvq_of(&desc);
    const array before = array_random(2, 3, -1.0, 1.0);
    glnn_metrics metrics;
    expect_ok(lvq_write(lvq, floats_of(before), NULL));
    expect_ok(glnn_learner_train(lvq, dataset_of(all), &(glnn_train_desc){.epochs = 2}, NULL));
    expect_same_bits(before, prototypes_of(lvq), "prototypes of another class");
    expect_ok(glnn_learner_evaluate(lvq, dataset_of(all), &metrics, NULL));
    assert_true(metrics.accuracy == 0);
}

/* Both winners lie on the sample: d_c + d_r is 0. */
static void duplicates_of_two_classes_stay_where_they_are_at_a_loss_of_a_half(void **state)
{
    (void)state;
    static const glnn_lvq_kind kinds[] = {GLNN_LVQ_GLVQ, GLNN_LVQ_GRLVQ, GLNN_LVQ_GMLVQ};
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const glnn_lvq_desc desc = {.kind = kinds[i], .features = 4, .classes = 2};
        const array row = array_random(1, 4, -1.0, 1.0);
        samples twins = {array_new(2, 4), array_new(2, 1), .outputs = 2};
        for (int j = 0; j < 8; ++j)
            twins.inputs.data[j] = row.data[j % 4];
        twins.labels.data[1] = 1;
        glnn_learner *lvq = lvq_of(&desc);
        glnn_metrics metrics;
        expect_ok(lvq_write(lvq, floats_of(twins.inputs), NULL));
        expect_ok(
            glnn_learner_train(lvq, dataset_of(twins), &(glnn_train_desc){.epochs = 3}, NULL));
        expect_same_bits(twins.inputs, prototypes_of(lvq), "prototypes under their samples");
        expect_ok(glnn_learner_evaluate(lvq, dataset_of(twins), &metrics, NULL));
        assert_true(metrics.loss == 0.5);
        release_learning();
    }
}

/* Half way between prototypes of two classes: the sample belongs to the one of the lowest index. */
static void expect_tie(glnn_lvq_kind kind, int samples_count, const int *classes)
{
    const glnn_lvq_desc desc = {.kind = kind, .features = 4, .classes = 2, .sigma = 1};
    const float prototypes[8] = {-1, 2, 0.5f, 0, 1, 2, 0.5f, 0};
    samples all = {array_new(samples_count, 4), array_new(samples_count, 1), .outputs = 2};
    int64_t confusion[4];
    glnn_metrics metrics;
    for (int i = 0; i < samples_count; ++i) {
        *at(all.inputs, i, 1) = i;
        all.labels.data[i] = i % 3 == 0;
    }
    glnn_learner *lvq = lvq_of(&desc);
    expect_ok(lvq_write(lvq, prototypes, classes));
    expect_ok(glnn_learner_evaluate(lvq, dataset_of(all), &metrics, confusion));
    assert_true(confusion[1 - classes[0]] == 0 && confusion[2 + 1 - classes[0]] == 0);
    const int right = (int)confusion[3 * classes[0]];
    if (metrics.accuracy != (double)right / samples_count)
        fail_at(__FILE__, __LINE__, "%s, prototype 0 of class %d: %g of %d, expected %d",
                glnn_lvq_kind_name(kind), classes[0], metrics.accuracy, samples_count, right);
    release_learning();
}

static void ties_between_prototypes_of_two_classes_go_to_the_lowest_index(void **state)
{
    (void)state;
    static const int orders[][2] = {{0, 1}, {1, 0}};
    for (size_t kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind)
        for (size_t i = 0; i < COUNT_OF(orders); ++i) {
            expect_tie((glnn_lvq_kind)kind, 2, orders[i]);
            expect_tie((glnn_lvq_kind)kind, 20, orders[i]);
        }
}

/* Only rounding brings all to 0 at once: the loss does not change if all are scaled. */
static void relevances_that_are_all_zero_become_equal(void **state)
{
    (void)state;
    static const int lengths[] = {1, 3, 4, 9};
    for (size_t i = 0; i < COUNT_OF(lengths) * RENDERED_COUNT; ++i) {
        const int features = lengths[i / RENDERED_COUNT];
        const glnn_layout layout = rendered_layout(i);
        glnn_matrix *gradient = matrix_of(array_random(2, features, 1, 2), layout);
        glnn_matrix *roots = matrix_of(array_random(1, features, 0, 1), layout);
        expect_ok(glnn__lvq_descend_relevances(glnn_test_context(), gradient, 1, roots));
        const array values = values_of(roots);
        for (int j = 0; j < features; ++j)
            if (!(fabs(values.data[j] - 1 / sqrt(features)) <= 4 * EPS))
                fail_at(__FILE__, __LINE__, "root %d of %d is %g", j, features, values.data[j]);
    }
}

/* Few samples are found by their distances, many by scores. */
static void a_sample_out_of_reach_has_no_winner(void **state)
{
    enum { MANY = 40 };
    static const float magnitudes[] = {1e30f, -1e30f, 3e38f, -3e38f};
    static float far[MANY * FEATURES], outputs[MANY * CLASSES], distances[MANY];
    int winners[MANY], classes[MANY];
    (void)state;
    for (size_t i = 0; i < GLNN_LVQ_KIND_COUNT * COUNT_OF(magnitudes) * 2; ++i) {
        const size_t kind = i % GLNN_LVQ_KIND_COUNT, rest = i / GLNN_LVQ_KIND_COUNT;
        const int count = rest % 2 ? MANY : 2;
        glnn_lvq_desc desc = describe(kind, GLNN_LAYOUT_TILED);
        desc.sigma = kind == GLNN_LVQ_RSLVQ ? 1 : 0;
        glnn_learner *lvq = random_lvq(&desc);
        for (int j = 0; j < count * FEATURES; ++j)
            far[j] = j % (2 * FEATURES) == 1 ? magnitudes[rest / 2] : 0.5f;
        expect_ok(glnn_learner_find_nearest(lvq, count, far, 1, winners, distances));
        expect_ok(glnn_learner_predict(lvq, count, far, NULL, classes));
        for (int j = 0; j < count; ++j) {
            const bool is_far = j % 2 == 0;
            assert_true((winners[j] == -1) == is_far && (classes[j] == -1) == is_far);
            assert_true(is_far ? distances[j] == INFINITY : isfinite(distances[j]) != 0);
        }
        if (kind != GLNN_LVQ_RSLVQ)
            expect_error(glnn_learner_predict(lvq, count, far, outputs, NULL), GLNN_E_DIVERGED,
                         "for sample 0 is not finite");
        release_learning();
    }
}

static void what_is_read_can_be_written_back_bit_for_bit(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        const glnn_lvq_desc desc = describe(kind, GLNN_LAYOUT_TILED);
        const glnn_dataset *data = dataset_of(samples_random(60, FEATURES, CLASSES, true));
        const glnn_train_desc train = {.epochs = 2, .batch = 8};
        glnn_learner *lvq = random_lvq(&desc), *copy = random_lvq(&desc);
        expect_ok(glnn_learner_train(lvq, data, &train, NULL));
        expect_ok(lvq_write(copy, floats_of(prototypes_of(lvq)), NULL));
        if (desc.kind == GLNN_LVQ_GRLVQ)
            expect_ok(write_tensor(copy, "relevances", floats_of(relevances_of(lvq))));
        if (desc.kind == GLNN_LVQ_GMLVQ)
            expect_ok(write_tensor(copy, "omega", floats_of(omega_of(lvq))));
        if (desc.kind == GLNN_LVQ_OLVQ1)
            expect_ok(write_tensor(copy, "rates", floats_of(rates_of(lvq))));
        expect_ok(glnn_lvq_set_epochs(copy, glnn_lvq_get_epochs(lvq)));
        expect_ok(glnn_learner_train(lvq, data, &train, NULL));
        expect_ok(glnn_learner_train(copy, data, &train, NULL));
        expect_same_classifiers(lvq, copy, glnn_lvq_kind_name(desc.kind));
        release_learning();
    }
}

static void relevances_and_omega_are_scaled_where_they_are_written(void **state)
{
    (void)state;
    const float relevances[4] = {1, 0, 2, 5}, omega[8] = {3, 0, 0, 0, 0, 0, 0, 4};
    const glnn_lvq_desc diagonal = {.kind = GLNN_LVQ_GRLVQ, .features = 4, .classes = 2};
    const glnn_lvq_desc full = {.kind = GLNN_LVQ_GMLVQ, .features = 4, .classes = 2, .rank = 2};
    const glnn_lvq_desc plain = {.features = 4, .classes = 2};
    glnn_learner *grlvq = lvq_of(&diagonal), *gmlvq = lvq_of(&full);
    expect_ok(write_tensor(grlvq, "relevances", relevances));
    const array read = relevances_of(grlvq);
    for (int j = 0; j < 4; ++j)
        assert_true(fabs(read.data[j] - (double)relevances[j] / 8) <= 4 * EPS);
    expect_ok(write_tensor(gmlvq, "omega", omega));
    const array scaled = omega_of(gmlvq), diagonal_of = relevances_of(gmlvq);
    assert_true(fabs(scaled.data[0] - 0.6) <= EPS && fabs(scaled.data[7] - 0.8) <= EPS);
    assert_true(fabs(diagonal_of.data[0] - 0.36) <= 2 * EPS && diagonal_of.data[1] == 0);
    const array ones = relevances_of(lvq_of(&plain));
    for (int j = 0; j < 4; ++j)
        assert_true(ones.data[j] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(winners_agree_with_the_reference_for_any_number_of_samples),
        LEARNING_TEST(short_lists_ascend_and_begin_with_the_winner),
        LEARNING_TEST(scores_of_classes_are_least_distances_or_posteriors),
        LEARNING_TEST(loss_accuracy_and_confusion_agree_with_a_count_on_the_cpu),
        LEARNING_TEST(every_search_finds_the_same_winners),
        LEARNING_TEST(prototypes_may_have_any_classes_in_any_order),
        LEARNING_TEST(a_class_without_prototypes_is_never_right_and_moves_nothing),
        LEARNING_TEST(duplicates_of_two_classes_stay_where_they_are_at_a_loss_of_a_half),
        LEARNING_TEST(ties_between_prototypes_of_two_classes_go_to_the_lowest_index),
        LEARNING_TEST(relevances_that_are_all_zero_become_equal),
        LEARNING_TEST(a_sample_out_of_reach_has_no_winner),
        LEARNING_TEST(what_is_read_can_be_written_back_bit_for_bit),
        LEARNING_TEST(relevances_and_omega_are_scaled_where_they_are_written),
    };
    return cmocka_run_group_tests_name("lvq use", tests, test_group_setup, test_group_teardown);
}
