#include "io/table/columns.h"

#include "base/locale.h"
#include "base/status.h"
#include "base/string.h"
#include "io/table/names.h"
#include "io/table/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exports have the same functions. */
#include "../templates/calendar.c"
#include "../templates/clean_text.c"
#include "../templates/find_category.c"
#include "../templates/find_days.c"

/* ---- Roles */

glnn__csv_columns_of glnn__csv_columns_with(const glnn_csv_columns *columns, glnn_csv_role role)
{
    const int features = columns->feature_columns;
    const int labels = columns->count - features - columns->targets - columns->dropped;
    const int counts[] = {features, labels, columns->targets, columns->dropped};
    int first = 0;
    if (columns->count == 0)
        return (glnn__csv_columns_of){NULL, 0};
    for (int r = 0; r < (int)role; ++r)
        first += counts[r];
    return (glnn__csv_columns_of){columns->of + first, counts[role]};
}

const glnn_csv_column *glnn_csv_columns_find(const glnn_csv_columns *columns, glnn_csv_role role)
{
    if (!columns || (unsigned)role >= GLNN_CSV_ROLE_COUNT)
        return NULL;
    const glnn__csv_columns_of found = glnn__csv_columns_with(columns, role);
    return found.count > 0 ? found.of : NULL;
}

const char *glnn__csv_column_describe(const glnn_csv_columns *columns, int index,
                                      char text[GLNN__CSV_PLACE])
{
    const glnn_csv_column *of = &columns->of[index];
    snprintf(text, GLNN__CSV_PLACE, of->name ? "%s %d ('%.60s')" : "%s %d",
             of->position > 0 ? "column" : "feature column",
             of->position > 0 ? of->position : index + 1, of->name);
    return text;
}

/* ---- Checks */

static glnn_status check_counts(const glnn_csv_columns *of)
{
    const int labels = of->count - of->feature_columns - of->targets - of->dropped;
    if (of->features < 0 || of->targets < 0 || of->dropped < 0 || of->feature_columns < 0 ||
        of->classes < 0 || of->count < 0)
        return glnn__fail(GLNN_E_ARG,
                          "columns has %d columns, %d feature columns, %d features, %d targets, %d "
                          "dropped columns and %d classes; none of the counts may be negative",
                          of->count, of->feature_columns, of->features, of->targets, of->dropped,
                          of->classes);
    if (of->count == 0 && of->feature_columns > 0)
        return glnn__fail(GLNN_E_ARG, "columns.count is 0, but there are %d feature columns",
                          of->feature_columns);
    if (of->count > 0 && (labels < 0 || labels > 1))
        return glnn__fail(
            GLNN_E_ARG,
            "columns.count is %d, but there are %d feature columns, %d targets and %d "
            "dropped columns; at most one more is the label",
            of->count, of->feature_columns, of->targets, of->dropped);
    if (of->count > 0 && !of->of)
        return glnn__fail(GLNN_E_ARG, "columns.of is null");
    return GLNN_OK;
}

static glnn_status check_categories(const glnn_csv_column *of, int index)
{
    for (int i = 0; i < of->categories; ++i) {
        if (!of->category_names || !of->category_names[i])
            return glnn__fail(GLNN_E_ARG, "columns.of[%d].category_names[%d] is null", index, i);
        if (of->features > 0 && (!of->codes || of->codes[i] < -1 || of->codes[i] >= of->kept))
            return glnn__fail(GLNN_E_ARG, "columns.of[%d].codes[%d] is %d; it must be in -1 .. %d",
                              index, i, of->codes ? of->codes[i] : 0, of->kept - 1);
    }
    if (of->features > 0 && (of->fill < 0 || of->fill > (float)of->kept))
        return glnn__fail(GLNN_E_ARG, "columns.of[%d].fill is %g; it must be in 0 .. %d", index,
                          (double)of->fill, of->kept);
    return GLNN_OK;
}

int glnn__csv_column_features(const glnn_csv_column *of)
{
    const int indicator = of->missing == GLNN_CSV_MISSING_INDICATOR;
    if (of->encoding == GLNN_CSV_ENCODING_ONE_HOT)
        return of->kept + of->has_other + (of->missing == GLNN_CSV_MISSING_CATEGORY) + indicator;
    if (of->encoding == GLNN_CSV_ENCODING_DATE_PARTS)
        return (of->has_time ? 7 : 5) + indicator;
    return 1 + indicator;
}

