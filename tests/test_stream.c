/* Data sets that stream: the same bits as resident ones, and what they refuse. */
#include "support/files.h"
#include "support/learning.h"

#include "learn/stream.h"

#include <glnn/dataset.h>

enum { SAMPLES = 307, FEATURES = 13, CLASSES = 3 };

/* Bytes of texture that a window takes for a sample with a label: 16 floats and 4. */
enum { LABELLED = 80 };

static size_t budget_of(int rows)
{
    return 2 * LABELLED * (size_t)rows;
}

static samples some_samples(bool labels)
{
    random_seed(4);
    return samples_random(SAMPLES, FEATURES, CLASSES, labels);
}

static int *labels_of(samples of)
{
    static int labels[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
        labels[i] = (int)of.labels.data[i];
    return labels;
}

static glnn_dataset_desc desc_of(samples of, size_t budget)
{
    return (glnn_dataset_desc){
        .samples = of.inputs.rows,
        .features = of.inputs.columns,
        .labels = of.labels.data ? labels_of(of) : NULL,
        .classes = of.outputs,
        .targets = of.targets.data ? floats_of(of.targets) : NULL,
        .outputs = of.outputs,
        .texture_budget = budget,
    };
}

static file_path write_floats(samples of)
{
    return file_write("samples.f32", floats_of(of.inputs), 4 * length_of(of.inputs));
}

/* A header of any length: NumPy pads it, but need not. */
static file_path write_npy(samples of, const char *dictionary)
{
    static unsigned char bytes[1 << 16];
    const size_t length = strlen(dictionary), size = 4 * length_of(of.inputs);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (unsigned char)length;
    bytes[9] = (unsigned char)(length >> 8);
    memcpy(bytes + 10, dictionary, length);
    assert_true(10 + length + size <= sizeof bytes);
    memcpy(bytes + 10 + length, floats_of(of.inputs), size);
    return file_write("samples.npy", bytes, 10 + length + size);
}

static const char dictionary[] =
    "{'descr': '<f4', 'fortran_order': False, 'shape': (307, 13), }  \n";

static glnn_dataset *opened(const char *path, glnn_dataset_format format,
                            const glnn_dataset_desc *desc)
{
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_open(glnn_test_context(), path, format, desc, &data));
    return data;
}

static glnn_dataset *streamed(samples of, size_t budget)
{
    const glnn_dataset_desc desc = desc_of(of, budget);
    glnn_dataset *data = opened(write_floats(of).text, GLNN_DATASET_FLOATS, &desc);
    assert_true(glnn_dataset_streams(data));
    return data;
}

static glnn_mlp *network(bool labels, int capacity)
{
    return mlp_of(&(glnn_mlp_desc){
        .inputs = FEATURES,
        .layers = 2,
        .units = {9, CLASSES},
        .activations = {GLNN_MAP_SCALED_TANH, GLNN_MAP_IDENTITY},
        .loss = labels ? GLNN_LOSS_CROSS_ENTROPY : GLNN_LOSS_SQUARED,
        .optimizer = {.kind = GLNN_OPTIMIZER_SGD, .momentum = 0.9f},
        .capacity = capacity,
        .seed = 6,
    });
}

/* Everything but the times is the same. */
static void expect_same_results(const glnn_train_result *left, const glnn_train_result *right)
{
    assert_int_equal(left->epochs, right->epochs);
    assert_int_equal(left->steps, right->steps);
    assert_int_equal(left->best_epoch, right->best_epoch);
    assert_true(left->loss == right->loss && left->accuracy == right->accuracy);
    assert_true(left->validation_loss == right->validation_loss &&
                left->validation_accuracy == right->validation_accuracy);
}

/* Trains two networks alike, on a resident set and on `data`, which goes then. */
static void expect_same_training(samples of, glnn_dataset *data, const glnn_train_desc *train,
                                 int capacity, const char *what)
{
    const bool labels = of.labels.data != NULL;
    glnn_mlp *left = network(labels, capacity), *right = network(labels, capacity);
    glnn_train_result wanted, got;
    expect_ok(glnn_mlp_train(left, dataset_of(of), train, &wanted));
    expect_ok(glnn_mlp_train(right, data, train, &got));
    expect_same_results(&wanted, &got);
    expect_same_networks(left, right, what);
    glnn_dataset_destroy(data);
}

