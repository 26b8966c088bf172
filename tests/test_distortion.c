/* Distorted images, against double precision, and what is drawn for them. */
#include "support/distortion_reference.h"

#include <stdio.h>

enum { SEED = 5, STEP = 70 };

static const glnn_shape shapes[] = {{1, 1, 1},  {1, 5, 7},   {3, 4, 9}, {1, 1, 13},
                                    {2, 13, 1}, {1, 17, 16}, {5, 3, 3}};

static const glnn_distortion kinds[] = {
    {.shift = 2.5f},
    {.rotation = 180},
    {.scale = 0.4f},
    {.shear = 30},
    {.shift = 1, .rotation = 10, .scale = 0.15f, .shear = 8, .background = 0.5f},
    {.elastic = 34},
    {.elastic = 20, .sigma = 1, .probability = 0.5f},
    {.shift = 1, .rotation = 15, .elastic = 34, .probability = 0.7f, .background = -1},
};

static int size_of(glnn_shape shape)
{
    return shape.channels * shape.height * shape.width;
}

static glnn_distortion with_shape(glnn_distortion of, glnn_shape shape)
{
    of.shape = shape;
    return of;
}

static array distorted(const glnn_distortion *of, uint64_t seed, uint64_t step, array x,
                       glnn_layout from, glnn_layout to)
{
    glnn_matrix *out = matrix_of(array_numbered(x.rows, x.columns), to);
    expect_ok(glnn_image_distort(glnn_test_context(), of, seed, step, matrix_of(x, from), out));
    return values_of(out);
}

static void without_a_distortion_images_keep_their_bits(void **state)
{
    (void)state;
    static const int rows[] = {1, 3, 4, 5, 37};
    for (size_t s = 0; s < COUNT_OF(shapes); ++s)
        for (int i = 0; i < 16; ++i) {
            const int count = rows[(s + (size_t)i) % COUNT_OF(rows)];
            const glnn_distortion none = {.shape = shapes[s], .background = 9};
            const glnn_storage storage = i % 5 == 4 ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
            const array x = array_stored(array_random(count, size_of(shapes[s]), -1, 1), storage);
            const glnn_layout from = (glnn_layout)(GLNN_LAYOUT_TILED + i % 4);
            glnn_matrix *out = matrix_of(array_numbered(x.rows, x.columns), rendered_layout(i / 4));
            expect_ok(glnn_image_distort(glnn_test_context(), &none, SEED, STEP,
                                         matrix_stored(x, from, storage), out));
            expect_equal(out, x, "%d images of %d x %d x %d, %s -> %s", count, shapes[s].channels,
                         shapes[s].height, shapes[s].width, glnn_layout_name(from),
                         glnn_layout_name(rendered_layout(i / 4)));
            release_all();
        }
}

static void check_distorted(const glnn_distortion *of, uint64_t step, int count, glnn_layout from,
                            glnn_layout to, const char *what)
{
    const array x = array_random(count, size_of(of->shape), -1, 1);
    const expected want = reference_distort(of, SEED, step, x);
    glnn_matrix *out = matrix_of(array_numbered(x.rows, x.columns), to);
    expect_ok(glnn_image_distort(glnn_test_context(), of, SEED, step, matrix_of(x, from), out));
    expect_close(out, want, "%s: %d images of %d x %d x %d, %s -> %s", what, count,
                 of->shape.channels, of->shape.height, of->shape.width, glnn_layout_name(from),
                 glnn_layout_name(to));
    release_all();
}

/* The stages take the pairs in turn. */
static void distorted_images_interpolate_between_pixels(void **state)
{
    (void)state;
    char what[32];
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
            if (case_is_left_out((int)(k + s) % 2))
                continue;
            const glnn_distortion of = with_shape(kinds[k], shapes[s]);
            snprintf(what, sizeof what, "distortion %zu", k);
            check_distorted(&of, STEP, 1 + (int)(k + 5 * s) % 9,
                            (glnn_layout)(GLNN_LAYOUT_TILED + (int)(k + s) % 4),
                            rendered_layout(k + s / 2), what);
        }
}

