#include "pictures.h"

#include <glnn/image.h>

#include <dirent.h>
#include <limits.h>

#include "common/failure.h"
#include "common/mnist.h"
#include "handwriting.h"
#include "stored.h"

static bool has_folder(const char *path)
{
    char inner[PATH_CAPACITY];
    bool found = false;
    DIR *stream = opendir(path);
    for (struct dirent *entry = stream ? readdir(stream) : NULL; entry && !found;
         entry = readdir(stream))
        found = entry->d_name[0] != '.' && path_join(inner, path, entry->d_name) &&
                path_is_folder(inner);
    if (stream)
        closedir(stream);
    return found;
}

bool path_is_pictures(const char *path)
{
    return path && path_is_folder(path) && !mnist_has_any(path) && !path_is_handwriting(path) &&
           has_folder(path);
}

bool pictures_are_split(const char *path)
{
    char train[PATH_CAPACITY], test[PATH_CAPACITY];
    return path && path_join(train, path, "train") && path_join(test, path, "test") &&
           ((path_is_pictures(train) && path_is_pictures(test)) ||
            (path_is_handwriting(train) && path_is_handwriting(test)));
}

static bool check(const char *path, const glnn_image_folder *read, samples *out)
{
    const glnn_shape shape = {read->channels, read->height, read->width};
    if (read->samples > INT_MAX)
        return refuse("%s: %lld pictures; at most %d are possible", path, (long long)read->samples,
                      INT_MAX);
    out->shape = shape;
    out->has_unit_range = true;
    const int features = shape.channels * shape.height * shape.width;
    return out->columns.features == 0 || out->columns.features == features ||
           refuse("%s: pictures of %d x %d pixels%s are samples of %d features, but there should "
                  "be %d; --shape HxW scales pictures",
                  path, shape.width, shape.height, shape.channels == 3 ? " in colour" : "",
                  features, out->columns.features);
}

static bool add_names(const glnn_image_folder *read, table *rows)
{
    for (int i = 0; i < read->classes; ++i)
        if (classes_add(&rows->classes, read->class_names[i]) < 0)
            return false;
    return true;
}

/* Sets the size that all pictures get. */
static bool choose_size(const char *path, int channels, glnn_shape given, const samples *of,
                        glnn_image_folder *out)
{
    const glnn_shape shape = of->shape.width > 0 ? of->shape : given;
    glnn_image_folder first = {.size = sizeof first};
    if (shape.width == 0 && glnn_image_folder_open(path, channels, &first) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    out->width = shape.width > 0 ? shape.width : first.width;
    out->height = shape.width > 0 ? shape.height : first.height;
    glnn_image_folder_free(&first);
    return true;
}

bool pictures_load(const char *path, bool gray, glnn_shape given, samples *out, table *rows)
{
    stored *file = stored_new();
    if (file == NULL)
        return false;
    glnn_image_folder *read = &file->pictures;
    const int channels = gray ? 1 : given.channels == 3 ? 3 : out->shape.channels;
    bool done = choose_size(path, channels, given, out, read);
    const glnn_status status = !done        ? GLNN_OK
                               : out->stays ? glnn_image_folder_open(path, channels, read)
                                            : glnn_image_folder_read(path, channels, read);
    done = done && (status == GLNN_OK || refuse("%s", glnn_last_error())) &&
           check(path, read, out) && add_names(read, rows);
    if (done) {
        rows->shape = out->shape;
        rows->rows = (int)read->samples;
        rows->columns.features = read->channels * read->height * read->width;
        rows->inputs = read->inputs;
        rows->labels = read->labels;
        read->inputs = NULL;
        read->labels = NULL;
    }
    if (done && out->stays)
        rows->file = file;
    else
        stored_release(file);
    return done;
}
