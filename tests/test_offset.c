/* Features with a common offset that is large against their spread: prototypes and centres are
 * found as if it were not there. */
#include "support/clusters.h"
#include "support/learner_files.h"
#include "support/prototypes.h"

enum { CLASSES = 3, SAMPLES = 90 };

/* Class c lies within 0.05 of (0.2 c, 0), 2000 away from the origin; the classes do not overlap. */
#define OFFSET 2000.0

static samples samples_far_away(void)
{
    random_seed(71);
    samples all = samples_random(SAMPLES, 2, CLASSES, true);
    for (int i = 0; i < SAMPLES; ++i) {
        const double place = OFFSET + 0.2 * (i % CLASSES);
        all.labels.data[i] = i % CLASSES;
        *at(all.inputs, i, 0) = (double)(float)(place + 0.05 * *at(all.inputs, i, 0));
        *at(all.inputs, i, 1) = (double)(float)(0.05 * *at(all.inputs, i, 1));
    }
    return all;
}

static double squared_distance(array left, int i, array right, int j)
{
    double sum = 0;
    for (int f = 0; f < left.columns; ++f)
        sum += pow(*at(left, i, f) - *at(right, j, f), 2);
    return sum;
}

static double least_distance(array inputs, int i, array places)
{
    double least = INFINITY;
    for (int p = 0; p < places.rows; ++p)
        least = fmin(least, squared_distance(inputs, i, places, p));
    return least;
}

static void every_kind_classifies_as_without_the_offset(void **state)
{
    (void)state;
    const samples all = samples_far_away();
    const glnn_dataset *data = dataset_of(all);
    for (glnn_lvq_kind kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind) {
        for (int several = 1; several <= 2; ++several) {
            glnn_metrics before, after;
            glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.kind = kind,
                                                        .features = 2,
                                                        .classes = CLASSES,
                                                        .prototypes = several,
                                                        .capacity = 64});
            expect_ok(glnn_learner_initialise(lvq, data));
            expect_ok(glnn_learner_evaluate(lvq, data, &before, NULL));
            expect_ok(glnn_learner_train(
                lvq, data, &(glnn_train_desc){.epochs = 4, .batch = 8, .restore_best = true},
                NULL));
            expect_ok(glnn_learner_evaluate(lvq, data, &after, NULL));
            if (before.accuracy < 1 || after.accuracy < 1)
                fail_at(__FILE__, __LINE__, "%s, %d prototypes: %g before training, %g after it",
                        glnn_lvq_kind_name(kind), several, before.accuracy, after.accuracy);
        }
        log_clear();
    }
    release_learning();
}

static void k_means_ends_where_the_double_does(void **state)
{
    (void)state;
    const samples all = samples_far_away();
    const glnn_dataset *data = dataset_of(all);
    glnn_learner *kmeans = kmeans_of(
        &(glnn_kmeans_desc){.features = 2, .centres = CLASSES, .tolerance = -1, .capacity = 64});
    double last = INFINITY;
    glnn_metrics metrics;
    glnn_train_result result = {.size = sizeof result};
    for (int t = 0; t < 4; ++t) {
        expect_ok(glnn_learner_train(kmeans, data, &(glnn_train_desc){.epochs = 1}, &result));
        assert_true(result.training.loss <= last);
        last = result.training.loss;
    }
    const array centres = centres_of(kmeans);
    double want = 0;
    for (int i = 0; i < SAMPLES; ++i)
        want += least_distance(all.inputs, i, centres) / SAMPLES;
    expect_ok(glnn_learner_evaluate(kmeans, data, &metrics, NULL));
    assert_true(fabs(metrics.loss - want) <= 1e-3 * want && metrics.loss < 0.01);
}