static void fields_coarser_than_pixels_are_interpolated(void **state)
{
    (void)state;
    glnn_distortion of = {.shape = {1, 40, 23}, .elastic = 300, .sigma = 20};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        check_distorted(&of, STEP, 6, layout, layout, "sigma 20");
    of.sigma = 8; /* the greatest that is not coarser */
    check_distorted(&of, STEP, 6, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED, "sigma 8");
}

/* The square of sigma is smaller than any float. */
static void a_field_of_a_tiny_sigma_is_not_smoothed(void **state)
{
    (void)state;
    const glnn_distortion of = {.shape = {1, 9, 8}, .elastic = 3, .sigma = 1e-30f};
    check_distorted(&of, STEP, 5, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED, "sigma 1e-30");
}

/* More than one row of strips in the copy of the images. */
static void many_images_do_not_run_into_their_neighbours(void **state)
{
    (void)state;
    const glnn_distortion of = {.shape = {2, 5, 6}, .shift = 12, .rotation = 180};
    check_distorted(&of, 3, 700, GLNN_LAYOUT_PAGED, GLNN_LAYOUT_TILED, "many images");
    check_distorted(&of, 4, 257, GLNN_LAYOUT_PACKED, GLNN_LAYOUT_PACKED, "many images");
}

static void images_of_half_precision_are_distorted(void **state)
{
    (void)state;
    const glnn_distortion of = {.shape = {1, 9, 8}, .rotation = 20, .elastic = 20};
    const array x = array_stored(array_random(6, 72, -1, 1), GLNN_STORAGE_FLOAT16);
    expected want = reference_distort(&of, SEED, STEP, x);
    for (size_t i = 0; i < length_of(want.bound); ++i)
        want.bound.data[i] += 0x1p-10; /* devices may filter halves in halves */
    glnn_matrix *out = matrix_zero(6, 72, GLNN_LAYOUT_TILED);
    expect_ok(glnn_image_distort(glnn_test_context(), &of, SEED, STEP,
                                 matrix_stored(x, GLNN_LAYOUT_PAGED, GLNN_STORAGE_FLOAT16), out));
    expect_close(out, want, "images in 16 bits");
}

static void equal_arguments_give_equal_bits_and_others_do_not(void **state)
{
    (void)state;
    const glnn_shape shape = {1, 9, 9};
    const array x = array_random(8, 81, 0, 1);
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        const glnn_distortion of = with_shape(kinds[k], shape);
        const glnn_layout layout = rendered_layout(k);
        const array first = distorted(&of, SEED, STEP, x, layout, layout);
        expect_same_bits(first, distorted(&of, SEED, STEP, x, layout, layout), "kind %zu", k);
        expect_same_bits(first, distorted(&of, SEED, STEP, x, GLNN_LAYOUT_PAGED, layout),
                         "kind %zu from pages", k);
        const array others[] = {distorted(&of, SEED + 1, STEP, x, layout, layout),
                                distorted(&of, SEED + (UINT64_C(1) << 32), STEP, x, layout, layout),
                                distorted(&of, SEED, STEP + 1, x, layout, layout),
                                distorted(&of, SEED, STEP + 64, x, layout, layout)};
        for (size_t i = 0; i < COUNT_OF(others); ++i)
            assert_memory_not_equal(first.data, others[i].data,
                                    length_of(first) * sizeof *first.data);
    }
}

static void equal_images_differ_at_each_place(void **state)
{
    (void)state;
    const glnn_shape shape = {1, 9, 9};
    array x = array_random(7, 81, 0, 1);
    for (int row = 1; row < x.rows; ++row)
        memcpy(at(x, row, 0), x.data, 81 * sizeof *x.data);
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        glnn_distortion of = with_shape(kinds[k], shape);
        of.probability = 1;
        const array out = distorted(&of, SEED, STEP, x, GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED);
        for (int row = 1; row < x.rows; ++row)
            assert_memory_not_equal(out.data, at(out, row, 0), 81 * sizeof *out.data);
    }
}

