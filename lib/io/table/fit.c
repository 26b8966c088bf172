#include "io/table/fit.h"

#include "base/sized.h"
#include "base/status.h"
#include "io/table/columns.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exports have the same functions. */
#include "../templates/calendar.c"
#include "../templates/category.c"
#include "../templates/encode_category.c"
#include "../templates/encode_date.c"
#include "../templates/encode_number.c"

/* ---- Fitting */

glnn_status glnn__csv_fit_begin(const glnn_csv_columns *columns, glnn__csv_fit *out)
{
    *out = (glnn__csv_fit){.columns = columns->feature_columns};
    out->of = calloc((size_t)out->columns + 1, sizeof *out->of);
    bool done = out->of != NULL;
    for (int j = 0; done && j < out->columns; ++j) {
        const size_t categories = (size_t)columns->of[j].categories;
        if (columns->of[j].type == GLNN_CSV_TYPE_CATEGORY)
            done = (out->of[j].categories = calloc(categories + 1, sizeof(int64_t))) != NULL;
    }
    return done ? GLNN_OK
                : glnn__fail(GLNN_E_NOMEM, "no memory to fit %d columns", columns->feature_columns);
}

void glnn__csv_fit_free(glnn__csv_fit *fit)
{
    for (int j = 0; fit->of && j < fit->columns; ++j)
        free(fit->of[j].categories);
    free(fit->of);
    *fit = (glnn__csv_fit){0};
}

void glnn__csv_fit_add(glnn__csv_fit *fit, const float *values)
{
    ++fit->rows;
    for (int j = 0; j < fit->columns; ++j) {
        glnn__csv_statistics *of = &fit->of[j];
        const bool is_missing = isnan(values[j]);
        of->missing += is_missing;
        of->count += !is_missing;
        if (is_missing)
            continue;
        if (of->categories && values[j] >= 0)
            ++of->categories[(size_t)values[j]];
        of->sum += (double)values[j];
        of->has_time = of->has_time || values[j] != floorf(values[j]);
    }
}

static glnn_status check_values(const glnn__csv_fit *fit, const glnn_csv_columns *columns)
{
    char place[GLNN__CSV_PLACE];
    for (int j = 0; j < fit->columns; ++j)
        if (fit->of[j].count == 0)
            return glnn__fail(
                GLNN_E_FORMAT,
                "all values of %s are missing in %" PRId64 " row%s; the column can be dropped",
                glnn__csv_column_describe(columns, j, place), fit->rows, fit->rows == 1 ? "" : "s");
    return GLNN_OK;
}

/* Whether a category has enough rows. */
static bool is_kept(const glnn__csv_fit *fit, const glnn_csv_fit_desc *desc, int64_t count)
{
    const double rare = (double)(desc->rare > 0 ? desc->rare : GLNN__CSV_RARE);
    return count > 0 && (double)count >= rare * (double)fit->rows;
}

static void fit_categories(const glnn__csv_fit *fit, const glnn_csv_fit_desc *desc,
                           const int64_t *counts, int *codes, glnn_csv_column *out)
{
    int64_t most = 0;
    out->kept = 0;
    out->has_other = false;
    for (int i = 0; i < out->categories; ++i) {
        const bool kept = is_kept(fit, desc, counts[i]);
        out->has_other = out->has_other || (counts[i] > 0 && !kept);
        codes[i] = kept ? out->kept++ : -1;
        if (kept && counts[i] > most) {
            most = counts[i];
            out->fill = (float)codes[i];
        }
    }
    if (most == 0)
        out->fill = (float)out->kept;
    free(out->codes);
    out->codes = codes;
}

/* A treatment that adds a feature needs rows for it. */
static glnn_csv_missing treatment(const glnn_csv_fit_desc *desc, const glnn__csv_statistics *from,
                                  const glnn_csv_column *of)
{
    const bool has_category = of->type == GLNN_CSV_TYPE_CATEGORY && from->missing > 0;
    switch (desc->missing) {
    case GLNN_CSV_MISSING_FILL:
        return GLNN_CSV_MISSING_FILL;
    case GLNN_CSV_MISSING_INDICATOR:
        return from->missing > 0 ? GLNN_CSV_MISSING_INDICATOR : GLNN_CSV_MISSING_FILL;
    case GLNN_CSV_MISSING_CATEGORY:
        return has_category ? GLNN_CSV_MISSING_CATEGORY : GLNN_CSV_MISSING_FILL;
    default:
        return GLNN_CSV_MISSING_REFUSE;
    }
}

static void fit_column(const glnn__csv_fit *fit, const glnn_csv_fit_desc *desc, int index,
                       int *codes, glnn_csv_column *out)
{
    const glnn__csv_statistics *from = &fit->of[index];
    out->missing = treatment(desc, from, out);
    if (out->type == GLNN_CSV_TYPE_CATEGORY) {
        fit_categories(fit, desc, from->categories, codes, out);
    } else {
        out->fill = (float)(from->sum / (double)from->count);
        out->has_time = out->type == GLNN_CSV_TYPE_DATE && from->has_time;
    }
    out->features = glnn__csv_column_features(out);
}

/* The codes of all columns of categories, so that no memory is needed later. */
static int **make_codes(const glnn_csv_columns *columns)
{
    int **codes = calloc((size_t)columns->feature_columns + 1, sizeof *codes);
    bool done = codes != NULL;
    for (int j = 0; done && j < columns->feature_columns; ++j)
        if (columns->of[j].type == GLNN_CSV_TYPE_CATEGORY)
            done = (codes[j] = malloc(((size_t)columns->of[j].categories + 1) * sizeof(int)));
    for (int j = 0; codes && !done && j < columns->feature_columns; ++j)
        free(codes[j]);
    if (!done) {
        free(codes);
        return NULL;
    }
    return codes;
}

