/* Learning curves: what a training adds to them, their tables and their charts. */
#include "support/streams.h"

#include <glnn/curve.h>
#include <glnn/trainer.h>

#include <png.h>

/* A curve of `epochs` epochs, with numbers that need all their digits. */
static glnn_report report_at(int epoch)
{
    return (glnn_report){
        .event = GLNN_EVENT_EPOCH,
        .epoch = epoch,
        .step = 469u * (unsigned)epoch,
        .rate = 0.1f / (float)epoch,
        .training = {.loss = 2.0 / 3 / epoch,
                     .accuracy = 1 - 0.3 / epoch,
                     .squared_error = NAN,
                     .r_squared = NAN},
        .validation = {.loss = 1.0 / epoch,
                       .accuracy = 1 - 0.5 / epoch,
                       .squared_error = NAN,
                       .r_squared = NAN},
        .has_validation = true,
        .samples_per_second = 1e6 / 7,
        .seconds = epoch * 0.1,
    };
}

static glnn_curve *curve_of(int epochs)
{
    glnn_curve *curve;
    expect_ok(glnn_curve_create(&curve));
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        const glnn_report report = report_at(epoch);
        expect_ok(glnn_curve_add(curve, &report));
    }
    return curve;
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_metrics(const glnn_metrics *a, const glnn_metrics *b)
{
    return same_number(a->loss, b->loss) && same_number(a->accuracy, b->accuracy) &&
           same_number(a->squared_error, b->squared_error) &&
           same_number(a->r_squared, b->r_squared);
}

/* All that the table has. */
static void expect_same_reports(const glnn_report *a, const glnn_report *b)
{
    assert_int_equal(a->epoch, b->epoch);
    assert_int_equal(a->step, b->step);
    assert_true(a->rate == b->rate && a->seconds == b->seconds);
    assert_true(a->samples_per_second == b->samples_per_second);
    assert_int_equal(a->has_validation, b->has_validation);
    assert_true(same_metrics(&a->training, &b->training));
    assert_true(!a->has_validation || same_metrics(&a->validation, &b->validation));
}

static void expect_same_curves(const glnn_curve *a, const glnn_curve *b)
{
    assert_int_equal(glnn_curve_get_count(a), glnn_curve_get_count(b));
    for (int i = 0; i < glnn_curve_get_count(a); ++i)
        expect_same_reports(glnn_curve_get_report(a, i), glnn_curve_get_report(b, i));
}

/* ---- Reports */

static void a_report_replaces_those_of_its_epoch_and_later(void **state)
{
    (void)state;
    glnn_curve *curve = curve_of(7);
    glnn_report report = report_at(5);
    report.training.loss = 9;
    expect_ok(glnn_curve_add(curve, &report));
    assert_int_equal(glnn_curve_get_count(curve), 5);
    assert_true(glnn_curve_get_report(curve, 4)->training.loss == 9);
    report = report_at(6);
    expect_ok(glnn_curve_add(curve, &report));
    assert_int_equal(glnn_curve_get_count(curve), 6);
    assert_null(glnn_curve_get_report(curve, 6));
    assert_null(glnn_curve_get_report(curve, -1));
    report.epoch = 0;
    expect_error(glnn_curve_add(curve, &report), GLNN_E_ARG,
                 "glnn_curve_add: the report is of epoch 0; the first is 1");
    glnn_curve_destroy(curve);
}

static void a_curve_that_continues_counts_on(void **state)
{
    (void)state;
    glnn_curve *curve = curve_of(0);
    expect_ok(glnn_curve_continue(curve));
    assert_int_equal(glnn_curve_get_count(curve), 0);
    glnn_curve_destroy(curve);
    curve = curve_of(3);
    expect_ok(glnn_curve_continue(curve));
    const glnn_report report = report_at(2);
    expect_ok(glnn_curve_add(curve, &report));
    assert_int_equal(glnn_curve_get_count(curve), 4);
    const glnn_report *last = glnn_curve_get_report(curve, 3);
    assert_int_equal(last->epoch, 5);
    assert_int_equal(last->step, 5 * 469);
    assert_true(fabs(last->seconds - 0.5) < 1e-12);
    assert_true(last->training.loss == report.training.loss);
    glnn_curve_destroy(curve);
}

/* The reports that a training sent. */
typedef struct sent {
    glnn_report reports[8];
    int count;
    const glnn_curve *curve;
} sent;

