/** @file
 *  @ingroup glnn_io
 *  @brief Codebooks: the prototypes of classes as text, in the format of LVQ_PAK.
 *
 *  A *codebook* is a list of vectors, each the prototype of a class. The first line of the file has
 *  the dimension of the vectors. Words about the topology of a map may follow; the library ignores
 *  them. Each further line has a vector: its components and the label of its class, with blanks
 *  between them. Either all vectors have labels or none has. Lines that begin with '#' are
 *  comments, and empty lines are skipped. The decimal point is a point in every locale. A file that
 *  is read may be compressed with gzip.
 *
 *  @source Kohonen, Hynninen, Kangas, Laaksonen, Torkkola: LVQ_PAK, the Learning Vector
 *          Quantization program package, 1995. */
#ifndef GLNN_CODEBOOK_H
#define GLNN_CODEBOOK_H

#include <glnn/base.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** A codebook in main memory. */
typedef struct glnn_codebook {
    size_t size;        /**< sizeof(glnn_codebook), set by the caller before the call            */
    int64_t count;      /**< the number of vectors                                               */
    int features;       /**< components of a vector                                              */
    float *vectors;     /**< count x features, row after row                                     */
    int *labels;        /**< the class of each vector, 0 to classes - 1; NULL: none              */
    int classes;        /**< the number of different labels; 0 without labels                    */
    char **class_names; /**< the label of each class; they ascend, as those of glnn_csv_read     */
} glnn_codebook;

/** Reads a codebook.
 *
 * @errors
 *   - GLNN_E_ARG: path or out is null; the path is empty; out->size is not set.
 *   - GLNN_E_IO: the file cannot be opened or read.
 *   - GLNN_E_FORMAT: there is no dimension or no vector. A vector has too few or too many words. A
 *     component is not a finite decimal number, or is missing (LVQ_PAK's "x"). The file has a zero
 *     byte, or its gzip data are damaged. The sentence has path, line and column.
 *   - GLNN_E_LIMIT: a line has more than GLNN_CSV_MAX_COLUMNS words or GLNN_CSV_MAX_LINE bytes
 *     (glnn/csv.h).
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_codebook_free. After a failure *out is empty.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_codebook_read(const char *path, glnn_codebook *out);

/** Writes a codebook, with enough digits that glnn_codebook_read returns the same floats.
 *
 * If codebook->labels is NULL, the file has no labels. If codebook->class_names is NULL, the labels
 * are written as numbers. An existing file is replaced once the new one is complete.
 *
 * @errors
 *   - GLNN_E_ARG: path, codebook or codebook->vectors is null; codebook->size is not set; there are
 *     no vectors or no components; a label is not in 0 .. classes - 1; a class name is null, empty,
 *     not one word, or that of another class.
 *   - GLNN_E_LIMIT: a vector has GLNN_CSV_MAX_COLUMNS components or more, so its line could not be
 *     read.
 *   - GLNN_E_FORMAT: a component is not finite.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_IO: the file cannot be written.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_codebook_write(const char *path, const glnn_codebook *codebook);

/** Frees the memory of a codebook and empties it; its size stays. NULL does nothing. @thread any.
 * @since 0.1 */
GLNN_API void glnn_codebook_free(glnn_codebook *codebook);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