glnn_status glnn__csv_fit_end(const glnn__csv_fit *fit, const glnn_csv_fit_desc *desc,
                              glnn_csv_columns *columns)
{
    GLNN__TRY(check_values(fit, columns));
    int **codes = make_codes(columns);
    int64_t features = 0;
    if (!codes)
        return glnn__fail(GLNN_E_NOMEM, "no memory to fit %d columns", fit->columns);
    for (int j = 0; j < fit->columns; ++j) {
        fit_column(fit, desc, j, codes[j], &columns->of[j]);
        features += columns->of[j].features;
    }
    free(codes);
    columns->features = features > INT_MAX ? 0 : (int)features;
    return features <= INT_MAX ? GLNN_OK
                               : glnn__fail(GLNN_E_LIMIT, "%d columns make %" PRId64 " features",
                                            fit->columns, features);
}

glnn_status glnn__csv_check_rare(const char *what, float rare)
{
    if (rare >= 0 && rare < 1)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s is %g; it must be in [0, 1)", what, (double)rare);
}

static glnn_status check(const glnn_csv_columns *columns, int64_t rows)
{
    GLNN__TRY(glnn__csv_columns_check(columns));
    if (columns->count == 0 || columns->feature_columns < 1 || rows < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%" PRId64 " rows of %d feature columns that are known; both must be at "
                          "least 1",
                          rows, columns->count > 0 ? columns->feature_columns : 0);
    return GLNN_OK;
}

static glnn_status fit_columns(const glnn_csv_fit_desc *desc, int64_t rows, const float *values,
                               glnn_csv_columns *columns)
{
    glnn__csv_fit fit;
    GLNN__TRY(GLNN__RESERVED_CHECK(glnn_csv_fit_desc, desc));
    if ((unsigned)desc->missing >= GLNN_CSV_MISSING_COUNT)
        return glnn__fail(GLNN_E_ARG, "desc->missing is %d; it must be below %d",
                          (int)desc->missing, (int)GLNN_CSV_MISSING_COUNT);
    GLNN__TRY(glnn__csv_check_rare("desc->rare", desc->rare));
    GLNN__TRY(check(columns, rows));
    glnn_status status = glnn__csv_fit_begin(columns, &fit);
    for (int64_t i = 0; !status && i < rows; ++i)
        glnn__csv_fit_add(&fit, values + i * columns->feature_columns);
    if (!status)
        status = glnn__csv_fit_end(&fit, desc, columns);
    glnn__csv_fit_free(&fit);
    return status;
}

glnn_status glnn_csv_columns_fit(glnn_csv_columns *columns, const glnn_csv_fit_desc *desc,
                                 int64_t rows, const float *values)
{
    static const glnn_csv_fit_desc standard = {0};
    GLNN__NOT_NULL(columns);
    GLNN__NOT_NULL(values);
    return glnn__fail_in(__func__, fit_columns(desc ? desc : &standard, rows, values, columns));
}

/* ---- Encoding */

/* The number of a category among those that were kept. */
static int number_of(const glnn_csv_column *of, float value)
{
    if (isnan(value))
        return -2;
    return value < 0 || value >= (float)of->categories ? -1 : of->codes[(size_t)value];
}

/* Returns 1 if the category was not kept, else 0. */
static int encode_value(const glnn_csv_column *of, float value, float *inputs)
{
    const int has_indicator = of->missing == GLNN_CSV_MISSING_INDICATOR;
    if (of->type == GLNN_CSV_TYPE_DATE) {
        encode_date(value, of->fill, of->encoding == GLNN_CSV_ENCODING_DATE_PARTS, of->has_time,
                    has_indicator, inputs);
    } else if (of->type == GLNN_CSV_TYPE_CATEGORY) {
        const struct category like = {of->kept,
                                      of->has_other,
                                      of->missing == GLNN_CSV_MISSING_CATEGORY,
                                      has_indicator,
                                      of->encoding == GLNN_CSV_ENCODING_ONE_HOT,
                                      (int)of->fill};
        const int number = number_of(of, value);
        encode_category(&like, number, inputs);
        return number == -1;
    } else {
        encode_number(value, of->fill, has_indicator, inputs);
    }
    return 0;
}

int64_t glnn__csv_encode(const glnn_csv_columns *columns, int64_t rows, const float *values,
                         float *inputs)
{
    int64_t unknown = 0;
    for (int64_t i = 0; i < rows; ++i)
        for (int j = 0; j < columns->feature_columns; ++j) {
            unknown += encode_value(&columns->of[j], *values++, inputs);
            inputs += columns->of[j].features;
        }
    return unknown;
}

bool glnn__csv_encodes_in_place(const glnn_csv_columns *columns)
{
    for (int j = 0; j < columns->feature_columns; ++j)
        if (columns->of[j].features != 1)
            return false;
    return true;
}

glnn_status glnn_csv_columns_encode(const glnn_csv_columns *columns, int64_t rows,
                                    const float *values, float *inputs, int64_t *unknown)
{
    GLNN__NOT_NULL(columns);
    GLNN__NOT_NULL(values);
    GLNN__NOT_NULL(inputs);
    GLNN__TRY(glnn__fail_in(__func__, check(columns, rows)));
    if (columns->features < 1)
        return glnn__fail(GLNN_E_ARG, "%s: the columns are not fitted", __func__);
    const int64_t found = glnn__csv_encode(columns, rows, values, inputs);
    if (unknown)
        *unknown = found;
    return GLNN_OK;
}
