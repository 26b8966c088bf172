#include "table.h"

#include <glnn/csv.h>
#include <glnn/npy.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

bool path_is_npy(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

void table_free(table *of)
{
    free(of->inputs);
    free(of->labels);
    classes_free(&of->classes);
    *of = (table){0};
}

static bool make_room(const char *path, int rows, int features, bool labelled, table *out)
{
    size_t elements = (size_t)rows * (size_t)features;
    out->rows = rows;
    out->features = features;
    out->inputs = malloc(elements * sizeof *out->inputs);
    out->labels = labelled ? malloc((size_t)rows * sizeof *out->labels) : NULL;
    return (out->inputs != NULL && (out->labels != NULL || !labelled)) ||
           refuse("%s: no memory for %zu numbers", path, elements);
}

static bool copy_csv(const char *path, const glnn_csv *csv, table *out)
{
    if (!make_room(path, csv->rows, csv->features, csv->labels != NULL, out))
        return false;
    memcpy(out->inputs, csv->inputs,
           (size_t)csv->rows * (size_t)csv->features * sizeof *out->inputs);
    if (csv->labels)
        memcpy(out->labels, csv->labels, (size_t)csv->rows * sizeof *out->labels);
    for (int i = 0; i < csv->classes; ++i)
        if (classes_add(&out->classes, csv->class_names[i]) < 0)
            return false;
    return true;
}

static bool read_csv(const char *path, const table_format *format, table *out)
{
    glnn_csv_desc desc = {.separator = format->separator[0]};
    glnn_csv csv;
    if (format->separator[1] != '\0')
        return refuse("--separator '%s': it is one character", format->separator);
    if (strcmp(format->label, "last") == 0)
        desc.label_column = GLNN_CSV_LAST_COLUMN;
    else if (strcmp(format->label, "none") == 0)
        desc.label_column = GLNN_CSV_NO_LABEL;
    else if (strcmp(format->label, "first") != 0)
        desc.label_name = format->label;
    if (glnn_csv_read(path, &desc, &csv) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    bool done = copy_csv(path, &csv, out);
    glnn_csv_free(&csv);
    return done;
}

static bool check_finite(const char *path, const table *of)
{
    for (int row = 0; row < of->rows; ++row)
        for (int column = 0; column < of->features; ++column) {
            double value = (double)of->inputs[(size_t)row * (size_t)of->features + (size_t)column];
            if (!isfinite(value))
                return refuse("%s: row %d, column %d (from 0) is %f, not a finite number", path,
                              row, column, value);
        }
    return true;
}

static bool convert_inputs(const char *path, const glnn_npy *npy, bool labelled, table *out)
{
    if (npy->rows > INT_MAX || npy->columns > INT_MAX)
        return refuse("%s: %zu samples of %zu features are more than this program takes", path,
                      npy->rows, npy->columns);
    if (!make_room(path, (int)npy->rows, (int)npy->columns, labelled, out))
        return false;
    if (glnn_npy_floats(npy, 1.0f, out->inputs) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    return check_finite(path, out);
}

static int compare(const void *a, const void *b)
{
    const int *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Classes are the different numbers in ascending order, named by them. */
static bool name_labels(const char *path, table *out)
{
    const size_t rows = (size_t)out->rows;
    int *sorted = malloc(rows * sizeof *sorted), distinct = 0;
    bool done = sorted != NULL || refuse("%s: no memory for %zu labels", path, rows);
    if (done) {
        memcpy(sorted, out->labels, rows * sizeof *sorted);
        qsort(sorted, rows, sizeof *sorted, compare);
        for (size_t i = 0; i < rows; ++i)
            if (i == 0 || sorted[i] != sorted[i - 1])
                sorted[distinct++] = sorted[i];
    }
    for (int i = 0; done && i < distinct; ++i) {
        char name[16];
        snprintf(name, sizeof name, "%d", sorted[i]);
        done = classes_add(&out->classes, name) >= 0;
    }
    for (size_t i = 0; done && i < rows; ++i) {
        const int *found =
            bsearch(&out->labels[i], sorted, (size_t)distinct, sizeof *sorted, compare);
        out->labels[i] = (int)(found - sorted);
    }
    free(sorted);
    return done;
}

static bool convert_labels(const char *path, const char *inputs, const glnn_npy *npy, table *out)
{
    if (npy->rows != (size_t)out->rows)
        return refuse("%s: %zu labels, but %s has %d samples", path, npy->rows, inputs, out->rows);
    if (glnn_npy_labels(npy, INT_MAX, out->labels) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    return name_labels(path, out);
}

static bool read_npy(const char *path, const char *labels, table *out)
{
    glnn_npy npy;
    if (glnn_npy_read(path, &npy) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    bool done = convert_inputs(path, &npy, labels != NULL, out);
    glnn_npy_free(&npy);
    if (!done || labels == NULL)
        return done;
    if (glnn_npy_read(labels, &npy) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    done = convert_labels(labels, path, &npy, out);
    glnn_npy_free(&npy);
    return done;
}

bool table_read(const char *path, const char *labels, const table_format *format, table *out)
{
    *out = (table){0};
    bool done = path_is_npy(path) ? read_npy(path, labels, out) : read_csv(path, format, out);
    if (!done)
        table_free(out);
    return done;
}
