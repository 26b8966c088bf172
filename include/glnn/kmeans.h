/** @file
 *  @ingroup glnn_learners
 *  @brief K-means: centres that represent the samples around them.
 *
 * Each sample belongs to the nearest centre. The error is the mean squared distance of the samples
 * from their centres, and training reduces it.
 *
 * With classes, k-means runs within each class: a sample belongs to the nearest centre of its own
 * class. Together the centres are a classifier, which finds the class of the nearest centre. The
 * centres of class c have the numbers from c * `centres` on. */
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

/** K-means with its centres. */
typedef struct glnn_kmeans glnn_kmeans;

/** How the first centres are drawn from the samples. */
typedef enum glnn_kmeans_init {
    /** Each with a probability proportional to the squared distance from the nearest centre drawn
     * before it (Arthur and Vassilvitskii, 2007). */
    GLNN_KMEANS_INIT_PLUS_PLUS = 0,
    GLNN_KMEANS_INIT_SAMPLES, /**< different samples, all with the same probability */
    GLNN_KMEANS_INIT_COUNT
} glnn_kmeans_init;

/** The name of a way to draw centres: "plus_plus", "samples". @since 0.2 */
GLNN_API const char *glnn_kmeans_init_name(glnn_kmeans_init value);

/** The way to draw centres with a name. @since 0.2 */
GLNN_API glnn_status glnn_kmeans_init_from_name(const char *name, glnn_kmeans_init *out);

/** Describes k-means. Zeros mean the defaults; features and centres have none. */
typedef struct glnn_kmeans_desc {
    int features;          /**< at least 1                                                   */
    int centres;           /**< at least 1; with classes: of each class                      */
    int classes;           /**< k-means within each class; 0: over all, which ignores labels */
    glnn_kmeans_init init; /**< 0: PLUS_PLUS                                                 */
    /** The number of random samples that the first centres are drawn from. It includes `centres`
     * samples of each class, or all samples of a smaller class, and samples of a validation split.
     * It is at least the number of all centres. 0: 16384, or 16 for each centre if that is more. */
    int init_samples;
    /** Training ends if an epoch reduces the error by less than this share. 0: 1e-4. Negative:
     * never. */
    float tolerance;
    glnn_search search; /**< how the nearest centres are found; 0: AUTO */
    glnn_layout layout; /**< of centres and batches; 0: AUTO            */
    int capacity;       /**< most samples in one list of passes; 0: 1024 */
    uint64_t seed;      /**< of the first centres                       */
} glnn_kmeans_desc;

/** Creates k-means. It has no centres until it is initialised, trained or loaded, or until they are
 * set.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null; a number is out of range or a choice is unknown;
 *     `init_samples` is below the number of centres.
 *   - GLNN_E_LIMIT: there are more than 2^24 centres; a matrix does not fit the device or the
 *     budget.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who destroys it with glnn_kmeans_destroy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_create(glnn_context *ctx, const glnn_kmeans_desc *desc,
                                        glnn_kmeans **out);

/** Destroys k-means. NULL does nothing.
 *
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API void glnn_kmeans_destroy(glnn_kmeans *kmeans);

/** The description of k-means with its defaults filled in; NULL for NULL.
 *
 * @owner   `kmeans`.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API const glnn_kmeans_desc *glnn_kmeans_get_desc(const glnn_kmeans *kmeans);

/** The number of centres of all classes; 0 for NULL. @since 0.1 */
GLNN_API int glnn_kmeans_get_count(const glnn_kmeans *kmeans);

