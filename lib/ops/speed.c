#include "ops/speed.h"

#include "base/clock.h"
#include "base/status.h"
#include "pass/pass.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Sides of the product that is timed: the first that takes long enough to tell a speed by. Nothing
 * shorter than the first is ever cut: the slowest layout on a software rasteriser takes about 30 ms
 * for it. */
#define FIRST_SIDE 256
#define LAST_SIDE  2048
#define ENOUGH_MS  4.0

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

static glnn_status time_product(glnn_context *ctx, const glnn_matrix *a, const glnn_matrix *b,
                                glnn_matrix *c, double *milliseconds)
{
    const glnn__pass pass = {
        .kernel = GLNN__KERNEL_GEMM,
        .operands = {{.matrix = a}, {.matrix = b}},
        .output = c,
        .scalars = {1},
        .integers = {0, a->columns, a->columns, 1},
    };
    GLNN__TRY(glnn__pass_run(ctx, &pass)); /* the first one compiles */
    glnn__gl_wait(ctx);
    const double start = glnn__clock_seconds();
    GLNN__TRY(glnn__pass_run(ctx, &pass));
    glnn__gl_wait(ctx);
    *milliseconds = 1e3 * (glnn__clock_seconds() - start);
    return GLNN_OK;
}

static glnn_status time_side(glnn_context *ctx, glnn_layout layout, int side, double *milliseconds)
{
    glnn_matrix *m[3] = {0};
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 3 && !status; ++i)
        status = glnn_matrix_create(
            ctx,
            &(glnn_matrix_desc){
                .rows = side, .columns = side, .layout = layout, .name = "speed sample"},
            &m[i]);
    if (!status)
        status = time_product(ctx, m[0], m[1], m[2], milliseconds);
    for (int i = 0; i < 3; ++i)
        glnn_matrix_destroy(m[i]);
    return status;
}

static glnn_status measure(glnn_context *ctx, glnn_layout layout, double *multiply_adds_per_ms)
{
    double milliseconds = 0;
    for (int side = FIRST_SIDE; side <= LAST_SIDE && milliseconds < ENOUGH_MS; side *= 2) {
        GLNN__TRY(time_side(ctx, layout, side, &milliseconds));
        *multiply_adds_per_ms = pow(side, 3) / fmax(milliseconds, 1e-3);
    }
    return GLNN_OK;
}

glnn_status glnn__speed_strips(glnn_context *ctx, glnn_layout layout, double multiply_adds,
                               int *strips)
{
    *strips = 1;
    if (multiply_adds <= pow(FIRST_SIDE, 3))
        return GLNN_OK;
    speeds *s;
    GLNN__TRY(get_speeds(ctx, &s));
    double *speed = &s->multiply_adds_per_ms[layout];
    if (*speed == 0)
        GLNN__TRY(measure(ctx, layout, speed));
    const double wanted = ceil(SAFETY * multiply_adds / (*speed * ctx->desc.pass_limit_ms));
    *strips = wanted < 1 ? 1 : wanted < INT_MAX / 2 ? (int)wanted : INT_MAX / 2;
    return GLNN_OK;
}
