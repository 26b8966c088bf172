/** @file
 *  @ingroup glnn_io
 *  @brief Sound: WAV files, and folders of recordings as samples.
 *
 *  A sample of sound is a float; integers of a file become numbers in -1 .. 1. A row of a data set
 *  is also called a sample, so here it is called a recording. All functions fail with
 *  GLNN_E_UNSUPPORTED if the library was built without libsndfile. They read what libsndfile reads
 *  of WAV files: integers of 8 to 32 bits, floats and the usual compressions. Nothing is resampled.
 *
 *  A network that begins with ::GLNN_LAYER_SPECTROGRAM takes recordings as they are. */
#ifndef GLNN_SOUND_H
#define GLNN_SOUND_H

#include <glnn/base.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** Reads a WAV file.
 *
 * @param channels  1: the mean of all channels of the file. 2 or more: the file must have so many,
 *   and each is read by itself.
 * @param rate      samples of a second
 * @param length    samples of each channel, at least 1
 * @shapes  *samples has `channels` rows of *length samples.
 * @errors
 *   - GLNN_E_ARG: a pointer is null, the path is empty, or `channels` is less than 1.
 *   - GLNN_E_IO: the file cannot be opened or read.
 *   - GLNN_E_FORMAT: the file is not a WAV file, is damaged or cut off, has no samples, one that is
 *     not finite, or another number of channels.
 *   - GLNN_E_LIMIT: the file has more than 2147483647 samples in all channels, or 4 GiB of bytes.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_UNSUPPORTED: the library has no libsndfile.
 * @owner   the caller, who frees *samples with free(). After a failure *samples is NULL.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_sound_read(const char *path, int channels, int *rate, int *length,
                                     float **samples);

/** Labelled recordings in a folder. */
typedef struct glnn_sound_folder {
    size_t size;        /**< sizeof(glnn_sound_folder), set by the caller before the call        */
    int64_t samples;    /**< the number of recordings, at least 1                                */
    int rate;           /**< samples of a second                                                 */
    int length;         /**< samples of sound in each recording                                  */
    float *inputs;      /**< samples x length, in the order of `paths`                           */
    int *labels;        /**< the class of each recording, 0 to classes - 1                       */
    int classes;        /**< at least 1                                                          */
    char **class_names; /**< sorted by their bytes                                               */
    char **paths;       /**< the file of each recording                                          */
} glnn_sound_folder;

/** Reads a folder of WAV files as samples for training.
 *
 * Either the folder has one folder for each class, which has the name of the class and holds its
 * recordings, `path/class/recording.wav`, also in further folders in it, up to 16 deep. Files of
 * `path` itself are skipped then. Or it has no folders, and the name of a file begins with its
 * class and an underscore, `path/class_more.wav`. Classes, and the paths of recordings of a class,
 * are sorted by their bytes. Files whose names do not end in ".wav" (in upper or lower case), and
 * names that begin with a dot are skipped. Symbolic links are followed, and one that leads nowhere
 * is an error.
 *
 * A recording becomes a row of `length` samples, the mean of its channels. Shorter ones are
 * followed by zeros, and longer ones lose their end.
 *
 * @param rate    of all files; 0: that of the first file, and all others must have the same
 * @param length  0: that of the longest recording
 * @errors
 *   - GLNN_E_ARG: path or out is null; the path is empty; `rate` or `length` is negative; out->size
 *     is not set.
 *   - GLNN_E_IO: a folder or file cannot be opened or read.
 *   - GLNN_E_FORMAT: there are no classes, one has no recordings, or the name of a file does not
 *     begin with one. A file is not a WAV file or is damaged. A file has another rate; the sentence
 *     names both.
 *   - GLNN_E_LIMIT: a file is too large, there are more than 2147483647 classes, folders lie in
 *     each other more than 16 deep, or memory cannot
 *     address the recordings.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_UNSUPPORTED: the library has no libsndfile.
 * @owner   the caller, who passes *out to glnn_sound_folder_free(). After a failure *out is empty.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_sound_folder_read(const char *path, int rate, int length,
                                            glnn_sound_folder *out);

/** Frees the memory of labelled recordings and empties them; the size stays. NULL does nothing.
 * @thread any. @since 0.2 */
GLNN_API void glnn_sound_folder_free(glnn_sound_folder *folder);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
