#include "base/locale.h"
#include "base/memory.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/string.h"
#include "io/table/columns.h"
#include "io/table/csv_problems.h"
#include "io/table/csv_types.h"
#include "io/table/fit.h"
#include "io/table/labels.h"
#include "io/table/names.h"
#include "io/table/number.h"

#include <glnn/csv.h>

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    bool is_raw;
    glnn_csv_columns columns;
    glnn__labels *categories; /* of each feature column */
};

/* A table that is being read. */
typedef struct reading {
    glnn__rows text;
    glnn_csv_desc desc;
    glnn__csv_roles roles;
    size_t value_capacity, target_capacity, label_capacity; /* in rows */
    glnn__labels labels;
    glnn__labels *categories; /* of each feature column */
    glnn_csv table;
    glnn__csv_fit fit;
    int64_t
        *missed; /* of each column of the table: rows that were dropped because it misses them */

    glnn__csv_problems problems;

    /* Without a file, all rows are kept. With one, only their places are, and `values` has room for
     * the present row. */
    glnn_csv_file *file;
    size_t place_capacity;
    row_place place; /* of the present row */
} reading;

/* ---- Fields */

static size_t rows_kept(const reading *in)
{
    return in->file ? 0 : (size_t)in->table.rows;
}

static glnn_status grow(reading *in)
{
    glnn_csv *table = &in->table;
    const size_t rows = (size_t)table->rows, size = sizeof(float);
    if (!glnn__memory_grow(&table->values, rows_kept(in), &in->value_capacity,
                           (size_t)table->columns.feature_columns * size) ||
        (in->file && !glnn__memory_grow(&in->file->places, rows, &in->place_capacity,
                                        sizeof *in->file->places)) ||
        !glnn__memory_grow(&table->targets, rows, &in->target_capacity,
                           (size_t)table->columns.targets * size) ||
        !glnn__memory_grow(&table->labels, rows, &in->label_capacity,
                           in->roles.counts[GLNN_CSV_ROLE_LABEL] ? sizeof(int) : 0))
        return glnn__fail(
            GLNN_E_NOMEM, "%s: no memory for row %zu of %d feature columns and %d targets",
            in->text.path, rows + 1, table->columns.feature_columns, table->columns.targets);
    return GLNN_OK;
}

static glnn_status fail_missing(reading *in, size_t column)
{
    static const char *const names[] = {"value", "label", "target"};
    const glnn_csv_role role = in->roles.of[column].role;
    char text[GLNN__CSV_PLACE];
    glnn__csv_set_problem(&in->problems, column,
                          role == GLNN_CSV_ROLE_FEATURE ? GLNN_CSV_PROBLEM_MISSING
                                                        : GLNN_CSV_PROBLEM_UNLABELLED);
    return glnn__rows_fail(&in->text, ", %s: the %s is missing ('%s')",
                           glnn__csv_describe(&in->roles, column, text), names[role],
                           in->text.fields[column]);
}

static bool has_known_classes(const reading *in)
{
    return in->desc.like && in->desc.like->classes > 0;
}

static glnn_status fail_class(reading *in, size_t column)
{
    char place[GLNN__CSV_PLACE];
    glnn__csv_set_problem(&in->problems, column, GLNN_CSV_PROBLEM_CLASS);
    return glnn__rows_fail(&in->text, ", %s: the table for training has no class '%.60s'",
                           glnn__csv_describe(&in->roles, column, place), in->text.fields[column]);
}

/* A word for a missing value can be a category of another table. */
static bool misses(const reading *in, size_t column)
{
    const glnn__csv_column *as = &in->roles.of[column];
    const char *text = in->text.fields[column];
    const bool is_category = as->role == GLNN_CSV_ROLE_FEATURE &&
                             in->table.columns.of[as->place].type == GLNN_CSV_TYPE_CATEGORY;
    const glnn__csv_field field = as->role == GLNN_CSV_ROLE_LABEL ? GLNN__CSV_FIELD_LABEL
                                  : is_category                   ? GLNN__CSV_FIELD_CATEGORY
                                                                  : GLNN__CSV_FIELD_NUMBER;
    return glnn__number_is_missing(text, field) &&
           (!is_category || glnn__labels_find(&in->categories[as->place], text) < 0);
}

