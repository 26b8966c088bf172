/* glnn/dataset.h - samples that learners draw batches from
 *
 * A data set is resident or streams. A resident one lies in textures. One that streams lies in main
 * memory or in a file, and passes through two small windows of texture in the order in which it is
 * used: threads of the library collect the samples of one window, into a pixel buffer, while the
 * GPU works on the other. Results are the same bits either way.
 *
 * Every learner trains on both and measures both. Where the windows do not hold one batch, training
 * fails with E_LIMIT before its first step. Measuring, and training with validation, also fails
 * where a window holds fewer samples than are measured at a time (a network: min(capacity,
 * samples)). The CPU waits for the GPU at most once a window, and only where it has run two windows
 * ahead. */
#ifndef GLNN_DATASET_H
#define GLNN_DATASET_H

#include <glnn/matrix.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glnn_dataset glnn_dataset;

/* Describes a data set: inputs, and class labels or target vectors for learners that use them. */
typedef struct glnn_dataset_desc {
    int64_t samples;      /* 1 .. 2^31 - 1                                                    */
    int features;         /* inputs of one sample, >= 1                                       */
    const float *inputs;  /* samples x features, row-major and dense                          */
    const int *labels;    /* a class in [0, classes) per sample; NULL: none                   */
    int classes;          /* >= 1 with labels, 0 without                                      */
    const float *targets; /* samples x outputs, row-major and dense; NULL: none               */
    int outputs;          /* >= 1 with targets, 0 without                                     */
    const float *sample_weights; /* samples, each finite and >= 0: how much a sample counts in the
                              loss and its gradient, which are means over the samples of weight
                              times loss; accuracies count samples. One has to be above 0. NULL:
                              all are 1                                                        */
    const float *class_weights;  /* classes, the same for all samples of a class: a sample's weight
                              is the product of both. Needs labels. NULL: all are 1            */
    glnn_storage storage;  /* of the inputs where they are resident; 0: FLOAT32. FLOAT16 takes half
                              the memory; k / 256 is exact for k up to 2048, other features are
                              rounded                                                          */
    const char *name;      /* for error sentences, copied; NULL: "data set"                    */
    size_t texture_budget; /* bytes of texture that the set may take; a larger one streams. 0: the
                              set is resident                                                  */
    bool map_file;         /* glnn_dataset_open: map the file instead of reading it            */
} glnn_dataset_desc;

/* Makes a data set of samples in main memory. A resident one is a copy in textures of layout PAGED,
 * at most 2^24 samples, which float32 can number. One that streams reads `inputs` and `targets` as
 * long as it lives. Networks use weights; the other learners refuse a set that has any, with E_ARG.
 *
 * Errors   E_ARG     a null argument, no samples or features, labels without classes or classes
 *                    without labels, targets without outputs or outputs without targets, both
 *                    labels and targets, an unknown storage, weights without what they need, or no
 *                    sample of a weight above 0
 *          E_FORMAT  a label outside [0, classes), a weight that is negative or not finite, or a
 *                    product of two weights that is not finite;
 *                    resident: an input or target that is not a finite number: the sentence names
 *                    sample and feature; or an input whose magnitude FLOAT16 cannot hold. A stream
 *                    says so when such a sample is used
 *          E_LIMIT   more than 2^31 - 1 samples; resident: more than 2^24 samples, or the textures
 *                    do not fit the device or the context's budget; a stream: a window cannot hold
 *                    one sample
 *          E_NOMEM   no memory
 * Owner    the caller, who passes it to glnn_dataset_destroy before the context goes. With a
 *          texture_budget, inputs and targets stay where and as they are until then; without, they
 *          are copied, as labels and weights always are.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_dataset_create(glnn_context *ctx, const glnn_dataset_desc *desc,
                                         glnn_dataset **out);

/* How the samples of a file lie in it. */
typedef enum glnn_dataset_format {
    GLNN_DATASET_FLOATS = 0, /* samples x features float32 in the machine's byte order, row-major,
                                and nothing else                                               */
    GLNN_DATASET_NPY, /* a NumPy array of float32 in that byte order and in C order: its first
                         dimension is the samples, all others together are the features        */
    GLNN_DATASET_FORMAT_COUNT
} glnn_dataset_format;

GLNN_API const char *glnn_dataset_format_name(glnn_dataset_format format);
GLNN_API glnn_status glnn_dataset_format_from_name(const char *name, glnn_dataset_format *out);

/* Makes a data set of the samples in a file. desc->inputs is NULL, and samples and features are
 * what the file has. The file of a resident set is closed before the call returns. desc->name NULL
 * stands for the path.
 *
 * A stream reads its samples in every epoch anew, in the order of training. A file that the
 * system's cache holds costs no disk time; of a larger one the disk sets the pace. In addition to
 * its windows, it takes main memory for the labels, for the order of samples, and for two pixel
 * buffers of a window's size: the larger of 16 MiB and one batch, and at most half of
 * texture_budget.
 *
 * Errors   E_ARG, E_LIMIT, E_NOMEM as glnn_dataset_create; E_ARG desc->inputs is not NULL, the
 *          format is unknown
 *          E_IO      the file cannot be opened, read or mapped, is not a regular file, or becomes
 *                    shorter during this call
 *          E_FORMAT  as glnn_dataset_create; the file is empty, is not as long as the samples are,
 *                    or is no such NumPy file: the sentence has path and numbers
 *          E_SHAPE   a NumPy file has other samples or features
 *          Later     training and measuring fail with E_FORMAT where they meet a value that is not
 *                    a finite number, and with E_IO where the file has become shorter or its
 *                    disk fails. Where desc->map_file is set, both raise SIGBUS instead
 * Owner    as glnn_dataset_create; the file, and desc->targets, stay as they are until the data set
 *          is destroyed. A file may be given to several data sets.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_dataset_open(glnn_context *ctx, const char *path,
                                       glnn_dataset_format format, const glnn_dataset_desc *desc,
                                       glnn_dataset **out);

/* True where the set streams; false for NULL. Thread: the context's own. Since 0.1 */
GLNN_API bool glnn_dataset_is_streamed(const glnn_dataset *data);

/* Destroys a data set. NULL does nothing. Thread: the context's own. Since 0.1 */
GLNN_API void glnn_dataset_destroy(glnn_dataset *data);

/* Counts of a data set: samples, features, and the outputs that a learner needs for it (classes, or
 * the length of a target vector, 0 without either); 0 for NULL.
 * Thread: the context's own. Since 0.1 */
GLNN_API int64_t glnn_dataset_get_samples(const glnn_dataset *data);
GLNN_API int glnn_dataset_get_features(const glnn_dataset *data);
GLNN_API int glnn_dataset_get_outputs(const glnn_dataset *data);

#ifdef __cplusplus
}
#endif
#endif
