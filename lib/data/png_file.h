/* PNG files as arrays of pixels. */
#ifndef GLNN__DATA_PNG_FILE_H
#define GLNN__DATA_PNG_FILE_H

#include <glnn/base.h>

#include <stddef.h>

/* The widest and tallest picture that is read or written. */
#define GLNN__PNG_MAX_SIDE 16384

/* Bytes of a pixel as glnn__png_read gives it: red, green, blue and alpha, 16 bits each, the high
 * byte first. */
#define GLNN__PNG_PIXEL 8

/* Reads a file of any colour type; the caller frees *pixels. */
glnn_status glnn__png_read(const char *path, int *width, int *height, unsigned char **pixels);

/* Writes 8-bit pixels of 1 channel (gray) or 3 (red, green, blue). */
glnn_status glnn__png_write(const char *path, int width, int height, int channels,
                            const unsigned char *pixels);

#endif
