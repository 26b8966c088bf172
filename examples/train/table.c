#include "table.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
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
    size_t most = 2; /* one more, which the caller may add */
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
        [GLNN_CSV_PROBLEM_HEADER] = "; use --header yes, --header no or another --label",
        [GLNN_CSV_PROBLEM_MISSING] = "; use --missing drop or --missing fill",
        [GLNN_CSV_PROBLEM_UNLABELLED] = "; use --missing drop",
        [GLNN_CSV_PROBLEM_REAL_LABEL] = "; use --target instead of --label",
        [GLNN_CSV_PROBLEM_SEPARATOR] = "; use --separator tab, ';', '|' or ','",
        [GLNN_CSV_PROBLEM_TEXT] = "; use --drop to leave columns out",
        [GLNN_CSV_PROBLEM_ADDITIONAL] = "; use --drop to leave columns out",
        [GLNN_CSV_PROBLEM_CLASS] = ""};
    return refuse("%s%s", glnn_last_error(), options[problem]);
}

/* Moves the arrays of the library into a table. */
static bool take_csv(const char *path, glnn_csv *csv, table *out)
{
    if (csv->rows > INT_MAX)
        return refuse("%s: %" PRId64 " rows; this program takes at most 2147483647", path,
                      csv->rows);
    out->rows = (int)csv->rows;
    out->inputs = csv->inputs;
    out->targets = csv->targets;
    out->labels = csv->labels;
    out->columns = csv->columns;
    out->dropped_rows = csv->dropped_rows;
    out->missing_values = csv->missing_values;
    csv->inputs = csv->targets = NULL;
    csv->labels = NULL;
    csv->columns = (glnn_csv_columns){0};
    classes_take(&out->columns, &out->classes);
    return true;
}

/* The targets of a file have to be those of the model. */
static bool check_targets(const char *path, const glnn_csv_columns *like, int targets)
{
    return like == NULL || targets == 0 || targets == like->targets ||
           refuse("%s: --target names %d column%s, but the model has %d target%s", path, targets,
                  targets == 1 ? "" : "s", like->targets, like->targets == 1 ? "" : "s");
}

/* A name, in letters of any case, that tables give to the number of a row. */
static bool is_name_of_numbers(const char *name)
{
    static const char *const names[] = {"",   "id",    "index",     "row",
                                        "no", "rowid", "rownumber", "unnamed0"};
    char letters[16];
    size_t count = 0;
    for (; *name; ++name)
        if (isalnum((unsigned char)*name) && count + 1 < sizeof letters)
            letters[count++] = (char)tolower((unsigned char)*name);
    letters[count] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(letters, names[i]) == 0)
            return true;
    return false;
}

/* The name of the feature that numbers the rows; NULL: no header, or another column has it too. */
static const char *name_of_numbers(const glnn_csv *csv)
{
    const glnn_csv_columns *of = &csv->columns;
    int feature = csv->row_numbers - 1, equal = 0;
    if (of->feature_names == NULL)
        return NULL;
    for (int i = 0; i < 1 + of->targets + of->dropped; ++i)
        feature -= of->places[i] > 0 && of->places[i] < csv->row_numbers;
    const char *name = of->feature_names[feature];
    for (int i = 0; i < of->features; ++i)
        equal += strcmp(of->feature_names[i], name) == 0;
    for (int i = 0; i < of->targets; ++i)
        equal += strcmp(of->target_names[i], name) == 0;
    for (int i = 0; i < of->dropped; ++i)
        equal += strcmp(of->dropped_names[i], name) == 0;
    return equal == 1 && (of->label_name == NULL || strcmp(of->label_name, name) != 0) ? name
                                                                                       : NULL;
}

/* Notes the column that numbers the rows. If its name says so too, it is left out. */
static void judge_row_numbers(const glnn_csv *csv, row_numbers *out)
{
    const char *name = name_of_numbers(csv);
    out->column = csv->row_numbers;
    out->left_out = name && is_name_of_numbers(name) && csv->columns.features > 1;
    snprintf(out->name, sizeof out->name, "%s", name ? name : "");
}

/* Reads a training table again where a column only numbers its rows. */
static glnn_status read_features(const char *path, glnn_csv_desc *desc, text_list *dropped,
                                 bool keep, row_numbers *numbers, glnn_csv *csv)
{
    glnn_status status = glnn_csv_read(path, desc, csv);
    if (status || desc->like || csv->row_numbers == 0)
        return status;
    judge_row_numbers(csv, numbers);
    numbers->left_out = numbers->left_out && !keep;
    if (!numbers->left_out)
        return status;
    glnn_csv_free(csv);
    dropped->texts[dropped->count++] = numbers->name;
    desc->dropped_count = dropped->count;
    return glnn_csv_read(path, desc, csv);
}

/* This program numbers classes itself, because those of the test may be unknown, and fills missing
 * values itself, once it has divided the samples. */
static bool read_csv(const char *path, const table_format *format, const glnn_csv_columns *like,
                     table *out)
{
    const bool fills = format->missing == GLNN_CSV_MISSING_FILL;
    const bool keep = format->drop && strcmp(format->drop, "none") == 0;
    text_list targets, dropped = {0};
    glnn_csv_desc desc = {.header = format->header,
                          .missing = fills ? GLNN_CSV_MISSING_KEEP : format->missing,
                          .label = label_of(format),
                          .like = like};
    glnn_csv csv = {.size = sizeof csv};
    bool done = split_list(format->targets, &targets) &&
                split_list(keep ? NULL : format->drop, &dropped) &&
                find_separator(format->separator, &desc.separator);
    desc.targets = targets.texts;
    desc.target_count = targets.count;
    desc.dropped = dropped.texts;
    desc.dropped_count = dropped.count;
    done = done && check_targets(path, like, targets.count);
    if (done) {
        const glnn_status status = read_features(path, &desc, &dropped, keep, &out->numbers, &csv);
        done = status == GLNN_OK ? take_csv(path, &csv, out) : refuse_csv(csv.problem);
        glnn_csv_free(&csv);
    }
    free_list(&targets);
    free_list(&dropped);
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
