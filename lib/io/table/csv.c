#include "base/locale.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/string.h"
#include "io/table/csv_columns.h"
#include "io/table/csv_texts.h"
#include "io/table/labels.h"
#include "io/table/names.h"
#include "io/table/number.h"

#include <glnn/csv.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Missing values */

/* The values of one feature that are not missing. */
typedef struct statistics {
    double sum;
    int64_t count;
} statistics;

static glnn_status set_means(const char *where, int64_t rows, const statistics *of,
                             glnn_csv_columns *columns)
{
    for (int j = 0; j < columns->features; ++j) {
        const char *name = columns->feature_names ? columns->feature_names[j] : NULL;
        if (of[j].count == 0)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: all values of feature %d%s%.60s%s are missing in %" PRId64
                              " row%s",
                              where, j + 1, name ? " ('" : "", name ? name : "", name ? "')" : "",
                              rows, rows == 1 ? "" : "s");
    }
    for (int j = 0; j < columns->features; ++j)
        columns->means[j] = (float)(of[j].sum / (double)of[j].count);
    return GLNN_OK;
}

static void add_statistics(int features, const float *inputs, statistics *of)
{
    for (int j = 0; j < features; ++j) {
        of[j].sum += isnan(inputs[j]) ? 0.0 : (double)inputs[j];
        of[j].count += !isnan(inputs[j]);
    }
}

/* Sets columns->means, an array of columns->features numbers, to the means of the values that are
 * not NaN. Fails with E_FORMAT if a feature is NaN in all rows; `where` begins the sentence. */
static glnn_status fit_means(const char *where, int64_t rows, const float *inputs,
                             glnn_csv_columns *columns)
{
    statistics *of = calloc((size_t)columns->features, sizeof *of);
    if (!of)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d features", where, columns->features);
    for (int64_t i = 0; i < rows; ++i)
        add_statistics(columns->features, inputs + i * columns->features, of);
    const glnn_status status = set_means(where, rows, of, columns);
    free(of);
    return status;
}

/* Replaces each NaN by the mean of its feature. */
static void fill_missing(const glnn_csv_columns *columns, int64_t rows, float *inputs)
{
    for (int64_t i = 0; i < rows; ++i)
        for (int j = 0; j < columns->features; ++j, ++inputs)
            *inputs = isnan(*inputs) ? columns->means[j] : *inputs;
}

static glnn_status check(const char *function, const glnn_csv_columns *columns, int64_t rows)
{
    if (columns->features < 1 || rows < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%s: %" PRId64 " rows of %d features; both must be at least 1", function,
                          rows, columns->features);
    if (!columns->means)
        return glnn__fail(GLNN_E_ARG, "%s: columns->means is null", function);
    return GLNN_OK;
}

glnn_status glnn_csv_columns_fit_means(glnn_csv_columns *columns, int64_t rows, const float *inputs)
{
    GLNN__NOT_NULL(columns);
    GLNN__NOT_NULL(inputs);
    GLNN__TRY(check(__func__, columns, rows));
    return fit_means(__func__, rows, inputs, columns);
}

glnn_status glnn_csv_columns_fill(const glnn_csv_columns *columns, int64_t rows, float *inputs)
{
    GLNN__NOT_NULL(columns);
    GLNN__NOT_NULL(inputs);
    GLNN__TRY(check(__func__, columns, rows));
    fill_missing(columns, rows, inputs);
    return GLNN_OK;
}

/* ---- Names */

static const char *const header_names[] = {
    [GLNN_CSV_HEADER_AUTO] = "auto", [GLNN_CSV_HEADER_YES] = "yes", [GLNN_CSV_HEADER_NO] = "no"};
static const char *const missing_names[] = {[GLNN_CSV_MISSING_REFUSE] = "refuse",
                                            [GLNN_CSV_MISSING_DROP] = "drop",
                                            [GLNN_CSV_MISSING_FILL] = "fill",
                                            [GLNN_CSV_MISSING_KEEP] = "keep"};