static glnn_status read_label(reading *in, size_t column, int *label)
{
    char *text = in->text.fields[column];
    if (misses(in, column))
        return fail_missing(in, column);
    /* Some programs write integers as 1.0 if their column misses values. The label is still 1. */
    text[glnn__csv_category_length(text)] = 0;
    if (!has_known_classes(in))
        return glnn__labels_index(&in->labels, text, label);
    *label = glnn__labels_find(&in->labels, text);
    return *label >= 0 ? GLNN_OK : fail_class(in, column);
}

/* Fails because a field is not of the type of its column. */
static glnn_status fail_type(reading *in, size_t column, const glnn_csv_column *as, bool is_text)
{
    static const char *const orders[] = {"date with the year first", "date with the day first",
                                         "date with the month first"};
    char place[GLNN__CSV_PLACE], others[80] = "";
    const bool is_feature = in->roles.of[column].role == GLNN_CSV_ROLE_FEATURE;
    const bool is_date = as->type == GLNN_CSV_TYPE_DATE;
    glnn__csv_set_problem(&in->problems, column,
                          !is_text || !is_feature ? GLNN_CSV_PROBLEM_NONE
                          : is_date               ? GLNN_CSV_PROBLEM_DATE
                                                  : GLNN_CSV_PROBLEM_TEXT);
    if (as->other_text && strcmp(as->other_text, in->text.fields[column]) != 0)
        snprintf(others, sizeof others, "; %" PRId64 " field%s '%.30s'", as->other_fields,
                 as->other_fields == 1 ? " is" : "s are", as->other_text);
    return glnn__rows_fail(&in->text, ", %s: '%.60s' is not a %s%s",
                           glnn__csv_describe(&in->roles, column, place), in->text.fields[column],
                           is_date ? orders[as->date] : "finite number", others);
}

static glnn_status read_number(reading *in, size_t column, const glnn_csv_column *as, float *value)
{
    const glnn__csv_kind kind = glnn__csv_read_value(as, in->text.fields[column], value);
    if (kind == GLNN__CSV_MISSES)
        return fail_missing(in, column);
    if (kind == GLNN__CSV_READ)
        return GLNN_OK;
    GLNN__TRY(glnn__csv_check_separator(&in->text, &in->table.problem));
    return fail_type(in, column, as, kind == GLNN__CSV_OTHER);
}

/* Whether a missing value becomes NaN, which is filled later. */
static bool may_miss(const reading *in, const glnn_csv_column *of)
{
    return in->desc.missing >= GLNN_CSV_MISSING_FILL ||
           (in->desc.missing == GLNN_CSV_MISSING_REFUSE && of->missing >= GLNN_CSV_MISSING_FILL);
}

static glnn_status read_feature(reading *in, size_t column, float *value)
{
    const size_t place = in->roles.of[column].place;
    const glnn_csv_column *of = &in->table.columns.of[place];
    char *text = in->text.fields[column];
    const bool is_missing = misses(in, column);
    if (is_missing && may_miss(in, of)) {
        *value = NAN;
        ++in->table.missing_values;
        return GLNN_OK;
    }
    if (of->type != GLNN_CSV_TYPE_CATEGORY)
        return read_number(in, column, of, value);
    if (is_missing)
        return fail_missing(in, column);
    text[glnn__csv_category_length(text)] = 0;
    *value = (float)glnn__labels_find(&in->categories[place], text);
    in->table.unknown_values += *value < 0;
    return GLNN_OK;
}

static float *values_of_row(const reading *in)
{
    return in->table.values + rows_kept(in) * (size_t)in->table.columns.feature_columns;
}

static glnn_status read_field(reading *in, size_t column)
{
    static const glnn_csv_column number = {.type = GLNN_CSV_TYPE_NUMBER};
    glnn_csv *table = &in->table;
    const glnn__csv_column *of = &in->roles.of[column];
    const size_t row = (size_t)table->rows;
    switch (of->role) {
    case GLNN_CSV_ROLE_FEATURE:
        return read_feature(in, column, values_of_row(in) + of->place);
    case GLNN_CSV_ROLE_TARGET:
        return read_number(in, column, &number,
                           table->targets + row * (size_t)table->columns.targets + of->place);
    case GLNN_CSV_ROLE_LABEL:
        return read_label(in, column, &table->labels[row]);
    default:
        return GLNN_OK;
    }
}

/* ---- Rows */

/* Counts each column that misses a value of this row. */
static bool misses_value(reading *in)
{
    bool found = false;
    for (size_t c = 0; c < in->roles.count; ++c)
        if (in->roles.of[c].role != GLNN_CSV_ROLE_DROPPED && misses(in, c)) {
            ++in->missed[c];
            found = true;
        }
    return found;
}

