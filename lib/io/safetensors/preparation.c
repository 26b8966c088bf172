#include "io/safetensors/preparation.h"

#include "base/digits.h"
#include "base/names.h"
#include "base/status.h"
#include "base/string.h"
#include "io/growing_text.h"
#include "io/preparation.h"
#include "io/table/columns.h"
#include "io/table/names.h"
#include "io/table/number.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY(name) "glnn.preparation." name

#define COUNT(key, member)                                                                         \
    {                                                                                              \
        KEY(key), .offset = offsetof(glnn_preparation, member), .kept = GLNN__IN_FILES             \
    }
static const glnn__field count_list[] = {
    {KEY("features"), .offset = offsetof(glnn_preparation, columns.features),
     .kept = GLNN__IN_FILES, .least = 1},
    {KEY("columns"), .offset = offsetof(glnn_preparation, columns.count), .kept = GLNN__IN_FILES},
    {KEY("feature_columns"), .offset = offsetof(glnn_preparation, columns.feature_columns),
     .kept = GLNN__IN_FILES},
    COUNT("targets", columns.targets),
    COUNT("dropped", columns.dropped),
    COUNT("components", components),
    COUNT("classes", columns.classes),
};

static const glnn__fields counts = GLNN__FIELDS(count_list);

/* ---- Columns
 *
 * The members of all columns that are numbers are lists, with a blank after each number. */

/* A member of a column in lists. */
typedef struct member {
    const char *key;
    size_t offset;
    const glnn__names *names; /* of an enumeration; NULL: a number */
    int most;                 /* of a number                       */
    bool is_flag;             /* its type is bool                  */
} member;

GLNN__DECLARE_NAMES(glnn_csv_role)
GLNN__DECLARE_NAMES(glnn_csv_type)
GLNN__DECLARE_NAMES(glnn_csv_encoding)
GLNN__DECLARE_NAMES(glnn_csv_date)
GLNN__DECLARE_NAMES(glnn_csv_missing)

#define LIST(key, member) KEY(key), offsetof(glnn_csv_column, member)
static const member members[] = {
    {LIST("column_roles", role), &glnn__names_of_glnn_csv_role, 0, false},
    {LIST("column_types", type), &glnn__names_of_glnn_csv_type, 0, false},
    {LIST("column_encodings", encoding), &glnn__names_of_glnn_csv_encoding, 0, false},
    {LIST("column_dates", date), &glnn__names_of_glnn_csv_date, 0, false},
    {LIST("column_missing", missing), &glnn__names_of_glnn_csv_missing, 0, false},
    {LIST("column_positions", position), NULL, INT_MAX, false},
    {LIST("column_features", features), NULL, INT_MAX, false},
    {LIST("column_kept", kept), NULL, GLNN_CSV_MAX_CATEGORIES, false},
    {LIST("column_has_other", has_other), NULL, 1, true},
    {LIST("column_has_time", has_time), NULL, 1, true},
};
enum { MEMBERS = sizeof members / sizeof *members };
#define FILLS   KEY("column_fills")
#define DECIMAL KEY("decimal")

static int get_member(const glnn_csv_column *of, const member *as)
{
    const char *place = (const char *)of + as->offset;
    return as->is_flag ? *(const bool *)place : *(const int *)place;
}

static void set_member(glnn_csv_column *of, const member *as, int value)
{
    char *place = (char *)of + as->offset;
    if (as->is_flag)
        *(bool *)place = value != 0;
    else
        *(int *)place = value;
}

/* Takes text from a growing one. */
static char *take_text(glnn__growing_text *from)
{
    if (from->is_cut) {
        free(from->text);
        return NULL;
    }
    return from->text;
}

static char *join_members(const glnn_csv_columns *of, const member *as)
{
    glnn__growing_text text = {0};
    for (int i = 0; i < of->count; ++i) {
        const int value = get_member(&of->of[i], as);
        if (as->names)
            glnn__text_print(&text, "%s ", as->names->list[value]);
        else
            glnn__text_print(&text, "%d ", value);
    }
    return take_text(&text);
}

static char *join_fills(const glnn_csv_columns *of)
{
    glnn__growing_text text = {0};
    char digits[GLNN__DIGITS_TEXT];
    for (int i = 0; i < of->count; ++i)
        glnn__text_print(&text, "%s ", glnn__digits_of_float(of->of[i].fill, digits));
    return take_text(&text);
}

/* Only the categories that were kept are in files: a table like this one treats others in the same
 * way, known or not. */
