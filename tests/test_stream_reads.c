/* Data sets that stream: buffers and threads, functions that read samples, and slow reads. */
#define _GNU_SOURCE
#include "support/streams.h"
#include "support/tree.h"

#include "base/cores.h"
#include "base/folder.h"
#include "io/png_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <glnn/csv.h>
#include <glnn/image.h>
#include <glnn/trainer.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>

static void sleep_for(int milliseconds)
{
    const struct timespec time = {.tv_nsec = 1000000L * milliseconds};
    nanosleep(&time, NULL);
}

/* ---- A function that reads */

typedef struct program {
    const float *inputs;
    int refused;          /* a sample that it fails to read; -1: none                 */
    const char *sentence; /* of that failure; NULL: it says nothing                   */
    int sleep;            /* milliseconds of each call                                */
    atomic_int calls, inside, most_inside;
    atomic_bool is_gone; /* the data set was destroyed, so it must not be called      */
} program;

static void note_call(program *of)
{
    const int inside = atomic_fetch_add(&of->inside, 1) + 1;
    int most = atomic_load(&of->most_inside);
    while (inside > most && !atomic_compare_exchange_weak(&of->most_inside, &most, inside)) {
    }
    atomic_fetch_add(&of->calls, 1);
    assert_false(atomic_load(&of->is_gone));
}

static glnn_status read_rows(void *user, const int *numbers, int count, float *inputs)
{
    program *of = user;
    glnn_status status = GLNN_OK;
    note_call(of);
    if (of->sleep > 0)
        sleep_for(of->sleep);
    for (int i = 0; i < count && !status; ++i) {
        memcpy(inputs + i * FEATURES, of->inputs + numbers[i] * FEATURES,
               FEATURES * sizeof *inputs);
        if (numbers[i] == of->refused)
            status = of->sentence ? glnn_last_error_set(GLNN_E_UNSUPPORTED, of->sentence)
                                  : GLNN_E_UNSUPPORTED;
    }
    atomic_fetch_sub(&of->inside, 1);
    return status;
}

static glnn_dataset *read_by(program *of, const glnn_dataset_desc *desc)
{
    glnn_dataset_desc own = *desc;
    glnn_dataset *data = NULL;
    own.read = read_rows;
    own.user = of;
    expect_ok(glnn_dataset_create(glnn_test_context(), &own, &data));
    return data;
}

static const glnn_train_desc some_training = {.epochs = 2, .batch = 32, .seed = 7};

static glnn_learner *trained_on(samples of, const glnn_dataset *data)
{
    glnn_learner *network = new_network(of.labels.data != NULL, 128);
    expect_ok(glnn_learner_train(network, data, &some_training, NULL));
    return network;
}

static void expect_training(samples of, const glnn_learner *wanted, glnn_dataset *data,
                            const char *what)
{
    expect_same_networks(wanted, trained_on(of, data), what);
    glnn_dataset_destroy(data);
}

static void buffers_and_threads_do_not_change_the_bits(void **state)
{
    (void)state;
    static const int buffers[] = {1, 3, 7}, threads[] = {1, 4};
    for (int labels = 0; labels < 2; ++labels) {
        const samples of = some_samples(labels);
        const file_path path = write_floats(of);
        glnn_learner *resident = trained_on(of, dataset_of(of));
        glnn_dataset_desc desc = desc_of(of, budget_for(of, 40));
        program reader = {.inputs = floats_of(of.inputs), .refused = -1};
        for (size_t b = 0; b < COUNT_OF(buffers); ++b)
            for (size_t t = 0; t < COUNT_OF(threads); ++t) {
                desc.buffers = buffers[b];
                desc.threads = threads[t];
                expect_training(of, resident, opened(path.text, GLNN_DATASET_FLOATS, &desc),
                                "a file");
                expect_training(of, resident, read_by(&reader, &desc), "a function");
            }
        release_learning();
    }
}

/* ---- A system that starts no threads, as in a browser */

static atomic_bool has_no_threads;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (atomic_load(&has_no_threads))
        return EAGAIN;
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attributes, run, argument);
}

static glnn_stream_figures figures_of(const glnn_dataset *data)
{
    glnn_stream_figures figures = {.size = sizeof figures};
    expect_ok(glnn_dataset_get_stream_figures(data, &figures));
    return figures;
}