/* Notes a failure of the rows as a problem, so that others are found too. A wrong separator is one
 * of all rows. */
static glnn_status note(reading *in, glnn_status status)
{
    if (status != GLNN_E_FORMAT || in->table.problem == GLNN_CSV_PROBLEM_SEPARATOR)
        return status;
    glnn__csv_note_problem(&in->problems, in->text.path);
    return GLNN_OK;
}

static glnn_status check_length(reading *in)
{
    if (in->text.count == in->roles.count)
        return GLNN_OK;
    glnn__csv_set_problem(&in->problems, in->roles.count, GLNN_CSV_PROBLEM_NONE);
    return glnn__rows_fail(&in->text, " has %zu column%s; the first row has %zu", in->text.count,
                           in->text.count == 1 ? "" : "s", in->roles.count);
}

static glnn_status add_row(reading *in)
{
    glnn_csv *table = &in->table;
    const int64_t problems = in->problems.count;
    GLNN__TRY(note(in, check_length(in)));
    if (in->problems.count > problems)
        return GLNN_OK;
    if (in->desc.missing == GLNN_CSV_MISSING_DROP && misses_value(in)) {
        ++table->dropped_rows;
        return GLNN_OK;
    }
    GLNN__TRY(grow(in));
    for (size_t c = 0; c < in->roles.count; ++c)
        GLNN__TRY(note(in, read_field(in, c)));
    if (in->problems.count > 0)
        return GLNN_OK;
    if (in->fit.of)
        glnn__csv_fit_add(&in->fit, values_of_row(in));
    if (in->file)
        in->file->places[table->rows] = in->place;
    ++table->rows;
    return GLNN_OK;
}

/* `real` is a label that is not an integer, or NULL. */
static glnn_status fail_labels(reading *in, bool are_numbers, const char *real)
{
    char place[GLNN__CSV_PLACE];
    size_t column = 0;
    while (in->roles.of[column].role != GLNN_CSV_ROLE_LABEL)
        ++column;
    in->table.problem = are_numbers ? GLNN_CSV_PROBLEM_REAL_LABEL : GLNN_CSV_PROBLEM_NONE;
    glnn__csv_describe(&in->roles, column, place);
    if (real)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %s cannot be the label: its values are real numbers such as "
                          "'%.60s', %d different ones; it can be a target",
                          in->text.path, place, real, in->labels.count);
    return glnn__fail(
        GLNN_E_FORMAT, "%s: %s cannot be the label: it has %d different %s in %" PRId64 " rows; %s",
        in->text.path, place, in->labels.count, are_numbers ? "numbers" : "texts", in->table.rows,
        are_numbers ? "it can be a target" : "choose a column of classes");
}

/* With more classes than this, labels that rarely repeat name rows or are measurements. */
enum { MANY_CLASSES = 100 };

/* Refuses labels that rarely repeat, and numbers that are not integers: they are not names of
 * classes. */
static glnn_status check_labels(reading *in)
{
    if (has_known_classes(in))
        return GLNN_OK;
    const char *real = NULL;
    bool are_numbers = true;
    float value;
    for (int i = 0; are_numbers && i < in->labels.count; ++i) {
        are_numbers = glnn__number_parse(in->labels.names[i], &value) == GLNN__NUMBER_FINITE;
        if (are_numbers && !real && value != truncf(value))
            real = in->labels.names[i];
    }
    const bool many =
        !in->desc.like && in->labels.count > MANY_CLASSES && in->labels.count > in->table.rows / 2;
    return (are_numbers && real) || many ? fail_labels(in, are_numbers, are_numbers ? real : NULL)
                                         : GLNN_OK;
}

/* Names the column that misses the most values. */
static glnn_status fail_dropped(const reading *in)
{
    char place[GLNN__CSV_PLACE];
    size_t most = 0;
    for (size_t c = 1; c < in->roles.count; ++c)
        most = in->missed[c] > in->missed[most] ? c : most;
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: each of the %" PRId64 " rows misses a value, and so no row is left; %s "
                      "misses %" PRId64 "; the column can be dropped, or missing values filled",
                      in->text.path, in->table.dropped_rows,
                      glnn__csv_describe(&in->roles, most, place), in->missed[most]);
}

