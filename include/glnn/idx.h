/* glnn/idx.h - the IDX format, in which MNIST and its relatives are published
 *
 * Format   big-endian: two zero bytes, a type code, the count of dimensions, a 32-bit size per
 *          dimension, the elements. Plain, or compressed with gzip (told by content, not by name).
 * Source   LeCun, Cortes, Burges: The MNIST database of handwritten digits. */
#ifndef GLNN_IDX_H
#define GLNN_IDX_H

#include <glnn/base.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types; the numbers are those of the file. */
typedef enum glnn_idx_type {
    GLNN_IDX_UINT8 = 0x08,
    GLNN_IDX_INT8 = 0x09,
    GLNN_IDX_INT16 = 0x0B,
    GLNN_IDX_INT32 = 0x0C,
    GLNN_IDX_FLOAT32 = 0x0D,
    GLNN_IDX_FLOAT64 = 0x0E
} glnn_idx_type;

GLNN_API const char *glnn_idx_type_name(glnn_idx_type type);
GLNN_API glnn_status glnn_idx_type_from_name(const char *name, glnn_idx_type *out);

#define GLNN_IDX_MAX_DIMENSIONS 4

/* A file in main memory; elements in the byte order of the machine. */
typedef struct glnn_idx {
    size_t size; /* sizeof(glnn_idx), set by the caller */
    glnn_idx_type type;
    int dimensions;                        /* 1 .. GLNN_IDX_MAX_DIMENSIONS               */
    size_t shape[GLNN_IDX_MAX_DIMENSIONS]; /* of each dimension, 1 after the last        */
    size_t elements;                       /* the product of the sizes                   */
    void *data;                            /* elements, row-major                        */
} glnn_idx;

/* Reads a file.
 *
 * Errors   E_ARG     a null argument or an empty path
 *          E_IO      the file cannot be opened or read
 *          E_FORMAT  wrong magic, unknown type, no or more than 4 dimensions, a size of zero, fewer
 *                    or more bytes than the sizes promise, gzip data that are cut off, damaged or
 *                    followed by something else: the sentence has path and numbers
 *          E_LIMIT   the sizes' product is larger than memory can address
 *          E_NOMEM   no memory
 * Owner    the caller, who passes *out to glnn_idx_free; on failure *out is empty.
 * Thread   any.   Since 0.1 */
GLNN_API glnn_status glnn_idx_read(const char *path, glnn_idx *out);

/* Writes a file, compressed where `path` ends in ".gz". A file that exists is replaced only when
 * the new one is complete. idx->elements may be 0, which stands for the product of the sizes.
 * Errors: E_ARG a null argument, an unknown type, dimensions or sizes out of range, another count
 * of elements; E_LIMIT a size that 32 bits do not hold; E_NOMEM; E_IO the file cannot be written.
 * Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_idx_write(const char *path, const glnn_idx *idx);

/* Frees what glnn_idx_read allocated and empties *idx. NULL does nothing. Thread: any. Since 0.1 */
GLNN_API void glnn_idx_free(glnn_idx *idx);

/* out[i] = scale * element i, as float, for all elements.
 * Errors: E_ARG a null argument, an unknown type; E_LIMIT a double that no float holds: the
 * sentence names the place. Owner: `out` is the caller's, idx->elements floats.
 * Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_idx_get_floats(const glnn_idx *idx, float scale, float *out);

/* out[i] = element i, as int, of a one-dimensional file of class labels.
 * Errors: E_ARG a null argument, classes < 1; E_FORMAT another count of dimensions, a floating
 * type, or a label outside [0, classes): the sentence names the place. Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_idx_get_labels(const glnn_idx *idx, int classes, int *out);

#ifdef __cplusplus
}
#endif
#endif
