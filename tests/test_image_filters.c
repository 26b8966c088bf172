/* Blur and normalisation of images, against double precision. */
#include "support/support.h"

#include <glnn/distortion.h>

static const glnn_shape shapes[] = {{1, 1, 1},  {1, 5, 7},  {3, 4, 9},
                                    {1, 1, 13}, {2, 13, 1}, {1, 17, 16}};

static int size_of(glnn_shape shape)
{
    return shape.channels * shape.height * shape.width;
}

static int clamped(int value, int count)
{
    return value < 0 ? 0 : value < count ? value : count - 1;
}

/* The weights of a Gaussian from -reach to reach, which sum to 1. */
static int gaussian(double sigma, double weights[128])
{
    const int reach = (int)ceil(3 * sigma);
    double sum = 0;
    assert_true(2 * reach + 1 <= 128);
    for (int i = -reach; i <= reach; ++i)
        sum += weights[i + reach] = exp(-0.5 * i * i / (sigma * sigma));
    for (int i = 0; i <= 2 * reach; ++i)
        weights[i] /= sum;
    return reach;
}

static double blurred(glnn_shape s, double sigma, array x, int row, int element)
{
    double weights[128], sum = 0;
    const int reach = gaussian(sigma, weights), plane = s.height * s.width;
    const int first = element / plane * plane;
    const int px = element % plane % s.width, py = element % plane / s.width;
    for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i)
            sum +=
                weights[i + reach] * weights[j + reach] *
                *at(x, row, first + clamped(py + j, s.height) * s.width + clamped(px + i, s.width));
    return sum;
}

/* Two sums of at most 2 * reach + 1 terms, and the rounding of each weight. */
static expected reference_blur(glnn_shape s, double sigma, array x)
{
    expected out = {array_new(x.rows, x.columns), array_new(x.rows, x.columns)};
    for (int row = 0; row < x.rows; ++row)
        for (int i = 0; i < x.columns; ++i) {
            *at(out.value, row, i) = blurred(s, sigma, x, row, i);
            *at(out.bound, row, i) = 2 * (6 * sigma + 40) * EPS;
        }
    return out;
}

static void check_blur(glnn_shape shape, double sigma, int count, glnn_layout from, glnn_layout to)
{
    const array x = array_random(count, size_of(shape), -1, 1);
    const float rounded = (float)sigma;
    glnn_matrix *out = matrix_of(array_numbered(x.rows, x.columns), to);
    expect_ok(glnn_image_blur(glnn_test_context(), shape, rounded, matrix_of(x, from), out));
    expect_close(out, reference_blur(shape, (double)rounded, x),
                 "blur of %d images of %d x %d x %d by %g, %s -> %s", count, shape.channels,
                 shape.height, shape.width, sigma, glnn_layout_name(from), glnn_layout_name(to));
    release_all();
}

static void a_blur_sums_weighted_neighbours(void **state)
{
    (void)state;
    static const double sigmas[] = {0.1, 0.5, 1, 2.3, 5};
    for (size_t s = 0; s < COUNT_OF(shapes); ++s)
        for (size_t i = 0; i < COUNT_OF(sigmas); ++i) {
            const int side =
                shapes[s].height > shapes[s].width ? shapes[s].height : shapes[s].width;
            if (sigmas[i] <= side)
                check_blur(shapes[s], sigmas[i], 1 + (int)(s + 3 * i) % 9,
                           (glnn_layout)(GLNN_LAYOUT_TILED + (int)(s + i) % 4),
                           rendered_layout(s + i / 2));
        }
}

static void a_blur_keeps_images_of_one_colour(void **state)
{
    (void)state;
    array x = array_new(3, 35);
    for (size_t i = 0; i < length_of(x); ++i)
        x.data[i] = 0.75;
    glnn_matrix *m = matrix_of(x, GLNN_LAYOUT_TILED);
    expect_ok(glnn_image_blur(glnn_test_context(), shapes[1], 2, m, m));
    const array got = values_of(m);
    for (size_t i = 0; i < length_of(x); ++i)
        assert_true(fabs(got.data[i] - 0.75) <= 40 * EPS);
}

/* The square of sigma is smaller than any float. */
static void a_blur_of_a_tiny_sigma_changes_nothing(void **state)
{
    (void)state;
    const array x = array_stored(array_random(3, 35, -1, 1), GLNN_STORAGE_FLOAT32);
    glnn_matrix *m = matrix_of(x, GLNN_LAYOUT_TILED);
    expect_ok(glnn_image_blur(glnn_test_context(), shapes[1], 1e-30f, m, m));
    const array got = values_of(m);
    for (size_t i = 0; i < length_of(x); ++i)
        assert_true(got.data[i] == x.data[i]);
}

static void a_blur_may_have_its_output_as_operand(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const array x = array_random(6, size_of(shapes[2]), -1, 1);
        glnn_matrix *m = matrix_of(x, layout);
        expect_ok(glnn_image_blur(glnn_test_context(), shapes[2], 1, m, m));
        expect_close(m, reference_blur(shapes[2], 1, x), "blur in place");
    }
}

