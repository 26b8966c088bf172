#include "columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"

/* ---- Choices */

static bool read_choice(char *text, glnn_csv_choice *out)
{
    char *type = strrchr(text, '=');
    if (type == NULL || type == text)
        return refuse("--type '%s': give NAME=TYPE, as in --type class=category", text);
    *type++ = '\0';
    *out = (glnn_csv_choice){.column = text};
    if (strcmp(type, "auto") != 0 && glnn_csv_type_from_name(type, &out->type) == GLNN_OK)
        return true;
    out->type = GLNN_CSV_TYPE_CATEGORY;
    return (glnn_csv_encoding_from_name(type, &out->encoding) == GLNN_OK &&
            (out->encoding == GLNN_CSV_ENCODING_ONE_HOT ||
             out->encoding == GLNN_CSV_ENCODING_ORDINAL)) ||
           refuse(
               "--type '%s=%s': the type is number, category, date, text, row_number, or one_hot "
               "or ordinal for categories that are encoded so",
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
    const bool is_text = of->type == GLNN_CSV_TYPE_TEXT;
    if (!is_text && of->type != GLNN_CSV_TYPE_ROW_NUMBER)
        return;
    print_name(of);
    printf(is_text ? "text, left out" : "only numbers the rows, left out");
    if (may_change) {
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
