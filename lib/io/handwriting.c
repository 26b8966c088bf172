#include <glnn/handwriting.h>

#include "base/converter.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/string.h"
#include "io/bytes.h"
#include "io/listing.h"
#include "io/table/names.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PICTURE_HEADER = 10,  /* bytes of a record before its pixels              */
    PICTURE_SIDE = 4096,  /* pixels                                           */
    FEATURE_HEADER = 62,  /* bytes of a header without its illustration       */
    FEATURE_HEAD = 12,    /* of these, before the illustration                */
    FEATURE_NUMBERS = 50, /* of these, after it                               */
    USUAL_SIDE = 64,
    MOST_SIDE = 1024
};

/* A type of numbers in .mpf files. */
typedef struct number_type {
    const char *name;
    size_t width;
    double (*get)(const void *bytes);
} number_type;

#define DEFINE_GET(name, type)                                                                     \
    static double name(const void *bytes)                                                          \
    {                                                                                              \
        type value;                                                                                \
        memcpy(&value, bytes, sizeof value);                                                       \
        return (double)value;                                                                      \
    }

DEFINE_GET(get_uint8, uint8_t)
DEFINE_GET(get_int8, int8_t)
DEFINE_GET(get_int16, int16_t)
DEFINE_GET(get_int32, int32_t)
DEFINE_GET(get_float, float)
DEFINE_GET(get_double, double)

static const number_type types[] = {
    {"unsigned char", 1, get_uint8}, {"char", 1, get_int8},   {"short", 2, get_int16},
    {"int", 4, get_int32},           {"float", 4, get_float}, {"double", 8, get_double},
};

typedef struct record {
    uint64_t offset; /* in its file                                          */
    uint32_t code;   /* the first byte is the highest one; zeros follow      */
    uint32_t size;   /* bytes                                                */
} record;

typedef struct character_file {
    char *path;
    int64_t first;           /* its first record                              */
    const number_type *type; /* NULL: pictures                                */
    int code_bytes;          /* before the numbers                            */
} character_file;

struct glnn_handwriting_files {
    size_t count;
    character_file *of;
    record *records;
    uint32_t *codes; /* of the classes, sorted */
};

/* A set that is being opened. */
typedef struct opening {
    glnn_handwriting set;
    glnn_handwriting_files files;
    size_t capacity; /* records */
} opening;

/* An open file of a set. */
typedef struct reading {
    const char *path;
    int file;
    size_t size;
} reading;

/* ---- Bytes */

static uint32_t get_little(const unsigned char *bytes, int count)
{
    uint32_t value = 0;
    for (int i = count - 1; i >= 0; --i)
        value = value << 8 | bytes[i];
    return value;
}

static uint32_t code_of(const unsigned char *bytes, int count)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i)
        code = code << 8 | (i < count ? bytes[i] : 0u);
    return code;
}

/* Reads bytes that the file has. */
static glnn_status read_bytes(const reading *in, uint64_t offset, void *to, size_t size)
{
    size_t got;
    GLNN__TRY(glnn__file_read_up_to(in->file, in->path, (size_t)offset, size, to, &got));
    return got == size
               ? GLNN_OK
               : glnn__fail(GLNN_E_IO, "%s: cannot be read: it has become shorter", in->path);
}

static glnn_status add_record(opening *o, const char *path, record added)
{
    const size_t count = (size_t)o->set.samples;
    if (!glnn__memory_grow(&o->files.records, count, &o->capacity, sizeof added))
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the places of %zu characters", path,
                          count + 1);
    o->files.records[count] = added;
    ++o->set.samples;
    return GLNN_OK;
}

/* ---- Pictures */

