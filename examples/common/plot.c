#include "plot.h"

#include <glnn/image.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "confusion.h"
#include "failure.h"
#include "folder.h"
#include "picture.h"

enum { ZOOM = 3, PICTURES_MAX = 1024, TICS_MAX = 30 };

const char *const plot_files[] = {"curve.csv",     "curve.gp",       "curve.png",
                                  "confusion.csv", "confusion.gp",   "confusion.png",
                                  "weights.png",   "prototypes.png", NULL};

static const char terminal[] = "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
                               "    set terminal pngcairo size %d,%d font 'DejaVu Sans,%d'\n"
                               "} else {\n"
                               "    set terminal png size %d,%d font 'DejaVuSans,%d'\n"
                               "}\n"
                               "set output '%s'\n"
                               "set datafile separator comma\n";

/* The two scripts, in gnuplot's language; %s is what was measured, or the names of classes, %d
 * counts. Half of the last number of an axis needs room on the right. */
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
    "set ylabel 'mean loss'\n"
    "set yrange [0:*]\n"
    "set key top right\n"
    "plot 'curve.csv' skip 1 using 1:2 with linespoints linestyle 1 title 'training', \\\n"
    "     '' skip 1 using 1:(%s) with linespoints linestyle 2 title '%s'\n";

/* Follows where there are classes. */
static const char accuracy_script[] =
    "set title 'Accuracy'\n"
    "set ylabel 'classified right (%%)'\n"
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
    "set ylabel 'class of the label'\n"
    "set xrange [-0.5:classes - 0.5]\n"
    "set yrange [classes - 0.5:-0.5]\n"
    "# The square root keeps rare confusions visible beside the diagonal.\n"
    "ink(n) = n == 0 ? 0xb0b0b0 : sqrt(n) > 0.5 * sqrt(largest) ? 0xffffff : 0x202020\n"
    "plot 'confusion.csv' matrix rowheaders columnheaders using 1:2:(sqrt($3)) with image, \\\n"
    "     '' matrix rowheaders columnheaders using 1:2:(sprintf('%%d', $3)):(ink($3)) \\\n"
    "     with labels font ',%d' textcolor rgb variable\n";

/* Of many classes: a square for each element that is not 0, however small its share is. */
static const char confusion_list_script[] =
    "classes = %d\n"
    "half = classes > 300 ? classes / 300.0 : 0.5\n"
    "unset key\n"
    "set size square\n"
    "set title \"Confusion of %d classes\\nblue: right, orange: confused; darker: a larger share "
    "of the label's samples\"\n"
    "set xlabel 'predicted class'\n"
    "set ylabel 'class of the label'\n"
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

static FILE *open_file(const char *folder, const char *name)
{
    char path[PATH_CAPACITY];
    FILE *file = path_join(path, folder, name) ? fopen(path, "w") : NULL;
    if (file == NULL)
        refuse("cannot write %s in %s: %s", name, folder, strerror(errno));
    return file;
}

static bool close_file(FILE *file, const char *folder, const char *name)
{
    bool written = ferror(file) == 0;
    if (fclose(file) != 0 || !written)
        return refuse("cannot write %s in %s: %s", name, folder, strerror(errno));
    return true;
}

/* gnuplot reads one command: its script names files beside itself, so it is run in the folder. */
static bool run_script(const char *folder, const char *script)
{
    if (system("command -v gnuplot >/dev/null 2>&1") != 0) {
        printf("note: gnuplot is not installed, so there is no picture of %s/%s; Debian's package "
               "gnuplot-nox brings it\n",
               folder, script);
        return true;
    }
    /* A gnuplot that dies at once must not take this program with it. */
    void (*former)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *gnuplot = popen("gnuplot", "w");
    if (gnuplot != NULL) {
        fputs("cd '", gnuplot);
        for (const char *c = folder; *c; ++c)
            fputs(*c == '\'' ? "''" : (char[]){*c, '\0'}, gnuplot);
        fprintf(gnuplot, "'\nload '%s'\n", script);
    }
    int result = gnuplot ? pclose(gnuplot) : -1;
    signal(SIGPIPE, former);
    return result == 0 || refuse("gnuplot failed on %s in %s", script, folder);
}

static void write_terminal(FILE *file, int width, int height, int points, const char *picture)
{
    fprintf(file, terminal, width, height, points, width, height, points, picture);
}

static bool write_training(const char *folder, const plot_curve *curve, const char *measured)
{
    FILE *file = open_file(folder, "curve.csv");
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
    return close_file(file, folder, "curve.csv");
}

