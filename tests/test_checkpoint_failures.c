/* Checkpoints that cannot be loaded: whatever is wrong with one, the training goes on as if nobody
 * had tried. */
#include "support/faults.h"
#include "support/learner_files.h"
#include "support/runs.h"

#include "base/checksum.h"

#include <inttypes.h>

enum { TEXT_CAPACITY = 1 << 14, MOST_ARRAYS = 64 };

/* Steps of the trainings that fail to load, and of the checkpoints that they are given. */
enum { EARLIER = 4, LATER = 13 };

/* Kinds of learners and samples that keep different things between two steps. */
static const int chosen[] = {0, 1, 2, 3, 5, 7, 10, 13, 15, 18, 20, 21};

/* ---- Files whose checksum is right although something is wrong */

static const char *const summed[] = {"learner",    "training", "data",
                                     "validation", "device",   "numbers"};

static uint64_t sum_of(const glnn_metadata *texts, const glnn_tensor *tensors, int count)
{
    uint64_t sum = GLNN__CHECKSUM_START;
    for (size_t i = 0; i < COUNT_OF(summed); ++i)
        sum = glnn__checksum_text(glnn__checksum_text(sum, texts[i].key), texts[i].value);
    for (int i = 0; i < count; ++i) {
        size_t length = 1;
        for (int d = 0; d < tensors[i].dimensions; ++d)
            length *= tensors[i].shape[d];
        sum = glnn__checksum_floats(glnn__checksum_text(sum, tensors[i].name), tensors[i].data,
                                    length);
    }
    return sum;
}

/* Writes arrays and the texts of a file, with another text under one of their keys. */
static void write_as(const char *path, const glnn_safetensors *of, const char *key,
                     const char *text, const glnn_tensor *tensors, int count)
{
    char checksum[32];
    glnn_metadata texts[COUNT_OF(summed) + 3];
    for (size_t i = 0; i < COUNT_OF(summed); ++i)
        texts[i] = (glnn_metadata){summed[i], strcmp(summed[i], key) == 0
                                                  ? text
                                                  : glnn_safetensors_get_metadata(of, summed[i])};
    snprintf(checksum, sizeof checksum, "%016" PRIx64, sum_of(texts, tensors, count));
    texts[COUNT_OF(summed)] = (glnn_metadata){"checksum", checksum};
    texts[COUNT_OF(summed) + 1] = (glnn_metadata){"format", "glnn-checkpoint"};
    texts[COUNT_OF(summed) + 2] = (glnn_metadata){"version", "1"};
    expect_ok(glnn_safetensors_write(path, tensors, count, texts, COUNT_OF(texts)));
}

static int list_arrays(const glnn_safetensors *of, glnn_tensor tensors[MOST_ARRAYS])
{
    const int count = glnn_safetensors_get_count(of);
    assert_in_range(count, 1, MOST_ARRAYS);
    for (int i = 0; i < count; ++i)
        tensors[i] = *glnn_safetensors_get_tensor(of, i);
    return count;
}

static void write_text(const char *path, const glnn_safetensors *of, const char *key,
                       const char *text)
{
    glnn_tensor tensors[MOST_ARRAYS];
    write_as(path, of, key, text, tensors, list_arrays(of, tensors));
}

/* ---- Trainings that are given such files */

static glnn_trainer *start_at(const run *of, uint64_t steps)
{
    glnn_trainer *trainer = start_run(of, &of->how);
    advance(trainer, steps, false);
    return trainer;
}

static void expect_not_loaded(glnn_trainer *trainer, const char *path, const run *of,
                              const char *wrong)
{
    const glnn_status status = glnn_trainer_load_checkpoint(trainer, path);
    if (status != GLNN_E_FORMAT || !strstr(glnn_last_error(), path))
        fail_at(__FILE__, __LINE__, "%s, %s: %s: %s", of->name, wrong, glnn_status_name(status),
                glnn_last_error());
}

/* Each line is left out, and each number becomes a word; and there is a line too many. */
static void try_numbers(glnn_trainer *trainer, const glnn_safetensors *file, const run *of)
{
    const file_path path = path_of("numbers");
    const char *numbers = glnn_safetensors_get_metadata(file, "numbers");
    char text[TEXT_CAPACITY];
    assert_true(strlen(numbers) + 16 < sizeof text);
    for (const char *line = numbers; *line; line += strcspn(line, "\n") + 1) {
        const char *rest = line + strcspn(line, "\n") + 1;
        const int before = (int)(line - numbers), name = (int)strcspn(line, " ");
        snprintf(text, sizeof text, "%.*s%s", before, numbers, rest);
        write_text(path.text, file, "numbers", text);
        expect_not_loaded(trainer, path.text, of, line);
        snprintf(text, sizeof text, "%.*s%.*s x\n%s", before, numbers, name, line, rest);
        write_text(path.text, file, "numbers", text);
        expect_not_loaded(trainer, path.text, of, line);
    }
    snprintf(text, sizeof text, "%smore 1\n", numbers);
    write_text(path.text, file, "numbers", text);
    expect_not_loaded(trainer, path.text, of, "a line too many");
}

