/* The two forms of a signal, and the passes between them. */
#include "support/pixels.h"
#include "support/reference.h"

#include "layers/pixels.h"

static const glnn_shape shapes[] = {{1, 1, 1}, {1, 4, 7}, {1, 5, 5}, {3, 2, 6}, {4, 3, 3},
                                    {7, 4, 4}, {8, 1, 5}, {9, 7, 4}, {17, 2, 2}};

/* Calls with every pair of layouts, for different numbers of samples. */
static void for_every_shape(void (*check)(array flat, glnn_shape shape, glnn_layout from,
                                          glnn_layout to))
{
    random_seed(51);
    for (size_t s = 0; s < COUNT_OF(shapes); ++s)
        for (int i = 0; i < RENDERED_COUNT * RENDERED_COUNT; ++i) {
            const glnn_shape of = shapes[s];
            const int samples = (int)(1 + (s + (size_t)i) % 5);
            check(array_random(samples, of.channels * of.height * of.width, -1.0, 1.0), of,
                  rendered_layout(i), rendered_layout(i / RENDERED_COUNT));
            release_all();
        }
}

typedef glnn_status conversion(glnn_context *ctx, const glnn_matrix *x, glnn_shape shape,
                               glnn_matrix *out);

static void check_conversion(conversion *convert, array x, array want, glnn_shape shape,
                             glnn_layout from, glnn_layout to)
{
    glnn_matrix *out = matrix_of(array_numbered(want.rows, want.columns), to);
    expect_ok(convert(glnn_test_context(), matrix_of(x, from), shape, out));
    expect_equal(out, want, "%d x %d from samples of %d x %d x %d, %s -> %s", want.rows,
                 want.columns, shape.channels, shape.height, shape.width, glnn_layout_name(from),
                 glnn_layout_name(to));
}

static void check_to_pixels(array flat, glnn_shape shape, glnn_layout from, glnn_layout to)
{
    check_conversion(glnn__to_pixels, flat, pixels_of(flat, shape), shape, from, to);
}

static void samples_become_pixels(void **state)
{
    (void)state;
    for_every_shape(check_to_pixels);
}

static void check_to_flat(array flat, glnn_shape shape, glnn_layout from, glnn_layout to)
{
    check_conversion(glnn__to_flat, pixels_of(flat, shape), flat, shape, from, to);
}

static void pixels_become_samples(void **state)
{
    (void)state;
    for_every_shape(check_to_flat);
}

/* The derivative of relu is 0 or 1, so the product is exact. */
static void check_derivative(array flat, glnn_shape shape, glnn_layout from, glnn_layout to)
{
    array want = pixels_of(flat, shape);
    const array y = array_random(want.rows, want.columns, -1.0, 1.0);
    for (size_t i = 0; i < length_of(y); ++i)
        want.data[i] = y.data[i] > 0 ? want.data[i] : 0;
    glnn_matrix *out = matrix_of(array_numbered(want.rows, want.columns), to);
    expect_ok(glnn__to_pixels_times(glnn_test_context(), matrix_of(flat, from), shape,
                                    GLNN_MAP_RELU, matrix_of(y, to), out));
    expect_equal(out, want, "%d samples of %d x %d x %d times a derivative, %s -> %s", flat.rows,
                 shape.channels, shape.height, shape.width, glnn_layout_name(from),
                 glnn_layout_name(to));
}

static void pixels_are_multiplied_by_a_derivative(void **state)
{
    (void)state;
    for_every_shape(check_derivative);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(samples_become_pixels),
        TEST(pixels_become_samples),
        TEST(pixels_are_multiplied_by_a_derivative),
    };
    return cmocka_run_group_tests_name("pixels", tests, test_group_setup, test_group_teardown);
}