static void all_functions_take_and_give_the_callers_coordinates(void **state)
{
    (void)state;
    enum { LIST = 2 };
    const samples all = samples_far_away();
    float *inputs = floats_of(all.inputs), *distances = floats_new(SAMPLES * LIST);
    float *scores = floats_new(SAMPLES * CLASSES);
    int classes[SAMPLES], lists[SAMPLES * LIST];
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.features = 2, .classes = CLASSES, .capacity = 64});
    array places = array_new(CLASSES, 2);
    for (int c = 0; c < CLASSES; ++c) {
        *at(places, c, 0) = OFFSET + 0.2 * c;
        *at(places, c, 1) = 0.01 * (c - 1.1);
    }
    places = array_of_floats(CLASSES, 2, floats_of(places));
    expect_ok(lvq_write(lvq, floats_of(places), NULL));
    expect_same_bits(prototypes_of(lvq), places, "prototypes that were set");
    expect_ok(glnn_learner_predict(lvq, SAMPLES, inputs, scores, classes));
    expect_ok(glnn_learner_find_nearest(lvq, SAMPLES, inputs, LIST, lists, distances));
    for (int i = 0; i < SAMPLES; ++i) {
        assert_int_equal(classes[i], i % CLASSES);
        assert_int_equal(lists[LIST * i], i % CLASSES);
        for (int c = 0; c < CLASSES; ++c)
            assert_true(fabs((double)scores[CLASSES * i + c] +
                             squared_distance(all.inputs, i, places, c)) <= 1e-6);
        for (int k = 0; k < LIST; ++k)
            assert_true(fabs((double)distances[LIST * i + k] -
                             squared_distance(all.inputs, i, places, lists[LIST * i + k])) <= 1e-6);
    }
    glnn_learner *kmeans =
        kmeans_of(&(glnn_kmeans_desc){.features = 2, .centres = CLASSES, .capacity = 64});
    set_centres(kmeans, places);
    expect_same_bits(centres_of(kmeans), places, "centres that were set");
    expect_ok(glnn_learner_predict(kmeans, SAMPLES, inputs, NULL, classes));
    for (int i = 0; i < SAMPLES; ++i)
        assert_int_equal(classes[i], i % CLASSES);
}

/* Places 0.2 apart around `offset`. */
static array places_around(double offset)
{
    array places = array_new(CLASSES, 2);
    for (int c = 0; c < CLASSES; ++c)
        *at(places, c, 0) = (double)(float)(offset + 0.2 * (c - 1));
    return places;
}

static glnn_status train_lvq(void *lvq, const glnn_dataset *data, const glnn_train_desc *desc)
{
    return glnn_learner_train(lvq, data, desc, NULL);
}

static int passes_of_step(double offset)
{
    samples all = samples_far_away();
    for (int i = 0; i < SAMPLES; ++i)
        *at(all.inputs, i, 0) = (double)(float)(*at(all.inputs, i, 0) - OFFSET - 0.2 + offset);
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.features = 2, .classes = CLASSES, .capacity = 64});
    expect_ok(lvq_write(lvq, floats_of(places_around(offset)), NULL));
    return passes_per_step(lvq, train_lvq, samples_part(all, 0, 80), 20);
}

static void a_shift_costs_a_pass_and_only_where_it_matters(void **state)
{
    (void)state;
    const int usual = passes_of_step(0);
    assert_int_equal(passes_of_step(1), usual);
    assert_int_equal(passes_of_step(100), usual + 1);
}

/* Prototypes that the first report sets elsewhere are forgotten for those of the best epoch. */
static bool set_elsewhere(void *user, const glnn_report *report)
{
    if (report->epoch == 1)
        expect_ok(lvq_write(user, floats_of(places_around(5)), NULL));
    return true;
}

static bool set_centres_elsewhere(void *user, const glnn_report *report)
{
    if (report->epoch == 1)
        set_centres(user, places_around(5));
    return true;
}

