/* Data sets that stream: the same bits as resident ones. */
#include "support/streams.h"

/* Everything but the times is the same. */
static void expect_same_results(const glnn_train_result *left, const glnn_train_result *right)
{
    assert_int_equal(left->epochs, right->epochs);
    assert_int_equal(left->steps, right->steps);
    assert_int_equal(left->best_epoch, right->best_epoch);
    assert_true(left->training.loss == right->training.loss &&
                left->training.accuracy == right->training.accuracy);
    assert_true(left->validation.loss == right->validation.loss &&
                left->validation.accuracy == right->validation.accuracy);
}

/* Trains two networks alike, on a resident set and on `data`, which goes then. */
static void expect_same_training(samples of, glnn_dataset *data, const glnn_train_desc *train,
                                 int capacity, const char *what)
{
    const bool labels = of.labels.data != NULL;
    glnn_learner *left = new_network(labels, capacity), *right = new_network(labels, capacity);
    glnn_train_result wanted = {.size = sizeof wanted}, got = {.size = sizeof got};
    expect_ok(glnn_learner_train(left, dataset_of(of), train, &wanted));
    expect_ok(glnn_learner_train(right, data, train, &got));
    expect_same_results(&wanted, &got);
    expect_same_networks(left, right, what);
    glnn_dataset_destroy(data);
}

/* Windows of exactly a batch, of a batch and a row that stays empty, of three batches, and of as
 * many samples as a stream can have: twice 154 would be all. 307 samples leave a last batch of
 * 19. */
static void training_gives_the_bits_of_a_resident_set_whatever_the_windows(void **state)
{
    (void)state;
    static const int rows[] = {32, 33, 100, 153};
    for (int labels = 0; labels < 2; ++labels)
        for (size_t i = 0; i < COUNT_OF(rows); ++i) {
            const samples of = some_samples(labels);
            const glnn_train_desc train = {.epochs = 3, .batch = 32, .seed = 7};
            expect_same_training(of, streamed(of, budget_for(of, rows[i])), &train, 128, "windows");
            release_learning();
        }
}

static void the_split_the_order_and_the_batch_may_be_any(void **state)
{
    (void)state;
    static const glnn_train_desc trains[] = {
        {.epochs = 2, .batch = 32, .validation_split = 0.3f, .seed = 2, .restore_best = true},
        {.epochs = 2, .batch = 32, .keep_order = true},
        {.epochs = 2, .batch = 7, .validation_split = 0.5f, .keep_order = true},
        {.epochs = 1, .batch = 1, .validation_split = 0.7f},
        {.epochs = 3, .batch = 100, .validation_split = 0.01f}, /* several lists of passes a step */
    };
    for (size_t i = 0; i < COUNT_OF(trains); ++i) {
        const samples of = some_samples(true);
        expect_same_training(of, streamed(of, budget_of(110)), &trains[i], 40, "kinds of training");
        release_learning();
    }
}

static void sets_in_main_memory_mapped_files_and_numpy_files_stream_too(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    const glnn_train_desc train = {.epochs = 2, .batch = 32, .seed = 7};
    glnn_dataset_desc desc = desc_of(of, budget_of(64));
    glnn_dataset *data = opened(write_npy(of, dictionary).text, GLNN_DATASET_NPY, &desc);
    assert_true(glnn_dataset_is_streamed(data));
    expect_same_training(of, data, &train, 128, "a NumPy file");
    desc.map_file = true;
    data = opened(write_npy(of, dictionary).text, GLNN_DATASET_NPY, &desc);
    assert_true(glnn_dataset_is_streamed(data));
    expect_same_training(of, data, &train, 128, "a mapped NumPy file");
    desc.map_file = false;
    desc.inputs = floats_of(of.inputs);
    expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
    assert_true(glnn_dataset_is_streamed(data));
    expect_same_training(of, data, &train, 128, "main memory");
}

