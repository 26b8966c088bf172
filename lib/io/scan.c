#include "io/scan.h"

#include "base/status.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

char glnn__scan_next(glnn__scan *in)
{
    while (in->next < in->end && *in->next && strchr(" \t\r\n", *in->next))
        ++in->next;
    return in->next < in->end ? *in->next : '\0';
}

bool glnn__scan_take(glnn__scan *in, const char *word)
{
    const size_t length = strlen(word);
    glnn__scan_next(in);
    if ((size_t)(in->end - in->next) < length || memcmp(in->next, word, length) != 0)
        return false;
    in->next += length;
    return true;
}

glnn_status glnn__scan_fail(const glnn__scan *in, const char *wanted)
{
    const size_t left = (size_t)(in->end - in->next);
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: the header is not %s: %s is expected at byte %zu, where it has '%.*s'",
                      in->path, in->language, wanted, (size_t)(in->next - in->start),
                      left < 40 ? (int)left : 40, in->next);
}

static glnn_status fail_character(const glnn__scan *in, char wanted)
{
    const char text[] = {'\'', wanted, '\'', '\0'};
    return glnn__scan_fail(in, text);
}

glnn_status glnn__scan_need(glnn__scan *in, const char *word)
{
    return glnn__scan_take(in, word) ? GLNN_OK : fail_character(in, *word);
}

/* Reads "u" and four hexadecimal digits. */
static bool read_unit(glnn__scan *in, unsigned long *unit)
{
    char digits[5] = "";
    if (in->end - in->next < 5 || *in->next != 'u')
        return false;
    memcpy(digits, in->next + 1, 4);
    in->next += 5;
    *unit = strtoul(digits, NULL, 16);
    return strspn(digits, "0123456789abcdefABCDEF") == 4;
}

/* Characters above U+FFFF are written as two units. */
static bool read_character(glnn__scan *in, unsigned long *code)
{
    unsigned long low = 0;
    if (!read_unit(in, code))
        return false;
    if (*code < 0xD800 || *code >= 0xE000)
        return *code != 0;
    if (*code >= 0xDC00 || in->next == in->end || *in->next++ != '\\' || !read_unit(in, &low))
        return false;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return low >= 0xDC00 && low < 0xE000;
}

static char *write_utf8(unsigned long code, char *to)
{
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; --i, code >>= 6)
        to[i] = (char)(unsigned char)(0x80 | (code & 0x3F));
    *to = (char)(unsigned char)(first[length] | code);
    return to + length;
}

/* Writes the character that a backslash and the next letters mean, and moves *to past it. */
static glnn_status unescape(glnn__scan *in, char **to)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *letter = in->next < in->end && *in->next ? strchr(letters, *in->next) : NULL;
    unsigned long code;
    if (letter) {
        ++in->next;
        *(*to)++ = meanings[letter - letters];
        return GLNN_OK;
    }
    if (in->next == in->end || *in->next != 'u')
        return glnn__scan_fail(in, "the rest of a text");
    if (!read_character(in, &code))
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the header has a text with a zero character, half a surrogate pair "
                          "or \\u without four digits, before its byte %zu",
                          in->path, (size_t)(in->next - in->start));
    *to = write_utf8(code, *to);
    return GLNN_OK;
}

glnn_status glnn__scan_text(glnn__scan *in, const char *wanted, char **text)
{
    const char quote = glnn__scan_next(in);
    if (!quote || !strchr(in->quotes, quote))
        return glnn__scan_fail(in, wanted);
    char *start = in->next++, *to = *text = in->next;
    while (in->next < in->end && *in->next != quote && (unsigned char)*in->next >= ' ') {
        if (*in->next++ != '\\')
            *to++ = in->next[-1];
        else
            GLNN__TRY(unescape(in, &to));
    }
    if (in->next == in->end || *in->next != quote) {
        in->next = start;
        return glnn__scan_fail(in, wanted);
    }
    ++in->next;
    *to = '\0';
    return GLNN_OK;
}

bool glnn__scan_count(glnn__scan *in, size_t *count)
{
    glnn__scan_next(in);
    char *digit = in->next;
    for (*count = 0; digit < in->end && *digit >= '0' && *digit <= '9'; ++digit) {
        const size_t value = (size_t)(*digit - '0');
        *count = *count > (SIZE_MAX - value) / 10 ? SIZE_MAX : 10 * *count + value;
    }
    if (digit == in->next || (digit < in->end && *digit && strchr(".eE", *digit)))
        return false;
    in->next = digit;
    return true;
}

glnn_status glnn__scan_list(glnn__scan *in, const char brackets[2], glnn__scan_item item,
                            void *context)
{
    const char open[] = {brackets[0], '\0'}, close[] = {brackets[1], '\0'};
    const char wanted[] = {'\'', ',', '\'', ' ', 'o', 'r', ' ', '\'', brackets[1], '\'', '\0'};
    GLNN__TRY(glnn__scan_need(in, open));
    bool is_closed = glnn__scan_take(in, close);
    while (!is_closed) {
        GLNN__TRY(item(in, context));
        const bool more = glnn__scan_take(in, ",");
        is_closed = (!more || in->takes_last_comma) && glnn__scan_take(in, close);
        if (!more && !is_closed)
            return glnn__scan_fail(in, wanted);
    }
    return GLNN_OK;
}

/* The list or object that is being skipped. */
typedef struct skipping {
    int depth;
    bool is_object;
} skipping;

static glnn_status skip_item(glnn__scan *in, void *context)
{
    const skipping *of = context;
    char *key;
    if (of->is_object) {
        GLNN__TRY(glnn__scan_text(in, "a key", &key));
        GLNN__TRY(glnn__scan_need(in, ":"));
    }
    return glnn__scan_skip(in, of->depth);
}

static glnn_status skip_word(glnn__scan *in)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (glnn__scan_take(in, words[i]))
            return GLNN_OK;
    const char *start = in->next;
    while (in->next < in->end && *in->next && strchr("0123456789+-.eE", *in->next))
        ++in->next;
    return in->next > start ? GLNN_OK : glnn__scan_fail(in, "a value");
}

glnn_status glnn__scan_skip(glnn__scan *in, int depth)
{
    const char first = glnn__scan_next(in);
    skipping inside = {depth + 1, first == '{'};
    char *text;
    if (first == '"')
        return glnn__scan_text(in, "a text", &text);
    if (first != '{' && first != '[')
        return skip_word(in);
    if (depth == GLNN__SCAN_MAX_DEPTH)
        return glnn__fail(GLNN_E_FORMAT, "%s: the header is nested more than %d deep", in->path,
                          GLNN__SCAN_MAX_DEPTH);
    return glnn__scan_list(in, inside.is_object ? "{}" : "[]", skip_item, &inside);
}
