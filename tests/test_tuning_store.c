/* The file of what was measured: its lines, and files that are none. No context is needed. */
#include "support/tree.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pass/tuning_store.h"

static char folder[TREE_PATH];
static glnn_context driver = {.info = {.vendor = "v", .renderer = "r", .version = "1"}};

static int make_folder(void **state)
{
    (void)state;
    tree_make(folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    tree_remove(folder);
    return 0;
}

#define STORE_TEST(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

/* The memory of one process. */
static glnn__tuning *process_start(void)
{
    glnn__tuning *tuning = calloc(1, sizeof *tuning);
    assert_non_null(tuning);
    tuning->folder = folder;
    return tuning;
}

static void process_end(glnn__tuning *tuning)
{
    glnn__tuning_forget(tuning);
    free(tuning);
}

static void put(const char *key, const char *value)
{
    glnn__tuning *tuning = process_start();
    assert_string_equal(glnn__tuning_put(&driver, tuning, key, NULL, value), value);
    process_end(tuning);
}

static void expect_known(const char *key, const char *value)
{
    glnn__tuning *tuning = process_start();
    const char *found = glnn__tuning_get(&driver, tuning, key);
    if ((found != NULL) != (value != NULL) || (found && strcmp(found, value) != 0))
        fail_msg("%s is %s instead of %s", key, found ? found : "unknown",
                 value ? value : "unknown");
    process_end(tuning);
}

/* The one file in the folder. */
static const char *tuning_file(void)
{
    char names[2][256];
    assert_int_equal(tree_list(folder, names, 2), 1);
    return tree_path(folder, names[0]);
}

static void what_was_measured_is_known_to_the_next_process(void **state)
{
    (void)state;
    expect_known("a", NULL);
    put("a", "1");
    put("b", "2");
    expect_known("a", "1");
    expect_known("b", "2");
    driver.info.version = "2";
    expect_known("a", NULL);
    driver.info.version = "1";
}

static void the_first_value_stays_until_it_is_damaged(void **state)
{
    (void)state;
    put("a", "1");
    put("b", "2");
    put("c", "3");
    glnn__tuning *tuning = process_start();
    assert_string_equal(glnn__tuning_put(&driver, tuning, "c", NULL, "4"), "3");
    assert_string_equal(glnn__tuning_put(&driver, tuning, "a", "1", "5"), "5");
    assert_string_equal(glnn__tuning_put(&driver, tuning, "b", "7", "6"), "2");
    process_end(tuning);
    expect_known("a", "5");
    expect_known("b", "2");
    expect_known("c", "3");
}

/* Fills the file with lines "key 0 = 0", "key 1 = 1" and so on. */
static void write_lines(int count)
{
    put("a", "1");
    FILE *file = fopen(tuning_file(), "w");
    assert_non_null(file);
    for (int i = 0; i < count; ++i)
        fprintf(file, "key %d = %d\n", i, i);
    assert_int_equal(fclose(file), 0);
}

static void a_file_of_too_many_lines_is_written_anew(void **state)
{
    (void)state;
    struct stat info;
    write_lines(GLNN__TUNING_LINES + 1);
    expect_known("key 0", NULL);
    put("b", "2");
    expect_known("b", "2");
    assert_int_equal(stat(tuning_file(), &info), 0);
    assert_int_equal(info.st_size, strlen("b = 2\n"));
}

/* A call that waits for a writer is ended by the alarm. */
static void a_pipe_in_place_of_the_file_is_not_waited_for(void **state)
{
    (void)state;
    put("a", "1");
    const char *path = tuning_file();
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(10);
    expect_known("a", NULL);
    put("a", "2");
    alarm(0);
}

/* A number that is read as damaged would be measured again by each process. */
static void a_number_near_zero_is_known_to_the_next_process(void **state)
{
    (void)state;
    double speeds[] = {1e-5, 0, 1.5}, found[COUNT_OF(speeds)];
    static const double stored[] = {1e-3, 1e-3, 1.5};
    glnn__tuning *tuning = process_start();
    glnn__tuning_write(&driver, tuning, "a", speeds, COUNT_OF(speeds));
    process_end(tuning);
    tuning = process_start();
    assert_true(glnn__tuning_read(&driver, tuning, "a", found, COUNT_OF(found)));
    process_end(tuning);
    assert_memory_equal(speeds, stored, sizeof stored);
    assert_memory_equal(found, stored, sizeof stored);
}

enum { PROCESSES = 8, KEYS = 12 };

static void key_of(int number, char key[16])
{
    snprintf(key, 16, "key %d", number);
}

/* A process that has measured each key by itself ends with 0 if it goes on with what is stored. */
static int measure_all(int process, int ready)
{
    char key[16], own[16], kept[KEYS][16], byte;
    glnn__tuning *tuning = process_start();
    if (read(ready, &byte, 1) != 0)
        return 1;
    snprintf(own, sizeof own, "%d", process);
    for (int i = 0; i < KEYS; ++i) {
        key_of(i, key);
        snprintf(kept[i], sizeof kept[i], "%s", glnn__tuning_put(&driver, tuning, key, NULL, own));
    }
    process_end(tuning);
    tuning = process_start();
    int others = 0;
    for (int i = 0; i < KEYS; ++i) {
        key_of(i, key);
        const char *found = glnn__tuning_get(&driver, tuning, key);
        others += !found || strcmp(found, kept[i]) != 0;
    }
    process_end(tuning);
    return others > 0;
}

/* A later run must find the numbers that a process has planned by. All begin when the pipe is
 * closed. */
static void processes_that_measure_at_the_same_time_agree(void **state)
{
    int ends[2], failed = 0;
    pid_t children[PROCESSES];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    for (int p = 0; p < PROCESSES; ++p) {
        children[p] = fork();
        if (children[p] == 0) {
            close(ends[1]);
            _exit(measure_all(p, ends[0]));
        }
        assert_true(children[p] > 0);
    }
    close(ends[0]);
    close(ends[1]);
    for (int p = 0; p < PROCESSES; ++p) {
        int status;
        assert_int_equal(waitpid(children[p], &status, 0), children[p]);
        failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STORE_TEST(what_was_measured_is_known_to_the_next_process),
        STORE_TEST(the_first_value_stays_until_it_is_damaged),
        STORE_TEST(a_file_of_too_many_lines_is_written_anew),
        STORE_TEST(a_number_near_zero_is_known_to_the_next_process),
        STORE_TEST(a_pipe_in_place_of_the_file_is_not_waited_for),
        STORE_TEST(processes_that_measure_at_the_same_time_agree),
    };
    return cmocka_run_group_tests_name("tuning store", tests, NULL, NULL);
}
