/* Files for tests: a folder of their own, damaged copies, a disk that is full. */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <glnn/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FOLDER_CAPACITY = 512 };

/* Makes the program's folder, and removes it with its files: group fixtures. */
int folder_make(void **state);
int folder_remove(void **state);

typedef struct file_path {
    char text[FOLDER_CAPACITY + 272];
} file_path;

/* Where a file of that name lies, or would. */
file_path path_of(const char *name);

file_path file_write(const char *name, const void *bytes, size_t size);

/* Counts the files of the program's folder whose names do not start with a dot. */
int files_in_folder(void);

/* Counts the open files of the process. */
int files_open(void);

/* Reads a file that is not larger than `capacity` bytes; returns its size. */
size_t file_read(const char *path, void *bytes, size_t capacity);

/* The call failed with this status, and its sentence has this part. */
void assert_fails(glnn_status status, glnn_status wanted, const char *part);

/* Opens a file, checks what came out of it, and frees that; saves something of more than 64
 * bytes. */
typedef glnn_status (*file_reader)(const char *path);
typedef glnn_status (*file_writer)(const char *path);

/* Reads a file; where that fails, the sentence has the path. */
glnn_status read_or_explain(file_reader reader, const char *path);

/* Reads copies that end early; none of them may pass for the whole. */
void assert_truncations_fail(file_reader reader, const char *path);

/* Reads copies with one bit flipped, each of all; returns how many were refused. */
int refused_flips(file_reader reader, const char *path);

/* Nothing there, a folder, an empty file, no path at all, and 2^40 zero bytes. */
void assert_odd_paths_fail(file_reader reader);

/* Numbers are printed with a decimal comma until locale_end(); skips the test where no locale that
 * is installed has one. */
void locale_with_comma(void);
void locale_end(void);

/* How files of one format are read and written, and the tests that each such format has. */
typedef struct file_format {
    file_reader reader;
    file_writer writer; /* NULL: it is only read */
} file_format;

/* None of the copies of what is written that end early passes for the whole. */
void truncated_files_are_refused(void **state);

/* Reading as assert_odd_paths_fail does, and saving where there is no folder, where one is, or
 * nowhere. */
void odd_paths_are_explained(void **state);

/* Saves over an old file while no file may grow past 64 bytes, as on a full disk: the call says so,
 * the old file stays, and nothing else is left behind. */
void a_full_disk_keeps_the_old_file(void **state);

/* The entries of one such test, and of all three, in the table of a program. */
#define FILE_TEST(test, format) cmocka_unit_test_prestate(test, (void *)&(format))
#define FILE_TESTS(format)                                                                         \
    FILE_TEST(truncated_files_are_refused, format), FILE_TEST(odd_paths_are_explained, format),    \
        FILE_TEST(a_full_disk_keeps_the_old_file, format)

#endif