bool glnn__csv_encoding_fits(glnn_csv_type type, glnn_csv_encoding encoding)
{
    static const unsigned fitting[GLNN_CSV_TYPE_COUNT] = {
        [GLNN_CSV_TYPE_NUMBER] = 1u << GLNN_CSV_ENCODING_AS_IS,
        [GLNN_CSV_TYPE_CATEGORY] =
            1u << GLNN_CSV_ENCODING_ONE_HOT | 1u << GLNN_CSV_ENCODING_ORDINAL,
        [GLNN_CSV_TYPE_DATE] = 1u << GLNN_CSV_ENCODING_AS_IS | 1u << GLNN_CSV_ENCODING_DATE_PARTS};
    return fitting[type] >> encoding & 1u;
}

static glnn_status check_feature(const glnn_csv_column *of, int index)
{
    if (!glnn__csv_encoding_fits(of->type, of->encoding))
        return glnn__fail(GLNN_E_ARG, "columns.of[%d] has the type %s and the encoding %s", index,
                          glnn_csv_type_name(of->type), glnn_csv_encoding_name(of->encoding));
    if (!isfinite(of->fill))
        return glnn__fail(GLNN_E_ARG, "columns.of[%d].fill is %g; it must be finite", index,
                          (double)of->fill);
    if (of->categories < 0 || of->kept < 0 || of->kept > of->categories ||
        of->categories > GLNN_CSV_MAX_CATEGORIES)
        return glnn__fail(GLNN_E_ARG, "columns.of[%d] has %d categories and keeps %d", index,
                          of->categories, of->kept);
    if (of->type == GLNN_CSV_TYPE_CATEGORY)
        GLNN__TRY(check_categories(of, index));
    if (of->features > 0 && of->features != glnn__csv_column_features(of))
        return glnn__fail(GLNN_E_ARG, "columns.of[%d].features is %d; the column makes %d", index,
                          of->features, glnn__csv_column_features(of));
    return GLNN_OK;
}

static glnn_status check_column(const glnn_csv_column *of, int index, glnn_csv_role role)
{
    if (of->role != role || (unsigned)of->type >= GLNN_CSV_TYPE_COUNT ||
        (unsigned)of->encoding >= GLNN_CSV_ENCODING_COUNT ||
        (unsigned)of->date >= GLNN_CSV_DATE_COUNT ||
        (unsigned)of->missing >= GLNN_CSV_MISSING_COUNT)
        return glnn__fail(GLNN_E_ARG,
                          "columns.of[%d] has the role %d where %d is due, the type %d, the "
                          "encoding %d, the order of dates %d and the treatment of missing values "
                          "%d",
                          index, (int)of->role, (int)role, (int)of->type, (int)of->encoding,
                          (int)of->date, (int)of->missing);
    if (of->position < 0)
        return glnn__fail(GLNN_E_ARG, "columns.of[%d].position is %d; it must not be negative",
                          index, of->position);
    return role == GLNN_CSV_ROLE_FEATURE ? check_feature(of, index) : GLNN_OK;
}

static glnn_status check_names(const glnn_csv_columns *of)
{
    for (int i = 0; i < of->count; ++i)
        if (!of->of[i].name != !of->of[0].name)
            return glnn__fail(GLNN_E_ARG, "columns.of[%d].name is %s, but columns.of[0].name is %s",
                              i, of->of[i].name ? "not null" : "null",
                              of->of[0].name ? "not" : "null");
    for (int i = 0; of->class_names && i < of->classes; ++i)
        if (!of->class_names[i])
            return glnn__fail(GLNN_E_ARG, "columns.class_names[%d] is null", i);
    return GLNN_OK;
}

