/* K-means outside of its iterations: what it predicts and measures, how training ends, and what a
 * step costs. */
#include "support/clusters.h"

static void predictions_name_the_nearest_centre_and_its_distance(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 8, 9, 40};
    random_seed(31);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < COUNT_OF(counts); ++i) {
            glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){
                .features = 9, .centres = 5, .classes = 3, .layout = layout, .capacity = 8});
            set_centres(kmeans, array_random(15, 9, -4.0, 4.0));
            const kmeans_reference reference = kmeans_reference_of(kmeans);
            const samples all = {.inputs = array_random(counts[i], 9, -4.0, 4.0)};
            const array want = kmeans_reference_assign(&reference, all, false);
            int centres[40], classes[40];
            float distances[40];
            expect_ok(glnn_learner_find_nearest(kmeans, counts[i], floats_of(all.inputs), 1,
                                                centres, distances));
            expect_ok(
                glnn_learner_predict(kmeans, counts[i], floats_of(all.inputs), NULL, classes));
            for (int r = 0; r < counts[i]; ++r) {
                const double distance = *at(want, r, 1);
                assert_int_equal(centres[r], (int)*at(want, r, 0));
                assert_int_equal(classes[r], centres[r] / 5);
                assert_true(fabs((double)distances[r] - distance) <= (9 + 4) * EPS * distance);
            }
            release_learning();
        }
}

static double least_distance(array inputs, int row, array centres, int first, int count)
{
    double least = INFINITY;
    for (int p = first; p < first + count; ++p) {
        double sum = 0;
        for (int f = 0; f < inputs.columns; ++f)
            sum += pow(*at(inputs, row, f) - *at(centres, p, f), 2);
        least = fmin(least, sum);
    }
    return least;
}

/* Inputs and centres of 9 features within 4 of 0: |x| and |m| are at most 12. */
static void outputs_are_distances_of_centres_or_of_the_nearest_of_each_class(void **state)
{
    (void)state;
    enum { SAMPLES = 20, CENTRES = 15 };
    const double bound = (9 + 8) * 4 * EPS * 24 * 24;
    random_seed(37);
    for (int classes = 0; classes < 4; classes += 3)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            const int each = classes > 0 ? CENTRES / classes : 1;
            const int columns = CENTRES / each;
            glnn_learner *kmeans =
                kmeans_of(&(glnn_kmeans_desc){.features = 9,
                                              .centres = classes > 0 ? each : CENTRES,
                                              .classes = classes,
                                              .layout = layout,
                                              .capacity = 8});
            const array centres = array_random(CENTRES, 9, -4.0, 4.0);
            const array inputs = array_random(SAMPLES, 9, -4.0, 4.0);
            float outputs[SAMPLES * CENTRES];
            int named[SAMPLES];
            set_centres(kmeans, centres);
            assert_int_equal(glnn_learner_get_outputs(kmeans), columns);
            expect_ok(glnn_learner_predict(kmeans, SAMPLES, floats_of(inputs), outputs, named));
            for (int i = 0; i < SAMPLES; ++i)
                for (int c = 0; c < columns; ++c) {
                    const double want = -least_distance(inputs, i, centres, c * each, each);
                    const double got = (double)outputs[i * columns + c];
                    assert_true(fabs(got - want) <= bound);
                    assert_true(got <= (double)outputs[i * columns + named[i]] + 2 * bound);
                }
            release_learning();
        }
}

static void lists_of_centres_ascend_by_distances_from_differences(void **state)
{
    (void)state;
    enum { SAMPLES = 20, CENTRES = 7 };
    random_seed(38);
    const array centres = array_random(CENTRES, 9, -4.0, 4.0);
    const array inputs = array_random(SAMPLES, 9, -4.0, 4.0);
    glnn_learner *kmeans =
        kmeans_of(&(glnn_kmeans_desc){.features = 9, .centres = CENTRES, .capacity = 8});
    set_centres(kmeans, centres);
    for (int k = 1; k <= CENTRES; ++k) {
        int found[SAMPLES * CENTRES];
        float distances[SAMPLES * CENTRES];
        expect_ok(
            glnn_learner_find_nearest(kmeans, SAMPLES, floats_of(inputs), k, found, distances));
        for (int i = 0; i < SAMPLES * k; ++i) {
            const double want = least_distance(inputs, i / k, centres, found[i], 1);
            assert_true(fabs((double)distances[i] - want) <= (9 + 4) * EPS * want);
            assert_true(i % k == 0 || distances[i - 1] < distances[i]);
        }
        for (int i = 0; i < SAMPLES; ++i)
            assert_true(fabs((double)distances[i * k] -
                             least_distance(inputs, i, centres, 0, CENTRES)) <= 1e-4);
    }
}

