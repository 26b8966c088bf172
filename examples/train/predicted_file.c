#include "predicted_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glnn/npy.h>

#include "columns.h"
#include "common/check.h"
#include "common/failure.h"
#include "common/gnuplot.h"
#include "common/whole_file.h"
#include "json.h"

/* The parts of predictions that are written. */
typedef struct content {
    const predictions *of;
    char *const *names; /* of the classes or targets; NULL: targets have none               */
    bool has_outputs;   /* a number for each class                                          */
    int ranked;         /* the most likely classes that are written: 1 or more; 0: targets  */
    int *room;          /* for them                                                         */
} content;

static const char *name_of(const content *from, int number, char text[32])
{
    if (from->names)
        return from->names[number];
    snprintf(text, 32, "target_%d", number + 1);
    return text;
}

static int numbers_of(const content *from)
{
    return from->of->targets > 0 ? from->of->targets : from->has_outputs ? from->of->classes : 0;
}

static float number_at(const content *from, int sample, int place)
{
    return from->of->outputs[(size_t)sample * (size_t)numbers_of(from) + (size_t)place];
}

static const int *rank(const content *from, int sample)
{
    if (from->ranked == 1)
        return &from->of->predicted[sample];
    predictions_rank(from->of, sample, from->ranked, from->room);
    return from->room;
}

/* ---- CSV */

/* A field, in quotes where it would otherwise be read as several, or without its blanks. */
static void write_field(FILE *file, const char *text)
{
    const size_t length = strlen(text);
    const bool has_ends = length > 0 && *text != ' ' && text[length - 1] != ' ';
    if (has_ends && strpbrk(text, ",\"\r\n") == NULL)
        fputs(text, file);
    else
        gnuplot_quote(file, '"', text);
}

static void write_header(FILE *file, const content *from)
{
    char text[32];
    for (int i = 0; i < from->ranked; ++i)
        fprintf(file, i == 0 ? "class" : ",class_%d", i + 1);
    for (int i = 0; i < numbers_of(from); ++i) {
        fputs(i > 0 || from->ranked > 0 ? "," : "", file);
        write_field(file, name_of(from, i, text));
    }
    fputc('\n', file);
}

static void write_row(FILE *file, const content *from, int sample)
{
    const int *classes = from->ranked > 0 ? rank(from, sample) : NULL;
    for (int i = 0; i < from->ranked; ++i) {
        fputs(i > 0 ? "," : "", file);
        write_field(file, from->names[classes[i]]);
    }
    for (int i = 0; i < numbers_of(from); ++i)
        fprintf(file, "%s%.9g", i > 0 || classes ? "," : "", (double)number_at(from, sample, i));
    fputc('\n', file);
}

static void write_csv(FILE *file, const content *from)
{
    write_header(file, from);
    for (int i = 0; i < from->of->samples; ++i)
        write_row(file, from, i);
}

/* ---- JSON lines */

static void write_classes(FILE *file, const content *from, const int *classes)
{
    json_name(file, "class");
    json_text(file, from->names[classes[0]]);
    if (from->ranked == 1)
        return;
    fputs(", ", file);
    json_name(file, "classes");
    for (int i = 0; i < from->ranked; ++i) {
        fputs(i > 0 ? ", " : "[", file);
        json_text(file, from->names[classes[i]]);
    }
    fputc(']', file);
}

static void write_numbers(FILE *file, const content *from, int sample)
{
    char text[32];
    for (int i = 0; i < numbers_of(from); ++i) {
        fputs(i > 0 ? ", " : "", file);
        json_name(file, name_of(from, i, text));
        json_float(file, number_at(from, sample, i));
    }
}

static void write_object(FILE *file, const content *from, int sample)
{
    fputc('{', file);
    if (from->ranked > 0)
        write_classes(file, from, rank(from, sample));
    if (from->has_outputs) {
        fputs(", ", file);
        json_name(file, from->of->are_probabilities ? "probabilities" : "scores");
        fputc('{', file);
    }
    write_numbers(file, from, sample);
    fputs(from->has_outputs ? "}}\n" : "}\n", file);
}

static void write_json(FILE *file, const content *from)
{
    for (int i = 0; i < from->of->samples; ++i)
        write_object(file, from, i);
}

/* ---- NumPy */

static void write_npy(const char *path, const content *from)
{
    const int count = from->of->samples, numbers = numbers_of(from);
    if (numbers > 0) {
        CHECK(glnn_npy_write(path, count, numbers, from->of->outputs, 0));
        return;
    }
    float *classes = malloc((size_t)count * (size_t)from->ranked * sizeof *classes);
    REQUIRE(classes != NULL || refuse("no memory for the classes of %d samples", count));
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < from->ranked; ++j)
            classes[(size_t)i * (size_t)from->ranked + (size_t)j] = (float)rank(from, i)[j];
    CHECK(glnn_npy_write(path, count, from->ranked, classes, 0));
    free(classes);
}

/* ---- All formats */

static void write_text(const char *path, const content *from)
{
    whole_file to;
    REQUIRE(whole_file_open(path, &to));
    FILE *file = to.stream;
    if (path_ends(path, ".jsonl") || path_ends(path, ".json"))
        write_json(file, from);
    else
        write_csv(file, from);
    REQUIRE(whole_file_close(&to));
}

/* A matrix has the numbers of classes, not their names. */
static void show_numbers(const content *from)
{
    enum { SHOWN = 20 };
    const int classes = from->of->classes;
    printf("           classes are numbers:");
    for (int i = 0; i < classes && i < SHOWN; ++i)
        printf("%s %d '%s'", i > 0 ? "," : "", i, from->names[i]);
    if (classes > SHOWN)
        printf(" and %d more", classes - SHOWN);
    printf("\n");
}

/* The ending of the path is of no format that is written. */
static bool is_unknown(const char *path)
{
    static const char *const endings[] = {".csv", ".jsonl", ".json", ".npy"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i)
        is_known = is_known || path_ends(path, endings[i]);
    return !is_known;
}

void predicted_file_write(const settings *with, const samples *data, const predictions *of)
{
    const char *path = with->predict;
    const bool has_targets = of->targets > 0;
    char **targets = columns_list_targets(&data->columns);
    const content from = {.of = of,
                          .names = has_targets ? targets : data->classes.names,
                          .has_outputs = with->probabilities || with->scores,
                          .ranked = has_targets       ? 0
                                    : with->top_k > 0 ? with->top_k
                                                      : 1,
                          .room = malloc(((size_t)with->top_k + 1) * sizeof *from.room)};
    REQUIRE(from.room != NULL || refuse("no memory for %d classes", with->top_k));
    if (path_is_npy(path))
        write_npy(path, &from);
    else
        write_text(path, &from);
    printf("predicted  %s: the %s of %d sample%s%s\n", path, has_targets ? "targets" : "classes",
           of->samples, of->samples == 1 ? "" : "s", is_unknown(path) ? ", as CSV" : "");
    if (path_is_npy(path) && !has_targets)
        show_numbers(&from);
    free(from.room);
    free(targets);
}