glnn_status glnn__csv_columns_check(const glnn_csv_columns *of)
{
    long long features = 0;
    GLNN__TRY(check_counts(of));
    for (int role = 0, next = 0; role < GLNN_CSV_ROLE_COUNT; ++role) {
        const glnn__csv_columns_of found = glnn__csv_columns_with(of, (glnn_csv_role)role);
        for (int i = 0; i < found.count; ++i, ++next)
            GLNN__TRY(check_column(&found.of[i], next, (glnn_csv_role)role));
    }
    for (int i = 0; i < of->feature_columns && of->count > 0; ++i)
        features += of->of[i].features;
    if (of->count > 0 && of->features > 0 && features != of->features)
        return glnn__fail(GLNN_E_ARG, "columns.features is %d, but the columns have %lld",
                          of->features, features);
    return check_names(of);
}

/* ---- Copies */

bool glnn__csv_column_copy(const glnn_csv_column *from, glnn_csv_column *out)
{
    const size_t bytes = (size_t)from->categories * sizeof *out->codes;
    *out = *from;
    out->name = NULL;
    out->other_text = NULL;
    out->category_names = NULL;
    out->codes = NULL;
    if (from->name && !(out->name = glnn__string_copy(from->name)))
        return false;
    if (from->other_text && !(out->other_text = glnn__string_copy(from->other_text)))
        return false;
    if (from->codes && bytes > 0) {
        out->codes = malloc(bytes);
        if (!out->codes)
            return false;
        memcpy(out->codes, from->codes, bytes);
    }
    return glnn__names_copy(from->category_names, from->categories, &out->category_names);
}

bool glnn__csv_columns_copy(const glnn_csv_columns *from, glnn_csv_columns *out)
{
    *out = *from;
    out->of = NULL;
    out->class_names = NULL;
    if (from->count > 0 && !(out->of = calloc((size_t)from->count, sizeof *out->of)))
        return false;
    bool done = true;
    for (int i = 0; done && i < from->count; ++i)
        done = glnn__csv_column_copy(&from->of[i], &out->of[i]);
    return done && glnn__names_copy(from->class_names, from->classes, &out->class_names);
}

void glnn__csv_column_free(glnn_csv_column *of)
{
    free(of->name);
    free(of->other_text);
    glnn__names_free(of->category_names, of->categories);
    free(of->codes);
    *of = (glnn_csv_column){0};
}

void glnn_csv_columns_free(glnn_csv_columns *columns)
{
    if (!columns)
        return;
    for (int i = 0; columns->of && i < columns->count; ++i)
        glnn__csv_column_free(&columns->of[i]);
    free(columns->of);
    glnn__names_free(columns->class_names, columns->classes);
    *columns = (glnn_csv_columns){0};
}

/* ---- Raw values */

unsigned glnn__csv_date_orders(const char *text)
{
    unsigned orders = 0;
    double days;
    for (int order = 0; order < GLNN_CSV_DATE_COUNT; ++order)
        orders |= (unsigned)find_days(text, order, &days) << order;
    return orders;
}

size_t glnn__csv_category_length(const char *text)
{
    return category_length(text);
}

glnn__csv_kind glnn__csv_read_value(const glnn_csv_column *of, const char *text, float *value)
{
    double days;
    if (glnn__number_is_missing(text, GLNN__CSV_FIELD_NUMBER)) {
        *value = NAN;
        return GLNN__CSV_MISSES;
    }
    if (of->type == GLNN_CSV_TYPE_DATE) {
        if (!find_days(text, (int)of->date, &days))
            return GLNN__CSV_OTHER;
        *value = (float)days;
        return GLNN__CSV_READ;
    }
    const glnn__number kind = glnn__number_parse(text, value);
    return kind == GLNN__NUMBER_FINITE ? GLNN__CSV_READ
           : kind == GLNN__NUMBER_NONE ? GLNN__CSV_OTHER
                                       : GLNN__CSV_NOT_FINITE;
}

/* The number of a category; one that the table had in quotes may have blanks around it. */
static float parse_category(const glnn_csv_column *of, const char *text, const char *cleaned)
{
    const char *const *names = (const char *const *)of->category_names;
    const int found = find_category(text, names, of->categories);
    if (found < 0 && glnn__number_is_missing(cleaned, GLNN__CSV_FIELD_CATEGORY))
        return NAN;
    return (float)(found < 0 ? find_category(cleaned, names, of->categories) : found);
}

