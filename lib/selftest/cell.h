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

/* One of several ways to compute that share the work. */
typedef struct glnn__turn {
    int way, ways; /* its number, from 0, and how many there are */
} glnn__turn;

/* Whether case `number` of those that the ways share falls to this one. */
static inline bool glnn__is_turn(glnn__turn turn, int number)
{
    return number % turn.ways == turn.way;
}

/* Runs an operation. Its context compiles a program for each layout and storage, which takes most
 * of the time of a self-test. So the ways share the layouts of an operation, and the operations of
 * a family share the other settings. A family with fewer rows than layouts meets all of them in
 * each way. */
void glnn__cell_run_operation(glnn_context *ctx, const glnn__operation *op, glnn__turn turn,
                              glnn__cell *cell);

/* Runs an operation in all settings, whatever its place. */
void glnn__cell_run_settings(glnn_context *ctx, const glnn__operation *op, glnn__turn turn,
                             glnn__cell *cell);

/* A test after those of the table of operations. */
typedef struct glnn__subject {
    const char *name;
    void (*run)(glnn_context *ctx, glnn__turn turn, glnn__cell *cell);
} glnn__subject;

extern const glnn__subject glnn__subjects[];
extern const int glnn__subject_count;

#endif
