/* A cell of the table of the self-test: the results of one operation by one way to compute. */
#ifndef GLNN__SELFTEST_CELL_H
#define GLNN__SELFTEST_CELL_H

#include "selftest/operation.h"

typedef struct glnn__cell {
    int results, failed;
    double worst;    /* error in units of its bound */
    char first[512]; /* that failed, in words; "": none did */
} glnn__cell;

/* Adds a result: the status of the calls that computed it and, if it is OK, the greatest error in
 * units of its bound. `format` says what was computed. */
__attribute__((format(printf, 4, 5))) void glnn__cell_add(glnn__cell *cell, glnn_status status,
                                                          double error, const char *format, ...);

/* Runs an operation by way number `way` of `ways`. Its context compiles a program for each layout
 * and storage, which takes most of the time of a self-test, so the ways share the layouts of an
 * operation. The operations of a family share the other settings, and each family with fewer rows
 * than layouts meets all of them in each way. */
void glnn__cell_run_operation(glnn_context *ctx, const glnn__operation *op, int way, int ways,
                              glnn__cell *cell);

/* Runs an operation in all settings, whatever its place. */
void glnn__cell_run_settings(glnn_context *ctx, const glnn__operation *op, glnn__cell *cell);

/* What is tested after the table of operations. */
typedef struct glnn__subject {
    const char *name;
    void (*run)(glnn_context *ctx, glnn__cell *cell);
} glnn__subject;

extern const glnn__subject glnn__subjects[];
extern const int glnn__subject_count;

#endif