/* Windows of exactly a batch, of a batch and a row that stays empty, of three batches, and of as many
 * samples as a stream can have: twice 154 would be all. 307 samples leave a last batch of 19. */
static void training_gives_the_bits_of_a_resident_set_whatever_the_windows(void **state)
{
    (void)state;
    static const int rows[] = {32, 33, 100, 153};
    for (int labels = 0; labels < 2; ++labels)
        for (size_t i = 0; i < COUNT_OF(rows); ++i) {
            const samples of = some_samples(labels);
            const glnn_train_desc train = {.epochs = 3, .batch = 32, .seed = 7};
            expect_same_training(of, streamed(of, budget_of(rows[i])), &train, 128, "windows");
            release_learning();
        }
}

static void the_split_the_order_and_the_batch_may_be_any(void **state)
{
    (void)state;
    static const glnn_train_desc trains[] = {
        {.epochs = 2, .batch = 32, .validation_split = 0.3f, .seed = 2, .keep_best = true},
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

static void sets_in_main_memory_and_numpy_files_stream_too(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    const glnn_train_desc train = {.epochs = 2, .batch = 32, .seed = 7};
    glnn_dataset_desc desc = desc_of(of, budget_of(64));
    glnn_dataset *data = opened(write_npy(of, dictionary).text, GLNN_DATASET_NPY, &desc);
    assert_true(glnn_dataset_streams(data));
    expect_same_training(of, data, &train, 128, "a NumPy file");
    desc.inputs = floats_of(of.inputs);
    expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
    assert_true(glnn_dataset_streams(data));
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
    glnn_mlp *mlps[2];
    for (int i = 0; i < 2; ++i) {
        const glnn_dataset_desc desc = {.samples = PAGES,
                                        .features = 1,
                                        .inputs = inputs,
                                        .labels = labels,
                                        .classes = 5,
                                        .texture_budget = i > 0 ? 2 * ROW * WINDOW : 0};
        glnn_dataset *data = NULL;
        expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
        assert_int_equal(glnn_dataset_streams(data), i > 0);
        mlps[i] = mlp_of(&(glnn_mlp_desc){.inputs = 1, .layers = 1, .units = {5}});
        const glnn_train_desc train = {.epochs = 1, .batch = 20000};
        expect_ok(glnn_mlp_train(mlps[i], data, &train, NULL));
        glnn_dataset_destroy(data);
    }
    expect_same_networks(mlps[0], mlps[1], "windows of two pages");
    free(labels);
}

/* Pieces of 40 samples, windows of 100 and of 40, the last of them with fewer samples than a piece. */
static void measuring_gives_the_bits_of_a_resident_set(void **state)
{
    (void)state;
    static const int rows[] = {100, 40};
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const samples of = some_samples(true);
        glnn_mlp *mlp = network(true, 40);
        double loss[2], accuracy[2];
        int confusion[2][CLASSES * CLASSES];
        glnn_dataset *data = streamed(of, budget_of(rows[i]));
        expect_ok(glnn_mlp_evaluate(mlp, dataset_of(of), &loss[0], &accuracy[0], confusion[0]));
        expect_ok(glnn_mlp_evaluate(mlp, data, &loss[1], &accuracy[1], confusion[1]));
        assert_true(loss[0] == loss[1] && accuracy[0] == accuracy[1]);
        assert_memory_equal(confusion[0], confusion[1], sizeof confusion[0]);
        glnn_dataset_destroy(data);
        release_learning();
    }
}

static void a_validation_set_may_stream_too(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset *sets[2] = {dataset_of(of), streamed(of, budget_of(50))};
    glnn_mlp *mlps[2];
    glnn_train_result results[2];
    for (int i = 0; i < 2; ++i) {
        const glnn_train_desc train = {.epochs = 3, .batch = 20, .validation = sets[i]};
        mlps[i] = network(true, 40);
        expect_ok(glnn_mlp_train(mlps[i], sets[i], &train, &results[i]));
    }
    expect_same_results(&results[0], &results[1]);
    expect_same_networks(mlps[0], mlps[1], "a streamed validation set");
    glnn_dataset_destroy(sets[1]);
}

/* What a callback does in the middle of an epoch. */
typedef struct visitor {
    glnn_mlp *mlp;
    const glnn_dataset *data;
    const char *path;
    int visits;
    bool goes_on;
} visitor;

static bool measure_inside(void *user, const glnn_report *report)
{
    visitor *v = user;
    if (report->event == GLNN_EVENT_BATCH) {
        double loss;
        v->visits++;
        expect_ok(glnn_mlp_evaluate(v->mlp, v->data, &loss, NULL, NULL));
    }
    return v->goes_on;
}

static void measuring_a_set_while_it_is_trained_on_changes_nothing(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset *data = streamed(of, budget_of(64));
    visitor v = {.mlp = network(true, 40), .data = data, .goes_on = true};
    glnn_mlp *alone = network(true, 40);
    glnn_train_desc train = {.epochs = 3, .batch = 16, .report_every = 1};
    expect_ok(glnn_mlp_train(alone, data, &train, NULL));
    train.report = measure_inside;
    train.user = &v;
    expect_ok(glnn_mlp_train(v.mlp, data, &train, NULL));
    assert_true(v.visits > 0);
    expect_same_networks(alone, v.mlp, "with and without measuring");
    glnn_dataset_destroy(data);
}

static void training_that_stops_inside_an_epoch_lets_go_of_its_windows(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset *data = streamed(of, budget_of(64));
    glnn_mlp *mlp = network(true, 40);
    visitor v = {.mlp = network(true, 40), .data = data, .goes_on = false};
    const glnn_train_desc train = {
        .epochs = 3, .batch = 16, .report_every = 1, .report = measure_inside, .user = &v};
    glnn_train_result result;
    expect_ok(glnn_mlp_train(mlp, data, &train, &result));
    assert_true(result.stopped && result.epochs == 0);
    expect_ok(glnn_mlp_train(mlp, data, &(glnn_train_desc){.epochs = 1, .batch = 64}, &result));
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
    expect_ok(glnn_mlp_train(network(true, 40), data, &train, NULL));
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
    glnn_context_info before, after;
    const samples of = some_samples(true);
    glnn_context *ctx = context_new(0, 0.0);
    context_use(ctx);
    glnn_mlp *mlp = network(true, 40);
    const glnn_dataset_desc desc = desc_of(of, budget_of(50));
    glnn_dataset *sets[] = {dataset_of(of), streamed(of, desc.texture_budget)};
    for (int i = 0; i < 2; ++i) {
        expect_ok(glnn_mlp_train(mlp, sets[i], &(glnn_train_desc){.batch = 10}, NULL));
        expect_ok(glnn_mlp_evaluate(mlp, sets[i], NULL, NULL, (int[CLASSES * CLASSES]){0}));
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
    assert_false(glnn_dataset_streams(data));
    assert_int_equal(remove(path.text), 0);
    expect_same_training(of, data, &(glnn_train_desc){.epochs = 2, .batch = 32}, 64, "a file");
    desc.texture_budget = LABELLED * SAMPLES - 1;
    data = opened(write_npy(of, dictionary).text, GLNN_DATASET_NPY, &desc);
    assert_true(glnn_dataset_streams(data));
    glnn_dataset_destroy(data);
    desc.texture_budget = 0;
    data = opened(write_npy(of, dictionary).text, GLNN_DATASET_NPY, &desc);
    assert_false(glnn_dataset_streams(data));
    assert_int_equal(glnn_dataset_samples(data), SAMPLES);
    assert_int_equal(glnn_dataset_features(data), FEATURES);
    assert_int_equal(glnn_dataset_outputs(data), CLASSES);
    glnn_dataset_destroy(data);
    assert_false(glnn_dataset_streams(NULL));
}

static glnn_status open_status(const char *path, glnn_dataset_format format,
                               const glnn_dataset_desc *desc)
{
    glnn_dataset *data = NULL;
    const glnn_status status = glnn_dataset_open(glnn_test_context(), path, format, desc, &data);
    assert_true((status == GLNN_OK) == (data != NULL));
    glnn_dataset_destroy(data);
    return status;
}

static void windows_too_small_for_what_is_used_at_a_time_say_so(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset *data = streamed(of, budget_of(32));
    glnn_mlp *mlp = network(true, 32), *wide = network(true, 64);
    expect_ok(glnn_mlp_train(mlp, data, &(glnn_train_desc){.epochs = 1, .batch = 32}, NULL));
    expect_error(glnn_mlp_train(mlp, data, &(glnn_train_desc){.batch = 33}, NULL), GLNN_E_LIMIT,
                 "two windows of 33 samples, which are used at a time, take 5280 bytes of texture; "
                 "the data set's budget is 5120");
    expect_error(glnn_mlp_train(mlp, data, &(glnn_train_desc){.batch = -1}, NULL), GLNN_E_LIMIT,
                 "of 307 samples");
    const uint64_t steps = glnn_mlp_get_steps(wide);
    const glnn_train_desc split = {.batch = 16, .validation_split = 0.4f};
    expect_error(glnn_mlp_train(wide, data, &split, NULL), GLNN_E_LIMIT, "of 64 samples");
    expect_error(glnn_mlp_evaluate(wide, data, NULL, NULL, (int[CLASSES * CLASSES]){0}),
                 GLNN_E_LIMIT, "of 64 samples");
    assert_int_equal(glnn_mlp_get_steps(wide), steps);
    glnn_dataset_destroy(data);
    const glnn_dataset_desc tiny = desc_of(of, budget_of(1) - 1);
    expect_error(open_status(write_floats(of).text, GLNN_DATASET_FLOATS, &tiny), GLNN_E_LIMIT,
                 "take 160 bytes of texture; the data set's budget is 159");
}

/* Trains on samples of which one has a value that is no number, resident and streamed. */
static void expect_flaw(samples of, float value, bool in_target, int sample, int column,
                        const char *part)
{
    *at(in_target ? of.targets : of.inputs, sample, column) = (double)value;
    glnn_dataset_desc desc = desc_of(of, 0);
    const file_path path = write_floats(of);
    expect_error(open_status(path.text, GLNN_DATASET_FLOATS, &desc), GLNN_E_FORMAT, part);
    for (int rows = 32; rows < 150; rows += 100) {
        desc.texture_budget = budget_of(rows);
        glnn_dataset *data = opened(path.text, GLNN_DATASET_FLOATS, &desc);
        glnn_mlp *mlp = network(of.labels.data != NULL, 32);
        const glnn_train_desc train = {.epochs = 2, .batch = 32, .seed = 7};
        expect_error(glnn_mlp_train(mlp, data, &train, NULL), GLNN_E_FORMAT, part);
        double loss;
        expect_error(glnn_mlp_evaluate(mlp, data, &loss, NULL, NULL), GLNN_E_FORMAT, part);
        expect_error(glnn_mlp_train(mlp, data, &train, NULL), GLNN_E_FORMAT, part);
        assert_non_null(strstr(glnn_last_error(), path.text));
        glnn_dataset_destroy(data);
    }
}

static void values_that_are_not_finite_are_named_when_they_are_used(void **state)
{
    (void)state;
    expect_flaw(some_samples(true), NAN, false, 150, 7, "feature 7 of sample 150 is ");
    expect_flaw(some_samples(true), INFINITY, false, 306, 12, "feature 12 of sample 306 is inf");
    expect_flaw(some_samples(true), -INFINITY, false, 0, 0, "feature 0 of sample 0 is -inf");
    expect_flaw(some_samples(false), NAN, true, 203, 2, "target 2 of sample 203 is ");
}

static bool cut_file(void *user, const glnn_report *report)
{
    const visitor *v = user;
    if (report->event == GLNN_EVENT_EPOCH)
        assert_int_equal(truncate(v->path, 4 * FEATURES * (SAMPLES - 1)), 0);
    return true;
}

static void a_file_that_becomes_shorter_ends_training_with_an_error(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset *data = streamed(of, budget_of(64));
    const file_path path = path_of("samples.f32");
    glnn_mlp *mlp = network(true, 32);
    visitor v = {.path = path.text};
    const glnn_train_desc train = {.epochs = 5, .batch = 32, .report = cut_file, .user = &v};
    glnn_train_result result;
    expect_error(glnn_mlp_train(mlp, data, &train, &result), GLNN_E_IO,
                 "shorter than the 15964 bytes it had");
    assert_int_equal(result.epochs, 1);
    double loss;
    expect_error(glnn_mlp_evaluate(mlp, data, &loss, NULL, NULL), GLNN_E_IO, path.text);
    write_floats(of);
    expect_ok(glnn_mlp_evaluate(mlp, data, &loss, NULL, NULL));
    glnn_dataset_destroy(data);
}

static samples reader_samples;
static glnn_dataset_format reader_format;

static glnn_status reader(const char *path)
{
    const glnn_dataset_desc desc = desc_of(reader_samples, budget_of(64));
    return open_status(path, reader_format, &desc);
}

static void files_that_are_not_whole_are_refused(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    reader_samples = of;
    for (reader_format = 0; reader_format < GLNN_DATASET_FORMAT_COUNT; ++reader_format) {
        const file_path path =
            reader_format == GLNN_DATASET_NPY ? write_npy(of, dictionary) : write_floats(of);
        assert_odd_paths_fail(reader);
        for (long size = 4 * FEATURES * SAMPLES - 1; size > 0; size -= size > 100 ? 97 : 1) {
            assert_int_equal(truncate(path.text, size), 0);
            assert_int_equal(read_or_explain(reader, path.text), GLNN_E_FORMAT);
        }
        assert_int_equal(truncate(path.text, 4 * FEATURES * (SAMPLES + 9)), 0);
        assert_int_equal(read_or_explain(reader, path.text), GLNN_E_FORMAT);
    }
}

static void numpy_files_of_other_arrays_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *dictionary, *part;
        glnn_status status;
    } wrong[] = {
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (307, 13), }", "<f8", GLNN_E_FORMAT},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (307, 13), }", ">f4", GLNN_E_FORMAT},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (307, 13), }", "<i4", GLNN_E_FORMAT},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (307, 13), }", "Fortran", GLNN_E_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (13, 307), }",
         "13 samples of 307 features, not 307 of 13", GLNN_E_SHAPE},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (306, 13), }", "306 samples",
         GLNN_E_SHAPE},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 13), }", "0 samples", GLNN_E_SHAPE},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "1 samples of 1 features",
         GLNN_E_SHAPE},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }",
         "memory", GLNN_E_LIMIT},
        {"{'descr': '<f4', 'fortran_order': False, }", "has no shape", GLNN_E_FORMAT},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "simple type",
         GLNN_E_FORMAT},
        {"{'shape': (307, 13), 'shape': (307, 13)}", "each once", GLNN_E_FORMAT},
        {"[307, 13]", "'{'", GLNN_E_FORMAT},
    };
    const samples of = some_samples(true);
    const glnn_dataset_desc desc = desc_of(of, budget_of(64));
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(open_status(write_npy(of, wrong[i].dictionary).text, GLNN_DATASET_NPY, &desc),
                     wrong[i].status, wrong[i].part);
    expect_error(open_status(write_floats(of).text, GLNN_DATASET_NPY, &desc), GLNN_E_FORMAT,
                 "does not start as a .npy file does");
    expect_ok(open_status(
        write_npy(of, "{\"shape\":(307L,13L),\"fortran_order\":False,\"descr\":\"<f4\"}").text,
        GLNN_DATASET_NPY, &desc));
    expect_ok(open_status(
        write_npy(of, "{'shape': (307, 1, 13), 'fortran_order': False, 'descr': '<f4'}").text,
        GLNN_DATASET_NPY, &desc));
}

