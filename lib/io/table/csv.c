#include <glnn/csv.h>

#include "base/status.h"
#include "io/table/csv_columns.h"
#include "io/table/csv_desc.h"
#include "io/table/csv_rows.h"
#include "io/table/labels.h"
#include "io/table/number.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table that is being read. */
typedef struct reading {
    glnn__csv_rows text;
    glnn_csv_desc desc;
    glnn__csv_roles roles;
    size_t capacity; /* rows that the arrays of `table` have room for     */
    glnn__labels labels;
    glnn_csv table;
} reading;

static glnn_status fail_memory(const reading *in, size_t rows)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu rows of %d features and %d targets",
                      in->text.path, rows, in->table.columns.features, in->table.columns.targets);
}

/* Makes an array larger; false where it stays as it was. */
static bool resize(void *array, size_t rows, size_t columns, size_t size)
{
    void *former, *grown;
    memcpy(&former, array, sizeof former);
    if (columns == 0)
        return true;
    grown = rows <= SIZE_MAX / columns / size ? realloc(former, rows * columns * size) : NULL;
    if (grown)
        memcpy(array, &grown, sizeof grown);
    return grown != NULL;
}

static glnn_status grow(reading *in)
{
    glnn_csv *table = &in->table;
    if (table->rows == INT_MAX)
        return glnn__fail(GLNN_E_LIMIT, "%s: line %zu is past row %d", in->text.path,
                          in->text.row_line, INT_MAX);
    if ((size_t)table->rows < in->capacity)
        return GLNN_OK;
    size_t capacity = in->capacity ? 2 * in->capacity : 256;
    if (!resize(&table->inputs, capacity, (size_t)table->columns.features, sizeof(float)) ||
        !resize(&table->targets, capacity, (size_t)table->columns.targets, sizeof(float)) ||
        !resize(&table->labels, capacity, in->roles.has_label, sizeof(int)))
        return fail_memory(in, capacity);
    in->capacity = capacity;
    return GLNN_OK;
}

/* "column 3 ('width')", in the memory of the caller. */
static const char *describe(const reading *in, size_t column, char text[96])
{
    const glnn__csv_column *of = &in->roles.of[column];
    const glnn_csv_columns *columns = &in->table.columns;
    const char *name = !in->roles.header               ? NULL
                       : of->role == GLNN__CSV_FEATURE ? columns->feature_names[of->place]
                       : of->role == GLNN__CSV_TARGET  ? columns->target_names[of->place]
                                                       : columns->label_name;
    snprintf(text, 96, name ? "column %zu ('%.60s')" : "column %zu", column + 1, name);
    return text;
}

static glnn_status fail_missing(reading *in, size_t column)
{
    const glnn__csv_role role = in->roles.of[column].role;
    const bool feature = role == GLNN__CSV_FEATURE;
    char text[96];
    in->table.problem = feature ? GLNN_CSV_PROBLEM_MISSING : GLNN_CSV_PROBLEM_UNLABELLED;
    return glnn__fail(GLNN_E_FORMAT, "%s: line %zu, %s: the %s is missing ('%s'); %s",
                      in->text.path, in->text.row_line, describe(in, column, text),
                      feature                   ? "value"
                      : role == GLNN__CSV_LABEL ? "label"
                                                : "target",
                      in->text.fields[column],
                      feature ? "such rows can be dropped, or such values filled with the mean of "
                                "their column"
                              : "such rows can be dropped");
}

/* Some programs write integers as 1.0 where a column has missing values: the label stays 1. */
static void cut_zeros(char *text)
{
    char *digits = text + (*text == '-' || *text == '+');
    char *point = digits + strspn(digits, "0123456789");
    if (point > digits && *point == '.' && point[1 + strspn(point + 1, "0")] == 0)
        *point = 0;
}

static glnn_status read_label(reading *in, size_t column, int *label)
{
    char *text = in->text.fields[column];
    if (glnn__csv_is_missing(text))
        return fail_missing(in, column);
    cut_zeros(text);
    return glnn__labels_index(&in->labels, text, label);
}

