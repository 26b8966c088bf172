/* The sizes of arrays in files. */
#ifndef GLNN__IO_SIZES_H
#define GLNN__IO_SIZES_H

#include <glnn/npy.h>

/* Sizes as a text for the sentence of an error: "7 x 5". */
typedef struct glnn__sizes_text {
    char text[GLNN_NPY_MAX_DIMENSIONS * 24];
} glnn__sizes_text;

glnn__sizes_text glnn__sizes_text_of(int dimensions, const size_t *size);

/* Multiplies sizes that are not zero to *elements of `width` bytes each. *bytes is their size and
 * that of a header. Fails with E_LIMIT if memory cannot address them. */
glnn_status glnn__sizes_multiply(const char *path, int dimensions, const size_t *size, size_t width,
                                 size_t header, size_t *elements, size_t *bytes);

#endif