static void descriptions_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    const file_path path = write_floats(of);
    const glnn_dataset_desc right = desc_of(of, budget_of(64));
    glnn_dataset_desc desc = right;
    glnn_dataset *data;
    expect_error(glnn_dataset_open(NULL, path.text, 0, &desc, &data), GLNN_E_ARG, "null");
    expect_error(glnn_dataset_open(glnn_test_context(), NULL, 0, &desc, &data), GLNN_E_ARG, "null");
    expect_error(open_status(path.text, 0, NULL), GLNN_E_ARG, "null");
    expect_error(open_status(path.text, GLNN_DATASET_FORMAT_COUNT, &desc), GLNN_E_ARG, "format 2");
    desc.inputs = floats_of(of.inputs);
    expect_error(open_status(path.text, 0, &desc), GLNN_E_ARG, "desc->inputs is not null");
    desc = right;
    desc.samples = 0;
    expect_error(open_status(path.text, 0, &desc), GLNN_E_ARG, "0 samples of 13 features");
    desc.samples = INT32_MAX;
    desc.features = INT32_MAX;
    expect_error(open_status(path.text, 0, &desc), GLNN_E_FORMAT, "but the file has 15964");
    desc = right;
    desc.labels = NULL;
    expect_error(open_status(path.text, 0, &desc), GLNN_E_ARG, "not neither");
    desc = right;
    desc.classes = 2;
    expect_error(open_status(path.text, 0, &desc), GLNN_E_FORMAT, "there are 2 classes");
}

