#include "device/cpu_speed.h"

#include "base/clock.h"
#include "base/status.h"
#include "pass/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 192, COPIED = 1 << 21, RUNS = 5 };

/* Sizes that the compiler does not know, as in a program that multiplies its input. */
static volatile int side = SIDE;

/* Compilers vectorise this order of loops. */
static void multiply(int rows, int inner, int columns, const float *a, const float *b, float *c)
{
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < inner; ++k)
            for (int j = 0; j < columns; ++j)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
}

static void measure(float *x, float *y, double *gflops, double *gb)
{
    double product = INFINITY, copy = INFINITY;
    for (int run = 0; run < RUNS; ++run) {
        double start = glnn__clock_seconds();
        multiply(side, side, side, x, x + SIDE * SIDE, y);
        product = fmin(product, glnn__clock_seconds() - start);
        start = glnn__clock_seconds();
        memcpy(y, x, COPIED * sizeof *x);
        copy = fmin(copy, glnn__clock_seconds() - start);
        x[run] = y[run + 1]; /* used, so that the copy is not optimised away */
    }
    *gflops = 2e-9 * SIDE * SIDE * SIDE / fmax(product, 1e-9);
    *gb = 2e-9 * COPIED * sizeof *x / fmax(copy, 1e-9);
}

glnn_status glnn__cpu_speed(glnn_context *ctx, double *gflops, double *gb)
{
    static const char key[] = "plain C on the CPU";
    glnn__programs *programs;
    int mflops, mb;
    char text[64];
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    const char *known = glnn__tuning_get(ctx, &programs->tuning, key);
    if (!known || sscanf(known, "%d %d", &mflops, &mb) != 2 || mflops < 1 || mb < 1) {
        float *x = calloc(COPIED, sizeof *x), *y = calloc(COPIED, sizeof *y);
        if (x && y) {
            measure(x, y, gflops, gb);
            snprintf(text, sizeof text, "%.0f %.0f", 1e3 * *gflops, 1e3 * *gb);
            known = glnn__tuning_put(ctx, &programs->tuning, key, known, text);
        }
        free(x);
        free(y);
        if (!known || sscanf(known, "%d %d", &mflops, &mb) != 2)
            return glnn__fail(GLNN_E_NOMEM, "no memory to measure the processor");
    }
    *gflops = 1e-3 * mflops;
    *gb = 1e-3 * mb;
    return GLNN_OK;
}
