/* Gradient direction features of images, against double precision. */
#include "support/support.h"

#include <glnn/distortion.h>

enum { POINTS = 8, DIRECTIONS = 8, NUMBERS = GLNN_IMAGE_GRADIENTS, MOST_SIDE = 64 };

static const double pi = 3.14159265358979323846;

typedef struct size {
    int height, width;
} size;

static const size sizes[] = {{1, 1}, {5, 7}, {9, 1}, {1, 12}, {17, 40}, {28, 28}, {64, 64}};

/* A number and the greatest error that float32 may make of it. */
typedef struct number {
    double value, error;
} number;

static double pixel(array x, int row, size of, int px, int py)
{
    const bool inside = px >= 0 && py >= 0 && px < of.width && py < of.height;
    return inside ? *at(x, row, py * of.width + px) : 0;
}

/* The length of the part of a vector in a direction, if it is one of the two nearest. */
static double part(double gx, double gy, int direction)
{
    const double length = hypot(gx, gy);
    double angle = atan2(gy, gx) - direction * pi / 4;
    while (angle < -pi)
        angle += 2 * pi;
    while (angle > pi)
        angle -= 2 * pi;
    if (length == 0 || fabs(angle) >= pi / 4)
        return 0;
    /* The other side of the parallelogram is at 45 degrees. */
    return length * (cos(angle) - sin(fabs(angle)));
}

static double part_at(array x, int row, size of, int px, int py, int direction)
{
    static const int c[] = {1, 2, 1};
    double gx = 0, gy = 0;
    for (int k = -1; k <= 1; ++k) {
        gx += c[k + 1] * (pixel(x, row, of, px + 1, py + k) - pixel(x, row, of, px - 1, py + k));
        gy += c[k + 1] * (pixel(x, row, of, px + k, py + 1) - pixel(x, row, of, px + k, py - 1));
    }
    return part(gx, gy, direction);
}

/* The weight of pixel i for point k of a side of n pixels; the exponential and its argument are
 * rounded. 0: out of reach. */
static number weight(int i, int k, int n)
{
    const int centre = (2 * k + 1) * n / 16, reach = (int)ceil(3 * sqrt(2) * n / (8 * pi));
    const double away = (i + 0.5) * 8 / n - (k + 0.5), power = pi * pi / 4 * away * away;
    if (i < centre - reach || i > centre + reach)
        return (number){0};
    return (number){exp(-power), (10 + 10 * power) * EPS * exp(-power)};
}

/* A part is a few sums of up to four pixels. */
static number sum_at(array x, int row, size of, double greatest, int u, int v, int direction)
{
    number sum = {0, 1e-36};
    for (int py = -1; py <= of.height; ++py)
        for (int px = -1; px <= of.width; ++px) {
            const number wx = weight(px, u, of.width), wy = weight(py, v, of.height);
            if (wx.value * wy.value == 0)
                continue;
            const double p = part_at(x, row, of, px, py, direction);
            sum.value += wx.value * wy.value * p;
            sum.error += (wx.error * wy.value + wx.value * wy.error) * p +
                         wx.value * wy.value * 20 * EPS * 8 * greatest;
        }
    sum.error += sum.value * (of.width + of.height + 8) * EPS;
    return sum;
}

static double greatest_of(array x, int row)
{
    double greatest = 0;
    for (int i = 0; i < x.columns; ++i)
        greatest = fmax(greatest, fabs(*at(x, row, i)));
    return greatest;
}

static void reference_row(array x, int row, size of, expected out)
{
    number sums[NUMBERS], mean = {0};
    const double greatest = greatest_of(x, row);
    for (int i = 0; i < NUMBERS; ++i) {
        sums[i] = sum_at(x, row, of, greatest, i / DIRECTIONS % POINTS, i / (DIRECTIONS * POINTS),
                         i % DIRECTIONS);
        mean.value += sums[i].value / NUMBERS;
        mean.error += sums[i].error / NUMBERS;
    }
    for (int i = 0; i < NUMBERS && mean.value > 0; ++i) {
        const double low = sqrt(fmax(sums[i].value - sums[i].error, 0) / mean.value);
        const double high = sqrt((sums[i].value + sums[i].error) / mean.value);
        *at(out.value, row, i) = sqrt(sums[i].value / mean.value);
        *at(out.bound, row, i) = high - low + high * (mean.error / mean.value + 40 * EPS);
    }
}

static expected reference(array x, size of)
{
    const expected out = {array_new(x.rows, NUMBERS), array_new(x.rows, NUMBERS)};
    for (int row = 0; row < x.rows; ++row)
        reference_row(x, row, of, out);
    return out;
}

static glnn_matrix *gradients_of(array x, size of, glnn_layout from, glnn_layout to)
{
    glnn_matrix *out = matrix_of(array_numbered(x.rows, NUMBERS), to);
    expect_ok(glnn_image_gradients(glnn_test_context(), (glnn_shape){1, of.height, of.width},
                                   matrix_of(x, from), out));
    return out;
}

