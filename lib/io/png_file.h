/* PNG files as arrays of pixels. */
#ifndef GLNN__IO_PNG_FILE_H
#define GLNN__IO_PNG_FILE_H

#include <glnn/base.h>

#include <stddef.h>

/* Reads a file of any colour type as gray values in [0, 1]; the caller frees *pixels. */
glnn_status glnn__png_read(const char *path, int *width, int *height, float **pixels);

/* Writes 8-bit pixels of 1 channel (gray) or 3 (red, green, blue). */
glnn_status glnn__png_write(const char *path, int width, int height, int channels,
                            const unsigned char *pixels);

#endif
