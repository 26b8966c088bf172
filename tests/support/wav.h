/* WAV files for tests: tones, and bytes of any kind. */
#ifndef TESTS_WAV_H
#define TESTS_WAV_H

#include <stddef.h>

enum { WAV_CAPACITY = 1 << 17 };

typedef enum wav_kind { WAV_BYTES, WAV_INTEGERS, WAV_FLOATS } wav_kind; /* 8, 16 and 32 bits */

/* A file in memory. */
typedef struct wav {
    unsigned char bytes[WAV_CAPACITY];
    size_t size;
} wav;

/* `count` samples of each of the channels, interleaved, in -1 .. 1. */
void wav_make(wav *to, wav_kind kind, int rate, int channels, int count, const float *samples);

/* Writes such a file of one channel and 16 bits. */
void wav_write(const char *path, int rate, int count, const float *samples);

/* A tone, which begins after `start` samples and is louder in its middle. */
void wav_tone(float *samples, int count, int start, double rate, double frequency);

#endif
