#include "handwriting.h"

#include <glnn/handwriting.h>

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/failure.h"

static bool is_named_so(const char *name)
{
    const char *end = strrchr(name, '.');
    return end && (strcasecmp(end, ".gnt") == 0 || strcasecmp(end, ".mpf") == 0);
}

bool path_is_handwriting(const char *path)
{
    if (path == NULL || !path_is_folder(path))
        return path && is_named_so(path);
    char inner[PATH_CAPACITY];
    bool found = false;
    DIR *stream = opendir(path);
    for (struct dirent *entry = stream ? readdir(stream) : NULL; entry && !found;
         entry = readdir(stream))
        found = entry->d_name[0] != '.' && is_named_so(entry->d_name) &&
                path_join(inner, path, entry->d_name) && !path_is_folder(inner);
    if (stream)
        closedir(stream);
    return found;
}

bool path_has_handwriting(const char *path)
{
    char train[PATH_CAPACITY];
    return path_is_handwriting(path) ||
           (path && path_join(train, path, "train") && path_is_handwriting(train));
}

/* 0: as the library has it. */
static bool choose_side(const char *path, glnn_shape given, const samples *of, int *side)
{
    *side = given.width;
    if (of->columns.features > 0)
        *side = (int)lround(sqrt(of->columns.features));
    return given.width == 0 || (given.channels == 1 && given.height == given.width) ||
           refuse("%s: --shape %dx%dx%d: the images of handwriting are square and gray", path,
                  given.height, given.width, given.channels);
}

/* The class names of `set` as a list. */
static bool add_names(const glnn_handwriting *set, table *rows)
{
    for (int i = 0; i < set->classes; ++i)
        if (classes_add(&rows->classes, set->class_names[i]) < 0)
            return false;
    return true;
}

static bool take(const char *path, glnn_handwriting *set, const samples *of, table *rows)
{
    if (set->samples > INT_MAX)
        return refuse("%s: %" PRId64 " characters; at most %d are possible", path, set->samples,
                      INT_MAX);
    if (of->columns.features > 0 && of->columns.features != set->features)
        return refuse("%s: characters of %d features, but there should be %d", path, set->features,
                      of->columns.features);
    rows->inputs = malloc((size_t)set->samples * (size_t)set->features * sizeof *rows->inputs);
    if (rows->inputs == NULL)
        return refuse("%s: no memory for %" PRId64 " characters of %d features", path, set->samples,
                      set->features);
    if (glnn_handwriting_read(set, 0, set->samples, rows->inputs) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    rows->rows = (int)set->samples;
    rows->columns.features = set->features;
    if (set->side > 0)
        rows->shape = (glnn_shape){1, set->side, set->side};
    rows->labels = set->labels;
    set->labels = NULL;
    return add_names(set, rows);
}

bool handwriting_load(const char *path, glnn_shape given, samples *out, table *rows)
{
    glnn_handwriting set = {.size = sizeof set};
    int side;
    if (!choose_side(path, given, out, &side))
        return false;
    if (glnn_handwriting_open(path, side, NULL, &set) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    const bool done = take(path, &set, out, rows);
    out->has_unit_range = set.side > 0;
    glnn_handwriting_close(&set);
    return done;
}
