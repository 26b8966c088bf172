/** @file
 *  @ingroup glnn_learners
 *  @brief Learners: what networks, LVQ classifiers, k-means, mixtures and support vector machines
 *  have in common.
 *
 *  A *learner* has parameters that are found from samples. There are several kinds: networks
 *  (glnn/network.h), LVQ classifiers (glnn/lvq.h), k-means (glnn/kmeans.h), mixtures of Gaussians
 *  (glnn/gmm.h) and linear support vector machines (glnn/svm.h). Each kind has a function that
 *  creates a learner from a description. Almost all else is the same for every kind:
 *
 *      glnn_learner *network;
 *      glnn_status status = glnn_network_create(
 *          ctx, &(glnn_network_desc){.features = 784, .layers = {{.units = 256}, {.units = 10}}},
 *          &network);
 *      if (!status)
 *          status = glnn_learner_train(network, data, NULL, NULL);
 *      if (!status)
 *          status = glnn_learner_save(network, "digits.safetensors");
 *      glnn_learner_destroy(network);
 *
 *  The header of each kind says what its outputs, classes and losses are, and which tensors its
 *  files have. A function of one kind, such as glnn_network_set_precision(), refuses learners of
 *  another kind with GLNN_E_ARG; if it returns no status, it treats them like NULL.
 *
 *  @anchor learner_tensors
 *  ### Tensors
 *
 *  The numbers that a learner has learnt are arrays with names and shapes, its *tensors*. The
 *  header of each kind lists them. Files (glnn_learner_save()) have them under the same names. The
 *  numbers of a tensor are row-major: the last dimension is the fastest. The role of a tensor is
 *
 *  - "parameter": it is learnt;
 *  - "statistic": it is gathered from the samples without a gradient;
 *  - "state": the optimizer keeps it from step to step.
 *
 *  Tensors can be read, set, and used as operands without a copy:
 *
 *      glnn_tensor_info info = {.size = sizeof info};
 *      for (int i = 0; i < glnn_learner_get_tensor_count(network); ++i)
 *          if (!glnn_learner_get_tensor_info(network, i, &info))
 *              printf("%s: %zu numbers\n", info.name, info.count);
 *      const glnn_status status = glnn_learner_get_tensor(network, "0.bias", 256, biases);
 *
 *  @anchor unused_numbers
 *  ### Numbers without effect
 *
 *  Some numbers of a description have an effect only in combination with others.
 *
 *  - glnn_network_create() refuses a number that a layer, the optimizer or the distribution of the
 *    first weights does not use. It must be 0. In the optimizer and for `init_range` it can also be
 *    its default.
 *  - glnn_lvq_create() checks the range of all numbers, and then ignores those that the kind or the
 *    start of the prototypes does not use.
 *  - K-means, mixtures and support vector machines use all numbers of their descriptions.
 *  - Training refuses numbers of another schedule, and a rate or a schedule for a learner without
 *    learning rate. It refuses `batch` and `accumulate` as glnn_train_desc says. It ignores other
 *    fields without effect, such as keep_order with a mixture.
 *
 *  @anchor learner_errors
 *  ### Errors that all learners share
 *
 *  - GLNN_E_ARG: a required argument is null, or `samples` is below 1. A number of a description is
 *    out of its range, or has no effect and is @ref unused_numbers "refused". An input is not
 *    finite; the sentence names sample and feature. A checkpoint to resume from belongs to another
 *    training, or one exists and is neither to be resumed nor to be replaced. A data set belongs to
 *    another context, or has weights and the learner is not a network.
 *  - GLNN_E_SHAPE: the features, classes or outputs of a data set, file or preparation are not
 *    those of the learner.
 *  - GLNN_E_STATE: the context was destroyed. The learner has no parameters yet, or another trainer
 *    of it has not finished. It needs labels or targets that the data set lacks. `confusion` needs
 *    labels and classes.
 *  - GLNN_E_FORMAT: a file is damaged or holds something else, also a checkpoint to resume from
 *    without a previous one. A sample of a data set that streams is not finite. A target is not in
 *    [0, 1], but the learner predicts probabilities.
 *  - GLNN_E_DIVERGED: a loss, a parameter or a result is not finite. The sentence names epoch and
 *    step, the parameter, or the sample.
 *  - GLNN_E_LIMIT: a matrix does not fit the device or the texture budget.
 *  - GLNN_E_UNSUPPORTED: emphasis, or an exchange, that the learner does not have.
 *  - GLNN_E_PROCESS: another process of the training failed or does not answer. The sentence names
 *    its rank.
 *  - GLNN_E_IO, GLNN_E_NOMEM, GLNN_E_GL: a file, main memory or OpenGL failed.
 *
 *  After an error, a function that makes a learner or a trainer has set `*out` to NULL. */