static void training_initialises_what_has_not_been(void **state)
{
    (void)state;
    random_seed(39);
    const glnn_dataset *data = dataset_of(samples_clustered(50, 4, 6, 1.0, 2));
    for (int classes = 0; classes < 4; classes += 2) {
        const glnn_kmeans_desc desc = {
            .features = 4, .centres = 3, .classes = classes, .capacity = 8, .seed = 5};
        const glnn_train_desc train = {.epochs = 2, .batch = 10, .validation_split = 0.2f};
        glnn_learner *by_itself = kmeans_of(&desc), *before = kmeans_of(&desc);
        expect_ok(glnn_learner_initialise(before, data));
        expect_ok(glnn_learner_train(by_itself, data, &train, NULL));
        expect_ok(glnn_learner_train(before, data, &train, NULL));
        expect_same_bits(centres_of(by_itself), centres_of(before), "centres");
    }
}

static void equal_centres_give_the_lowest_number(void **state)
{
    (void)state;
    glnn_learner *kmeans =
        kmeans_of(&(glnn_kmeans_desc){.features = 3, .centres = 6, .capacity = 8});
    array centres = array_new(6, 3);
    *at(centres, 0, 0) = 5;
    set_centres(kmeans, centres);
    int winner = -1;
    float distance = -1;
    expect_ok(glnn_learner_find_nearest(kmeans, 1, (float[]){1, 0, 0}, 1, &winner, &distance));
    assert_int_equal(winner, 1);
    expect_ok(glnn_learner_predict(kmeans, 1, (float[]){1, 0, 0}, NULL, &winner));
    assert_int_equal(winner, 1);
    assert_true(distance == 1);
}

/* One centre of class 0 at 0, one of class 1 at 10; samples at 1, 4, 6 and 9. */
static glnn_learner *line_of_two(samples *all)
{
    glnn_learner *kmeans =
        kmeans_of(&(glnn_kmeans_desc){.features = 1, .centres = 1, .classes = 2, .capacity = 3});
    static const double inputs[] = {1, 4, 6, 9}, labels[] = {0, 1, 1, 1};
    array centres = array_new(2, 1);
    centres.data[1] = 10;
    set_centres(kmeans, centres);
    *all = (samples){.inputs = array_new(4, 1), .labels = array_new(4, 1), .outputs = 2};
    memcpy(all->inputs.data, inputs, sizeof inputs);
    memcpy(all->labels.data, labels, sizeof labels);
    return kmeans;
}

static void evaluation_measures_within_classes_and_classifies_among_all(void **state)
{
    (void)state;
    samples all;
    glnn_metrics metrics;
    int64_t confusion[4];
    glnn_learner *kmeans = line_of_two(&all);
    expect_ok(glnn_learner_evaluate(kmeans, dataset_of(all), &metrics, confusion));
    assert_true(metrics.loss == (1 + 36 + 16 + 1) / 4.0);
    assert_true(metrics.accuracy == 0.75);
    static const int64_t want[] = {1, 0, 1, 2};
    assert_memory_equal(confusion, want, sizeof want);
    all.labels.data = NULL;
    expect_ok(glnn_learner_evaluate(kmeans, dataset_of(all), &metrics, NULL));
    assert_true(metrics.loss == (1 + 16 + 16 + 1) / 4.0);
    assert_true(metrics.accuracy == 0);
}

static bool stop_at_two(void *user, const glnn_report *report)
{
    (void)user;
    return report->event != GLNN_EVENT_EPOCH || report->epoch < 2;
}

