/** @file
 *  @ingroup glnn_io
 *  @brief Files of the CASIA databases of handwriting: pictures (.gnt) and features (.mpf).
 *
 *  The Institute of Automation of the Chinese Academy of Sciences (CASIA) publishes databases of
 *  handwritten Chinese characters, in files of two formats. A file usually has the characters of
 *  one writer, and a folder of files is a set. All numbers are little-endian.
 *
 *  A *.gnt* file is a sequence of records, each with a picture:
 *
 *      bytes           content
 *      4               bytes of the record, 10 + width x height
 *      2               code of the character in GBK, or an ASCII character and a zero
 *      2, 2            width and height, each from 1 to 4096
 *      width x height  pixels, row by row from the top: 255 is the background, 0 the darkest ink
 *
 *  An *.mpf* file has a header and then a record for each character:
 *
 *      bytes  content
 *      4      bytes of the header, 62 + those of the illustration
 *      8      "MPF" and zeros
 *      ...    illustration, any text
 *      20     type of the codes, such as "GB"; it is not read
 *      2      bytes of a code, 1 to 4
 *      20     type of the numbers: "unsigned char", "char", "short", "int", "float" or "double"
 *      4, 4   number of characters, and of the numbers of each: from 1 on
 *      ...    a code and the numbers, for each character
 *
 *  A program opens a set, which reads the codes only, and then reads as many characters at a time
 *  as it has memory for:
 *
 *      glnn_handwriting set = {.size = sizeof set};
 *      glnn_handwriting_open("HWDB1.1trn_gnt", 64, NULL, &set);
 *      glnn_handwriting_read(&set, 0, 1000, inputs);
 *      glnn_handwriting_close(&set); */
#ifndef GLNN_HANDWRITING_H
#define GLNN_HANDWRITING_H

#include <glnn/base.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** The files of a set. */
typedef struct glnn_handwriting_files glnn_handwriting_files;

/** A set of handwritten characters. */
typedef struct glnn_handwriting {
    size_t size;        /**< sizeof(glnn_handwriting), set by the caller before the call        */
    int64_t samples;    /**< the number of characters, at least 1                               */
    int side;           /**< height and width of the images of .gnt files; 0: .mpf files        */
    int features;       /**< numbers of a character: side x side, or those of the .mpf files    */
    int *labels;        /**< the class of each character, 0 to classes - 1                      */
    int classes;        /**< the number of different codes, at least 1                          */
    char **class_names; /**< the character of each class in UTF-8. Its code in hexadecimal digits
                             if GB 18030 does not have it, or if the system cannot convert it   */
    glnn_handwriting_files *files; /**< the library's own */
} glnn_handwriting;

/** Opens a file of handwritten characters, or a folder with such files.
 *
 * A file has the format that the end of its name says, ".gnt" or ".mpf" in upper or lower case. The
 * files of a folder are sorted by the bytes of their names; other files, folders in it and names
 * that begin with a dot are skipped. Characters have the order of the files and of their records.
 * Classes are sorted by their codes.
 *
 * @param   side of the images that glnn_handwriting_read() makes of pictures, at most 1024; 0: that
 *          of `like`, or 64. It does not matter for .mpf files.
 * @param   like an open set whose classes this one gets, such as that for training; NULL: the
 *          classes are the codes of the files.
 * @errors
 *   - GLNN_E_ARG: path or out is null; the path is empty, or names a file with another end;
 *     `side` is negative; `like` is not open; out->size is not set.
 *   - GLNN_E_IO: a folder or file cannot be opened or read.
 *   - GLNN_E_FORMAT: a folder has neither .gnt nor .mpf files, or it has both. A file is empty, is
 *     cut off, or contradicts itself. Two .mpf files, or the set and `like`, have different counts
 *     of numbers. A character is not one of `like`. The sentence names the file, the record and the
 *     sizes.
 *   - GLNN_E_LIMIT: `side` is more than 1024, or a picture is wider or taller than 4096 pixels.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_handwriting_close(). After a failure *out is empty.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_handwriting_open(const char *path, int side, const glnn_handwriting *like,
                                           glnn_handwriting *out);

/** Reads characters as samples.
 *
 * A picture becomes an image of side x side pixels. 0 is the background and 1 the darkest ink. The
 * picture keeps its aspect ratio: it is scaled so that its longer side fills the image, and lies in
 * the middle. Each pixel of the image is a mean of pixels of the picture around its place. Their
 * weights fall linearly to 0 at the distance of one pixel of the image, or of one pixel of the
 * picture if that is larger.
 *
 * The numbers of .mpf files stay as they are.
 *
 * @param   first the first character, from 0.
 * @shapes  inputs is count x features, row after row. The pixels of an image are ordered by row,
 *          then by column.
 * @errors
 *   - GLNN_E_ARG: a pointer is null; the set is not open; first or count is below 0, or the set has
 *     not so many characters.
 *   - GLNN_E_IO: a file cannot be opened or read.
 *   - GLNN_E_FORMAT: a file has changed since the set was opened, or a number is not finite.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread  any; one call at a time for each set.
 * @since   0.2 */
GLNN_API glnn_status glnn_handwriting_read(const glnn_handwriting *set, int64_t first,
                                           int64_t count, float *inputs);

/** Frees the memory of a set and empties it; the size stays. NULL does nothing.
 * @thread any. @since 0.2 */
GLNN_API void glnn_handwriting_close(glnn_handwriting *set);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
