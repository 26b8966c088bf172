/* glnn/codebook.h - prototypes of classes as text, in the format of LVQ_PAK
 *
 * Format   the dimension, which words about a map's topology may follow; then a line for each
 *          vector: its components and the label of its class, with blanks between. Either all
 *          vectors have a label or none has. Lines that start with '#' are comments, empty lines
 *          are skipped. Decimal points are points in every locale. A file that is read may be
 *          compressed with gzip.
 * Source   Kohonen, Hynninen, Kangas, Laaksonen, Torkkola: LVQ_PAK, the Learning Vector
 *          Quantization program package, 1995. */
#ifndef GLNN_CODEBOOK_H
#define GLNN_CODEBOOK_H

#include <glnn/base.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A codebook in main memory. */
typedef struct glnn_codebook {
    size_t size; /* sizeof(glnn_codebook), set by the caller */
    int64_t count;
    int features;
    float *vectors;     /* count x features, row-major                                         */
    int *labels;        /* a class per vector; NULL without labels                             */
    int classes;        /* distinct labels                                                     */
    char **class_names; /* the labels' texts, numbered as glnn_csv_read numbers them: integers
                           ascending where all are integers, else in order of first appearance */
} glnn_codebook;

/* Reads a codebook.
 *
 * Errors   E_ARG     a null argument or an empty path
 *          E_IO      the file cannot be opened or read
 *          E_FORMAT  no dimension, no vectors, a vector of another dimension or with words too
 *                    many, a component that is no finite decimal number or is missing (LVQ_PAK's
 *                    "x"), a zero byte, damaged gzip data: the sentence has path and line, and the
 *                    column of a component
 *          E_LIMIT   more words or bytes in a line than columns or bytes in one of a table
 *                    (glnn/csv.h)
 *          E_NOMEM   no memory
 * Owner    the caller, who passes *out to glnn_codebook_free; on failure *out is empty.
 * Thread   any.   Since 0.1 */
GLNN_API glnn_status glnn_codebook_read(const char *path, glnn_codebook *out);

/* Writes a codebook with as many digits as make glnn_codebook_read return the same floats. Without
 * `labels` no vector gets one; without `class_names` labels are written as numbers. A file that
 * exists is replaced only when the new one is complete.
 * Errors: E_ARG a null argument, a count < 1, a label outside [0, classes), a class name that is
 * missing, empty, there twice or has blanks in it; E_LIMIT a dimension of GLNN_CSV_MAX_COLUMNS or
 * more, since no vector with its label could be read again; E_FORMAT a component that is not
 * finite: the sentence names vector and component; E_NOMEM; E_IO the file cannot be written.
 * Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_codebook_write(const char *path, const glnn_codebook *codebook);

/* Frees what glnn_codebook_read allocated and empties *codebook. NULL does nothing.
 * Thread: any. Since 0.1 */
GLNN_API void glnn_codebook_free(glnn_codebook *codebook);

#ifdef __cplusplus
}
#endif
#endif
