#include "learn/check.h"

#include "base/status.h"

#include <math.h>
#include <stddef.h>

glnn_status glnn__check_finite(const char *what, const char *row, int rows, int columns,
                               const float *values)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const float value = values[(size_t)i * (size_t)columns + (size_t)j];
            if (!isfinite(value))
                return glnn__fail(GLNN_E_ARG, "%s: feature %d of %s %d is %g, not finite", what, j,
                                  row, i, (double)value);
        }
    return GLNN_OK;
}
