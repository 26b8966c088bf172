#include "distortion_reference.h"

#include "base/random.h"

enum { SIDE = 512, PARTS = 4 };

static const double pi = 3.14159265358979323846;

void reference_draw(uint64_t seed, uint64_t step, int place, uint32_t number, double out[4])
{
    const uint32_t counter[4] = {(uint32_t)place, (uint32_t)step, number, 0x64697374};
    uint32_t words[4];
    glnn__philox(seed, counter, words);
    for (int i = 0; i < 4; ++i)
        out[i] = (double)(words[i] >> 8) / (1 << 24);
}

static void multiply(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 9; ++i) {
        out[i] = 0;
        for (int k = 0; k < 3; ++k)
            out[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
    }
}

static double within(double number, double range)
{
    return (2 * number - 1) * range;
}

static void identity(double m[9])
{
    for (int i = 0; i < 9; ++i)
        m[i] = i % 4 == 0;
}

void reference_affine(const glnn_distortion *of, uint64_t seed, uint64_t step, int place,
                      double m[9])
{
    double u[4], v[4], one[9], two[9];
    reference_draw(seed, step, place, 0, u);
    reference_draw(seed, step, place, 1, v);
    identity(m);
    if (of->probability != 0 && v[2] >= (double)of->probability)
        return;
    const double x = 0.5 * (of->shape.width - 1), y = 0.5 * (of->shape.height - 1);
    const double angle = within(u[2], (double)of->rotation) * pi / 180;
    const double slant = tan(within(v[1], (double)of->shear) * pi / 180);
    const double centre[] = {1, 0, -x, 0, 1, -y, 0, 0, 1};
    const double scale[] = {1 + within(u[3], (double)of->scale),
                            0,
                            0,
                            0,
                            1 + within(v[0], (double)of->scale),
                            0,
                            0,
                            0,
                            1};
    const double shear[] = {1, slant, 0, 0, 1, 0, 0, 0, 1};
    const double rotation[] = {cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1};
    const double shift[] = {1, 0, x + within(u[0], (double)of->shift),
                            0, 1, y + within(u[1], (double)of->shift),
                            0, 0, 1};
    multiply(scale, centre, one);
    multiply(shear, one, two);
    multiply(rotation, two, one);
    multiply(shift, one, m);
}

/* ---- The field */

static float field[2][SIDE][SIDE][PARTS];
static double deviation;

static void smooth(bool along_y, double sigma, float (*from)[SIDE][PARTS], float (*to)[SIDE][PARTS])
{
    const int reach = (int)ceil(3 * sigma);
    double weights[64], sum = 0;
    for (int i = -reach; i <= reach; ++i)
        sum += weights[i + reach] = exp(-0.5 * i * i / (sigma * sigma));
    for (int y = 0; y < SIDE; ++y)
        for (int x = 0; x < SIDE; ++x) {
            double cell[PARTS] = {0};
            for (int i = -reach; i <= reach; ++i)
                for (int part = 0; part < PARTS; ++part)
                    cell[part] += weights[i + reach] / sum *
                                  (double)from[(y + along_y * i) & (SIDE - 1)]
                                              [(x + !along_y * i) & (SIDE - 1)][part];
            for (int part = 0; part < PARTS; ++part)
                to[y][x][part] = (float)cell[part];
        }
}

static void make_field(const glnn_distortion *of, uint64_t seed, uint64_t step, double sigma)
{
    const uint64_t number = step / 64 + 1;
    const uint32_t counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), 3, 0x64697374};
    uint32_t words[4];
    (void)of;
    glnn__philox(seed, counter, words);
    const uint64_t key = (uint64_t)words[1] << 32 | words[0];
    for (uint32_t y = 0; y < SIDE; ++y)
        for (uint32_t x = 0; x < SIDE; ++x) {
            glnn__philox(key, (const uint32_t[]){y, x, 0, 0}, words);
            for (int part = 0; part < PARTS; ++part)
                field[0][y][x][part] = (float)(words[part] >> 8) * 0x1p-23f - 1;
        }
    smooth(false, sigma, field[0], field[1]);
    smooth(true, sigma, field[1], field[0]);
}

static double cell_between(double x, double y, int part)
{
    const double left = floor(x), top = floor(y), fx = x - left, fy = y - top;
    double sum = 0;
    for (int i = 0; i < 4; ++i)
        sum +=
            (i & 1 ? fx : 1 - fx) * (i & 2 ? fy : 1 - fy) *
            (double)
                field[0][((int)top + i / 2) & (SIDE - 1)][((int)left + i % 2) & (SIDE - 1)][part];
    return sum;
}

