#include "columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"

/* ---- Choices */

/* Types that name an encoding too. */
static const struct {
    const char *name;
    glnn_csv_type type;
    glnn_csv_encoding encoding;
} encoded_types[] = {{"one_hot", GLNN_CSV_TYPE_CATEGORY, GLNN_CSV_ENCODING_ONE_HOT},
                     {"ordinal", GLNN_CSV_TYPE_CATEGORY, GLNN_CSV_ENCODING_ORDINAL},
                     {"days", GLNN_CSV_TYPE_DATE, GLNN_CSV_ENCODING_AS_IS}};

static bool read_choice(char *text, glnn_csv_choice *out)
{
    char *type = strrchr(text, '=');
    if (type == NULL || type == text)
        return refuse("--type '%s': give NAME=TYPE, as in --type class=category", text);
    *type++ = '\0';
    *out = (glnn_csv_choice){.column = text};
    if (strcmp(type, "auto") != 0 && glnn_csv_type_from_name(type, &out->type) == GLNN_OK)
        return true;
    for (size_t i = 0; i < sizeof encoded_types / sizeof encoded_types[0]; ++i)
        if (strcmp(type, encoded_types[i].name) == 0) {
            out->type = encoded_types[i].type;
            out->encoding = encoded_types[i].encoding;
            return true;
        }
    return refuse("--type '%s=%s': the type is number, category, date, text, row_number, one_hot "
                  "or ordinal for categories that are encoded so, or days for dates without cycles",
                  text, type);
}

bool column_choices_read(const char *list, column_choices *out)
{
    size_t most = 1;
    for (const char *c = list ? list : ""; *c; ++c)
        most += *c == ',';
    *out = (column_choices){.copy = strdup(list ? list : ""), .of = calloc(most, sizeof *out->of)};
    if (out->copy == NULL || out->of == NULL)
        return refuse("no memory for the types of %zu columns", most);
    char *rest = NULL;
    for (char *text = strtok_r(out->copy, ",", &rest); text; text = strtok_r(NULL, ",", &rest))
        if (!read_choice(text, &out->of[out->count++]))
            return false;
    return true;
}

void column_choices_free(column_choices *of)
{
    free(of->copy);
    free(of->of);
    *of = (column_choices){0};
}

char **columns_list_targets(const glnn_csv_columns *of)
{
    const glnn_csv_column *targets = glnn_csv_columns_find(of, GLNN_CSV_ROLE_TARGET);
    if (targets == NULL || targets->name == NULL)
        return NULL;
    char **names = malloc((size_t)of->targets * sizeof *names);
    REQUIRE(names != NULL || refuse("no memory for the names of %d targets", of->targets));
    for (int i = 0; i < of->targets; ++i)
        names[i] = targets[i].name;
    return names;
}

/* ---- Counts */

static void count_value(const glnn_csv_column *of, bool is_test, float value, column_counts *to)
{
    if (isnan(value)) {
        ++to->missing;
        return;
    }
    if (is_test) {
        to->unknown += of->codes && (value < 0 || of->codes[(size_t)value] < 0);
        return;
    }
    to->varies = to->varies || (to->trained > 0 && value != to->value);
    to->value = value;
    ++to->trained;
}

void columns_count(const glnn_csv_columns *of, bool is_test, const column_range *range,
                   column_counts *counts)
{
    const size_t width = (size_t)range->count;
    for (size_t j = 0; j < width; ++j)
        for (size_t i = 0; i < (size_t)range->rows; ++i)
            count_value(&of->of[(size_t)range->first + j], is_test, range->values[i * width + j],
                        &counts[(size_t)range->first + j]);
}

/* ---- Lines */

static void print_name(const glnn_csv_column *of)
{
    if (of->name && *of->name)
        printf("column     %s: ", of->name);
    else
        printf("column     %d: ", of->position);
}

/* The name by which an option can name the column. */
static void print_option_name(const glnn_csv_column *of)
{
    if (of->name && *of->name)
        printf("'%s", of->name);
    else
        printf("'%d", of->position);
}

static void print_categories(const glnn_csv_column *of)
{
    enum { SHOWN = 8 };
    int shown = 0;
    for (int i = 0; i < of->categories; ++i)
        if (of->codes[i] >= 0 && shown < SHOWN)
            printf("%s%.30s", shown++ > 0 ? ", " : "", of->category_names[i]);
    if (of->kept > SHOWN)
        printf(" and %d more", of->kept - SHOWN);
    if (of->has_other)
        printf("%sother", of->kept > 0 ? ", " : "");
    if (of->missing == GLNN_CSV_MISSING_CATEGORY)
        printf(", missing");
}