static glnn_status parse(const glnn_csv_columns *columns, const char *const *fields, float *values)
{
    const bool has_comma = columns->has_commas;
    char place[GLNN__CSV_PLACE], room[CLEAN_ROOM];
    for (int j = 0; j < columns->feature_columns; ++j) {
        const glnn_csv_column *of = &columns->of[j];
        const bool is_date = of->type == GLNN_CSV_TYPE_DATE;
        const char *text = fields[j] ? fields[j] : "", *cleaned = clean_text(text, has_comma, room);
        if (of->type == GLNN_CSV_TYPE_CATEGORY) {
            values[j] = parse_category(of, text, cleaned);
            continue;
        }
        if ((!is_date && has_comma && strchr(text, '.')) ||
            glnn__csv_read_value(of, cleaned, &values[j]) > GLNN__CSV_MISSES)
            return glnn__fail(GLNN_E_FORMAT, "%s: '%.60s' is not a %s",
                              glnn__csv_column_describe(columns, j, place), text,
                              is_date     ? "date in the order of its column"
                              : has_comma ? "finite number with a decimal comma"
                                          : "finite number");
    }
    return GLNN_OK;
}

glnn_status glnn_csv_columns_parse(const glnn_csv_columns *columns, const char *const *fields,
                                   float *values)
{
    glnn__c_locale locale;
    GLNN__NOT_NULL(columns);
    GLNN__NOT_NULL(fields);
    GLNN__NOT_NULL(values);
    GLNN__TRY(glnn__fail_in(__func__, glnn__csv_columns_check(columns)));
    if (columns->count == 0)
        return glnn__fail(GLNN_E_ARG, "%s: the columns are not known", __func__);
    GLNN__TRY(glnn__c_locale_enter(&locale));
    const glnn_status status = parse(columns, fields, values);
    glnn__c_locale_leave(&locale);
    return glnn__fail_in(__func__, status);
}

/* ---- Names of features */

/* The name of the category with a number among those that were kept. */
static const char *name_of_kept(const glnn_csv_column *of, int number)
{
    int i = 0;
    while (of->codes[i] != number)
        ++i;
    return of->category_names[i];
}

/* Prints the end of the name of a feature, after the name of its column. */
static void print_part(const glnn_csv_column *of, int part, char *text, size_t size)
{
    static const char *const parts[] = {" days",        " year sine", " year cosine", " week sine",
                                        " week cosine", " day sine",  " day cosine"};
    text[0] = 0;
    if (of->missing == GLNN_CSV_MISSING_INDICATOR && part == of->features - 1)
        snprintf(text, size, " missing");
    else if (of->encoding == GLNN_CSV_ENCODING_DATE_PARTS)
        snprintf(text, size, "%s", parts[part]);
    else if (of->encoding == GLNN_CSV_ENCODING_ONE_HOT)
        snprintf(text, size, "=%.60s",
                 part < of->kept                     ? name_of_kept(of, part)
                 : of->has_other && part == of->kept ? "other"
                                                     : "missing");
}

static glnn_status name_feature(const glnn_csv_columns *columns, int feature, char *text)
{
    char part[64], place[GLNN__CSV_PLACE];
    GLNN__TRY(glnn__csv_columns_check(columns));
    if (columns->count == 0 || feature < 0 || feature >= columns->features)
        return glnn__fail(GLNN_E_ARG, "feature is %d; the columns that are known have %d", feature,
                          columns->count > 0 ? columns->features : 0);
    const glnn_csv_column *of = columns->of;
    for (; feature >= of->features; ++of)
        feature -= of->features;
    print_part(of, feature, part, sizeof part);
    const bool has_name = of->name && *of->name;
    if (!has_name)
        snprintf(place, sizeof place, "column %d",
                 of->position > 0 ? of->position : (int)(of - columns->of) + 1);
    snprintf(text, GLNN_CSV_FEATURE_NAME, "%.90s%s", has_name ? of->name : place, part);
    return GLNN_OK;
}

glnn_status glnn_csv_columns_name_feature(const glnn_csv_columns *columns, int feature,
                                          char text[GLNN_CSV_FEATURE_NAME])
{
    GLNN__NOT_NULL(columns);
    GLNN__NOT_NULL(text);
    return glnn__fail_in(__func__, name_feature(columns, feature, text));
}
