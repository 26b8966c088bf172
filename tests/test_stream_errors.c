/* Data sets that stream: what they refuse, and what ends training. */
#include "support/streams.h"

#include "data/dataset.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

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
    glnn_learner *network = new_network(true, 32), *wide = new_network(true, 64);
    expect_ok(
        glnn_learner_train(network, data, &(glnn_train_desc){.epochs = 1, .batch = 32}, NULL));
    expect_error(glnn_learner_train(network, data, &(glnn_train_desc){.batch = 33}, NULL),
                 GLNN_E_LIMIT,
                 "two windows of 33 samples, which are used at a time, take 5280 bytes of texture; "
                 "the data set's budget is 5120; a budget of 1 MiB holds them");
    expect_error(
        glnn_learner_train(network, data, &(glnn_train_desc){.batch = GLNN_FULL_BATCH}, NULL),
        GLNN_E_LIMIT, "of 307 samples");
    const uint64_t steps = glnn_network_get_steps(wide);
    const glnn_train_desc split = {.batch = 16, .validation_split = 0.4f};
    expect_error(glnn_learner_train(wide, data, &split, NULL), GLNN_E_LIMIT, "of 64 samples");
    expect_error(glnn_learner_evaluate(wide, data, NULL, (int64_t[CLASSES * CLASSES]){0}),
                 GLNN_E_LIMIT, "of 64 samples");
    assert_int_equal(glnn_network_get_steps(wide), steps);
    glnn_dataset_destroy(data);
    const glnn_dataset_desc tiny = desc_of(of, budget_of(1) - 1);
    expect_error(open_status(write_floats(of).text, GLNN_DATASET_FLOATS, &tiny), GLNN_E_LIMIT,
                 "take 160 bytes of texture; the data set's budget is 159");
}

/* Trains on samples of which one has a value that is not finite, resident and streamed. */
static void expect_flaw(samples of, float value, bool in_target, int sample, int column,
                        const char *part)
{
    *at(in_target ? of.targets : of.inputs, sample, column) = (double)value;
    glnn_dataset_desc desc = desc_of(of, 0);
    const file_path path = write_floats(of);
    expect_error(open_status(path.text, GLNN_DATASET_FLOATS, &desc), GLNN_E_FORMAT, part);
    for (int rows = 32; rows < 150; rows += 100) {
        desc.texture_budget = budget_for(of, rows);
        glnn_dataset *data = opened(path.text, GLNN_DATASET_FLOATS, &desc);
        glnn_learner *network = new_network(of.labels.data != NULL, 32);
        const glnn_train_desc train = {.epochs = 2, .batch = 32, .seed = 7};
        expect_error(glnn_learner_train(network, data, &train, NULL), GLNN_E_FORMAT, part);
        glnn_metrics metrics;
        expect_error(glnn_learner_evaluate(network, data, &metrics, NULL), GLNN_E_FORMAT, part);
        expect_error(glnn_learner_train(network, data, &train, NULL), GLNN_E_FORMAT, part);
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

/* Cuts a file off after so many bytes, at the first such event. */
typedef struct cutter {
    const char *path;
    long bytes;
    glnn_event at;
} cutter;

static bool cut_file(void *user, const glnn_report *report)
{
    const cutter *c = user;
    if (report->event == c->at)
        assert_int_equal(truncate(c->path, c->bytes), 0);
    return true;
}

/* Writes the file again, without making another one. */
static void fill_again(const char *path, samples of)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fwrite(floats_of(of.inputs), 4, length_of(of.inputs), file),
                     length_of(of.inputs));
    assert_int_equal(fclose(file), 0);
}

/* The file has 15964 bytes. A batch ends inside an epoch, while a window is being collected. */
static void a_file_that_becomes_shorter_ends_training_with_an_error(void **state)
{
    (void)state;
    static const long bytes[] = {15964 - 1, 8192, 0};
    const samples of = some_samples(true);
    const file_path path = path_of("samples.f32");
    for (size_t i = 0; i < COUNT_OF(bytes); ++i)
        for (glnn_event at = GLNN_EVENT_BATCH; at <= GLNN_EVENT_EPOCH; ++at) {
            cutter c = {path.text, bytes[i], at};
            glnn_dataset *data = streamed(of, budget_of(64));
            glnn_learner *network = new_network(true, 32);
            const glnn_train_desc train = {
                .epochs = 5, .batch = 8, .report_every = 1, .report = cut_file, .user = &c};
            glnn_train_result result = {.size = sizeof result};
            expect_error(glnn_learner_train(network, data, &train, &result), GLNN_E_IO,
                         "shorter than the 15964 bytes it had");
            assert_in_range(result.epochs, at == GLNN_EVENT_EPOCH, 1);
            glnn_metrics metrics;
            expect_error(glnn_learner_evaluate(network, data, &metrics, NULL), GLNN_E_IO,
                         path.text);
            fill_again(path.text, of);
            expect_ok(glnn_learner_evaluate(network, data, &metrics, NULL));
            glnn_dataset_destroy(data);
        }
}