/** Draws the centres from a data set. They replace those that k-means has.
 *
 * If a class has fewer different samples than centres, some centres are equal, and all but one of
 * equal centres get no samples. If it has fewer samples than centres, the log has a warning.
 *
 * glnn_kmeans_train calls this function for k-means without centres.
 *
 * @numbers the same data, seed, device and device profile (glnn/context.h) give the same bits.
 * @passes  PLUS_PLUS: two for each centre of a class, and a wait after them, because the CPU draws.
 *          One more wait reads the centres and finds their offset (glnn_kmeans_set_centres).
 * @errors
 *   - GLNN_E_ARG: an argument is null or belongs to another context.
 *   - GLNN_E_SHAPE: the data set has other features or classes; without classes it has fewer
 *     samples than centres; a class has no samples. The sentence has the numbers.
 *   - GLNN_E_STATE: k-means has classes and the data set has no labels.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: as for all operations.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_initialise(glnn_kmeans *kmeans, const glnn_dataset *data);

/** Trains on a data set. Without centres it begins with glnn_kmeans_initialise.
 *
 * With #GLNN_FULL_BATCH, the default, an epoch is an iteration of Lloyd: at its end each centre
 * becomes the mean of the samples that were nearest to it.
 *
 * With smaller batches, each sample x moves its centre by (x - centre) / n (Sculley, 2010). n is
 * the number of samples that have moved this centre so far, x included. All samples of a batch find
 * their centres before one of them moves.
 *
 * If a centre had no samples in an epoch, the next epoch finds the sample that is farthest from its
 * centre, in the same class; of equal ones the first counts. If its distance is not 0, it becomes
 * the new place of the centre, whose size begins with 0. Several such centres take the farthest
 * samples in turn.
 *
 * `desc` NULL means the defaults. `result` may be NULL.
 *
 * @reports the loss is the error of the samples relative to the centres that they met, so the first
 *          loss of Lloyd's iteration is that of the initial centres. The accuracy is the share of
 *          samples whose nearest centre has their class; 0 without classes.
 * @numbers the same seeds, data, layout, device and device profile give the same bits.
 * @passes  after the first step, no step waits or creates a texture or program. The end of an epoch
 *          waits once. An offset takes one more pass for each list of passes. A search for the
 *          farthest samples waits once for each list of passes.
 * @errors
 *   - GLNN_E_ARG: a number of `desc` is out of range; the schedule has a rate.
 *   - GLNN_E_DIVERGED: a squared distance overflows.
 *   - Others: as glnn_kmeans_initialise.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_train(glnn_kmeans *kmeans, const glnn_dataset *data,
                                       const glnn_train_desc *desc, glnn_train_result *result);

/** Creates a trainer, which makes the steps of glnn_kmeans_train in a loop of the program
 * (glnn/trainer.h). It initialises the centres if there are none.
 *
 * @errors
 *   - GLNN_E_ARG: `out` is null.
 *   - GLNN_E_STATE: `kmeans` has another trainer.
 *   - Others: as glnn_kmeans_train before its first step. *out is then NULL.
 * @owner   the caller, who destroys it with glnn_trainer_destroy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_trainer_create(glnn_kmeans *kmeans, const glnn_dataset *data,
                                                const glnn_train_desc *desc, glnn_trainer **out);

/** Measures the centres on a data set.
 *
 * The loss is the mean squared distance to the nearest centre; with classes and labels, to the
 * nearest centre of the sample's class. The accuracy is 0 without classes or labels.
 *
 * @param metrics   receives the metrics; may be NULL
 * @param confusion classes x classes counts of samples; element label * classes + class found. May
 *                  be NULL
 *
 * @errors
 *   - GLNN_E_ARG: `kmeans` or `data` is null; `data` belongs to another context.
 *   - GLNN_E_SHAPE: the data set has other features or classes.
 *   - GLNN_E_STATE: there are no centres; `confusion` is given without classes or labels.
 *   - GLNN_E_DIVERGED: a squared distance overflows.
 * @owner   `metrics` and `confusion` are the caller's.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_evaluate(glnn_kmeans *kmeans, const glnn_dataset *data,
                                          glnn_metrics *metrics, int64_t *confusion);

/** The number of outputs of a sample: the classes, or the centres without classes. 0 for NULL.
 * @since 0.2 */
GLNN_API int glnn_kmeans_get_outputs(const glnn_kmeans *kmeans);