static glnn_status check_picture(const reading *in, int64_t number, uint64_t offset,
                                 const unsigned char header[PICTURE_HEADER])
{
    const uint32_t size = get_little(header, 4);
    const uint32_t width = get_little(header + 6, 2), height = get_little(header + 8, 2);
    const uint64_t left = in->size - offset;
    if (width == 0 || height == 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: record %" PRId64 " at byte %" PRIu64 " has a picture of %" PRIu32
                          " x %" PRIu32 " pixels; both sides have to be at least 1",
                          in->path, number, offset, width, height);
    if ((uint64_t)width * height + PICTURE_HEADER != size)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: record %" PRId64 " at byte %" PRIu64 " has %" PRIu32
                          " bytes and a picture of %" PRIu32 " x %" PRIu32
                          " pixels; it should have 10 bytes and one for each pixel",
                          in->path, number, offset, size, width, height);
    if (width > PICTURE_SIDE || height > PICTURE_SIDE)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: record %" PRId64 " has a picture of %" PRIu32 " x %" PRIu32
                          " pixels; at most %d x %d can be read",
                          in->path, number, width, height, PICTURE_SIDE, PICTURE_SIDE);
    if (size > left)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: record %" PRId64 " at byte %" PRIu64 " has %" PRIu32
                          " bytes, but the file ends after %" PRIu64 " of them",
                          in->path, number, offset, size, left);
    return GLNN_OK;
}

static glnn_status scan_pictures(opening *o, const reading *in)
{
    unsigned char header[PICTURE_HEADER];
    uint64_t offset = 0;
    for (int64_t number = 0; offset < in->size; ++number) {
        if (in->size - offset < sizeof header)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: record %" PRId64 " at byte %" PRIu64 " has %" PRIu64
                              " bytes; a record has at least 11",
                              in->path, number, offset, in->size - offset);
        GLNN__TRY(read_bytes(in, offset, header, sizeof header));
        GLNN__TRY(check_picture(in, number, offset, header));
        const record found = {offset, code_of(header + 4, 2), get_little(header, 4)};
        GLNN__TRY(add_record(o, in->path, found));
        offset += found.size;
    }
    return GLNN_OK;
}

/* Resamples a line of pixels with weights that fall linearly from the place of each new pixel. */
static void resample(int count, const float *from, int from_stride, int wanted, float *to,
                     int to_stride)
{
    const float scale = (float)count / (float)wanted, reach = scale > 1 ? scale : 1;
    for (int i = 0; i < wanted; ++i) {
        const float place = ((float)i + 0.5f) * scale - 0.5f;
        const int begin = (int)fmaxf(ceilf(place - reach), 0);
        const int end = (int)fminf(floorf(place + reach), (float)(count - 1));
        float sum = 0, weights = 0;
        for (int j = begin; j <= end; ++j) {
            const float weight = 1 - fabsf((float)j - place) / reach;
            sum += weight * from[j * from_stride];
            weights += weight;
        }
        to[i * to_stride] = sum / weights;
    }
}

/* The pixels that a side of the picture takes. */
static int fit(int side, int length, int longer)
{
    const int fitted = (2 * side * length + longer) / (2 * longer);
    return fitted > 0 ? fitted : 1;
}

/* `room` has a line of the picture and then all its lines, as wide as in the image. */
static void draw(int width, int height, const unsigned char *pixels, int side, float *room,
                 float *image)
{
    const int longer = width > height ? width : height;
    const int across = fit(side, width, longer), down = fit(side, height, longer);
    float *lines = room + width;
    float *corner = image + (side - down) / 2 * side + (side - across) / 2;
    memset(image, 0, (size_t)side * (size_t)side * sizeof *image);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            room[x] = (float)(255 - pixels[y * width + x]) / 255;
        resample(width, room, 1, across, lines + y * across, 1);
    }
    for (int x = 0; x < across; ++x)
        resample(height, lines + x, across, down, corner + x, side);
}

static glnn_status make_image(const character_file *of, int64_t number, const record *from,
                              const unsigned char *bytes, int side, float *out)
{
    const int width = (int)get_little(bytes + 6, 2), height = (int)get_little(bytes + 8, 2);
    if (get_little(bytes, 4) != from->size ||
        (uint64_t)width * (uint64_t)height + PICTURE_HEADER != from->size)
        return glnn__fail(GLNN_E_FORMAT, "%s: record %" PRId64 " has changed since it was opened",
                          of->path, number - of->first);
    float *room = malloc(((size_t)width + (size_t)height * (size_t)side) * sizeof *room);
    if (!room)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a picture of %d x %d pixels", of->path,
                          width, height);
    draw(width, height, bytes + PICTURE_HEADER, side, room, out);
    free(room);
    return GLNN_OK;
}

