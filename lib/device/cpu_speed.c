#include "device/cpu_speed.h"

#include "base/clock.h"
#include "base/status.h"
#include "pass/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 192, COPIED = 1 << 21, RUNS = 5 };

/* Volatile, so that the compiler does not know the sizes, as in a program that reads its input. */
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
    double speeds[2];
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    if (!glnn__tuning_read(ctx, &programs->tuning, key, speeds, 2)) {
        float *x = calloc(COPIED, sizeof *x), *y = calloc(COPIED, sizeof *y);
        const bool has_memory = x && y;
        if (has_memory) {
            measure(x, y, &speeds[0], &speeds[1]);
            glnn__tuning_write(ctx, &programs->tuning, key, speeds, 2);
        }
        free(x);
        free(y);
        if (!has_memory)
            return glnn__fail(GLNN_E_NOMEM, "no memory to measure the CPU");
    }
    *gflops = speeds[0];
    *gb = speeds[1];
    return GLNN_OK;
}
