#include "io/table/csv_rows.h"

#include "base/status.h"
#include "io/table/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

glnn_status glnn__csv_open(const char *path, char separator, glnn__csv_rows *rows)
{
    *rows = (glnn__csv_rows){.path = path, .separator = separator, .line = 1};
    return glnn__text_read(path, &rows->text, &rows->next);
}

void glnn__csv_close(glnn__csv_rows *rows)
{
    free(rows->text);
    free(rows->fields);
    *rows = (glnn__csv_rows){0};
}

static bool ends_line(char character)
{
    return character == '\n' || character == '\r';
}

static char *skip_blanks(const glnn__csv_rows *rows, char *text)
{
    while ((*text == ' ' || *text == '\t') && *text != rows->separator)
        ++text;
    return text;
}

static void skip_line_end(glnn__csv_rows *rows)
{
    rows->next += rows->next[0] == '\r' && rows->next[1] == '\n' ? 2 : 1;
    ++rows->line;
}

static void skip_empty_lines(glnn__csv_rows *rows)
{
    for (;;) {
        char *text = skip_blanks(rows, rows->next);
        if (*text == 0)
            rows->next = text;
        if (!ends_line(*text))
            return;
        rows->next = text;
        skip_line_end(rows);
    }
}

static glnn_status fail_field(const glnn__csv_rows *rows, const char *what)
{
    return glnn__fail(GLNN_E_FORMAT, "%s: line %zu, column %zu: %s", rows->path, rows->line,
                      rows->count + 1, what);
}

/* Moves `next` past the closing quote; *end is that of the text without quotes. */
static glnn_status read_quoted(glnn__csv_rows *rows, char **end)
{
    size_t first_line = rows->line;
    char *from = rows->next + 1, *to = rows->next;
    bool closed = false;
    while (*from && !closed) {
        closed = *from == '"' && *++from != '"';
        if (!closed) {
            rows->line += glnn__text_breaks(from);
            *to++ = *from++;
        }
    }
    if (!closed) {
        rows->line = first_line;
        return fail_field(rows, "the quote is not closed");
    }
    *end = to;
    rows->next = skip_blanks(rows, from);
    if (*rows->next && *rows->next != rows->separator && !ends_line(*rows->next))
        return fail_field(rows, "text follows the closing quote");
    return GLNN_OK;
}

static char *read_plain(glnn__csv_rows *rows)
{
    const char stops[] = {rows->separator, '\n', '\r', 0};
    char *end = rows->next + strcspn(rows->next, stops);
    char *start = rows->next;
    rows->next = end;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        --end;
    return end;
}

static glnn_status add_field(glnn__csv_rows *rows, char *text)
{
    if (rows->count == INT_MAX)
        return glnn__fail(GLNN_E_LIMIT, "%s: line %zu has more than %d columns", rows->path,
                          rows->line, INT_MAX);
    if (rows->count == rows->capacity) {
        size_t capacity = rows->capacity ? 2 * rows->capacity : 64;
        char **fields = realloc(rows->fields, capacity * sizeof *fields);
        if (!fields)
            return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu columns", rows->path, capacity);
        rows->fields = fields;
        rows->capacity = capacity;
    }
    rows->fields[rows->count++] = text;
    return GLNN_OK;
}

static glnn_status read_field(glnn__csv_rows *rows, bool *more)
{
    char *text = skip_blanks(rows, rows->next);
    char *end = text;
    rows->next = text;
    if (*text == '"')
        GLNN__TRY(read_quoted(rows, &end));
    else
        end = read_plain(rows);
    *more = *rows->next == rows->separator;
    if (*more)
        ++rows->next;
    else if (*rows->next)
        skip_line_end(rows);
    /* Only now, since the text may end where the separator stood. */
    *end = 0;
    return add_field(rows, text);
}

glnn_status glnn__csv_next(glnn__csv_rows *rows, bool *found)
{
    skip_empty_lines(rows);
    rows->count = 0;
    rows->row_line = rows->line;
    *found = *rows->next != 0;
    bool more = *found;
    while (more)
        GLNN__TRY(read_field(rows, &more));
    return GLNN_OK;
}
