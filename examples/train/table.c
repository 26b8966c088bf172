#include "table.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "array.h"
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
    size_t most = 2 + ROW_NUMBERS; /* the caller may add the weights and row numbers */
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

/* Adds the option that lets the program read the file to the sentence of the library. */
static bool refuse_csv(glnn_csv_problem problem, const table_format *format)
{
    static const char *const options[] = {
        [GLNN_CSV_PROBLEM_NONE] = "",
        [GLNN_CSV_PROBLEM_HEADER] = "; use --header yes, --header no or another --label",
        [GLNN_CSV_PROBLEM_MISSING] = "; use --missing drop or --missing fill",
        [GLNN_CSV_PROBLEM_UNLABELLED] = "; use --missing drop",
        [GLNN_CSV_PROBLEM_REAL_LABEL] = "; use --target instead of --label",
        [GLNN_CSV_PROBLEM_SEPARATOR] = "; use --separator tab, ';', '|' or ','",
        [GLNN_CSV_PROBLEM_TEXT] =
            "; use --drop to leave columns out, or --decimal , if numbers have decimal commas",
        [GLNN_CSV_PROBLEM_ADDITIONAL] = "; use --drop to leave columns out",
        [GLNN_CSV_PROBLEM_CLASS] = "",
        [GLNN_CSV_PROBLEM_NO_HEADER] =
            "; name columns by position, as in --label last, or add the header to the file"};
    /* Texts may be the labels if the user has not said which column these are. */
    if (problem == GLNN_CSV_PROBLEM_TEXT && !format->label && !format->targets)
        return refuse("%s; use --label COLUMN if these are the labels, or --drop to leave columns "
                      "out",
                      glnn_last_error());
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

/* The weights were read as the last target. Their column becomes a dropped one, so that models and
 * other tables know that it is not a feature. */
static bool take_weights(table *out)
{
    glnn_csv_columns *columns = &out->columns;
    const size_t rows = (size_t)out->rows, targets = (size_t)columns->targets;
    float *others = targets > 1 ? malloc(rows * (targets - 1) * sizeof *others) : NULL;
    char **dropped = malloc(((size_t)columns->dropped + 1) * sizeof *dropped);
    out->weights = malloc(rows * sizeof *out->weights);
    if (out->weights == NULL || dropped == NULL || (targets > 1 && others == NULL)) {
        free(others);
        free(dropped);
        return refuse("no memory for the weights of %d samples", out->rows);
    }
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j + 1 < targets; ++j)
            others[i * (targets - 1) + j] = out->targets[i * targets + j];
        out->weights[i] = out->targets[i * targets + targets - 1];
    }
    free(out->targets);
    out->targets = others;
    --columns->targets;
    if (columns->target_names) {
        dropped[0] = columns->target_names[columns->targets];
        for (int i = 0; i < columns->dropped; ++i)
            dropped[i + 1] = columns->dropped_names[i];
        free(columns->dropped_names);
        columns->dropped_names = dropped;
    } else {
        free(dropped);
    }
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

/* The last word of a name is one that tables give to the numbers of their rows, as in "PassengerId"
 * and "row_number", or the name is one that programs give to a column without a name. */
static bool is_name_of_numbers(const char *name)
{
    static const char *const words[] = {"", "id", "index", "row", "no", "nr", "number", "rowid"};
    size_t end = strlen(name);
    while (end > 0 && !isalnum((unsigned char)name[end - 1]))
        --end;
    size_t start = end;
    while (start > 0 && isalnum((unsigned char)name[start - 1]) &&
           !(isupper((unsigned char)name[start]) && islower((unsigned char)name[start - 1])))
        --start;
    bool found = strncasecmp(name, "unnamed", 7) == 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        found = found || (strlen(words[i]) == end - start &&
                          strncasecmp(words[i], name + start, end - start) == 0);
    return found;
}

static int count_equal(char *const *names, int count, const char *name)
{
    int equal = 0;
    for (int i = 0; i < count; ++i)
        equal += strcmp(names[i], name) == 0;
    return equal;
}

/* The name of a feature by which it can be dropped; NULL: there is no header, or another column has
 * the same name. */
static const char *name_of_feature(const glnn_csv_columns *of, int feature)
{
    const char *name = of->feature_names ? of->feature_names[feature] : NULL;
    const int label = name && of->label_name && strcmp(of->label_name, name) == 0;
    return name && count_equal(of->feature_names, of->features, name) +
                           count_equal(of->target_names, of->targets, name) +
                           count_equal(of->dropped_names, of->dropped, name) + label ==
                       1
               ? name
               : NULL;
}

/* The position of a feature from 1. */
static int place_of_feature(const glnn_csv_columns *of, int feature)
{
    int place = 0;
    for (int left = feature; left >= 0;) {
        bool other = false;
        ++place;
        for (int i = 0; i < 1 + of->targets + of->dropped; ++i)
            other = other || of->places[i] == place;
        left -= !other;
    }
    return place;
}

/* Divides the features that number the rows into those that are left out, because their names say
 * so too, and others. */
static void judge_row_numbers(const glnn_csv *csv, row_numbers *out)
{
    char *const *names = csv->columns.feature_names;
    for (int j = 0; j < csv->columns.features; ++j) {
        const char *name = name_of_feature(&csv->columns, j);
        if (!csv->row_numbers[j])
            continue;
        if (name && is_name_of_numbers(name) && strlen(name) < sizeof out->names[0] &&
            out->left_out < ROW_NUMBERS) {
            strcpy(out->names[out->left_out++], name);
        } else if (out->kept == 0) {
            out->kept = place_of_feature(&csv->columns, j);
            snprintf(out->kept_name, sizeof out->kept_name, "%s", names ? names[j] : "");
        }
    }
    if (out->left_out == csv->columns.features)
        out->left_out = 0;
}

/* Opens the file if its inputs stay there. */
static glnn_status read_file(const char *path, const glnn_csv_desc *desc, stored *file,
                             glnn_csv *csv)
{
    glnn_csv_file_close(file ? file->table : NULL);
    return file ? glnn_csv_file_open(path, desc, csv, &file->table)
                : glnn_csv_read(path, desc, csv);
}

/* Reads a training table again if columns only number its rows, unless all are to be kept. */
static glnn_status read_features(const char *path, glnn_csv_desc *desc, text_list *dropped,
                                 bool keep, stored *file, row_numbers *numbers, glnn_csv *csv)
{
    const glnn_status status = read_file(path, desc, file, csv);
    if (status || desc->like || keep)
        return status;
    judge_row_numbers(csv, numbers);
    if (numbers->left_out == 0)
        return status;
    glnn_csv_free(csv);
    for (int i = 0; i < numbers->left_out; ++i)
        dropped->texts[dropped->count++] = numbers->names[i];
    desc->dropped_count = dropped->count;
    return read_file(path, desc, file, csv);
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
    done = done && (!format->stays || (out->file = stored_new()) != NULL);
    if (done) {
        const glnn_status status =
            read_features(path, &desc, &dropped, keep, out->file, &out->numbers, &csv);
        done = status == GLNN_OK ? take_csv(path, &csv, out) : refuse_csv(csv.problem, format);
        done = done && (format->weights == NULL || like || take_weights(out));
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