/* Windows of two pages of 16384 rows, or of one on devices whose textures have more. */
static void windows_may_be_longer_than_a_page(void **state)
{
    (void)state;
    enum { PAGES = 70000, WINDOW = 32768, ROW = 32 };
    float *inputs = floats_new(PAGES);
    int *labels = calloc(PAGES, sizeof *labels);
    assert_non_null(labels);
    for (int i = 0; i < PAGES; ++i)
        inputs[i] = (float)(labels[i] = i * 7 % 5);
    glnn_learner *networks[2];
    for (int i = 0; i < 2; ++i) {
        const glnn_dataset_desc desc = {.samples = PAGES,
                                        .features = 1,
                                        .inputs = inputs,
                                        .labels = labels,
                                        .classes = 5,
                                        .texture_budget = i > 0 ? 2 * ROW * WINDOW : 0};
        glnn_dataset *data = NULL;
        expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
        assert_int_equal(glnn_dataset_is_streamed(data), i > 0);
        networks[i] = network_of(&(glnn_network_desc){.features = 1, .layers = {{.units = 5}}});
        const glnn_train_desc train = {.epochs = 1, .batch = 20000};
        expect_ok(glnn_learner_train(networks[i], data, &train, NULL));
        glnn_dataset_destroy(data);
    }
    expect_same_networks(networks[0], networks[1], "windows of two pages");
    free(labels);
}

/* Pieces of 40 samples, windows of 100 and of 40, the last of them with fewer samples than a
 * piece. */
static void measuring_gives_the_bits_of_a_resident_set(void **state)
{
    (void)state;
    static const int rows[] = {100, 40};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const samples of = some_samples(true);
        glnn_learner *network = new_network(true, 40);
        glnn_metrics metrics[2];
        int64_t confusion[2][CLASSES * CLASSES];
        glnn_dataset *data = streamed(of, budget_of(rows[i]));
        expect_ok(glnn_learner_evaluate(network, dataset_of(of), &metrics[0], confusion[0]));
        expect_ok(glnn_learner_evaluate(network, data, &metrics[1], confusion[1]));
        assert_true(metrics[0].loss == metrics[1].loss &&
                    metrics[0].accuracy == metrics[1].accuracy);
        assert_memory_equal(confusion[0], confusion[1], sizeof confusion[0]);
        glnn_dataset_destroy(data);
        release_learning();
    }
}

static void the_gradient_is_that_of_a_resident_set(void **state)
{
    (void)state;
    const samples of = some_samples(false);
    glnn_learner *network = new_network(false, 40);
    double loss[2];
    float gradient[2][(9 + 1) * CLASSES];
    glnn_dataset *data = streamed(of, budget_for(of, 40));
    expect_ok(glnn_network_compute_gradient(network, dataset_of(of), 40, 1, &loss[0], gradient[0]));
    expect_ok(glnn_network_compute_gradient(network, data, 40, 1, &loss[1], gradient[1]));
    assert_true(loss[0] == loss[1]);
    assert_memory_equal(gradient[0], gradient[1], sizeof gradient[0]);
    glnn_dataset_destroy(data);
}

static void a_validation_set_may_stream_too(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset *sets[2] = {dataset_of(of), streamed(of, budget_of(50))};
    glnn_learner *networks[2];
    glnn_train_result results[2] = {{.size = sizeof *results}, {.size = sizeof *results}};
    for (int i = 0; i < 2; ++i) {
        const glnn_train_desc train = {.epochs = 3, .batch = 20, .validation = sets[i]};
        networks[i] = new_network(true, 40);
        expect_ok(glnn_learner_train(networks[i], sets[i], &train, &results[i]));
    }
    expect_same_results(&results[0], &results[1]);
    expect_same_networks(networks[0], networks[1], "a streamed validation set");
    glnn_dataset_destroy(sets[1]);
}

/* A callback in the middle of an epoch. */
typedef struct visitor {
    glnn_learner *network;
    const glnn_dataset *data;
    int visits;
    bool goes_on;
} visitor;

