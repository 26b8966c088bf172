#include "io/npy_header.h"

#include "base/status.h"
#include "io/bytes.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";

enum {
    MAGIC_SIZE = sizeof magic - 1,
    VERSION_SIZE = 2,
    ALIGNMENT = 64 /* of the elements in a file that is written */
};

static const struct {
    const char *name;
    size_t width;
} types[GLNN_NPY_TYPE_COUNT] = {
    [GLNN_NPY_BOOL] = {"b1", 1},    [GLNN_NPY_INT8] = {"i1", 1},    [GLNN_NPY_INT16] = {"i2", 2},
    [GLNN_NPY_INT32] = {"i4", 4},   [GLNN_NPY_INT64] = {"i8", 8},   [GLNN_NPY_UINT8] = {"u1", 1},
    [GLNN_NPY_UINT16] = {"u2", 2},  [GLNN_NPY_UINT32] = {"u4", 4},  [GLNN_NPY_UINT64] = {"u8", 8},
    [GLNN_NPY_FLOAT32] = {"f4", 4}, [GLNN_NPY_FLOAT64] = {"f8", 8},
};

size_t glnn__npy_width(glnn_npy_type type)
{
    return (unsigned)type < GLNN_NPY_TYPE_COUNT ? types[type].width : 0;
}

/* The dictionary while it is read. */
typedef struct reading {
    const char *path;
    const char *text; /* what is left of it, which ends before `end` */
    const char *end;
    glnn__npy_header *out;
} reading;

static void skip_blanks(reading *in)
{
    while (in->text < in->end && strchr(" \t\r\n", *in->text) && *in->text)
        ++in->text;
}

/* Skips one character, with the blanks in front of it, where it comes next. */
static bool take(reading *in, char character)
{
    skip_blanks(in);
    bool found = in->text < in->end && *in->text == character;
    in->text += found;
    return found;
}

static glnn_status fail_text(const reading *in, const char *wanted)
{
    size_t left = (size_t)(in->end - in->text);
    return glnn__fail(GLNN_E_FORMAT, "%s: the header goes on with '%.*s' where %s should be",
                      in->path, left < 40 ? (int)left : 40, in->text, wanted);
}

static glnn_status need(reading *in, char character, const char *wanted)
{
    return take(in, character) ? GLNN_OK : fail_text(in, wanted);
}

/* A text of Python's in single or double quotes, none of which needs escapes. */
typedef struct word {
    char text[24];
} word;

static glnn_status read_word(reading *in, const char *wanted, word *out)
{
    skip_blanks(in);
    const char *start = in->text;
    char quote = start < in->end ? *start : 0;
    const char *stop = quote == '\'' || quote == '"'
                           ? memchr(start + 1, quote, (size_t)(in->end - start - 1))
                           : NULL;
    if (!stop || (size_t)(stop - start) > sizeof out->text)
        return fail_text(in, wanted);
    size_t length = (size_t)(stop - start - 1);
    memcpy(out->text, start + 1, length);
    out->text[length] = 0;
    in->text = stop + 1;
    return GLNN_OK;
}

static glnn_status read_type(reading *in)
{
    word name;
    if (take(in, '['))
        return glnn__fail(GLNN_E_FORMAT, "%s: holds records; an array of numbers can be read",
                          in->path);
    GLNN__TRY(read_word(in, "a type in quotes", &name));
    for (unsigned type = 0; type < GLNN_NPY_TYPE_COUNT; ++type) {
        bool has_order = name.text[0] == '<' || name.text[0] == '>';
        bool needs_none = name.text[0] == '|' && types[type].width == 1;
        if ((has_order || needs_none) && strcmp(name.text + 1, types[type].name) == 0) {
            in->out->type = (glnn_npy_type)type;
            in->out->big_endian = name.text[0] == '>';
            return GLNN_OK;
        }
    }
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: holds elements of type '%s'; b1, i1 to i8, u1 to u8, f4 and f8 behind "
                      "'<' or '>' can be read",
                      in->path, name.text);
}

static glnn_status read_order(reading *in)
{
    skip_blanks(in);
    static const char *const names[] = {"False", "True"};
    for (int value = 0; value < 2; ++value) {
        size_t length = strlen(names[value]);
        if ((size_t)(in->end - in->text) >= length && !memcmp(in->text, names[value], length)) {
            in->text += length;
            in->out->fortran_order = value;
            return GLNN_OK;
        }
    }
    return fail_text(in, "True or False");
}

static glnn_status read_size(reading *in, size_t *size)
{
    skip_blanks(in);
    const char *start = in->text;
    for (*size = 0; in->text < in->end && *in->text >= '0' && *in->text <= '9'; ++in->text) {
        size_t digit = (size_t)(*in->text - '0');
        if (*size > (SIZE_MAX - digit) / 10)
            return glnn__fail(GLNN_E_LIMIT,
                              "%s: dimension %d has a size of more than memory can address",
                              in->path, in->out->dimensions);
        *size = 10 * *size + digit;
    }
    if (in->text == start)
        return fail_text(in, "a size");
    if (*size == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: dimension %d has size zero", in->path,
                          in->out->dimensions);
    /* Python 2 wrote long integers this way. */
    in->text += in->text < in->end && *in->text == 'L';
    return GLNN_OK;
}

