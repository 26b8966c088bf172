/* The head of a .npy file: everything before the elements. */
#ifndef GLNN__IO_NPY_HEADER_H
#define GLNN__IO_NPY_HEADER_H

#include "io/content.h"

#include <glnn/npy.h>

typedef struct glnn__npy_header {
    glnn_npy_type type;
    bool big_endian;
    bool fortran_order;
    int dimensions;
    size_t shape[GLNN_NPY_MAX_DIMENSIONS];
    size_t length; /* bytes before the elements */
} glnn__npy_header;

/* Bytes of one element; 0 for an unknown type. */
size_t glnn__npy_width(glnn_npy_type type);

/* The conversions of glnn/npy.h without the checks of an array. `function` begins the sentence of
 * an error. */
glnn_status glnn__npy_to_floats(const char *function, const glnn_npy *npy, float scale, float *out);
glnn_status glnn__npy_to_labels(const char *function, const glnn_npy *npy, int classes, int *out);

/* Reads the head of a file. Errors: E_FORMAT; E_LIMIT; E_NOMEM; as glnn__content_read. */
glnn_status glnn__npy_header_read(glnn__content *content, glnn__npy_header *out);

/* The longest head that glnn__npy_header_write makes. */
#define GLNN__NPY_HEADER_CAPACITY 128

/* Writes the head of rows x columns elements of little-endian float32; returns its length. */
size_t glnn__npy_header_write(int64_t rows, int columns, unsigned char *bytes);

#endif
