/* Learning curves: what a training adds to them, and their tables. */
#include "support/curves.h"
#include "support/streams.h"

#include <glnn/trainer.h>

#include <limits.h>

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
    glnn_report report = report_at(2);
    report.epoch = INT_MAX - 2;
    expect_error(glnn_curve_add(curve, &report), GLNN_E_LIMIT,
                 "glnn_curve_add: epoch 2147483645 after 3 epochs of former trainings");
    report = report_at(2);
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
        expect_ok(glnn_learner_train(new_network(labels, 32), dataset_of(some_samples(labels)),
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
    };
    return cmocka_run_group_tests_name("curve", tests, learner_files_setup, learner_files_teardown);
}
