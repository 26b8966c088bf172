#include "selftest/half.h"

#include <math.h>

double glnn__half_of(double value)
{
    if (value == 0 || !isfinite(value))
        return value;
    const double unit = ldexp(1, (int)fmax(ilogb(value), -14) - 10);
    const double rounded = nearbyint(value / unit) * unit;
    return fabs(rounded) > 65504 ? copysign(INFINITY, value) : rounded;
}

double glnn__stored_bound(glnn_storage storage, double *value, double bound)
{
    if (storage == GLNN_STORAGE_FLOAT32)
        return bound;
    if (storage == GLNN_STORAGE_UNORM8) {
        *value = fmin(fmax(*value, 0), 1);
        return bound + 1.0 / 510 + 0x1p-22;
    }
    const double rounded = glnn__half_of(*value);
    if (bound != 0 && !isinf(rounded))
        return bound + 0x1p-11 * (fabs(*value) + bound) + 0x1p-25;
    *value = rounded;
    return 0;
}
