#include "io/table/csv_types.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/string.h"
#include "io/table/columns.h"
#include "io/table/labels.h"
#include "io/table/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The values so far of a column that could number the rows. Several bits can be set. */
enum { NUMBERED_FROM_0 = 1, NUMBERED_FROM_1 = 2 };

/* The fields so far of a feature column. */
typedef struct evidence {
    int64_t fields, numbers; /* that are not missing; of these, numbers, also infinite ones */
    int64_t commas;          /* others that are numbers with a decimal comma                */
    int64_t dashes;          /* not among the fields: missing values of numbers and dates alone */
    unsigned numbering;      /* bits as above                                                     */
    int64_t dates[GLNN_CSV_DATE_COUNT]; /* in each order                                        */
    bool may_be_category; /* `texts` has all different fields                                  */
    glnn__labels texts;
    glnn__labels others; /* different fields that are not numbers: the first MOST_OTHERS        */
    int64_t *counts;     /* of each of these                                                    */
    size_t count_capacity;
} evidence;

enum { MOST_OTHERS = 20 };

/* A table whose types are being found. */
typedef struct search {
    glnn__rows *rows;
    const glnn__csv_roles *roles;
    const glnn_csv_desc *desc;
    evidence *of; /* of each column of the table */
    int64_t row;
    bool is_cut; /* a row cannot be divided into fields, so that those after it are not known */
} search;

/* ---- Evidence */

static glnn_csv_type chosen_type(const glnn__csv_column *of)
{
    return of->choice ? of->choice->type : GLNN_CSV_TYPE_AUTO;
}

static bool is_looked_for(const glnn__csv_column *of)
{
    const glnn_csv_type type = chosen_type(of);
    return of->role == GLNN_CSV_ROLE_FEATURE &&
           (type == GLNN_CSV_TYPE_AUTO || type == GLNN_CSV_TYPE_CATEGORY ||
            type == GLNN_CSV_TYPE_DATE);
}

static glnn_status add_text(const search *in, size_t column, char *text)
{
    evidence *of = &in->of[column];
    const bool is_chosen = chosen_type(&in->roles->of[column]) == GLNN_CSV_TYPE_CATEGORY;
    int index;
    text[glnn__csv_category_length(text)] = 0;
    GLNN__TRY(glnn__labels_index(&of->texts, text, &index));
    if (!is_chosen && of->texts.count > GLNN_CSV_FOUND_CATEGORIES) {
        of->may_be_category = false;
        glnn__labels_free(&of->texts);
    }
    if (of->texts.count > GLNN_CSV_MAX_CATEGORIES)
        return glnn__fail(GLNN_E_LIMIT, "%s: column %zu has more than %d categories",
                          in->rows->path, column + 1, GLNN_CSV_MAX_CATEGORIES);
    return GLNN_OK;
}

/* Counts a field that is not a number, for the most frequent one. */
static glnn_status add_other(const search *in, evidence *of, const char *text)
{
    int index = glnn__labels_find(&of->others, text);
    if (index < 0 && of->others.count == MOST_OTHERS)
        return GLNN_OK;
    if (index < 0) {
        if (!glnn__memory_grow(&of->counts, (size_t)of->others.count, &of->count_capacity,
                               sizeof *of->counts))
            return glnn__fail(GLNN_E_NOMEM, "%s: no memory for texts", in->rows->path);
        GLNN__TRY(glnn__labels_index(&of->others, text, &index));
        of->counts[index] = 0;
    }
    ++of->counts[index];
    return GLNN_OK;
}

static bool has_decimal_comma(char *text)
{
    char *comma = strchr(text, ',');
    if (!comma)
        return false;
    *comma = '.';
    const bool is_number = glnn__number_is(text);
    *comma = ',';
    return is_number;
}

static glnn_status add_field(const search *in, size_t column)
{
    evidence *of = &in->of[column];
    char *text = in->rows->fields[column];
    float value = NAN;
    if (!is_looked_for(&in->roles->of[column]))
        return GLNN_OK;
    const bool is_missing = glnn__number_is_missing(text, GLNN__CSV_FIELD_CATEGORY);
    const bool is_dash = !is_missing && glnn__number_is_missing(text, GLNN__CSV_FIELD_NUMBER);
    const bool is_number = !is_missing && glnn__number_is(text);
    if (is_number && of->numbering)
        glnn__number_parse(text, &value);
    of->numbering &= value == (float)in->row         ? NUMBERED_FROM_0
                     : value == (float)(in->row + 1) ? NUMBERED_FROM_1
                                                     : 0;
    if (is_missing)
        return GLNN_OK;
    of->dashes += is_dash;
    of->fields += !is_dash;
    of->numbers += is_number;
    of->commas += !is_number && has_decimal_comma(text);
    const unsigned orders = is_number ? 0 : glnn__csv_date_orders(text);
    for (int order = 0; orders && order < GLNN_CSV_DATE_COUNT; ++order)
        of->dates[order] += orders >> order & 1u;
    if (!is_number && !is_dash && !orders)
        GLNN__TRY(add_other(in, of, text));
    return of->may_be_category ? add_text(in, column, text) : GLNN_OK;
}

