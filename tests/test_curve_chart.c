/* The charts of learning curves. */
#include "support/curves.h"
#include "support/files.h"
#include "support/support.h"

#include <png.h>

enum { MAX_BYTES = 3 * 1000 * 480, TRAINING = 0x1f77b4, VALIDATION = 0xd6611e };

typedef struct picture {
    int width, height;
    unsigned char *pixels;
} picture;

static picture picture_of(const glnn_curve *curve, const glnn_chart_desc *desc)
{
    static unsigned char pixels[MAX_BYTES];
    const file_path path = path_of("curve.png");
    png_image png = {.version = PNG_IMAGE_VERSION};
    expect_ok(glnn_curve_write_png(curve, path.text, desc));
    assert_true(png_image_begin_read_from_file(&png, path.text));
    assert_true(3 * png.width * png.height <= sizeof pixels);
    png.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&png, NULL, pixels, 0, NULL));
    return (picture){(int)png.width, (int)png.height, pixels};
}

static int color_at(const picture *of, double x, double y)
{
    assert_true(x >= 0 && x < of->width && y >= 0 && y < of->height);
    const unsigned char *pixel = of->pixels + 3 * ((int)y * of->width + (int)x);
    return pixel[0] << 16 | pixel[1] << 8 | pixel[2];
}

static int count_color(const picture *of, int color)
{
    int count = 0;
    for (int y = 0; y < of->height; ++y)
        for (int x = 0; x < of->width; ++x)
            count += color_at(of, x, y) == color;
    return count;
}

/* The frame of the first plot of a chart without title: 76 pixels from the left, 18 from the right
 * end of the plot, 34 from above and 54 from below. The axis of values is 5 % longer than the
 * greatest one. */
static double place_x(int width, int epoch, int epochs)
{
    return 76 + (width - 18 - 76) * (epoch - 1.0) / (epochs - 1);
}

static double place_y(int height, double share)
{
    return height - 54 - (height - 54 - 34) * share / 1.05;
}

static void a_chart_has_its_curves_where_the_numbers_are(void **state)
{
    (void)state;
    enum { EPOCHS = 11 };
    glnn_curve *curve = curve_of(EPOCHS);
    const picture drawn = picture_of(curve, NULL);
    assert_int_equal(drawn.width, 1000);
    assert_int_equal(drawn.height, 480);
    for (int epoch = 2; epoch <= EPOCHS; ++epoch) {
        const double x = place_x(500, epoch, EPOCHS);
        assert_int_equal(color_at(&drawn, x, place_y(480, 2.0 / 3 / epoch)), TRAINING);
        /* The greatest error is 50 %. */
        assert_int_equal(color_at(&drawn, 500 + x, place_y(480, 0.6 / epoch)), TRAINING);
        if (epoch < 5)
            assert_int_equal(color_at(&drawn, x, place_y(480, 1.0 / epoch)), VALIDATION);
    }
    assert_int_equal(color_at(&drawn, 2, 2), 0xFFFFFF);
    glnn_curve_destroy(curve);
}

static void a_logarithmic_axis_has_a_straight_line_for_powers(void **state)
{
    (void)state;
    enum { EPOCHS = 9, WIDTH = 600, HEIGHT = 480 };
    glnn_curve *curve = curve_of(0);
    for (int epoch = 1; epoch <= EPOCHS; ++epoch) {
        const glnn_report report = {.epoch = epoch,
                                    .training = {.loss = pow(10, -epoch), .squared_error = 1}};
        expect_ok(glnn_curve_add(curve, &report));
    }
    const picture drawn = picture_of(curve, &(glnn_chart_desc){.log_scale = true});
    assert_int_equal(drawn.width, WIDTH);
    /* The axis is a twentieth of its range longer at both ends. */
    for (int epoch = 1; epoch <= EPOCHS; ++epoch) {
        const double share = 1.05 * (0.05 + (EPOCHS - epoch) / 8.0) / 1.1;
        assert_int_equal(color_at(&drawn, fmin(place_x(WIDTH, epoch, EPOCHS), WIDTH - 19),
                                  place_y(HEIGHT, share)),
                         TRAINING);
    }
    glnn_curve_destroy(curve);
}

