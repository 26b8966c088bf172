#include "plot.h"

#include <glnn/image.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "failure.h"
#include "folder.h"
#include "gnuplot.h"

enum { ZOOM = 3 };

/* Two scripts in gnuplot's language. %s is the name of the measured samples; numbers are counts. */
static const char training_script[] =
    "set multiplot layout 1,%d margins %s,0.13,0.91 spacing 0.09,0\n"
    "set grid linecolor rgb '#d8d8d8' linewidth 1\n"
    "set border 3 linecolor rgb '#606060'\n"
    "set tics nomirror\n"
    "set xlabel 'epoch'\n"
    "set xrange [%g:%g]\n"
    "set xtics %d\n"
    "set style line 1 linecolor rgb '#1f77b4' linewidth 2 pointtype 7 pointsize 0.8\n"
    "set style line 2 linecolor rgb '#d6611e' linewidth 2 pointtype 5 pointsize 0.8\n"
    "set title 'Loss'\n"
    "set ylabel 'mean loss of a sample'\n"
    "set yrange [0:*]\n"
    "set key top right\n"
    "plot 'curve.csv' skip 1 using 1:2 with linespoints linestyle 1 title 'training', \\\n"
    "     '' skip 1 using 1:(%s) with linespoints linestyle 2 title '%s'\n";

/* The right half, for learners of classes. */
static const char accuracy_script[] =
    "set title 'Accuracy'\n"
    "set ylabel 'samples classified correctly (%%)'\n"
    "set yrange [*:100]\n"
    "set key bottom right\n"
    "plot 'curve.csv' skip 1 using 1:(100 * $3) with linespoints linestyle 1 title 'training', \\\n"
    "     '' skip 1 using 1:(%s) with linespoints linestyle 2 title '%s'\n";

static const char confusion_script[] =
    "largest = %d\n"
    "classes = %d\n"
    "set palette defined (0 '#ffffff', 0.12 '#d5e5f5', 0.5 '#6aa3d5', 1 '#0b3c7d')\n"
    "set cbrange [0:sqrt(largest)]\n"
    "unset colorbox\n"
    "unset key\n"
    "set size square\n"
    "set title 'Confusion matrix'\n"
    "set xlabel 'predicted class'\n"
    "set ylabel 'true class'\n"
    "set xrange [-0.5:classes - 0.5]\n"
    "set yrange [classes - 0.5:-0.5]\n"
    "# The square root keeps rare confusions visible next to the diagonal.\n"
    "ink(n) = n == 0 ? 0xb0b0b0 : sqrt(n) > 0.5 * sqrt(largest) ? 0xffffff : 0x202020\n"
    "plot 'confusion.csv' matrix rowheaders columnheaders using 1:2:(sqrt($3)) with image, \\\n"
    "     '' matrix rowheaders columnheaders using 1:2:(sprintf('%%d', $3)):(ink($3)) \\\n"
    "     with labels font ',%d' textcolor rgb variable\n";

bool plot_curve_add(plot_curve *curve, const glnn_report *report)
{
    if (curve->count == curve->capacity) {
        int capacity = curve->capacity ? 2 * curve->capacity : 64;
        glnn_report *epochs = realloc(curve->epochs, (size_t)capacity * sizeof *epochs);
        if (epochs == NULL)
            return refuse("no memory for the curve of %d epochs", capacity);
        curve->epochs = epochs;
        curve->capacity = capacity;
    }
    curve->epochs[curve->count++] = *report;
    return true;
}

void plot_curve_free(plot_curve *curve)
{
    free(curve->epochs);
    *curve = (plot_curve){0};
}

static bool write_training(const char *folder, const plot_curve *curve, const char *measured)
{
    FILE *file = gnuplot_open(folder, "curve.csv");
    if (file == NULL)
        return false;
    fprintf(file,
            "epoch,training_loss,training_accuracy,%s_loss,%s_accuracy,rate,"
            "samples_per_second\n",
            measured ? measured : "no", measured ? measured : "no");
    for (int i = 0; i < curve->count; ++i) {
        const glnn_report *epoch = &curve->epochs[i];
        fprintf(file, "%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.6g\n", epoch->epoch, epoch->training.loss,
                epoch->training.accuracy, epoch->validation.loss, epoch->validation.accuracy,
                (double)epoch->rate, epoch->samples_per_second);
    }
    return gnuplot_close(file, folder, "curve.csv");
}