static void show_date(const glnn_csv_column *of)
{
    printf("days");
    if (of->encoding == GLNN_CSV_ENCODING_DATE_PARTS)
        printf(", cycles of year%s", of->has_time ? ", week and day" : " and week");
}

static bool is_plain(const glnn_csv_column *of)
{
    return of->type == GLNN_CSV_TYPE_NUMBER && of->missing <= GLNN_CSV_MISSING_FILL;
}

static void show_feature(const glnn_csv_column *of)
{
    print_name(of);
    printf("%s", glnn_csv_type_name(of->type));
    if (!is_plain(of))
        printf(", %d feature%s: ", of->features, of->features == 1 ? "" : "s");
    if (of->encoding == GLNN_CSV_ENCODING_ORDINAL)
        printf("the number of ");
    if (of->type == GLNN_CSV_TYPE_CATEGORY)
        print_categories(of);
    else if (of->type == GLNN_CSV_TYPE_DATE)
        show_date(of);
    else if (!is_plain(of))
        printf("value");
    printf("%s\n", of->missing == GLNN_CSV_MISSING_INDICATOR ? ", is missing" : "");
}

static void show_left_out(const glnn_csv_column *of, bool may_change)
{
    const bool is_text = of->type == GLNN_CSV_TYPE_TEXT, is_empty = of->type == GLNN_CSV_TYPE_EMPTY;
    if (!is_text && !is_empty && of->type != GLNN_CSV_TYPE_ROW_NUMBER)
        return;
    print_name(of);
    printf(is_text    ? "text, left out"
           : is_empty ? "no value, left out"
                      : "only numbers the rows, left out");
    if (may_change && !is_empty && of->other_text == NULL) {
        printf("; --type ");
        print_option_name(of);
        printf(is_text ? "=category' makes it a category" : "=number' keeps it");
    }
    printf("\n");
}

/* In a short table a number may ascend by chance. */
static void show_numbering(const glnn_csv_columns *of, int rows)
{
    enum { LEAST_ROWS = 10 };
    for (int j = 0; rows >= LEAST_ROWS && j < of->feature_columns; ++j)
        if (of->of[j].numbers_rows) {
            printf("note: column %d%s%s%s numbers the rows and is a feature; --drop %d leaves it "
                   "out\n",
                   of->of[j].position, of->of[j].name ? " ('" : "",
                   of->of[j].name ? of->of[j].name : "", of->of[j].name ? "')" : "",
                   of->of[j].position);
            return;
        }
}

void columns_show(const glnn_csv_columns *of, int rows, bool may_change)
{
    enum { MOST_NUMBERS = 40 };
    int numbers = 0;
    for (int j = 0; of->count > 0 && j < of->feature_columns; ++j)
        numbers += is_plain(&of->of[j]);
    if (numbers > MOST_NUMBERS)
        printf("columns    %d numbers\n", numbers);
    for (int j = 0; of->count > 0 && j < of->feature_columns; ++j)
        if (numbers <= MOST_NUMBERS || !is_plain(&of->of[j]))
            show_feature(&of->of[j]);
    const glnn_csv_column *left = glnn_csv_columns_find(of, GLNN_CSV_ROLE_DROPPED);
    for (int i = 0; i < of->dropped && left; ++i)
        show_left_out(&left[i], may_change);
    show_numbering(of, rows);
}

/* ---- Notes */

/* Tells whether a sentence is about a column, of which it says the number of values. */
typedef int64_t column_question(const glnn_csv_column *of, const column_counts *counts);

static int64_t take_mean(const glnn_csv_column *of, const column_counts *counts)
{
    return of->type != GLNN_CSV_TYPE_CATEGORY && of->missing != GLNN_CSV_MISSING_INDICATOR
               ? counts->missing
               : 0;
}

static int64_t take_frequent(const glnn_csv_column *of, const column_counts *counts)
{
    return of->type == GLNN_CSV_TYPE_CATEGORY && of->missing <= GLNN_CSV_MISSING_FILL
               ? counts->missing
               : 0;
}

static int64_t take_category(const glnn_csv_column *of, const column_counts *counts)
{
    return of->missing == GLNN_CSV_MISSING_CATEGORY ? counts->missing : 0;
}

static bool has_marks(const glnn_csv_column *of)
{
    return of->missing == GLNN_CSV_MISSING_INDICATOR;
}

static int64_t take_mean_and_mark(const glnn_csv_column *of, const column_counts *counts)
{
    return has_marks(of) && of->type != GLNN_CSV_TYPE_CATEGORY ? counts->missing : 0;
}

