#include "io/npy_header.h"

#include "base/names.h"
#include "io/bytes.h"
#include "io/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";

enum {
    MAGIC_SIZE = sizeof magic - 1,
    VERSION_SIZE = 2,
    MAX_DICTIONARY = 65535, /* bytes that are read at most */
    ALIGNMENT = 64          /* of the elements in a file that is written */
};

static const char *const type_names[] = {
    [GLNN_NPY_BOOL] = "b1",    [GLNN_NPY_INT8] = "i1",    [GLNN_NPY_INT16] = "i2",
    [GLNN_NPY_INT32] = "i4",   [GLNN_NPY_INT64] = "i8",   [GLNN_NPY_UINT8] = "u1",
    [GLNN_NPY_UINT16] = "u2",  [GLNN_NPY_UINT32] = "u4",  [GLNN_NPY_UINT64] = "u8",
    [GLNN_NPY_FLOAT32] = "f4", [GLNN_NPY_FLOAT64] = "f8",
};

GLNN__DEFINE_NAMES(glnn_npy_type, type_names)

/* The digit of a type's name is its width. */
size_t glnn__npy_width(glnn_npy_type type)
{
    return (unsigned)type < GLNN_NPY_TYPE_COUNT ? (size_t)(type_names[type][1] - '0') : 0;
}

static glnn_status read_type(glnn__scan *in, glnn__npy_header *out)
{
    char *name;
    if (glnn__scan_next(in) == '[')
        return glnn__fail(GLNN_E_FORMAT, "%s: holds records; only arrays of numbers can be read",
                          in->path);
    GLNN__TRY(glnn__scan_text(in, "a type in quotes", &name));
    const bool has_order = name[0] == '<' || name[0] == '>';
    for (unsigned type = 0; type < GLNN_NPY_TYPE_COUNT; ++type) {
        const bool needs_none = name[0] == '|' && glnn__npy_width((glnn_npy_type)type) == 1;
        if ((has_order || needs_none) && strcmp(name + 1, type_names[type]) == 0) {
            out->type = (glnn_npy_type)type;
            out->big_endian = name[0] == '>';
            return GLNN_OK;
        }
    }
    return glnn__fail(
        GLNN_E_FORMAT,
        "%s: holds elements of type '%.40s'; b1, i1 to i8, u1 to u8, f4 and f8 can be read, "
        "after '<' or '>'",
        in->path, name);
}

static glnn_status read_order(glnn__scan *in, glnn__npy_header *out)
{
    out->fortran_order = glnn__scan_take(in, "True");
    return out->fortran_order || glnn__scan_take(in, "False")
               ? GLNN_OK
               : glnn__scan_fail(in, "True or False");
}

static glnn_status read_size(glnn__scan *in, void *context)
{
    glnn__npy_header *out = context;
    size_t size;
    if (!glnn__scan_count(in, &size))
        return glnn__scan_fail(in, "a size");
    if (size == SIZE_MAX)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: the size of dimension %d is more than memory can address", in->path,
                          out->dimensions);
    if (size == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the size of dimension %d is 0", in->path,
                          out->dimensions);
    if (out->dimensions == GLNN_NPY_MAX_DIMENSIONS)
        return glnn__fail(GLNN_E_FORMAT, "%s: has more than %d dimensions, which cannot be read",
                          in->path, GLNN_NPY_MAX_DIMENSIONS);
    out->shape[out->dimensions++] = size;
    glnn__scan_take(in, "L"); /* Python 2 wrote long integers this way */
    return GLNN_OK;
}

static glnn_status read_shape(glnn__scan *in, glnn__npy_header *out)
{
    GLNN__TRY(glnn__scan_list(in, "()", read_size, out));
    if (out->dimensions == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: has 0 dimensions; 1 to %d can be read", in->path,
                          GLNN_NPY_MAX_DIMENSIONS);
    return GLNN_OK;
}

static const struct {
    const char *key;
    glnn_status (*read)(glnn__scan *in, glnn__npy_header *out);
} entries[] = {{"descr", read_type}, {"fortran_order", read_order}, {"shape", read_shape}};

enum { ENTRIES = sizeof entries / sizeof *entries };

/* The dictionary while it is read. */
typedef struct reading {
    glnn__npy_header *out;
    bool has[ENTRIES];
} reading;