static char **list_kept(const glnn_csv_column *of)
{
    char **names = calloc((size_t)of->kept + 1, sizeof *names);
    for (int i = 0; names && i < of->categories; ++i)
        if (of->codes[i] >= 0)
            names[of->codes[i]] = of->category_names[i];
    return names;
}

/* The categories of all columns, one column after the other. */
static char *join_categories(const glnn_csv_columns *of)
{
    glnn__growing_text text = {0};
    bool done = true;
    for (int j = 0; done && j < of->feature_columns; ++j) {
        char **names = list_kept(&of->of[j]);
        char *joined = names ? glnn__names_join(names, of->of[j].kept) : NULL;
        done = names && (joined || of->of[j].kept == 0);
        if (done && of->of[j].kept > 0)
            glnn__text_print(&text, "%s%s", text.size > 0 ? "\n" : "", joined);
        free(joined);
        free(names);
    }
    if (!done)
        free(text.text);
    return done ? take_text(&text) : NULL;
}

static int64_t count_kept(const glnn_csv_columns *of)
{
    int64_t count = 0;
    for (int j = 0; j < of->feature_columns; ++j)
        count += of->of[j].kept;
    return count;
}

static char *join_column_names(const glnn_csv_columns *of)
{
    char **names = calloc((size_t)of->count + 1, sizeof *names), *text = NULL;
    for (int i = 0; names && i < of->count; ++i)
        names[i] = of->of[i].name;
    if (names)
        text = glnn__names_join(names, of->count);
    free(names);
    return text;
}

static void describe_columns(const glnn_csv_columns *of, glnn__texts *texts)
{
    if (of->count == 0)
        return;
    for (int i = 0; i < MEMBERS; ++i)
        glnn__texts_take(texts, members[i].key, join_members(of, &members[i]));
    glnn__texts_take(texts, FILLS, join_fills(of));
    if (of->of[0].name)
        glnn__texts_take(texts, KEY("column_names"), join_column_names(of));
    if (count_kept(of) > 0)
        glnn__texts_take(texts, KEY("categories"), join_categories(of));
    if (of->has_commas)
        glnn__texts_take(texts, DECIMAL, glnn__string_copy(","));
}

/* ---- Descriptions */

/* "28x28"; NULL if memory ran out. */
static char *print_sides(const glnn_shape *of)
{
    char text[32];
    snprintf(text, sizeof text, "%dx%d", of->height, of->width);
    return glnn__string_copy(text);
}

void glnn__preparation_describe(const glnn_preparation *of, glnn__texts *texts)
{
    if (!of)
        return;
    const glnn_csv_columns *columns = &of->columns;
    glnn__texts_add_fields(texts, &counts, GLNN__IN_FILES, of);
    describe_columns(columns, texts);
    if (columns->class_names && columns->classes > 0)
        glnn__texts_take(texts, KEY("class_names"),
                         glnn__names_join(columns->class_names, columns->classes));
    if (of->gradients.width > 0)
        glnn__texts_take(texts, KEY("gradients"), print_sides(&of->gradients));
}

/* An array of a preparation, and the field for its values. */
typedef struct part {
    glnn_tensor tensor;
    float **values;
} part;

static part part_of(const char *name, int dimensions, size_t rows, size_t columns, float **values)
{
    return (part){{name, dimensions, {rows, columns}, *values}, values};
}

enum { PARTS = 7 };

/* Lists the arrays of a preparation with these counts, and returns their number. */
static int list_parts(glnn_preparation *of, part parts[PARTS])
{
    const size_t features = (size_t)glnn__preparation_features(of);
    const size_t components = (size_t)of->components;
    const size_t targets = (size_t)of->columns.targets;
    glnn_scale *scale = &of->scale, *target_scale = &of->target_scale;
    int count = 0;
    if (scale->features > 0) {
        parts[count++] = part_of(KEY("offset"), 1, features, 0, &scale->offset);
        parts[count++] = part_of(KEY("factor"), 1, features, 0, &scale->factor);
    }
    if (components > 0) {
        parts[count++] = part_of(KEY("mean"), 1, features, 0, &of->mean);
        parts[count++] = part_of(KEY("directions"), 2, components, features, &of->directions);
        parts[count++] = part_of(KEY("eigenvalues"), 1, components, 0, &of->eigenvalues);
    }
    if (target_scale->features > 0) {
        parts[count++] = part_of(KEY("target_offset"), 1, targets, 0, &target_scale->offset);
        parts[count++] = part_of(KEY("target_factor"), 1, targets, 0, &target_scale->factor);
    }
    return count;
}