static void without_threads_the_caller_reads_and_the_bits_are_the_same(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_learner *resident = trained_on(of, dataset_of(of));
    glnn_dataset_desc desc = desc_of(of, budget_of(40));
    for (desc.buffers = 1; desc.buffers <= 3; desc.buffers += 2) {
        program reader = {.inputs = floats_of(of.inputs), .refused = -1};
        glnn_dataset *data = read_by(&reader, &desc);
        has_no_threads = true;
        glnn_learner *network = trained_on(of, data);
        has_no_threads = false;
        expect_same_networks(resident, network, "no threads");
        const glnn_stream_figures figures = figures_of(data);
        assert_int_equal(figures.threads, 0);
        assert_int_equal(figures.hits, 0);
        assert_true(figures.windows > 0 && figures.reads == figures.windows);
        assert_int_equal(reader.most_inside, 1);
        reader.refused = 200;
        expect_error(glnn_learner_train(network, data, &some_training, NULL), GLNN_E_UNSUPPORTED,
                     "data set: the function that reads samples failed");
        glnn_dataset_destroy(data);
    }
}

static void a_function_can_read_a_resident_set_too(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    const glnn_dataset_desc desc = desc_of(of, 0);
    program reader = {.inputs = floats_of(of.inputs), .refused = -1};
    glnn_dataset *data = read_by(&reader, &desc);
    assert_false(glnn_dataset_is_streamed(data));
    assert_int_equal(reader.most_inside, 1);
    expect_training(of, trained_on(of, dataset_of(of)), data, "a function");
}

static void threads_call_the_function_at_the_same_time(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset_desc desc = desc_of(of, budget_of(32));
    program reader = {.inputs = floats_of(of.inputs), .refused = -1, .sleep = 20};
    desc.threads = 3;
    glnn_dataset *data = read_by(&reader, &desc);
    trained_on(of, data);
    glnn_dataset_destroy(data);
    assert_in_range(reader.most_inside, 2, 3);
}

#ifdef __linux__
/* The most cores on which a thread that read may run. */
static atomic_int cores_of_readers;

static glnn_status note_cores(void *user, const int *numbers, int count, float *inputs)
{
    cpu_set_t own;
    if (sched_getaffinity(0, sizeof own, &own) == 0 &&
        CPU_COUNT(&own) > atomic_load(&cores_of_readers))
        atomic_store(&cores_of_readers, CPU_COUNT(&own));
    return read_rows(user, numbers, count, inputs);
}

/* Launchers of several processes bind each of them to a core. */
static void threads_read_on_all_cores_if_the_program_has_one(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset_desc desc = desc_of(of, budget_of(32));
    program reader = {.inputs = floats_of(of.inputs), .refused = -1};
    glnn_dataset *data = NULL;
    cpu_set_t before, one;
    const int cores = glnn__cores_count();
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    desc.read = note_cores;
    desc.user = &reader;
    expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
    trained_on(of, data);
    glnn_dataset_destroy(data);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(cores_of_readers, cores);
}
#endif

/* Sample 200 is at any place of the order. The data set can be used again after each failure. */
static void a_function_that_fails_ends_the_training_with_its_sentence(void **state)
{
    (void)state;
    static const char *const sentences[] = {"own_read: the tape is torn", NULL};
    const samples of = some_samples(true);
    glnn_dataset_desc desc = desc_of(of, budget_of(32));
    desc.name = "tape";
    for (int buffers = 1; buffers <= 5; buffers += 2)
        for (size_t i = 0; i < COUNT_OF(sentences); ++i) {
            program reader = {
                .inputs = floats_of(of.inputs), .refused = 200, .sentence = sentences[i]};
            glnn_learner *network = new_network(true, 128);
            desc.buffers = buffers;
            glnn_dataset *data = read_by(&reader, &desc);
            for (int time = 0; time < 2; ++time)
                expect_error(glnn_learner_train(network, data, &some_training, NULL),
                             GLNN_E_UNSUPPORTED,
                             sentences[i] ? "tape: own_read: the tape is torn"
                                          : "tape: the function that reads samples failed");
            reader.refused = -1;
            expect_ok(glnn_learner_train(network, data, &some_training, NULL));
            glnn_dataset_destroy(data);
        }
}

static bool stop_at_once(void *user, const glnn_report *report)
{
    (void)user;
    (void)report;
    return false;
}

static void a_data_set_that_is_destroyed_early_reads_no_more(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset_desc desc = desc_of(of, budget_of(32));
    program reader = {.inputs = floats_of(of.inputs), .refused = -1, .sleep = 30};
    desc.buffers = 9;
    desc.threads = 4;
    const glnn_train_desc train = {.batch = 32, .report = stop_at_once, .report_every = 1};
    glnn_dataset *data = read_by(&reader, &desc);
    expect_ok(glnn_learner_train(new_network(true, 128), data, &train, NULL));
    glnn_dataset_destroy(data);
    reader.is_gone = true;
    assert_int_equal(reader.inside, 0);
    sleep_for(60);
    assert_true(reader.calls > 0);
}

static void expect_refused(const glnn_dataset_desc *desc, const char *part)
{
    glnn_dataset *data = NULL;
    expect_error(glnn_dataset_create(glnn_test_context(), desc, &data), GLNN_E_ARG, part);
    assert_null(data);
}

