/* Finds words in a stream of sound: a word begins where it becomes louder, and ends in silence. */
#ifndef EXAMPLES_LISTENER_H
#define EXAMPLES_LISTENER_H

#include <stdbool.h>

#include "words.h"

/* Samples whose level is measured together, and those that are kept from before a word. */
enum { LISTENER_BLOCK = 80, LISTENER_BEFORE = 5 * LISTENER_BLOCK };

/* All zeros at the start. */
typedef struct listener {
    float before[LISTENER_BEFORE]; /* the latest samples           */
    float word[WORDS_LENGTH];      /* the part that was heard, then zeros */
    float block[LISTENER_BLOCK];
    int in_block; /* samples of the block that are there      */
    int heard;    /* samples of the word; 0: there is silence */
    int silent;   /* blocks since the word was last heard     */
    float noise;  /* the level of the silence; 0: unknown     */
    float level;  /* of the last block: the mean square       */
} listener;

/* Takes samples until a word is complete: then it returns true, and `word` has the word until the
 * next call. *used are the samples that were taken. */
bool listener_take(listener *of, const float *samples, int count, int *used);

#endif
