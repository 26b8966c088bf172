#include "listener.h"

#include <math.h>
#include <string.h>

/* A word is so many times as loud as the silence, by the mean square, and at least so loud. */
#define LOUDER   8.0f
#define LEAST    1e-5f
#define FORGETS  0.05f /* the share of the latest block in the level of the silence */
#define PATIENCE 20    /* blocks of silence that end a word */

static float level_of(const float *block)
{
    float sum = 0;
    for (int i = 0; i < LISTENER_BLOCK; ++i)
        sum += block[i] * block[i];
    return sum / LISTENER_BLOCK;
}

static void remember(listener *of)
{
    enum { KEPT = LISTENER_BEFORE - LISTENER_BLOCK };
    memmove(of->before, of->before + LISTENER_BLOCK, KEPT * sizeof *of->before);
    memcpy(of->before + KEPT, of->block, sizeof of->block);
}

/* Adds the block to the word. Returns true if the word is complete. */
static bool add(listener *of, bool is_loud)
{
    const int left = WORDS_LENGTH - of->heard;
    const int count = left < LISTENER_BLOCK ? left : LISTENER_BLOCK;
    memcpy(of->word + of->heard, of->block, (size_t)count * sizeof *of->word);
    of->heard += count;
    of->silent = is_loud ? 0 : of->silent + 1;
    return of->heard == WORDS_LENGTH || of->silent == PATIENCE;
}

static void begin(listener *of)
{
    memset(of->word, 0, sizeof of->word);
    memcpy(of->word, of->before, sizeof of->before);
    of->heard = LISTENER_BEFORE;
    of->silent = 0;
}

/* The silence at the end of a word becomes zeros, as after a recording. */
static void end(listener *of)
{
    const int silent = of->silent * LISTENER_BLOCK;
    const int last = of->heard > silent ? of->heard - silent : 0;
    memset(of->word + last, 0, (size_t)(WORDS_LENGTH - last) * sizeof *of->word);
    of->heard = 0;
}

static bool take_block(listener *of)
{
    of->level = level_of(of->block);
    const bool is_loud = of->level > fmaxf(LEAST, LOUDER * of->noise);
    if (of->heard == 0 && is_loud)
        begin(of);
    const bool is_complete = of->heard > 0 && add(of, is_loud);
    if (!is_loud)
        of->noise += FORGETS * (of->level - of->noise);
    remember(of);
    if (is_complete)
        end(of);
    return is_complete;
}

bool listener_take(listener *of, const float *samples, int count, int *used)
{
    for (*used = 0; *used < count;) {
        of->block[of->in_block++] = samples[(*used)++];
        if (of->in_block < LISTENER_BLOCK)
            continue;
        of->in_block = 0;
        if (take_block(of))
            return true;
    }
    return false;
}
