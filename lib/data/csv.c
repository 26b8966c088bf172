#include <glnn/csv.h>

#include "base/status.h"
#include "data/csv_rows.h"
#include "data/labels.h"
#include "data/number.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A table that is being read. */
typedef struct reading {
    glnn__csv_rows text;
    glnn_csv_desc desc;
    size_t columns;  /* of the first row, and so of all                   */
    size_t label;    /* the label's column; SIZE_MAX: there is none       */
    size_t capacity; /* rows that the arrays of `table` have room for     */
    glnn__labels labels;
    glnn_csv table;
} reading;

static bool has_labels(const reading *in)
{
    return in->label != SIZE_MAX;
}

static glnn_status find_label_by_name(reading *in)
{
    in->label = SIZE_MAX;
    for (size_t c = 0; c < in->columns; ++c) {
        if (strcmp(in->text.fields[c], in->desc.label_name) != 0)
            continue;
        if (has_labels(in))
            return glnn__fail(
                GLNN_E_FORMAT, "%s: line %zu: columns %zu and %zu are both named '%s'",
                in->text.path, in->text.row_line, in->label + 1, c + 1, in->desc.label_name);
        in->label = c;
    }
    if (!has_labels(in))
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu: no column is named '%s'", in->text.path,
                          in->text.row_line, in->desc.label_name);
    return GLNN_OK;
}

static glnn_status find_label(reading *in)
{
    if (in->desc.label_name)
        return find_label_by_name(in);
    if (in->desc.label_column == GLNN_CSV_NO_LABEL)
        in->label = SIZE_MAX;
    else if (in->desc.label_column == GLNN_CSV_LAST_COLUMN)
        in->label = in->columns - 1;
    else
        in->label = (size_t)in->desc.label_column;
    if (has_labels(in) && in->label >= in->columns)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: line %zu: column %zu is to be the label, but there are %zu",
                          in->text.path, in->text.row_line, in->label + 1, in->columns);
    return GLNN_OK;
}

static bool first_row_is_header(const reading *in)
{
    if (in->desc.header != GLNN_CSV_HEADER_AUTO || in->desc.label_name)
        return in->desc.header != GLNN_CSV_HEADER_NO;
    float value;
    for (size_t c = 0; c < in->columns; ++c) {
        if (c != in->label && glnn__number_parse(in->text.fields[c], &value) == GLNN__NUMBER_NONE)
            return true;
    }
    return false;
}

static glnn_status keep_feature_names(reading *in)
{
    in->table.feature_names = calloc((size_t)in->table.features, sizeof(char *));
    char **name = in->table.feature_names;
    for (size_t c = 0; name && c < in->columns; ++c) {
        if (c == in->label)
            continue;
        *name = strdup(in->text.fields[c]);
        name = *name ? name + 1 : NULL;
    }
    if (!name)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d names", in->text.path,
                          in->table.features);
    return GLNN_OK;
}

/* Leaves the first row of numbers as the row that is being read, *found false without one. */
static glnn_status start_table(reading *in, bool *found)
{
    GLNN__TRY(glnn__csv_next(&in->text, found));
    if (!*found)
        return GLNN_OK;
    in->columns = in->text.count;
    GLNN__TRY(find_label(in));
    in->table.features = (int)(in->columns - has_labels(in));
    if (in->table.features < 1)
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu: there is no column beside the label",
                          in->text.path, in->text.row_line);
    if (!first_row_is_header(in))
        return GLNN_OK;
    GLNN__TRY(keep_feature_names(in));
    return glnn__csv_next(&in->text, found);
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
    size_t row_size = (size_t)table->features * sizeof(float);
    float *inputs =
        capacity <= SIZE_MAX / row_size ? realloc(table->inputs, capacity * row_size) : NULL;
    if (inputs)
        table->inputs = inputs;
    int *labels =
        inputs && has_labels(in) ? realloc(table->labels, capacity * sizeof *labels) : NULL;
    if (labels)
        table->labels = labels;
    if (!inputs || (has_labels(in) && !labels))
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu rows of %d features", in->text.path,
                          capacity, table->features);
    in->capacity = capacity;
    return GLNN_OK;
}

static glnn_status read_number(const reading *in, size_t column, float *value)
{
    const char *text = in->text.fields[column];
    if (glnn__number_parse(text, value) != GLNN__NUMBER_FINITE)
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu, column %zu: '%.60s' is no finite number",
                          in->text.path, in->text.row_line, column + 1, text);
    return GLNN_OK;
}

static glnn_status add_row(reading *in)
{
    glnn_csv *table = &in->table;
    if (in->text.count != in->columns)
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu has %zu columns, but the first row has %zu",
                          in->text.path, in->text.row_line, in->text.count, in->columns);
    GLNN__TRY(grow(in));
    float *value = table->inputs + (size_t)table->rows * (size_t)table->features;
    for (size_t c = 0; c < in->columns; ++c) {
        if (c == in->label)
            GLNN__TRY(
                glnn__labels_index(&in->labels, in->text.fields[c], &table->labels[table->rows]));
        else
            GLNN__TRY(read_number(in, c, value++));
    }
    ++table->rows;
    return GLNN_OK;
}

static glnn_status read_table(reading *in)
{
    bool found;
    GLNN__TRY(start_table(in, &found));
    while (found) {
        GLNN__TRY(add_row(in));
        GLNN__TRY(glnn__csv_next(&in->text, &found));
    }
    if (in->table.rows == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: holds no row of numbers", in->text.path);
    if (has_labels(in))
        GLNN__TRY(glnn__labels_sort(&in->labels, in->table.labels, (size_t)in->table.rows));
    return GLNN_OK;
}

static glnn_status check_desc(const glnn_csv_desc *desc)
{
    if (desc->separator == '"' || desc->separator == '\r' || desc->separator == '\n')
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: a quote or line break cannot separate");
    if ((unsigned)desc->header > GLNN_CSV_HEADER_NO)
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: there is no choice %d for the header",
                          (int)desc->header);
    if (desc->label_column < GLNN_CSV_LAST_COLUMN)
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: there is no column %d", desc->label_column);
    if (desc->label_name && desc->header == GLNN_CSV_HEADER_NO)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_csv_read: the label's column is named '%s', but without a header "
                          "columns have no names",
                          desc->label_name);
    return GLNN_OK;
}

glnn_status glnn_csv_read(const char *path, const glnn_csv_desc *desc, glnn_csv *out)
{
    if (!path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_csv_read: %s is null", path ? "out" : "path");
    *out = (glnn_csv){0};
    reading in = {.desc = desc ? *desc : (glnn_csv_desc){0}};
    GLNN__TRY(check_desc(&in.desc));
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
        *out = in.table;
        if (has_labels(&in)) {
            out->class_names = in.labels.names;
            out->classes = in.labels.count;
            in.labels.names = NULL;
            in.labels.count = 0;
        }
    } else {
        glnn_csv_free(&in.table);
    }
    glnn__labels_free(&in.labels);
    return status;
}

static void free_texts(char **texts, int count)
{
    for (int i = 0; texts && i < count; ++i)
        free(texts[i]);
    free(texts);
}

void glnn_csv_free(glnn_csv *csv)
{
    if (!csv)
        return;
    free(csv->inputs);
    free(csv->labels);
    free_texts(csv->class_names, csv->classes);
    free_texts(csv->feature_names, csv->features);
    *csv = (glnn_csv){0};
}