/* ---- Random numbers */

static void matrices_are_those_of_the_images(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        for (int place = 0; place < 50; ++place) {
            const glnn_distortion of = with_shape(kinds[k], (glnn_shape){3, 20, 31});
            double want[9];
            float got[9];
            reference_affine(&of, SEED, STEP, place, want);
            expect_ok(glnn_distortion_get_matrix(&of, SEED, STEP, place, got));
            for (int i = 0; i < 9; ++i)
                if (!(fabs((double)got[i] - want[i]) <= 31e-6))
                    fail_at(__FILE__, __LINE__, "kind %zu, place %d, element %d: %g, not %g", k,
                            place, i, (double)got[i], want[i]);
        }
}

/* The numbers that a map is made of. */
typedef struct drawn {
    double shift[2], rotation, scale[2], shear;
} drawn;

static drawn drawn_for(const glnn_distortion *of, uint64_t step, int place)
{
    float m[9];
    expect_ok(glnn_distortion_get_matrix(of, SEED, step, place, m));
    const double a = (double)m[0], b = (double)m[1], c = (double)m[3], d = (double)m[4];
    const double x = 0.5 * (of->shape.width - 1), y = 0.5 * (of->shape.height - 1);
    drawn out = {.shift = {a * x + b * y + (double)m[2] - x, c * x + d * y + (double)m[5] - y},
                 .rotation = atan2(c, a),
                 .scale = {hypot(a, c)}};
    /* The second column is R (slant f, f), where f is the second factor. */
    const double across = cos(out.rotation) * b + sin(out.rotation) * d;
    out.scale[1] = cos(out.rotation) * d - sin(out.rotation) * b;
    out.shear = atan(across / out.scale[1]);
    return out;
}

/* A number that is uniform in mean +- range. */
static void expect_uniform(const double *values, int count, int stride, double mean, double range,
                           const char *what)
{
    double sum = 0, squares = 0, most = 0;
    for (int i = 0; i < count; ++i) {
        const double value = values[i * stride] - mean;
        sum += value;
        squares += value * value;
        most = fmax(most, fabs(value));
    }
    /* Six standard deviations of both means. */
    const double bound = 6 / sqrt(count);
    if (most > range * (1 + 1e-5) || most < 0.99 * range ||
        fabs(sum / count) > bound * range / sqrt(3) ||
        fabs(squares / count - range * range / 3) > bound * range * range * sqrt(4.0 / 45))
        fail_at(__FILE__, __LINE__, "%s: mean %g, mean square %g, greatest %g of %g", what,
                sum / count, squares / count, most, range);
}

static void what_is_drawn_is_uniform_in_its_range(void **state)
{
    (void)state;
    enum { STEPS = 20, PLACES = 200, COUNT = STEPS * PLACES };
    static drawn all[COUNT];
    const double degree = acos(-1) / 180;
    const glnn_distortion of = {
        .shape = {1, 21, 30}, .shift = 3, .rotation = 25, .scale = 0.3f, .shear = 12};
    for (int i = 0; i < COUNT; ++i)
        all[i] = drawn_for(&of, (uint64_t)(i / PLACES), i % PLACES);
    const int stride = sizeof *all / sizeof(double);
    expect_uniform(&all->shift[0], COUNT, stride, 0, 3, "shift along x");
    expect_uniform(&all->shift[1], COUNT, stride, 0, 3, "shift along y");
    expect_uniform(&all->rotation, COUNT, stride, 0, 25 * degree, "rotation");
    expect_uniform(&all->scale[0], COUNT, stride, 1, 0.3, "scale along x");
    expect_uniform(&all->scale[1], COUNT, stride, 1, 0.3, "scale along y");
    expect_uniform(&all->shear, COUNT, stride, 0, 12 * degree, "shear");
}