/* Text that cannot be divided into rows is a problem of the reader. */
static glnn_status next_row(search *in, bool *found)
{
    const glnn_status status = glnn__rows_next(in->rows, found);
    *found = *found && !status;
    in->is_cut = status == GLNN_E_FORMAT;
    return status == GLNN_E_FORMAT ? GLNN_OK : status;
}

static glnn_status add_rows(search *in)
{
    bool found = true;
    if (in->roles->header)
        GLNN__TRY(next_row(in, &found));
    if (found)
        GLNN__TRY(next_row(in, &found));
    while (found) {
        for (size_t c = 0; c < in->roles->count && in->rows->count == in->roles->count; ++c)
            GLNN__TRY(add_field(in, c));
        ++in->row;
        GLNN__TRY(next_row(in, &found));
    }
    return GLNN_OK;
}

/* ---- Verdicts */

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
    bool found = glnn__string_begins(name, "unnamed");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        found = found ||
                (strlen(words[i]) == end - start && glnn__string_begins(name + start, words[i]));
    return found;
}

/* Tables like this one leave a column out by its name. */
static bool has_own_name(const glnn__csv_roles *roles, size_t column)
{
    for (size_t c = 0; c < roles->count; ++c)
        if (c != column && strcmp(roles->of[c].name, roles->of[column].name) == 0)
            return false;
    return true;
}

/* The order in which most fields are dates. Sets *alone if none has as many. */
static glnn_csv_date order_of(const evidence *of, bool *alone)
{
    int best = 0;
    for (int order = 1; order < GLNN_CSV_DATE_COUNT; ++order)
        best = of->dates[order] > of->dates[best] ? order : best;
    *alone = of->dates[best] > 0;
    for (int order = 0; order < GLNN_CSV_DATE_COUNT; ++order)
        *alone = *alone && (order == best || of->dates[order] < of->dates[best]);
    return (glnn_csv_date)best;
}

/* Nine of ten fields. */
static bool are_most(int64_t count, const evidence *of)
{
    return 10 * count >= 9 * of->fields;
}

static glnn_csv_type type_of(const search *in, size_t column)
{
    const evidence *of = &in->of[column];
    const char *name = in->roles->of[column].name;
    if (of->fields == 0 && in->row > 0 && !in->is_cut)
        return GLNN_CSV_TYPE_EMPTY;
    if (of->numbers == of->fields)
        return of->numbering && of->fields > 1 && name && is_name_of_numbers(name) &&
                       has_own_name(in->roles, column)
                   ? GLNN_CSV_TYPE_ROW_NUMBER
                   : GLNN_CSV_TYPE_NUMBER;
    bool is_clear;
    const glnn_csv_date order = order_of(of, &is_clear);
    if (is_clear && are_most(of->dates[order], of))
        return GLNN_CSV_TYPE_DATE;
    if (are_most(of->numbers + of->commas, of))
        return GLNN_CSV_TYPE_NUMBER;
    return of->may_be_category && 2 * (int64_t)of->texts.count <= of->fields + of->dashes
               ? GLNN_CSV_TYPE_CATEGORY
               : GLNN_CSV_TYPE_TEXT;
}

glnn_csv_encoding glnn__csv_encoding_of(glnn_csv_type type, const glnn_csv_choice *choice,
                                        const glnn_csv_desc *desc)
{
    if (choice && choice->encoding != GLNN_CSV_ENCODING_AUTO)
        return choice->encoding;
    if (type == GLNN_CSV_TYPE_CATEGORY)
        return desc->encoding ? desc->encoding : GLNN_CSV_ENCODING_ONE_HOT;
    return type == GLNN_CSV_TYPE_DATE     ? GLNN_CSV_ENCODING_DATE_PARTS
           : type == GLNN_CSV_TYPE_NUMBER ? GLNN_CSV_ENCODING_AS_IS
                                          : GLNN_CSV_ENCODING_AUTO;
}

