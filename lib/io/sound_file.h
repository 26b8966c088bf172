/* WAV files as arrays of samples. */
#ifndef GLNN__IO_SOUND_FILE_H
#define GLNN__IO_SOUND_FILE_H

#include "base/status.h"

/* A recording in main memory. */
typedef struct glnn__recording {
    int rate, channels;
    int length;     /* samples of each channel, at least 1 */
    float *samples; /* finite; length rows of one sample of each channel */
} glnn__recording;

/* Reads a WAV file. Integers become numbers in [-1, 1). The caller frees out->samples. Errors: as
 * glnn__file_read; E_FORMAT, E_LIMIT, E_UNSUPPORTED. */
glnn_status glnn__sound_file_read(const char *path, glnn__recording *out);

#endif
