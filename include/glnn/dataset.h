/* glnn/dataset.h - samples that stay on the GPU while learners draw batches from them */
#ifndef GLNN_DATASET_H
#define GLNN_DATASET_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glnn_dataset glnn_dataset;

/* What a data set is made from: inputs, and class labels or target vectors for what learns from
 * them. */
typedef struct glnn_dataset_desc {
    int samples;          /* >= 1                                                             */
    int features;         /* inputs of one sample, >= 1                                       */
    const float *inputs;  /* samples x features, row-major and dense                          */
    const int *labels;    /* a class in [0, classes) per sample; NULL: none                   */
    int classes;          /* >= 1 with labels                                                 */
    const float *targets; /* samples x outputs, row-major and dense; NULL: none               */
    int outputs;          /* >= 1 with targets                                                */
    const char *name;     /* for error sentences, copied; NULL: "data set"                    */
} glnn_dataset_desc;

/* Copies samples into textures of layout PAGED.
 *
 * Errors   E_ARG     a null argument, no count >= 1, both labels and targets
 *          E_FORMAT  a label outside [0, classes), or an input or target that is not a finite
 *                    number: the sentence names sample and feature
 *          E_LIMIT   more than 2^24 samples, or the textures do not fit the device or the budget
 *          E_NOMEM   no memory
 * Owner    the caller, who passes it to glnn_dataset_destroy before the context goes.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_dataset_create(glnn_context *ctx, const glnn_dataset_desc *desc,
                                         glnn_dataset **out);

/* Destroys a data set. NULL does nothing. Thread: the context's own. Since 0.1 */
GLNN_API void glnn_dataset_destroy(glnn_dataset *data);

/* Counts of a data set: samples, features, and the outputs that a learner needs for it (classes,
 * or the length of a target vector, 0 without either); 0 for NULL. Thread: the context's own. Since 0.1 */
GLNN_API int glnn_dataset_samples(const glnn_dataset *data);
GLNN_API int glnn_dataset_features(const glnn_dataset *data);
GLNN_API int glnn_dataset_outputs(const glnn_dataset *data);

#ifdef __cplusplus
}
#endif
#endif