/* ---- Features */

static const number_type *find_type(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

/* The numbers of a header. */
typedef struct feature_header {
    uint32_t bytes, code_bytes, samples, features;
    const number_type *type;
} feature_header;

static glnn_status check_features(const reading *in, const feature_header *h)
{
    if (h->code_bytes < 1 || h->code_bytes > 4)
        return glnn__fail(GLNN_E_FORMAT, "%s: codes have %" PRIu32 " bytes; 1 to 4 can be read",
                          in->path, h->code_bytes);
    if (h->samples < 1 || h->samples > INT32_MAX || h->features < 1 || h->features > INT32_MAX / 8)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: has %" PRIu32 " characters of %" PRIu32
                          " numbers; the numbers of both have to be from 1 to %" PRId32
                          " and from 1 to %" PRId32,
                          in->path, h->samples, h->features, INT32_MAX, INT32_MAX / 8);
    const uint64_t each = h->code_bytes + (uint64_t)h->features * h->type->width;
    const uint64_t left = in->size - h->bytes;
    if (left / each != h->samples || left % each != 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: has %" PRIu32 " characters of %" PRIu64
                          " bytes, but after the header of %" PRIu32 " bytes there are %" PRIu64,
                          in->path, h->samples, each, h->bytes, left);
    return GLNN_OK;
}

static glnn_status read_header(const reading *in, feature_header *out)
{
    unsigned char head[FEATURE_HEAD], numbers[FEATURE_NUMBERS];
    char type[21] = "";
    if (in->size < FEATURE_HEADER)
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu bytes are too few for a header of %d", in->path,
                          in->size, FEATURE_HEADER);
    GLNN__TRY(read_bytes(in, 0, head, sizeof head));
    out->bytes = get_little(head, 4);
    if (memcmp(head + 4, "MPF", 4) != 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: lacks the word MPF at byte 4", in->path);
    if (out->bytes < FEATURE_HEADER || out->bytes > in->size)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the header should have %" PRIu32
                          " bytes, but it has at least %d, and the file has %zu",
                          in->path, out->bytes, FEATURE_HEADER, in->size);
    GLNN__TRY(read_bytes(in, out->bytes - FEATURE_NUMBERS, numbers, sizeof numbers));
    memcpy(type, numbers + 22, 20);
    out->type = find_type(type);
    out->code_bytes = get_little(numbers + 20, 2);
    out->samples = get_little(numbers + 42, 4);
    out->features = get_little(numbers + 46, 4);
    if (!out->type)
        return glnn__fail(
            GLNN_E_FORMAT,
            "%s: the numbers have the type '%s', not unsigned char, char, short, int, "
            "float or double",
            in->path, type);
    return check_features(in, out);
}

static glnn_status scan_features(opening *o, const reading *in, character_file *of)
{
    feature_header header = {0};
    unsigned char code[4];
    GLNN__TRY(read_header(in, &header));
    if (o->set.samples > 0 && (uint32_t)o->set.features != header.features)
        return glnn__fail(GLNN_E_FORMAT, "%s: %" PRIu32 " numbers of each character, but %s has %d",
                          in->path, header.features, o->files.of[0].path, o->set.features);
    o->set.features = (int)header.features;
    of->type = header.type;
    of->code_bytes = (int)header.code_bytes;
    record found = {header.bytes, 0,
                    header.code_bytes + header.features * (uint32_t)header.type->width};
    for (uint32_t i = 0; i < header.samples; ++i, found.offset += found.size) {
        GLNN__TRY(read_bytes(in, found.offset, code, header.code_bytes));
        found.code = code_of(code, (int)header.code_bytes);
        GLNN__TRY(add_record(o, in->path, found));
    }
    return GLNN_OK;
}

