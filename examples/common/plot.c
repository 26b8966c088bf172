#include "plot.h"

#include <glnn/image.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "folder.h"
#include "gnuplot.h"

/* Pictures are enlarged by ZOOM, and small ones to a side of at least SMALL pixels. */
enum { ZOOM = 3, SMALL = 24 };

/* A script in gnuplot's language. %d is a count. */
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

/* %d are the first and the last epoch and the distance of tics. */
static const char curve_script[] =
    "set grid linetype 1 linecolor rgb '#d8d8d8'\n"
    "set border 3\n"
    "set tics nomirror\n"
    "set linetype 1 linecolor rgb '#1f77b4' linewidth 2 pointtype 7 pointsize 0.4\n"
    "set linetype 2 linecolor rgb '#d6611e' linewidth 2 pointtype 7 pointsize 0.4\n"
    "set xlabel 'epoch'\n"
    "set xrange [%d:%d]\n"
    "set xtics %d\n"
    "set yrange [*<0:1e-6<*]\n";

/* A column of the table of a curve, and the next one if samples were measured. */
static void write_panel(FILE *script, const char *title, const char *name, int column,
                        const char *measured)
{
    fprintf(script,
            "set title '%s'\n"
            "set ylabel '%s'\n"
            "plot $curve using 1:%d with linespoints title 'training'",
            title, name, column);
    if (measured)
        fprintf(script, ", $curve using 1:%d with linespoints title '%s'", column + 1, measured);
    fputc('\n', script);
}

static void write_curve(FILE *script, const glnn_curve *curve)
{
    fputs("$curve << end\n", script);
    for (int i = 0; i < glnn_curve_get_count(curve); ++i) {
        const glnn_report *of = glnn_curve_get_report(curve, i);
        const glnn_metrics *training = &of->training, *measured = &of->validation;
        fprintf(script, "%d,%g,", of->epoch, training->loss);
        fprintf(script, of->has_validation ? "%g" : "NaN", measured->loss);
        fprintf(script, ",%g,", 100.0 * (1.0 - training->accuracy));
        fprintf(script, of->has_validation ? "%g\n" : "NaN\n", 100.0 * (1.0 - measured->accuracy));
    }
    fputs("end\n", script);
}

bool plot_is_picture(const char *path)
{
    return path_ends(path, ".png") || path_ends(path, ".svg");
}

bool plot_curve_picture(const char *picture, const glnn_curve *curve, const char *measured)
{
    const int count = glnn_curve_get_count(curve);
    const glnn_report *first = glnn_curve_get_report(curve, 0);
    const glnn_report *last = glnn_curve_get_report(curve, count - 1);
    if (count == 0)
        return true;
    const bool has_classes = last->training.accuracy > 0 && !isfinite(last->training.squared_error);
    const int width = has_classes ? 1000 : 600, height = 480;
    FILE *script = gnuplot_script();
    if (script == NULL)
        return false;
    gnuplot_begin(script, width, height, 11, NULL);
    if (path_ends(picture, ".svg"))
        fprintf(script, "set terminal svg size %d,%d background 'white'\n", width, height);
    write_curve(script, curve);
    fprintf(script, curve_script, first->epoch, last->epoch + (count == 1), 1 + count / 10);
    fprintf(script, "set multiplot layout 1,%d\n", has_classes ? 2 : 1);
    write_panel(script, "Loss", "mean loss of a sample", 2, measured);
    if (has_classes)
        write_panel(script, "Error", "samples classified wrong (%)", 4, measured);
    return gnuplot_draw(script, picture);
}