#ifndef GLNN_LEARNER_H
#define GLNN_LEARNER_H

#include <glnn/dataset.h>
#include <glnn/preparation.h>
#include <glnn/safetensors.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** A network, an LVQ classifier, k-means, a mixture or a support vector machine. */
typedef struct glnn_learner glnn_learner;

/** Trains a learner step by step; see glnn/trainer.h. */
typedef struct glnn_trainer glnn_trainer;

/** The kind of a learner. */
typedef enum glnn_learner_kind {
    GLNN_LEARNER_NETWORK = 0, /**< layers; glnn/network.h               */
    GLNN_LEARNER_LVQ,         /**< labelled prototypes; glnn/lvq.h      */
    GLNN_LEARNER_KMEANS,      /**< centres; glnn/kmeans.h               */
    GLNN_LEARNER_GMM,         /**< a mixture of Gaussians; glnn/gmm.h   */
    GLNN_LEARNER_SVM,         /**< a linear support vector machine; glnn/svm.h */
    GLNN_LEARNER_KIND_COUNT
} glnn_learner_kind;

/** The name of a kind: "network", "lvq", "kmeans", "gmm", "svm". @since 0.2 */
GLNN_API const char *glnn_learner_kind_name(glnn_learner_kind kind);

/** The kind with a name. @since 0.2 */
GLNN_API glnn_status glnn_learner_kind_from_name(const char *name, glnn_learner_kind *out);

/** The kind of a learner; GLNN_LEARNER_KIND_COUNT for NULL.
 *
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_learner_kind glnn_learner_get_kind(const glnn_learner *learner);

/** The features of a sample; 0 for NULL.
 *
 * @thread the context's own.
 * @since  0.2 */
GLNN_API int glnn_learner_get_features(const glnn_learner *learner);

/** The outputs that are predicted for a sample; 0 for NULL. They are the units of the last layer of
 * a network, and the classes of other learners. Without classes they are the centres of k-means and
 * the components of a mixture.
 *
 * @thread the context's own.
 * @since  0.2 */
GLNN_API int glnn_learner_get_outputs(const glnn_learner *learner);

/** Destroys a learner. NULL is ignored.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API void glnn_learner_destroy(glnn_learner *learner);

/** Finds the first parameters from the samples of a data set, as the header of each kind describes.
 *
 * Training does this by itself if a learner has no parameters yet.
 *
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_UNSUPPORTED: the learner is a network or a support vector machine, which has its
 *     first parameters when it is created.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_initialise(glnn_learner *learner, const glnn_dataset *data);

/** Measures of a learner on samples. w is the weight of a sample (glnn_dataset_desc), y the outputs
 * and t the target. The structure has no member `size`, because other structures contain it; new
 * numbers will take the place of `reserved`. glnn/metrics.h has further metrics, of predictions. */
typedef struct glnn_metrics {
    double loss;          /**< mean over the samples of w times loss                             */
    double accuracy;      /**< share of samples classified right, or of labels if a sample has
                               several (::GLNN_LOSS_BINARY_CROSS_ENTROPY); 0 if it is not counted */
    double squared_error; /**< mean over samples and outputs of w (y - t)^2; NAN unless targets
                               are learnt, and if a sample has several labels                    */
    double r_squared;     /**< 1 - sum w (y - t)^2 / sum w (t - m)^2, where m is the mean target of
                               the data set: 1 is perfect, 0 as good as the mean. NAN unless targets
                               are learnt with ::GLNN_LOSS_SQUARED, and if all are equal or in a
                               matrix of the program                                             */
    double reserved[4];   /**< zeros; room for later versions                                    */
} glnn_metrics;

