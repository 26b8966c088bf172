#include "io/table/rows.h"

#include "base/memory.h"
#include "base/status.h"
#include "io/table/text.h"

#include <glnn/csv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

glnn_status glnn__rows_open(const char *path, char separator, glnn__rows *rows)
{
    *rows = (glnn__rows){.path = path, .separator = separator, .line = 1};
    return glnn__text_read(path, &rows->text, &rows->next);
}

void glnn__rows_close(glnn__rows *rows)
{
    free(rows->text);
    free(rows->fields);
    *rows = (glnn__rows){0};
}

glnn_status glnn__rows_fail(const glnn__rows *rows, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return glnn__fail(GLNN_E_FORMAT, "%s: line %zu%s", rows->path, rows->row_line, text);
}

static bool ends_line(char character)
{
    return character == '\n' || character == '\r';
}

static char *skip_blanks(const glnn__rows *rows, char *text)
{
    const bool are_words = rows->separator == 0;
    while ((*text == ' ' || *text == '\t' || (are_words && (*text == '\v' || *text == '\f'))) &&
           *text != rows->separator)
        ++text;
    return text;
}

static void skip_line_end(glnn__rows *rows)
{
    rows->next += rows->next[0] == '\r' && rows->next[1] == '\n' ? 2 : 1;
    ++rows->line;
}

static void skip_empty_lines(glnn__rows *rows)
{
    for (;;) {
        char *text = skip_blanks(rows, rows->next);
        if (rows->separator == 0 && *text == '#')
            text += strcspn(text, "\r\n");
        if (*text == 0)
            rows->next = text;
        if (!ends_line(*text))
            return;
        rows->next = text;
        skip_line_end(rows);
    }
}

static glnn_status fail_field(const glnn__rows *rows, const char *what)
{
    return glnn__fail(GLNN_E_FORMAT, "%s: line %zu, column %zu: %s", rows->path, rows->line,
                      rows->count + 1, what);
}

/* Moves `next` past the closing quote; *end is that of the text without quotes. */
static glnn_status read_quoted(glnn__rows *rows, char **end)
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

static char *read_word(glnn__rows *rows)
{
    char *end = rows->next + strcspn(rows->next, " \t\v\f\r\n");
    rows->next = skip_blanks(rows, end);
    return end;
}

static char *read_plain(glnn__rows *rows)
{
    char *start = rows->next, *end = start;
    /* Most fields are short, so a loop is faster than strcspn. */
    while (*end && *end != rows->separator && !ends_line(*end))
        ++end;
    rows->next = end;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t'))
        --end;
    return end;
}

static glnn_status add_field(glnn__rows *rows, char *text)
{
    if (rows->count == GLNN_CSV_MAX_COLUMNS)
        return glnn__fail(GLNN_E_LIMIT, "%s: line %zu has more than %d columns", rows->path,
                          rows->row_line, GLNN_CSV_MAX_COLUMNS);
    if (!glnn__memory_grow(&rows->fields, rows->count, &rows->capacity, sizeof *rows->fields))
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for more than %zu columns", rows->path,
                          rows->count);
    rows->fields[rows->count++] = text;
    return GLNN_OK;
}

static glnn_status read_field(glnn__rows *rows, bool *more)
{
    char *text = skip_blanks(rows, rows->next);
    char *end = text;
    rows->next = text;
    if (rows->separator == 0)
        end = read_word(rows);
    else if (*text == '"')
        GLNN__TRY(read_quoted(rows, &end));
    else
        end = read_plain(rows);
    *more = *rows->next == rows->separator;
    if (rows->separator == 0)
        *more = *rows->next && !ends_line(*rows->next);
    else if (*more)
        ++rows->next;
    if (!*more && *rows->next)
        skip_line_end(rows);
    /* Last, because the text may end at the place of the separator. */
    *end = 0;
    return add_field(rows, text);
}

glnn_status glnn__rows_next(glnn__rows *rows, bool *found)
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