bool plot_curve(const char *folder, const glnn_curve *curve, const char *measured)
{
    char table[PATH_CAPACITY], picture[PATH_CAPACITY];
    if (!path_join(table, folder, "curve.csv") || !path_join(picture, folder, "curve.png"))
        return false;
    if (glnn_curve_write_csv(curve, table) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    if (gnuplot_is_installed())
        return plot_curve_picture(picture, curve, measured);
    printf("note: gnuplot is not installed, so %s was written but not drawn; Debian's package is "
           "gnuplot-nox\n",
           table);
    return true;
}

static bool write_matrix(const char *folder, const int64_t *confusion, int classes,
                         char *const *names)
{
    whole_file file;
    if (!whole_file_open_in(folder, "confusion.csv", &file))
        return false;
    fputs("label\\predicted", file.stream);
    for (int j = 0; j < classes; ++j) {
        fputc(',', file.stream);
        gnuplot_class(file.stream, names, j);
    }
    for (int i = 0; i < classes; ++i) {
        fputc('\n', file.stream);
        gnuplot_class(file.stream, names, i);
        for (int j = 0; j < classes; ++j)
            fprintf(file.stream, ",%lld", (long long)confusion[i * classes + j]);
    }
    fputc('\n', file.stream);
    return whole_file_close(&file);
}

bool plot_confusion(const char *folder, const int64_t *confusion, int classes, char *const *names)
{
    int largest = 1;
    whole_file script;
    for (int i = 0; i < classes * classes; ++i)
        largest = confusion[i] > largest ? (int)confusion[i] : largest;
    if (!write_matrix(folder, confusion, classes, names) ||
        !whole_file_open_in(folder, "confusion.gp", &script))
        return false;
    gnuplot_begin(script.stream, 860, 820, 13, "confusion.png");
    gnuplot_tics(script.stream, 'x', classes, 1, names);
    gnuplot_tics(script.stream, 'y', classes, 1, names);
    fprintf(script.stream, confusion_script, largest, classes, classes > 20 ? 260 / classes : 13);
    return gnuplot_run(&script, folder, "confusion.gp", "confusion.png");
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
    const int longer = grid->width > grid->height ? grid->width : grid->height;
    const int zoom = ZOOM * longer < SMALL ? SMALL / longer : ZOOM;
    const int width = zoom * grid->width, height = zoom * grid->height;
    const size_t side = (size_t)width * (size_t)height;
    float *zoomed = malloc((size_t)count * side * sizeof *zoomed), *next = zoomed;
    if (zoomed == NULL)
        return refuse("no memory for %d pictures", count);
    for (size_t i = 0; i < (size_t)count; ++i)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const size_t pixel = (size_t)(y / zoom * grid->width + x / zoom);
                *next++ = pictures[i * grid->picture_stride + pixel * grid->pixel_stride];
            }
    const int columns = grid->columns > 0 ? grid->columns : grid_columns(count);
    bool done = glnn_image_write_grid(path, count, columns, width, height, zoomed, (long)side, 1) ==
                    GLNN_OK ||
                refuse("%s", glnn_last_error());
    free(zoomed);
    return done;
}

/* How the weights of the first layer lie as pictures. False: they are not pictures. The weights of
 * a unit are one after the other, channel by channel. */
static bool find_weights(const glnn_learner *network, plot_grid *out)
{
    const glnn_layer_desc *layer = &glnn_network_get_desc(network)->layers[0];
    const glnn_shape image = glnn_network_get_shape(network, -1);
    if (layer->kind == GLNN_LAYER_DENSE) {
        out->count = layer->units;
        out->width = image.width;
        out->height = image.channels * image.height;
    } else {
        const int channels = image.channels / (layer->groups > 0 ? layer->groups : 1);
        out->count = layer->units * channels;
        out->columns = channels > 1 ? channels : 0;
        out->width = layer->kernel.width;
        out->height = layer->kernel.height;
    }
    out->pixel_stride = 1;
    out->picture_stride = (size_t)out->width * (size_t)out->height;
    return layer->kind == GLNN_LAYER_CONVOLUTION ||
           (layer->kind == GLNN_LAYER_DENSE && image.width * image.height > 1);
}

bool plot_weights(const char *folder, const glnn_learner *network)
{
    plot_grid grid = {0};
    char path[PATH_CAPACITY];
    if (!find_weights(network, &grid))
        return true;
    if (!path_join(path, folder, "weights.png"))
        return false;
    const size_t count = (size_t)grid.count * grid.picture_stride;
    float *weights = malloc(count * sizeof *weights);
    if (weights == NULL)
        return refuse("no memory for %zu weights", count);
    bool done = glnn_learner_get_tensor(network, "0.weight", count, weights) == GLNN_OK
                    ? plot_pictures(path, &grid, weights)
                    : refuse("%s", glnn_last_error());
    free(weights);
    return done;
}