/** Measures a learner on a data set, without changing its parameters.
 *
 * @shapes `confusion` has classes x classes counts; the count at `label * classes + predicted`
 *   belongs to the samples of that label and prediction.
 * @errors @ref learner_errors "as all learners".
 * @owner  `metrics` and `confusion` are the caller's and can be NULL.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_learner_evaluate(glnn_learner *learner, const glnn_dataset *data,
                                           glnn_metrics *metrics, int64_t *confusion);

/** Predicts outputs and classes of samples. After an error both are undefined.
 *
 * @shapes `inputs` is samples x features, `outputs` samples x glnn_learner_get_outputs(), `classes`
 *   has `samples` numbers; row after row.
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_FORMAT: a network of precision MIXED, and an input has a magnitude of 65520 or more.
 *   - GLNN_E_STATE: `outputs` of the LVQ kind RSLVQ before its sigma is known.
 * @owner  the arrays are the caller's; `outputs` or `classes` can be NULL, but not both.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_predict(glnn_learner *learner, int64_t samples,
                                          const float *inputs, float *outputs, int *classes);

/** Predicts samples from a matrix into a matrix, without a readback or a wait: the outputs of a
 * network or a support vector machine, the classes of other learners.
 *
 * The predictions are those of glnn_learner_predict(). Samples beyond the capacity are predicted in
 * pieces, a multiple of four rows each. After the first call, calls with the same shapes create no
 * textures. A preparation has no effect. glnn_reduce() with ARGMAX finds the classes of the outputs
 * of a network or a support vector machine.
 *
 * @shapes  `inputs` is samples x features. `predictions` is samples x glnn_learner_get_outputs()
 *   for a network or a support vector machine, and samples x 1 for other learners. Both can have
 *   any layout and storage, but `predictions` cannot be PAGED, and classes cannot be UNORM8. Inputs
 *   and outputs of a network or a support vector machine can be the same matrix.
 * @numbers The bits are those of glnn_learner_predict(), rounded to the storage of `predictions`. A
 *   FLOAT16 matrix represents classes up to 2048 exactly. Numbers are not checked: a sample that is
 *   not finite, or with MIXED has a magnitude of 65520 or more, gives outputs that may not be
 *   finite, and can have any class. So can one that is too far from all prototypes to have a class
 *   by glnn_learner_predict().
 * @passes  for each piece one for the inputs, those of the learner, and one to write the
 *   predictions. A softmax takes one more, or two with more than 512 outputs; cross-entropy in
 *   several pieces one more for each.
 * @errors  @ref learner_errors "as all learners"; also
 *   - GLNN_E_ARG: an argument is null, or belongs to another context; `predictions` is PAGED, or
 *     has classes and is UNORM8.
 *   - GLNN_E_SHAPE: `inputs` or `predictions` has another shape.
 * @owner  the matrices are the caller's.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_predict_matrix(glnn_learner *learner, const glnn_matrix *inputs,
                                                 glnn_matrix *predictions);

/** Finds the k nearest prototypes of samples, the nearest first, and their squared distances: the
 * prototypes of an LVQ classifier in its learnt metric, or the centres of k-means. Of equally near
 * ones that with the lowest number is first.
 *
 * With k = 1, a sample so far away that no distance is finite has prototype -1 and an infinite
 * distance.
 *
 * @shapes  `inputs` is samples x features, `prototypes` and `distances` are samples x k; row after
 *   row.
 * @numbers distances follow from differences. With D features, |error| is at most
 *   (D + 4) 2^-24 times the distance for k-means, and (D / 4 + 6) 2^-24 times it for LVQ. The
 *   prototypes are found by inner products: another one than the nearest is named only if its
 *   distance is within (D + 8) 2^-23 (|x| + |m|)^2 of the least, relative to the @ref lvq_offset
 *   "offset" if there is one.
 * @passes  k = 1: one search. Otherwise a search for every two prototypes, and a wait for each.
 * @errors  @ref learner_errors "as all learners"; also
 *   - GLNN_E_ARG: the learner is of another kind; `k` is not in 1 to the number of prototypes.
 *   - GLNN_E_DIVERGED: k > 1, and a distance is not finite.
 * @owner  the arrays are the caller's; `prototypes` or `distances` can be NULL, but not both.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_find_nearest(glnn_learner *learner, int64_t samples,
                                               const float *inputs, int k, int *prototypes,
                                               float *distances);

/** Stores a copy of the steps that prepare raw samples, to be saved with the learner. NULL or an
 * empty preparation removes it. Results do not depend on it.
 *
 * @errors
 *   - GLNN_E_ARG: `learner` is null, or the preparation is not valid.
 *   - GLNN_E_SHAPE: the preparation makes another number of inputs than the learner has features,
 *     or names other classes or targets than it has.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_learner_set_preparation(glnn_learner *learner,
                                                  const glnn_preparation *preparation);

/** The preparation that was set or loaded; NULL if there is none.
 *
 * @owner  the learner, until another one is set.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_preparation *glnn_learner_get_preparation(const glnn_learner *learner);

/** A tensor of a learner. */
typedef struct glnn_tensor_info {
    size_t size;      /**< of the structure, set by the caller                                   */
    char name[48];    /**< unique in the learner, such as "0.weight"                             */
    const char *role; /**< "parameter", "statistic" or "state"; a constant of the library        */
    int layer;        /**< of a network: the layer it belongs to, from 0; otherwise 0            */
    int dimensions;   /**< 1 to GLNN_TENSOR_MAX_DIMENSIONS                                       */
    size_t shape[GLNN_TENSOR_MAX_DIMENSIONS]; /**< the size of each dimension                    */
    size_t count;                             /**< of its numbers, the product of the sizes      */
} glnn_tensor_info;

