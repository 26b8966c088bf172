#include "io/table/csv_texts.h"

#include "base/status.h"
#include "io/table/number.h"

#include <stdio.h>
#include <stdlib.h>

static void mark_texts(const glnn__rows *rows, const glnn__csv_roles *roles, bool *has_text)
{
    float value;
    for (size_t c = 0; c < roles->count; ++c)
        if (roles->of[c].role == GLNN__CSV_FEATURE && !glnn__number_is_missing(rows->fields[c]) &&
            glnn__number_parse(rows->fields[c], &value) == GLNN__NUMBER_NONE)
            has_text[c] = true;
}

/* Names the marked columns: "columns 1 ('a'), 3 ('b') and 4 more". */
static void list_columns(const glnn__csv_roles *roles, const bool *marked, size_t count, char *text,
                         size_t size)
{
    enum { LONGEST = 128 };
    size_t used = (size_t)snprintf(text, size, "columns "), listed = 0;
    for (size_t c = 0; c < roles->count && used + LONGEST < size; ++c) {
        const char *name = roles->of[c].name;
        if (!marked[c])
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%zu",
                                 listed == 0           ? ""
                                 : listed + 1 == count ? " and "
                                                       : ", ",
                                 c + 1);
        if (name)
            used += (size_t)snprintf(text + used, size - used, " ('%.60s')", name);
        ++listed;
    }
    if (listed < count)
        snprintf(text + used, size - used, " and %zu more", count - listed);
}

glnn_status glnn__csv_fail_texts(glnn__rows *rows, const glnn__csv_roles *roles, size_t column,
                                 glnn_csv_problem *problem)
{
    const size_t line = rows->row_line;
    char names[800], place[GLNN__CSV_PLACE], text[64];
    size_t count = 0;
    snprintf(text, sizeof text, "%s", rows->fields[column]);
    bool *has_text = calloc(roles->count, sizeof *has_text), found = true;
    if (!has_text)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu columns", rows->path, roles->count);
    while (found && rows->count == roles->count) {
        mark_texts(rows, roles, has_text);
        if (glnn__rows_next(rows, &found))
            break;
    }
    for (size_t c = 0; c < roles->count; ++c)
        count += has_text[c];
    list_columns(roles, has_text, count, names, sizeof names);
    free(has_text);
    *problem = GLNN_CSV_PROBLEM_TEXT;
    rows->row_line = line;
    if (count == 1)
        return glnn__rows_fail(rows, ", %s: '%.60s' is not a finite number",
                               glnn__csv_describe(roles, column, place), text);
    return glnn__rows_fail(rows, ": %s have texts, such as '%.60s'; features are numbers", names,
                           text);
}
