/* glnn/npy.h - arrays as NumPy stores them, .npy
 *
 * Format   the bytes 93 "NUMPY", a version (1.0, 2.0 or 3.0), the length of a header, the header (a
 *          Python dictionary with the type, the order and the sizes), the elements. Read: integers
 *          and floating numbers of one to eight bytes and booleans, little- and big-endian, in C
 *          and in Fortran order, plain or compressed with gzip. Written: version 1.0, little-endian
 *          float32, C order.
 * Source   NumPy, the description of the format in numpy.lib.format. */
#ifndef GLNN_NPY_H
#define GLNN_NPY_H

#include <glnn/base.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types; NumPy's names are b1, i1 ... i8, u1 ... u8, f4 and f8. */
typedef enum glnn_npy_type {
    GLNN_NPY_BOOL = 0, /* one byte, false where it is zero */
    GLNN_NPY_INT8,
    GLNN_NPY_INT16,
    GLNN_NPY_INT32,
    GLNN_NPY_INT64,
    GLNN_NPY_UINT8,
    GLNN_NPY_UINT16,
    GLNN_NPY_UINT32,
    GLNN_NPY_UINT64,
    GLNN_NPY_FLOAT32,
    GLNN_NPY_FLOAT64,
    GLNN_NPY_TYPE_COUNT
} glnn_npy_type;

GLNN_API const char *glnn_npy_type_name(glnn_npy_type type);
GLNN_API glnn_status glnn_npy_type_from_name(const char *name, glnn_npy_type *out);

#define GLNN_NPY_MAX_DIMENSIONS 32

/* A file in main memory; elements in the byte order of the machine, row-major whatever order the
 * file has. Samples are along the first dimension: as a matrix the array is rows x columns. */
typedef struct glnn_npy {
    size_t size; /* sizeof(glnn_npy), set by the caller */
    glnn_npy_type type;
    int dimensions;                        /* 1 .. GLNN_NPY_MAX_DIMENSIONS                  */
    size_t shape[GLNN_NPY_MAX_DIMENSIONS]; /* of each dimension, 1 after the last           */
    size_t rows;                           /* size[0]                                       */
    size_t columns;                        /* the product of the other sizes                */
    void *data;                            /* elements, row-major                           */
} glnn_npy;

/* Reads a file.
 *
 * Errors   E_ARG     a null argument or an empty path
 *          E_IO      the file cannot be opened or read
 *          E_FORMAT  wrong magic or version, a header that is no dictionary of this form, a type
 *                    that is none of the above (complex numbers, texts, records), no or more than
 *                    32 dimensions, a size of zero, fewer or more bytes than the sizes promise,
 *                    gzip data that are damaged: the sentence has path and numbers
 *          E_LIMIT   the sizes' product is larger than memory can address; a header of more than
 *                    65 535 bytes
 *          E_NOMEM   no memory
 * Owner    the caller, who passes *out to glnn_npy_free; on failure *out is empty.
 * Thread   any.   Since 0.1 */
GLNN_API glnn_status glnn_npy_read(const char *path, glnn_npy *out);

/* Frees what glnn_npy_read allocated and empties *npy. NULL does nothing. Thread: any. Since 0.1 */
GLNN_API void glnn_npy_free(glnn_npy *npy);

/* out[i] = scale * element i, in double and then rounded to float, for all elements.
 * Errors: E_ARG a null argument, an unknown type; E_LIMIT a finite element whose product is too
 * large for a float: the sentence names row and column. Infinities and not-a-numbers are kept.
 * Owner: `out` is the caller's, rows x columns floats. Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_npy_get_floats(const glnn_npy *npy, float scale, float *out);

/* out[i] = element i, as int, of class labels: an array of one dimension or one column. Floating
 * numbers will do where they are integers.
 * Errors: E_ARG a null argument, an unknown type, classes < 1; E_FORMAT more than one column, a
 * label that is no integer or outside [0, classes): the sentence names the row.
 * Owner: `out` is the caller's, `rows` ints. Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_npy_get_labels(const glnn_npy *npy, int classes, int *out);

/* Writes rows x columns floats, row-major with the leading dimension `ld` (0: columns). A file that
 * exists is replaced only when the new one is complete.
 * Errors: E_ARG a null argument, rows or columns < 1, ld < columns; E_LIMIT more elements than
 * memory can address; E_NOMEM; E_IO the file cannot be written. Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_npy_write(const char *path, int64_t rows, int columns, const float *data,
                                    int ld);

#ifdef __cplusplus
}
#endif
#endif