static void gradients_are_summed_by_direction_around_points(void **state)
{
    (void)state;
    for (int s = 0; s < (int)COUNT_OF(sizes); ++s)
        for (int i = 0; i < 4; ++i) {
            const size of = sizes[s];
            const int count = of.width * of.height > 400 ? 1 + i % 2 : 1 + (s + 3 * i) % 9;
            const array x = array_stored(
                array_random(count, of.height * of.width, i % 2 ? 0 : -1, 1), GLNN_STORAGE_FLOAT32);
            const glnn_layout from = (glnn_layout)(GLNN_LAYOUT_TILED + i);
            const glnn_layout to = rendered_layout(i + s);
            if (case_is_left_out(i + s) && s > 0)
                continue;
            expect_close(gradients_of(x, of, from, to), reference(x, of),
                         "gradients of %d images of %d x %d, %s -> %s", count, of.height, of.width,
                         glnn_layout_name(from), glnn_layout_name(to));
            release_all();
        }
}

/* A square image without a shape, and the columns of the result as the header numbers them. */
static void a_bar_has_gradients_to_its_left_and_to_its_right(void **state)
{
    enum { SIDE = 24, LEFT = 9, RIGHT = 15 };
    (void)state;
    array x = array_new(1, SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; ++i)
        x.data[i] = i % SIDE >= LEFT && i % SIDE < RIGHT;
    glnn_matrix *out = matrix_zero(1, NUMBERS, GLNN_LAYOUT_TILED);
    expect_ok(glnn_image_gradients(glnn_test_context(), (glnn_shape){0},
                                   matrix_of(x, GLNN_LAYOUT_TILED), out));
    const array got = values_of(out);
    double squares = 0;
    for (int i = 0; i < NUMBERS; ++i)
        squares += got.data[i] * got.data[i] / NUMBERS;
    assert_true(fabs(squares - 1) < 100 * EPS);
    /* In the middle line, far from the ends of the bar. */
    const double *left = got.data + (8 * 3 + 2) * DIRECTIONS;
    const double *right = got.data + (8 * 3 + 5) * DIRECTIONS;
    assert_true(left[0] > 2 && left[4] < 1 && right[4] > 2 && right[0] < 1);
    for (int d = 1; d < DIRECTIONS; ++d)
        assert_true(d == 4 || (left[d] == 0 && right[d] == 0));
}

/* Only the two axes change their places: point (u, v) and direction d become (v, u) and 2 - d. */
static void a_transposed_image_has_transposed_gradients(void **state)
{
    enum { SIDE = 21 };
    (void)state;
    const array x = array_stored(array_random(1, SIDE * SIDE, 0, 1), GLNN_STORAGE_FLOAT32);
    array turned = array_new(1, SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; ++i)
        turned.data[i % SIDE * SIDE + i / SIDE] = x.data[i];
    const size of = {SIDE, SIDE};
    const array a = values_of(gradients_of(x, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED));
    const array b = values_of(gradients_of(turned, of, GLNN_LAYOUT_PACKED, GLNN_LAYOUT_TILED));
    for (int v = 0; v < POINTS; ++v)
        for (int u = 0; u < POINTS; ++u)
            for (int d = 0; d < DIRECTIONS; ++d)
                assert_true(fabs(a.data[(8 * v + u) * 8 + d] -
                                 b.data[(8 * u + v) * 8 + (10 - d) % 8]) < 1e-4);
}

static void contrast_does_not_matter_and_empty_images_have_zeros(void **state)
{
    (void)state;
    const size of = {19, 14};
    const array x = array_stored(array_random(3, 19 * 14, 0, 1), GLNN_STORAGE_FLOAT32);
    array bright = array_copy(x);
    for (int i = 0; i < 19 * 14; ++i) {
        *at(x, 1, i) = *at(bright, 1, i) = 0;
        *at(bright, 0, i) *= 16;
        *at(bright, 2, i) /= 64;
    }
    const array a = values_of(gradients_of(x, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED));
    const array b = values_of(gradients_of(bright, of, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED));
    expect_same_bits(a, b, "gradients of images of another contrast");
    for (int i = 0; i < NUMBERS; ++i)
        assert_true(*at(a, 1, i) == 0);
}

static void wrong_images_are_refused(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(2, 36, GLNN_LAYOUT_TILED);
    glnn_matrix *out = matrix_zero(2, NUMBERS, GLNN_LAYOUT_TILED);
    glnn_matrix *paged = matrix_of(array_new(2, NUMBERS), GLNN_LAYOUT_PAGED);
    glnn_matrix *wide = matrix_zero(2, 1025, GLNN_LAYOUT_TILED);
    const glnn_shape shape = {1, 4, 9};
    expect_error(glnn_image_gradients(ctx, shape, x, x), GLNN_E_SHAPE, "`out`");
    expect_error(glnn_image_gradients(ctx, shape, x, paged), GLNN_E_ARG, "paged");
    expect_error(glnn_image_gradients(ctx, (glnn_shape){1, 5, 9}, x, out), GLNN_E_SHAPE,
                 "glnn_image_gradients: `shape` is 1 channels of 5 x 9 pixels");
    expect_error(
        glnn_image_gradients(ctx, (glnn_shape){4, 3, 3}, x, out), GLNN_E_ARG,
        "glnn_image_gradients: `shape` has 4 channels; gradients are those of one channel");
    expect_error(glnn_image_gradients(ctx, (glnn_shape){1, 1, 1025}, wide, out), GLNN_E_LIMIT,
                 "`shape` is 1 x 1025 pixels; at most 1024 x 1024 are possible");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(gradients_are_summed_by_direction_around_points),
        TEST(a_bar_has_gradients_to_its_left_and_to_its_right),
        TEST(a_transposed_image_has_transposed_gradients),
        TEST(contrast_does_not_matter_and_empty_images_have_zeros),
        TEST(wrong_images_are_refused),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
