#include <glnn/image.h>

#include "base/sized.h"
#include "base/status.h"
#include "io/labelled_files.h"
#include "io/png_file.h"

#include <stdlib.h>
#include <string.h>

static const glnn__file_kind picture_files = {
    .filter = glnn__is_png, .things = "pictures", .format = "PNG", .ending = ".png"};

/* The first picture fixes the sizes that the caller has not set. */
static glnn_status take_sizes(int channels, glnn_image_folder *out)
{
    glnn__picture picture;
    GLNN__TRY(glnn__png_read(out->paths[0], channels, &picture));
    out->converts = channels != 0;
    out->scales = out->width > 0;
    out->channels = picture.channels;
    out->height = out->scales ? out->height : picture.height;
    out->width = out->scales ? out->width : picture.width;
    free(picture.pixels);
    return GLNN_OK;
}

static void give(const glnn__labelled_files *files, glnn_image_folder *out)
{
    out->samples = files->count;
    out->paths = files->paths;
    out->labels = files->labels;
    out->classes = files->classes;
    out->class_names = files->class_names;
}

static glnn_status check(const char *path, int channels, int width, int height)
{
    if (width < 0 || height < 0 || (width == 0) != (height == 0))
        return glnn__fail(GLNN_E_ARG,
                          "the size of pictures is set to %d x %d; both must be at least 1, or 0",
                          width, height);
    GLNN__TRY(glnn__image_check_size(path, width, height, "read"));
    if (channels != 0 && channels != 1 && channels != 3)
        return glnn__fail(GLNN_E_ARG, "`channels` is %d; it must be 0, 1 or 3", channels);
    return *path ? GLNN_OK : glnn__fail(GLNN_E_ARG, "the path is empty");
}

static glnn_status create(const char *path, int channels, glnn_image_folder *out)
{
    glnn__labelled_files files = {0};
    glnn_image_folder made = {.size = sizeof made, .width = out->width, .height = out->height};
    glnn__sized_fill(out, &(glnn_image_folder){0}, sizeof *out);
    GLNN__TRY(check(path, channels, made.width, made.height));
    glnn_status status = glnn__labelled_files_list(path, &picture_files, &files);
    give(&files, &made);
    if (!status)
        status = take_sizes(channels, &made);
    if (status)
        glnn_image_folder_free(&made);
    glnn__sized_fill(out, &made, sizeof made);
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

static bool has_size(const glnn_image_folder *of, const glnn__picture *picture)
{
    return picture->width == of->width && picture->height == of->height;
}

static glnn_status check_sizes(const glnn_image_folder *of, const char *path,
                               const glnn__picture *picture)
{
    if (!of->scales && !has_size(of, picture))
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %d x %d pixels, but %s has %d x %d; all pictures must have one "
                          "size, unless one is set",
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
    glnn_status status = check_sizes(of, path, &picture);
    if (!status && has_size(of, &picture))
        memcpy(inputs, picture.pixels, numbers_of(of) * sizeof *inputs);
    else if (!status)
        status = glnn_image_scale(picture.channels, picture.width, picture.height, picture.pixels,
                                  of->width, of->height, inputs);
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
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu pictures", path, samples);
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
    glnn__labelled_files_free(&(glnn__labelled_files){.count = folder->samples,
                                                      .paths = folder->paths,
                                                      .labels = folder->labels,
                                                      .classes = folder->classes,
                                                      .class_names = folder->class_names});
    glnn__sized_fill(folder, &(glnn_image_folder){0}, sizeof *folder);
}
