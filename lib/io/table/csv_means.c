#include "io/table/csv_means.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The values of one feature that are not missing. */
typedef struct statistics {
    double sum;
    int64_t count;
} statistics;

static glnn_status set_means(const char *where, int64_t rows, const statistics *of,
                             glnn_csv_columns *columns)
{
    for (int j = 0; j < columns->features; ++j) {
        const char *name = columns->feature_names ? columns->feature_names[j] : NULL;
        if (of[j].count == 0)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: all values of feature %d%s%.60s%s are missing in %" PRId64
                              " row%s",
                              where, j + 1, name ? " ('" : "", name ? name : "", name ? "')" : "",
                              rows, rows == 1 ? "" : "s");
    }
    for (int j = 0; j < columns->features; ++j)
        columns->means[j] = (float)(of[j].sum / (double)of[j].count);
    return GLNN_OK;
}

glnn_status glnn__csv_fit_means(const char *where, int64_t rows, const float *inputs,
                                glnn_csv_columns *columns)
{
    statistics *of = calloc((size_t)columns->features, sizeof *of);
    if (!of)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d features", where, columns->features);
    for (int64_t i = 0; i < rows; ++i) {
        for (int j = 0; j < columns->features; ++j, ++inputs) {
            of[j].sum += isnan(*inputs) ? 0.0 : (double)*inputs;
            of[j].count += !isnan(*inputs);
        }
    }
    const glnn_status status = set_means(where, rows, of, columns);
    free(of);
    return status;
}

void glnn__csv_fill(const glnn_csv_columns *columns, int64_t rows, float *inputs)
{
    for (int64_t i = 0; i < rows; ++i)
        for (int j = 0; j < columns->features; ++j, ++inputs)
            *inputs = isnan(*inputs) ? columns->means[j] : *inputs;
}

static glnn_status check(const char *function, const glnn_csv_columns *columns, int64_t rows)
{
    if (columns->features < 1 || rows < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%s: %" PRId64 " rows of %d features; both must be at least 1", function,
                          rows, columns->features);
    if (!columns->means)
        return glnn__fail(GLNN_E_ARG, "%s: columns->means is null", function);
    return GLNN_OK;
}

glnn_status glnn_csv_columns_fit_means(glnn_csv_columns *columns, int64_t rows, const float *inputs)
{
    GLNN__NOT_NULL(columns);
    GLNN__NOT_NULL(inputs);
    GLNN__TRY(check(__func__, columns, rows));
    return glnn__csv_fit_means(__func__, rows, inputs, columns);
}

glnn_status glnn_csv_columns_fill(const glnn_csv_columns *columns, int64_t rows, float *inputs)
{
    GLNN__NOT_NULL(columns);
    GLNN__NOT_NULL(inputs);
    GLNN__TRY(check(__func__, columns, rows));
    glnn__csv_fill(columns, rows, inputs);
    return GLNN_OK;
}
