/* PNG files as arrays of pixels. */
#ifndef GLNN__IO_PNG_FILE_H
#define GLNN__IO_PNG_FILE_H

#include "base/status.h"

#include <stddef.h>

/* The largest pictures that are read or written. There is a limit because a small file can unpack
 * to a very large picture. */
#define GLNN__IMAGE_MAX_SIDE   16384
#define GLNN__IMAGE_MAX_PIXELS (1 << 26)

/* Fails with E_LIMIT if a picture is too large to be `done`, which is "read" or "written". */
static inline glnn_status glnn__image_check_size(const char *path, long long width,
                                                 long long height, const char *done)
{
    if (width > GLNN__IMAGE_MAX_SIDE || height > GLNN__IMAGE_MAX_SIDE ||
        width * height > GLNN__IMAGE_MAX_PIXELS)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %lld x %lld pixels; at most %d x %d and %d in all can be %s", path,
                          width, height, GLNN__IMAGE_MAX_SIDE, GLNN__IMAGE_MAX_SIDE,
                          GLNN__IMAGE_MAX_PIXELS, done);
    return GLNN_OK;
}

/* A picture in main memory. */
typedef struct glnn__picture {
    int channels, height, width;
    float *pixels; /* in [0, 1]: each channel is a plane of `height` rows of `width` values */
} glnn__picture;

/* Reads a file of any colour type as `channels` planes: 1 of gray values, or 3 of red, green and
 * blue. 0: 1 if the file has gray values, 3 if it has colours. The caller frees out->pixels. */
glnn_status glnn__png_read(const char *path, int channels, glnn__picture *out);

/* Writes 8-bit pixels of 1 channel (gray) or 3 (red, green, blue). */
glnn_status glnn__png_write(const char *path, int width, int height, int channels,
                            const unsigned char *pixels);

#endif