static glnn_status check_rows(const reading *in)
{
    if (in->table.rows > 0)
        return GLNN_OK;
    if (in->table.dropped_rows > 0)
        return fail_dropped(in);
    return glnn__fail(GLNN_E_FORMAT, "%s: the table has no rows", in->text.path);
}

/* ---- Columns */

static glnn_status fail_columns(const reading *in)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu columns", in->text.path,
                      in->roles.count);
}

static glnn_status fail_no_feature(reading *in, const glnn_csv_column *found)
{
    char text[512] = "", place[GLNN__CSV_PLACE];
    size_t used = 0;
    GLNN__TRY(glnn__csv_check_separator(&in->text, &in->table.problem));
    in->table.problem = GLNN_CSV_PROBLEM_NO_FEATURE;
    for (size_t c = 0; c < in->roles.count && used + 2 * GLNN__CSV_PLACE < sizeof text; ++c)
        if (found[c].type >= GLNN_CSV_TYPE_TEXT)
            used += (size_t)snprintf(
                text + used, sizeof text - used, "%s%s is of the type %s", used > 0 ? ", " : ": ",
                glnn__csv_describe(&in->roles, c, place), glnn_csv_type_name(found[c].type));
    return glnn__fail(GLNN_E_FORMAT, "%s: no column is left for features%s", in->text.path, text);
}

/* Drops the columns that are texts or number the rows. */
static glnn_status leave_out(reading *in, const glnn_csv_column *found)
{
    glnn__csv_roles *roles = &in->roles;
    size_t next = 0;
    for (size_t c = 0; c < roles->count; ++c) {
        glnn__csv_column *of = &roles->of[c];
        if (of->role != GLNN_CSV_ROLE_FEATURE)
            continue;
        if (found[c].type < GLNN_CSV_TYPE_TEXT) {
            of->place = next++;
            continue;
        }
        of->role = GLNN_CSV_ROLE_DROPPED;
        of->place = (size_t)roles->counts[GLNN_CSV_ROLE_DROPPED]++;
        --roles->counts[GLNN_CSV_ROLE_FEATURE];
    }
    return next > 0 ? GLNN_OK : fail_no_feature(in, found);
}

/* The columns that are known are those of `like`. If only their number is, they are numbers. */
static glnn_status find_types(reading *in, glnn__rows *again, glnn_csv_column *found)
{
    const glnn_csv_columns *like = in->desc.like;
    for (size_t c = 0; like && like->count == 0 && c < in->roles.count; ++c)
        found[c] =
            (glnn_csv_column){.type = GLNN_CSV_TYPE_NUMBER, .encoding = GLNN_CSV_ENCODING_AS_IS};
    if (!like)
        GLNN__TRY(glnn__csv_find_types(again, &in->roles, &in->desc, found));
    if (!like)
        GLNN__TRY(leave_out(in, found));
    for (size_t c = 0; like && c < in->roles.count; ++c) {
        const glnn__csv_column *of = &in->roles.of[c];
        const glnn__csv_columns_of alike = glnn__csv_columns_with(like, of->role);
        if (of->role == GLNN_CSV_ROLE_FEATURE && like->count > 0 &&
            !glnn__csv_column_copy(&alike.of[of->place], &found[c]))
            return fail_columns(in);
    }
    return GLNN_OK;
}

/* Moves the columns that were found to where their roles and places say. */
static glnn_status place_columns(reading *in, glnn_csv_column *found)
{
    const glnn__csv_roles *roles = &in->roles;
    glnn_csv_columns *out = &in->table.columns;
    out->feature_columns = roles->counts[GLNN_CSV_ROLE_FEATURE];
    out->targets = roles->counts[GLNN_CSV_ROLE_TARGET];
    out->dropped = roles->counts[GLNN_CSV_ROLE_DROPPED];
    out->has_commas = in->desc.decimal == ',';
    out->features = in->desc.like && in->desc.like->count > 0 ? in->desc.like->features : 0;
    out->of = calloc(roles->count, sizeof *out->of);
    if (!out->of)
        return fail_columns(in);
    out->count = (int)roles->count;
    for (size_t c = 0; c < roles->count; ++c) {
        const glnn__csv_column *as = &roles->of[c];
        glnn_csv_column *of = &glnn__csv_columns_with(out, as->role).of[as->place];
        free(found[c].name);
        *of = found[c];
        found[c] = (glnn_csv_column){0};
        of->name = as->name ? glnn__string_copy(as->name) : NULL;
        of->position = (int)c + 1;
        of->role = as->role;
        if (as->role == GLNN_CSV_ROLE_TARGET)
            of->type = GLNN_CSV_TYPE_NUMBER;
        if (as->name && !of->name)
            return fail_columns(in);
    }
    return GLNN_OK;
}

