/* The preparation of drawn digits, against the same in double precision, pixel by pixel. */
#include "support/support.h"

#include <stdio.h>

#include "common/random.h"
#include "window/digit.h"

/* The rule of MNIST along one axis: place in the image = scale (place - middle) + shift. */
typedef struct placed {
    double first, last; /* of the ink                         */
    double centre;      /* of mass                            */
    double scale;       /* of both axes                       */
    double shift;       /* a whole number of pixels           */
    bool on_edge;       /* rounding may choose the next shift */
} placed;

static placed place_axis(array canvas, bool rows)
{
    double mass = 0.0, moment = 0.0;
    placed out = {.first = canvas.rows, .last = 0.0};
    for (int y = 0; y < canvas.rows; ++y)
        for (int x = 0; x < canvas.columns; ++x) {
            const double ink = *at(canvas, y, x), place = rows ? y : x;
            out.first = ink > 0.0 ? fmin(out.first, place) : out.first;
            out.last = ink > 0.0 ? fmax(out.last, place + 1.0) : out.last;
            mass += ink;
            moment += ink * (place + 0.5);
        }
    out.centre = moment / mass;
    return out;
}

static void choose_shift(placed *of)
{
    const double from_middle = of->scale * (of->centre - (of->first + of->last) / 2.0) + 1.0 / 64.0;
    of->shift = 14.0 - floor(from_middle);
    of->on_edge = fabs(from_middle - round(from_middle)) < 1e-3;
}

/* The part of the pixel `from` of the canvas that lies in the pixel `to` of the image. */
static double overlap(const placed *of, int from, int to)
{
    const double middle = (of->first + of->last) / 2.0;
    const double start = of->scale * (from - middle) + of->shift, end = start + of->scale;
    return fmax(0.0, fmin(end, to + 1.0) - fmax(start, to));
}

static double mean_ink(array canvas, const placed *vertical, const placed *horizontal, int row,
                       int column)
{
    double sum = 0.0;
    for (int y = 0; y < canvas.rows; ++y) {
        const double height = overlap(vertical, y, row);
        for (int x = 0; height > 0.0 && x < canvas.columns; ++x)
            sum += height * overlap(horizontal, x, column) * *at(canvas, y, x);
    }
    return sum;
}

/* A place in the image has an error of at most 160 eps, and a pixel of the image sums over
 * length / 20 + 2 pixels of the canvas along each axis, with two places each. */
static expected prepare_by_hand(array canvas)
{
    placed vertical = place_axis(canvas, true), horizontal = place_axis(canvas, false);
    const double length = fmax(vertical.last - vertical.first, horizontal.last - horizontal.first);
    expected want = {array_new(DIGIT_SIDE, DIGIT_SIDE), array_new(DIGIT_SIDE, DIGIT_SIDE)};
    if (length <= 0.0)
        return want;
    vertical.scale = horizontal.scale = 20.0 / length;
    choose_shift(&vertical);
    choose_shift(&horizontal);
    assert_false(vertical.on_edge || horizontal.on_edge);
    for (int row = 0; row < DIGIT_SIDE; ++row)
        for (int column = 0; column < DIGIT_SIDE; ++column) {
            *at(want.value, row, column) = mean_ink(canvas, &vertical, &horizontal, row, column);
            *at(want.bound, row, column) = 640.0 * EPS * (length / 20.0 + 2.0);
        }
    return want;
}

static void expect_prepared_in(array canvas, glnn_layout layout, const char *name)
{
    digit *prepared = digit_create(glnn_test_context(), canvas.rows);
    const expected want = prepare_by_hand(canvas);
    digit_prepare(prepared, matrix_of(canvas, layout));
    expect_close(digit_get_image(prepared), want, "%s of side %d", name, canvas.rows);
    const array image = values_of(digit_get_image(prepared));
    expect_equal(digit_get_sample(prepared),
                 (array){.rows = 1, .columns = DIGIT_PIXELS, .data = image.data},
                 "the sample of %s", name);
    digit_destroy(prepared);
}

static void expect_prepared(array canvas, const char *name)
{
    expect_prepared_in(canvas, GLNN_LAYOUT_UNPACKED, name);
}

static void fill_box(array canvas, int row, int column, int rows, int columns, double ink)
{
    for (int y = row; y < row + rows; ++y)
        for (int x = column; x < column + columns; ++x)
            *at(canvas, y, x) = ink;
}

/* Adds a stroke of a round pen with a soft edge. */
static void draw(array canvas, double x0, double y0, double x1, double y1, double radius)
{
    const double dx = x1 - x0, dy = y1 - y0, squared = dx * dx + dy * dy;
    for (int y = 0; y < canvas.rows; ++y)
        for (int x = 0; x < canvas.columns; ++x) {
            const double px = x + 0.5 - x0, py = y + 0.5 - y0;
            const double along =
                squared > 0.0 ? fmin(fmax((px * dx + py * dy) / squared, 0.0), 1.0) : 0.0;
            const double apart = hypot(px - along * dx, py - along * dy);
            const double ink = fmin(fmax(radius + 0.5 - apart, 0.0), 1.0);
            *at(canvas, y, x) = fmax(*at(canvas, y, x), floor(255.0 * ink) / 255.0);
        }
}

