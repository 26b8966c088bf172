#include "common/scaling_figures.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/failure.h"

enum { NAME_CAPACITY = 64 };

static const struct {
    const char *name;
    size_t offset;
} speeds[] = {
    {"readback B/s", offsetof(cost_speeds, readback)},
    {"upload B/s", offsetof(cost_speeds, upload)},
    {"least transfer s", offsetof(cost_speeds, transfer)},
    {"share of transfers that delays passes", offsetof(cost_speeds, delay)},
    {"addition B/s", offsetof(cost_speeds, add)},
    {"messages B/s", offsetof(cost_speeds, link)},
    {"latency s", offsetof(cost_speeds, latency)},
    {"bucket B", offsetof(cost_speeds, bucket)},
};
enum {
    SPEEDS = sizeof speeds / sizeof speeds[0],
    FIGURES = SPEEDS + SCALING_NETS * SCALING_BATCHES
};

/* Figure `i`: its name and its place. */
static double *figure(scaling_figures *figures, int i, char name[NAME_CAPACITY])
{
    if (i < SPEEDS) {
        snprintf(name, NAME_CAPACITY, "%s", speeds[i].name);
        return (double *)(void *)((char *)&figures->speeds + speeds[i].offset);
    }
    const int net = (i - SPEEDS) / SCALING_BATCHES, batch = (i - SPEEDS) % SCALING_BATCHES;
    snprintf(name, NAME_CAPACITY, "step of %s batch %d s", scaling_nets[net].name,
             scaling_batches[batch]);
    return &figures->steps[net][batch];
}

bool scaling_figures_write(const scaling_figures *figures, const char *path)
{
    scaling_figures copy = *figures;
    char name[NAME_CAPACITY];
    FILE *file = fopen(path, "w");
    if (!file)
        return refuse("%s cannot be written", path);
    fprintf(file, "figure,value\n");
    for (int i = 0; i < FIGURES; ++i) {
        const double value = *figure(&copy, i, name);
        fprintf(file, "%s,%.7g\n", name, value);
    }
    return fclose(file) == 0 || refuse("%s cannot be written", path);
}

static bool read_line(scaling_figures *figures, const char *line)
{
    char name[NAME_CAPACITY], wanted[NAME_CAPACITY];
    double value;
    if (sscanf(line, "%63[^,],%lf", name, &value) != 2)
        return false;
    for (int i = 0; i < FIGURES; ++i) {
        double *place = figure(figures, i, wanted);
        if (strcmp(name, wanted) == 0) {
            *place = value;
            return value >= 0 && isfinite(value);
        }
    }
    return false;
}

bool scaling_figures_read(scaling_figures *figures, const char *path)
{
    char line[256] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return refuse("%s cannot be read", path);
    bool is_sound = fgets(line, sizeof line, file) && strcmp(line, "figure,value\n") == 0;
    while (is_sound && fgets(line, sizeof line, file))
        is_sound = read_line(figures, line);
    fclose(file);
    return is_sound || refuse("%s: the line \"%.*s\" is not one of bench_scaling", path,
                              (int)strcspn(line, "\n"), line);
}
