/* K-means against the reference in double precision, step by step: Lloyd's iteration and
 * mini-batches, within classes and without, in every layout. */
#include "support/clusters.h"

typedef struct shape {
    int samples, features, clusters, centres, classes;
} shape;

static const shape shapes[] = {
    {1, 1, 1, 1, 0},  {7, 3, 2, 3, 0},   {40, 9, 5, 5, 0},
    {33, 8, 4, 2, 2}, {65, 17, 6, 3, 3}, {150, 5, 8, 9, 0},
};

static samples draw(const shape *of)
{
    return samples_clustered(of->samples, of->features, of->clusters, 0.5, of->classes);
}

static glnn_learner *kmeans_in(const shape *of, glnn_layout layout, int capacity)
{
    return kmeans_of(&(glnn_kmeans_desc){.features = of->features,
                                         .centres = of->centres,
                                         .classes = of->classes,
                                         .tolerance = -1,
                                         .layout = layout,
                                         .capacity = capacity,
                                         .seed = 3});
}

/* Errors of a few iterations of sums over samples of this size. */
static void expect_near(array got, array want, const char *what, size_t number, int step)
{
    for (size_t i = 0; i < length_of(got); ++i)
        if (!(fabs(got.data[i] - want.data[i]) <= 32 * EPS * (4 + fabs(want.data[i]))))
            fail_at(__FILE__, __LINE__, "shape %zu, step %d, %s %zu: %.9g, reference %.9g", number,
                    step, what, i, got.data[i], want.data[i]);
}

static void expect_error_near(double got, double want, size_t number, int step)
{
    if (!(fabs(got - want) <= 1e-5 * (1 + want)))
        fail_at(__FILE__, __LINE__, "shape %zu, step %d: the error is %.9g, reference %.9g", number,
                step, got, want);
}

/* The share of samples that are nearest to a centre of their class. */
static double accuracy_of(const kmeans_reference *of, samples all)
{
    const array assigned = kmeans_reference_assign(of, all, false);
    double right = 0;
    for (int i = 0; i < all.inputs.rows; ++i)
        right += (int)*at(assigned, i, 0) / of->per_class == (int)all.labels.data[i];
    return right / all.inputs.rows;
}

static void check_lloyd(const shape *of, size_t number, glnn_layout layout, int capacity)
{
    const samples all = draw(of);
    const glnn_dataset *data = dataset_of(all);
    glnn_learner *kmeans = kmeans_in(of, layout, capacity);
    expect_ok(glnn_learner_initialise(kmeans, data));
    for (int t = 0; t < 3; ++t) {
        kmeans_reference reference = kmeans_reference_of(kmeans);
        const double accuracy = of->classes > 0 ? accuracy_of(&reference, all) : 0;
        const double error = kmeans_reference_lloyd(&reference, all);
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_train(kmeans, data, &(glnn_train_desc){.epochs = 1}, &result));
        expect_error_near(result.training.loss, error, number, t);
        if (fabs(result.training.accuracy - accuracy) > 1e-6)
            fail_at(__FILE__, __LINE__, "shape %zu, step %d: accuracy %g, reference %g", number, t,
                    result.training.accuracy, accuracy);
        expect_near(centres_of(kmeans), reference.centres, "centre", number, t);
        expect_near(sizes_of(kmeans), reference.sizes, "size", number, t);
    }
    release_learning();
}