static const char *const problem_names[] = {
    [GLNN_CSV_PROBLEM_NONE] = "none",
    [GLNN_CSV_PROBLEM_HEADER] = "header",
    [GLNN_CSV_PROBLEM_MISSING] = "missing",
    [GLNN_CSV_PROBLEM_UNLABELLED] = "unlabelled",
    [GLNN_CSV_PROBLEM_REAL_LABEL] = "real_label",
    [GLNN_CSV_PROBLEM_SEPARATOR] = "separator",
    [GLNN_CSV_PROBLEM_TEXT] = "text",
    [GLNN_CSV_PROBLEM_ADDITIONAL] = "additional",
    [GLNN_CSV_PROBLEM_CLASS] = "class",
    [GLNN_CSV_PROBLEM_NO_HEADER] = "no_header",
};

GLNN__DEFINE_NAMES(glnn_csv_header, header_names)
GLNN__DEFINE_NAMES(glnn_csv_missing, missing_names)
GLNN__DEFINE_NAMES(glnn_csv_problem, problem_names)

/* The values so far of a feature that could number the rows. Several bits can be set. */
enum { NUMBERED_FROM_0 = 1, NUMBERED_FROM_1 = 2 };

/* The bytes and the line of a row. */
typedef struct row_place {
    size_t begin, size, line;
} row_place;

struct glnn_csv_file {
    char *path;
    int64_t rows;
    row_place *places;
    glnn__rows text;       /* the open file                                     */
    glnn__csv_roles roles; /* with names of their own                           */
    glnn_csv_missing missing;
    float *means;
    int features;
};

/* A table that is being read. */
typedef struct reading {
    glnn__rows text;
    glnn_csv_desc desc;
    glnn__csv_roles roles;
    unsigned char *numbering;                               /* of each feature */
    size_t input_capacity, target_capacity, label_capacity; /* in rows */
    glnn__labels labels;
    glnn_csv table;
    statistics *statistics; /* of each feature */

    /* Without a file, all rows are kept. With one, only their places are, and `inputs` has room for
     * the present row. */
    glnn_csv_file *file;
    size_t place_capacity;
    row_place place; /* of the present row */
} reading;

static size_t inputs_kept(const reading *in)
{
    return in->file ? 0 : (size_t)in->table.rows;
}

static glnn_status grow(reading *in)
{
    glnn_csv *table = &in->table;
    const size_t rows = (size_t)table->rows, size = sizeof(float);
    if (!glnn__memory_grow(&table->inputs, inputs_kept(in), &in->input_capacity,
                           (size_t)table->columns.features * size) ||
        (in->file && !glnn__memory_grow(&in->file->places, rows, &in->place_capacity,
                                        sizeof *in->file->places)) ||
        !glnn__memory_grow(&table->targets, rows, &in->target_capacity,
                           (size_t)table->columns.targets * size) ||
        !glnn__memory_grow(&table->labels, rows, &in->label_capacity,
                           in->roles.counts[GLNN__CSV_LABEL] ? sizeof(int) : 0))
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for row %zu of %d features and %d targets",
                          in->text.path, rows + 1, table->columns.features, table->columns.targets);
    return GLNN_OK;
}

static glnn_status fail_missing(reading *in, size_t column)
{
    static const char *const names[] = {"value", "target", "label"};
    const glnn__csv_role role = in->roles.of[column].role;
    const bool feature = role == GLNN__CSV_FEATURE;
    char text[GLNN__CSV_PLACE];
    in->table.problem = feature ? GLNN_CSV_PROBLEM_MISSING : GLNN_CSV_PROBLEM_UNLABELLED;
    return glnn__rows_fail(&in->text, ", %s: the %s is missing ('%s'); its row can be dropped%s",
                           glnn__csv_describe(&in->roles, column, text), names[role],
                           in->text.fields[column],
                           feature ? ", or the value filled with the mean of its column" : "");
}

