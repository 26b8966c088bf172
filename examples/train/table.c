#include "table.h"

#include <glnn/npy.h>

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"

bool path_is_npy(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

void table_free(table *of)
{
    free(of->inputs);
    free(of->targets);
    free(of->labels);
    classes_free(&of->classes);
    glnn_csv_columns_free(&of->columns);
    *of = (table){0};
}

/* The texts of a list that is separated by commas. */
typedef struct text_list {
    int count;
    char *copy;
    const char **texts;
} text_list;

static bool split_list(const char *list, text_list *out)
{
    size_t most = 1;
    for (const char *c = list ? list : ""; *c; ++c)
        most += *c == ',';
    *out = (text_list){.copy = strdup(list ? list : ""), .texts = calloc(most, sizeof *out->texts)};
    if (out->copy == NULL || out->texts == NULL)
        return refuse("no memory for %zu names", most);
    char *rest = NULL;
    for (char *text = strtok_r(out->copy, ",", &rest); text; text = strtok_r(NULL, ",", &rest))
        out->texts[out->count++] = text;
    return true;
}

static void free_list(text_list *list)
{
    free(list->copy);
    free(list->texts);
}

static bool find_separator(const char *text, char *separator)
{
    const bool tab = strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0;
    *separator = tab ? '\t' : text[0];
    return tab || text[1] == '\0' || refuse("--separator '%s': it is one character, or tab", text);
}

static const char *label_of(const table_format *format)
{
    if (format->label == NULL)
        return format->targets ? NULL : "last";
    return strcmp(format->label, "none") == 0 ? NULL : format->label;
}

/* Adds the option that lets the program read the file to the sentence of the library. */
static bool refuse_csv(glnn_csv_problem problem)
{
    static const char *const options[] = {
        [GLNN_CSV_PROBLEM_NONE] = "",
        [GLNN_CSV_PROBLEM_HEADER] = ": --header yes or --header no, or another --label",
        [GLNN_CSV_PROBLEM_MISSING] = ": --missing drop or --missing fill",
        [GLNN_CSV_PROBLEM_UNLABELLED] = ": --missing drop",
        [GLNN_CSV_PROBLEM_REAL_LABEL] = ": --target instead of --label",
        [GLNN_CSV_PROBLEM_SEPARATOR] = ": --separator tab, ';', '|' or ','",
        [GLNN_CSV_PROBLEM_TEXT] = ": --drop leaves a column out",
        [GLNN_CSV_PROBLEM_ADDITIONAL] = ": --drop leaves columns out"};
    return refuse("%s%s", glnn_last_error(), options[problem]);
}

/* Moves the arrays of the library into a table. */
static bool take_csv(const char *path, glnn_csv *csv, table *out)
{
    if (csv->rows > INT_MAX)
        return refuse("%s: %" PRId64 " rows are more than this program takes", path, csv->rows);
    out->rows = (int)csv->rows;
    out->inputs = csv->inputs;
    out->targets = csv->targets;
    out->labels = csv->labels;
    out->columns = csv->columns;
    out->dropped_rows = csv->dropped_rows;
    out->filled_values = csv->filled_values;
    csv->inputs = csv->targets = NULL;
    csv->labels = NULL;
    csv->columns = (glnn_csv_columns){0};
    for (int i = 0; i < csv->classes; ++i)
        if (classes_add(&out->classes, csv->class_names[i]) < 0)
            return false;
    return true;
}

/* The targets of a file have to be those of the model. */
static bool check_targets(const char *path, const glnn_csv_columns *like, int targets)
{
    return like == NULL || targets == 0 || targets == like->targets ||
           refuse("%s: --target names %d column%s, but the model has %d target%s", path, targets,
                  targets == 1 ? "" : "s", like->targets, like->targets == 1 ? "" : "s");
}

static bool read_csv(const char *path, const table_format *format, const glnn_csv_columns *like,
                     table *out)
{
    text_list targets, dropped = {0};
    glnn_csv_desc desc = {.header = format->header,
                          .missing = format->missing,
                          .label = label_of(format),
                          .like = like};
    glnn_csv csv = {.size = sizeof csv};
    bool done = split_list(format->targets, &targets) && split_list(format->drop, &dropped) &&
                find_separator(format->separator, &desc.separator);
    desc.targets = targets.texts;
    desc.target_count = targets.count;
    desc.dropped = dropped.texts;
    desc.dropped_count = dropped.count;
    done = done && check_targets(path, like, targets.count);
    if (done) {
        done = glnn_csv_read(path, &desc, &csv) == GLNN_OK ? take_csv(path, &csv, out)
                                                           : refuse_csv(csv.problem);
        glnn_csv_free(&csv);
    }
    free_list(&targets);
    free_list(&dropped);
    return done;
}

static bool make_room(const char *path, int rows, int features, bool labelled, table *out)
{
    size_t elements = (size_t)rows * (size_t)features;
    out->rows = rows;
    out->columns.features = features;
    out->inputs = malloc(elements * sizeof *out->inputs);
    out->labels = labelled ? malloc((size_t)rows * sizeof *out->labels) : NULL;
    return (out->inputs != NULL && (out->labels != NULL || !labelled)) ||
           refuse("%s: no memory for %zu numbers", path, elements);
}

static bool check_finite(const char *path, const table *of)
{
    for (int row = 0; row < of->rows; ++row)
        for (int column = 0; column < of->columns.features; ++column) {
            double value =
                (double)of->inputs[(size_t)row * (size_t)of->columns.features + (size_t)column];
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
    if (glnn_npy_get_floats(npy, 1.0f, out->inputs) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    return check_finite(path, out);
}

static int compare(const void *a, const void *b)
{
    const int *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Each different number becomes a class with that name, in ascending order. */
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
    if (glnn_npy_get_labels(npy, INT_MAX, out->labels) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    return name_labels(path, out);
}

static bool read_npy(const char *path, const char *labels, const glnn_csv_columns *like, table *out)
{
    glnn_npy npy = {.size = sizeof npy};
    if (glnn_npy_read(path, &npy) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    bool done = like == NULL || npy.columns == (size_t)like->features ||
                refuse("%s has %zu columns of features, but there should be %d", path, npy.columns,
                       like->features);
    done = done && convert_inputs(path, &npy, labels != NULL, out);
    glnn_npy_free(&npy);
    if (!done || labels == NULL)
        return done;
    if (glnn_npy_read(labels, &npy) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    done = convert_labels(labels, path, &npy, out);
    glnn_npy_free(&npy);
    return done;
}

bool table_read(const char *path, const char *labels, const table_format *format,
                const glnn_csv_columns *like, table *out)
{
    *out = (table){0};
    bool done =
        path_is_npy(path) ? read_npy(path, labels, like, out) : read_csv(path, format, like, out);
    if (!done)
        table_free(out);
    return done;
}
