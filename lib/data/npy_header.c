#include "data/npy_header.h"

#include "base/status.h"

#include <stdint.h>
#include <string.h>

enum { MAGIC = 6, VERSION_1 = 10, VERSION_2 = 12 }; /* bytes before the dictionary */

/* The dictionary while it is read: a Python literal, of which NumPy writes a small part. */
typedef struct reading {
    const char *path;
    const char *next, *end;
    glnn__npy_header *out;
} reading;

static glnn_status refuse(const reading *in, const char *wanted)
{
    const long left = in->end - in->next;
    return glnn__fail(GLNN_E_FORMAT, "%s: the header has '%.*s' where %s should be", in->path,
                      (int)(left < 16 ? left : 16), in->next, wanted);
}

static void skip_space(reading *in)
{
    while (in->next < in->end && (*in->next == ' ' || *in->next == '\n' || *in->next == '\t'))
        ++in->next;
}

/* Takes a word, and the space before it, where it is there. */
static bool take(reading *in, const char *word)
{
    const size_t length = strlen(word);
    skip_space(in);
    if ((size_t)(in->end - in->next) < length || memcmp(in->next, word, length) != 0)
        return false;
    in->next += length;
    return true;
}

static glnn_status read_number(reading *in, size_t *value)
{
    skip_space(in);
    const char *start = in->next;
    *value = 0;
    for (; in->next < in->end && *in->next >= '0' && *in->next <= '9'; ++in->next) {
        const size_t digit = (size_t)(*in->next - '0');
        if (*value > (SIZE_MAX - digit) / 10)
            return glnn__fail(GLNN_E_LIMIT, "%s: a size in the header is larger than memory",
                              in->path);
        *value = 10 * *value + digit;
    }
    if (in->next == start)
        return refuse(in, "a number");
    take(in, "L"); /* as Python 2 wrote it */
    return GLNN_OK;
}

/* '<f4' */
static glnn_status read_descr(reading *in)
{
    const bool twice = take(in, "\"");
    if (!twice && !take(in, "'"))
        return refuse(in, "a simple type");
    if (in->end - in->next < 3 || !memchr("<>|", *in->next, 3))
        return refuse(in, "a byte order");
    in->out->order = *in->next++;
    in->out->kind = *in->next++;
    size_t width;
    GLNN__TRY(read_number(in, &width));
    if (width < 1 || width > INT32_MAX)
        return glnn__fail(GLNN_E_FORMAT, "%s: elements of %zu bytes", in->path, width);
    in->out->width = (int)width;
    return take(in, twice ? "\"" : "'") ? GLNN_OK : refuse(in, "the end of the type");
}

static glnn_status read_order(reading *in)
{
    in->out->fortran_order = take(in, "True");
    return in->out->fortran_order || take(in, "False") ? GLNN_OK : refuse(in, "True or False");
}

/* (), (3,) or (3, 4) */
static glnn_status read_shape(reading *in)
{
    glnn__npy_header *out = in->out;
    if (!take(in, "("))
        return refuse(in, "a shape");
    for (out->dimensions = 0; !take(in, ")"); ++out->dimensions) {
        if (out->dimensions == GLNN__NPY_MAX_DIMENSIONS)
            return glnn__fail(GLNN_E_LIMIT, "%s: more than %d dimensions", in->path,
                              GLNN__NPY_MAX_DIMENSIONS);
        GLNN__TRY(read_number(in, &out->size[out->dimensions]));
        if (!take(in, ",") && (skip_space(in), in->next == in->end || *in->next != ')'))
            return refuse(in, "a comma");
    }
    return GLNN_OK;
}

static glnn_status read_dictionary(reading *in)
{
    static const struct {
        const char *key;
        glnn_status (*read)(reading *in);
    } entries[] = {{"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};
    enum { ENTRIES = sizeof entries / sizeof *entries };
    bool seen[ENTRIES] = {false};
    if (!take(in, "{"))
        return refuse(in, "'{'");
    while (!take(in, "}")) {
        int e = 0;
        if (!take(in, "'") && !take(in, "\""))
            return refuse(in, "a key");
        while (e < ENTRIES && (seen[e] || !take(in, entries[e].key)))
            ++e;
        if (e == ENTRIES)
            return refuse(in, "descr, fortran_order or shape, each once,");
        seen[e] = true;
        if ((!take(in, "'") && !take(in, "\"")) || !take(in, ":"))
            return refuse(in, "':'");
        GLNN__TRY(entries[e].read(in));
        if (!take(in, ",") && (skip_space(in), in->next == in->end || *in->next != '}'))
            return refuse(in, "a comma");
    }
    for (int e = 0; e < ENTRIES; ++e)
        if (!seen[e])
            return glnn__fail(GLNN_E_FORMAT, "%s: the header has no %s", in->path, entries[e].key);
    skip_space(in);
    return in->next == in->end ? GLNN_OK : refuse(in, "the end");
}

static glnn_status count_elements(const char *path, glnn__npy_header *out)
{
    const size_t limit = ((size_t)PTRDIFF_MAX - out->offset) / (size_t)out->width;
    out->elements = 1;
    for (int d = 0; d < out->dimensions; ++d)
        if (out->size[d] == 0)
            out->elements = 0;
    for (int d = 0; d < out->dimensions && out->elements > 0; ++d) {
        if (out->size[d] > limit / out->elements)
            return glnn__fail(GLNN_E_LIMIT,
                              "%s: %zu rows of elements of %d bytes are more than memory can "
                              "address",
                              path, out->size[0], out->width);
        out->elements *= out->size[d];
    }
    return GLNN_OK;
}

glnn_status glnn__npy_header_parse(const char *path, const unsigned char *bytes, size_t size,
                                   glnn__npy_header *out)
{
    static const unsigned char magic[MAGIC] = "\x93NUMPY";
    *out = (glnn__npy_header){0};
    if (size < VERSION_2 || memcmp(bytes, magic, MAGIC) != 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: does not start as a .npy file does", path);
    const unsigned version = bytes[MAGIC];
    if (version < 1 || version > 3)
        return glnn__fail(GLNN_E_FORMAT, "%s: version %u of the .npy format, not 1 to 3", path,
                          version);
    size_t start = VERSION_1, length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (version > 1) {
        start = VERSION_2;
        length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    }
    if (length > size - start)
        return glnn__fail(GLNN_E_FORMAT, "%s: a header of %zu bytes is promised, the file has %zu",
                          path, length, size);
    const char *text = (const char *)bytes + start;
    reading in = {.path = path, .next = text, .end = text + length, .out = out};
    out->offset = start + length;
    GLNN__TRY(read_dictionary(&in));
    return count_elements(path, out);
}
