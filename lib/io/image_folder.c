#include <glnn/image.h>

#include "base/file.h"
#include "base/sized.h"
#include "base/status.h"
#include "io/listing.h"
#include "io/png_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A folder that is being read. */
typedef struct reading {
    const char *path;
    int channels;            /* as the caller asked                           */
    glnn__listing classes;   /* the names of the classes' folders             */
    glnn__listing *pictures; /* the names of the pictures in each             */
    char *first;             /* the path of the first picture                 */
    size_t numbers;          /* of a picture                                  */
    glnn_image_folder out;
} reading;

static glnn_status fail_memory(const reading *in)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %lld pictures", in->path,
                      (long long)in->out.samples);
}

static glnn_status list_pictures(reading *in, size_t class)
{
    char *folder = glnn__path_join(in->path, in->classes.names[class]);
    if (!folder)
        return fail_memory(in);
    glnn_status status = glnn__listing_make(folder, glnn__is_png, &in->pictures[class]);
    if (!status && in->pictures[class].count == 0)
        status = glnn__fail(GLNN_E_FORMAT,
                            "%s: the folder of a class must have pictures whose names end in .png",
                            folder);
    in->out.samples += (int64_t)in->pictures[class].count;
    free(folder);
    return status;
}

static glnn_status list_all(reading *in)
{
    GLNN__TRY(glnn__listing_make(in->path, glnn__is_folder_or_lost, &in->classes));
    const size_t classes = in->classes.count;
    if (classes == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: must have a folder of PNG files for each class",
                          in->path);
    if (classes > INT_MAX)
        return glnn__fail(GLNN_E_LIMIT, "%s: %zu classes; at most %d can be read", in->path,
                          classes, INT_MAX);
    in->pictures = calloc(classes, sizeof *in->pictures);
    if (!in->pictures)
        return fail_memory(in);
    for (size_t c = 0; c < classes; ++c)
        GLNN__TRY(list_pictures(in, c));
    return GLNN_OK;
}

/* The first picture fixes the sizes of all. */
static glnn_status take_sizes(reading *in, const char *path, const glnn__picture *picture)
{
    glnn_image_folder *out = &in->out;
    const size_t samples = (size_t)out->samples;
    out->channels = picture->channels;
    out->height = picture->height;
    out->width = picture->width;
    in->numbers = (size_t)out->channels * (size_t)out->height * (size_t)out->width;
    if (samples > SIZE_MAX / sizeof(float) / in->numbers)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: memory cannot address %zu pictures of %d x %d pixels and %d "
                          "channels",
                          in->path, samples, out->width, out->height, out->channels);
    in->first = strdup(path);
    out->inputs = malloc(samples * in->numbers * sizeof *out->inputs);
    out->labels = malloc(samples * sizeof *out->labels);
    return in->first && out->inputs && out->labels ? GLNN_OK : fail_memory(in);
}

static glnn_status check_sizes(const reading *in, const char *path, const glnn__picture *picture)
{
    const glnn_image_folder *out = &in->out;
    if (picture->width != out->width || picture->height != out->height)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %d x %d pixels, but %s has %d x %d; all pictures must have one size",
                          path, picture->width, picture->height, in->first, out->width,
                          out->height);
    if (picture->channels != out->channels)
        return glnn__fail(
            GLNN_E_FORMAT,
            "%s: %d channel%s, but %s has %d; ask for 1 or 3 channels to convert them", path,
            picture->channels, picture->channels == 1 ? "" : "s", in->first, out->channels);
    return GLNN_OK;
}

static glnn_status read_picture(reading *in, const char *path, size_t sample, int class)
{
    glnn__picture picture;
    GLNN__TRY(glnn__png_read(path, in->channels, &picture));
    glnn_status status = in->first ? GLNN_OK : take_sizes(in, path, &picture);
    if (!status)
        status = check_sizes(in, path, &picture);
    if (!status) {
        memcpy(in->out.inputs + sample * in->numbers, picture.pixels,
               in->numbers * sizeof *picture.pixels);
        in->out.labels[sample] = class;
    }
    free(picture.pixels);
    return status;
}

static glnn_status read_class(reading *in, size_t class, size_t *sample)
{
    char *folder = glnn__path_join(in->path, in->classes.names[class]);
    glnn_status status = folder ? GLNN_OK : fail_memory(in);
    for (size_t i = 0; i < in->pictures[class].count && !status; ++i) {
        char *path = glnn__path_join(folder, in->pictures[class].names[i]);
        status = path ? read_picture(in, path, *sample, (int)class) : fail_memory(in);
        ++*sample;
        free(path);
    }
    free(folder);
    return status;
}

static glnn_status read_all(reading *in)
{
    size_t sample = 0;
    GLNN__TRY(list_all(in));
    for (size_t c = 0; c < in->classes.count; ++c)
        GLNN__TRY(read_class(in, c, &sample));
    in->out.classes = (int)in->classes.count;
    in->out.class_names = in->classes.names;
    in->classes = (glnn__listing){0};
    return GLNN_OK;
}

static void free_lists(reading *in, size_t classes)
{
    for (size_t c = 0; in->pictures && c < classes; ++c)
        glnn__listing_free(&in->pictures[c]);
    free(in->pictures);
    free(in->first);
    glnn__listing_free(&in->classes);
}

/* The caller frees what the structure points to, so it has to hold all of it. */
static glnn_status check_size(const glnn_image_folder *out)
{
    const size_t least = offsetof(glnn_image_folder, class_names) + sizeof out->class_names;
    if (out->size >= least)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "glnn_image_folder_read: glnn_image_folder.size is %zu; set it to "
                      "sizeof(glnn_image_folder) before the call",
                      out->size);
}

glnn_status glnn_image_folder_read(const char *path, int channels, glnn_image_folder *out)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__TRY(check_size(out));
    reading in = {.path = path, .channels = channels, .out.size = sizeof in.out};
    glnn__sized_fill(out, &in.out, sizeof in.out);
    if (channels != 0 && channels != 1 && channels != 3)
        return glnn__fail(
            GLNN_E_ARG, "glnn_image_folder_read: `channels` is %d; it must be 0, 1 or 3", channels);
    if (!*path)
        return glnn__fail(GLNN_E_ARG, "glnn_image_folder_read: the path is empty");
    const glnn_status status = read_all(&in);
    free_lists(&in, status ? in.classes.count : (size_t)in.out.classes);
    if (status)
        glnn_image_folder_free(&in.out);
    glnn__sized_fill(out, &in.out, sizeof in.out);
    return glnn__fail_in(__func__, status);
}

void glnn_image_folder_free(glnn_image_folder *folder)
{
    if (!folder)
        return;
    free(folder->inputs);
    free(folder->labels);
    for (int i = 0; folder->class_names && i < folder->classes; ++i)
        free(folder->class_names[i]);
    free(folder->class_names);
    glnn__sized_fill(folder, &(glnn_image_folder){0}, sizeof *folder);
}
