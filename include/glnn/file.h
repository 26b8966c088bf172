/** @file
 *  @ingroup glnn_io
 *  @brief Files that are replaced whole.
 *
 *  All files of the library are written in this way. The bytes go to a temporary file in the same
 *  folder, which is flushed to the disk and compared. Then it replaces the old file, and the folder
 *  is flushed. So there is the old file or the new one, never a part, whether the disk is full or
 *  the process is killed.
 *
 *  The temporary file has the first 200 bytes of the file's name, with ".glnn-saving-0" (to 63)
 *  appended. A failure removes it. A killed process leaves it, and the next one that writes the
 *  file removes it. */
#ifndef GLNN_FILE_H
#define GLNN_FILE_H

#include <glnn/base.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** Replaces the file at `path` by one with `size` bytes of `data`. If there is none, it is made.
 *
 * A new file gets its mode from the umask. An old one keeps its mode, and its owner and group if
 * the process may set them. If `path` is a symbolic link, the file that it points to is replaced.
 *
 * @errors
 *   - GLNN_E_ARG: path or data is null, or the path is empty.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_IO: the file cannot be written, or it is a folder, a pipe or a device.
 * @thread  any. If several replace one file, the last one wins.
 * @since   0.3 */
GLNN_API glnn_status glnn_file_write(const char *path, const void *data, size_t size);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