/* Reads a file as the system does, a few bytes at a time or not at all. */
static struct {
    const char *cut;   /* a file that is cut off to nothing when it is read   */
    int before;        /* readings before it is cut off                       */
    int failures;      /* readings that are interrupted, then                 */
    int number;        /* the number of errno for all further ones; 0: none   */
    size_t most_bytes; /* of a reading; 0: any                                */
} reading;

ssize_t pread(int file, void *to, size_t size, off_t offset)
{
    if (reading.cut && reading.before-- == 0)
        assert_int_equal(truncate(reading.cut, 0), 0);
    if (reading.failures > 0) {
        --reading.failures;
        errno = EINTR;
        return -1;
    }
    if (reading.number) {
        errno = reading.number;
        return -1;
    }
    const size_t bytes =
        reading.most_bytes && reading.most_bytes < size ? reading.most_bytes : size;
    return syscall(SYS_pread64, file, to, bytes, offset);
}

static void a_file_that_becomes_shorter_while_it_is_opened_is_an_error(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    const glnn_dataset_desc desc = desc_of(of, 0);
    reading.cut = write_npy(of, dictionary).text;
    reading.before = 2; /* those of the header, which go on to the end of a small file */
    const glnn_status status = open_status(reading.cut, GLNN_DATASET_NPY, &desc);
    reading.cut = NULL;
    expect_error(status, GLNN_E_IO, "has become shorter than");
}

static void a_disk_that_fails_is_an_error_and_short_readings_are_not(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    const glnn_dataset_desc desc = desc_of(of, 0);
    const file_path path = write_floats(of);
    reading.number = EIO;
    const glnn_status status = open_status(path.text, GLNN_DATASET_FLOATS, &desc);
    reading.number = 0;
    expect_error(status, GLNN_E_IO, "the file cannot be read: ");
    reading.failures = 3;
    reading.most_bytes = 1000;
    glnn_dataset *data = opened(path.text, GLNN_DATASET_FLOATS, &desc);
    reading.most_bytes = 0;
    expect_equal(data->inputs, of.inputs, "pieces of 1000 bytes");
    glnn_dataset_destroy(data);
}

static volatile sig_atomic_t program_signals;

/* Puts zeros in the place of a page that is gone, so that the reading goes on. The system lets no
 * other thread read the page before. The thread sanitizer does not know that, and does not see a
 * call without the C library. */
