/** @file
 *  @ingroup glnn_data
 *  @brief Data sets: the samples that learners are trained and evaluated with.
 *
 *  A *sample* is a row of numbers, its *features*. It can have a *label*, the number of its class,
 *  or a *target*, a row of numbers to predict.
 *
 *  A data set is either resident or a stream. A *resident* set is in textures: it is copied there,
 *  or it is in matrices of the program already. A *stream* stays in main memory or in files, and
 *  its samples pass through two *windows*, which are small textures. While the GPU computes with
 *  the samples of one window, threads of the library read the samples of the next windows into
 *  *buffers* in main memory, from which OpenGL copies them to the other window. With several
 *  buffers and threads, one slow read does not stop the training. Every learner takes both kinds,
 *  and the results have the same bits, whatever the numbers of buffers and threads.
 *
 *  Samples come from an array, from a file (glnn_dataset_open()), or from a function of the program
 *  that reads them (glnn_dataset_reader). The library has such functions for folders of pictures
 *  (glnn_image_folder_read_samples()) and for CSV files (glnn_csv_file_read_samples()).
 *
 *  A window must hold all samples that are used at a time, or the call fails with GLNN_E_LIMIT
 *  before its first step. Training uses a batch at a time. Evaluation, also that of a validation
 *  set during training, uses as many samples as the `capacity` of the learner's description, or all
 *  if there are fewer. The CPU waits for the GPU at most once per window. */
#ifndef GLNN_DATASET_H
#define GLNN_DATASET_H