static void iterations_of_lloyd_agree_with_the_reference_in_every_layout(void **state)
{
    (void)state;
    random_seed(21);
    for (size_t i = 0; i < COUNT_OF(shapes); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            check_lloyd(&shapes[i], i, layout, 0);
}

static void more_samples_than_the_capacity_make_the_same_iteration(void **state)
{
    (void)state;
    random_seed(22);
    for (size_t i = 1; i < COUNT_OF(shapes); ++i)
        check_lloyd(&shapes[i], i, rendered_layout(i), 16);
}

/* Two epochs of mini-batches in the samples' own order, the last one smaller. */
static void check_batches(const shape *of, size_t number, glnn_layout layout, int batch)
{
    const samples all = draw(of);
    const glnn_dataset *data = dataset_of(all);
    glnn_learner *kmeans = kmeans_in(of, layout, 16);
    expect_ok(glnn_learner_initialise(kmeans, data));
    kmeans_reference reference = kmeans_reference_of(kmeans);
    for (int e = 0; e < 2; ++e) {
        double error = 0;
        for (int first = 0; first < of->samples; first += batch) {
            const int count = first + batch < of->samples ? batch : of->samples - first;
            error += count * kmeans_reference_batch(&reference, samples_part(all, first, count));
        }
        glnn_train_result result = {.size = sizeof result};
        const glnn_train_desc training = {.epochs = 1, .batch = batch, .keep_order = true};
        expect_ok(glnn_learner_train(kmeans, data, &training, &result));
        expect_error_near(result.training.loss, error / of->samples, number, e);
        expect_near(centres_of(kmeans), reference.centres, "centre", number, e);
        expect_near(sizes_of(kmeans), reference.sizes, "size", number, e);
    }
    release_learning();
}

static void mini_batches_agree_with_the_reference_for_every_size(void **state)
{
    (void)state;
    static const int batches[] = {1, 7, 16, 40};
    random_seed(23);
    for (size_t i = 0; i < COUNT_OF(shapes); ++i)
        for (size_t b = 0; b < COUNT_OF(batches); ++b)
            check_batches(&shapes[i], i, rendered_layout(i + b), batches[b]);
}

static void the_error_of_lloyd_never_rises(void **state)
{
    (void)state;
    random_seed(24);
    const shape many = {600, 6, 40, 25, 0};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        loss_curve c = {.epochs = 0};
        glnn_learner *kmeans = kmeans_in(&many, layout, 0);
        const glnn_train_desc training = {.epochs = 20, .report = record_losses, .user = &c};
        expect_ok(glnn_learner_train(kmeans, dataset_of(draw(&many)), &training, NULL));
        assert_int_equal(c.epochs, 20);
        for (int e = 1; e < c.epochs; ++e)
            assert_true(c.losses[e] <= c.losses[e - 1] * (1 + 1e-6));
        release_learning();
    }
}

/* Of four places with equal samples each, no two seeds can share one. */
static void seeding_by_distance_finds_every_place(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; ++seed)
        for (int classes = 0; classes <= 2; classes += 2) {
            samples all = samples_clustered(48, 5, 4, 0.0, classes);
            glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){
                .features = 5, .centres = classes ? 2 : 4, .classes = classes, .seed = seed});
            expect_ok(glnn_learner_initialise(kmeans, dataset_of(all)));
            glnn_metrics metrics;
            expect_ok(glnn_learner_evaluate(kmeans, dataset_of(all), &metrics, NULL));
            assert_true(metrics.loss == 0);
            assert_true(metrics.accuracy == (classes ? 1 : 0));
            release_learning();
        }
}

static int place_of(array rows, array row, int r)
{
    for (int i = 0; i < rows.rows; ++i)
        if (memcmp(at(rows, i, 0), at(row, r, 0), (size_t)row.columns * sizeof(double)) == 0)
            return i;
    return -1;
}

static void seeds_are_different_samples_of_the_right_class(void **state)
{
    (void)state;
    random_seed(25);
    const shape of = {200, 7, 9, 20, 3};
    const samples all = draw(&of);
    for (int s = 0; s < GLNN_KMEANS_INIT_COUNT; ++s)
        for (int pool = 0; pool <= 60; pool += 60) {
            glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){.features = 7,
                                                                 .centres = 20,
                                                                 .classes = 3,
                                                                 .init = (glnn_kmeans_init)s,
                                                                 .init_samples = pool});
            expect_ok(glnn_learner_initialise(kmeans, dataset_of(all)));
            const array centres = centres_of(kmeans);
            for (int p = 0; p < centres.rows; ++p) {
                const int sample = place_of(all.inputs, centres, p);
                assert_true(sample >= 0);
                assert_int_equal((int)all.labels.data[sample], p / 20);
                assert_int_equal(place_of(centres, centres, p), p);
            }
        }
}

static glnn_learner *train_seeded(uint64_t seed, uint64_t order, int batch)
{
    const shape of = {300, 11, 12, 9, 0};
    glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){
        .features = of.features, .centres = of.centres, .capacity = 64, .seed = seed});
    random_seed(26);
    const glnn_train_desc training = {.epochs = 4, .batch = batch, .seed = order};
    expect_ok(glnn_learner_train(kmeans, dataset_of(draw(&of)), &training, NULL));
    return kmeans;
}

static bool are_same(array left, array right)
{
    return memcmp(left.data, right.data, length_of(left) * sizeof *left.data) == 0;
}

