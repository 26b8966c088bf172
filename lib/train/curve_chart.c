/* Learning curves as charts. */
#include "train/curve.h"

#include "base/status.h"
#include "io/chart/chart.h"
#include "io/chart/font.h"
#include "io/table/number.h"

#include <math.h>
#include <stdlib.h>

enum { PLOTS = 2, HEIGHT = 480, WIDTH_OF_ONE = 600, WIDTH_OF_TWO = 1000 };

/* The arrays of a chart: a row for each of them, in one allocation. */
enum { EPOCHS, TRAINING_LOSS, VALIDATION_LOSS, TRAINING_ERROR, VALIDATION_ERROR, ROWS };

static const glnn__color training_color = {{0x1f, 0x77, 0xb4}},
                         validation_color = {{0xd6, 0x61, 0x1e}};

static bool counts_classes(const glnn_curve *curve)
{
    for (size_t i = 0; i < curve->count; ++i)
        if (curve->reports[i].training.accuracy > 0 &&
            !isfinite(curve->reports[i].training.squared_error))
            return true;
    return false;
}

static bool has_validation(const glnn_curve *curve)
{
    for (size_t i = 0; i < curve->count; ++i)
        if (curve->reports[i].has_validation)
            return true;
    return false;
}

static double percent_wrong(const glnn_metrics *metrics)
{
    return 100 * (1 - metrics->accuracy);
}

static void fill_rows(const glnn_curve *curve, double *rows)
{
    const size_t count = curve->count;
    for (size_t i = 0; i < count; ++i) {
        const glnn_report *report = &curve->reports[i];
        const bool is_validated = report->has_validation;
        rows[EPOCHS * count + i] = report->epoch;
        rows[TRAINING_LOSS * count + i] = report->training.loss;
        rows[VALIDATION_LOSS * count + i] = is_validated ? report->validation.loss : NAN;
        rows[TRAINING_ERROR * count + i] = percent_wrong(&report->training);
        rows[VALIDATION_ERROR * count + i] =
            is_validated ? percent_wrong(&report->validation) : NAN;
    }
}

static glnn__plot plot_of(const glnn_curve *curve, const glnn_chart_desc *desc, const double *rows,
                          int first)
{
    const size_t count = curve->count;
    return (glnn__plot){
        .title = first == TRAINING_LOSS ? "Loss" : "Error",
        .x_name = "epoch",
        .y_name = first == TRAINING_LOSS ? "mean loss of a sample" : "samples classified wrong (%)",
        .is_log = desc->log_scale,
        .count = (int)count,
        .places = rows + EPOCHS * count,
        .line_count = has_validation(curve) ? 2 : 1,
        .lines = {{"training", rows + (size_t)first * count, training_color},
                  {desc->validation ? desc->validation : "validation",
                   rows + (size_t)(first + 1) * count, validation_color}},
    };
}

static glnn_status check(const char *path, const glnn_chart_desc *desc, int plots)
{
    if (!*path)
        return glnn__fail(GLNN_E_ARG, "the path is empty");
    if (desc->width < plots * GLNN__PLOT_MIN_WIDTH || desc->height < GLNN__PLOT_MIN_HEIGHT)
        return glnn__fail(GLNN_E_ARG, "%d x %d pixels; a chart of %d plot%s has at least %d x %d",
                          desc->width, desc->height, plots, plots == 1 ? "" : "s",
                          plots * GLNN__PLOT_MIN_WIDTH, (int)GLNN__PLOT_MIN_HEIGHT);
    if ((desc->title && !glnn__font_has(desc->title)) ||
        (desc->validation && !glnn__font_has(desc->validation)))
        return glnn__fail(GLNN_E_ARG,
                          "`title` or `validation` has characters other than printable ASCII ones");
    return GLNN_OK;
}

static glnn_status draw(const glnn_curve *curve, const char *path, const glnn_chart_desc *desc,
                        int plots)
{
    glnn__c_locale locale;
    double *rows = malloc((ROWS * curve->count + 1) * sizeof *rows);
    if (!rows)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu epochs", path, curve->count);
    fill_rows(curve, rows);
    const glnn__plot of[PLOTS] = {plot_of(curve, desc, rows, TRAINING_LOSS),
                                  plot_of(curve, desc, rows, TRAINING_ERROR)};
    const glnn__chart chart = {desc->width, desc->height, desc->title, plots, of};
    glnn_status status = glnn__c_locale_enter(&locale);
    if (!status) {
        status = glnn__chart_write(path, &chart);
        glnn__c_locale_leave(&locale);
    }
    free(rows);
    return status;
}

glnn_status glnn_curve_write_png(const glnn_curve *curve, const char *path,
                                 const glnn_chart_desc *desc)
{
    GLNN__NOT_NULL(curve);
    GLNN__NOT_NULL(path);
    glnn_chart_desc full = desc ? *desc : (glnn_chart_desc){0};
    const int plots = counts_classes(curve) ? 2 : 1;
    if (full.width == 0)
        full.width = plots == 1 ? WIDTH_OF_ONE : WIDTH_OF_TWO;
    if (full.height == 0)
        full.height = HEIGHT;
    glnn_status status = check(path, &full, plots);
    if (!status)
        status = draw(curve, path, &full, plots);
    return glnn__fail_in(__func__, status);
}