static void training_ends_by_tolerance_patience_or_callback(void **state)
{
    (void)state;
    random_seed(32);
    const glnn_dataset *data = dataset_of(samples_clustered(200, 4, 10, 1.0, 0));
    glnn_kmeans_desc desc = {.features = 4, .centres = 10, .tolerance = -1};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(
        glnn_learner_train(kmeans_of(&desc), data, &(glnn_train_desc){.epochs = 40}, &result));
    assert_int_equal(result.epochs, 40);
    assert_false(result.stopped);
    desc.tolerance = 0;
    expect_ok(
        glnn_learner_train(kmeans_of(&desc), data, &(glnn_train_desc){.epochs = 40}, &result));
    assert_true(result.stopped && result.epochs > 1 && result.epochs < 40);
    desc.tolerance = -1;
    expect_ok(glnn_learner_train(
        kmeans_of(&desc), data, &(glnn_train_desc){.epochs = 40, .patience = 3, .validation = data},
        &result));
    assert_true(result.stopped && result.epochs < 40);
    expect_ok(glnn_learner_train(kmeans_of(&desc), data,
                                 &(glnn_train_desc){.epochs = 40, .report = stop_at_two}, &result));
    assert_int_equal(result.epochs, 2);
}

static void the_centres_of_the_best_epoch_can_be_kept(void **state)
{
    (void)state;
    random_seed(33);
    const samples all = samples_clustered(160, 3, 6, 2.0, 0);
    glnn_learner *kmeans =
        kmeans_of(&(glnn_kmeans_desc){.features = 3, .centres = 24, .tolerance = -1, .seed = 4});
    const glnn_dataset *validation = dataset_of(samples_part(all, 0, 40));
    const glnn_train_desc training = {.epochs = 25, .validation = validation, .restore_best = true};
    glnn_train_result result = {.size = sizeof result};
    glnn_metrics metrics;
    expect_ok(
        glnn_learner_train(kmeans, dataset_of(samples_part(all, 40, 120)), &training, &result));
    expect_ok(glnn_learner_evaluate(kmeans, validation, &metrics, NULL));
    assert_true(result.best_epoch >= 1);
    assert_true(metrics.loss <= result.validation.loss);
}

typedef struct best_sizes {
    glnn_learner *kmeans;
    float sizes[24];
} best_sizes;

static bool note_best_sizes(void *user, const glnn_report *report)
{
    best_sizes *of = user;
    if (report->event == GLNN_EVENT_EPOCH && report->best)
        expect_ok(read_tensor(of->kmeans, "sizes", of->sizes));
    return true;
}

/* Mini-batches go on counting, so the sizes of no two epochs are equal. */
static void the_sizes_of_the_best_epoch_come_back_with_its_centres(void **state)
{
    (void)state;
    random_seed(37);
    const samples all = samples_clustered(160, 3, 6, 2.0, 0);
    best_sizes of = {
        kmeans_of(&(glnn_kmeans_desc){.features = 3, .centres = 24, .tolerance = -1, .seed = 5}),
        {0}};
    const glnn_train_desc training = {.epochs = 12,
                                      .batch = 30,
                                      .validation = dataset_of(samples_part(all, 0, 40)),
                                      .restore_best = true,
                                      .report = note_best_sizes,
                                      .user = &of};
    glnn_train_result result = {.size = sizeof result};
    float sizes[24];
    expect_ok(
        glnn_learner_train(of.kmeans, dataset_of(samples_part(all, 40, 120)), &training, &result));
    expect_ok(read_tensor(of.kmeans, "sizes", sizes));
    assert_true(result.best_epoch >= 1 && result.best_epoch < 12);
    assert_memory_equal(sizes, of.sizes, sizeof sizes);
}

