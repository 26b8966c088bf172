/* Files of learners for tests: a folder for the test program, and changed copies of a file. */
#ifndef TESTS_LEARNER_FILES_H
#define TESTS_LEARNER_FILES_H

#include "files.h"
#include "learning.h"

#include <glnn/safetensors.h>

/* Group fixtures: the context of test_group_setup, and the folder of files.h. */
int learner_files_setup(void **state);
int learner_files_teardown(void **state);

/* The entries of the tests of files.h in the table of a program with these fixtures. */
#define LEARNER_FILE_TEST(test, format)                                                            \
    cmocka_unit_test_prestate_setup_teardown(test, NULL, learning_teardown, (void *)&(format))
#define LEARNER_FILE_TESTS(format)                                                                 \
    LEARNER_FILE_TEST(truncated_files_are_refused, format),                                        \
        LEARNER_FILE_TEST(odd_paths_are_explained, format),                                        \
        LEARNER_FILE_TEST(a_full_disk_keeps_the_old_file, format)

/* A file that a learner was saved in, and the names of all its texts. */
typedef struct learner_file {
    file_path path;
    const char *const *keys;
    size_t count;
} learner_file;

/* The difference between a copy and its file. */
typedef struct change {
    const char *key;    /* metadata whose text becomes `value`; NULL: none */
    const char *value;  /* NULL: left out                                  */
    const char *array;  /* array that becomes `tensor`; NULL: none         */
    glnn_tensor tensor; /* without a name: the array is left out           */
} change;

/* A copy of the file with everything in it but for the change. */
file_path changed(const learner_file *file, change by);

/* A change, and the status and part of the sentence that refuse it. */
typedef struct damage {
    change by;
    glnn_status status;
    const char *part;
} damage;

/* Reading fails so for each of the damages. */
void assert_damage_fails(file_reader reader, const learner_file *file, const damage *cases,
                         size_t count);

/* Reading fails with E_FORMAT and the text's name where any text is missing or is none that could
 * be, or is one of `wrong`. */
void assert_odd_texts_fail(file_reader reader, const learner_file *file, const glnn_metadata *wrong,
                           size_t count);

#endif