static glnn_status take_features(const character_file *of, int64_t number, unsigned char *bytes,
                                 int features, float *out)
{
    const size_t width = of->type->width;
    unsigned char *numbers = bytes + of->code_bytes;
    glnn__bytes_order(numbers, (size_t)features, width, false);
    for (int i = 0; i < features; ++i) {
        out[i] = (float)of->type->get(numbers + (size_t)i * width);
        if (!isfinite(out[i]))
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: record %" PRId64 ": number %d is not finite in 32 bits",
                              of->path, number - of->first, i);
    }
    return GLNN_OK;
}

/* ---- Classes */

/* The code as a text of bytes, as hexadecimal digits. */
static void print_code(uint32_t code, char name[16])
{
    int digits = 8;
    while (digits > 2 && (code & 0xff) == 0) {
        code >>= 8;
        digits -= 2;
    }
    snprintf(name, 16, "%0*" PRIX32, digits, code);
}

/* The character of a code in UTF-8; false: there is none. */
static bool convert(glnn__converter *converter, uint32_t code, char name[16])
{
    char bytes[4];
    size_t length = 0;
    for (uint32_t left = code; left != 0; left <<= 8)
        bytes[length++] = (char)(left >> 24);
    return converter && length > 0 && glnn__converter_run(converter, bytes, length, name, 16) &&
           (unsigned char)name[0] > ' ' && name[0] != 0x7f;
}

static int compare_codes(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* The different codes, sorted; NULL if memory ran out. */
static uint32_t *list_codes(const opening *o, int *count)
{
    const size_t samples = (size_t)o->set.samples;
    uint32_t *codes = malloc(samples * sizeof *codes);
    if (!codes)
        return NULL;
    for (size_t i = 0; i < samples; ++i)
        codes[i] = o->files.records[i].code;
    qsort(codes, samples, sizeof *codes, compare_codes);
    size_t different = 0;
    for (size_t i = 0; i < samples; ++i)
        if (different == 0 || codes[i] != codes[different - 1])
            codes[different++] = codes[i];
    *count = different < INT_MAX ? (int)different : INT_MAX;
    return codes;
}

static bool name_classes(glnn_handwriting *set, const uint32_t *codes, int count)
{
    char name[16];
    glnn__converter *converter;
    bool done = glnn__converter_create("GB18030", &converter);
    set->class_names = calloc((size_t)count, sizeof *set->class_names);
    done = done && set->class_names;
    for (set->classes = 0; done && set->classes < count; ++set->classes) {
        if (!convert(converter, codes[set->classes], name))
            print_code(codes[set->classes], name);
        done = (set->class_names[set->classes] = glnn__string_copy(name)) != NULL;
    }
    glnn__converter_destroy(converter);
    return done;
}

/* The file of a record. */
static const character_file *file_of(const glnn_handwriting_files *files, int64_t number)
{
    size_t low = 0, high = files->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (files->of[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return &files->of[low];
}

static glnn_status fail_memory(const opening *o)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the classes of %" PRId64 " characters",
                      o->files.of[0].path, o->set.samples);
}

static glnn_status fail_unknown(const opening *o, int64_t number)
{
    const character_file *of = file_of(&o->files, number);
    char name[16];
    print_code(o->files.records[number].code, name);
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: record %" PRId64
                      " has the code %s, which the set that this one is like lacks",
                      of->path, number - of->first, name);
}

static glnn_status label_all(opening *o)
{
    const uint32_t *codes = o->files.codes;
    o->set.labels = malloc((size_t)o->set.samples * sizeof *o->set.labels);
    if (!o->set.labels)
        return fail_memory(o);
    for (int64_t i = 0; i < o->set.samples; ++i) {
        const uint32_t *found = bsearch(&o->files.records[i].code, codes, (size_t)o->set.classes,
                                        sizeof *codes, compare_codes);
        if (!found)
            return fail_unknown(o, i);
        o->set.labels[i] = (int)(found - codes);
    }
    return GLNN_OK;
}

