#include <glnn/sound.h>

#include "base/sized.h"
#include "base/status.h"
#include "io/labelled_files.h"
#include "io/sound_file.h"

#include <stdlib.h>
#include <string.h>

static const glnn__file_kind sound_files = {.filter = glnn__is_wav,
                                            .things = "recordings",
                                            .format = "WAV",
                                            .ending = ".wav",
                                            .has_names = true};

/* The mean of the channels takes the place of the samples. */
static void mix(glnn__recording *of)
{
    const size_t channels = (size_t)of->channels;
    for (size_t i = 0; i < (size_t)of->length && channels > 1; ++i) {
        double sum = 0;
        for (size_t c = 0; c < channels; ++c)
            sum += (double)of->samples[i * channels + c];
        of->samples[i] = (float)(sum / (double)channels);
    }
    of->channels = 1;
}

/* ---- A file */

/* A row for each channel. */
static glnn_status divide(const char *path, const glnn__recording *from, float **out)
{
    const size_t length = (size_t)from->length, channels = (size_t)from->channels;
    float *rows = malloc(length * channels * sizeof *rows);
    if (!rows)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d samples of %d channels", path,
                          from->length, from->channels);
    for (size_t c = 0; c < channels; ++c)
        for (size_t i = 0; i < length; ++i)
            rows[c * length + i] = from->samples[i * channels + c];
    *out = rows;
    return GLNN_OK;
}

static glnn_status read_file(const char *path, int channels, glnn__recording *read, float **out)
{
    if (channels < 1)
        return glnn__fail(GLNN_E_ARG, "`channels` is %d; it must be at least 1", channels);
    GLNN__TRY(glnn__sound_file_read(path, read));
    if (channels > 1 && read->channels != channels)
        return glnn__fail(GLNN_E_FORMAT, "%s: %d channel%s, but `channels` is %d", path,
                          read->channels, read->channels == 1 ? "" : "s", channels);
    if (channels > 1)
        return divide(path, read, out);
    mix(read);
    *out = read->samples;
    read->samples = NULL;
    return GLNN_OK;
}

glnn_status glnn_sound_read(const char *path, int channels, int *rate, int *length, float **samples)
{
    glnn__recording read = {0};
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(rate);
    GLNN__NOT_NULL(length);
    GLNN__NOT_NULL(samples);
    *samples = NULL;
    const glnn_status status = read_file(path, channels, &read, samples);
    free(read.samples);
    *rate = status ? 0 : read.rate;
    *length = status ? 0 : read.length;
    return glnn__fail_in(__func__, status);
}

/* ---- Folders */

static void give(const glnn__labelled_files *files, glnn_sound_folder *out)
{
    out->samples = files->count;
    out->paths = files->paths;
    out->labels = files->labels;
    out->classes = files->classes;
    out->class_names = files->class_names;
}

static glnn_status check_rate(const glnn_sound_folder *of, bool is_given, const char *path,
                              const glnn__recording *read)
{
    if (read->rate == of->rate)
        return GLNN_OK;
    if (is_given)
        return glnn__fail(GLNN_E_FORMAT, "%s: a rate of %d samples per second; it must be %d", path,
                          read->rate, of->rate);
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: a rate of %d samples per second, but %s has %d; all files must have one "
                      "rate",
                      path, read->rate, of->paths[0], of->rate);
}

/* Reads all files as one channel. The first one sets the rate, and the longest one the length,
 * unless they are given. */
static glnn_status read_all(glnn_sound_folder *of, glnn__recording *files)
{
    const bool is_given = of->rate > 0, has_length = of->length > 0;
    for (int64_t i = 0; i < of->samples; ++i) {
        glnn__recording *file = &files[i];
        GLNN__TRY(glnn__sound_file_read(of->paths[i], file));
        of->rate = of->rate > 0 ? of->rate : file->rate;
        GLNN__TRY(check_rate(of, is_given, of->paths[i], file));
        mix(file);
        if (!has_length && file->length > of->length)
            of->length = file->length;
    }
    return GLNN_OK;
}

static glnn_status take_inputs(const char *path, const glnn__recording *files,
                               glnn_sound_folder *of)
{
    const size_t count = (size_t)of->samples, length = (size_t)of->length;
    if (count > SIZE_MAX / sizeof(float) / length)
        return glnn__fail(GLNN_E_LIMIT, "%s: memory cannot address %zu recordings of %zu samples",
                          path, count, length);
    of->inputs = calloc(count * length, sizeof *of->inputs);
    if (!of->inputs)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu recordings of %zu samples", path,
                          count, length);
    for (size_t i = 0; i < count; ++i) {
        const size_t has = (size_t)files[i].length;
        memcpy(of->inputs + i * length, files[i].samples,
               (has < length ? has : length) * sizeof *of->inputs);
    }
    return GLNN_OK;
}

static glnn_status read_files(const char *path, glnn_sound_folder *of)
{
    glnn__recording *files = calloc((size_t)of->samples, sizeof *files);
    if (!files)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %lld recordings", path,
                          (long long)of->samples);
    glnn_status status = read_all(of, files);
    if (!status)
        status = take_inputs(path, files, of);
    for (int64_t i = 0; i < of->samples; ++i)
        free(files[i].samples);
    free(files);
    return status;
}

static glnn_status check(const char *path, int rate, int length)
{
    if (rate < 0)
        return glnn__fail(GLNN_E_ARG, "`rate` is %d; it must not be negative", rate);
    if (length < 0)
        return glnn__fail(GLNN_E_ARG, "`length` is %d; it must not be negative", length);
    return *path ? GLNN_OK : glnn__fail(GLNN_E_ARG, "the path is empty");
}

static glnn_status read_folder(const char *path, glnn_sound_folder *made)
{
    glnn__labelled_files files = {0};
    glnn_status status = glnn__labelled_files_list(path, &sound_files, &files);
    give(&files, made);
    return status ? status : read_files(path, made);
}

glnn_status glnn_sound_folder_read(const char *path, int rate, int length, glnn_sound_folder *out)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_sound_folder, paths, out));
    glnn_sound_folder made = {.size = sizeof made, .rate = rate, .length = length};
    glnn__sized_fill(out, &(glnn_sound_folder){0}, sizeof *out);
    GLNN__TRY(glnn__fail_in(__func__, check(path, rate, length)));
    const glnn_status status = read_folder(path, &made);
    if (status)
        glnn_sound_folder_free(&made);
    glnn__sized_fill(out, &made, sizeof made);
    return glnn__fail_in(__func__, status);
}

void glnn_sound_folder_free(glnn_sound_folder *folder)
{
    if (!folder)
        return;
    free(folder->inputs);
    glnn__labelled_files_free(&(glnn__labelled_files){.count = folder->samples,
                                                      .paths = folder->paths,
                                                      .labels = folder->labels,
                                                      .classes = folder->classes,
                                                      .class_names = folder->class_names});
    glnn__sized_fill(folder, &(glnn_sound_folder){0}, sizeof *folder);
}
