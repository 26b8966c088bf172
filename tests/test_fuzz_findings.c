/* Readers of bytes from outside, with the inputs that fuzzing begins with and those that it found.
 * The targets are in tests/fuzz, and scripts/fuzz.sh looks for further inputs. */
#include "fuzz/target.h"

#include "base/folder.h"

#include <stdio.h>

static char seeds[TREE_PATH];

static int make_seed_folder(void **state)
{
    (void)state;
    tree_make(seeds);
    return 0;
}

static int remove_seed_folder(void **state)
{
    (void)state;
    tree_remove(seeds);
    return 0;
}

enum { MOST_FILES = 256 };

static void run(const fuzz_target *target, const unsigned char *bytes, size_t size)
{
    target->run(bytes, size);
    log_clear();
}

/* The first half, and copies with another byte in one of 16 places. */
static void run_damaged(const fuzz_target *target, unsigned char *bytes, size_t size)
{
    run(target, bytes, size / 2);
    for (size_t at = 0; at < size; at += 1 + size / 16) {
        unsigned char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        copy[at] ^= (unsigned char)(1 + at % 255);
        if (target->repair)
            target->repair(copy, size);
        run(target, copy, size);
        free(copy);
    }
}

/* Reads all files of a folder. If one ends the program, its name is the last that was printed. */
static int run_files(const fuzz_target *target, const char *folder)
{
    static char names[MOST_FILES][256];
    const int count = tree_list(folder, names, MOST_FILES);
    for (int i = 0; i < count; ++i) {
        size_t size;
        char path[TREE_PATH];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        print_message("# %s\n", path);
        unsigned char *bytes = tree_read(path, &size);
        run(target, bytes, size);
        run_damaged(target, bytes, size);
        free(bytes);
    }
    return count;
}

static void every_reader_bears_its_seeds_and_what_fuzzing_found(void **state)
{
    (void)state;
    for (const fuzz_target *target = fuzz_targets; target->name; ++target) {
        char own[TREE_PATH], findings[TREE_PATH];
        snprintf(own, sizeof own, "%s", tree_path(seeds, target->name));
        snprintf(findings, sizeof findings, "tests/fuzz/findings/%s", target->name);
        expect_ok(glnn__folder_make(own));
        fuzz_begin(target, own);
        target->seed();
        assert_true(run_files(target, own) > 0);
        run_files(target, findings);
        fuzz_end(target);
    }
}

static glnn_status expect_target(void *user, const char *name)
{
    (void)user;
    if (!fuzz_find(name))
        fail_msg("tests/fuzz/findings/%s is the folder of no target", name);
    return GLNN_OK;
}

static void every_finding_has_a_target(void **state)
{
    (void)state;
    expect_ok(glnn__folder_visit("tests/fuzz/findings", expect_target, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_reader_bears_its_seeds_and_what_fuzzing_found,
                                        make_seed_folder, remove_seed_folder),
        cmocka_unit_test(every_finding_has_a_target),
    };
    return cmocka_run_group_tests_name("fuzz findings", tests, NULL, NULL);
}