/* Each array is left out, and has a row too many. */
static void try_arrays(glnn_trainer *trainer, const glnn_safetensors *file, const run *of)
{
    const file_path path = path_of("arrays");
    const char *numbers = glnn_safetensors_get_metadata(file, "numbers");
    static const float many[1 << 12];
    glnn_tensor tensors[MOST_ARRAYS];
    const int count = list_arrays(file, tensors);
    for (int i = 0; i < count; ++i) {
        const glnn_tensor whole = tensors[i];
        const size_t columns = whole.dimensions > 1 ? whole.shape[1] : 1;
        assert_true((whole.shape[0] + 1) * columns <= COUNT_OF(many));
        tensors[i].shape[0]++;
        tensors[i].data = many;
        write_as(path.text, file, "numbers", numbers, tensors, count);
        expect_not_loaded(trainer, path.text, of, whole.name);
        tensors[i] = tensors[count - 1];
        write_as(path.text, file, "numbers", numbers, tensors, count - 1);
        expect_not_loaded(trainer, path.text, of, whole.name);
        tensors[i] = whole;
    }
}

/* Places that no training of this kind can be in. */
static void try_places(glnn_trainer *trainer, const glnn_safetensors *file, const run *of)
{
    static const char *const places[] = {"phase 7",    "phase -1",        "group -1",
                                         "group 9999", "batches_done -1", "batches_done 9999",
                                         "epoch -1",   "steps_done 99999"};
    const file_path path = path_of("place");
    const char *numbers = glnn_safetensors_get_metadata(file, "numbers");
    char text[TEXT_CAPACITY], name[32];
    for (size_t i = 0; i < COUNT_OF(places); ++i) {
        snprintf(name, sizeof name, "\n%.*s ", (int)strcspn(places[i], " "), places[i]);
        const char *line = strstr(numbers, name);
        assert_non_null(line);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(line + 1 - numbers), numbers, places[i],
                 line + 1 + strcspn(line + 1, "\n"));
        write_text(path.text, file, "numbers", text);
        expect_not_loaded(trainer, path.text, of, places[i]);
    }
}

static void try_all(const run *of)
{
    const file_path later = path_of("later"), whole = path_of("whole"), end = path_of("end");
    glnn_safetensors *file;
    glnn_trainer *trainer = start_at(of, LATER);
    expect_ok(glnn_trainer_save_checkpoint(trainer, later.text));
    expect_ok(glnn_safetensors_read(later.text, &file));
    trainer = start_run(of, &of->how);
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, whole.text));
    trainer = start_at(of, EARLIER);
    try_numbers(trainer, file, of);
    try_arrays(trainer, file, of);
    try_places(trainer, file, of);
    glnn_safetensors_free(file);
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, end.text));
    expect_same_checkpoints(whole.text, end.text, of->name);
}

static void a_checkpoint_that_does_not_fit_leaves_the_training_as_it_was(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chosen); ++i) {
        release_learning();
        try_all(&runs[chosen[i]]);
    }
}

/* ---- Main memory that runs out */

/* Every allocation of the call fails in turn, until none does. */
static void load_with_shortages(const run *of, glnn_trainer *trainer, const char *path)
{
    const file_path before = path_of("before"), after = path_of("after");
    bool is_short = true;
    int tried = 0;
    expect_ok(glnn_trainer_save_checkpoint(trainer, before.text));
    while (is_short) {
        faults_arm(FAULT_MEMORY, tried++, false);
        const glnn_status status = glnn_trainer_load_checkpoint(trainer, path);
        is_short = faults_end() > 0;
        if (status == GLNN_OK)
            continue;
        if (status != GLNN_E_NOMEM)
            fail_at(__FILE__, __LINE__, "%s: %s after %d allocations: %s", of->name,
                    glnn_status_name(status), tried - 1, glnn_last_error());
        expect_ok(glnn_trainer_save_checkpoint(trainer, after.text));
        expect_same_checkpoints(before.text, after.text, of->name);
    }
    assert_true(tried > 30); /* that of a mixture makes the fewest allocations, 35 */
}

static void without_memory_the_training_stays_as_it_was(void **state)
{
    static const int short_of[] = {0, 5, 15, 18};
    const file_path later = path_of("later");
    (void)state;
#ifdef OWN_ALLOCATOR
    print_message("the sanitizer's allocator cannot be replaced\n");
    skip();
#endif
    for (size_t i = 0; i < COUNT_OF(short_of); ++i) {
        const run *of = &runs[short_of[i]];
        release_learning();
        expect_ok(glnn_trainer_save_checkpoint(start_at(of, LATER), later.text));
        load_with_shortages(of, start_at(of, EARLIER), later.text);
    }
}

/* ---- Devices */

/* Plans may then differ, although the device is the same. */
static void a_profile_that_is_no_longer_known_is_a_warning(void **state)
{
    const file_path path = path_of("profile");
    const run *of = &runs[chosen[0]];
    glnn_safetensors *file;
    char text[TEXT_CAPACITY];
    (void)state;
    expect_ok(glnn_trainer_save_checkpoint(start_at(of, LATER), path.text));
    expect_ok(glnn_safetensors_read(path.text, &file));
    snprintf(text, sizeof text, "%sprofile of nothing=0123\n",
             glnn_safetensors_get_metadata(file, "device"));
    write_text(path.text, file, "device", text);
    glnn_safetensors_free(file);
    expect_ok(glnn_trainer_load_checkpoint(start_at(of, EARLIER), path.text));
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "(profile of nothing=0123, now none)"));
    log_clear();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_checkpoint_that_does_not_fit_leaves_the_training_as_it_was),
        LEARNING_TEST(without_memory_the_training_stays_as_it_was),
        LEARNING_TEST(a_profile_that_is_no_longer_known_is_a_warning),
    };
    return cmocka_run_group_tests(tests, learner_files_setup, learner_files_teardown);
}