void glnn__preparation_add_arrays(const glnn_preparation *preparation, glnn__arrays *arrays)
{
    part parts[PARTS];
    glnn_preparation of = preparation ? *preparation : (glnn_preparation){0};
    const int count = list_parts(&of, parts);
    for (int i = 0; i < count; ++i)
        arrays->tensors[arrays->count++] = parts[i].tensor;
}

static glnn_status read_names(const glnn__described_file *in, const char *key, int count,
                              char ***out)
{
    const char *text = glnn_safetensors_get_metadata(in->file, key);
    if (!text || count == 0)
        return GLNN_OK;
    glnn_status status = glnn__names_split(text, count, out);
    return status == GLNN_E_FORMAT
               ? glnn__fail(status, "%s: metadata '%s': %s", in->path, key, glnn_last_error())
               : status;
}

static glnn_status read_array(const glnn__described_file *in, part *of)
{
    GLNN__TRY(glnn__array_read(in, &of->tensor));
    const size_t size = glnn__array_length(&of->tensor) * sizeof **of->values;
    *of->values = malloc(size);
    if (!*of->values)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", in->path, size);
    memcpy(*of->values, of->tensor.data, size);
    return GLNN_OK;
}

static glnn_status read_arrays(const glnn__described_file *in, glnn_preparation *out)
{
    part parts[PARTS];
    if (glnn_safetensors_find_tensor(in->file, KEY("offset")))
        out->scale.features = glnn__preparation_features(out);
    if (glnn_safetensors_find_tensor(in->file, KEY("target_offset")))
        out->target_scale.features = out->columns.targets;
    const int count = list_parts(out, parts);
    for (int i = 0; i < count; ++i)
        GLNN__TRY(read_array(in, &parts[i]));
    return GLNN_OK;
}

/* The words of a list that are left. */
typedef struct words {
    const char *path, *key, *next;
    int count;
} words;

static glnn_status fail_words(const words *of, const char *word)
{
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: metadata '%s' does not have the right words for %d columns, at '%.20s'",
                      of->path, of->key, of->count, word);
}

/* Copies the next word, which a blank ends. */
static glnn_status take_word(words *from, char *word, size_t size)
{
    const size_t length = strcspn(from->next, " ");
    if (length == 0 || length >= size || from->next[length] != ' ')
        return fail_words(from, from->next);
    memcpy(word, from->next, length);
    word[length] = '\0';
    from->next += length + 1;
    return GLNN_OK;
}

static glnn_status parse_member(const words *from, const member *as, const char *word, int *value)
{
    if (as->names) {
        for (*value = 0; *value < as->names->count; ++*value)
            if (strcmp(word, as->names->list[*value]) == 0)
                return GLNN_OK;
        return fail_words(from, word);
    }
    char *end;
    const long number = strtol(word, &end, 10);
    *value = (int)number;
    return *end == '\0' && number >= 0 && number <= as->most ? GLNN_OK : fail_words(from, word);
}

static glnn_status begin_words(const glnn__described_file *in, const char *key, int count,
                               words *out)
{
    *out = (words){.path = in->path, .key = key, .count = count};
    out->next = glnn_safetensors_get_metadata(in->file, key);
    return out->next ? GLNN_OK
                     : glnn__fail(GLNN_E_FORMAT, "%s: metadata '%s' is missing", in->path, key);
}

static glnn_status end_words(const words *of)
{
    return *of->next ? fail_words(of, of->next) : GLNN_OK;
}

static glnn_status read_members(const glnn__described_file *in, const member *as,
                                glnn_csv_columns *out)
{
    words list;
    char word[32];
    GLNN__TRY(begin_words(in, as->key, out->count, &list));
    for (int i = 0; i < out->count; ++i) {
        int value;
        GLNN__TRY(take_word(&list, word, sizeof word));
        GLNN__TRY(parse_member(&list, as, word, &value));
        set_member(&out->of[i], as, value);
    }
    return end_words(&list);
}

static glnn_status read_fills(const glnn__described_file *in, glnn_csv_columns *out)
{
    words list;
    char word[GLNN__DIGITS_TEXT];
    GLNN__TRY(begin_words(in, FILLS, out->count, &list));
    for (int i = 0; i < out->count; ++i) {
        GLNN__TRY(take_word(&list, word, sizeof word));
        if (glnn__number_parse(word, &out->of[i].fill) != GLNN__NUMBER_FINITE)
            return fail_words(&list, word);
    }
    return end_words(&list);
}