static void the_best_centres_come_back_with_their_offset(void **state)
{
    (void)state;
    const samples all = samples_far_away();
    glnn_learner *kmeans = kmeans_of(
        &(glnn_kmeans_desc){.features = 2, .centres = CLASSES, .tolerance = -1, .capacity = 64});
    const glnn_train_desc training = {.epochs = 2,
                                      .validation = dataset_of(all),
                                      .restore_best = true,
                                      .report = set_centres_elsewhere,
                                      .user = kmeans};
    glnn_train_result result = {.size = sizeof result};
    glnn_metrics metrics;
    expect_ok(glnn_learner_train(kmeans, dataset_of(all), &training, &result));
    assert_int_equal(result.best_epoch, 1);
    const array centres = centres_of(kmeans);
    for (int c = 0; c < CLASSES; ++c)
        assert_true(fabs(*at(centres, c, 0) - OFFSET - 0.2) < 0.3);
    expect_ok(glnn_learner_evaluate(kmeans, dataset_of(all), &metrics, NULL));
    assert_true(metrics.loss < 0.03);
}

static void the_best_epoch_comes_back_with_its_offset(void **state)
{
    (void)state;
    const samples all = samples_far_away();
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.features = 2, .classes = CLASSES, .capacity = 64});
    expect_ok(glnn_learner_initialise(lvq, dataset_of(all)));
    expect_ok(glnn_learner_train(lvq, dataset_of(all),
                                 &(glnn_train_desc){.epochs = 2,
                                                    .validation = dataset_of(all),
                                                    .restore_best = true,
                                                    .report = set_elsewhere,
                                                    .user = lvq},
                                 NULL));
    const array prototypes = prototypes_of(lvq);
    for (int c = 0; c < CLASSES; ++c)
        assert_true(fabs(*at(prototypes, c, 0) - OFFSET - 0.2 * c) < 0.05);
}

static void files_hold_the_callers_coordinates(void **state)
{
    (void)state;
    const samples all = samples_far_away();
    const glnn_dataset *data = dataset_of(all);
    const file_path path = path_of("far_away");
    glnn_context *ctx = glnn_test_context();
    glnn_metrics read_from_file, left, right;
    glnn_learner *lvq = lvq_of(&(glnn_lvq_desc){.features = 2, .classes = CLASSES, .capacity = 64});
    glnn_learner *read = NULL;
    expect_ok(glnn_learner_initialise(lvq, data));
    expect_ok(glnn_learner_save(lvq, path.text));
    expect_ok(glnn_learner_load(ctx, path.text, &(glnn_load_desc){.capacity = 64}, &read));
    learning_own_learner(read);
    expect_same_bits(prototypes_of(read), prototypes_of(lvq), "prototypes from a file");
    expect_ok(glnn_learner_evaluate(read, data, &read_from_file, NULL));
    assert_true(read_from_file.accuracy == 1);
    glnn_learner *kmeans = kmeans_of(
        &(glnn_kmeans_desc){.features = 2, .centres = 2, .classes = CLASSES, .capacity = 64});
    glnn_learner *same = NULL;
    expect_ok(glnn_learner_train(kmeans, data, NULL, NULL));
    expect_ok(glnn_learner_evaluate(kmeans, data, &left, NULL));
    expect_ok(glnn_learner_save(kmeans, path.text));
    expect_ok(glnn_learner_load(ctx, path.text, &(glnn_load_desc){.capacity = 64}, &same));
    learning_own_learner(same);
    expect_same_bits(centres_of(same), centres_of(kmeans), "centres from a file");
    expect_ok(glnn_learner_evaluate(same, data, &right, NULL));
    assert_true(right.accuracy == 1 && fabs(left.loss - right.loss) <= 1e-3 * left.loss);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_kind_classifies_as_without_the_offset),
        LEARNING_TEST(k_means_ends_where_the_double_does),
        LEARNING_TEST(all_functions_take_and_give_the_callers_coordinates),
        LEARNING_TEST(a_shift_costs_a_pass_and_only_where_it_matters),
        LEARNING_TEST(the_best_epoch_comes_back_with_its_offset),
        LEARNING_TEST(the_best_centres_come_back_with_their_offset),
        LEARNING_TEST(files_hold_the_callers_coordinates),
    };
    return cmocka_run_group_tests_name("offsets", tests, learner_files_setup,
                                       learner_files_teardown);
}
