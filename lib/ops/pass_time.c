#include "ops/pass_time.h"

#include "base/status.h"
#include "pass/profile.h"

#include <math.h>

/* Shorter passes are never cut, so that short programs measure nothing. */
#define SHORT_PRODUCT 16777216.0

glnn_status glnn__pass_time(glnn_context *ctx, glnn_layout layout, double multiply_adds, double *us)
{
    const glnn__profile *profile;
    *us = 0;
    if (multiply_adds <= SHORT_PRODUCT || isinf(ctx->pass_limit_ms))
        return GLNN_OK;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(layout), &profile));
    *us = multiply_adds / profile->products[GLNN__RENDERED(layout)].speeds[GLNN__OCCUPANCIES - 1];
    return GLNN_OK;
}