/* Some programs write integers as 1.0 if their column misses values. The label is still 1. */
static void cut_zeros(char *text)
{
    char *digits = text + (*text == '-' || *text == '+');
    char *point = digits + strspn(digits, "0123456789");
    if (point > digits && *point == '.' && point[1 + strspn(point + 1, "0")] == 0)
        *point = 0;
}

static bool has_known_classes(const reading *in)
{
    return in->desc.like && in->desc.like->classes > 0;
}

static glnn_status fail_class(reading *in, size_t column)
{
    enum { SHOWN = 10 };
    const glnn__labels *known = &in->labels;
    char place[GLNN__CSV_PLACE], names[512];
    size_t used = 0;
    for (int i = 0; i < known->count && i < SHOWN; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s'%.30s'", i > 0 ? ", " : "",
                                 known->names[i]);
    if (known->count > SHOWN)
        snprintf(names + used, sizeof names - used, " and %d more", known->count - SHOWN);
    in->table.problem = GLNN_CSV_PROBLEM_CLASS;
    return glnn__rows_fail(&in->text, ", %s: the other table has no class '%.60s'; it has %s",
                           glnn__csv_describe(&in->roles, column, place), in->text.fields[column],
                           names);
}

static glnn_status read_label(reading *in, size_t column, int *label)
{
    char *text = in->text.fields[column];
    if (glnn__number_is_missing(text))
        return fail_missing(in, column);
    cut_zeros(text);
    if (!has_known_classes(in))
        return glnn__labels_index(&in->labels, text, label);
    *label = glnn__labels_find(&in->labels, text);
    return *label >= 0 ? GLNN_OK : fail_class(in, column);
}

static glnn_status read_number(reading *in, size_t column, float *value)
{
    const char *text = in->text.fields[column];
    const bool feature = in->roles.of[column].role == GLNN__CSV_FEATURE;
    char place[GLNN__CSV_PLACE];
    const glnn__number kind = glnn__number_parse(text, value);
    if (kind == GLNN__NUMBER_FINITE)
        return GLNN_OK;
    if (glnn__number_is_missing(text))
        return fail_missing(in, column);
    GLNN__TRY(glnn__csv_check_separator(&in->text, &in->table.problem));
    if (feature && kind == GLNN__NUMBER_NONE)
        return glnn__csv_fail_texts(&in->text, &in->roles, column, &in->table.problem);
    return glnn__rows_fail(&in->text, ", %s: '%.60s' is not a finite number",
                           glnn__csv_describe(&in->roles, column, place), text);
}

/* A missing value is NaN until it is filled. */
static glnn_status parse_feature(reading *in, size_t column, float *value)
{
    if (in->desc.missing < GLNN_CSV_MISSING_FILL ||
        !glnn__number_is_missing(in->text.fields[column]))
        return read_number(in, column, value);
    *value = NAN;
    ++in->table.missing_values;
    return GLNN_OK;
}

static glnn_status read_feature(reading *in, size_t column, float *value)
{
    unsigned char *numbering = &in->numbering[in->roles.of[column].place];
    const float row = (float)(in->table.rows + in->table.dropped_rows);
    GLNN__TRY(parse_feature(in, column, value));
    *numbering &= (unsigned char)(*value == row       ? NUMBERED_FROM_0
                                  : *value == row + 1 ? NUMBERED_FROM_1
                                                      : 0);
    return GLNN_OK;
}

static float *inputs_of_row(const reading *in)
{
    return in->table.inputs + inputs_kept(in) * (size_t)in->table.columns.features;
}

static glnn_status read_field(reading *in, size_t column)
{
    glnn_csv *table = &in->table;
    const glnn__csv_column *of = &in->roles.of[column];
    const size_t row = (size_t)table->rows;
    switch (of->role) {
    case GLNN__CSV_FEATURE:
        return read_feature(in, column, inputs_of_row(in) + of->place);
    case GLNN__CSV_TARGET:
        return read_number(in, column,
                           table->targets + row * (size_t)table->columns.targets + of->place);
    case GLNN__CSV_LABEL:
        return read_label(in, column, &table->labels[row]);
    default:
        return GLNN_OK;
    }
}