/* The mean is off by some units of EPS, and its error changes the deviation by as much. */
static expected reference_normalise(double least, array x)
{
    expected out = {array_new(x.rows, x.columns), array_new(x.rows, x.columns)};
    for (int row = 0; row < x.rows; ++row) {
        double mean = 0, squares = 0, most = 0;
        for (int i = 0; i < x.columns; ++i)
            mean += *at(x, row, i) / x.columns;
        for (int i = 0; i < x.columns; ++i) {
            const double value = *at(x, row, i) - mean;
            squares += value * value;
            most = fmax(most, fabs(*at(x, row, i)));
        }
        const double deviation = fmax(sqrt(squares / x.columns), least);
        for (int i = 0; i < x.columns; ++i) {
            *at(out.value, row, i) = (*at(x, row, i) - mean) / deviation;
            *at(out.bound, row, i) =
                (40 * most / deviation + 40 * fabs(*at(out.value, row, i))) * EPS;
        }
    }
    return out;
}

static void check_normalise(int rows, int columns, double least, double high, glnn_layout from,
                            glnn_layout to)
{
    const array x = array_random(rows, columns, -1, high);
    const float rounded = (float)least;
    glnn_matrix *out = matrix_of(array_numbered(rows, columns), to);
    expect_ok(glnn_image_normalise(glnn_test_context(), rounded, matrix_of(x, from), out));
    expect_close(out, reference_normalise((double)rounded, x),
                 "normalisation of %d x %d to at least %g, %s -> %s", rows, columns, least,
                 glnn_layout_name(from), glnn_layout_name(to));
    release_all();
}

static void normalised_images_have_mean_0_and_deviation_1(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 2}, {5, 7}, {4, 8}, {9, 33}, {3, 784}, {130, 5}};
    for (size_t s = 0; s < COUNT_OF(sizes); ++s)
        for (int i = 0; i < 4; ++i) {
            check_normalise(sizes[s][0], sizes[s][1], 1e-3, 3, (glnn_layout)(GLNN_LAYOUT_TILED + i),
                            rendered_layout(i / 2 + (int)s));
            check_normalise(sizes[s][0], sizes[s][1], 10, 3, GLNN_LAYOUT_TILED, rendered_layout(i));
        }
}

static void images_of_one_colour_become_zero(void **state)
{
    (void)state;
    array x = array_new(2, 49);
    for (size_t i = 0; i < length_of(x); ++i)
        x.data[i] = 0.1;
    glnn_matrix *m = matrix_of(x, GLNN_LAYOUT_TILED);
    expect_ok(glnn_image_normalise(glnn_test_context(), 1e-3f, m, m));
    const array got = values_of(m);
    for (size_t i = 0; i < length_of(x); ++i)
        assert_true(fabs(got.data[i]) < 1e-3);
}

static void wrong_operands_and_numbers_are_refused(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(2, 35, GLNN_LAYOUT_TILED);
    glnn_matrix *narrow = matrix_zero(2, 34, GLNN_LAYOUT_TILED);
    glnn_matrix *paged = matrix_of(array_new(2, 35), GLNN_LAYOUT_PAGED);
    const glnn_shape shape = {1, 5, 7};
    static const float wrong[] = {0, -1, 7.5f, INFINITY, NAN};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(glnn_image_blur(ctx, shape, wrong[i], x, x), GLNN_E_ARG,
                     "it has to be above 0 and at most 7, the larger side of an image");
    expect_error(glnn_image_blur(ctx, (glnn_shape){1, 5, 6}, 1, x, x), GLNN_E_SHAPE,
                 "glnn_image_blur: `shape` is 1 channels of 5 x 6 pixels");
    expect_error(glnn_image_blur(ctx, (glnn_shape){0}, 1, x, x), GLNN_E_SHAPE,
                 "glnn_image_blur: `shape` is not set, and 35 features are not the pixels of a "
                 "square image");
    expect_error(glnn_image_blur(ctx, shape, 1, x, narrow), GLNN_E_SHAPE, "`out`");
    expect_error(glnn_image_blur(ctx, shape, 1, x, paged), GLNN_E_ARG, "paged");
    expect_error(glnn_image_normalise(ctx, 1, x, narrow), GLNN_E_SHAPE, "`out`");
    expect_error(glnn_image_normalise(ctx, 1, x, paged), GLNN_E_ARG, "paged");
    expect_error(glnn_image_normalise(ctx, 0, x, x), GLNN_E_ARG,
                 "glnn_image_normalise: `least` is 0; it has to be finite and above 0");
    expect_error(glnn_image_normalise(ctx, NAN, x, x), GLNN_E_ARG, "`least` is nan");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_blur_sums_weighted_neighbours),
        TEST(a_blur_keeps_images_of_one_colour),
        TEST(a_blur_of_a_tiny_sigma_changes_nothing),
        TEST(a_blur_may_have_its_output_as_operand),
        TEST(normalised_images_have_mean_0_and_deviation_1),
        TEST(images_of_one_colour_become_zero),
        TEST(wrong_operands_and_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