static void steps_make_no_texture_or_program_and_do_not_wait(void **state)
{
    (void)state;
    static const int batches[] = {0, 1, 16, 50};
    for (size_t b = 0; b < COUNT_OF(batches); ++b) {
        random_seed(34);
        epoch_watch w = {.most_waits = 2};
        glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = 6,
                                                             .centres = 4,
                                                             .classes = 2,
                                                             .tolerance = -1,
                                                             .layout = rendered_layout(b),
                                                             .capacity = 16});
        const glnn_train_desc training = {.epochs = 5,
                                          .batch = batches[b],
                                          .report_every = 1,
                                          .report = watch_steady_epoch,
                                          .user = &w};
        expect_ok(glnn_learner_train(kmeans, dataset_of(samples_clustered(100, 6, 6, 1.0, 2)),
                                     &training, NULL));
        assert_int_equal(w.epochs, 3);
        release_learning();
    }
}

/* Trains Lloyd's iteration after mini-batches of the same size, or from their centres and sizes. */
static array centres_of_two_trainings(const glnn_dataset *data, bool is_anew)
{
    const glnn_kmeans_desc desc = {.features = 3, .centres = 5, .tolerance = -1, .capacity = 40};
    float centres[5 * 3], sizes[5];
    glnn_learner *kmeans = kmeans_of(&desc);
    expect_ok(glnn_learner_train(kmeans, data, &(glnn_train_desc){.epochs = 2, .batch = 40}, NULL));
    expect_ok(read_tensor(kmeans, "centres", centres));
    expect_ok(read_tensor(kmeans, "sizes", sizes));
    if (is_anew) {
        kmeans = kmeans_of(&desc);
        expect_ok(write_tensor(kmeans, "centres", centres));
        expect_ok(write_tensor(kmeans, "sizes", sizes));
    }
    expect_ok(glnn_learner_train(kmeans, data, &(glnn_train_desc){.epochs = 3}, NULL));
    expect_ok(read_tensor(kmeans, "centres", centres));
    return array_of_floats(5, 3, centres);
}

static void a_training_of_another_kind_has_passes_of_its_own(void **state)
{
    (void)state;
    random_seed(41);
    const glnn_dataset *data = dataset_of(samples_clustered(80, 3, 5, 2.0, 0));
    expect_same_bits(centres_of_two_trainings(data, false), centres_of_two_trainings(data, true),
                     "centres");
}

static void a_data_set_that_streams_gives_the_same_centres(void **state)
{
    (void)state;
    random_seed(36);
    const samples all = samples_clustered(400, 10, 8, 1.0, 2);
    array centres[2];
    for (int i = 0; i < 2; ++i) {
        const glnn_dataset *data = dataset_within(all, i > 0 ? 16000 : 0);
        glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){
            .features = 10, .centres = 5, .classes = 2, .capacity = 16, .seed = 8});
        int64_t confusion[4] = {0};
        expect_ok(glnn_learner_train(kmeans, data, &(glnn_train_desc){.epochs = 4}, NULL));
        expect_ok(glnn_learner_evaluate(kmeans, data, NULL, confusion));
        assert_int_equal(confusion[0] + confusion[1] + confusion[2] + confusion[3], 400);
        centres[i] = centres_of(kmeans);
    }
    expect_same_bits(centres[0], centres[1], "resident and streamed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(predictions_name_the_nearest_centre_and_its_distance),
        LEARNING_TEST(outputs_are_distances_of_centres_or_of_the_nearest_of_each_class),
        LEARNING_TEST(lists_of_centres_ascend_by_distances_from_differences),
        LEARNING_TEST(training_initialises_what_has_not_been),
        LEARNING_TEST(equal_centres_give_the_lowest_number),
        LEARNING_TEST(evaluation_measures_within_classes_and_classifies_among_all),
        LEARNING_TEST(training_ends_by_tolerance_patience_or_callback),
        LEARNING_TEST(the_centres_of_the_best_epoch_can_be_kept),
        LEARNING_TEST(the_sizes_of_the_best_epoch_come_back_with_its_centres),
        LEARNING_TEST(steps_make_no_texture_or_program_and_do_not_wait),
        LEARNING_TEST(a_training_of_another_kind_has_passes_of_its_own),
        LEARNING_TEST(a_data_set_that_streams_gives_the_same_centres),
    };
    return cmocka_run_group_tests_name("k-means in use", tests, test_group_setup,
                                       test_group_teardown);
}