static void numbers_of_buffers_and_threads_have_limits(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    const glnn_dataset_desc right = desc_of(of, budget_of(32));
    glnn_dataset_desc desc = right;
    desc.inputs = floats_of(of.inputs);
    desc.buffers = 65;
    expect_refused(&desc,
                   "glnn_dataset_create: buffers is 65; it has to be an integer from 1 to 64, or 0 "
                   "for 3");
    desc.buffers = -1;
    expect_refused(&desc, "buffers is -1");
    desc.buffers = 64;
    desc.threads = 65;
    expect_refused(&desc, "threads is 65");
    desc.threads = 64;
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
    trained_on(of, data);
    glnn_dataset_destroy(data);
    desc.read = read_rows;
    expect_refused(&desc, "`inputs` and `read` are both given");
    desc = right;
    expect_refused(&desc, "`inputs` and `read` are both null");
    desc.read = read_rows;
    expect_error(glnn_dataset_open(glnn_test_context(), write_floats(of).text, 0, &desc, &data),
                 GLNN_E_ARG, "desc->read must be null");
}

/* ---- Tables and pictures */

/* Trains on arrays and on a stream that `read` fills. */
static void expect_stream(glnn_dataset_desc desc, const float *inputs, glnn_dataset_reader read,
                          void *user, const char *what)
{
    glnn_learner *networks[2];
    desc.inputs = inputs;
    for (int i = 0; i < 2; ++i) {
        glnn_dataset *data = NULL;
        expect_ok(glnn_dataset_create(glnn_test_context(), &desc, &data));
        assert_int_equal(glnn_dataset_is_streamed(data), i > 0);
        networks[i] = new_network(true, 128);
        expect_ok(glnn_learner_train(networks[i], data, &some_training, NULL));
        glnn_dataset_destroy(data);
        desc.inputs = NULL;
        desc.read = read;
        desc.user = user;
        desc.texture_budget = budget_of(32);
    }
    expect_same_networks(networks[0], networks[1], what);
}

/* Every tenth number is missing. */
static void tables_stream(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    const file_path path = path_of("table.csv");
    FILE *file = fopen(path.text, "w");
    assert_non_null(file);
    for (int i = 0; i < SAMPLES; ++i) {
        for (int j = 0; j < FEATURES; ++j)
            fprintf(file, (i + j) % 10 ? "%.9g," : "NA,", *at(of.inputs, i, j));
        fprintf(file, "class %d\n", (int)of.labels.data[i]);
    }
    assert_int_equal(fclose(file), 0);
    const glnn_csv_desc how = {.label = "last", .missing = GLNN_CSV_MISSING_FILL};
    glnn_csv table = {.size = sizeof table}, opened = table;
    glnn_csv_file *rows;
    expect_ok(glnn_csv_read(path.text, &how, &table));
    expect_ok(glnn_csv_file_open(path.text, &how, &opened, &rows));
    const glnn_dataset_desc desc = {.samples = opened.rows,
                                    .features = opened.columns.features,
                                    .labels = opened.labels,
                                    .classes = opened.columns.classes};
    expect_stream(desc, table.inputs, glnn_csv_file_read_samples, rows, "a table");
    glnn_csv_file_close(rows);
    glnn_csv_free(&opened);
    glnn_csv_free(&table);
}

static void write_pictures(int count)
{
    char name[64];
    unsigned char pixels[FEATURES];
    for (int i = 0; i < count; ++i) {
        snprintf(name, sizeof name, "pictures/%d", i % CLASSES);
        expect_ok(glnn__folder_make(path_of(name).text));
        snprintf(name, sizeof name, "pictures/%d/%d.png", i % CLASSES, i);
        for (int p = 0; p < FEATURES; ++p)
            pixels[p] = (unsigned char)(i * p * 7 + i);
        expect_ok(glnn__png_write(path_of(name).text, FEATURES, 1, 1, pixels));
    }
}

static void folders_of_pictures_stream(void **state)
{
    (void)state;
    glnn_image_folder read = {.size = sizeof read}, opened = read;
    write_pictures(100);
    expect_ok(glnn_image_folder_read(path_of("pictures").text, 0, &read));
    expect_ok(glnn_image_folder_open(path_of("pictures").text, 0, &opened));
    const glnn_dataset_desc desc = {.samples = opened.samples,
                                    .features = opened.width,
                                    .labels = opened.labels,
                                    .classes = opened.classes};
    expect_stream(desc, read.inputs, glnn_image_folder_read_samples, &opened, "pictures");
    glnn_image_folder_free(&opened);
    glnn_image_folder_free(&read);
    tree_remove(path_of("pictures").text);
}

/* ---- Figures */