static bool misses_value(const reading *in)
{
    for (size_t c = 0; c < in->roles.count; ++c)
        if (in->roles.of[c].role != GLNN__CSV_LEFT_OUT &&
            glnn__number_is_missing(in->text.fields[c]))
            return true;
    return false;
}

static glnn_status add_row(reading *in)
{
    glnn_csv *table = &in->table;
    if (in->text.count != in->roles.count)
        return glnn__rows_fail(&in->text, " has %zu column%s; the first row has %zu",
                               in->text.count, in->text.count == 1 ? "" : "s", in->roles.count);
    if (in->desc.missing == GLNN_CSV_MISSING_DROP && misses_value(in)) {
        ++table->dropped_rows;
        return GLNN_OK;
    }
    GLNN__TRY(grow(in));
    for (size_t c = 0; c < in->roles.count; ++c)
        GLNN__TRY(read_field(in, c));
    add_statistics(table->columns.features, inputs_of_row(in), in->statistics);
    if (in->file)
        in->file->places[table->rows] = in->place;
    ++table->rows;
    return GLNN_OK;
}

static glnn_status fail_labels(reading *in, const char *real)
{
    char place[GLNN__CSV_PLACE];
    size_t column = 0;
    while (in->roles.of[column].role != GLNN__CSV_LABEL)
        ++column;
    in->table.problem = GLNN_CSV_PROBLEM_REAL_LABEL;
    glnn__csv_describe(&in->roles, column, place);
    if (real)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %s cannot be the label: its values are real numbers such as "
                          "'%.60s', %d different ones; it can be a target",
                          in->text.path, place, real, in->labels.count);
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: %s cannot be the label: it has %d different numbers in %" PRId64
                      " rows; it can be a target",
                      in->text.path, place, in->labels.count, in->table.rows);
}

/* With more classes than this, numbers that rarely repeat are taken for measurements. */
enum { MANY_CLASSES = 100 };

/* Refuses numbers that are not integers or rarely repeat: they are measurements, not names of
 * classes. */
static glnn_status check_labels(reading *in)
{
    if (has_known_classes(in))
        return GLNN_OK;
    const char *real = NULL;
    float value;
    for (int i = 0; i < in->labels.count; ++i) {
        if (glnn__number_parse(in->labels.names[i], &value) != GLNN__NUMBER_FINITE)
            return GLNN_OK;
        if (!real && value != truncf(value))
            real = in->labels.names[i];
    }
    const bool many =
        !in->desc.like && in->labels.count > MANY_CLASSES && in->labels.count > in->table.rows / 2;
    return real || many ? fail_labels(in, real) : GLNN_OK;
}

static void take_means(reading *in)
{
    const glnn_csv_columns *columns = &in->table.columns;
    memcpy(columns->means, in->desc.like->means, (size_t)columns->features * sizeof(float));
}

static glnn_status treat_missing(reading *in)
{
    glnn_csv *table = &in->table;
    if (in->desc.like && in->desc.like->means)
        take_means(in);
    else
        GLNN__TRY(set_means(in->text.path, table->rows, in->statistics, &table->columns));
    if (in->desc.missing == GLNN_CSV_MISSING_FILL && table->missing_values > 0 && !in->file)
        fill_missing(&table->columns, table->rows, table->inputs);
    return GLNN_OK;
}

static glnn_status check_rows(const reading *in)
{
    if (in->table.rows > 0)
        return GLNN_OK;
    if (in->table.dropped_rows > 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: each of the %" PRId64 " rows misses a value",
                          in->text.path, in->table.dropped_rows);
    return glnn__fail(GLNN_E_FORMAT, "%s: the table has no rows", in->text.path);
}

/* Copies the names of all columns of a role. Returns false if memory ran out. */
static bool copy_names(const glnn__csv_roles *roles, glnn__csv_role role, char ***out)
{
    *out = calloc((size_t)roles->counts[role] + 1, sizeof **out);
    bool done = *out != NULL;
    for (size_t c = 0; done && c < roles->count; ++c)
        if (roles->of[c].role == role)
            done = ((*out)[roles->of[c].place] = glnn__string_copy(roles->of[c].name)) != NULL;
    return done;
}

