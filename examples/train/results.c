#include "results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/failure.h"

static FILE *open_results(const char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL || refuse("cannot write %s: %s", path, strerror(errno)));
    return file;
}

static void close_results(FILE *file, const char *path, const char *what, int samples)
{
    const bool written = ferror(file) == 0;
    REQUIRE((fclose(file) == 0 && written) || refuse("cannot write %s: %s", path, strerror(errno)));
    printf("predicted  %s: the %s of %d sample%s\n", path, what, samples, samples == 1 ? "" : "s");
}

void results_write_classes(const char *path, int samples, const int *classes, char *const *names)
{
    FILE *file = open_results(path);
    for (int i = 0; i < samples; ++i)
        fprintf(file, "%s\n", names[classes[i]]);
    close_results(file, path, "classes", samples);
}

void results_write_targets(const char *path, int samples, int targets, const float *values)
{
    FILE *file = open_results(path);
    for (int i = 0; i < samples * targets; ++i)
        fprintf(file, "%.9g%c", (double)values[i], (i + 1) % targets == 0 ? '\n' : ',');
    close_results(file, path, "targets", samples);
}