static glnn_status make_classes(opening *o)
{
    int count = 0;
    o->files.codes = list_codes(o, &count);
    if (!o->files.codes || !name_classes(&o->set, o->files.codes, count))
        return fail_memory(o);
    return label_all(o);
}

static glnn_status take_classes(opening *o, const glnn_handwriting *like)
{
    const size_t size = (size_t)like->classes * sizeof *o->files.codes;
    if (like->features != o->set.features)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %d numbers of each character, but the set that this one is like has "
                          "%d",
                          o->files.of[0].path, o->set.features, like->features);
    o->files.codes = malloc(size);
    o->set.classes = like->classes;
    if (!o->files.codes || !glnn__names_copy(like->class_names, like->classes, &o->set.class_names))
        return fail_memory(o);
    memcpy(o->files.codes, like->files->codes, size);
    return label_all(o);
}

/* ---- Opening */

static bool is_pictures(const char *path)
{
    return glnn__string_ends(path, ".gnt");
}

static bool is_listed(const char *path, const char *name)
{
    return (is_pictures(name) || glnn__string_ends(name, ".mpf")) && glnn__may_be_file(path);
}

static glnn_status scan(opening *o, const reading *in, character_file *of)
{
    if (in->size == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the file is empty", in->path);
    if (is_pictures(in->path) != is_pictures(o->files.of[0].path))
        return glnn__fail(GLNN_E_FORMAT, "%s and %s have different formats; a set has only one",
                          o->files.of[0].path, in->path);
    return is_pictures(in->path) ? scan_pictures(o, in) : scan_features(o, in, of);
}

/* Takes over the path. */
static glnn_status add_file(opening *o, const char *folder, char *path)
{
    reading in = {.path = path};
    if (!path)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the names of its files", folder);
    character_file *of = &o->files.of[o->files.count++];
    *of = (character_file){.path = path, .first = o->set.samples};
    GLNN__TRY(glnn__file_open_regular(path, &in.file, &in.size));
    const glnn_status status = scan(o, &in, of);
    glnn__file_close(in.file);
    return status;
}

static glnn_status add_folder(opening *o, const char *path, const glnn__listing *names)
{
    if (names->count == 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the folder must have files whose names end in .gnt or .mpf", path);
    o->files.of = calloc(names->count, sizeof *o->files.of);
    if (!o->files.of)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu files", path, names->count);
    for (size_t i = 0; i < names->count; ++i)
        GLNN__TRY(add_file(o, path, glnn__path_join(path, names->names[i])));
    return GLNN_OK;
}

static glnn_status add_all(opening *o, const char *path)
{
    glnn__listing names = {0};
    if (!glnn__may_be_folder(path)) {
        if (!is_pictures(path) && !glnn__string_ends(path, ".mpf"))
            return glnn__fail(GLNN_E_ARG, "%s: the name must end in .gnt or .mpf, or be a folder",
                              path);
        o->files.of = calloc(1, sizeof *o->files.of);
        return add_file(o, path, o->files.of ? glnn__string_copy(path) : NULL);
    }
    glnn_status status = glnn__listing_make(path, is_listed, &names);
    if (!status)
        status = add_folder(o, path, &names);
    glnn__listing_free(&names);
    return status;
}

static glnn_status open_all(opening *o, const char *path, int side, const glnn_handwriting *like)
{
    if (like && !like->files)
        return glnn__fail(GLNN_E_ARG, "`like` is not open");
    if (side < 0)
        return glnn__fail(GLNN_E_ARG, "`side` is %d; it must not be negative", side);
    if (side > MOST_SIDE)
        return glnn__fail(GLNN_E_LIMIT, "`side` is %d; it may be at most %d", side, MOST_SIDE);
    if (!*path)
        return glnn__fail(GLNN_E_ARG, "the path is empty");
    GLNN__TRY(add_all(o, path));
    if (is_pictures(o->files.of[0].path)) {
        o->set.side = side > 0 ? side : like && like->side > 0 ? like->side : USUAL_SIDE;
        o->set.features = o->set.side * o->set.side;
    }
    GLNN__TRY(like ? take_classes(o, like) : make_classes(o));
    o->set.files = malloc(sizeof *o->set.files);
    if (!o->set.files)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for its files", path);
    *o->set.files = o->files;
    return GLNN_OK;
}

static void free_files(glnn_handwriting_files *files)
{
    for (size_t i = 0; i < files->count; ++i)
        free(files->of[i].path);
    free(files->of);
    free(files->records);
    free(files->codes);
}

static void free_arrays(glnn_handwriting *set)
{
    free(set->labels);
    glnn__names_free(set->class_names, set->classes);
}

glnn_status glnn_handwriting_open(const char *path, int side, const glnn_handwriting *like,
                                  glnn_handwriting *out)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_handwriting, files, out));
    opening o = {.set.size = sizeof o.set};
    glnn__sized_fill(out, &o.set, sizeof o.set);
    const glnn_status status = open_all(&o, path, side, like);
    if (status) {
        free_files(&o.files);
        free_arrays(&o.set);
        o.set = (glnn_handwriting){.size = sizeof o.set};
    }
    glnn__sized_fill(out, &o.set, sizeof o.set);
    return glnn__fail_in(__func__, status);
}

