#include "data/check.h"

#include "base/status.h"

#include <math.h>
#include <stddef.h>

/* A limit for magnitudes. `column` and `row` are words for the place of a value that is not below
 * it, and `why` ends the sentence. */
typedef struct demand {
    glnn_status status;
    const char *column, *row;
    int64_t first; /* number of the first row */
    float limit;
    const char *why;
} demand;

static glnn_status check(const demand *of, const char *what, int64_t rows, int columns,
                         const float *values)
{
    const size_t count = (size_t)rows * (size_t)columns, width = (size_t)columns;
    for (size_t i = 0; i < count; ++i)
        if (!(fabsf(values[i]) < of->limit))
            return glnn__fail(of->status, "%s: %s %zu of %s %zu is %g%s", what, of->column,
                              i % width, of->row, (size_t)of->first + i / width, (double)values[i],
                              of->why);
    return GLNN_OK;
}

glnn_status glnn__check_finite(const char *what, const char *row, int64_t rows, int columns,
                               const float *values)
{
    const demand finite = {GLNN_E_ARG, "feature", row, 0, INFINITY, ", not finite"};
    return check(&finite, what, rows, columns, values);
}

glnn_status glnn__check_half(const char *what, const char *row, int64_t rows, int columns,
                             const float *values)
{
    const demand half = {GLNN_E_FORMAT,
                         "feature",
                         row,
                         0,
                         GLNN__HALF_OVERFLOW,
                         "; float16 represents at most 65504"};
    return check(&half, what, rows, columns, values);
}

glnn_status glnn__check_outputs(const char *what, int64_t first, int samples, int outputs,
                                const float *values)
{
    const demand finite = {GLNN_E_DIVERGED, "output", "sample", first, INFINITY, ", not finite"};
    return check(&finite, what, samples, outputs, values);
}
