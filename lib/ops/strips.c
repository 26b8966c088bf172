#include "ops/strips.h"

#include "base/status.h"
#include "pass/speed.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Nothing shorter is ever cut, so that short programs measure nothing. */
#define SHORT_PRODUCT 16777216.0

/* Mixed layouts and cold caches are slower than the sample. */
#define SAFETY 2.0

typedef struct speeds {
    double multiply_adds_per_ms[GLNN_LAYOUT_COUNT]; /* 0: not measured yet */
} speeds;

static void destroy_speeds(glnn_context *ctx, void *state)
{
    (void)ctx;
    free(state);
}

static glnn_status get_speeds(glnn_context *ctx, speeds **out)
{
    if (!ctx->slots[GLNN__SLOT_OPS].state) {
        ctx->slots[GLNN__SLOT_OPS].state = calloc(1, sizeof(speeds));
        ctx->slots[GLNN__SLOT_OPS].destroy = destroy_speeds;
    }
    *out = ctx->slots[GLNN__SLOT_OPS].state;
    return *out ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for measured speeds");
}

glnn_status glnn__strips(glnn_context *ctx, glnn_layout layout, double multiply_adds,
                         glnn__fetching fetching, int *strips)
{
    *strips = 1;
    if (multiply_adds <= SHORT_PRODUCT)
        return GLNN_OK;
    speeds *s;
    GLNN__TRY(get_speeds(ctx, &s));
    double *speed = &s->multiply_adds_per_ms[layout];
    if (*speed == 0)
        GLNN__TRY(glnn__speed_measure(ctx, ctx->info.stage, layout, fetching, speed));
    const double wanted = ceil(SAFETY * multiply_adds / (*speed * ctx->desc.pass_limit_ms));
    *strips = wanted < 1 ? 1 : wanted < INT_MAX / 2 ? (int)wanted : INT_MAX / 2;
    return GLNN_OK;
}