static int64_t take_mark(const glnn_csv_column *of, const column_counts *counts)
{
    return has_marks(of) && of->type == GLNN_CSV_TYPE_CATEGORY ? counts->missing : 0;
}

static int64_t are_unknown(const glnn_csv_column *of, const column_counts *counts)
{
    (void)of;
    return counts->unknown;
}

/* Values that are marked as missing vary, and so does a category for them. */
static int64_t are_constant(const glnn_csv_column *of, const column_counts *counts)
{
    const bool is_marked = of->missing > GLNN_CSV_MISSING_FILL;
    return counts->trained > 0 && !counts->varies && !is_marked;
}

static int64_t are_pooled(const glnn_csv_column *of, const column_counts *counts)
{
    return of->type == GLNN_CSV_TYPE_CATEGORY && of->kept == 0 && counts->varies;
}

static int64_t sum_values(const glnn_csv_columns *of, const column_counts *counts,
                          column_question *asked)
{
    int64_t sum = 0;
    for (int j = 0; j < of->feature_columns; ++j)
        sum += asked(&of->of[j], &counts[j]);
    return sum;
}

/* Prints the first columns of a sentence, with their values if it is about these, and how many
 * columns follow. */
static void list_columns(const glnn_csv_columns *of, const column_counts *counts,
                         column_question *asked, bool with_values)
{
    enum { SHOWN = 5 };
    int found = 0;
    for (int j = 0; j < of->feature_columns; ++j) {
        const int64_t values = asked(&of->of[j], &counts[j]);
        if (values == 0 || found++ >= SHOWN)
            continue;
        printf("%s", found > 1 ? ", " : "");
        print_option_name(&of->of[j]);
        printf("'");
        if (with_values)
            printf(" %" PRId64, values);
    }
    if (found > SHOWN)
        printf(" and %d more", found - SHOWN);
}

void columns_note_others(const glnn_csv_columns *of)
{
    for (int j = 0; j < of->count; ++j) {
        const glnn_csv_column *column = &of->of[j];
        if (column->other_text == NULL)
            continue;
        printf("note: most fields of ");
        print_option_name(column);
        printf("' are numbers, but %" PRId64 " %s '%.40s', so its type is %s; if this means a "
               "missing value, leave the fields empty\n",
               column->other_fields, column->other_fields == 1 ? "is" : "are", column->other_text,
               glnn_csv_type_name(column->type));
    }
}

void columns_note_missing(const glnn_csv_columns *of, const column_counts *counts)
{
    static const struct {
        column_question *asked;
        const char *end;
    } notes[] = {
        {take_mean, "the mean of the column in training"},
        {take_frequent, "the most frequent category of the column in training"},
        {take_category, "the category missing of the column"},
        {take_mean_and_mark, "the mean of the column in training, and a feature marks them"},
        {take_mark, "no category, and a feature of the column marks them"}};
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; ++i) {
        const int64_t values = sum_values(of, counts, notes[i].asked);
        if (values == 0)
            continue;
        printf("note: %" PRId64 " missing value%s of all samples became %s: ", values,
               values == 1 ? "" : "s", notes[i].end);
        list_columns(of, counts, notes[i].asked, true);
        printf("\n");
    }
}

void columns_note_unknown(const glnn_csv_columns *of, const column_counts *counts)
{
    const int64_t values = sum_values(of, counts, are_unknown);
    if (values == 0)
        return;
    printf("note: %" PRId64 " value%s of the test %s of a category that training has not seen, or "
           "has pooled with others: ",
           values, values == 1 ? "" : "s", values == 1 ? "is" : "are");
    list_columns(of, counts, are_unknown, true);
    printf("\n");
}

void columns_note_useless(const glnn_csv_columns *of, const column_counts *counts)
{
    const int64_t constant = sum_values(of, counts, are_constant);
    const int64_t pooled = sum_values(of, counts, are_pooled);
    if (constant > 0) {
        printf("note: %" PRId64 " column%s one value in all training samples, so the model learns "
               "nothing from %s; --drop leaves columns out: ",
               constant, constant == 1 ? " has" : "s have", constant == 1 ? "it" : "them");
        list_columns(of, counts, are_constant, false);
        printf("\n");
    }
    if (pooled > 0) {
        printf("note: all categories of %" PRId64 " column%s are rare and became one, other; a "
               "lower --rare keeps them: ",
               pooled, pooled == 1 ? "" : "s");
        list_columns(of, counts, are_pooled, false);
        printf("\n");
    }
}