static void equal_seeds_give_equal_bits_and_other_seeds_others(void **state)
{
    (void)state;
    for (int batch = 0; batch <= 32; batch += 32) {
        const array first = centres_of(train_seeded(1, 2, batch));
        expect_same_bits(first, centres_of(train_seeded(1, 2, batch)), "the same context");
        assert_false(are_same(first, centres_of(train_seeded(5, 2, batch))));
        if (batch > 0)
            assert_false(are_same(first, centres_of(train_seeded(1, 6, batch))));
        context_use(context_new(0, 0.0));
        expect_same_bits(first, centres_of(train_seeded(1, 2, batch)), "another context");
        release_learning();
    }
}

/* Samples stand at 0, 10 and 20, four each; two of three centres are too far away to win any. */
static void centres_without_samples_move_to_the_farthest(void **state)
{
    (void)state;
    static const int batches[] = {0, 5};
    for (size_t b = 0; b < COUNT_OF(batches); ++b) {
        glnn_learner *kmeans =
            kmeans_of(&(glnn_kmeans_desc){.features = 1, .centres = 3, .capacity = 8});
        samples all = {.inputs = array_new(12, 1)};
        array centres = array_new(3, 1);
        for (int i = 0; i < 12; ++i)
            all.inputs.data[i] = i / 4 * 10;
        centres.data[1] = 1000;
        centres.data[2] = 2000;
        set_centres(kmeans, centres);
        const glnn_train_desc training = {.epochs = 60, .batch = batches[b]};
        const glnn_dataset *data = dataset_of(all);
        glnn_metrics metrics;
        expect_ok(glnn_learner_train(kmeans, data, &training, NULL));
        expect_ok(glnn_learner_evaluate(kmeans, data, &metrics, NULL));
        const array sizes = sizes_of(kmeans);
        for (int p = 0; p < 3; ++p)
            assert_true(sizes.data[p] > 0);
        /* A mini-batch's centre remembers the samples that it had while it stood alone. */
        assert_true(batches[b] ? metrics.loss < 10 : metrics.loss == 0);
        release_learning();
    }
}

static void a_centre_without_samples_stays_in_its_class(void **state)
{
    (void)state;
    samples all = {.inputs = array_new(12, 1), .labels = array_new(12, 1), .outputs = 2};
    array centres = array_new(4, 1);
    glnn_learner *kmeans =
        kmeans_of(&(glnn_kmeans_desc){.features = 1, .centres = 2, .classes = 2, .capacity = 8});
    for (int i = 0; i < 12; ++i) {
        all.inputs.data[i] = i / 3 * 10;
        all.labels.data[i] = i / 6;
    }
    centres.data[1] = -500;
    centres.data[2] = 20;
    centres.data[3] = 900;
    set_centres(kmeans, centres);
    glnn_metrics metrics;
    const glnn_dataset *data = dataset_of(all);
    expect_ok(glnn_learner_train(kmeans, data, NULL, NULL));
    expect_ok(glnn_learner_evaluate(kmeans, data, &metrics, NULL));
    assert_true(metrics.loss == 0 && metrics.accuracy == 1);
}

/* Centre 1 stands for 100 samples at 5. In the first epoch it wins the sample at 8, and centre 0
 * moves to 10, where it wins that sample from then on. Any gain would be too small to go on. */
static void training_goes_on_while_a_centre_has_lost_its_samples(void **state)
{
    (void)state;
    samples all = {.inputs = array_new(8, 1)};
    array centres = array_new(2, 1);
    for (int i = 0; i < 8; ++i)
        all.inputs.data[i] = i ? 10 : 8;
    centres.data[0] = 14;
    centres.data[1] = 5;
    glnn_learner *kmeans =
        kmeans_of(&(glnn_kmeans_desc){.features = 1, .centres = 2, .tolerance = 1});
    set_centres(kmeans, centres);
    expect_ok(write_tensor(kmeans, "sizes", (float[]){0, 100}));
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(kmeans, dataset_of(all), &(glnn_train_desc){.batch = 8}, &result));
    assert_int_equal(result.epochs, 4);
    assert_true(centres_of(kmeans).data[1] == 8);
    assert_true(sizes_of(kmeans).data[1] == 1);
    assert_true(sizes_of(kmeans).data[0] == 7 + 8 + 8 + 7);
}