static void numbers_that_have_no_place_leave_gaps(void **state)
{
    (void)state;
    static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -1};
    for (size_t i = 0; i < COUNT_OF(odd); ++i) {
        glnn_curve *curve = curve_of(9);
        const picture whole = picture_of(curve, &(glnn_chart_desc){.log_scale = true});
        const int all = count_color(&whole, TRAINING);
        for (int epoch = 6; epoch <= 9; ++epoch) {
            glnn_report report = report_at(epoch);
            if (epoch == 6)
                report.training.loss = odd[i];
            expect_ok(glnn_curve_add(curve, &report));
        }
        const picture gap = picture_of(curve, &(glnn_chart_desc){.log_scale = true});
        const int left = count_color(&gap, TRAINING);
        assert_true(left < all - 20 && left > all / 2);
        glnn_curve_destroy(curve);
    }
}

static void few_epochs_make_a_chart(void **state)
{
    (void)state;
    for (int epochs = 0; epochs < 3; ++epochs)
        for (int is_log = 0; is_log < 2; ++is_log) {
            glnn_curve *curve = curve_of(epochs);
            const picture drawn = picture_of(
                curve, &(glnn_chart_desc){.width = 640, .height = 200, .log_scale = is_log});
            assert_true(drawn.width == 640 && drawn.height == 200);
            assert_true(count_color(&drawn, TRAINING) > 10);
            assert_int_equal(count_color(&drawn, VALIDATION) > 10, epochs > 0);
            glnn_curve_destroy(curve);
        }
}

static void texts_are_drawn_upright_and_level(void **state)
{
    (void)state;
    enum { INK = 0x303030 };
    glnn_curve *curve = curve_of(3);
    picture drawn = picture_of(curve, NULL);
    const int plain = count_color(&drawn, INK);
    drawn = picture_of(curve, &(glnn_chart_desc){.title = "a title ~!@#$%^&*()_+{}|:\"<>?"});
    assert_true(plain > 100 && count_color(&drawn, INK) > plain + 30);
    int upright = 0;
    for (int y = 150; y < 330; ++y)
        for (int x = 2; x < 24; ++x)
            upright += color_at(&drawn, x, y) != 0xFFFFFF;
    assert_true(upright > 100);
    glnn_curve_destroy(curve);
}

static void a_chart_refuses_what_it_cannot_draw(void **state)
{
    (void)state;
    glnn_curve *curve = curve_of(3);
    const file_path file = path_of("refused.png");
    const char *path = file.text;
    expect_error(glnn_curve_write_png(curve, path, &(glnn_chart_desc){.width = 479}), GLNN_E_ARG,
                 "glnn_curve_write_png: 479 x 480 pixels; a chart of 2 plots has at least 480 x");
    expect_error(glnn_curve_write_png(curve, path, &(glnn_chart_desc){.height = -1}), GLNN_E_ARG,
                 "1000 x -1 pixels");
    expect_error(glnn_curve_write_png(curve, path, &(glnn_chart_desc){.title = "\xC3\xA4"}),
                 GLNN_E_ARG, "printable ASCII");
    expect_error(glnn_curve_write_png(curve, path, &(glnn_chart_desc){.validation = "a\nb"}),
                 GLNN_E_ARG, "printable ASCII");
    expect_error(glnn_curve_write_png(curve, "", NULL), GLNN_E_ARG, "the path is empty");
    expect_error(glnn_curve_write_csv(curve, ""), GLNN_E_ARG, "path is empty");
    expect_error(glnn_curve_write_png(curve, path, &(glnn_chart_desc){.width = 20000}),
                 GLNN_E_LIMIT, "20000 x 480 pixels");
    assert_int_not_equal(access(path, F_OK), 0);
    glnn_curve_destroy(curve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_has_its_curves_where_the_numbers_are),
        cmocka_unit_test(a_logarithmic_axis_has_a_straight_line_for_powers),
        cmocka_unit_test(numbers_that_have_no_place_leave_gaps),
        cmocka_unit_test(few_epochs_make_a_chart),
        cmocka_unit_test(texts_are_drawn_upright_and_level),
        cmocka_unit_test(a_chart_refuses_what_it_cannot_draw),
    };
    return cmocka_run_group_tests_name("curve_chart", tests, test_group_setup, test_group_teardown);
}