static void mend_page(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *place = (void *)((uintptr_t)info->si_addr / page * page);
    program_signals = 1;
    if (syscall(SYS_mmap, place, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
        (long)place)
        _exit(1);
}

static void a_mapped_file_that_becomes_shorter_raises_a_signal_in_the_program(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    struct sigaction own = {.sa_flags = SA_SIGINFO}, former, present;
    own.sa_sigaction = mend_page;
    assert_int_equal(sigaction(SIGBUS, &own, &former), 0);
    glnn_dataset_desc desc = desc_of(of, budget_of(64));
    desc.map_file = true;
    const file_path path = write_floats(of);
    glnn_dataset *data = opened(path.text, GLNN_DATASET_FLOATS, &desc);
    assert_int_equal(truncate(path.text, 0), 0);
    glnn_metrics metrics;
    expect_ok(glnn_learner_evaluate(new_network(true, 32), data, &metrics, NULL));
    assert_true(program_signals > 0);
    assert_int_equal(sigaction(SIGBUS, &former, &present), 0);
    assert_true(present.sa_sigaction == mend_page);
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
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (307, 13), }", "byte order, <f4",
         GLNN_E_FORMAT},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (307, 13), }", "byte order, <f4",
         GLNN_E_FORMAT},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (307, 13), }", "byte order, <f4",
         GLNN_E_FORMAT},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (307, 13), }", "Fortran", GLNN_E_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (13, 307), }",
         "13 samples of 307 features, not 307 of 13", GLNN_E_SHAPE},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (306, 13), }", "306 samples",
         GLNN_E_SHAPE},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 13), }", "size of dimension 0 is 0",
         GLNN_E_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "has 0 dimensions",
         GLNN_E_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }",
         "99999999999 samples", GLNN_E_SHAPE},
        {"{'descr': '<f4', 'fortran_order': False, }", "lacks the key 'shape'", GLNN_E_FORMAT},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "records",
         GLNN_E_FORMAT},
        {"{'shape': (307, 13), 'shape': (307, 13)}", "twice", GLNN_E_FORMAT},
        {"[307, 13]", "'{'", GLNN_E_FORMAT},
    };
    const samples of = some_samples(true);
    const glnn_dataset_desc desc = desc_of(of, budget_of(64));
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(open_status(write_npy(of, wrong[i].dictionary).text, GLNN_DATASET_NPY, &desc),
                     wrong[i].status, wrong[i].part);
    expect_error(open_status(write_floats(of).text, GLNN_DATASET_NPY, &desc), GLNN_E_FORMAT,
                 "does not begin with 93 NUMPY");
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
    expect_error(open_status(path.text, GLNN_DATASET_FORMAT_COUNT, &desc), GLNN_E_ARG,
                 "`format` is 2");
    desc.inputs = floats_of(of.inputs);
    expect_error(open_status(path.text, 0, &desc), GLNN_E_ARG, "desc->inputs must be null");
    desc = right;
    desc.samples = 0;
    expect_error(open_status(path.text, 0, &desc), GLNN_E_ARG, "0 samples of 13 features");
    desc.samples = INT32_MAX;
    desc.features = INT32_MAX;
    expect_error(open_status(path.text, 0, &desc), GLNN_E_FORMAT, "but the file has 15964");
    desc.samples = (int64_t)INT32_MAX + 1;
    expect_error(open_status(path.text, 0, &desc), GLNN_E_LIMIT,
                 "2147483648 samples; a data set has at most 2147483647");
    desc = right;
    desc.labels = NULL;
    expect_error(open_status(path.text, 0, &desc), GLNN_E_ARG, "but `labels` is null");
    desc.classes = 0;
    expect_ok(open_status(path.text, 0, &desc));
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
    expect_error(
        glnn_learner_train(new_network(true, 8), data, &(glnn_train_desc){.batch = 8}, NULL),
        GLNN_E_LIMIT, "20000");
    glnn_dataset_destroy(data);
}

static void data_sets_whose_context_was_destroyed_fail_with_a_status(void **state)
{
    (void)state;
    const samples of = some_samples(true);
    glnn_context *ctx = context_new(0, 0.0);
    context_use(ctx);
    glnn_dataset *sets[] = {streamed(of, budget_of(64)), streamed(of, budget_of(64))};
    glnn_learner *network = new_network(true, 32);
    glnn_metrics metrics;
    expect_ok(glnn_learner_evaluate(network, sets[0], &metrics, NULL));
    glnn_context_destroy(ctx);
    const glnn_dataset_desc desc = desc_of(of, 0);
    glnn_dataset *data = NULL;
    expect_error(glnn_dataset_open(ctx, "x", GLNN_DATASET_FLOATS, &desc, &data), GLNN_E_STATE,
                 "glnn_dataset_open: the context was destroyed");
    expect_error(glnn_dataset_create(ctx, &desc, &data), GLNN_E_STATE, "destroyed");
    for (int i = 0; i < 2; ++i) {
        expect_error(glnn_learner_evaluate(network, sets[i], &metrics, NULL), GLNN_E_STATE,
                     "destroyed");
        assert_int_equal(glnn_dataset_get_samples(sets[i]), SAMPLES);
        glnn_dataset_destroy(sets[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(windows_too_small_for_what_is_used_at_a_time_say_so),
        LEARNING_TEST(values_that_are_not_finite_are_named_when_they_are_used),
        LEARNING_TEST(a_file_that_becomes_shorter_ends_training_with_an_error),
        LEARNING_TEST(a_file_that_becomes_shorter_while_it_is_opened_is_an_error),
        LEARNING_TEST(a_disk_that_fails_is_an_error_and_short_readings_are_not),
        LEARNING_TEST(a_mapped_file_that_becomes_shorter_raises_a_signal_in_the_program),
        LEARNING_TEST(files_that_are_not_whole_are_refused),
        LEARNING_TEST(numpy_files_of_other_arrays_are_refused),
        LEARNING_TEST(descriptions_that_make_no_sense_are_refused),
        LEARNING_TEST(streams_that_never_begin_leave_nothing_behind),
        LEARNING_TEST(data_sets_whose_context_was_destroyed_fail_with_a_status),
    };
    return cmocka_run_group_tests_name("stream_errors", tests, learner_files_setup,
                                       learner_files_teardown);
}