/* Fields that are dates in no order are problems of the reader. */
static glnn_status find_order(const search *in, size_t column, glnn_csv_date *out)
{
    char place[GLNN__CSV_PLACE];
    bool is_clear;
    *out = order_of(&in->of[column], &is_clear);
    if (is_clear || in->of[column].dates[*out] == 0)
        return GLNN_OK;
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: %s: the day and the month of all dates can be swapped; write dates with "
                      "the year first, as in 2024-12-31",
                      in->rows->path, glnn__csv_describe(in->roles, column, place));
}

/* If most fields are numbers, the others may mean missing values. */
static glnn_status name_other(const search *in, const evidence *of, glnn_csv_column *out)
{
    if (2 * of->numbers <= of->fields || of->others.count == 0)
        return GLNN_OK;
    int most = 0;
    for (int i = 1; i < of->others.count; ++i)
        most = of->counts[i] > of->counts[most] ? i : most;
    out->other_fields = of->counts[most];
    out->other_text = glnn__string_copy(of->others.names[most]);
    return out->other_text ? GLNN_OK
                           : glnn__fail(GLNN_E_NOMEM, "%s: no memory for a text", in->rows->path);
}

static glnn_status judge(search *in, size_t column, glnn_csv_column *out)
{
    const glnn__csv_column *as = &in->roles->of[column];
    evidence *of = &in->of[column];
    char place[GLNN__CSV_PLACE];
    out->type = chosen_type(as) ? chosen_type(as) : type_of(in, column);
    out->numbers_rows = out->type == GLNN_CSV_TYPE_NUMBER && of->numbering && of->fields > 0;
    out->encoding = glnn__csv_encoding_of(out->type, as->choice, in->desc);
    if (out->encoding && !glnn__csv_encoding_fits(out->type, out->encoding))
        return glnn__fail(GLNN_E_ARG, "%s: %s is of the type %s, which cannot be encoded as %s",
                          in->rows->path, glnn__csv_describe(in->roles, column, place),
                          glnn_csv_type_name(out->type), glnn_csv_encoding_name(out->encoding));
    if (!chosen_type(as))
        GLNN__TRY(name_other(in, of, out));
    if (out->type == GLNN_CSV_TYPE_DATE)
        GLNN__TRY(find_order(in, column, &out->date));
    if (out->type == GLNN_CSV_TYPE_CATEGORY) {
        GLNN__TRY(glnn__labels_sort(&of->texts, NULL, 0));
        glnn__labels_take(&of->texts, &out->categories, &out->category_names);
    }
    return GLNN_OK;
}

/* If the columns that number the rows are the only ones, they are numbers. */
static void keep_a_feature(const glnn__csv_roles *roles, const glnn_csv_desc *desc,
                           glnn_csv_column *found)
{
    for (size_t c = 0; c < roles->count; ++c)
        if (roles->of[c].role == GLNN_CSV_ROLE_FEATURE && found[c].type < GLNN_CSV_TYPE_TEXT)
            return;
    for (size_t c = 0; c < roles->count; ++c)
        if (found[c].type == GLNN_CSV_TYPE_ROW_NUMBER && !roles->of[c].choice) {
            found[c].type = GLNN_CSV_TYPE_NUMBER;
            found[c].encoding = glnn__csv_encoding_of(GLNN_CSV_TYPE_NUMBER, NULL, desc);
            found[c].numbers_rows = true;
        }
}

static glnn_status find_types(search *in, glnn_csv_column *found)
{
    for (size_t c = 0; c < in->roles->count; ++c)
        in->of[c] =
            (evidence){.numbering = NUMBERED_FROM_0 | NUMBERED_FROM_1, .may_be_category = true};
    GLNN__TRY(add_rows(in));
    for (size_t c = 0; c < in->roles->count; ++c)
        if (in->roles->of[c].role == GLNN_CSV_ROLE_FEATURE)
            GLNN__TRY(judge(in, c, &found[c]));
    keep_a_feature(in->roles, in->desc, found);
    return GLNN_OK;
}

glnn_status glnn__csv_find_types(glnn__rows *rows, const glnn__csv_roles *roles,
                                 const glnn_csv_desc *desc, glnn_csv_column *found)
{
    search in = {.rows = rows, .roles = roles, .desc = desc};
    in.of = calloc(roles->count, sizeof *in.of);
    if (!in.of)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu columns", rows->path, roles->count);
    const glnn_status status = find_types(&in, found);
    for (size_t c = 0; c < roles->count; ++c) {
        glnn__labels_free(&in.of[c].texts);
        glnn__labels_free(&in.of[c].others);
        free(in.of[c].counts);
    }
    free(in.of);
    return status;
}