/* Lists the positions of the label, the targets and the dropped columns. */
static bool note_places(const glnn__csv_roles *roles, int **out)
{
    const size_t targets = (size_t)roles->counts[GLNN__CSV_TARGET];
    *out = calloc(1 + targets + (size_t)roles->counts[GLNN__CSV_LEFT_OUT], sizeof **out);
    for (size_t c = 0; *out && c < roles->count; ++c) {
        const glnn__csv_column *of = &roles->of[c];
        const size_t first = of->role == GLNN__CSV_LABEL    ? 0
                             : of->role == GLNN__CSV_TARGET ? 1
                                                            : 1 + targets;
        if (of->role != GLNN__CSV_FEATURE)
            (*out)[first + of->place] = (int)c + 1;
    }
    return *out != NULL;
}

static glnn_status fail_columns(const reading *in)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu columns", in->text.path,
                      in->roles.count);
}

static glnn_status take_columns(reading *in)
{
    const glnn__csv_roles *roles = &in->roles;
    glnn_csv_columns *out = &in->table.columns;
    char **label = NULL;
    out->features = roles->counts[GLNN__CSV_FEATURE];
    out->targets = roles->counts[GLNN__CSV_TARGET];
    out->dropped = roles->counts[GLNN__CSV_LEFT_OUT];
    in->numbering = malloc((size_t)out->features);
    in->statistics = calloc((size_t)out->features, sizeof *in->statistics);
    out->means = calloc((size_t)out->features, sizeof *out->means);
    in->table.row_numbers = calloc((size_t)out->features, sizeof *in->table.row_numbers);
    bool done = in->numbering && in->statistics && in->table.row_numbers && out->means &&
                note_places(roles, &out->places);
    if (roles->header)
        done = done && copy_names(roles, GLNN__CSV_FEATURE, &out->feature_names) &&
               copy_names(roles, GLNN__CSV_TARGET, &out->target_names) &&
               copy_names(roles, GLNN__CSV_LEFT_OUT, &out->dropped_names) &&
               copy_names(roles, GLNN__CSV_LABEL, &label);
    out->label_name = label ? label[0] : NULL;
    free(label);
    if (done)
        memset(in->numbering, NUMBERED_FROM_0 | NUMBERED_FROM_1, (size_t)out->features);
    return done ? GLNN_OK : fail_columns(in);
}

/* The next rows take the place of the header's text. */
static glnn_status keep_names(const reading *in)
{
    bool done = true;
    if (!in->file)
        return GLNN_OK;
    in->file->roles = in->roles;
    for (size_t c = 0; c < in->roles.count; ++c) {
        glnn__csv_column *of = &in->roles.of[c];
        const char *name = of->name;
        of->name = name ? glnn__string_copy(name) : NULL;
        done = done && (of->name || !name);
    }
    return done ? GLNN_OK : fail_columns(in);
}

/* Reads the next row, and notes where it is. */
static glnn_status next_row(reading *in, bool *found)
{
    const size_t begin = glnn__rows_place(&in->text), line = in->text.line;
    GLNN__TRY(glnn__rows_next(&in->text, found));
    in->place = (row_place){begin, glnn__rows_place(&in->text) - begin, line};
    return GLNN_OK;
}

static glnn_status read_rows(reading *in)
{
    bool found;
    GLNN__TRY(next_row(in, &found));
    if (found) {
        GLNN__TRY(glnn__csv_find_roles(&in->text, &in->desc, &in->roles, &in->table.problem));
        GLNN__TRY(keep_names(in));
        GLNN__TRY(take_columns(in));
        if (in->roles.header)
            GLNN__TRY(next_row(in, &found));
    }
    while (found) {
        GLNN__TRY(add_row(in));
        GLNN__TRY(next_row(in, &found));
    }
    return check_rows(in);
}