static void fewer_different_samples_than_centres_are_no_obstacle(void **state)
{
    (void)state;
    for (int s = 0; s < GLNN_KMEANS_INIT_COUNT; ++s) {
        samples all = {.inputs = array_new(20, 4)};
        for (int i = 0; i < 20; ++i)
            *at(all.inputs, i, 2) = i % 3;
        glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){
            .features = 4, .centres = 12, .init = (glnn_kmeans_init)s, .capacity = 8});
        const glnn_dataset *data = dataset_of(all);
        glnn_train_result result = {.size = sizeof result};
        glnn_metrics metrics;
        expect_ok(glnn_learner_train(kmeans, data, NULL, &result));
        expect_ok(glnn_learner_evaluate(kmeans, data, &metrics, NULL));
        assert_true(metrics.loss == 0);
        assert_true(result.stopped && result.epochs < 20);
        const array centres = centres_of(kmeans);
        for (size_t i = 0; i < length_of(centres); ++i)
            assert_true(isfinite(centres.data[i]));
    }
}

static void a_class_of_few_samples_uses_as_many_centres_with_a_warning(void **state)
{
    (void)state;
    for (int s = 0; s < GLNN_KMEANS_INIT_COUNT; ++s) {
        samples all = {.inputs = array_new(22, 2), .labels = array_new(22, 1), .outputs = 2};
        for (int i = 0; i < 22; ++i) {
            *at(all.inputs, i, 0) = i;
            all.labels.data[i] = i == 4 || i == 17;
        }
        glnn_learner *kmeans = kmeans_of(&(glnn_kmeans_desc){
            .features = 2, .centres = 5, .classes = 2, .init = (glnn_kmeans_init)s});
        log_clear();
        expect_ok(glnn_learner_train(kmeans, dataset_of(all), NULL, NULL));
        assert_int_equal(log_count(GLNN_LOG_WARNING), 1);
        assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "class 1 has 2 samples for 5 centres"));
        const array centres = centres_of(kmeans), sizes = sizes_of(kmeans);
        double total = 0;
        for (int p = 5; p < 10; ++p) {
            assert_true(*at(centres, p, 0) == 4 || *at(centres, p, 0) == 17);
            assert_true(sizes.data[p] == 0 || sizes.data[p] == 1);
            total += sizes.data[p];
        }
        assert_true(total == 2);
    }
}

static bool move_centres_away(void *kmeans, const glnn_report *report)
{
    (void)report;
    array away = array_new(3, 2);
    for (int c = 0; c < 3; ++c)
        *at(away, c, 0) = 5 + 0.2 * c;
    set_centres(kmeans, away);
    return true;
}

/* The samples lie within 1 of 0. Repeated, because it is a matter of time whether a driver ends the
 * passes before it reads. */
static void the_best_centres_replace_those_that_a_report_has_set(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i) {
        random_seed(71);
        const glnn_dataset *data = dataset_of(samples_random(90, 2, 3, true));
        glnn_learner *kmeans = kmeans_of(
            &(glnn_kmeans_desc){.features = 2, .centres = 3, .tolerance = -1, .capacity = 64});
        const glnn_train_desc training = {.epochs = 2,
                                          .validation = data,
                                          .restore_best = true,
                                          .report = move_centres_away,
                                          .user = kmeans};
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_learner_train(kmeans, data, &training, &result));
        assert_int_equal(result.best_epoch, 1);
        assert_true(centres_of(kmeans).data[0] < 1);
        release_learning();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(iterations_of_lloyd_agree_with_the_reference_in_every_layout),
        LEARNING_TEST(more_samples_than_the_capacity_make_the_same_iteration),
        LEARNING_TEST(mini_batches_agree_with_the_reference_for_every_size),
        LEARNING_TEST(the_error_of_lloyd_never_rises),
        LEARNING_TEST(seeding_by_distance_finds_every_place),
        LEARNING_TEST(seeds_are_different_samples_of_the_right_class),
        LEARNING_TEST(equal_seeds_give_equal_bits_and_other_seeds_others),
        LEARNING_TEST(centres_without_samples_move_to_the_farthest),
        LEARNING_TEST(a_centre_without_samples_stays_in_its_class),
        LEARNING_TEST(training_goes_on_while_a_centre_has_lost_its_samples),
        LEARNING_TEST(fewer_different_samples_than_centres_are_no_obstacle),
        LEARNING_TEST(a_class_of_few_samples_uses_as_many_centres_with_a_warning),
        LEARNING_TEST(the_best_centres_replace_those_that_a_report_has_set),
    };
    return cmocka_run_group_tests_name("k-means", tests, test_group_setup, test_group_teardown);
}