bool plot_training(const char *folder, const plot_curve *curve, const char *measured,
                   bool has_classes)
{
    const int last = curve->count ? curve->epochs[curve->count - 1].epoch : 1;
    const char *name = measured ? measured : "";
    FILE *script;
    if (!write_training(folder, curve, measured) ||
        (script = gnuplot_open(folder, "curve.gp")) == NULL)
        return false;
    gnuplot_begin(script, has_classes ? 1200 : 600, 480, 12, "curve.png");
    /* gnuplot draws neither NaN nor the key of an empty title. */
    fprintf(script, training_script, has_classes ? 2 : 1, has_classes ? "0.075,0.965" : "0.15,0.93",
            last > 1 ? 1.0 : 0.5, last > 1 ? (double)last : 1.5, last / 12 + 1,
            measured ? "$4" : "NaN", name);
    if (has_classes)
        fprintf(script, accuracy_script, measured ? "100 * $5" : "NaN", name);
    fputs("unset multiplot\n", script);
    return gnuplot_run(script, folder, "curve.gp");
}

static bool write_matrix(const char *folder, const int64_t *confusion, int classes,
                         char *const *names)
{
    FILE *file = gnuplot_open(folder, "confusion.csv");
    if (file == NULL)
        return false;
    fputs("label\\predicted", file);
    for (int j = 0; j < classes; ++j) {
        fputc(',', file);
        gnuplot_class(file, names, j);
    }
    for (int i = 0; i < classes; ++i) {
        fputc('\n', file);
        gnuplot_class(file, names, i);
        for (int j = 0; j < classes; ++j)
            fprintf(file, ",%lld", (long long)confusion[i * classes + j]);
    }
    fputc('\n', file);
    return gnuplot_close(file, folder, "confusion.csv");
}

bool plot_confusion(const char *folder, const int64_t *confusion, int classes, char *const *names)
{
    int largest = 1;
    FILE *script;
    for (int i = 0; i < classes * classes; ++i)
        largest = confusion[i] > largest ? (int)confusion[i] : largest;
    if (!write_matrix(folder, confusion, classes, names) ||
        (script = gnuplot_open(folder, "confusion.gp")) == NULL)
        return false;
    gnuplot_begin(script, 860, 820, 13, "confusion.png");
    gnuplot_tics(script, 'x', classes, 1, names);
    gnuplot_tics(script, 'y', classes, 1, names);
    fprintf(script, confusion_script, largest, classes, classes > 20 ? 260 / classes : 13);
    return gnuplot_run(script, folder, "confusion.gp");
}

/* A grid that is somewhat wider than tall, and without gaps if the count allows it. */
static int grid_columns(int count)
{
    const int square = (int)ceil(sqrt(count));
    for (int columns = square; columns <= 2 * square && columns <= count; ++columns)
        if (count % columns == 0)
            return columns;
    return (int)ceil(sqrt(1.6 * count));
}

bool plot_pictures(const char *path, const plot_grid *grid, const float *pictures)
{
    const int count = grid->count < PLOT_PICTURES_MAX ? grid->count : PLOT_PICTURES_MAX;
    const int width = ZOOM * grid->width, height = ZOOM * grid->height;
    const size_t side = (size_t)width * (size_t)height;
    float *zoomed = malloc((size_t)count * side * sizeof *zoomed), *next = zoomed;
    if (zoomed == NULL)
        return refuse("no memory for %d pictures", count);
    for (size_t i = 0; i < (size_t)count; ++i)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const size_t pixel = (size_t)(y / ZOOM * grid->width + x / ZOOM);
                *next++ = pictures[i * grid->picture_stride + pixel * grid->pixel_stride];
            }
    const int columns = grid->columns > 0 ? grid->columns : grid_columns(count);
    bool done = glnn_image_write_grid(path, count, columns, width, height, zoomed, (long)side, 1) ==
                    GLNN_OK ||
                refuse("%s", glnn_last_error());
    free(zoomed);
    return done;
}

bool plot_weights(const char *folder, const glnn_network *network, int width, int height)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    const size_t units = (size_t)desc->layers[0].units;
    char path[PATH_CAPACITY];
    if (!path_join(path, folder, "weights.png"))
        return false;
    float *weights = malloc((size_t)desc->features * units * sizeof *weights);
    if (weights == NULL)
        return refuse("no memory for the weights of %zu units", units);
    /* The weights of a unit are a column of the matrix. */
    const plot_grid grid = {.count = (int)units,
                            .width = width,
                            .height = height,
                            .picture_stride = 1,
                            .pixel_stride = units};
    bool done = glnn_network_get_weights(network, 0, weights, NULL) == GLNN_OK
                    ? plot_pictures(path, &grid, weights)
                    : refuse("%s", glnn_last_error());
    free(weights);
    return done;
}