/* Begins with the classes of `like`; without names they are the integers from 0. */
static glnn_status take_known_classes(reading *in)
{
    const glnn_csv_columns *like = in->desc.like;
    char number[16];
    int index;
    for (int i = 0; has_known_classes(in) && i < like->classes; ++i) {
        snprintf(number, sizeof number, "%d", i);
        const char *name = like->class_names ? like->class_names[i] : number;
        if (!name)
            return glnn__fail(GLNN_E_ARG, "desc->like->class_names[%d] is null", i);
        GLNN__TRY(glnn__labels_index(&in->labels, name, &index));
        if (index != i)
            return glnn__fail(GLNN_E_ARG, "desc->like has the name '%.60s' for classes %d and %d",
                              name, index, i);
    }
    return GLNN_OK;
}

static glnn_status read_table(reading *in)
{
    glnn_csv *table = &in->table;
    GLNN__TRY(take_known_classes(in));
    GLNN__TRY(read_rows(in));
    GLNN__TRY(treat_missing(in));
    GLNN__TRY(check_labels(in));
    if (table->labels && !has_known_classes(in))
        GLNN__TRY(glnn__labels_sort(&in->labels, table->labels, (size_t)table->rows));
    for (int j = 0; j < table->columns.features; ++j)
        table->row_numbers[j] = in->numbering[j] != 0;
    glnn__labels_take(&in->labels, &table->columns.classes, &table->columns.class_names);
    return GLNN_OK;
}

/* The file stays open, and keeps what reading its rows needs. */
static glnn_status take_file(reading *in)
{
    glnn_csv_file *file = in->file;
    const glnn_csv_columns *columns = &in->table.columns;
    const size_t bytes = (size_t)columns->features * sizeof *file->means;
    file->means = malloc(bytes);
    if (!file->means)
        return fail_columns(in);
    memcpy(file->means, columns->means, bytes);
    file->rows = in->table.rows;
    file->missing = in->desc.missing;
    file->features = columns->features;
    file->text = in->text;
    free(in->table.inputs);
    in->table.inputs = NULL;
    return GLNN_OK;
}

static glnn_status read_file(const char *path, reading *in)
{
    const char separator = in->desc.separator ? in->desc.separator : ',';
    glnn__c_locale locale;
    GLNN__TRY(glnn__csv_check_desc(&in->desc));
    GLNN__TRY(GLNN__RESERVED_CHECK(glnn_csv_desc, &in->desc));
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn_status status = in->file ? glnn__rows_open_parts(in->file->path, separator, &in->text)
                                  : glnn__rows_open(path, separator, &in->text);
    if (!status) {
        in->text.decimal = in->desc.decimal;
        status = read_table(in);
        if (!status && in->file)
            status = take_file(in);
        if (status || !in->file)
            glnn__rows_close(&in->text);
    }
    glnn__c_locale_leave(&locale);
    return status;
}

static glnn_status read_csv(const char *path, const glnn_csv_desc *desc, glnn_csv_file *file,
                            glnn_csv *out)
{
    reading in = {
        .desc = desc ? *desc : (glnn_csv_desc){0}, .table.size = sizeof in.table, .file = file};
    glnn__sized_fill(out, &in.table, sizeof in.table);
    const glnn_status status = read_file(path, &in);
    if (status) {
        const glnn_csv_problem problem = in.table.problem;
        glnn_csv_free(&in.table);
        in.table.problem = problem;
    }
    glnn__sized_fill(out, &in.table, sizeof in.table);
    if (!file || !file->roles.of)
        free(in.roles.of);
    free(in.numbering);
    free(in.statistics);
    glnn__labels_free(&in.labels);
    return status;
}

glnn_status glnn_csv_read(const char *path, const glnn_csv_desc *desc, glnn_csv *out)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_csv, problem, out));
    return glnn__fail_in(__func__, read_csv(path, desc, NULL, out));
}

/* ---- Files whose rows are read when they are needed */