/* Makes the categories fast to find. */
static glnn_status index_categories(reading *in)
{
    const glnn_csv_columns *columns = &in->table.columns;
    int index;
    in->categories = calloc((size_t)columns->feature_columns + 1, sizeof *in->categories);
    if (!in->categories)
        return fail_columns(in);
    for (int j = 0; j < columns->feature_columns; ++j)
        for (int i = 0; i < columns->of[j].categories; ++i) {
            const char *name = columns->of[j].category_names[i];
            GLNN__TRY(glnn__labels_index(&in->categories[j], name, &index));
            if (index != i)
                return glnn__fail(GLNN_E_ARG, "desc->like->of[%d].category_names has '%.60s' twice",
                                  j, name);
        }
    return GLNN_OK;
}

static void free_categories(glnn__labels *categories, int count)
{
    for (int j = 0; categories && j < count; ++j)
        glnn__labels_free(&categories[j]);
    free(categories);
}

static glnn_status take_columns(reading *in, glnn__rows *again)
{
    glnn_csv_column *found = calloc(in->roles.count, sizeof *found);
    in->missed = calloc(in->roles.count, sizeof *in->missed);
    if (!found || !in->missed) {
        free(found);
        return fail_columns(in);
    }
    glnn_status status = find_types(in, again, found);
    if (!status)
        status = place_columns(in, found);
    for (size_t c = 0; c < in->roles.count; ++c)
        glnn__csv_column_free(&found[c]);
    free(found);
    GLNN__TRY(status);
    GLNN__TRY(index_categories(in));
    return in->table.columns.features > 0 || in->desc.raw
               ? GLNN_OK
               : glnn__csv_fit_begin(&in->table.columns, &in->fit);
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

/* A row that cannot be divided into fields ends the problems. */
static glnn_status read_rest(reading *in, bool found)
{
    while (found) {
        GLNN__TRY(add_row(in));
        const glnn_status status = next_row(in, &found);
        if (status && in->problems.count == 0)
            return status;
        glnn__csv_set_problem(&in->problems, in->roles.count + 1, GLNN_CSV_PROBLEM_NONE);
        if (status) {
            GLNN__TRY(note(in, status));
            break;
        }
    }
    return glnn__csv_fail_problems(&in->problems, in->text.path, &in->labels, &in->table.problem);
}

static glnn_status read_rows(reading *in, glnn__rows *again)
{
    bool found;
    GLNN__TRY(next_row(in, &found));
    if (found) {
        GLNN__TRY(glnn__csv_find_roles(&in->text, &in->desc, &in->roles, &in->table.problem));
        GLNN__TRY(keep_names(in));
        GLNN__TRY(take_columns(in, again));
        if (in->roles.header)
            GLNN__TRY(next_row(in, &found));
    }
    GLNN__TRY(read_rest(in, found));
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

/* Fits the columns, unless they are those of another table. */
static glnn_status fit(reading *in)
{
    const glnn_csv_fit_desc how = {.missing = in->desc.missing, .rare = in->desc.rare};
    const glnn_status status =
        in->fit.of ? glnn__csv_fit_end(&in->fit, &how, &in->table.columns) : GLNN_OK;
    return status ? glnn__fail(status, "%s: %s", in->text.path, glnn_last_error()) : GLNN_OK;
}

/* Makes features of the raw values, which stay if the caller wants these. */
static glnn_status encode(reading *in)
{
    glnn_csv *table = &in->table;
    const size_t features = (size_t)table->columns.features;
    if (in->desc.raw)
        return GLNN_OK;
    if (glnn__csv_encodes_in_place(&table->columns))
        table->inputs = table->values;
    else
        table->inputs = malloc((size_t)table->rows * features * sizeof *table->inputs);
    if (!table->inputs)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %" PRId64 " rows of %zu features",
                          in->text.path, table->rows, features);
    glnn__csv_encode(&table->columns, table->rows, table->values, table->inputs);
    if (table->inputs != table->values)
        free(table->values);
    table->values = NULL;
    return GLNN_OK;
}

/* The file stays open, and keeps what reading its rows needs. */
static glnn_status take_file(reading *in)
{
    glnn_csv_file *file = in->file;
    free(in->table.values);
    in->table.values = NULL;
    if (!glnn__csv_columns_copy(&in->table.columns, &file->columns))
        return fail_columns(in);
    file->rows = in->table.rows;
    file->missing = in->desc.missing;
    file->is_raw = in->desc.raw;
    file->text = in->text;
    file->categories = in->categories;
    in->categories = NULL;
    return GLNN_OK;
}

static glnn_status read_table(reading *in, glnn__rows *again)
{
    glnn_csv *table = &in->table;
    GLNN__TRY(take_known_classes(in));
    GLNN__TRY(read_rows(in, again));
    GLNN__TRY(fit(in));
    GLNN__TRY(check_labels(in));
    if (table->labels && !has_known_classes(in))
        GLNN__TRY(glnn__labels_sort(&in->labels, table->labels, (size_t)table->rows));
    glnn__labels_take(&in->labels, &table->columns.classes, &table->columns.class_names);
    return in->file ? take_file(in) : encode(in);
}

static glnn_status read_text(reading *in)
{
    glnn__rows again = {0};
    if (!in->desc.like)
        GLNN__TRY(glnn__rows_open_again(&in->text, &again));
    const glnn_status status = read_table(in, &again);
    if (!in->desc.like)
        glnn__rows_close(&again);
    return status;
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
        status = read_text(in);
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
    free_categories(in.categories, in.table.columns.feature_columns);
    if (status) {
        const glnn_csv_problem problem = in.table.problem;
        glnn_csv_free(&in.table);
        in.table.problem = problem;
    }
    glnn__sized_fill(out, &in.table, sizeof in.table);
    if (!file || !file->roles.of)
        free(in.roles.of);
    free(in.missed);
    glnn__csv_fit_free(&in.fit);
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
    free_categories(file->categories, file->columns.feature_columns);
    glnn_csv_columns_free(&file->columns);
    free(file->places);
    free(file->path);
    free(file);
}

/* The raw values of the row that was read. */
static glnn_status take_values(reading *in, float *values)
{
    if (in->text.count != in->roles.count)
        return glnn__rows_fail(&in->text, " has changed since the file was opened");
    for (size_t c = 0; c < in->roles.count; ++c)
        if (in->roles.of[c].role == GLNN_CSV_ROLE_FEATURE)
            GLNN__TRY(read_feature(in, c, &values[in->roles.of[c].place]));
    return GLNN_OK;
}

static glnn_status read_samples(const glnn_csv_file *file, reading *in, const int *samples,
                                int count, float *inputs)
{
    const size_t width =
        (size_t)(file->is_raw ? file->columns.feature_columns : file->columns.features);
    for (int i = 0; i < count; ++i, inputs += width) {
        if (samples[i] < 0 || samples[i] >= file->rows)
            return glnn__fail(GLNN_E_ARG, "%s: row %d of %" PRId64, file->path, samples[i],
                              file->rows);
        const row_place *at = &file->places[samples[i]];
        GLNN__TRY(glnn__rows_read_at(&in->text, at->begin, at->size, at->line));
        GLNN__TRY(take_values(in, file->is_raw ? inputs : in->table.values));
        if (!file->is_raw)
            glnn__csv_encode(&file->columns, 1, in->table.values, inputs);
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
    reading in = {.desc.missing = of->missing,
                  .roles = of->roles,
                  .text = of->text,
                  .categories = of->categories,
                  .table.columns = of->columns};
    in.text.has_parts = false;
    in.text.text = NULL;
    in.text.fields = NULL;
    in.text.capacity = 0;
    in.table.values = malloc((size_t)of->columns.feature_columns * sizeof(float));
    const glnn_status status = in.table.values
                                   ? read_samples(of, &in, samples, count, inputs)
                                   : glnn__fail(GLNN_E_NOMEM, "%s: no memory for a row", of->path);
    free(in.table.values);
    glnn__rows_close(&in.text);
    glnn__c_locale_leave(&locale);
    return glnn__fail_in(__func__, status);
}

void glnn_csv_free(glnn_csv *csv)
{
    if (!csv)
        return;
    free(csv->inputs);
    free(csv->values);
    free(csv->targets);
    free(csv->labels);
    glnn_csv_columns_free(&csv->columns);
    glnn__sized_fill(csv, &(glnn_csv){0}, sizeof *csv);
}
