#include "io/table/csv_problems.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void glnn__csv_set_problem(glnn__csv_problems *of, size_t column, glnn_csv_problem problem)
{
    of->present.column = column;
    of->present.problem = problem;
}

void glnn__csv_note_problem(glnn__csv_problems *of, const char *path)
{
    const char *sentence = glnn_last_error();
    const size_t length = strlen(path);
    glnn__csv_problem_kind *kind = of->kinds, *end = of->kinds + of->kind_count;
    ++of->count;
    while (kind < end &&
           (kind->column != of->present.column || kind->problem != of->present.problem))
        ++kind;
    if (kind < end) {
        ++kind->rows;
    } else if (of->kind_count < GLNN_CSV_PROBLEMS) {
        *kind = of->present;
        kind->rows = 1;
        snprintf(kind->sentence, sizeof kind->sentence, "%s",
                 sentence + (strncmp(sentence, path, length) == 0 ? length + 2 : 0));
        ++of->kind_count;
    } else {
        ++of->unlisted;
    }
}

/* Prints the remedies for the first problem. */
static void print_advice(const glnn__csv_problems *of, const glnn__labels *known, char *text,
                         size_t size)
{
    enum { SHOWN = 10 };
    const glnn_csv_problem problem = of->kinds[0].problem;
    const bool is_one = of->count == 1;
    size_t used = 0;
    text[0] = 0;
    if (problem == GLNN_CSV_PROBLEM_UNLABELLED)
        snprintf(text, size, "; %s can be dropped", is_one ? "its row" : "rows");
    else if (problem == GLNN_CSV_PROBLEM_MISSING)
        snprintf(text, size,
                 is_one ? "; its row can be dropped, or the value filled"
                        : "; rows can be dropped, or missing values filled");
    if (problem != GLNN_CSV_PROBLEM_CLASS)
        return;
    for (int i = 0; i < known->count && i < SHOWN; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s'%.30s'",
                                 i > 0 ? ", " : "; the table for training has ", known->names[i]);
    if (known->count > SHOWN)
        snprintf(text + used, size - used, " and %d more", known->count - SHOWN);
}

static void list_problems(const glnn__csv_problems *of, char *text, size_t size)
{
    size_t used = 0;
    if (of->kind_count > 1)
        used += (size_t)snprintf(text, size, "%d kinds of problems: ", of->kind_count);
    for (int i = 0; i < of->kind_count; ++i) {
        const glnn__csv_problem_kind *kind = &of->kinds[i];
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "; " : "", kind->sentence);
        if (kind->rows > 1)
            used += (size_t)snprintf(text + used, size - used, ", and so in %" PRId64 " more row%s",
                                     kind->rows - 1, kind->rows == 2 ? "" : "s");
    }
    if (of->unlisted > 0)
        snprintf(text + used, size - used, "; and %" PRId64 " other problems", of->unlisted);
}

glnn_status glnn__csv_fail_problems(const glnn__csv_problems *of, const char *path,
                                    const glnn__labels *known, glnn_csv_problem *problem)
{
    char advice[512], list[(sizeof of->kinds->sentence + 48) * (GLNN_CSV_PROBLEMS + 1)];
    if (of->count == 0)
        return GLNN_OK;
    *problem = of->kinds[0].problem;
    list_problems(of, list, sizeof list);
    print_advice(of, known, advice, sizeof advice);
    return glnn__fail(GLNN_E_FORMAT, "%s: %s%s", path, list, advice);
}