/* ---- Images */

typedef struct image {
    const glnn_distortion *of;
    array values;
    int row, channel;
} image;

static double pixel(const image *i, int x, int y)
{
    const glnn_shape *s = &i->of->shape;
    if (x < 0 || y < 0 || x >= s->width || y >= s->height)
        return (double)i->of->background;
    return *at(i->values, i->row, (i->channel * s->height + y) * s->width + x);
}

/* The interpolated value, and the most that an error of the position may change. */
static void sample(const image *i, double x, double y, double *value, double *bound)
{
    x = fmin(fmax(x, -1), i->of->shape.width);
    y = fmin(fmax(y, -1), i->of->shape.height);
    const int left = (int)floor(x), top = (int)floor(y);
    double low = INFINITY, high = -INFINITY;
    *value = 0;
    for (int dy = -1; dy <= 2; ++dy)
        for (int dx = -1; dx <= 2; ++dx) {
            const double p = pixel(i, left + dx, top + dy);
            const double wx = 1 - fabs(x - (left + dx)), wy = 1 - fabs(y - (top + dy));
            low = fmin(low, p);
            high = fmax(high, p);
            if (wx > 0 && wy > 0)
                *value += wx * wy * p;
        }
    *bound = 2 * POSITION_BOUND * (high - low) + 4 * EPS * fmax(fabs(low), fabs(high));
}

static void invert(const double m[9], double out[9])
{
    const double determinant = m[0] * m[4] - m[1] * m[3];
    identity(out);
    out[0] = m[4] / determinant;
    out[1] = -m[1] / determinant;
    out[3] = -m[3] / determinant;
    out[4] = m[0] / determinant;
    out[2] = -(out[0] * m[2] + out[1] * m[5]);
    out[5] = -(out[3] * m[2] + out[4] * m[5]);
}

/* The displacements of an image, as x and y of each pixel. */
static void displace(const glnn_distortion *of, uint64_t seed, uint64_t step, int place,
                     double cells, double *out)
{
    double v[4], w[4];
    reference_draw(seed, step, place, 1, v);
    reference_draw(seed, step, place, 2, w);
    const double chosen =
        of->probability == 0 || v[2] < (double)of->probability ? (double)of->elastic : 0;
    for (int i = 0; i < of->shape.width * of->shape.height; ++i) {
        const double x = floor(w[0] * SIDE) + i % of->shape.width * cells;
        const double y = floor(w[1] * SIDE) + i / of->shape.width * cells;
        for (int axis = 0; axis < 2; ++axis) {
            const double angle = 2 * pi * w[2 + axis];
            out[2 * i + axis] = chosen * (cos(angle) * cell_between(x, y, 2 * axis) +
                                          sin(angle) * cell_between(x, y, 2 * axis + 1));
        }
    }
}

static void distort_image(const glnn_distortion *of, const double map[9], const double *moved,
                          array x, int row, expected *out)
{
    const glnn_shape *s = &of->shape;
    const int plane = s->width * s->height;
    double back[9];
    invert(map, back);
    for (int i = 0; i < s->channels * plane; ++i) {
        const int px = i % plane % s->width, py = i % plane / s->width;
        const image from = {of, x, row, i / plane};
        sample(&from, back[0] * px + back[1] * py + back[2] + moved[2 * (i % plane)],
               back[3] * px + back[4] * py + back[5] + moved[2 * (i % plane) + 1],
               at(out->value, row, i), at(out->bound, row, i));
    }
}

expected reference_distort(const glnn_distortion *of, uint64_t seed, uint64_t step, array x)
{
    expected out = {array_new(x.rows, x.columns), array_new(x.rows, x.columns)};
    const int plane = of->shape.width * of->shape.height;
    const double sigma = of->sigma != 0 ? (double)of->sigma : 4, size = fmax(1, sigma / 8);
    double *moved = calloc(2 * (size_t)plane, sizeof *moved), squares = 0;
    assert_non_null(moved);
    if (of->elastic != 0)
        make_field(of, seed, step, sigma / size);
    for (int row = 0; row < x.rows; ++row) {
        double map[9];
        reference_affine(of, seed, step, row, map);
        if (of->elastic != 0)
            displace(of, seed, step, row, 1 / size, moved);
        for (int i = 0; i < 2 * plane; ++i)
            squares += moved[i] * moved[i];
        distort_image(of, map, moved, x, row, &out);
    }
    deviation = sqrt(squares / (2.0 * plane * x.rows));
    free(moved);
    return out;
}

double reference_displacement(void)
{
    return deviation;
}