/* A missing feature becomes NaN where it is to be filled. */
static glnn_status read_number(reading *in, size_t column, bool feature, float *value)
{
    const char *text = in->text.fields[column];
    char place[96];
    const glnn__number kind = glnn__number_parse(text, value);
    if (kind == GLNN__NUMBER_FINITE)
        return GLNN_OK;
    if (!glnn__csv_is_missing(text)) {
        if (feature && kind == GLNN__NUMBER_NONE)
            in->table.problem = GLNN_CSV_PROBLEM_TEXT;
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu, %s: '%.60s' is not a finite number",
                          in->text.path, in->text.row_line, describe(in, column, place), text);
    }
    if (!feature || in->desc.missing != GLNN_CSV_MISSING_FILL)
        return fail_missing(in, column);
    *value = NAN;
    ++in->table.filled_values;
    return GLNN_OK;
}

static glnn_status read_field(reading *in, size_t column)
{
    glnn_csv *table = &in->table;
    const glnn__csv_column *of = &in->roles.of[column];
    const size_t row = (size_t)table->rows;
    switch (of->role) {
    case GLNN__CSV_FEATURE:
        return read_number(in, column, true,
                           table->inputs + row * (size_t)table->columns.features + of->place);
    case GLNN__CSV_TARGET:
        return read_number(in, column, false,
                           table->targets + row * (size_t)table->columns.targets + of->place);
    case GLNN__CSV_LABEL:
        return read_label(in, column, &table->labels[row]);
    case GLNN__CSV_LEFT_OUT:
        break;
    }
    return GLNN_OK;
}

static bool misses_value(const reading *in)
{
    for (size_t c = 0; c < in->roles.count; ++c)
        if (in->roles.of[c].role != GLNN__CSV_LEFT_OUT && glnn__csv_is_missing(in->text.fields[c]))
            return true;
    return false;
}

static glnn_status add_row(reading *in)
{
    glnn_csv *table = &in->table;
    if (in->text.count != in->roles.count)
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu has %zu column%s, but the first row has %zu",
                          in->text.path, in->text.row_line, in->text.count,
                          in->text.count == 1 ? "" : "s", in->roles.count);
    if (in->desc.missing == GLNN_CSV_MISSING_DROP && misses_value(in)) {
        table->dropped_rows += table->dropped_rows < INT_MAX;
        return GLNN_OK;
    }
    GLNN__TRY(grow(in));
    for (size_t c = 0; c < in->roles.count; ++c)
        GLNN__TRY(read_field(in, c));
    ++table->rows;
    return GLNN_OK;
}

static glnn_status fail_labels(reading *in, const char *real)
{
    char place[96];
    size_t column = 0;
    while (in->roles.of[column].role != GLNN__CSV_LABEL)
        ++column;
    in->table.problem = GLNN_CSV_PROBLEM_REAL_LABEL;
    describe(in, column, place);
    if (real)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %s cannot be the label: its values are real numbers such as "
                          "'%.60s', %d different ones; such a column is a target",
                          in->text.path, place, real, in->labels.count);
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: %s cannot be the label: it has %d different numbers in %d rows; such a "
                      "column is a target",
                      in->text.path, place, in->labels.count, in->table.rows);
}

/* From here on numbers that seldom repeat measure something, in a table that is learnt from. */
enum { MANY_CLASSES = 100 };

/* Numbers that are no integers, or hardly ever the same, measure something; they do not name
 * classes. */
static glnn_status check_labels(reading *in)
{
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

static glnn_status compute_means(const reading *in, const double *sums, const int *counts)
{
    const glnn_csv_columns *columns = &in->table.columns;
    for (int j = 0; j < columns->features; ++j) {
        if (counts[j] == 0)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: feature %d%s%.60s%s has no value to take a mean of",
                              in->text.path, j + 1, columns->feature_names ? " ('" : "",
                              columns->feature_names ? columns->feature_names[j] : "",
                              columns->feature_names ? "')" : "");
        columns->means[j] = (float)(sums[j] / counts[j]);
    }
    return GLNN_OK;
}

