/* Support for the tests of matrices and operations: one debug context a program, the log, arrays of
 * doubles to compare matrices with, and comparisons that name the difference.
 *
 * Arrays, matrices and contexts made here live until release_all(), which the teardown of every
 * test calls, so that a failing test leaves nothing behind; loops call it after each case. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <glnn/matrix.h>

#include "selftest/half.h"

/* The unit of all error bounds. */
#define EPS 0x1p-24

/* The layouts that passes write, from TILED on; PAGED, which they only read, comes after them. */
#define RENDERED_END   GLNN_LAYOUT_PAGED
#define RENDERED_COUNT (RENDERED_END - GLNN_LAYOUT_TILED)

/* The storages that matrices are created with. UNORM8, which only adopted textures have, comes
 * after them. */
#define STORED_COUNT GLNN_STORAGE_UNORM8

/* Whether this run takes all cases of all tables, as that of `make check-all`: GLNN_TEST_ALL is
 * set. */
bool all_cases_are_run(void);

/* Whether this run leaves out a case of a table whose programs take long to compile. Each way of
 * the tier full takes another third, and the tier targets the first, unless all cases are run. If a
 * case combines three choices and `number` is the sum of their places, any two of them still meet
 * in each way. */
bool case_is_left_out(int number);

/* Whether this way leaves out a shape that the fragment stage has: unless all cases are run, the
 * compute stage and the tier targets take the even ones, and images the odd ones. This is for
 * shapes that kernels read in the same way everywhere. */
bool shape_is_left_out(int number);

/* One of them after the other, as `i` counts. */
#define rendered_layout(i) ((glnn_layout)(GLNN_LAYOUT_TILED + (int)(i) % RENDERED_COUNT))

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

/* Gives llvmpipe its threads, before there is a context. scripts/check.sh takes them from all other
 * programs: a small pass then costs a fifth of the time, but is done when the call returns. So this
 * is for tests of what goes on while a program does something else. */
void let_driver_have_threads(void);

/* Group fixtures and the entry of one test in the table of a program. */
int test_group_setup(void **state);
int test_group_teardown(void **state);
int test_teardown(void **state);
#define TEST(function) cmocka_unit_test_teardown(function, test_teardown)

/* The context that the helpers use: the program's own until context_use. */
glnn_context *glnn_test_context(void);

/* A further debug context without a cache; `texture_budget` and `pass_limit_ms` as in the
 * description. context_use makes the helpers use it until release_all. */
glnn_context *context_new(size_t texture_budget, double pass_limit_ms);
void context_use(glnn_context *ctx);

glnn_counters counters_of(glnn_context *ctx);

/* The messages of one level since log_clear: how many, and the first ones one after another. */
int log_count(glnn_log_level level);
const char *log_text(glnn_log_level level);
void log_clear(void);

/* Receives the messages again after glnn_log_set. */
void log_resume(void);

/* Fails with a sentence, naming the line of the test. */
__attribute__((format(printf, 3, 4))) void fail_at(const char *file, int line, const char *format,
                                                   ...);

void expect_ok_at(glnn_status status, const char *call, const char *file, int line);
#define expect_ok(call) expect_ok_at((call), #call, __FILE__, __LINE__)

/* The call fails with `status`, and glnn_last_error() contains `part`. Errors that the call logs
 * are forgiven, errors that were logged before it are not. */
void expect_no_logged_error(const char *file, int line);
void expect_error_at(glnn_status got, glnn_status status, const char *part, const char *call,
                     const char *file, int line);
#define expect_error(call, status, part)                                                           \
    do {                                                                                           \
        expect_no_logged_error(__FILE__, __LINE__);                                                \
        expect_error_at((call), (status), (part), #call, __FILE__, __LINE__);                      \
    } while (0)

/* Elements in main memory, row-major; data is NULL where there is no array. */
typedef struct array {
    int rows, columns;
    double *data;
} array;

static inline double *at(array values, int row, int column)
{
    return &values.data[(size_t)row * (size_t)values.columns + (size_t)column];
}

static inline size_t length_of(array values)
{
    return (size_t)values.rows * (size_t)values.columns;
}

/* The expected result of an operation; bound.data is NULL if it is exact. */
typedef struct expected {
    array value;
    array bound; /* greatest error of each element */
} expected;

/* The expected result in a matrix of this storage, by glnn__stored_bound. */
expected expected_stored(expected want, glnn_storage storage);

array array_new(int rows, int columns); /* zeros */
array array_copy(array values);
array array_random(int rows, int columns, double low, double high); /* float32 numbers */
array array_numbered(int rows, int columns);                        /* 1, 2, 3, ... */

/* Every array_random after this is a function of the seed; release_all does not restart it. */
void random_seed(uint64_t seed);

/* The elements as a matrix of this storage holds them. */
array array_stored(array values, glnn_storage storage);

/* `count` floats that release_all frees, and the elements of an array as float32 and
 * back. */
float *floats_new(size_t count);
float *floats_of(array values);

array array_of_floats(int rows, int columns, const float *floats);

/* A matrix of the current context with these elements. */
glnn_matrix *matrix_of(array values, glnn_layout layout);
glnn_matrix *matrix_stored(array values, glnn_layout layout, glnn_storage storage);

/* Moves the elements to a texture with 2^wrap rows of blocks side by side. A PAGED matrix stays as
 * it is. */
glnn_matrix *matrix_wrapped(glnn_matrix *matrix, int wrap);

/* The same matrix, which release_all destroys. */
glnn_matrix *matrix_kept(glnn_matrix *matrix);

glnn_matrix *matrix_zero(int rows, int columns, glnn_layout layout);
array values_of(const glnn_matrix *matrix);

void release_all(void);

/* The place of float number `index` of the raw texels; false where it is padding. */
bool texel_place(const glnn_matrix *matrix, size_t index, int *row, int *column);
float *texels_of(const glnn_matrix *matrix, size_t *count);

/* Compare all elements, and check that the padding is zero. `format` says what was computed: the
 * operation with its variant, layouts and shape. The expected result is that of float32. A
 * matrix stored in 16 bits may have one more rounding, and an exact result must be rounded
 * correctly. */
__attribute__((format(printf, 3, 4))) void expect_close(const glnn_matrix *got, expected want,
                                                        const char *format, ...);
__attribute__((format(printf, 3, 4))) void expect_equal(const glnn_matrix *got, array want,
                                                        const char *format, ...);

/* The two arrays hold the same bits. */
__attribute__((format(printf, 3, 4))) void expect_same_bits(array left, array right,
                                                            const char *format, ...);

#endif
