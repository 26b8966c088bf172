/** @file
 *  @ingroup glnn_io
 *  @brief Arrays in NumPy's file format, .npy.
 *
 *  A file has the bytes 93 "NUMPY", a version, the length of the header, the header, and the
 *  elements. The header is a Python dictionary with the type, the order and the sizes.
 *
 *  The library reads versions 1.0, 2.0 and 3.0, booleans, integers and floating numbers of one to
 *  eight bytes, both byte orders, and C and Fortran order. A file may be compressed with gzip. The
 *  library writes version 1.0 with little-endian float32 in C order.
 *
 *  @source NumPy, the description of the format in numpy.lib.format. */
#ifndef GLNN_NPY_H
#define GLNN_NPY_H

#include <glnn/base.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** The type of the elements. */
typedef enum glnn_npy_type {
    GLNN_NPY_BOOL = 0, /**< 8 bits; 0 is false         */
    GLNN_NPY_INT8,     /**< 8 bits with a sign         */
    GLNN_NPY_INT16,    /**< 16 bits with a sign        */
    GLNN_NPY_INT32,    /**< 32 bits with a sign        */
    GLNN_NPY_INT64,    /**< 64 bits with a sign        */
    GLNN_NPY_UINT8,    /**< 8 bits without a sign      */
    GLNN_NPY_UINT16,   /**< 16 bits without a sign     */
    GLNN_NPY_UINT32,   /**< 32 bits without a sign     */
    GLNN_NPY_UINT64,   /**< 64 bits without a sign     */
    GLNN_NPY_FLOAT32,  /**< single precision           */
    GLNN_NPY_FLOAT64,  /**< double precision           */
    GLNN_NPY_TYPE_COUNT
} glnn_npy_type;

/** The name of a type in NumPy: "b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8".
 * @since 0.2 */
GLNN_API const char *glnn_npy_type_name(glnn_npy_type type);

/** The type with a name. @since 0.2 */
GLNN_API glnn_status glnn_npy_type_from_name(const char *name, glnn_npy_type *out);

/** The most dimensions of an array. */
#define GLNN_NPY_MAX_DIMENSIONS 32

/** An array in main memory. `rows` and `columns` are its sizes as a matrix with a row for each
 * index of the first dimension. */
typedef struct glnn_npy {
    size_t size;        /**< sizeof(glnn_npy), set by the caller before the call             */
    glnn_npy_type type; /**< of the elements                                                 */
    int dimensions;     /**< 1 to GLNN_NPY_MAX_DIMENSIONS                                    */
    size_t shape[GLNN_NPY_MAX_DIMENSIONS]; /**< the size of each dimension, then ones        */
    size_t rows;    /**< shape[0]                                                        */
    size_t columns; /**< the product of the other sizes                                  */
    void *data;     /**< the elements in C order and in the machine's byte order         */
} glnn_npy;

/** Reads a file.
 *
 * @errors
 *   - GLNN_E_ARG: path or out is null; the path is empty; out->size is not set.
 *   - GLNN_E_IO: the file cannot be opened or read.
 *   - GLNN_E_FORMAT: the first bytes or the version is wrong. The header is not a dictionary of
 *     this form. The type is not in glnn_npy_type (complex numbers, texts, records). The number of
 *     dimensions is 0 or more than GLNN_NPY_MAX_DIMENSIONS, or a size is 0. The file has fewer or
 *     more bytes than the sizes require. The gzip data are damaged.
 *   - GLNN_E_LIMIT: memory cannot address the array, or the header has more than 65535 bytes.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_npy_free. After a failure *out is empty.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_npy_read(const char *path, glnn_npy *out);

/** Frees the memory of an array and empties it; its size stays. NULL does nothing. @thread any.
 * @since 0.1 */
GLNN_API void glnn_npy_free(glnn_npy *npy);

/** Converts all elements to float: out[i] = scale * element i.
 *
 * @numbers The product is computed in double precision and rounded once. Infinities and NaN remain.
 * @errors
 *   - GLNN_E_ARG: npy, npy->data or out is null; npy->size is not set; the type is unknown.
 *   - GLNN_E_LIMIT: an element is finite, but its product is too large for a float.
 * @owner   the caller has room for rows x columns floats at `out`.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_npy_get_floats(const glnn_npy *npy, float scale, float *out);

/** Converts class labels to int: out[i] = element i. The array must have one column, as every array
 * of one dimension has. A floating type is allowed if the labels are integers.
 *
 * @errors
 *   - GLNN_E_ARG: as glnn_npy_get_floats; `classes` is less than 1.
 *   - GLNN_E_FORMAT: the array has several columns, or a label is not an integer in
 *     0 .. classes - 1.
 * @owner   the caller has room for `rows` ints at `out`.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_npy_get_labels(const glnn_npy *npy, int classes, int *out);

/** Writes a matrix of floats.
 *
 * Element (i, j) is data[i * ld + j]; `ld` 0 means `columns`. An existing file is replaced once the
 * new one is complete.
 *
 * @errors
 *   - GLNN_E_ARG: path or data is null; there are no rows or no columns; `ld` is less than
 *     `columns` and not 0.
 *   - GLNN_E_LIMIT: memory cannot address the array.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_IO: the file cannot be written.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_npy_write(const char *path, int64_t rows, int columns, const float *data,
                                    int ld);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
