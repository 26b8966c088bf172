#include "ops/strips.h"

#include "base/status.h"
#include "pass/figures.h"

#include <limits.h>
#include <math.h>

/* Nothing shorter is ever cut, so that short programs measure nothing. */
#define SHORT_PRODUCT 16777216.0

/* Mixed layouts and cold caches are slower than what was measured. */
#define SAFETY 2.0

glnn_status glnn__strips(glnn_context *ctx, glnn_layout layout, double multiply_adds, int *strips)
{
    const glnn__figures *figures;
    *strips = 1;
    if (multiply_adds <= SHORT_PRODUCT)
        return GLNN_OK;
    GLNN__TRY(glnn__figures_measured(ctx, &figures));
    const double speed = 1e3 * figures->products[layout][GLNN__OCCUPANCIES - 1];
    const double wanted = ceil(SAFETY * multiply_adds / (speed * ctx->desc.pass_limit_ms));
    *strips = wanted < 1 ? 1 : wanted < INT_MAX / 2 ? (int)wanted : INT_MAX / 2;
    return GLNN_OK;
}