static glnn_status read_shape(reading *in)
{
    glnn__npy_header *out = in->out;
    GLNN__TRY(need(in, '(', "'('"));
    bool more = true;
    while (more && !take(in, ')')) {
        size_t size;
        GLNN__TRY(read_size(in, &size));
        if (out->dimensions == GLNN_NPY_MAX_DIMENSIONS)
            return glnn__fail(GLNN_E_FORMAT, "%s: has more than the %d dimensions that can be read",
                              in->path, GLNN_NPY_MAX_DIMENSIONS);
        out->size[out->dimensions++] = size;
        more = take(in, ',');
        if (!more)
            GLNN__TRY(need(in, ')', "',' or ')'"));
    }
    if (out->dimensions == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: has 0 dimensions, but 1 to %d can be read", in->path,
                          GLNN_NPY_MAX_DIMENSIONS);
    return GLNN_OK;
}

static const struct {
    const char *key;
    glnn_status (*read)(reading *in);
} entries[] = {{"descr", read_type}, {"fortran_order", read_order}, {"shape", read_shape}};

enum { ENTRIES = sizeof entries / sizeof *entries };

static glnn_status read_entry(reading *in, bool has[ENTRIES])
{
    word key;
    GLNN__TRY(read_word(in, "a key in quotes", &key));
    int entry = 0;
    while (entry < ENTRIES && strcmp(entries[entry].key, key.text) != 0)
        ++entry;
    if (entry == ENTRIES || has[entry])
        return glnn__fail(GLNN_E_FORMAT, "%s: the header has the key '%s' %s", in->path, key.text,
                          entry == ENTRIES ? "that the format does not know" : "twice");
    has[entry] = true;
    GLNN__TRY(need(in, ':', "':'"));
    return entries[entry].read(in);
}

static glnn_status read_dictionary(reading *in)
{
    bool has[ENTRIES] = {false}, more = true;
    GLNN__TRY(need(in, '{', "'{'"));
    while (more && !take(in, '}')) {
        GLNN__TRY(read_entry(in, has));
        more = take(in, ',');
        if (!more)
            GLNN__TRY(need(in, '}', "',' or '}'"));
    }
    for (int entry = 0; entry < ENTRIES; ++entry) {
        if (!has[entry])
            return glnn__fail(GLNN_E_FORMAT, "%s: the header lacks the key '%s'", in->path,
                              entries[entry].key);
    }
    skip_blanks(in);
    return in->text == in->end ? GLNN_OK : fail_text(in, "blanks");
}

glnn_status glnn__npy_header_read(const char *path, const unsigned char *bytes, size_t size,
                                  glnn__npy_header *out)
{
    if (size < MAGIC_SIZE + VERSION_SIZE)
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu bytes are too few for a .npy file", path, size);
    if (memcmp(bytes, magic, MAGIC_SIZE) != 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: does not start with 93 NUMPY, so it is not an .npy file", path);
    int version = bytes[MAGIC_SIZE], minor = bytes[MAGIC_SIZE + 1];
    if (version < 1 || version > 3 || minor != 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: has version %d.%d, but 1.0, 2.0 and 3.0 can be read",
                          path, version, minor);
    size_t start = MAGIC_SIZE + VERSION_SIZE, count_size = version == 1 ? 2 : 4;
    if (size - start < count_size)
        return glnn__fail(GLNN_E_FORMAT, "%s: ends inside the length of its header", path);
    size_t count = 0;
    for (size_t i = count_size; i-- > 0;)
        count = count << 8 | bytes[start + i];
    start += count_size;
    if (count > size - start)
        return glnn__fail(GLNN_E_FORMAT, "%s: promises a header of %zu bytes, but has %zu", path,
                          count, size - start);
    if (count > GLNN__NPY_MAX_DICTIONARY)
        return glnn__fail(GLNN_E_LIMIT, "%s: has a header of %zu bytes, but at most %d can be read",
                          path, count, GLNN__NPY_MAX_DICTIONARY);
    *out = (glnn__npy_header){.length = start + count};
    const char *text = (const char *)bytes + start;
    return read_dictionary(&(reading){path, text, text + count, out});
}

size_t glnn__npy_header_write(int rows, int columns, unsigned char *bytes)
{
    enum { START = MAGIC_SIZE + VERSION_SIZE + 2 };
    char text[GLNN__NPY_HEADER_CAPACITY];
    int used =
        snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }",
                 rows, columns);
    /* Blanks, and a line feed at the end. */
    size_t length = (START + (size_t)used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    uint16_t count = (uint16_t)(length - START);
    glnn__bytes_little_endian(&count, 1, sizeof count);
    memset(bytes, ' ', length);
    memcpy(bytes, magic, MAGIC_SIZE);
    bytes[MAGIC_SIZE] = 1;
    bytes[MAGIC_SIZE + 1] = 0;
    memcpy(bytes + MAGIC_SIZE + VERSION_SIZE, &count, sizeof count);
    memcpy(bytes + START, text, (size_t)used);
    bytes[length - 1] = '\n';
    return length;
}