static glnn_status find_means(reading *in)
{
    const glnn_csv *table = &in->table;
    const size_t features = (size_t)table->columns.features;
    const glnn_csv_columns *like = in->desc.like;
    double *sums = calloc(features, sizeof *sums);
    int *counts = calloc(features, sizeof *counts);
    glnn_status status = GLNN_OK;
    in->table.columns.means = calloc(features, sizeof(float));
    if (!sums || !counts || !table->columns.means) {
        status = glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu means", in->text.path, features);
    } else if (like && like->means) {
        memcpy(table->columns.means, like->means, features * sizeof(float));
    } else {
        const float *value = table->inputs;
        for (int i = 0; i < table->rows; ++i)
            for (size_t j = 0; j < features; ++j, ++value)
                if (!isnan(*value)) {
                    sums[j] += (double)*value;
                    ++counts[j];
                }
        status = compute_means(in, sums, counts);
    }
    free(sums);
    free(counts);
    return status;
}

static void fill_missing(reading *in)
{
    const glnn_csv *table = &in->table;
    const size_t features = (size_t)table->columns.features;
    float *value = table->inputs;
    for (int i = 0; table->filled_values > 0 && i < table->rows; ++i)
        for (size_t j = 0; j < features; ++j, ++value)
            *value = isnan(*value) ? table->columns.means[j] : *value;
}

static glnn_status check_rows(const reading *in)
{
    if (in->table.rows > 0)
        return GLNN_OK;
    if (in->table.dropped_rows > 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: a value is missing in each of its %d rows",
                          in->text.path, in->table.dropped_rows);
    return glnn__fail(GLNN_E_FORMAT, "%s: holds no row of numbers", in->text.path);
}

static glnn_status read_table(reading *in)
{
    bool found;
    GLNN__TRY(glnn__csv_next(&in->text, &found));
    if (found) {
        GLNN__TRY(glnn__csv_find_columns(&in->text, &in->desc, &in->roles, &in->table.columns,
                                         &in->table.problem));
        if (in->roles.header)
            GLNN__TRY(glnn__csv_next(&in->text, &found));
    }
    while (found) {
        GLNN__TRY(add_row(in));
        GLNN__TRY(glnn__csv_next(&in->text, &found));
    }
    GLNN__TRY(check_rows(in));
    GLNN__TRY(find_means(in));
    fill_missing(in);
    GLNN__TRY(check_labels(in));
    if (in->roles.has_label)
        GLNN__TRY(glnn__labels_sort(&in->labels, in->table.labels, (size_t)in->table.rows));
    return GLNN_OK;
}

static void take_classes(reading *in)
{
    if (!in->roles.has_label)
        return;
    in->table.class_names = in->labels.names;
    in->table.classes = in->labels.count;
    in->labels.names = NULL;
    in->labels.count = 0;
}

glnn_status glnn_csv_read(const char *path, const glnn_csv_desc *desc, glnn_csv *out)
{
    if (!path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: %s is null", path ? "out" : "path");
    *out = (glnn_csv){0};
    reading in = {.desc = desc ? *desc : (glnn_csv_desc){0}};
    GLNN__TRY(glnn__csv_check_desc(&in.desc));
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn_status status =
        glnn__csv_open(path, in.desc.separator ? in.desc.separator : ',', &in.text);
    if (!status) {
        status = read_table(&in);
        glnn__csv_close(&in.text);
    }
    glnn__c_locale_leave(&locale);
    if (!status) {
        take_classes(&in);
        *out = in.table;
    } else {
        out->problem = in.table.problem;
        glnn_csv_free(&in.table);
    }
    free(in.roles.of);
    glnn__labels_free(&in.labels);
    return status;
}

static void free_texts(char **texts, int count)
{
    for (int i = 0; texts && i < count; ++i)
        free(texts[i]);
    free(texts);
}

void glnn_csv_columns_free(glnn_csv_columns *columns)
{
    if (!columns)
        return;
    free_texts(columns->feature_names, columns->features);
    free_texts(columns->target_names, columns->targets);
    free_texts(columns->dropped_names, columns->dropped);
    free(columns->label_name);
    free(columns->means);
    *columns = (glnn_csv_columns){0};
}

void glnn_csv_free(glnn_csv *csv)
{
    if (!csv)
        return;
    free(csv->inputs);
    free(csv->targets);
    free(csv->labels);
    free_texts(csv->class_names, csv->classes);
    glnn_csv_columns_free(&csv->columns);
    *csv = (glnn_csv){0};
}
