#include "common/distort_cpu.h"

#include <math.h>
#include <stdint.h>

#include "common/arrays.h"

/* Cells of a field of displacements, which repeats at its edges, and its batches. */
enum { FIELD = 512, FIELD_BATCHES = 64, PARTS = 4 };

struct distort_cpu {
    glnn_distortion what;
    int side, batch;
    uint32_t random;
    float *images, *distorted;
    float *field, *noise; /* FIELD x FIELD x PARTS; NULL without displacements */
};

/* The inverse of an affine map, and the part of the field of an image. */
typedef struct drawn {
    float x[2], y[2], origin[2];
    int cell[2];
    float parts[PARTS];
} drawn;

distort_cpu *distort_cpu_new(const glnn_distortion *distortion, int side, int batch)
{
    const size_t pixels = (size_t)batch * (size_t)side * (size_t)side;
    distort_cpu *d = allocate(1, sizeof *d);
    *d = (distort_cpu){
        *distortion, side, batch, 1, random_floats(pixels, 0, 1), allocate(pixels, sizeof(float)),
        NULL,        NULL};
    if (d->what.elastic > 0) {
        d->field = allocate((size_t)FIELD * FIELD * PARTS, sizeof *d->field);
        d->noise = allocate((size_t)FIELD * FIELD * PARTS, sizeof *d->noise);
    }
    return d;
}

void distort_cpu_free(distort_cpu *d)
{
    free(d->images);
    free(d->distorted);
    free(d->field);
    free(d->noise);
    free(d);
}

/* Uniform in -1 .. 1, by Marsaglia's xorshift. */
static float draw(distort_cpu *d)
{
    d->random ^= d->random << 13;
    d->random ^= d->random >> 17;
    d->random ^= d->random << 5;
    return (float)(d->random >> 8) * 0x1p-23f - 1;
}

/* ---- The field */

/* Adds a row of cells, `by` cells further to the right, with a weight. */
static void add_row(const float *from, int by, float weight, float *to)
{
    const int first = (by & (FIELD - 1)) * PARTS, length = FIELD * PARTS - first;
    for (int i = 0; i < length; ++i)
        to[i] += weight * from[first + i];
    for (int i = 0; i < first; ++i)
        to[length + i] += weight * from[i];
}

static void smooth(const float *from, float sigma, int along_x, float *to)
{
    enum { ROW = FIELD * PARTS, MOST_REACH = 64 };
    const float standard = sigma > 0 ? sigma : 4;
    const int reach = (int)fminf(ceilf(3 * standard), MOST_REACH);
    float weights[2 * MOST_REACH + 1], sum = 0;
    for (int i = -reach; i <= reach; ++i)
        sum += weights[i + reach] = expf(-0.5f * (float)(i * i) / (standard * standard));
    for (int y = 0; y < FIELD; ++y) {
        float *row = to + (size_t)y * ROW;
        for (int i = 0; i < ROW; ++i)
            row[i] = 0;
        for (int i = -reach; i <= reach; ++i)
            add_row(from + (size_t)(along_x ? y : (y + i) & (FIELD - 1)) * ROW, along_x ? i : 0,
                    weights[i + reach] / sum, row);
    }
}

static void draw_field(distort_cpu *d)
{
    for (int i = 0; i < FIELD * FIELD * PARTS; ++i)
        d->noise[i] = draw(d);
    smooth(d->noise, d->what.sigma, 1, d->field);
    smooth(d->field, d->what.sigma, 0, d->noise);
    float *smoothed = d->noise;
    d->noise = d->field;
    d->field = smoothed;
}

/* ---- Images */

static float radians(float degrees)
{
    return degrees * 0.017453292519943295f;
}

static void draw_map(distort_cpu *d, drawn *of)
{
    const float angle = radians(d->what.rotation) * draw(d);
    const float slant = tanf(radians(d->what.shear) * draw(d));
    const float wide = 1 / (1 + d->what.scale * draw(d)), high = 1 / (1 + d->what.scale * draw(d));
    const float centre = 0.5f * (float)(d->side - 1);
    const float left = centre + d->what.shift * draw(d), top = centre + d->what.shift * draw(d);
    of->x[0] = wide * (cosf(angle) + slant * sinf(angle));
    of->x[1] = high * -sinf(angle);
    of->y[0] = wide * (sinf(angle) - slant * cosf(angle));
    of->y[1] = high * cosf(angle);
    for (int i = 0; i < 2; ++i)
        of->origin[i] = centre - left * of->x[i] - top * of->y[i];
}

static void draw_displacement(distort_cpu *d, drawn *of)
{
    for (int i = 0; i < 2; ++i) {
        const float angle = 3.14159265f * draw(d);
        of->cell[i] = (int)(0.5f * FIELD * (draw(d) + 1));
        of->parts[2 * i] = d->what.elastic * cosf(angle);
        of->parts[2 * i + 1] = d->what.elastic * sinf(angle);
    }
}

static float pixel(const distort_cpu *d, const float *image, int x, int y)
{
    return x >= 0 && x < d->side && y >= 0 && y < d->side ? image[y * d->side + x]
                                                          : d->what.background;
}

static float between(const distort_cpu *d, const float *image, float x, float y)
{
    const float left = floorf(x), top = floorf(y);
    const int i = (int)left, j = (int)top;
    const float u = x - left, v = y - top;
    return (1 - v) * ((1 - u) * pixel(d, image, i, j) + u * pixel(d, image, i + 1, j)) +
           v * ((1 - u) * pixel(d, image, i, j + 1) + u * pixel(d, image, i + 1, j + 1));
}

static void displace(const distort_cpu *d, const drawn *of, int x, int y, float at[2])
{
    const size_t row = (size_t)((of->cell[1] + y) & (FIELD - 1));
    const float *field =
        d->field + (row * FIELD + (size_t)((of->cell[0] + x) & (FIELD - 1))) * PARTS;
    at[0] += of->parts[0] * field[0] + of->parts[1] * field[1];
    at[1] += of->parts[2] * field[2] + of->parts[3] * field[3];
}

static void distort(distort_cpu *d, const float *image, float *out)
{
    drawn of = {.x = {1, 0}, .y = {0, 1}};
    if (d->what.rotation > 0)
        draw_map(d, &of);
    if (d->field)
        draw_displacement(d, &of);
    for (int y = 0; y < d->side; ++y)
        for (int x = 0; x < d->side; ++x) {
            float at[2];
            for (int i = 0; i < 2; ++i)
                at[i] = of.origin[i] + (float)x * of.x[i] + (float)y * of.y[i];
            if (d->field)
                displace(d, &of, x, y, at);
            out[y * d->side + x] = between(d, image, at[0], at[1]);
        }
}

void distort_cpu_batch(distort_cpu *d, int number)
{
    const size_t pixels = (size_t)d->side * (size_t)d->side;
    if (d->field && number % FIELD_BATCHES == 0)
        draw_field(d);
    for (size_t i = 0; i < (size_t)d->batch; ++i)
        distort(d, d->images + i * pixels, d->distorted + i * pixels);
}
