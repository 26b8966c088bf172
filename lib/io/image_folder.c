#include <glnn/image.h>

#include "base/file.h"
#include "base/sized.h"
#include "base/status.h"
#include "io/listing.h"
#include "io/png_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A folder that is being opened. */
typedef struct opening {
    const char *path;
    glnn__listing classes;   /* the names of the classes' folders             */
    glnn__listing *pictures; /* the names of the pictures in each             */
    glnn_image_folder out;
} opening;

static glnn_status fail_memory(const char *path, int64_t samples)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %lld pictures", path, (long long)samples);
}

static glnn_status list_pictures(opening *in, size_t class)
{
    char *folder = glnn__path_join(in->path, in->classes.names[class]);
    if (!folder)
        return fail_memory(in->path, in->out.samples);
    glnn_status status = glnn__listing_make(folder, glnn__is_png, &in->pictures[class]);
    if (!status && in->pictures[class].count == 0)
        status = glnn__fail(GLNN_E_FORMAT,
                            "%s: the folder of a class must have pictures whose names end in .png",
                            folder);
    in->out.samples += (int64_t)in->pictures[class].count;
    free(folder);
    return status;
}

static glnn_status list_all(opening *in)
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
        return fail_memory(in->path, 0);
    for (size_t c = 0; c < classes; ++c)
        GLNN__TRY(list_pictures(in, c));
    return GLNN_OK;
}

/* Lists the path and the class of each picture. */
static glnn_status take_samples(opening *in)
{
    glnn_image_folder *out = &in->out;
    size_t sample = 0;
    out->paths = calloc((size_t)out->samples, sizeof *out->paths);
    out->labels = malloc((size_t)out->samples * sizeof *out->labels);
    bool done = out->paths && out->labels;
    for (size_t c = 0; done && c < in->classes.count; ++c) {
        char *folder = glnn__path_join(in->path, in->classes.names[c]);
        done = folder != NULL;
        for (size_t i = 0; done && i < in->pictures[c].count; ++i, ++sample) {
            out->labels[sample] = (int)c;
            out->paths[sample] = glnn__path_join(folder, in->pictures[c].names[i]);
            done = out->paths[sample] != NULL;
        }
        free(folder);
    }
    return done ? GLNN_OK : fail_memory(in->path, out->samples);
}

/* The first picture fixes the sizes of all. */
static glnn_status take_sizes(int channels, glnn_image_folder *out)
{
    glnn__picture picture;
    GLNN__TRY(glnn__png_read(out->paths[0], channels, &picture));
    out->converts = channels != 0;
    out->channels = picture.channels;
    out->height = picture.height;
    out->width = picture.width;
    free(picture.pixels);
    return GLNN_OK;
}

static glnn_status open_folder(opening *in, int channels)
{
    GLNN__TRY(list_all(in));
    GLNN__TRY(take_samples(in));
    GLNN__TRY(take_sizes(channels, &in->out));
    in->out.classes = (int)in->classes.count;
    in->out.class_names = in->classes.names;
    in->classes = (glnn__listing){0};
    return GLNN_OK;
}

static void free_lists(opening *in, size_t classes)
{
    for (size_t c = 0; in->pictures && c < classes; ++c)
        glnn__listing_free(&in->pictures[c]);
    free(in->pictures);
    glnn__listing_free(&in->classes);
}

static glnn_status check(const char *path, int channels, glnn_image_folder *out)
{
    glnn__sized_fill(out, &(glnn_image_folder){0}, sizeof *out);
    if (channels != 0 && channels != 1 && channels != 3)
        return glnn__fail(GLNN_E_ARG, "`channels` is %d; it must be 0, 1 or 3", channels);
    return *path ? GLNN_OK : glnn__fail(GLNN_E_ARG, "the path is empty");
}

static glnn_status create(const char *path, int channels, glnn_image_folder *out)
{
    opening in = {.path = path, .out.size = sizeof in.out};
    GLNN__TRY(check(path, channels, out));
    const glnn_status status = open_folder(&in, channels);
    free_lists(&in, status ? in.classes.count : (size_t)in.out.classes);
    if (status)
        glnn_image_folder_free(&in.out);
    glnn__sized_fill(out, &in.out, sizeof in.out);
    return status;
}

glnn_status glnn_image_folder_open(const char *path, int channels, glnn_image_folder *out)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_image_folder, paths, out));
    return glnn__fail_in(__func__, create(path, channels, out));
}

/* ---- The pictures */

static size_t numbers_of(const glnn_image_folder *folder)
{
    return (size_t)folder->channels * (size_t)folder->height * (size_t)folder->width;
}

static glnn_status check_sizes(const glnn_image_folder *of, const char *path,
                               const glnn__picture *picture)
{
    if (picture->width != of->width || picture->height != of->height)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %d x %d pixels, but %s has %d x %d; all pictures must have one size",
                          path, picture->width, picture->height, of->paths[0], of->width,
                          of->height);
    if (picture->channels != of->channels)
        return glnn__fail(
            GLNN_E_FORMAT,
            "%s: %d channel%s, but %s has %d; ask for 1 or 3 channels to convert them", path,
            picture->channels, picture->channels == 1 ? "" : "s", of->paths[0], of->channels);
    return GLNN_OK;
}

static glnn_status read_picture(const glnn_image_folder *of, size_t sample, float *inputs)
{
    const char *path = of->paths[sample];
    glnn__picture picture;
    GLNN__TRY(glnn__png_read(path, of->converts ? of->channels : 0, &picture));
    const glnn_status status = check_sizes(of, path, &picture);
    if (!status)
        memcpy(inputs, picture.pixels, numbers_of(of) * sizeof *inputs);
    free(picture.pixels);
    return status;
}

glnn_status glnn_image_folder_read_samples(void *folder, const int *samples, int count,
                                           float *inputs)
{
    const glnn_image_folder *of = folder;
    GLNN__NOT_NULL(folder);
    GLNN__NOT_NULL(samples);
    GLNN__NOT_NULL(inputs);
    for (int i = 0; i < count; ++i) {
        if (samples[i] < 0 || samples[i] >= of->samples)
            return glnn__fail(GLNN_E_ARG, "%s: sample %d of %lld", __func__, samples[i],
                              (long long)of->samples);
        GLNN__TRY(glnn__fail_in(
            __func__, read_picture(of, (size_t)samples[i], inputs + (size_t)i * numbers_of(of))));
    }
    return GLNN_OK;
}

static glnn_status read_all(const char *path, glnn_image_folder *out)
{
    const size_t samples = (size_t)out->samples, numbers = numbers_of(out);
    glnn_status status = GLNN_OK;
    if (samples > SIZE_MAX / sizeof(float) / numbers)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: memory cannot address %zu pictures of %d x %d pixels and %d "
                          "channels",
                          path, samples, out->width, out->height, out->channels);
    out->inputs = malloc(samples * numbers * sizeof *out->inputs);
    if (!out->inputs)
        return fail_memory(path, out->samples);
    for (size_t i = 0; i < samples && !status; ++i)
        status = read_picture(out, i, out->inputs + i * numbers);
    return status;
}

glnn_status glnn_image_folder_read(const char *path, int channels, glnn_image_folder *out)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_image_folder, paths, out));
    glnn_status status = create(path, channels, out);
    if (!status) {
        status = read_all(path, out);
        if (status)
            glnn_image_folder_free(out);
    }
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
    for (int64_t i = 0; folder->paths && i < folder->samples; ++i)
        free(folder->paths[i]);
    free(folder->paths);
    glnn__sized_fill(folder, &(glnn_image_folder){0}, sizeof *folder);
}
