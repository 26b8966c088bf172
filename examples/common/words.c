#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "folder.h"

#define DEFAULT_FOLDER "data/words"

const char *words_find(const char *folder)
{
    const char *variable = getenv("GLNN_WORDS_DIR");
    if (!folder)
        folder = variable && variable[0] ? variable : DEFAULT_FOLDER;
    if (path_is_folder(folder))
        return folder;
    refuse("there is no folder %s with recordings. Get the Free Spoken Digit Dataset, "
           "https://github.com/Jakobovski/free-spoken-digit-dataset, and name its folder "
           "`recordings` by --data or GLNN_WORDS_DIR",
           folder);
    return NULL;
}

/* ---- Reading */

enum { TEST_INDICES = 5 }; /* of each speaker and digit */

/* The index at the end of {digit}_{speaker}_{index}.wav. */
static bool read_index(const char *path, int *out)
{
    const char *name = strrchr(path, '/'), *last = strrchr(path, '_');
    char *end = NULL;
    if (last > name && last > strchr(name, '_')) {
        *out = (int)strtol(last + 1, &end, 10);
        if (end > last + 1 && *end == '.' && *out >= 0)
            return true;
    }
    return refuse("%s: the name has to be {digit}_{speaker}_{index}.wav", path);
}

static bool check_classes(const char *path, const glnn_sound_folder *folder)
{
    for (int c = 0; c < folder->classes; ++c) {
        const char *name = folder->class_names[c];
        if (strlen(name) != 1 || name[0] < '0' || name[0] > '9')
            return refuse("%s: there are recordings of \"%s\"; the words are the digits 0 to 9",
                          path, name);
    }
    return true;
}

static bool make_room(words *of, int64_t count)
{
    *of = (words){0};
    of->inputs = malloc((size_t)count * WORDS_LENGTH * sizeof *of->inputs);
    of->labels = malloc((size_t)count * sizeof *of->labels);
    return (of->inputs && of->labels) || refuse("no memory for %lld recordings", (long long)count);
}

static void add(words *to, const float *samples, int label)
{
    memcpy(to->inputs + (size_t)to->count * WORDS_LENGTH, samples, WORDS_LENGTH * sizeof *samples);
    to->labels[to->count++] = label;
}

static bool divide(const glnn_sound_folder *folder, words *training, words *test)
{
    for (int64_t i = 0; i < folder->samples; ++i) {
        int index = 0;
        if (!read_index(folder->paths[i], &index))
            return false;
        add(index < TEST_INDICES ? test : training, folder->inputs + i * WORDS_LENGTH,
            folder->class_names[folder->labels[i]][0] - '0');
    }
    return true;
}

bool words_read(const char *path, words *training, words *test)
{
    glnn_sound_folder folder = {.size = sizeof folder};
    *training = *test = (words){0};
    if (glnn_sound_folder_read(path, WORDS_RATE, WORDS_LENGTH, &folder))
        return refuse("%s", glnn_last_error());
    const bool done =
        check_classes(path, &folder) && make_room(training, folder.samples) &&
        make_room(test, folder.samples) && divide(&folder, training, test) &&
        ((training->count > 0 && test->count > 0) ||
         refuse("%s: %d recordings for training and %d for the test; both need some, with indices "
                "of 5 and more and from 0 to 4",
                path, training->count, test->count));
    glnn_sound_folder_free(&folder);
    if (!done) {
        words_free(training);
        words_free(test);
    }
    return done;
}

void words_free(words *of)
{
    free(of->inputs);
    free(of->labels);
    *of = (words){0};
}

bool words_read_file(const char *path, float samples[WORDS_LENGTH])
{
    int rate, length;
    float *read;
    if (glnn_sound_read(path, 1, &rate, &length, &read))
        return refuse("%s", glnn_last_error());
    for (int i = 0; i < WORDS_LENGTH; ++i)
        samples[i] = i < length ? read[i] : 0;
    free(read);
    return rate == WORDS_RATE ||
           refuse("%s: a rate of %d samples per second; it must be %d", path, rate, WORDS_RATE);
}

/* ---- The network */

glnn_network_desc words_network(uint64_t seed)
{
    return (glnn_network_desc){
        .shape = {1, 1, WORDS_LENGTH},
        .layers =
            {{.kind = GLNN_LAYER_SPECTROGRAM,
              .units = 40,
              .kernel.width = 256,
              .stride.width = 128,
              .sample_rate = WORDS_RATE},
             {.kind = GLNN_LAYER_CONVOLUTION,
              .units = 16,
              .kernel = {5, 5},
              .stride = {2, 2},
              .padding = {2, 2}},
             {.kind = GLNN_LAYER_CONVOLUTION, .units = 32, .kernel = {3, 3}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
             {.kind = GLNN_LAYER_CONVOLUTION, .units = 32, .kernel = {3, 3}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
             {.kind = GLNN_LAYER_FLATTEN},
             {.kind = GLNN_LAYER_DROPOUT, .rate = 0.5f},
             {.units = 64},
             {.units = WORDS_COUNT}},
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
        .seed = seed};
}

bool words_fits(const glnn_learner *learner, const char *path)
{
    const glnn_network_desc *desc = glnn_network_get_desc(learner);
    return (desc && desc->layers[0].kind == GLNN_LAYER_SPECTROGRAM &&
            desc->features == WORDS_LENGTH &&
            glnn_network_get_shape(learner, desc->layer_count - 1).channels == WORDS_COUNT) ||
           refuse("%s: this learner was not trained by the example words", path);
}