/** Predicts samples.
 *
 * @param outputs with classes, minus the squared distance to the nearest centre of each class;
 *                otherwise minus the squared distance to each centre. May be NULL
 * @param classes with classes, the class of the nearest centre; otherwise the number of the nearest
 *                centre. If two are equal, the lower number. -1 for a sample so far away that no
 *                distance is finite. May be NULL
 *
 * @shapes  inputs are samples x features, outputs are samples x glnn_kmeans_get_outputs, row after
 *          row. classes has an element for each sample.
 * @numbers as glnn_lvq_predict.
 * @errors
 *   - GLNN_E_ARG: `kmeans` or `inputs` is null; `outputs` and `classes` are both null; `samples` is
 *     below 1; an input is not finite. The sentence names sample and feature.
 *   - GLNN_E_STATE: there are no centres.
 *   - GLNN_E_DIVERGED: a squared distance of an output is not finite. The sentence names the
 *     sample.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: as for all operations.
 * @owner   the arrays are the caller's.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_kmeans_predict(glnn_kmeans *kmeans, int64_t samples, const float *inputs,
                                         float *outputs, int *classes);

/** Finds the k nearest centres of each sample, nearest first, and the squared distances to them.
 *
 * Of centres at equal distances the one with the lower number comes first. With k = 1, a sample so
 * far away that no distance is finite has centre -1 and an infinite distance.
 *
 * @param centres   receives the numbers of the centres; may be NULL
 * @param distances receives the squared distances; may be NULL
 *
 * @shapes  inputs are samples x features, centres and distances are samples x k; row after row.
 * @numbers centres are compared by inner products. A centre that is found may be farther than the
 *          nearest by (features + 8) 2^-23 (|x| + |centre|)^2 at most, both less the offset
 *          (glnn_kmeans_set_centres). Distances are sums of squared differences: |error| <=
 *          (features + 4) 2^-24 distance.
 * @passes  as glnn_lvq_find_nearest.
 * @errors
 *   - GLNN_E_ARG: `centres` and `distances` are both null; k is not in 1 .. glnn_kmeans_get_count.
 *   - GLNN_E_DIVERGED: k > 1 and a distance is not finite. The sentence names the sample.
 *   - Others: as glnn_kmeans_predict.
 * @owner   the arrays are the caller's.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_kmeans_find_nearest(glnn_kmeans *kmeans, int64_t samples,
                                              const float *inputs, int k, int *centres,
                                              float *distances);

/** Reads the centres.
 *
 * @shapes  glnn_kmeans_get_count x features, row after row.
 * @errors
 *   - GLNN_E_ARG: an argument is null.
 *   - GLNN_E_STATE: there are no centres.
 *   - GLNN_E_GL: as for all operations.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_get_centres(const glnn_kmeans *kmeans, float *centres);

/** Sets the centres. Small batches then count samples from 0.
 *
 * If the centres are far from 0 compared with the distances between them, the library subtracts an
 * offset from samples and centres before it compares them, as glnn_lvq_set_prototypes describes.
 * It finds the offset when centres are set or initialised. All functions take and return the
 * caller's coordinates.
 *
 * @shapes  glnn_kmeans_get_count x features, row after row.
 * @errors
 *   - GLNN_E_ARG: an argument is null; a coordinate is not finite.
 *   - GLNN_E_GL: as for all operations.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_set_centres(glnn_kmeans *kmeans, const float *centres);

/** Reads the size of each centre: the number of its samples.
 *
 * With #GLNN_FULL_BATCH these are the samples of the latest epoch, with smaller batches all samples
 * so far.
 *
 * @param sizes glnn_kmeans_get_count elements
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null.
 *   - GLNN_E_STATE: there are no centres.
 *   - GLNN_E_GL: as for all operations.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_get_sizes(const glnn_kmeans *kmeans, float *sizes);

/** Sets the size of each centre, from which small batches count on.
 *
 * @param sizes glnn_kmeans_get_count elements
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null; a size is negative or not finite.
 *   - GLNN_E_STATE: there are no centres.
 *   - GLNN_E_GL: as for all operations.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_set_sizes(glnn_kmeans *kmeans, const float *sizes);

/** Keeps a copy of a preparation, which is saved with k-means. It has no effect on results.
 *
 * NULL or an empty preparation removes it.
 *
 * @errors
 *   - GLNN_E_ARG: `kmeans` is null.
 *   - GLNN_E_SHAPE: the preparation has another number of inputs or classes than k-means, or it has
 *     targets.
 *   - Others: as glnn_preparation_copy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_set_preparation(glnn_kmeans *kmeans,
                                                 const glnn_preparation *preparation);

/** The preparation that was set or loaded; NULL if there is none.
 *
 * @owner   `kmeans`, until another one is set.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API const glnn_preparation *glnn_kmeans_get_preparation(const glnn_kmeans *kmeans);

/** Saves k-means as safetensors.
 *
 * The arrays are "centres" (count x features) and "sizes" (count). The description is in the
 * metadata, without initialisation, search and tolerance; the preparation follows
 * (glnn/preparation.h).
 *
 * @errors  as glnn_safetensors_write and glnn_kmeans_get_centres.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_save(const glnn_kmeans *kmeans, const char *path);

/** Loads k-means that glnn_kmeans_save wrote.
 *
 * `desc` NULL means the defaults.
 *
 * @errors
 *   - GLNN_E_FORMAT: the file holds no k-means; an array is missing or has impossible values.
 *   - GLNN_E_SHAPE: an array has other sizes than the description.
 *   - Others: as glnn_safetensors_read and glnn_kmeans_create. *out is then NULL.
 * @owner   the caller, who destroys it with glnn_kmeans_destroy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_kmeans_load(glnn_context *ctx, const char *path,
                                      const glnn_load_desc *desc, glnn_kmeans **out);

/** Loads the centres and sizes of a file into k-means.
 *
 * It keeps the other numbers of its description and its preparation. A failure changes nothing.
 *
 * @errors
 *   - GLNN_E_SHAPE: the file has other centres, features or classes. The sentence has both numbers.
 *   - Others: as glnn_kmeans_load.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_kmeans_load_parameters(glnn_kmeans *kmeans, const char *path);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