static glnn_status read_entry(glnn__scan *in, void *context)
{
    reading *of = context;
    char *key;
    int entry = 0;
    GLNN__TRY(glnn__scan_text(in, "a key in quotes", &key));
    while (entry < ENTRIES && strcmp(entries[entry].key, key) != 0)
        ++entry;
    if (entry == ENTRIES || of->has[entry])
        return glnn__fail(GLNN_E_FORMAT, "%s: the header has the key '%.40s'%s", in->path, key,
                          entry == ENTRIES ? ", which the format does not have" : " twice");
    of->has[entry] = true;
    GLNN__TRY(glnn__scan_need(in, ":"));
    return entries[entry].read(in, of->out);
}

static glnn_status read_dictionary(const char *path, char *text, size_t size, glnn__npy_header *out)
{
    glnn__scan in = {.path = path,
                     .language = "a Python dictionary",
                     .quotes = "'\"",
                     .takes_last_comma = true,
                     .start = text,
                     .next = text,
                     .end = text + size};
    reading of = {.out = out};
    GLNN__TRY(glnn__scan_list(&in, "{}", read_entry, &of));
    for (int entry = 0; entry < ENTRIES; ++entry)
        if (!of.has[entry])
            return glnn__fail(GLNN_E_FORMAT, "%s: the header lacks the key '%s'", path,
                              entries[entry].key);
    glnn__scan_next(&in);
    return in.next == in.end ? GLNN_OK : glnn__scan_fail(&in, "blanks");
}

/* Reads everything up to the dictionary, whose length is *count. */
static glnn_status read_start(glnn__content *content, size_t *count)
{
    const char *path = content->path;
    unsigned char start[MAGIC_SIZE + VERSION_SIZE], length[4];
    size_t got;
    GLNN__TRY(glnn__content_read(content, start, sizeof start, &got));
    if (got < sizeof start)
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu bytes are too few for a .npy file", path, got);
    if (memcmp(start, magic, MAGIC_SIZE) != 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: does not begin with 93 NUMPY, so it is not an .npy file", path);
    const int version = start[MAGIC_SIZE], minor = start[MAGIC_SIZE + 1];
    if (version < 1 || version > 3 || minor != 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: has version %d.%d; 1.0, 2.0 and 3.0 can be read",
                          path, version, minor);
    const size_t size = version == 1 ? 2 : 4;
    GLNN__TRY(glnn__content_read(content, length, size, &got));
    if (got < size)
        return glnn__fail(GLNN_E_FORMAT, "%s: ends within the length of its header", path);
    for (size_t i = size; i-- > 0;)
        *count = *count << 8 | length[i];
    return GLNN_OK;
}

glnn_status glnn__npy_header_read(glnn__content *content, glnn__npy_header *out)
{
    const char *path = content->path;
    size_t count = 0, got = 0;
    GLNN__TRY(read_start(content, &count));
    if (count > content->file_size && !content->is_packed)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the header should have %zu bytes, but the file has %zu", path, count,
                          content->file_size);
    if (count > MAX_DICTIONARY)
        return glnn__fail(GLNN_E_LIMIT, "%s: the header has %zu bytes; at most %d can be read",
                          path, count, MAX_DICTIONARY);
    char *text = malloc(count + 1);
    if (!text)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a header of %zu bytes", path, count);
    glnn_status status = glnn__content_read(content, text, count, &got);
    if (!status && got < count)
        status = glnn__fail(GLNN_E_FORMAT, "%s: the header should have %zu bytes, but has %zu",
                            path, count, got);
    *out = (glnn__npy_header){.length = content->given};
    if (!status)
        status = read_dictionary(path, text, count, out);
    free(text);
    return status;
}

size_t glnn__npy_header_write(int64_t rows, int columns, unsigned char *bytes)
{
    enum { START = MAGIC_SIZE + VERSION_SIZE + 2 };
    char text[GLNN__NPY_HEADER_CAPACITY];
    int used = snprintf(text, sizeof text,
                        "{'descr': '<f4', 'fortran_order': False, 'shape': (%" PRId64 ", %d), }",
                        rows, columns);
    /* The format pads the header with blanks and ends it with a line feed. */
    size_t length = (START + (size_t)used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    uint16_t count = (uint16_t)(length - START);
    glnn__bytes_order(&count, 1, sizeof count, false);
    memset(bytes, ' ', length);
    memcpy(bytes, magic, MAGIC_SIZE);
    bytes[MAGIC_SIZE] = 1;
    bytes[MAGIC_SIZE + 1] = 0;
    memcpy(bytes + MAGIC_SIZE + VERSION_SIZE, &count, sizeof count);
    memcpy(bytes + START, text, (size_t)used);
    bytes[length - 1] = '\n';
    return length;
}
