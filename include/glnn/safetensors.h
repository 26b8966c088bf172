/* glnn/safetensors.h - named arrays in one file
 *
 * Format   safetensors: an unsigned little-endian 64-bit count of header bytes, that much JSON
 *          (name -> dtype, shape, data_offsets; "__metadata__" -> texts by name), the arrays. The
 *          arrays cover the rest of the file without gap or overlap.
 * Source   huggingface/safetensors, the format's description. */
#ifndef GLNN_SAFETENSORS_H
#define GLNN_SAFETENSORS_H

#include <glnn/base.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GLNN_TENSOR_MAX_DIMENSIONS 4

/* One array of float32. */
typedef struct glnn_tensor {
    const char *name;
    int dimensions; /* 0 .. GLNN_TENSOR_MAX_DIMENSIONS */
    size_t shape[GLNN_TENSOR_MAX_DIMENSIONS];
    const float *data; /* row-major                       */
} glnn_tensor;

/* A text that goes with the arrays. */
typedef struct glnn_metadata {
    const char *key;
    const char *value;
} glnn_metadata;

typedef struct glnn_safetensors glnn_safetensors;

/* Writes arrays and metadata. A file that exists is replaced only when the new one is complete, on
 * the disk and the same when it is read back; then the folder is flushed. The file keeps the mode
 * of the one that it replaces, and a new one follows the umask. The target of a symbolic link is
 * replaced, and the link stays. A save that is killed may leave a temporary file next to the
 * target, with ".glnn-saving-" and a number appended to its name; the next save to the target
 * removes it.
 * Errors: E_ARG a null argument, a count < 0 or too many dimensions, a name that is empty, repeated
 * or "__metadata__", a key that is repeated, a text that is no UTF-8; E_LIMIT arrays larger than
 * memory can address, a header longer than the format allows; E_NOMEM; E_IO the file cannot be
 * written (the disk is full, say), or is a folder, a pipe or a device: the sentence has the path
 * and the system's words, and what stood there before is still there. Only where the folder cannot
 * be flushed, the new file is in place; the sentence says so. Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_safetensors_write(const char *path, const glnn_tensor *tensors, int count,
                                            const glnn_metadata *metadata, int metadata_count);

/* Reads a file. Arrays of dtype F32 with at most GLNN_TENSOR_MAX_DIMENSIONS can be had; others are
 * checked and left out.
 *
 * Errors   E_ARG     a null argument or an empty path
 *          E_IO      the file cannot be opened or read, or is a folder, a pipe or a device
 *          E_FORMAT  shorter than its header says, as are most files of other kinds; a header that
 *                    is no JSON of this form, has a name twice, a text with a zero character or
 *                    more than 64 levels; an unknown dtype, offsets that overlap, leave gaps, leave
 *                    the file or contradict shape and dtype: the sentence has path, array and
 *                    numbers
 *          E_LIMIT   a header of more than 100 000 000 bytes, as in the format's description
 *          E_NOMEM   no memory
 * Owner    the caller, who passes *out to glnn_safetensors_free.
 * Thread   any.   Since 0.1 */
GLNN_API glnn_status glnn_safetensors_read(const char *path, glnn_safetensors **out);

/* Frees a file and its arrays. NULL does nothing. Thread: any. Since 0.1 */
GLNN_API void glnn_safetensors_free(glnn_safetensors *file);

/* How many arrays of float32 there are, and the one at `index` in the order of the file, or by
 * name; NULL where there is none. Owner: the file. Thread: any. Since 0.1 */
GLNN_API int glnn_safetensors_get_count(const glnn_safetensors *file);
GLNN_API const glnn_tensor *glnn_safetensors_get_tensor(const glnn_safetensors *file, int index);
GLNN_API const glnn_tensor *glnn_safetensors_find_tensor(const glnn_safetensors *file,
                                                         const char *name);

/* The metadata's text under a key; NULL where there is none. Owner: the file. Since 0.1 */
GLNN_API const char *glnn_safetensors_get_metadata(const glnn_safetensors *file, const char *key);

#ifdef __cplusplus
}
#endif
#endif