static void the_share_of_distorted_images_is_the_probability(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    const glnn_distortion of = {.shape = {1, 8, 8}, .shift = 1, .probability = 0.3f};
    int count = 0;
    for (int i = 0; i < COUNT; ++i) {
        const drawn d = drawn_for(&of, 0, i);
        count += d.shift[0] != 0 || d.shift[1] != 0;
    }
    assert_true(fabs(count - 0.3 * COUNT) < 6 * sqrt(0.3 * 0.7 * COUNT));
}

/* The mean square of a smoothed field is that of the numbers, 1/3, times the sum of the squares of
 * the Gaussian's weights, which is about 1 / (4 pi sigma^2). */
static void displacements_are_as_large_as_published(void **state)
{
    (void)state;
    const glnn_distortion of = {.shape = {1, 28, 28}, .elastic = 34, .sigma = 4};
    double squares = 0;
    for (int i = 0; i < 4; ++i) {
        reference_distort(&of, SEED, (uint64_t)(64 * i), array_random(60, 784, 0, 1));
        squares += reference_displacement() * reference_displacement() / 4;
        release_all();
    }
    const double want = 34 * sqrt(1 / (12 * acos(-1))) / 4;
    assert_true(fabs(sqrt(squares) / want - 1) < 0.1);
}

/* ---- Errors */

static void numbers_out_of_their_range_are_refused(void **state)
{
    (void)state;
    static const struct {
        glnn_distortion of;
        const char *part;
    } wrong[] = {
        {{.shift = -1}, "distortion.shift is -1; it has to be a finite number from 0 on"},
        {{.shift = INFINITY}, "distortion.shift is inf"},
        {{.rotation = 181}, "distortion.rotation is 181; it has to be a number in [0, 180]"},
        {{.rotation = NAN}, "distortion.rotation is nan"},
        {{.scale = 1}, "distortion.scale is 1; it has to be a number in [0, 1)"},
        {{.scale = -0.5f}, "distortion.scale is -0.5"},
        {{.shear = 61}, "distortion.shear is 61"},
        {{.elastic = NAN}, "distortion.elastic is nan"},
        {{.elastic = INFINITY}, "distortion.elastic is inf"},
        {{.elastic = -2}, "distortion.elastic is -2"},
        {{.elastic = 34, .sigma = 7}, "`distortion.sigma` is 7; it has to be in 0 to 6"},
        {{.elastic = 34, .sigma = -1}, "distortion.sigma is -1"},
        {{.elastic = 34, .sigma = NAN}, "distortion.sigma is nan"},
        {{.sigma = 4}, "`distortion.sigma` is 4, but `distortion.elastic` is 0"},
        {{.shift = 1, .probability = 1.5f}, "distortion.probability is 1.5"},
        {{.probability = 0.5f}, "`distortion.probability` is 0.5, but nothing"},
        {{.shift = 1, .background = NAN}, "distortion.background is nan"},
    };
    glnn_matrix *x = matrix_zero(2, 30, GLNN_LAYOUT_TILED);
    float m[9];
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        const glnn_distortion of = with_shape(wrong[i].of, (glnn_shape){1, 5, 6});
        expect_error(glnn_image_distort(glnn_test_context(), &of, 1, 0, x, x), GLNN_E_ARG,
                     wrong[i].part);
        expect_error(glnn_distortion_get_matrix(&of, 1, 0, 0, m), GLNN_E_ARG, wrong[i].part);
    }
}

