#include "table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "columns.h"
#include "common/failure.h"
#include "common/folder.h"
#include "stored.h"

bool path_is_npy(const char *path)
{
    return path_ends(path, ".npy");
}

void table_free(table *of)
{
    free(of->inputs);
    free(of->targets);
    free(of->labels);
    free(of->weights);
    stored_release(of->file);
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
    size_t most = 2; /* the caller may add the weights */
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
    return tab || text[1] == '\0' || refuse("--separator '%s': give one character, or tab", text);
}

static bool find_decimal(const char *text, char separator, char *decimal)
{
    const bool is_comma = text && strcmp(text, ",") == 0;
    *decimal = is_comma ? ',' : 0;
    if (text && !is_comma && strcmp(text, ".") != 0)
        return refuse("--decimal '%s': give a point or a comma", text);
    return !is_comma || separator != ',' ||
           refuse("--decimal ,: commas are the separator too; use --separator");
}

static const char *label_of(const table_format *format)
{
    if (format->label == NULL)
        return format->targets ? NULL : "last";
    return strcmp(format->label, "none") == 0 ? NULL : format->label;
}

/* The options that let the program read a file, by the problem that the library found. */
static const char *const remedies[GLNN_CSV_PROBLEM_COUNT] = {
    [GLNN_CSV_PROBLEM_HEADER] = "use --header yes, --header no or another --label",
    [GLNN_CSV_PROBLEM_MISSING] = "use --missing drop, fill, indicator or category",
    [GLNN_CSV_PROBLEM_UNLABELLED] = "use --missing drop",
    [GLNN_CSV_PROBLEM_REAL_LABEL] = "use --target instead of --label",
    [GLNN_CSV_PROBLEM_SEPARATOR] = "use --separator tab, ';', '|' or ','",
    [GLNN_CSV_PROBLEM_TEXT] =
        "use --type NAME=category to make a column a category, --drop to leave it out, or "
        "--decimal , if numbers have decimal commas; if a text means a missing value, leave the "
        "field empty",
    [GLNN_CSV_PROBLEM_DATE] =
        "use --type NAME=category to make a column a category, or --drop to leave it out",
    [GLNN_CSV_PROBLEM_ADDITIONAL] =
        "use --drop to leave columns out, or --label COLUMN if one of them has the labels",
    [GLNN_CSV_PROBLEM_NO_HEADER] =
        "name columns by position, as in --label last, or add the header to the file",
    [GLNN_CSV_PROBLEM_NO_FEATURE] = "use --type NAME=category to make a text a category"};

/* Those that differ if a saved model fixes the columns and their types. */
static const char *const remedies_for_model[GLNN_CSV_PROBLEM_COUNT] = {
    [GLNN_CSV_PROBLEM_MISSING] = "use --missing fill, as the model has a value for this, or drop",
    [GLNN_CSV_PROBLEM_UNLABELLED] =
        "use --label none to predict without labels or targets, or --missing drop",
    [GLNN_CSV_PROBLEM_REAL_LABEL] = "use --label COLUMN, or --label none if the file has no labels",
    [GLNN_CSV_PROBLEM_TEXT] =
        "the model was trained with numbers in this column: correct the fields, leave them empty "
        "and use --missing fill, or use --decimal , if numbers have decimal commas",
    [GLNN_CSV_PROBLEM_DATE] =
        "the model was trained with such dates in this column: correct the fields, or leave them "
        "empty and use --missing fill"};

/* Adds them to the sentence of the library. */
static bool refuse_csv(glnn_csv_problem problem, const table_format *format)
{
    const char *special = format->is_for_model ? remedies_for_model[problem] : NULL;
    const char *remedy = special ? special : remedies[problem];
    /* Texts may be the labels if the user has not said which column these are. */
    const bool may_be_labels =
        problem == GLNN_CSV_PROBLEM_NO_FEATURE && !format->label && !format->targets;
    /* The library reads weights as a target. */
    const bool may_be_weight =
        format->weights && strstr(glnn_last_error(), "the target is missing");
    return refuse("%s%s%s%s%s%s%s", glnn_last_error(), remedy ? "; " : "", remedy ? remedy : "",
                  may_be_labels ? ", or --label COLUMN if these are the labels" : "",
                  may_be_weight ? "; if the column is that of --sample-weights, '" : "",
                  may_be_weight ? format->weights : "",
                  may_be_weight ? "', the target is the weight of a sample" : "");
}

/* Moves the arrays of the library into a table. */
static bool take_csv(const char *path, glnn_csv *csv, table *out)
{
    if (csv->rows > INT_MAX)
        return refuse("%s: %" PRId64 " rows; this program takes at most 2147483647", path,
                      csv->rows);
    out->rows = (int)csv->rows;
    out->inputs = csv->values;
    out->targets = csv->targets;
    out->labels = csv->labels;
    out->columns = csv->columns;
    out->dropped_rows = csv->dropped_rows;
    csv->values = csv->targets = NULL;
    csv->labels = NULL;
    csv->columns = (glnn_csv_columns){0};
    classes_take(&out->columns, &out->classes);
    return true;
}

/* The weights were read as the last target. Their column becomes a dropped one, so that models and
 * other tables know that it is not a feature. */