#include <glnn/matrix.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_data
 *  @{ */

/** Samples for learners. */
typedef struct glnn_dataset glnn_dataset;

/** Reads samples for a data set.
 *
 * Threads of the library call it, several at a time, in any order of samples and as often as they
 * need a sample: a stream reads each of them in every epoch. Where no thread can be started, the
 * thread that trains calls it. It must give a sample the same numbers each time, and must not call
 * functions that take a context or objects of one. It does not return before it has read all of
 * them.
 *
 * If it fails, the call that needs the samples fails with its status, and with the sentence that
 * a function of the library or glnn_last_error_set() has left in the thread.
 *
 * It returns GLNN_OK, or another glnn_status after a failure.
 *
 * @param user     `user` of the description
 * @param samples  the numbers of `count` samples, each from 0 to the number of samples - 1
 * @param inputs   count x features: the inputs of these samples, which the function writes */
typedef glnn_status (*glnn_dataset_reader)(void *user, const int *samples, int count,
                                           float *inputs);

/** Describes a data set. Counts and inputs have no defaults. */
typedef struct glnn_dataset_desc {
    int64_t samples;      /**< 1 to 2^31 - 1                                                     */
    int features;         /**< numbers of a sample, at least 1                                   */
    const float *inputs;  /**< samples x features, row after row; NULL: `read` reads them        */
    const int *labels;    /**< the class of each sample, 0 to classes - 1; NULL: none            */
    int classes;          /**< at least 1 with labels, otherwise 0                               */
    const float *targets; /**< samples x outputs, row after row; NULL: none                      */
    int outputs;          /**< numbers of a target: at least 1 with targets, otherwise 0         */

    /** The weight of each sample. The loss of a data set is the sum of weight times loss over its
     * samples, divided by the number of samples. The gradient is that of this loss. Accuracies
     * ignore weights. A weight is finite and not negative, and at least one must be above 0. NULL:
     * all weights are 1. */
    const float *sample_weights;

    /** A weight for each class, by which the weights of its samples are multiplied. It is finite
     * and not negative. The data set must have labels. NULL: all are 1. */
    const float *class_weights;

    /** The storage of the inputs of a resident set. FLOAT16 takes half the memory. It represents
     * k / 256 exactly for k up to 2048 and rounds most other numbers. 0: FLOAT32. */
    glnn_storage storage;

    const char *name; /**< for error sentences, copied; NULL: "data set", or the file's path      */

    /** Bytes of texture that the data set may take. A larger set becomes a stream. 0: the set is
     * resident, whatever its size. */
    size_t texture_budget;

    /** Reads the inputs, in place of an array. NULL: `inputs` has them. */
    glnn_dataset_reader read;
    void *user; /**< the first argument of `read` */

    /** Streams: the buffers that threads fill ahead, 1 to 64. A buffer has the size of a window.
     * 0: 3. */
    int buffers;

    /** Streams: the threads that fill them, 1 to 64. 0: one less than the cores that the process
     * may use, but at least 2 and at most 8. Fewer threads fill them if the system starts no more.
     * Browsers start none; the calling thread then fills a buffer when a window needs it. */
    int threads;

    /** For glnn_dataset_open: map the file into memory instead of reading it. This is faster for a
     * file that the system has cached. If a mapped file becomes shorter, or its disk fails, the
     * thread that collects samples receives SIGBUS, which ends the process by default. */
    bool map_file;
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_dataset_desc;

/** Creates a data set of samples in main memory, or of samples that a function reads.
 *
 * The inputs and targets of a resident set are copied to textures of layout PAGED; `read` is called
 * in the calling thread. A stream reads them for as long as it exists. Labels and weights are
 * copied. Only networks use weights; other learners refuse a data set that has any, with
 * GLNN_E_ARG.
 *
 * @errors
 *   - GLNN_E_ARG: ctx, desc or out is null. Neither or both of `inputs` and `read` are given. There
 *     are no samples or no features. `buffers` or `threads` is not in its range. Labels and
 *     classes, or targets and outputs, are not given together. Labels and targets are both given.
 *     The storage is unknown. There are weights, but neither labels nor targets; or no sample has a
 *     weight above 0.
 *   - GLNN_E_FORMAT: a label is not in 0 .. classes - 1; a weight is negative or not finite. Of a
 *     resident set also: a feature or target is not finite, or a feature is too large for FLOAT16.
 *     A stream finds such values when it uses the sample. The sentence names sample and feature.
 *   - GLNN_E_LIMIT: there are more than 2^31 - 1 samples, or a sample has more features or targets
 *     than 4 for each texel across the largest texture. Resident: there are more than 2^24 samples,
 *     or the textures do not fit the device or the context's budget. Stream: a window cannot hold
 *     one sample.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - Those of desc->read; of a stream later, when it uses the sample.
 * @owner   the caller, who destroys it with glnn_dataset_destroy(). The inputs, the targets and
 *          `user` of a stream must not change or be freed before it and the trainers that use it
 *          are destroyed.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_dataset_create(glnn_context *ctx, const glnn_dataset_desc *desc,
                                         glnn_dataset **out);

/** How a file stores samples. */
typedef enum glnn_dataset_format {
    GLNN_DATASET_FLOATS = 0, /**< samples x features float32 in the byte order of the machine, row
                                  after row, and nothing else                                   */
    GLNN_DATASET_NPY,        /**< a NumPy array of float32 in this byte order and in C order. Its
                                  first dimension counts the samples; the product of all others is
                                  the number of features                                        */
    GLNN_DATASET_FORMAT_COUNT
} glnn_dataset_format;

/** The name of a format: "floats", "npy". @since 0.2 */
GLNN_API const char *glnn_dataset_format_name(glnn_dataset_format format);

/** The format with a name. @since 0.2 */
GLNN_API glnn_status glnn_dataset_format_from_name(const char *name, glnn_dataset_format *out);

/** Creates a data set of the samples in a file.
 *
 * desc->inputs and desc->read must be NULL. desc->samples and desc->features must be those of the
 * file. A resident set is read at once, and the file is closed before the call returns. A stream
 * reads its samples in every epoch anew, in the order of training, by pread or from a mapping
 * (`map_file`). This takes no disk time if the system keeps the whole file in its cache.
 *
 * In addition to its windows, a stream takes main memory for the labels, the order of the samples,
 * and its buffers. A buffer has the size of a window: 16 MiB, or one batch if that is more, and at
 * most half of texture_budget.
 *
 * @errors
 *   - GLNN_E_ARG, GLNN_E_LIMIT, GLNN_E_STATE, GLNN_E_NOMEM: as glnn_dataset_create. GLNN_E_ARG
 *     also: the format is unknown, or desc->inputs or desc->read is not NULL.
 *   - GLNN_E_IO: the file cannot be opened, read or mapped, is not a regular file, or becomes
 *     shorter during the call.
 *   - GLNN_E_FORMAT: as glnn_dataset_create. Also: the file does not have the size of the samples,
 *     or is not a NumPy file of this kind.
 *   - GLNN_E_SHAPE: a NumPy file has another number of samples or features.
 *   - Later, in training and evaluation: GLNN_E_FORMAT if a value is not finite; GLNN_E_IO if the
 *     file has become shorter or its disk fails, unless the file is mapped.
 * @owner   the caller, who destroys it with glnn_dataset_destroy(). The file and the targets of a
 *          stream must not change before it and the trainers that use it are destroyed. Several
 *          data sets may read one file.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_dataset_open(glnn_context *ctx, const char *path,
                                       glnn_dataset_format format, const glnn_dataset_desc *desc,
                                       glnn_dataset **out);

/** Describes a data set of the program's own matrices. `inputs` has no default. */
typedef struct glnn_dataset_matrices_desc {
    const glnn_matrix *inputs;  /**< samples x features                                          */
    const int *labels;          /**< the class of each sample, 0 to classes - 1, copied; NULL:
                                     none                                                        */
    int classes;                /**< at least 1 with labels, otherwise 0                         */
    const glnn_matrix *targets; /**< samples x outputs; NULL: none                               */
    const char *name;           /**< for error sentences, copied; NULL: "data set"               */
    uint64_t reserved[4];       /**< zeros; room for later versions */
} glnn_dataset_matrices_desc;

/** Creates a resident data set whose samples are the rows of matrices. It makes no copy of them.
 *
 * Each step and each evaluation reads the numbers that the matrices have at that time, so a program
 * may change them between calls, by passes, by uploads or in an adopted texture (glnn/texture.h).
 * The matrices may have any layout and storage. All learners take the data set, except that
 * distortion refuses it with GLNN_E_UNSUPPORTED, because it copies the images once.
 *
 * The numbers are not checked here. If one is not finite, or with GLNN_PRECISION_MIXED a feature
 * has a magnitude of 65520 or more, training and evaluation fail with GLNN_E_DIVERGED once the loss
 * is not finite. glnn_metrics::r_squared is NAN for targets in a matrix, because their mean is
 * unknown. Checkpoints and processes that train together compare the counts and the labels of such
 * data sets, but not the contents of the matrices.
 *
 * A matrix of a network (glnn_network_get_activation_matrix()) can change its size. Calls that use
 * the data set fail with GLNN_E_STATE while the size differs from that at the creation of the data
 * set.
 *
 * @errors
 *   - GLNN_E_ARG: ctx, desc, desc->inputs or out is null. A matrix belongs to another context.
 *     Labels and classes are not given together. Labels and targets are both given.
 *   - GLNN_E_SHAPE: `targets` has another number of rows than `inputs`.
 *   - GLNN_E_FORMAT: a label is not in 0 .. classes - 1.
 *   - GLNN_E_LIMIT: there are more than 2^24 samples, or the labels do not fit the device or the
 *     context's budget.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_GL: OpenGL reported an error.
 * @owner   the caller, who destroys it with glnn_dataset_destroy(). The data set shares the
 *          matrices with the caller, who can destroy them at any time. Their textures are freed
 *          when the data set and the trainers that use it are destroyed too. A host keeps a
 *          texture that was adopted until then.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_dataset_create_from_matrices(glnn_context *ctx,
                                                       const glnn_dataset_matrices_desc *desc,
                                                       glnn_dataset **out);

/** Whether the data set streams; false for NULL. @thread the context's own. @since 0.1 */
GLNN_API bool glnn_dataset_is_streamed(const glnn_dataset *data);

/** How a stream has read its samples, from its creation on. */
typedef struct glnn_stream_figures {
    size_t size;         /**< sizeof(glnn_stream_figures), set by the caller before the call    */
    int buffers;         /**< the buffers that are filled ahead                                 */
    int threads;         /**< the threads that fill them; 0: the calling thread does            */
    uint64_t reads;      /**< readings of the file, or calls of `read`; of samples in memory,
                              pieces that a thread has copied                                   */
    uint64_t bytes;      /**< of inputs that were read; bytes / reads is the mean size of a
                              read                                                              */
    uint64_t windows;    /**< buffers that were needed for a window                             */
    uint64_t hits;       /**< of these, buffers that were filled when they were needed          */
    double wait_seconds; /**< how long the GPU's thread waited for the other buffers, or filled
                              them itself                                                       */
} glnn_stream_figures;

/** The figures of a stream. Those of a data set that does not stream are zeros.
 *
 * The first window of each epoch and of each evaluation is seldom a hit, because reading begins
 * with them.
 *
 * @errors
 *   - GLNN_E_ARG: data or out is null, or out->size is not set.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_dataset_get_stream_figures(const glnn_dataset *data,
                                                     glnn_stream_figures *out);

/** Destroys a data set. NULL does nothing.
 *
 * A trainer shares its data sets with the caller. Their memory is freed when all trainers that use
 * them are destroyed too (glnn/trainer.h).
 *
 * @thread the context's own.
 * @since  0.1; trainers share data sets since 0.2 */
GLNN_API void glnn_dataset_destroy(glnn_dataset *data);

/** The number of samples; 0 for NULL. @thread the context's own. @since 0.1 */
GLNN_API int64_t glnn_dataset_get_samples(const glnn_dataset *data);

/** The number of features; 0 for NULL. @thread the context's own. @since 0.1 */
GLNN_API int glnn_dataset_get_features(const glnn_dataset *data);

/** The number of outputs that a learner needs for the data set: its classes, or the numbers of a
 * target, or 0 if it has neither. 0 for NULL. @thread the context's own. @since 0.1 */
GLNN_API int glnn_dataset_get_outputs(const glnn_dataset *data);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