static void shapes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *x = matrix_zero(2, 30, GLNN_LAYOUT_TILED);
    glnn_matrix *narrow = matrix_zero(2, 29, GLNN_LAYOUT_TILED);
    float m[9];
    glnn_distortion of = {.shape = {1, 5, 7}, .shift = 1};
    expect_error(glnn_image_distort(ctx, &of, 1, 0, x, x), GLNN_E_SHAPE,
                 "glnn_image_distort: `distortion.shape` is 1 channels of 5 x 7 pixels, but a "
                 "sample has 30 features");
    of.shape = (glnn_shape){0, 5, 6};
    expect_error(glnn_image_distort(ctx, &of, 1, 0, x, x), GLNN_E_SHAPE, "0 channels");
    of.shape = (glnn_shape){0};
    expect_error(glnn_image_distort(ctx, &of, 1, 0, x, x), GLNN_E_SHAPE,
                 "30 features are not the pixels of a square image");
    expect_error(glnn_image_distort(ctx, NULL, 1, 0, x, narrow), GLNN_E_SHAPE,
                 "`out` (matrix) is 2 x 29; it must be 2 x 30");
    expect_error(glnn_distortion_get_matrix(&of, 1, 0, 0, m), GLNN_E_ARG,
                 "glnn_distortion_get_matrix: `distortion.shape` is 0 channels");
    of.shape = (glnn_shape){1, 5, 6};
    expect_error(glnn_distortion_get_matrix(&of, 1, 0, -1, m), GLNN_E_ARG, "`place` is -1");
    expect_error(glnn_distortion_add(&of, GLNN_DISTORTION_COUNT), GLNN_E_ARG, "`kind` is 2");
}

static void images_too_many_for_a_texture_are_refused_with_sizes(void **state)
{
    (void)state;
    const glnn_distortion of = {.shape = {16384, 1, 1}, .shift = 1};
    glnn_matrix *x = matrix_zero(1, 16384, GLNN_LAYOUT_TILED);
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(glnn_test_context(), &info));
    if (info.max_texture_size <= 16384)
        expect_error(glnn_image_distort(glnn_test_context(), &of, 1, 0, x, x), GLNN_E_LIMIT,
                     "1 images of 16384 channels of 1 x 1 pixels, with a border of one pixel, do "
                     "not fit one texture of 16384 x 16384 texels");
    context_use(context_new(1 << 16, 0));
    const glnn_distortion square = {.shape = {1, 64, 64}, .shift = 1};
    x = matrix_zero(1, 4096, GLNN_LAYOUT_TILED);
    expect_error(glnn_image_distort(glnn_test_context(), &square, 1, 0, x, x), GLNN_E_LIMIT,
                 "images to distort: needs 65536 bytes of texture");
}

static void the_kinds_have_their_published_numbers(void **state)
{
    (void)state;
    glnn_distortion of = {.background = 3};
    expect_ok(glnn_distortion_add(&of, GLNN_DISTORTION_AFFINE));
    assert_true(of.shift == 1 && of.rotation == 7.5f && of.scale == 0.15f && of.shear == 7.5f &&
                of.elastic == 0 && of.sigma == 0 && of.background == 3);
    expect_ok(glnn_distortion_add(&of, GLNN_DISTORTION_ELASTIC));
    assert_true(of.elastic == 34 && of.sigma == 4 && of.shift == 1 && of.background == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_a_distortion_images_keep_their_bits),
        TEST(distorted_images_interpolate_between_pixels),
        TEST(fields_coarser_than_pixels_are_interpolated),
        TEST(a_field_of_a_tiny_sigma_is_not_smoothed),
        TEST(many_images_do_not_run_into_their_neighbours),
        TEST(images_of_half_precision_are_distorted),
        TEST(equal_arguments_give_equal_bits_and_others_do_not),
        TEST(equal_images_differ_at_each_place),
        TEST(matrices_are_those_of_the_images),
        TEST(what_is_drawn_is_uniform_in_its_range),
        TEST(the_share_of_distorted_images_is_the_probability),
        TEST(displacements_are_as_large_as_published),
        TEST(numbers_out_of_their_range_are_refused),
        TEST(shapes_that_do_not_fit_are_refused),
        TEST(images_too_many_for_a_texture_are_refused_with_sizes),
        TEST(the_kinds_have_their_published_numbers),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