static bool measure_inside(void *user, const glnn_report *report)
{
    visitor *v = user;
    if (report->event == GLNN_EVENT_BATCH) {
        glnn_metrics metrics;
        v->visits++;
        expect_ok(glnn_learner_evaluate(v->network, v->data, &metrics, NULL));
    }
    return v->goes_on;
}

static void measuring_a_set_while_it_is_trained_on_changes_nothing(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset *data = streamed(of, budget_of(64));
    visitor v = {.network = new_network(true, 40), .data = data, .goes_on = true};
    glnn_learner *alone = new_network(true, 40);
    glnn_train_desc train = {.epochs = 3, .batch = 16, .report_every = 1};
    expect_ok(glnn_learner_train(alone, data, &train, NULL));
    train.report = measure_inside;
    train.user = &v;
    expect_ok(glnn_learner_train(v.network, data, &train, NULL));
    assert_true(v.visits > 0);
    expect_same_networks(alone, v.network, "with and without measuring");
    glnn_dataset_destroy(data);
}

static void training_that_stops_inside_an_epoch_lets_go_of_its_windows(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset *data = streamed(of, budget_of(64));
    glnn_learner *network = new_network(true, 40);
    visitor v = {.network = new_network(true, 40), .data = data, .goes_on = false};
    const glnn_train_desc train = {
        .epochs = 3, .batch = 16, .report_every = 1, .report = measure_inside, .user = &v};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network, data, &train, &result));
    assert_true(result.stopped && result.epochs == 0);
    expect_ok(
        glnn_learner_train(network, data, &(glnn_train_desc){.epochs = 1, .batch = 64}, &result));
    assert_int_equal(result.epochs, 1);
    glnn_dataset_destroy(data);
}

static bool note_counters(void *user, const glnn_report *report)
{
    if (report->event == GLNN_EVENT_EPOCH)
        ((glnn_counters *)user)[report->epoch - 1] = counters_of(glnn_test_context());
    return true;
}

/* 307 samples in windows of 64 are five windows: as many times an epoch may wait until the GPU has
 * copied out of a pixel buffer, and once more for the figures at its end. */
static void an_epoch_makes_nothing_and_waits_only_for_a_buffer_to_be_copied(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_counters counters[4];
    glnn_dataset *data = streamed(of, budget_of(64));
    const glnn_train_desc train = {
        .epochs = 4, .batch = 16, .report = note_counters, .user = counters};
    expect_ok(glnn_learner_train(new_network(true, 40), data, &train, NULL));
    for (int e = 1; e < 4; ++e) {
        const glnn_counters *before = &counters[e - 1], *after = &counters[e];
        assert_int_equal(after->textures_created, before->textures_created);
        assert_int_equal(after->programs_compiled, before->programs_compiled);
        assert_int_equal(after->programs_loaded, before->programs_loaded);
        assert_int_equal(after->bytes_uploaded - before->bytes_uploaded, LABELLED * SAMPLES);
        assert_true(after->waits - before->waits <= 5 + 1);
    }
    glnn_dataset_destroy(data);
}

static void a_stream_takes_no_more_texture_than_its_budget(void **state)
{
    (void)state;
    glnn_context_info before = {.size = sizeof before}, after = before;
    const samples of = some_samples(true);
    glnn_context *ctx = context_new(0, 0.0);
    context_use(ctx);
    glnn_learner *network = new_network(true, 40);
    const glnn_dataset_desc desc = desc_of(of, budget_of(50));
    glnn_dataset *sets[] = {dataset_of(of), streamed(of, desc.texture_budget)};
    for (int i = 0; i < 2; ++i) {
        expect_ok(glnn_learner_train(network, sets[i], &(glnn_train_desc){.batch = 10}, NULL));
        expect_ok(glnn_learner_evaluate(network, sets[i], NULL, (int64_t[CLASSES * CLASSES]){0}));
        expect_ok(glnn_context_get_info(ctx, i > 0 ? &after : &before));
    }
    assert_in_range(after.texture_bytes - before.texture_bytes, 1, desc.texture_budget);
    glnn_dataset_destroy(sets[1]);
}