static void an_empty_canvas_gives_an_empty_image(void **state)
{
    (void)state;
    expect_prepared(array_new(280, 280), "an empty canvas");
}

static void a_dot_becomes_a_square_of_twenty_pixels(void **state)
{
    (void)state;
    array canvas = array_new(280, 280);
    *at(canvas, 3, 271) = 1.0 / 255.0;
    expect_prepared(canvas, "a faint dot");
    digit *prepared = digit_create(glnn_test_context(), 280);
    fill_box(canvas, 3, 271, 1, 1, 1.0);
    digit_prepare(prepared, matrix_of(canvas, GLNN_LAYOUT_UNPACKED));
    array square = array_new(DIGIT_SIDE, DIGIT_SIDE);
    fill_box(square, 4, 4, 20, 20, 1.0);
    expect_equal(digit_get_image(prepared), square, "a dot");
    digit_destroy(prepared);
}

static void full_canvases_of_any_side_are_prepared(void **state)
{
    static const int sides[] = {1, 28, 33, 280};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sides); ++i) {
        array canvas = array_new(sides[i], sides[i]);
        fill_box(canvas, 0, 0, sides[i], sides[i], 1.0);
        expect_prepared(canvas, "a full canvas");
        release_all();
    }
}

static void thin_lines_are_prepared(void **state)
{
    (void)state;
    array canvas = array_new(280, 280);
    fill_box(canvas, 20, 100, 201, 1, 1.0);
    expect_prepared(canvas, "a thin vertical line");
    canvas = array_new(280, 280);
    fill_box(canvas, 279, 0, 1, 280, 1.0);
    expect_prepared(canvas, "a thin horizontal line at the edge");
}

static void strokes_at_the_edges_are_prepared(void **state)
{
    (void)state;
    array canvas = array_new(280, 280);
    draw(canvas, 0.0, 0.0, 60.0, 279.0, 9.0);
    expect_prepared(canvas, "a stroke at the left edge");
    draw(canvas, 60.0, 279.0, 300.0, 150.0, 9.0);
    expect_prepared(canvas, "strokes at three edges");
    draw(canvas, 100.0, -5.0, 200.0, -5.0, 9.0);
    expect_prepared(canvas, "strokes at all edges");
}

/* The ink of a blob with a long tail does not fit the image around its centre of mass. */
static void ink_outside_of_the_image_is_lost(void **state)
{
    (void)state;
    array canvas = array_new(280, 280);
    fill_box(canvas, 0, 0, 40, 40, 1.0);
    fill_box(canvas, 0, 0, 1, 280, 0.25);
    expect_prepared(canvas, "a blob with a tail");
}

static void drawings_in_all_layouts_are_prepared(void **state)
{
    (void)state;
    for (int i = 0; i < 12; ++i) {
        array canvas = array_new(280, 280), places = array_random(6, 2, -10.0, 290.0);
        const double radius = 2.0 + i;
        for (int j = 0; j < 5; ++j)
            draw(canvas, *at(places, j, 0), *at(places, j, 1), *at(places, j + 1, 0),
                 *at(places, j + 1, 1), radius);
        expect_prepared_in(canvas, rendered_layout(i), "a random drawing");
        release_all();
    }
}

/* An image with a box of 20 x 12 pixels and its centre of mass in pixel 14, ten times as large. */
static void an_image_of_mnist_is_prepared_to_itself(void **state)
{
    (void)state;
    array image = array_new(DIGIT_SIDE, DIGIT_SIDE), canvas = array_new(280, 280);
    const array ink = array_random(20, 12, 0.5, 1.0);
    for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 12; ++x)
            *at(image, 4 + y, 8 + x) = *at(ink, y, x) + (y > 9 ? 0.2 : 0.0) + (x > 5 ? 0.2 : 0.0);
    for (int y = 0; y < 280; ++y)
        for (int x = 0; x < 280; ++x)
            *at(canvas, y, x) = *at(image, y / 10, x / 10);
    const expected want = prepare_by_hand(canvas);
    for (size_t i = 0; i < length_of(image); ++i)
        assert_true(fabs(image.data[i] - want.value.data[i]) < 1e-9);
    expect_prepared(canvas, "an image of MNIST");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_empty_canvas_gives_an_empty_image),   TEST(a_dot_becomes_a_square_of_twenty_pixels),
        TEST(full_canvases_of_any_side_are_prepared), TEST(thin_lines_are_prepared),
        TEST(strokes_at_the_edges_are_prepared),      TEST(ink_outside_of_the_image_is_lost),
        TEST(drawings_in_all_layouts_are_prepared),   TEST(an_image_of_mnist_is_prepared_to_itself),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
