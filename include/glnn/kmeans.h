/** @file
 *  @ingroup glnn_learners
 *  @brief K-means: centres that represent the samples around them.
 *
 *  Each sample belongs to the nearest *centre*. The error is the mean squared distance between
 *  samples and their centres, and training reduces it. With classes, k-means runs within each
 *  class: a sample belongs to the nearest centre of its own class. A new sample then gets the class
 *  of the nearest of all centres. The centres of class c are numbered from
 *  c * glnn_kmeans_desc::centres on.
 *
 *  Several processes (glnn/exchange.h) place the first centres each by themselves, from the same
 *  seed. They then sum the samples of each centre and their number: in each step of mini-batches,
 *  or once an epoch with the full batch. They also exchange samples for centres that have none.
 *
 *  @ref learners "Calls that all learners have" describes the common functions. */
#ifndef GLNN_KMEANS_H
#define GLNN_KMEANS_H

#include <glnn/nearest.h>
#include <glnn/preparation.h>
#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** Centres that are fitted by k-means. */
typedef struct glnn_kmeans glnn_kmeans;

/** How the first centres are drawn from the samples. */
typedef enum glnn_kmeans_init {
    /** Greedy k-means++ (Arthur, Vassilvitskii 2007). The first centre is a random sample. For each
     * further one, 2 + ln `centres` candidates (rounded down) are drawn, each sample with a
     * probability proportional to its squared distance from the nearest centre so far. The
     * candidate that leaves the least sum of these distances becomes the centre. With classes this
     * holds within each class. */
    GLNN_KMEANS_INIT_PLUS_PLUS = 0,
    GLNN_KMEANS_INIT_SAMPLES, /**< different samples, all equally likely */
    GLNN_KMEANS_INIT_COUNT
} glnn_kmeans_init;

/** The name of a way to draw: "plus_plus", "samples". @since 0.2 */
GLNN_API const char *glnn_kmeans_init_name(glnn_kmeans_init init);

/** The way to draw with a name. @since 0.2 */
GLNN_API glnn_status glnn_kmeans_init_from_name(const char *name, glnn_kmeans_init *out);

/** Describes k-means. Zeros are defaults, except in `features` and `centres`. */
typedef struct glnn_kmeans_desc {
    int features; /**< of a sample, at least 1                                                   */
    int centres;  /**< at least 1; with classes: of each class                                   */
    int classes;  /**< at least 1: k-means within each class; 0: labels are ignored              */
    glnn_kmeans_init init; /**< 0: PLUS_PLUS                                                     */

    /** The first centres are drawn from this number of random samples, which is at least the number
     * of all centres. Samples of a validation split are among them. Each class contributes at least
     * `centres` samples, or all if it has fewer. 0: 16384, or 16 for each centre if that is
     * more. */
    int init_samples;

    /** The number of further runs in a training. Each begins with centres drawn anew. The centres
     * of the best epoch of all runs are kept, as if glnn_train_desc::restore_best were set: the
     * epoch with the least error, or with the least validation error if there is a validation. A
     * run ends by the tolerance, or after its share of the epochs; the last run takes all that are
     * left. The default number of epochs is 100 for each run. The first run is that of a training
     * without restarts. The seeds of the others are derived from `seed`. glnn_train_desc::patience
     * counts epochs of all runs. 0: none. @since 0.2 */
    int restarts;

    /** Training ends with an epoch whose error is less than this share below that of the epoch
     * before. 0: 1e-4. Negative: never. */
    float tolerance;
    glnn_search search; /**< how the nearest centres are found; 0: AUTO                          */
    glnn_layout layout; /**< of centres and batches; 0: AUTO                                     */
    int capacity;       /**< most samples in one list of passes; 0: 1024                         */
    uint64_t seed;      /**< of the first centres                                                */
} glnn_kmeans_desc;

/** Creates k-means without centres.
 *
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_LIMIT: there are more than 2^24 centres.
 * @owner  the caller, who passes it to glnn_kmeans_destroy().
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_create(glnn_context *ctx, const glnn_kmeans_desc *desc,
                                        glnn_kmeans **out);

/** Destroys k-means. NULL is ignored.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API void glnn_kmeans_destroy(glnn_kmeans *kmeans);

/** The description with the defaults filled in; NULL for NULL.
 *
 * @owner  the learner.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_kmeans_desc *glnn_kmeans_get_desc(const glnn_kmeans *kmeans);

/** The outputs of a sample: the classes, or the centres without classes; 0 for NULL.
 *
 * @thread the context's own.
 * @since  0.2 */
GLNN_API int glnn_kmeans_get_outputs(const glnn_kmeans *kmeans);