/* Moves the next `kept` names to a column. */
static bool take_categories(char ***next, glnn_csv_column *out)
{
    const size_t count = (size_t)out->kept;
    out->category_names = calloc(count + 1, sizeof *out->category_names);
    out->codes = malloc((count + 1) * sizeof *out->codes);
    if (!out->category_names || !out->codes)
        return false;
    for (out->categories = 0; out->categories < out->kept; ++out->categories) {
        out->category_names[out->categories] = **next;
        out->codes[out->categories] = out->categories;
        *(*next)++ = NULL;
    }
    return true;
}

static glnn_status read_categories(const glnn__described_file *in, glnn_csv_columns *out)
{
    const int64_t kept = count_kept(out);
    const int count = kept > INT_MAX ? INT_MAX : (int)kept;
    char **names = NULL;
    bool done = true;
    GLNN__TRY(read_names(in, KEY("categories"), count, &names));
    if (!names && count > 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: metadata '" KEY("categories") "' is missing",
                          in->path);
    char **next = names;
    for (int j = 0; done && j < out->feature_columns; ++j)
        if (out->of[j].type == GLNN_CSV_TYPE_CATEGORY)
            done = take_categories(&next, &out->of[j]);
    glnn__names_free(names, count);
    return done ? GLNN_OK
                : glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d categories", in->path, count);
}

static glnn_status read_column_names(const glnn__described_file *in, glnn_csv_columns *out)
{
    char **names = NULL;
    GLNN__TRY(read_names(in, KEY("column_names"), out->count, &names));
    for (int i = 0; names && i < out->count; ++i)
        out->of[i].name = names[i];
    free(names);
    return GLNN_OK;
}

/* Files have only a comma. */
static glnn_status read_decimal(const glnn__described_file *in, glnn_csv_columns *out)
{
    const char *text = glnn_safetensors_get_metadata(in->file, DECIMAL);
    out->has_commas = text != NULL;
    return !text || strcmp(text, ",") == 0
               ? GLNN_OK
               : glnn__fail(GLNN_E_FORMAT, "%s: metadata '" DECIMAL "' is '%.40s', not a comma",
                            in->path, text);
}

static glnn_status read_columns(const glnn__described_file *in, glnn_csv_columns *out)
{
    words list;
    if (out->count == 0)
        return GLNN_OK;
    /* Each has at least a digit and a blank, so a wrong count allocates no memory. */
    GLNN__TRY(begin_words(in, FILLS, out->count, &list));
    if (out->count > GLNN_CSV_MAX_COLUMNS || strlen(list.next) < 2 * (size_t)out->count ||
        out->feature_columns > out->count)
        return fail_words(&list, list.next);
    out->of = calloc((size_t)out->count, sizeof *out->of);
    if (!out->of)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d columns", in->path, out->count);
    for (int i = 0; i < MEMBERS; ++i)
        GLNN__TRY(read_members(in, &members[i], out));
    GLNN__TRY(read_fills(in, out));
    GLNN__TRY(read_column_names(in, out));
    GLNN__TRY(read_categories(in, out));
    GLNN__TRY(read_decimal(in, out));
    const glnn_status status = glnn__csv_columns_check(out);
    return status ? glnn__fail(GLNN_E_FORMAT, "%s: %s", in->path, glnn_last_error()) : GLNN_OK;
}

static glnn_status read_gradients(const glnn__described_file *in, glnn_preparation *out)
{
    const char *text = glnn_safetensors_get_metadata(in->file, KEY("gradients"));
    glnn_shape *of = &out->gradients;
    int used = 0;
    if (!text)
        return GLNN_OK;
    of->channels = 1;
    if (sscanf(text, "%5dx%5d%n", &of->height, &of->width, &used) == 2 && text[used] == 0 &&
        of->height > 0 && of->width > 0)
        return GLNN_OK;
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: metadata '" KEY("gradients") "' is '%.40s', not height x width as in "
                                                        "'28x28'",
                      in->path, text);
}

static glnn_status read_all(const glnn__described_file *in, glnn_preparation *out)
{
    glnn_csv_columns *columns = &out->columns;
    GLNN__TRY(glnn__read_fields(in, &counts, out));
    GLNN__TRY(read_names(in, KEY("class_names"), columns->classes, &columns->class_names));
    GLNN__TRY(read_columns(in, columns));
    GLNN__TRY(read_gradients(in, out));
    return read_arrays(in, out);
}

glnn_status glnn__preparation_read(const glnn__described_file *in, glnn_preparation *out)
{
    bool is_there = false;
    for (int i = 0; i < counts.count; ++i)
        is_there = is_there || glnn_safetensors_get_metadata(in->file, counts.list[i].name);
    *out = (glnn_preparation){0};
    if (!is_there)
        return GLNN_OK;
    glnn_status status = read_all(in, out);
    if (status)
        glnn_preparation_free(out);
    return status;
}
