/* Recordings of spoken digits, as the Free Spoken Digit Dataset has them, and the network that
 * learns them. */
#ifndef EXAMPLES_WORDS_H
#define EXAMPLES_WORDS_H

#include <glnn/network.h>
#include <glnn/sound.h>

#include <stdbool.h>

enum {
    WORDS_COUNT = 10,   /* the digits 0 to 9 */
    WORDS_RATE = 8000,  /* samples of a second */
    WORDS_LENGTH = 6400 /* samples of a recording: 0.8 seconds */
};

/* The folder with the recordings: `folder`, or if that is NULL $GLNN_WORDS_DIR, or data/words. NULL
 * with a failure, which says where to get them. */
const char *words_find(const char *folder);

/* Reads the recordings {digit}_{speaker}_{index}.wav of a folder. Those with an index below 5 are
 * the test, the others are for training. The caller frees both by words_free. */
typedef struct words {
    int count;
    float *inputs; /* count x WORDS_LENGTH */
    int *labels;   /* the digits */
} words;

bool words_read(const char *folder, words *training, words *test);
void words_free(words *of);

/* Reads one recording, the end of which is cut off or filled with zeros. */
bool words_read_file(const char *path, float samples[WORDS_LENGTH]);

/* A spectrogram and a small convolutional network. */
glnn_network_desc words_network(uint64_t seed);

/* Whether a learner takes recordings and tells the digits apart. */
bool words_fits(const glnn_learner *learner, const char *path);

#endif