static bool take_weights(table *out)
{
    glnn_csv_columns *columns = &out->columns;
    const size_t rows = (size_t)out->rows, targets = (size_t)columns->targets;
    float *others = targets > 1 ? malloc(rows * (targets - 1) * sizeof *others) : NULL;
    out->weights = malloc(rows * sizeof *out->weights);
    if (out->weights == NULL || (targets > 1 && others == NULL)) {
        free(others);
        return refuse("no memory for the weights of %d samples", out->rows);
    }
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j + 1 < targets; ++j)
            others[i * (targets - 1) + j] = out->targets[i * targets + j];
        out->weights[i] = out->targets[i * targets + targets - 1];
    }
    free(out->targets);
    out->targets = others;
    /* Dropped columns follow the last target. */
    columns->of[columns->count - columns->dropped - 1].role = GLNN_CSV_ROLE_DROPPED;
    --columns->targets;
    ++columns->dropped;
    return true;
}

/* The targets of a file have to be those of the model. */
static bool check_targets(const char *path, const glnn_csv_columns *like, int targets)
{
    return like == NULL || targets == 0 || targets == like->targets ||
           refuse("%s: --target names %d column%s, but the model has %d target%s", path, targets,
                  targets == 1 ? "" : "s", like->targets, like->targets == 1 ? "" : "s");
}

static int compare_columns(const void *left, const void *right)
{
    const glnn_csv_column *a = *(const glnn_csv_column *const *)left,
                          *b = *(const glnn_csv_column *const *)right;
    const int by_name = strcmp(a->name, b->name);
    return by_name != 0 ? by_name : a->position - b->position;
}

/* A model finds columns by their names, so only columns that are left out may share one. */
static bool check_names(const char *path, const glnn_csv_columns *of)
{
    bool done = true;
    if (of->count == 0 || of->of[0].name == NULL)
        return true;
    const glnn_csv_column **sorted = malloc((size_t)of->count * sizeof *sorted);
    if (sorted == NULL)
        return refuse("no memory for the names of %d columns", of->count);
    for (int i = 0; i < of->count; ++i)
        sorted[i] = &of->of[i];
    qsort(sorted, (size_t)of->count, sizeof *sorted, compare_columns);
    for (int i = 1; done && i < of->count; ++i) {
        const glnn_csv_column *a = sorted[i - 1], *b = sorted[i];
        const bool are_left_out =
            a->role == GLNN_CSV_ROLE_DROPPED && b->role == GLNN_CSV_ROLE_DROPPED;
        if (!are_left_out && strcmp(a->name, b->name) == 0)
            done = refuse("%s: columns %d and %d have the same name '%.60s', so the model could "
                          "not tell them apart in other tables; rename one in the file, or leave "
                          "both out by --drop %d,%d",
                          path, a->position, b->position, a->name, a->position, b->position);
    }
    free(sorted);
    return done;
}

/* Opens the file if its inputs stay there. */
static glnn_status read_file(const char *path, const glnn_csv_desc *desc, stored *file,
                             glnn_csv *csv)
{
    return file ? glnn_csv_file_open(path, desc, csv, &file->table)
                : glnn_csv_read(path, desc, csv);
}

/* This program numbers classes itself, because those of the test may be unknown, and fits the
 * columns itself, once it has divided the samples. */
static bool read_csv(const char *path, const table_format *format, const glnn_csv_columns *like,
                     table *out)
{
    text_list targets, dropped = {0};
    column_choices choices = {0};
    glnn_csv_desc desc = {.header = format->header,
                          .missing = format->missing,
                          .label = label_of(format),
                          .like = like,
                          .encoding = format->encoding > 0 ? GLNN_CSV_ENCODING_ORDINAL
                                                           : GLNN_CSV_ENCODING_ONE_HOT,
                          .raw = true};
    glnn_csv csv = {.size = sizeof csv};
    bool done = split_list(format->targets, &targets) && split_list(format->drop, &dropped) &&
                column_choices_read(like ? NULL : format->types, &choices) &&
                find_separator(format->separator, &desc.separator) &&
                find_decimal(format->decimal, desc.separator, &desc.decimal);
    done = done && check_targets(path, like, targets.count);
    if (done && format->weights) {
        text_list *list = like ? &dropped : &targets;
        list->texts[list->count++] = format->weights;
    }
    desc.targets = targets.texts;
    desc.target_count = targets.count;
    desc.dropped = dropped.texts;
    desc.dropped_count = dropped.count;
    desc.choices = choices.of;
    desc.choice_count = choices.count;
    done = done && (!format->stays || (out->file = stored_new()) != NULL);
    if (done) {
        const glnn_status status = read_file(path, &desc, out->file, &csv);
        done = status == GLNN_OK ? take_csv(path, &csv, out) : refuse_csv(csv.problem, format);
        done = done && (format->weights == NULL || like || take_weights(out)) &&
               (like || check_names(path, &out->columns));
        glnn_csv_free(&csv);
    }
    free_list(&targets);
    free_list(&dropped);
    column_choices_free(&choices);
    return done;
}

bool table_read(const char *path, const char *labels, const table_format *format,
                const glnn_csv_columns *like, table *out)
{
    *out = (table){0};
    bool done = path_is_npy(path) ? array_read(path, labels, format->shape, like, out)
                                  : read_csv(path, format, like, out);
    if (!done)
        table_free(out);
    return done;
}