glnn_status glnn_csv_file_open(const char *path, const glnn_csv_desc *desc, glnn_csv *out,
                               glnn_csv_file **file)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__NOT_NULL(file);
    *file = NULL;
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_csv, problem, out));
    glnn_csv_file *made = calloc(1, sizeof *made);
    const bool has_memory = made && (made->path = glnn__string_copy(path));
    const glnn_status status = has_memory
                                   ? read_csv(path, desc, made, out)
                                   : glnn__fail(GLNN_E_NOMEM, "%s: no memory for a table", path);
    if (status)
        glnn_csv_file_close(made);
    else
        *file = made;
    return glnn__fail_in(__func__, status);
}

void glnn_csv_file_close(glnn_csv_file *file)
{
    if (!file)
        return;
    for (size_t c = 0; file->roles.of && c < file->roles.count; ++c)
        free((char *)file->roles.of[c].name);
    free(file->roles.of);
    glnn__rows_close(&file->text);
    free(file->places);
    free(file->means);
    free(file->path);
    free(file);
}

/* The features of the row that was read. */
static glnn_status take_features(reading *in, const float *means, float *inputs)
{
    if (in->text.count != in->roles.count)
        return glnn__rows_fail(&in->text, " has changed since the file was opened");
    for (size_t c = 0; c < in->roles.count; ++c) {
        const glnn__csv_column *of = &in->roles.of[c];
        if (of->role == GLNN__CSV_FEATURE)
            GLNN__TRY(parse_feature(in, c, &inputs[of->place]));
        if (of->role == GLNN__CSV_FEATURE && in->desc.missing == GLNN_CSV_MISSING_FILL &&
            isnan(inputs[of->place]))
            inputs[of->place] = means[of->place];
    }
    return GLNN_OK;
}

static glnn_status read_samples(const glnn_csv_file *file, reading *in, const int *samples,
                                int count, float *inputs)
{
    for (int i = 0; i < count; ++i) {
        if (samples[i] < 0 || samples[i] >= file->rows)
            return glnn__fail(GLNN_E_ARG, "%s: row %d of %" PRId64, file->path, samples[i],
                              file->rows);
        const row_place *at = &file->places[samples[i]];
        GLNN__TRY(glnn__rows_read_at(&in->text, at->begin, at->size, at->line));
        GLNN__TRY(take_features(in, file->means, inputs + (size_t)i * (size_t)file->features));
    }
    return GLNN_OK;
}

glnn_status glnn_csv_file_read_samples(void *file, const int *samples, int count, float *inputs)
{
    const glnn_csv_file *of = file;
    glnn__c_locale locale;
    GLNN__NOT_NULL(file);
    GLNN__NOT_NULL(samples);
    GLNN__NOT_NULL(inputs);
    GLNN__TRY(glnn__c_locale_enter(&locale));
    reading in = {.desc.missing = of->missing, .roles = of->roles, .text = of->text};
    in.text.has_parts = false;
    in.text.text = NULL;
    in.text.fields = NULL;
    in.text.capacity = 0;
    const glnn_status status = read_samples(of, &in, samples, count, inputs);
    glnn__rows_close(&in.text);
    glnn__c_locale_leave(&locale);
    return glnn__fail_in(__func__, status);
}

void glnn_csv_columns_free(glnn_csv_columns *columns)
{
    if (!columns)
        return;
    glnn__names_free(columns->feature_names, columns->features);
    glnn__names_free(columns->target_names, columns->targets);
    glnn__names_free(columns->dropped_names, columns->dropped);
    free(columns->label_name);
    free(columns->places);
    free(columns->means);
    glnn__names_free(columns->class_names, columns->classes);
    *columns = (glnn_csv_columns){0};
}

void glnn_csv_free(glnn_csv *csv)
{
    if (!csv)
        return;
    free(csv->inputs);
    free(csv->targets);
    free(csv->labels);
    free(csv->row_numbers);
    glnn_csv_columns_free(&csv->columns);
    glnn__sized_fill(csv, &(glnn_csv){0}, sizeof *csv);
}