void glnn_handwriting_close(glnn_handwriting *set)
{
    if (!set)
        return;
    if (set->files)
        free_files(set->files);
    free(set->files);
    free_arrays(set);
    glnn__sized_fill(set, &(glnn_handwriting){0}, sizeof *set);
}

/* ---- Reading */

/* Reads records of one file, up to `end`. The bytes grow with the records. */
static glnn_status read_records(const glnn_handwriting *set, const character_file *of,
                                int64_t first, int64_t end, float *out)
{
    reading in = {.path = of->path};
    unsigned char *bytes = NULL;
    size_t room = 0;
    GLNN__TRY(glnn__file_open_regular(of->path, &in.file, &in.size));
    glnn_status status = GLNN_OK;
    for (int64_t i = first; i < end && !status; ++i, out += set->features) {
        const record *from = &set->files->records[i];
        if (from->size > room) {
            free(bytes);
            bytes = malloc(room = from->size);
        }
        status = bytes ? read_bytes(&in, from->offset, bytes, from->size)
                       : glnn__fail(GLNN_E_NOMEM, "%s: no memory for a record of %" PRIu32 " bytes",
                                    of->path, from->size);
        if (!status)
            status = of->type ? take_features(of, i, bytes, set->features, out)
                              : make_image(of, i, from, bytes, set->side, out);
    }
    free(bytes);
    glnn__file_close(in.file);
    return status;
}

static glnn_status read_range(const glnn_handwriting *set, int64_t first, int64_t count,
                              float *inputs)
{
    const glnn_handwriting_files *files = set->files;
    if (!files)
        return glnn__fail(GLNN_E_ARG, "the set is not open");
    if (first < 0 || count < 0 || first > set->samples - count)
        return glnn__fail(GLNN_E_ARG,
                          "%" PRId64 " characters from %" PRId64
                          " on were asked for, but the set has %" PRId64,
                          count, first, set->samples);
    for (int64_t i = first; i < first + count;) {
        const character_file *of = file_of(files, i);
        const bool is_last = of == &files->of[files->count - 1];
        int64_t end = is_last ? set->samples : of[1].first;
        end = end < first + count ? end : first + count;
        GLNN__TRY(read_records(set, of, i, end, inputs + (i - first) * set->features));
        i = end;
    }
    return GLNN_OK;
}

glnn_status glnn_handwriting_read(const glnn_handwriting *set, int64_t first, int64_t count,
                                  float *inputs)
{
    GLNN__NOT_NULL(set);
    GLNN__NOT_NULL(inputs);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_handwriting, files, set));
    return glnn__fail_in(__func__, read_range(set, first, count, inputs));
}