static void write_training_script(FILE *file, int last, const char *measured, bool has_classes)
{
    const char *name = measured ? measured : "";
    write_terminal(file, has_classes ? 1200 : 600, 480, 12, "curve.png");
    /* What is no number is not drawn, nor is its key where the title is empty. */
    fprintf(file, training_script, has_classes ? 2 : 1, has_classes ? "0.075,0.965" : "0.15,0.93",
            last > 1 ? 1.0 : 0.5, last > 1 ? (double)last : 1.5, last / 12 + 1,
            measured ? "$4" : "NaN", name);
    if (has_classes)
        fprintf(file, accuracy_script, measured ? "100 * $5" : "NaN", name);
    fputs("unset multiplot\n", file);
}

bool plot_training(const char *folder, const plot_curve *curve, const char *measured,
                   bool has_classes)
{
    int last = curve->count ? curve->epochs[curve->count - 1].epoch : 1;
    FILE *file;
    if (!write_training(folder, curve, measured) || (file = open_file(folder, "curve.gp")) == NULL)
        return false;
    write_training_script(file, last, measured, has_classes);
    return close_file(file, folder, "curve.gp") && run_script(folder, "curve.gp");
}

/* A text between such quotes, which are doubled within it, as CSV and gnuplot both have it. */
static void write_quoted(FILE *file, char quote, const char *text)
{
    fputc(quote, file);
    for (; *text; ++text) {
        if (*text == quote)
            fputc(quote, file);
        fputc(*text, file);
    }
    fputc(quote, file);
}

static void write_class(FILE *file, char *const *names, int class)
{
    if (names)
        write_quoted(file, '"', names[class]);
    else
        fprintf(file, "%d", class);
}

static bool write_matrix(const char *folder, const int64_t *confusion, int classes,
                         char *const *names)
{
    FILE *file = open_file(folder, "confusion.csv");
    if (file == NULL)
        return false;
    fputs("label\\predicted", file);
    for (int j = 0; j < classes; ++j) {
        fputc(',', file);
        write_class(file, names, j);
    }
    for (int i = 0; i < classes; ++i) {
        fputc('\n', file);
        write_class(file, names, i);
        for (int j = 0; j < classes; ++j)
            fprintf(file, ",%lld", (long long)confusion[i * classes + j]);
    }
    fputc('\n', file);
    return close_file(file, folder, "confusion.csv");
}

/* An element of the matrix with its share of the row. */
static void write_element(FILE *file, char *const *names, int label, int predicted, int samples,
                          int row)
{
    fprintf(file, "%d,%d,%d,%.6g,", label, predicted, samples, (double)samples / row);
    write_class(file, names, label);
    fputc(',', file);
    write_class(file, names, predicted);
    fputc('\n', file);
}

/* The elements that are not 0: confusions, the most frequent first, then the diagonal, the lowest
 * share first. */
static bool write_list(const char *folder, const int64_t *confusion, int classes,
                       char *const *names)
{
    confusion_summary summary;
    int *rows = calloc((size_t)classes, sizeof *rows);
    FILE *file = NULL;
    bool done = (rows != NULL || refuse("no memory for %d classes", classes)) &&
                confusion_summarise(confusion, classes, &summary);
    if (done && (file = open_file(folder, "confusion.csv")) != NULL) {
        fputs("label,predicted,samples,share_of_label,label_name,predicted_name\n", file);
        for (int i = 0; i < classes; ++i)
            rows[summary.classes[i].class] = summary.classes[i].samples;
        for (const confusion_pair *p = summary.pairs; p < summary.pairs + summary.pair_count; ++p)
            write_element(file, names, p->label, p->predicted, p->samples, rows[p->label]);
        for (const confusion_class *c = summary.classes; c < summary.classes + classes; ++c)
            if (c->right > 0)
                write_element(file, names, c->class, c->class, c->right, c->samples);
    }
    if (done)
        confusion_free(&summary);
    free(rows);
    return file != NULL && close_file(file, folder, "confusion.csv");
}

/* The distance of named classes on an axis: 1, 2 or 5 times a power of ten. */
static int tic_step(int classes)
{
    static const int factors[] = {1, 2, 5};
    int power = 1, i = 0;
    while (classes > CONFUSION_CLASSES_MAX && factors[i] * power * TICS_MAX < classes) {
        i = (i + 1) % 3;
        power *= i == 0 ? 10 : 1;
    }
    return factors[i] * power;
}

/* Whether texts of such classes would touch each other in a line. */
static bool are_long(int classes, char *const *names)
{
    enum { LINE = 70 };
    size_t longest = names ? 0 : (size_t)snprintf(NULL, 0, "%d", classes);
    for (int i = 0; names && i < classes; ++i)
        longest = strlen(names[i]) > longest ? strlen(names[i]) : longest;
    return (longest + 1) * (size_t)(classes / tic_step(classes)) > LINE;
}

