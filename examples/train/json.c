#include "json.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The bytes of the character that a text begins with; 0: they are not UTF-8. Surrogates, numbers
 * above U+10FFFF and numbers in more bytes than they need are not. */
static int character_bytes(const unsigned char *text)
{
    static const struct {
        unsigned char mask, lead;
        int bytes;
        unsigned least;
    } forms[] = {{0x80, 0x00, 1, 0},
                 {0xE0, 0xC0, 2, 0x80},
                 {0xF0, 0xE0, 3, 0x800},
                 {0xF8, 0xF0, 4, 0x10000}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i) {
        if ((text[0] & forms[i].mask) != forms[i].lead)
            continue;
        unsigned code = text[0] & (unsigned char)~forms[i].mask;
        for (int j = 1; j < forms[i].bytes; ++j) {
            if ((text[j] & 0xC0) != 0x80)
                return 0;
            code = code << 6 | (text[j] & 0x3Fu);
        }
        return code >= forms[i].least && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF)
                   ? forms[i].bytes
                   : 0;
    }
    return 0;
}

void json_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        const int bytes = character_bytes(c);
        if (bytes == 0)
            fputs("\\ufffd", file);
        else if (*c < ' ')
            fprintf(file, "\\u%04x", *c);
        else if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else
            fwrite(c, 1, (size_t)bytes, file);
        c += bytes > 0 ? bytes : 1;
    }
    fputc('"', file);
}

/* Whether the text is read back as the number. */
static bool is_exact(const char *text, double number, bool is_float)
{
    return is_float ? strtof(text, NULL) == (float)number : strtod(text, NULL) == number;
}

static void write_number(FILE *file, double number, bool is_float)
{
    enum { MOST_DIGITS = 17 };
    char text[32] = "null";
    if (isfinite(number))
        snprintf(text, sizeof text, "%g", number);
    for (int digits = 7; isfinite(number) && digits <= MOST_DIGITS; ++digits) {
        if (is_exact(text, number, is_float))
            break;
        snprintf(text, sizeof text, "%.*g", digits, number);
    }
    fputs(text, file);
}

void json_double(FILE *file, double number)
{
    write_number(file, number, false);
}

void json_float(FILE *file, float number)
{
    write_number(file, (double)number, true);
}

void json_name(FILE *file, const char *name)
{
    json_text(file, name);
    fputs(": ", file);
}

void json_members(FILE *file, const char *between, const json_member *members, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        fputs(i > 0 ? between : "", file);
        json_name(file, members[i].name);
        json_double(file, members[i].value);
    }
}