/** How many tensors a learner has; 0 for NULL. It does not change.
 *
 * @thread the context's own.
 * @since  0.2 */
GLNN_API int glnn_learner_get_tensor_count(const glnn_learner *learner);

/** Describes tensor `number`, from 0 on. The order is that of the header of the kind.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, `out->size` is not set, or `number` is not below the count.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_get_tensor_info(const glnn_learner *learner, int number,
                                                  glnn_tensor_info *out);

/** Describes the tensor with a name.
 *
 * @errors as glnn_learner_get_tensor_info(). The sentence about an unknown name has the most
 *   similar one.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_find_tensor(const glnn_learner *learner, const char *name,
                                              glnn_tensor_info *out);

/** Reads the `count` numbers of a tensor.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or the learner has no tensor of this name. The sentence has
 *     the most similar name.
 *   - GLNN_E_SHAPE: the tensor has another count of numbers.
 *   - GLNN_E_STATE: the context was destroyed, or the learner has no parameters yet.
 *   - GLNN_E_NOMEM, GLNN_E_GL: main memory or OpenGL failed.
 * @owner  `values` is the caller's.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_get_tensor(const glnn_learner *learner, const char *name,
                                             size_t count, float *values);

/** Sets the `count` numbers of a tensor. Other tensors keep theirs, unless the header of the kind
 * says otherwise. Nothing changes if a number is refused.
 *
 * @errors as glnn_learner_get_tensor(); also
 *   - GLNN_E_ARG: a number is not finite, or out of the range in the header of the kind. The
 *     sentence names the number.
 * @owner  `values` is the caller's.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_set_tensor(glnn_learner *learner, const char *name, size_t count,
                                             const float *values);

/** The matrix in which a learner has the numbers of a tensor, for operations and for shaders of a
 * host (glnn/texture.h). Nothing is copied. Training, glnn_learner_set_tensor() and loading change
 * its numbers.
 *
 * @shapes as the header of the kind says: the matrix can have other numbers too, and in another
 *   order.
 * @errors as glnn_learner_find_tensor(); also
 *   - GLNN_E_UNSUPPORTED: the tensor is in main memory and has no matrix.
 * @owner  the learner; valid until it is destroyed. After a failure `*out` is NULL.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_get_tensor_matrix(const glnn_learner *learner, const char *name,
                                                    const glnn_matrix **out);

/** How to load a learner: the choices that depend on the device, so that files do not hold them. */
typedef struct glnn_load_desc {
    glnn_layout layout; /**< of parameters and batches; 0: AUTO                                  */
    int capacity;       /**< most samples in one list of passes; 0: 1024                         */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_load_desc;

/** Saves a learner as a safetensors file (glnn/safetensors.h): its parameters, its preparation, and
 * its description apart from the numbers that the header of its kind excepts. These have their
 * defaults after loading.
 *
 * @errors @ref learner_errors "as all learners". If a number is not finite, nothing is written.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_learner_save(const glnn_learner *learner, const char *path);

/** Creates the learner of a file that glnn_learner_save() wrote. glnn_learner_get_kind() tells its
 * kind.
 *
 * @errors @ref learner_errors "as all learners".
 * @owner  the caller, who passes it to glnn_learner_destroy(). `desc` can be NULL, which means
 *   zeros.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_load(glnn_context *ctx, const char *path,
                                       const glnn_load_desc *desc, glnn_learner **out);

/** Loads the parameters of a file into a learner that exists, of the same kind and shape. The
 * learner keeps the numbers of its description and its preparation. Nothing changes if the file
 * does not fit. Networks also take files of other programs (glnn/network.h).
 *
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_FORMAT: the file has a learner of another kind.
 *   - GLNN_E_SHAPE: the learner of the file has another shape. The sentence names both.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_load_parameters(glnn_learner *learner, const char *path);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