static bool note_report(void *user, const glnn_report *report)
{
    sent *to = user;
    if (report->event != GLNN_EVENT_EPOCH)
        return true;
    to->reports[to->count++] = *report;
    assert_int_equal(glnn_curve_get_count(to->curve), to->count);
    return true;
}

static void a_training_adds_its_epochs(void **state)
{
    (void)state;
    for (int labels = 0; labels < 2; ++labels) {
        glnn_curve *curve = curve_of(0);
        sent to = {.curve = curve};
        const glnn_train_desc desc = {.epochs = 3,
                                      .batch = 32,
                                      .validation_split = labels ? 0.2f : 0,
                                      .report_every = 1,
                                      .report = note_report,
                                      .user = &to,
                                      .curve = curve};
        glnn_train_result result = {.size = sizeof result};
        expect_ok(glnn_network_train(new_network(labels, 32), dataset_of(some_samples(labels)),
                                     &desc, &result));
        assert_int_equal(glnn_curve_get_count(curve), 3);
        for (int i = 0; i < 3; ++i)
            expect_same_reports(glnn_curve_get_report(curve, i), &to.reports[i]);
        assert_int_equal(to.reports[2].step, result.steps);
        assert_true(to.reports[2].has_validation == labels);
        assert_true(isnan(to.reports[2].training.squared_error) == labels);
        glnn_curve_destroy(curve);
    }
}

/* ---- Tables */

static glnn_status reader(const char *path)
{
    glnn_curve *curve;
    const glnn_status status = glnn_curve_read_csv(path, &curve);
    assert_true((status == GLNN_OK) == (curve != NULL));
    glnn_curve_destroy(curve);
    return status;
}

static glnn_status writer(const char *path)
{
    glnn_curve *curve = curve_of(4);
    const glnn_status status = glnn_curve_write_csv(curve, path);
    glnn_curve_destroy(curve);
    return status;
}

static glnn_curve *written_and_read(const glnn_curve *curve, const char *path)
{
    glnn_curve *read;
    expect_ok(glnn_curve_write_csv(curve, path));
    expect_ok(glnn_curve_read_csv(path, &read));
    return read;
}

static const char header[] =
    "epoch,step,rate,training_loss,training_accuracy,training_squared_error,training_r_squared,"
    "validation_loss,validation_accuracy,validation_squared_error,validation_r_squared,seconds,"
    "samples_per_second\n";

static void a_table_has_a_row_for_each_epoch(void **state)
{
    (void)state;
    char text[2048], wanted[2048];
    const file_path path = path_of("curve.csv");
    glnn_curve *curve = curve_of(1);
    glnn_report report = {.event = GLNN_EVENT_EPOCH,
                          .epoch = 4,
                          .step = 12,
                          .rate = 0.25f,
                          .training = {0.5, 0, 2.5, -INFINITY, {0}},
                          .seconds = 1.5,
                          .samples_per_second = NAN};
    expect_ok(glnn_curve_add(curve, &report));
    expect_ok(glnn_curve_write_csv(curve, path.text));
    text[file_read(path.text, text, sizeof text - 1)] = 0;
    snprintf(wanted, sizeof wanted,
             "%s1,469,0.1,0.6666666666666666,0.7,,,1,0.5,,,0.1,142857.14285714287\n"
             "4,12,0.25,0.5,0,2.5,,,,,,1.5,\n",
             header);
    assert_string_equal(text, wanted);
    glnn_curve_destroy(curve);
}

static void reading_gives_the_same_numbers(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 100};
    const file_path path = path_of("curve.csv");
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        glnn_curve *curve = curve_of(counts[i]);
        if (counts[i] == 100) {
            glnn_report report = report_at(101);
            report.training.loss = NAN;
            report.has_validation = false;
            expect_ok(glnn_curve_add(curve, &report));
        }
        glnn_curve *read = written_and_read(curve, path.text);
        expect_same_curves(curve, read);
        glnn_curve_destroy(curve);
        glnn_curve_destroy(read);
    }
}

static void a_resumed_training_appends_to_the_curve_of_the_file(void **state)
{
    (void)state;
    const file_path path = path_of("curve.csv");
    glnn_curve *whole = curve_of(9), *part = curve_of(6);
    glnn_curve *resumed = written_and_read(part, path.text);
    for (int epoch = 5; epoch <= 9; ++epoch) {
        const glnn_report report = report_at(epoch);
        expect_ok(glnn_curve_add(resumed, &report));
    }
    expect_same_curves(whole, resumed);
    glnn_curve_destroy(whole);
    glnn_curve_destroy(part);
    glnn_curve_destroy(resumed);
}