/** The number of centres of all classes; 0 for NULL.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API int glnn_kmeans_get_count(const glnn_kmeans *kmeans);

/** Draws the centres from a data set, as glnn_kmeans_desc::init says, and sets their sizes to 0.
 *
 * If a class has fewer different samples than centres, some centres are equal, and all but one of
 * the equal ones stay without samples. If it has fewer samples than centres, the library also logs
 * a warning.
 *
 * @passes PLUS_PLUS: two for each centre (of a class), and a wait after them, because the CPU
 *   draws. The passes compare all candidates with all samples that centres are drawn from, so the
 *   time is proportional to the number of candidates. @errors @ref learner_errors "as all
 *   learners"; also
 *   - GLNN_E_SHAPE: there are fewer samples than centres without classes, or a class has no
 *     samples.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_kmeans_initialise(glnn_kmeans *kmeans, const glnn_dataset *data);

/** Trains on a data set, from the current centres. Further runs (glnn_kmeans_desc::restarts) draw
 * centres anew.
 *
 * With the full batch, which is the default, this is Lloyd's iteration: at the end of an epoch each
 * centre becomes the mean of the samples that were nearest to it. With smaller batches (Sculley
 * 2010), a sample x moves its centre m by (x - m) / n, where n counts the samples that have moved
 * this centre so far, x included. All samples of a batch find their centres before any centre
 * moves.
 *
 * After an epoch in which a centre had no samples, the next epoch looks for the sample that is
 * farthest from its centre, within the same class. Unless its distance is 0, the empty centre moves
 * there, and its size becomes 0. Several empty centres take the farthest samples in turn.
 *
 * The loss of a report is the error before the centres moved. The accuracy is the share of samples
 * whose nearest centre is of their class, 0 without classes.
 *
 * @passes a step neither waits nor makes textures. The end of an epoch waits once. A search for far
 *   samples waits once for each list of passes. A further run begins as glnn_kmeans_initialise().
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_SHAPE: as glnn_kmeans_initialise(), if there are no centres yet.
 *   - GLNN_E_DIVERGED: a squared distance overflows.
 * @owner  `desc` and `result` can be NULL.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_train(glnn_kmeans *kmeans, const glnn_dataset *data,
                                       const glnn_train_desc *desc, glnn_train_result *result);

/** Creates a trainer, which trains k-means step by step (glnn/trainer.h).
 *
 * @errors @ref learner_errors "as all learners".
 * @owner  `desc` can be NULL. The trainer is the caller's, who passes it to glnn_trainer_destroy().
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_trainer_create(glnn_kmeans *kmeans, const glnn_dataset *data,
                                                const glnn_train_desc *desc, glnn_trainer **out);

/** Measures k-means on a data set, without changing its centres.
 *
 * The loss is the mean squared distance to the nearest centre, of the class of the sample if there
 * are classes and labels. The accuracy is the share of samples whose nearest centre is of their
 * class, 0 without classes or labels.
 *
 * @errors @ref learner_errors "as all learners".
 * @owner  `metrics` and `confusion` (classes x classes) are the caller's and can be NULL.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_evaluate(glnn_kmeans *kmeans, const glnn_dataset *data,
                                          glnn_metrics *metrics, int64_t *confusion);

/** Predicts negative distances and classes of samples.
 *
 * With classes, the output of a class is minus the squared distance to its nearest centre. Without
 * classes, each centre has an output. The class of a sample is that of the nearest centre, or
 * without classes the number of that centre. Of equally near centres the lowest number counts. The
 * class is -1 if the sample is so far away that no distance is finite.
 *
 * @shapes  `inputs` is samples x features, `outputs` samples x glnn_kmeans_get_outputs(), `classes`
 *   has `samples` numbers; row after row.
 * @numbers as glnn_lvq_predict().
 * @errors  @ref learner_errors "as all learners".
 * @owner  the arrays are the caller's; `outputs` or `classes` can be NULL, but not both.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_kmeans_predict(glnn_kmeans *kmeans, int64_t samples, const float *inputs,
                                         float *outputs, int *classes);

/** Predicts classes of samples from a matrix into a matrix, without a readback or a wait.
 *
 * The class of a sample, or without classes its centre, is that of glnn_kmeans_predict(). A FLOAT16
 * matrix represents numbers up to 2048 exactly. Numbers are not checked: a sample that is not
 * finite can have any class.
 *
 * @shapes  `inputs` is samples x features, `classes` samples x 1, of any layout and storage.
 *   `classes` cannot be PAGED or UNORM8.
 * @errors  @ref learner_errors "as all learners"; also
 *   - GLNN_E_ARG: an argument is null, or belongs to another context; `classes` is PAGED or
 *     UNORM8.
 *   - GLNN_E_SHAPE: `inputs` or `classes` has another shape.
 * @owner  the matrices are the caller's.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_kmeans_predict_matrix(glnn_kmeans *kmeans, const glnn_matrix *inputs,
                                                glnn_matrix *classes);

/** Finds the k nearest centres of samples, the nearest first, and their squared distances. Of
 * equally near ones that with the lowest number is first.
 *
 * With k = 1, a sample so far away that no distance is finite has centre -1 and an infinite
 * distance.
 *
 * @shapes  `inputs` is samples x features, `centres` and `distances` are samples x k; row after
 *   row.
 * @numbers distances follow from differences: |error| <= (features + 4) 2^-24 distance. The centres
 *   are found by inner products: another centre than the nearest is named only if its distance is
 *   within (features + 8) 2^-23 (|x| + |m|)^2 of the least, relative to the offset if there is one.
 * @passes  as glnn_lvq_find_nearest().
 * @errors  @ref learner_errors "as all learners"; also
 *   - GLNN_E_ARG: `k` is not in 1 to glnn_kmeans_get_count().
 *   - GLNN_E_DIVERGED: k > 1, and a distance is not finite.
 * @owner  the arrays are the caller's; `centres` or `distances` can be NULL, but not both.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_kmeans_find_nearest(glnn_kmeans *kmeans, int64_t samples,
                                              const float *inputs, int k, int *centres,
                                              float *distances);

/** Reads the centres.
 *
 * @shapes `centres` is glnn_kmeans_get_count() x features, row after row.
 * @errors
 *   - GLNN_E_ARG: an argument is null.
 *   - GLNN_E_STATE: there are no centres yet, or the context was destroyed.
 *   - GLNN_E_GL: OpenGL reported an error.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_get_centres(const glnn_kmeans *kmeans, float *centres);

/** Sets the centres, in place of glnn_kmeans_initialise(), and their sizes to 0.
 *
 * If the centres lie far from 0, the library uses an offset, as glnn_lvq_set_prototypes()
 * describes.
 *
 * @shapes as glnn_kmeans_get_centres().
 * @errors
 *   - GLNN_E_ARG: an argument is null, or a coordinate is not finite.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_NOMEM, GLNN_E_GL: main memory or OpenGL failed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_set_centres(glnn_kmeans *kmeans, const float *centres);

/** Reads the sizes of the centres: how many samples belonged to each in the latest epoch of Lloyd's
 * iteration, or in all mini-batches so far.
 *
 * @shapes `sizes` has glnn_kmeans_get_count() numbers.
 * @errors as glnn_kmeans_get_centres().
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_get_sizes(const glnn_kmeans *kmeans, float *sizes);

/** Sets the sizes of the centres, from which mini-batches continue.
 *
 * @shapes as glnn_kmeans_get_sizes().
 * @errors as glnn_kmeans_get_centres(); also
 *   - GLNN_E_ARG: a size is negative or not finite.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_set_sizes(glnn_kmeans *kmeans, const float *sizes);

/** Stores a copy of the steps that prepare raw samples, to be saved with the learner. NULL or an
 * empty preparation removes it. Results do not depend on it.
 *
 * @errors
 *   - GLNN_E_ARG: `kmeans` is null, or the preparation is not valid.
 *   - GLNN_E_SHAPE: the preparation makes another number of inputs than the learner has features,
 *     or names other classes or targets than it has.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_set_preparation(glnn_kmeans *kmeans,
                                                 const glnn_preparation *preparation);

/** The preparation that was set or loaded; NULL if there is none.
 *
 * @owner  the learner, until another one is set.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_preparation *glnn_kmeans_get_preparation(const glnn_kmeans *kmeans);

/** Saves the learner as a safetensors file (glnn/safetensors.h).
 *
 * The file has the tensors `centres` (count x features) and `sizes`. The description is in the
 * metadata, without `init`, `init_samples`, `restarts`, `tolerance`, `search` and `seed`.
 *
 * @errors @ref learner_errors "as all learners". If a number is not finite, nothing is written.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_save(const glnn_kmeans *kmeans, const char *path);

/** Creates the learner of a file that glnn_kmeans_save() wrote. `desc` can be NULL.
 *
 * @errors @ref learner_errors "as all learners".
 * @owner  the caller, who passes it to glnn_kmeans_destroy().
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_kmeans_load(glnn_context *ctx, const char *path,
                                      const glnn_load_desc *desc, glnn_kmeans **out);

/** Loads the parameters of a file into a learner that exists.
 *
 * These are the centres and their sizes. The learner keeps the numbers of its description and its
 * preparation. Nothing changes if the file does not fit.
 *
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_SHAPE: the file has other features, centres or classes. The sentence names both.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_kmeans_load_parameters(glnn_kmeans *kmeans, const char *path);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
