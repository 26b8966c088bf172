#include "confusion.h"

#include "common/gnuplot.h"
#include "common/plot.h"

enum { TICS_MAX = 30 };

/* A square for each element that is not 0, however small its share is. */
static const char confusion_list_script[] =
    "classes = %d\n"
    "half = classes > 300 ? classes / 300.0 : 0.5\n"
    "unset key\n"
    "set size square\n"
    "set title \"Confusion of %d classes\\nblue: correct, orange: confused; darker: a larger share "
    "of the class\"\n"
    "set xlabel 'predicted class'\n"
    "set ylabel 'true class'\n"
    "set xrange [-0.5 - half:classes - 0.5 + half]\n"
    "set yrange [classes - 0.5 + half:-0.5 - half]\n"
    "set style fill solid noborder\n"
    "level(low, high, share) = int(low + (high - low) * share)\n"
    "rgb(r, g, b) = 65536 * r + 256 * g + b\n"
    "right(share) = rgb(level(198, 8, share), level(219, 48, share), level(239, 107, share))\n"
    "wrong(share) = rgb(level(253, 127, share), level(190, 39, share), level(133, 4, share))\n"
    "# The square root tells the small shares of confusions apart.\n"
    "plot 'confusion.csv' skip 1 using ($1 == $2 ? NaN : $2):1:(half):(half):(wrong(sqrt($4))) \\\n"
    "         with boxxyerror linecolor rgb variable, \\\n"
    "     '' skip 1 using ($1 == $2 ? $2 : NaN):1:(half):(half):(right($4)) \\\n"
    "         with boxxyerror linecolor rgb variable\n";

/* Writes an element of the matrix with its share of the row. */
static void write_element(FILE *file, const glnn_class_metrics *metrics, char *const *names,
                          int label, int predicted)
{
    const double samples =
        (double)metrics->confusion[(size_t)label * (size_t)metrics->classes + (size_t)predicted];
    fprintf(file, "%d,%d,%.0f,%.6g,", label, predicted, samples, samples / metrics->support[label]);
    gnuplot_class(file, names, label);
    fputc(',', file);
    gnuplot_class(file, names, predicted);
    fputc('\n', file);
}

/* Writes the elements that are not 0: confusions, the most frequent first, then the diagonal, the
 * lowest share first. */
static bool write_list(const char *folder, const glnn_class_metrics *metrics, char *const *names)
{
    confusion_summary summary;
    whole_file file;
    if (!confusion_summarise(metrics, &summary))
        return false;
    const bool is_open = whole_file_open_in(folder, "confusion.csv", &file);
    if (is_open) {
        fputs("label,predicted,samples,share_of_label,label_name,predicted_name\n", file.stream);
        for (const confusion_pair *p = summary.pairs; p < summary.pairs + summary.pair_count; ++p)
            write_element(file.stream, metrics, names, p->label, p->predicted);
        for (const confusion_class *c = summary.classes; c < summary.classes + summary.class_count;
             ++c)
            if (c->recall > 0.0)
                write_element(file.stream, metrics, names, c->class, c->class);
    }
    confusion_free(&summary);
    return is_open && whole_file_close(&file);
}

/* The distance of named classes on an axis: 1, 2 or 5 times a power of ten. */
static int tic_step(int classes)
{
    static const int factors[] = {1, 2, 5};
    int power = 1, i = 0;
    while (factors[i] * power * TICS_MAX < classes) {
        i = (i + 1) % 3;
        power *= i == 0 ? 10 : 1;
    }
    return factors[i] * power;
}

bool confusion_plot(const char *folder, const glnn_class_metrics *metrics, char *const *names)
{
    const int classes = metrics->classes;
    whole_file script;
    if (classes <= CONFUSION_CLASSES_MAX)
        return plot_confusion(folder, metrics->confusion, classes, names);
    if (!write_list(folder, metrics, names) || !whole_file_open_in(folder, "confusion.gp", &script))
        return false;
    gnuplot_begin(script.stream, 860, 860, 13, "confusion.png");
    gnuplot_tics(script.stream, 'x', classes, tic_step(classes), names);
    gnuplot_tics(script.stream, 'y', classes, tic_step(classes), names);
    fprintf(script.stream, confusion_list_script, classes, classes);
    return gnuplot_run(&script, folder, "confusion.gp", "confusion.png");
}