/* 307 samples are ten windows of 32, each of which is a single call. */
static void figures_count_reads_bytes_and_windows(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_dataset_desc desc = desc_of(of, budget_of(32));
    program reader = {.inputs = floats_of(of.inputs), .refused = -1};
    glnn_dataset *data = read_by(&reader, &desc);
    assert_int_equal(figures_of(data).windows, 0);
    assert_int_equal(figures_of(data).buffers, 3);
    expect_ok(glnn_learner_train(new_network(true, 128), data,
                                 &(glnn_train_desc){.epochs = 3, .batch = 32}, NULL));
    const glnn_stream_figures after = figures_of(data);
    assert_int_equal(after.windows, 3 * 10);
    assert_int_equal(after.reads, 3 * 10);
    assert_int_equal(after.reads, reader.calls);
    assert_int_equal(after.bytes, 3 * SAMPLES * FEATURES * sizeof(float));
    assert_true(after.hits <= after.windows && after.wait_seconds >= 0);
    assert_in_range(after.threads, 2, 8);
    glnn_dataset_destroy(data);
    const glnn_stream_figures none = figures_of(dataset_of(of));
    assert_true(none.reads == 0 && none.windows == 0 && none.buffers == 0);
}

/* ---- A file system that delays one read in twenty */

enum { DELAY = 100, WORK = 70, WIDE = 4096, PIECES = 4, BATCH = 8 * PIECES, WINDOWS = 80 };

static atomic_bool is_slow;
static atomic_int readings;

ssize_t pread(int file, void *to, size_t size, off_t offset)
{
    if (atomic_load(&is_slow) && atomic_fetch_add(&readings, 1) % 20 == 10)
        sleep_for(DELAY);
    return syscall(SYS_pread64, file, to, size, offset);
}

/* A file of zeros, with windows of one batch. */
static glnn_dataset *open_zeros(int *labels)
{
    const file_path path = file_write("zeros.f32", "", 0);
    assert_int_equal(truncate(path.text, 4L * WIDE * WINDOWS * BATCH), 0);
    const glnn_dataset_desc desc = {
        .samples = WINDOWS * BATCH,
        .features = WIDE,
        .labels = labels,
        .classes = 2,
        .texture_budget = (size_t)2 * BATCH * (4 * WIDE + 16),
    };
    return opened(path.text, GLNN_DATASET_FLOATS, &desc);
}

/* One window in five has a slow read, which takes longer than a window is used. Both are sleeps, so
 * a slow machine has more time for its reads, not less. With one buffer, all these windows are
 * late. */
static void slow_reads_delay_at_most_one_window_in_twenty(void **state)
{
    (void)state;
    static int labels[WINDOWS * BATCH];
    glnn_dataset *data = open_zeros(labels);
    glnn_learner *network =
        network_of(&(glnn_network_desc){.features = WIDE, .layers = {{.units = 1}}});
    const glnn_train_desc train = {.epochs = 1, .batch = BATCH, .keep_order = true};
    glnn_trainer *trainer;
    expect_ok(glnn_trainer_create(network, data, &train, &trainer));
    is_slow = true;
    for (int step = 0; step < WINDOWS; ++step) {
        expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
        sleep_for(WORK);
    }
    is_slow = false;
    const glnn_stream_figures of = figures_of(data);
    print_message("%d of %d windows were late, by %.0f ms of %d\n", (int)(of.windows - of.hits),
                  WINDOWS, 1000 * of.wait_seconds, WINDOWS * WORK);
    assert_int_equal(of.windows, WINDOWS);
    assert_int_equal(of.reads, WINDOWS * PIECES);
    assert_true(of.windows - of.hits <= WINDOWS / 20);
    assert_true(1000 * of.wait_seconds <= 0.05 * WINDOWS * WORK);
    glnn_trainer_destroy(trainer);
    glnn_dataset_destroy(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(buffers_and_threads_do_not_change_the_bits),
        LEARNING_TEST(without_threads_the_caller_reads_and_the_bits_are_the_same),
        LEARNING_TEST(a_function_can_read_a_resident_set_too),
        LEARNING_TEST(threads_call_the_function_at_the_same_time),
#ifdef __linux__
        LEARNING_TEST(threads_read_on_all_cores_if_the_program_has_one),
#endif
        LEARNING_TEST(a_function_that_fails_ends_the_training_with_its_sentence),
        LEARNING_TEST(a_data_set_that_is_destroyed_early_reads_no_more),
        LEARNING_TEST(numbers_of_buffers_and_threads_have_limits),
        LEARNING_TEST(tables_stream),
        LEARNING_TEST(folders_of_pictures_stream),
        LEARNING_TEST(figures_count_reads_bytes_and_windows),
        LEARNING_TEST(slow_reads_delay_at_most_one_window_in_twenty),
    };
    return cmocka_run_group_tests_name("stream_reads", tests, learner_files_setup,
                                       learner_files_teardown);
}