static void write_tics(FILE *file, char axis, int classes, char *const *names)
{
    const int step = tic_step(classes);
    fprintf(file, "set %ctics scale 0 noenhanced%s font ',%d' ", axis,
            axis == 'x' && are_long(classes, names) ? " rotate by 90 right" : "",
            classes / step > TICS_MAX ? 10 : 13);
    if (names == NULL)
        fprintf(file, "0,%d", step);
    for (int i = 0; names && i < classes; i += step) {
        fputs(i ? ", " : "(", file);
        write_quoted(file, '\'', names[i]);
        fprintf(file, " %d%s", i, i + step >= classes ? ")" : "");
    }
    fputc('\n', file);
}

static bool write_matrix_script(const char *folder, const int64_t *confusion, int classes,
                                char *const *names)
{
    int largest = 1;
    for (int i = 0; i < classes * classes; ++i)
        largest = confusion[i] > largest ? (int)confusion[i] : largest;
    FILE *file = open_file(folder, "confusion.gp");
    if (file == NULL)
        return false;
    write_terminal(file, 860, 820, 13, "confusion.png");
    write_tics(file, 'x', classes, names);
    write_tics(file, 'y', classes, names);
    fprintf(file, confusion_script, largest, classes, classes > 20 ? 260 / classes : 13);
    return close_file(file, folder, "confusion.gp");
}

static bool write_list_script(const char *folder, int classes, char *const *names)
{
    FILE *file = open_file(folder, "confusion.gp");
    if (file == NULL)
        return false;
    write_terminal(file, 860, 860, 13, "confusion.png");
    write_tics(file, 'x', classes, names);
    write_tics(file, 'y', classes, names);
    fprintf(file, confusion_list_script, classes, classes);
    return close_file(file, folder, "confusion.gp");
}

bool plot_confusion(const char *folder, const int64_t *confusion, int classes, char *const *names)
{
    bool done = classes <= CONFUSION_CLASSES_MAX
                    ? write_matrix(folder, confusion, classes, names) &&
                          write_matrix_script(folder, confusion, classes, names)
                    : write_list(folder, confusion, classes, names) &&
                          write_list_script(folder, classes, names);
    return done && run_script(folder, "confusion.gp");
}

/* Pictures at from[i * picture_stride + pixel * stride], each pixel as ZOOM x ZOOM of the
 * file's: single ones would be too small to look at. */
static bool write_pictures(const char *path, int count, int columns, int width, int height,
                           const float *from, size_t picture_stride, size_t stride)
{
    const long side = (long)ZOOM * ZOOM * width * height;
    float *zoomed = malloc((size_t)count * (size_t)side * sizeof *zoomed), *next = zoomed;
    if (zoomed == NULL)
        return refuse("no memory for %d pictures", count);
    for (size_t i = 0; i < (size_t)count; ++i)
        for (int y = 0; y < ZOOM * height; ++y)
            for (int x = 0; x < ZOOM * width; ++x)
                *next++ = from[i * picture_stride + (size_t)(y / ZOOM * width + x / ZOOM) * stride];
    bool done = glnn_image_write_grid(path, count, columns, ZOOM * width, ZOOM * height, zoomed,
                                      side, 1) == GLNN_OK ||
                refuse("%s", glnn_last_error());
    free(zoomed);
    return done;
}

/* A grid somewhat wider than tall. */
static int grid_columns(int count)
{
    return (int)ceil(sqrt(1.6 * count));
}

bool plot_weights(const char *folder, const glnn_network *network, int width)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    int units = desc->layers[0].units, shown = units < PICTURES_MAX ? units : PICTURES_MAX, height;
    char path[PATH_CAPACITY];
    if (!picture_size(desc->features, &width, &height) || !path_join(path, folder, "weights.png"))
        return false;
    float *weights = malloc((size_t)desc->features * (size_t)units * sizeof *weights);
    if (weights == NULL)
        return refuse("no memory for the weights of %d units", units);
    bool done = glnn_network_get_weights(network, 0, weights, NULL) == GLNN_OK
                    ? write_pictures(path, shown, grid_columns(shown), width, height, weights, 1,
                                     (size_t)units)
                    : refuse("%s", glnn_last_error());
    free(weights);
    return done;
}

bool plot_prototypes(const char *folder, const float *prototypes, int count, int columns, int width,
                     int height)
{
    int shown = count < PICTURES_MAX ? count : PICTURES_MAX;
    char path[PATH_CAPACITY];
    return path_join(path, folder, "prototypes.png") &&
           write_pictures(path, shown, columns > 0 ? columns : grid_columns(shown), width, height,
                          prototypes, (size_t)width * (size_t)height, 1);
}