/* A data set of which nothing was used, and one of a context that is short of texture. */
static void streams_that_never_begin_leave_nothing_behind(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset_destroy(streamed(of, budget_of(64)));
    context_use(context_new(20000, 0.0));
    glnn_dataset *data = streamed(of, budget_of(140));
    expect_error(glnn_mlp_train(network(true, 8), data, &(glnn_train_desc){.batch = 8}, NULL),
                 GLNN_E_LIMIT, "20000");
    expect_error(glnn__dataset_require_resident(data, "the test"), GLNN_E_UNSUPPORTED,
                 "the test needs all samples on the GPU");
    glnn_dataset_destroy(data);
}

static int setup(void **state)
{
    return test_group_setup(state) || folder_make(state);
}

static int teardown(void **state)
{
    return folder_remove(state) | test_group_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(training_gives_the_bits_of_a_resident_set_whatever_the_windows),
        LEARNING_TEST(the_split_the_order_and_the_batch_may_be_any),
        LEARNING_TEST(sets_in_main_memory_and_numpy_files_stream_too),
        LEARNING_TEST(windows_may_be_longer_than_a_page),
        LEARNING_TEST(measuring_gives_the_bits_of_a_resident_set),
        LEARNING_TEST(a_validation_set_may_stream_too),
        LEARNING_TEST(measuring_a_set_while_it_is_trained_on_changes_nothing),
        LEARNING_TEST(training_that_stops_inside_an_epoch_lets_go_of_its_windows),
        LEARNING_TEST(an_epoch_makes_nothing_and_waits_only_for_a_buffer_to_be_copied),
        LEARNING_TEST(a_stream_takes_no_more_texture_than_its_budget),
        LEARNING_TEST(sets_that_fit_become_resident),
        LEARNING_TEST(windows_too_small_for_what_is_used_at_a_time_say_so),
        LEARNING_TEST(values_that_are_not_finite_are_named_when_they_are_used),
        LEARNING_TEST(a_file_that_becomes_shorter_ends_training_with_an_error),
        LEARNING_TEST(files_that_are_not_whole_are_refused),
        LEARNING_TEST(numpy_files_of_other_arrays_are_refused),
        LEARNING_TEST(descriptions_that_make_no_sense_are_refused),
        LEARNING_TEST(streams_that_never_begin_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("stream", tests, setup, teardown);
}
