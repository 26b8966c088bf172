#include "figures.h"

#include <math.h>
#include <stdio.h>

#include "json.h"

static const struct {
    const char *name, *heading;
} kinds[FIGURE_COUNT] = {
    [FIGURE_AUTO] = {"auto", ""},
    [FIGURE_ACCURACY] = {"accuracy", "accuracy %"},
    [FIGURE_BALANCED_ACCURACY] = {"balanced_accuracy", "balanced %"},
    [FIGURE_MACRO_F1] = {"macro_f1", "macro F1"},
    [FIGURE_ROC_AUC] = {"roc_auc", "ROC AUC"},
    [FIGURE_MACRO_AVERAGE_PRECISION] = {"macro_average_precision", "avg prec"},
    [FIGURE_MEAN_ABSOLUTE_ERROR] = {"mean_absolute_error", "MAE"},
    [FIGURE_ROOT_MEAN_SQUARED_ERROR] = {"root_mean_squared_error", "RMSE"},
    [FIGURE_R_SQUARED] = {"r_squared", "R^2"},
};

const char *figure_name(int figure)
{
    return kinds[figure].name;
}

const char *figure_heading(int figure)
{
    return kinds[figure].heading;
}

bool figure_is_error(int figure)
{
    return figure == FIGURE_MEAN_ABSOLUTE_ERROR || figure == FIGURE_ROOT_MEAN_SQUARED_ERROR;
}

bool figure_is_of_targets(int figure)
{
    return figure >= FIGURE_MEAN_ABSOLUTE_ERROR;
}

static void measure_target_figures(const glnn_learner *learner, const predictions *of,
                                   const samples *data, double *out)
{
    glnn_target_metrics metrics;
    measure_target_metrics(learner, of, data, &metrics);
    out[FIGURE_MEAN_ABSOLUTE_ERROR] = metrics.mean_absolute_error;
    out[FIGURE_ROOT_MEAN_SQUARED_ERROR] = metrics.root_mean_squared_error;
    out[FIGURE_R_SQUARED] = metrics.r_squared;
    glnn_target_metrics_free(&metrics);
}

static void measure_class_figures(const predictions *of, const settings *with, const samples *data,
                                  double *out)
{
    glnn_class_metrics metrics;
    measure_class_metrics(of, with, data, &metrics);
    out[FIGURE_ACCURACY] = metrics.accuracy;
    out[FIGURE_BALANCED_ACCURACY] = metrics.balanced_accuracy;
    out[FIGURE_MACRO_F1] = metrics.macro_f1;
    out[FIGURE_ROC_AUC] = measure_roc_auc(&metrics);
    out[FIGURE_MACRO_AVERAGE_PRECISION] = metrics.macro_average_precision;
    glnn_class_metrics_free(&metrics);
}

figures figures_measure(const glnn_learner *learner, const predictions *of, const settings *with,
                        const samples *data)
{
    figures out;
    for (int i = 0; i < FIGURE_COUNT; ++i)
        out.values[i] = NAN;
    if (of->targets > 0)
        measure_target_figures(learner, of, data, out.values);
    else
        measure_class_figures(of, with, data, out.values);
    return out;
}

void figures_summarise(int count, const figures *each, figures *means, figures *deviations)
{
    for (int f = 0; f < FIGURE_COUNT; ++f) {
        double sum = 0.0, squares = 0.0;
        for (int i = 0; i < count; ++i)
            sum += each[i].values[f];
        const double mean = sum / count;
        for (int i = 0; i < count; ++i)
            squares += (each[i].values[f] - mean) * (each[i].values[f] - mean);
        means->values[f] = mean;
        deviations->values[f] = count > 1 ? sqrt(squares / (count - 1)) : NAN;
    }
}

void figures_write(FILE *file, const figures *of, bool are_of_targets)
{
    const char *before = "{";
    for (int f = FIGURE_AUTO + 1; f < FIGURE_COUNT; ++f) {
        if (figure_is_of_targets(f) != are_of_targets)
            continue;
        fputs(before, file);
        json_name(file, figure_name(f));
        json_double(file, of->values[f]);
        before = ", ";
    }
    fputs("}", file);
}

const char *figure_text(int figure, double value, char text[FIGURE_TEXT])
{
    const bool is_share = figure == FIGURE_ACCURACY || figure == FIGURE_BALANCED_ACCURACY;
    if (isnan(value))
        snprintf(text, FIGURE_TEXT, "-");
    else if (is_share)
        snprintf(text, FIGURE_TEXT, "%.2f", 100.0 * value);
    else
        snprintf(text, FIGURE_TEXT, figure_is_error(figure) ? "%.6g" : "%.4f", value);
    return text;
}
