#include "io/table/rows.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/string.h"
#include "io/content.h"
#include "io/table/text.h"

#include <glnn/csv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a file that are read at a time. */
enum { PART = 1 << 20 };

glnn_status glnn__rows_open(const char *path, char separator, glnn__rows *rows)
{
    *rows = (glnn__rows){.path = path, .separator = separator, .line = 1};
    return glnn__text_read(path, &rows->text, &rows->next);
}

void glnn__rows_close(glnn__rows *rows)
{
    free(rows->text);
    free(rows->fields);
    if (rows->has_parts)
        glnn__file_close(rows->file);
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

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end > text && *end == 0;
}

/* Gives a number with a decimal comma a point. One that has a point may mean thousands by it. */
static glnn_status take_comma(const glnn__rows *rows, char *text)
{
    char *comma = strchr(text, ',');
    if (text[strspn(text, "0123456789+-.,eE")] != 0)
        return GLNN_OK;
    if (strchr(text, '.') && is_number(text))
        return glnn__rows_fail(rows,
                               ", column %zu: '%.40s' has a point, but the decimal mark is a "
                               "comma",
                               rows->count + 1, text);
    if (!comma)
        return GLNN_OK;
    *comma = '.';
    if (!is_number(text))
        *comma = ',';
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
    if (rows->decimal == ',')
        GLNN__TRY(take_comma(rows, text));
    return add_field(rows, text);
}

static glnn_status next_in_text(glnn__rows *rows, bool *found)
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

/* ---- Parts of files */

/* Puts the bytes from `place` on, at most `size` of them, in the place of the text. */
static glnn_status read_part(glnn__rows *rows, size_t place, size_t size)
{
    const size_t left = rows->file_size - place;
    rows->size = size < left ? size : left;
    char *text = realloc(rows->text, rows->size + 1);
    if (!text)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", rows->path, rows->size);
    rows->text = rows->next = text;
    rows->place = place;
    rows->goes_on = rows->size < left;
    text[rows->size] = 0;
    GLNN__TRY(glnn__file_read_at(rows->file, rows->path, rows->file_size, place, rows->size, text));
    const char *zero = memchr(text, 0, rows->size);
    if (!zero)
        return GLNN_OK;
    return glnn__fail(GLNN_E_FORMAT, "%s: line %zu has a zero byte, so the file is not a text",
                      rows->path, rows->line - 1 + glnn__text_line(text, zero));
}

glnn_status glnn__rows_next(glnn__rows *rows, bool *found)
{
    for (;;) {
        const size_t start = glnn__rows_place(rows), line = rows->line;
        const glnn_status status = next_in_text(rows, found);
        if (!rows->goes_on || (!status && *rows->next))
            return status;
        /* The row may go on after this part. Reading it has changed its text. */
        const size_t size = start > rows->place ? PART : 2 * rows->size;
        if (size > GLNN_CSV_MAX_LINE)
            return status ? status
                          : glnn__fail(GLNN_E_LIMIT, "%s: line %zu is longer than %d bytes",
                                       rows->path, line, GLNN_CSV_MAX_LINE);
        rows->line = line;
        GLNN__TRY(read_part(rows, start, size));
    }
}

static glnn_status refuse_packed(const char *path)
{
    glnn__content content;
    GLNN__TRY(glnn__content_open(path, &content));
    const bool is_packed = content.is_packed;
    glnn__content_close(&content);
    return is_packed
               ? glnn__fail(GLNN_E_FORMAT,
                            "%s: is compressed; only plain files can be read row by row; unpack "
                            "it, or read it as a whole",
                            path)
               : GLNN_OK;
}

glnn_status glnn__rows_open_parts(const char *path, char separator, glnn__rows *rows)
{
    *rows = (glnn__rows){.path = path, .separator = separator, .line = 1};
    GLNN__TRY(refuse_packed(path));
    GLNN__TRY(glnn__file_open_regular(path, &rows->file, &rows->file_size));
    rows->has_parts = true;
    const glnn_status status = read_part(rows, 0, PART);
    if (status)
        glnn__rows_close(rows);
    else
        rows->next += strncmp(rows->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return status;
}

glnn_status glnn__rows_open_again(const glnn__rows *rows, glnn__rows *out)
{
    *out = (glnn__rows){.path = rows->path, .separator = rows->separator, .line = 1};
    if (rows->has_parts)
        GLNN__TRY(glnn__rows_open_parts(rows->path, rows->separator, out));
    else
        out->text = out->next = glnn__string_copy(rows->next);
    out->decimal = rows->decimal;
    return out->text ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "%s: no memory for the text", rows->path);
}

size_t glnn__rows_place(const glnn__rows *rows)
{
    return rows->place + (size_t)(rows->next - rows->text);
}

glnn_status glnn__rows_read_at(glnn__rows *rows, size_t place, size_t size, size_t line)
{
    bool found;
    rows->line = line;
    GLNN__TRY(read_part(rows, place, size));
    rows->goes_on = false;
    return next_in_text(rows, &found);
}