static void every_locale_has_a_point(void **state)
{
    (void)state;
    const file_path path = path_of("curve.csv");
    glnn_curve *curve = curve_of(3);
    locale_with_comma();
    glnn_curve *read = written_and_read(curve, path.text);
    expect_ok(glnn_curve_write_png(curve, path_of("curve.png").text, NULL));
    locale_end();
    expect_same_curves(curve, read);
    glnn_curve_destroy(curve);
    glnn_curve_destroy(read);
}

/* A copy that ends early is refused, unless it ends with a line: then it is a shorter curve. */
static void a_table_that_is_cut_off_is_refused(void **state)
{
    (void)state;
    char text[4096];
    expect_ok(writer(path_of("whole").text));
    const size_t size = file_read(path_of("whole").text, text, sizeof text);
    for (size_t length = 0; length < size; ++length) {
        const bool ends = length > 0 && text[length - 1] == '\n';
        const glnn_status status = reader(file_write("cut", text, length).text);
        assert_int_equal(status, ends ? GLNN_OK : GLNN_E_FORMAT);
    }
    refused_flips(reader, path_of("whole").text);
}

static void expect_damage(const char *rows, const char *part)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s", header, rows);
    expect_error(reader(file_write("damaged", text, strlen(text)).text), GLNN_E_FORMAT, part);
}

static void damage_is_named_with_its_line(void **state)
{
    (void)state;
    expect_damage("1,2,3,4,5,6,7,8,9,10,11,12\n", "line 2 has fewer than 13 fields");
    expect_damage("1,2,3,4,5,6,7,8,9,10,11,12,13,14\n", "line 2 has more than 13 fields");
    expect_damage("1,2,3,4,5,6,7,8,9,10,11,12,13\n\n", "line 3 has fewer than 13 fields");
    expect_damage("1,2,3,4,x,6,7,8,9,10,11,12,13\n", "line 2: 'x' in field 5 is not a number");
    expect_damage("1,2,3,0x4,5,6,7,8,9,10,11,12,13\n", "line 2: '0x4' in field 4 is not a number");
    expect_damage("1,2,3,1e999,5,6,7,8,9,10,11,12,13\n", "'1e999' in field 4 is not a number");
    expect_damage("0,2,3,4,5,6,7,8,9,10,11,12,13\n",
                  "line 2 is of epoch 0; a whole number above 0");
    expect_damage("1.5,2,3,4,5,6,7,8,9,10,11,12,13\n", "line 2 is of epoch 1.5");
    expect_damage(",2,3,4,5,6,7,8,9,10,11,12,13\n", "line 2 is of epoch nan");
    expect_damage("9e9,2,3,4,5,6,7,8,9,10,11,12,13\n", "line 2 is of epoch 9000000000");
    expect_damage("1,-2,3,4,5,6,7,8,9,10,11,12,13\n", "line 2 is of step -2");
    expect_damage("2,2,3,4,5,6,7,8,9,10,11,12,13\n2,2,3,4,5,6,7,8,9,10,11,12,13\n",
                  "line 3 is of epoch 2; a whole number above 2 is expected");
    expect_error(reader(file_write("other", "a,b\n", 4).text), GLNN_E_FORMAT,
                 "glnn_curve_read_csv: ");
    expect_error(reader(file_write("other", "a,b\n", 4).text), GLNN_E_FORMAT,
                 "the first line is not that of a learning curve");
}

/* ---- Charts */

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

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_report_replaces_those_of_its_epoch_and_later),
        TEST(a_curve_that_continues_counts_on),
        LEARNING_TEST(a_training_adds_its_epochs),
        TEST(a_table_has_a_row_for_each_epoch),
        TEST(reading_gives_the_same_numbers),
        TEST(a_resumed_training_appends_to_the_curve_of_the_file),
        TEST(every_locale_has_a_point),
        TEST(a_table_that_is_cut_off_is_refused),
        TEST(damage_is_named_with_its_line),
        FILE_TEST(odd_paths_are_explained, format),
        FILE_TEST(a_full_disk_keeps_the_old_file, format),
        TEST(a_chart_has_its_curves_where_the_numbers_are),
        TEST(a_logarithmic_axis_has_a_straight_line_for_powers),
        TEST(numbers_that_have_no_place_leave_gaps),
        TEST(few_epochs_make_a_chart),
        TEST(texts_are_drawn_upright_and_level),
        TEST(a_chart_refuses_what_it_cannot_draw),
    };
    return cmocka_run_group_tests_name("curve", tests, streams_setup, streams_teardown);
}
