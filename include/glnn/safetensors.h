/** @file
 *  @ingroup glnn_io
 *  @brief Named arrays in one file, in the format safetensors.
 *
 *  A file begins with the length of its header, a little-endian 64-bit number. The header and the
 *  arrays follow. The header is JSON and has the name, the type, the sizes and the place of each
 *  array. It also has *metadata*, which are texts with keys. There are no gaps between arrays.
 *
 *  Learners and projections are saved in this format.
 *
 *  @source huggingface/safetensors, the description of the format. */
#ifndef GLNN_SAFETENSORS_H
#define GLNN_SAFETENSORS_H

#include <glnn/base.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** The most dimensions of an array. */
#define GLNN_TENSOR_MAX_DIMENSIONS 4

/** An array of float32. */
typedef struct glnn_tensor {
    const char *name;                         /**< unique in a file, UTF-8                     */
    int dimensions;                           /**< 0 to GLNN_TENSOR_MAX_DIMENSIONS             */
    size_t shape[GLNN_TENSOR_MAX_DIMENSIONS]; /**< the size of each dimension */
    const float *data;                        /**< the elements, row after row                 */
} glnn_tensor;

/** A text of a file's metadata. */
typedef struct glnn_metadata {
    const char *key;   /**< unique in a file, UTF-8 */
    const char *value; /**< the text, UTF-8         */
} glnn_metadata;

/** The content of a file that was read. */
typedef struct glnn_safetensors glnn_safetensors;

/** Writes arrays and metadata.
 *
 * The call writes a temporary file in the same folder, flushes it to the disk, reads it back and
 * compares it. Only then does it replace the file at `path` and flush the folder. If it fails
 * before that, an existing file has not changed. If only the folder cannot be flushed, the call
 * fails too, but the new file is in place; the sentence says so.
 *
 * The new file gets the mode of the old one, or a mode from the umask if there was none. If `path`
 * is a symbolic link, the file that it points to is replaced. A killed process can leave the
 * temporary file, which has ".glnn-saving-" and a number appended to its name. The next call for
 * this path removes it.
 *
 * @errors
 *   - GLNN_E_ARG: path is null or empty. `tensors` or `metadata` is null, and its count is not 0. A
 *     count is negative. An array has too many dimensions or no data. A name is empty, repeated, or
 *     "__metadata__"; a key is repeated; a text is not UTF-8.
 *   - GLNN_E_LIMIT: memory cannot address the arrays, or the header would be longer than the format
 *     allows.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_IO: the file cannot be written, or is a folder, a pipe or a device. The sentence has
 *     the system's words.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_safetensors_write(const char *path, const glnn_tensor *tensors, int count,
                                            const glnn_metadata *metadata, int metadata_count);

/** Reads a file.
 *
 * The call checks the whole header. It reads arrays of F32, F16 and BF16 with at most
 * GLNN_TENSOR_MAX_DIMENSIONS dimensions and skips all others. Numbers of 16 bits become float32,
 * which has all of them exactly.
 *
 * @errors
 *   - GLNN_E_ARG: path or out is null, or the path is empty.
 *   - GLNN_E_IO: the file cannot be opened or read, or is a folder, a pipe or a device.
 *   - GLNN_E_FORMAT: the file is shorter than the length of the header in its first bytes, which is
 *     so for most files in other formats. The header is not JSON of this form, has a name twice, a
 *     text with a zero character, or more than 64 levels. A type is unknown. The places of the
 *     arrays overlap, leave gaps or contradict their sizes.
 *   - GLNN_E_LIMIT: the header has more than 100000000 bytes.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_safetensors_free. After a failure *out is NULL.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_safetensors_read(const char *path, glnn_safetensors **out);

/** Frees the content of a file. NULL does nothing. @thread any. @since 0.2 */
GLNN_API void glnn_safetensors_free(glnn_safetensors *file);

/** The number of arrays that were read; 0 for NULL. @thread any. @since 0.1 */
GLNN_API int glnn_safetensors_get_count(const glnn_safetensors *file);

/** The array with the number `index`, from 0 in the order of the file; NULL if there is none.
 *
 * @owner   the file.
 * @thread  any.
 * @since   0.1 */
GLNN_API const glnn_tensor *glnn_safetensors_get_tensor(const glnn_safetensors *file, int index);

/** The array with a name; NULL if there is none.
 *
 * @owner   the file.
 * @thread  any.
 * @since   0.1 */
GLNN_API const glnn_tensor *glnn_safetensors_find_tensor(const glnn_safetensors *file,
                                                         const char *name);

/** The text of the metadata with a key; NULL if there is none.
 *
 * @owner   the file.
 * @thread  any.
 * @since   0.1 */
GLNN_API const char *glnn_safetensors_get_metadata(const glnn_safetensors *file, const char *key);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
