#include "wav.h"

#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add(wav *to, const void *bytes, size_t count)
{
    assert_true(to->size + count <= sizeof to->bytes);
    memcpy(to->bytes + to->size, bytes, count);
    to->size += count;
}

/* Numbers of files have their low bytes first. */
static void add_number(wav *to, unsigned number, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        add(to, &(unsigned char){(unsigned char)(number >> 8 * i)}, 1);
}

static void add_sample(wav *to, wav_kind kind, float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    if (kind == WAV_BYTES)
        add_number(to, (unsigned)lrintf(x * 127 + 128), 1);
    else if (kind == WAV_INTEGERS)
        add_number(to, (unsigned)lrintf(x * 32767), 2);
    else
        add_number(to, bits, 4);
}

void wav_make(wav *to, wav_kind kind, int rate, int channels, int count, const float *samples)
{
    const unsigned width = kind == WAV_BYTES ? 1 : kind == WAV_INTEGERS ? 2 : 4;
    const unsigned frame = width * (unsigned)channels, data = frame * (unsigned)count;
    to->size = 0;
    add(to, "RIFF", 4);
    add_number(to, 36 + data, 4);
    add(to, "WAVEfmt ", 8);
    add_number(to, 16, 4);
    add_number(to, kind == WAV_FLOATS ? 3 : 1, 2);
    add_number(to, (unsigned)channels, 2);
    add_number(to, (unsigned)rate, 4);
    add_number(to, (unsigned)rate * frame, 4);
    add_number(to, frame, 2);
    add_number(to, 8 * width, 2);
    add(to, "data", 4);
    add_number(to, data, 4);
    for (int i = 0; i < count * channels; ++i)
        add_sample(to, kind, samples[i]);
}

void wav_write(const char *path, int rate, int count, const float *samples)
{
    static wav made;
    FILE *file = fopen(path, "wb");
    wav_make(&made, WAV_INTEGERS, rate, 1, count, samples);
    assert_non_null(file);
    assert_int_equal(fwrite(made.bytes, 1, made.size, file), made.size);
    assert_int_equal(fclose(file), 0);
}

void wav_tone(float *samples, int count, int start, double rate, double frequency)
{
    const double turn = 2 * 3.14159265358979323846 / rate;
    for (int i = 0; i < count; ++i) {
        const double place = (double)(i - start) / (count - start);
        samples[i] = i < start ? 0 : (float)(2 * place * (1 - place) * sin(turn * frequency * i));
    }
}
