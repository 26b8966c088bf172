/** @file
 *  @ingroup glnn_io
 *  @brief Arrays in the IDX format, in which MNIST is published.
 *
 *  The format is big-endian: two zero bytes, a byte for the type, a byte for the number of
 *  dimensions, the size of each dimension in 32 bits, and the elements. A file that is read may be
 *  compressed with gzip; the library recognises this by its content, whatever its name.
 *
 *  @source LeCun, Cortes, Burges: The MNIST database of handwritten digits. */
#ifndef GLNN_IDX_H
#define GLNN_IDX_H

#include <glnn/base.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** The type of the elements. The numbers are those in the file. */
typedef enum glnn_idx_type {
    GLNN_IDX_UINT8 = 0x08,   /**< 8 bits without a sign  */
    GLNN_IDX_INT8 = 0x09,    /**< 8 bits with a sign     */
    GLNN_IDX_INT16 = 0x0B,   /**< 16 bits with a sign    */
    GLNN_IDX_INT32 = 0x0C,   /**< 32 bits with a sign    */
    GLNN_IDX_FLOAT32 = 0x0D, /**< single precision       */
    GLNN_IDX_FLOAT64 = 0x0E  /**< double precision       */
} glnn_idx_type;

/** The name of a type: "uint8", "int8", "int16", "int32", "float32", "float64". @since 0.2 */
GLNN_API const char *glnn_idx_type_name(glnn_idx_type type);

/** The type with a name. @since 0.2 */
GLNN_API glnn_status glnn_idx_type_from_name(const char *name, glnn_idx_type *out);

/** The most dimensions of an array. */
#define GLNN_IDX_MAX_DIMENSIONS 4

/** An array in main memory. */
typedef struct glnn_idx {
    size_t size;        /**< sizeof(glnn_idx), set by the caller before the call          */
    glnn_idx_type type; /**< of the elements                                              */
    int dimensions;     /**< 1 to GLNN_IDX_MAX_DIMENSIONS                                 */
    size_t shape[GLNN_IDX_MAX_DIMENSIONS]; /**< the size of each dimension, then ones     */
    size_t elements; /**< the product of the sizes                                     */
    void *data;      /**< the elements, row after row, in the machine's byte order     */
} glnn_idx;

/** Reads a file.
 *
 * @errors
 *   - GLNN_E_ARG: path or out is null; the path is empty; out->size is not set.
 *   - GLNN_E_IO: the file cannot be opened or read.
 *   - GLNN_E_FORMAT: the first bytes, the type or the number of dimensions is not one of IDX. A
 *     size is 0. The file has fewer or more bytes than the sizes require. The gzip data are cut
 *     off, damaged or followed by other bytes.
 *   - GLNN_E_LIMIT: memory cannot address the array.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_idx_free. After a failure *out is empty.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_idx_read(const char *path, glnn_idx *out);

/** Writes a file, compressed if `path` ends in ".gz".
 *
 * An existing file is replaced once the new one is complete. idx->elements may be 0, and then the
 * sizes alone determine the number of elements.
 *
 * @errors
 *   - GLNN_E_ARG: path, idx or idx->data is null; idx->size is not set; the type is unknown; the
 *     number of dimensions is wrong; a size is 0; `elements` is not 0 and not the product of the
 *     sizes.
 *   - GLNN_E_LIMIT: a size does not fit in 32 bits.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_IO: the file cannot be written.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_idx_write(const char *path, const glnn_idx *idx);

/** Frees the memory of an array and empties it; its size stays. NULL does nothing. @thread any.
 * @since 0.1 */
GLNN_API void glnn_idx_free(glnn_idx *idx);

/** Converts all elements to float: out[i] = scale * element i.
 *
 * @errors
 *   - GLNN_E_ARG: idx, idx->data or out is null; idx->size is not set; the type is unknown.
 *   - GLNN_E_LIMIT: the product is too large for a float.
 * @owner   the caller has room for idx->elements floats at `out`.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_idx_get_floats(const glnn_idx *idx, float scale, float *out);

/** Converts class labels to int: out[i] = element i. The array must have one dimension and an
 * integer type.
 *
 * @errors
 *   - GLNN_E_ARG: as glnn_idx_get_floats; `classes` is less than 1.
 *   - GLNN_E_FORMAT: the array has several dimensions or a floating type, or a label is not in
 *     0 .. classes - 1.
 * @owner   the caller has room for idx->elements ints at `out`.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_idx_get_labels(const glnn_idx *idx, int classes, int *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