/* The budget is what the textures of all samples take, and one byte less. */
static void sets_that_fit_become_resident(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset_desc desc = desc_of(of, LABELLED * SAMPLES);
    const file_path path = write_floats(of);
    glnn_dataset *data = opened(path.text, GLNN_DATASET_FLOATS, &desc);
    assert_false(glnn_dataset_is_streamed(data));
    assert_int_equal(remove(path.text), 0);
    expect_same_training(of, data, &(glnn_train_desc){.epochs = 2, .batch = 32}, 64, "a file");
    desc.texture_budget = LABELLED * SAMPLES - 1;
    data = opened(write_npy(of, dictionary).text, GLNN_DATASET_NPY, &desc);
    assert_true(glnn_dataset_is_streamed(data));
    glnn_dataset_destroy(data);
    desc.texture_budget = 0;
    data = opened(write_npy(of, dictionary).text, GLNN_DATASET_NPY, &desc);
    assert_false(glnn_dataset_is_streamed(data));
    assert_int_equal(glnn_dataset_get_samples(data), SAMPLES);
    assert_int_equal(glnn_dataset_get_features(data), FEATURES);
    assert_int_equal(glnn_dataset_get_outputs(data), CLASSES);
    glnn_dataset_destroy(data);
    assert_false(glnn_dataset_is_streamed(NULL));
}

static bool stop_at_once(void *user, const glnn_report *report)
{
    (void)user;
    (void)report;
    return false;
}

/* One sample more than float32 numbers; all of them are a hole in the file. */
static void a_stream_may_have_more_samples_than_float32_numbers(void **state)
{
    (void)state;
    enum { MANY = (1 << 24) + 1 };
    const file_path path = file_write("many.f32", "", 0);
    assert_int_equal(truncate(path.text, 4L * MANY), 0);
    int *labels = calloc(MANY, sizeof *labels);
    assert_non_null(labels);
    const glnn_dataset_desc desc = {
        .samples = MANY, .features = 1, .labels = labels, .classes = 2, .texture_budget = SIZE_MAX};
    glnn_dataset *data = opened(path.text, GLNN_DATASET_FLOATS, &desc);
    assert_true(glnn_dataset_is_streamed(data));
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = 1, .layers = {{.units = 1}}});
    const glnn_train_desc train = {.batch = 4096, .report = stop_at_once, .report_every = 1};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network, data, &train, &result));
    assert_true(result.stopped);
    glnn_dataset_destroy(data);
    free(labels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(training_gives_the_bits_of_a_resident_set_whatever_the_windows),
        LEARNING_TEST(the_split_the_order_and_the_batch_may_be_any),
        LEARNING_TEST(sets_in_main_memory_mapped_files_and_numpy_files_stream_too),
        LEARNING_TEST(windows_may_be_longer_than_a_page),
        LEARNING_TEST(measuring_gives_the_bits_of_a_resident_set),
        LEARNING_TEST(the_gradient_is_that_of_a_resident_set),
        LEARNING_TEST(a_validation_set_may_stream_too),
        LEARNING_TEST(measuring_a_set_while_it_is_trained_on_changes_nothing),
        LEARNING_TEST(training_that_stops_inside_an_epoch_lets_go_of_its_windows),
        LEARNING_TEST(an_epoch_makes_nothing_and_waits_only_for_a_buffer_to_be_copied),
        LEARNING_TEST(a_stream_takes_no_more_texture_than_its_budget),
        LEARNING_TEST(sets_that_fit_become_resident),
        LEARNING_TEST(a_stream_may_have_more_samples_than_float32_numbers),
    };
    let_driver_have_threads();
    return cmocka_run_group_tests_name("stream", tests, learner_files_setup,
                                       learner_files_teardown);
}
