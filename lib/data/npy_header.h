/* The header of a NumPy .npy file: what its elements are, and where they begin. */
#ifndef GLNN__DATA_NPY_HEADER_H
#define GLNN__DATA_NPY_HEADER_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

enum { GLNN__NPY_MAX_DIMENSIONS = 32 };

typedef struct glnn__npy_header {
    char order;         /* of bytes: '<' little-endian, '>' big-endian, '|' of no account */
    char kind;          /* 'f' floating, 'i' and 'u' integer, 'b' boolean, as the file has it */
    int width;          /* bytes of an element, >= 1                                       */
    bool fortran_order; /* the first dimension runs fastest                                */
    int dimensions;     /* 0: a single element                                             */
    size_t size[GLNN__NPY_MAX_DIMENSIONS];
    size_t elements; /* the product of the sizes; that many elements fit into memory    */
    size_t offset;   /* of the first element in the file                                */
} glnn__npy_header;

/* Reads the header at the start of a file's bytes, of which there are `size`; the elements behind
 * it are not looked at. Kinds and widths are not checked against what a caller can read.
 * Errors: E_FORMAT no .npy file, a version other than 1 to 3, a header that is cut off or that is
 * no dictionary of descr, fortran_order and shape; E_LIMIT too many dimensions or elements. */
glnn_status glnn__npy_header_parse(const char *path, const unsigned char *bytes, size_t size,
                                   glnn__npy_header *out);

#endif
