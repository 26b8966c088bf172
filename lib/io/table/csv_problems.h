/* The problems of a table's rows, which are reported together. */
#ifndef GLNN__IO_TABLE_CSV_PROBLEMS_H
#define GLNN__IO_TABLE_CSV_PROBLEMS_H

#include "io/table/labels.h"

#include <glnn/csv.h>

/* Problems of one kind in one column, which several rows can have. */
typedef struct glnn__csv_problem_kind {
    size_t column;
    glnn_csv_problem problem;
    int64_t rows;
    char sentence[256]; /* about the first one */
} glnn__csv_problem_kind;

/* Begins with zeros. */
typedef struct glnn__csv_problems {
    glnn__csv_problem_kind kinds[GLNN_CSV_PROBLEMS], present;
    int kind_count;
    int64_t count, unlisted; /* of fields and rows */
} glnn__csv_problems;

/* Says of which kind the present failure is. */
void glnn__csv_set_problem(glnn__csv_problems *of, size_t column, glnn_csv_problem problem);

/* Takes the sentence of the present failure, without the path. */
void glnn__csv_note_problem(glnn__csv_problems *of, const char *path);

/* Fails with E_FORMAT if there were problems, and sets *problem to the first one. `known` are the
 * classes that labels may have. */
glnn_status glnn__csv_fail_problems(const glnn__csv_problems *of, const char *path,
                                    const glnn__labels *known, glnn_csv_problem *problem);

#endif
