#include "data/check.h"

#include "base/status.h"

#include <math.h>
#include <stddef.h>

/* The place of the first number whose magnitude is not below `limit`, or that is none; `count` where
 * there is none such. */
static size_t find_large(const float *values, size_t count, float limit)
{
    size_t i = 0;
    while (i < count && fabsf(values[i]) < limit)
        ++i;
    return i;
}

glnn_status glnn__check_finite(const char *what, const char *row, int rows, int columns,
                               const float *values)
{
    const size_t count = (size_t)rows * (size_t)columns, width = (size_t)columns;
    const size_t i = find_large(values, count, INFINITY);
    if (i == count)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s: feature %zu of %s %zu is %g, not finite", what, i % width,
                      row, i / width, (double)values[i]);
}

glnn_status glnn__check_half(const char *what, const char *row, int rows, int columns,
                             const float *values)
{
    const size_t count = (size_t)rows * (size_t)columns, width = (size_t)columns;
    const size_t i = find_large(values, count, GLNN__HALF_OVERFLOW);
    if (i == count)
        return GLNN_OK;
    return glnn__fail(GLNN_E_FORMAT, "%s: feature %zu of %s %zu is %g; float16 holds at most 65504",
                      what, i % width, row, i / width, (double)values[i]);
}

glnn_status glnn__check_outputs(const char *what, int samples, int outputs, const float *values)
{
    const size_t count = (size_t)samples * (size_t)outputs, width = (size_t)outputs;
    const size_t i = find_large(values, count, INFINITY);
    if (i == count)
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED, "%s: output %zu of sample %zu is %g, not finite", what,
                      i % width, i / width, (double)values[i]);
}
