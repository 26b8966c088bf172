/* glnn/kmeans.h - k-means: centres that stand for the samples around them
 *
 * Each sample belongs to the nearest centre; the error is the mean squared distance of samples from
 * their centres, and training makes it smaller. With classes, k-means runs within each class: a
 * sample belongs to the nearest centre of its own class, and the labelled centres together are a
 * classifier by the nearest prototype.
 *
 * Everything that a step needs stays on the GPU. Centres of class c are numbered from
 * c * desc.centres on. */
#ifndef GLNN_KMEANS_H
#define GLNN_KMEANS_H

#include <glnn/nearest.h>
#include <glnn/preparation.h>
#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glnn_kmeans glnn_kmeans;

/* PLUS_PLUS draws each centre among the samples with a probability proportional to the squared
 * distance from the nearest of the centres before it (Arthur, Vassilvitskii 2007); SAMPLES draws
 * different samples, each as likely as any other. */
typedef enum glnn_kmeans_init {
    GLNN_KMEANS_INIT_PLUS_PLUS = 0,
    GLNN_KMEANS_INIT_SAMPLES,
    GLNN_KMEANS_INIT_COUNT
} glnn_kmeans_init;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_kmeans_init_name(glnn_kmeans_init value);
GLNN_API glnn_status glnn_kmeans_init_from_name(const char *name, glnn_kmeans_init *out);

/* Describes k-means. Zeros mean the defaults, but features and centres have none.
 *
 * Centres are drawn from `init_samples` random samples of a data set, those of a validation split
 * included. Among them are at least `centres` samples of each class, or all of a class that has
 * fewer. Training ends with an epoch whose error is less than the share `tolerance` below that of
 * the epoch before. */
typedef struct glnn_kmeans_desc {
    int features;          /* >= 1                                                        */
    int centres;           /* >= 1; with classes: of each class                           */
    int classes;           /* 0: labels are not looked at; else >= 1: k-means within each */
    glnn_kmeans_init init; /* 0: PLUS_PLUS                                                */
    int init_samples;      /* >= all centres; 0: 16384, or 16 a centre where that is more */
    float tolerance;       /* 0: 1e-4, negative: never                                    */
    glnn_search search;    /* how the nearest centres are found                           */
    glnn_layout layout;    /* of centres and batches; 0: AUTO                             */
    int capacity;          /* most samples in one list of passes; 0: 1024                 */
    uint64_t seed;         /* of the centres that are drawn                               */
} glnn_kmeans_desc;

/* Creates k-means without centres: training initialises them.
 *
 * Errors   E_ARG    a null argument, a count out of range, an unknown choice, a tolerance that is
 *                   no number, fewer init_samples than centres
 *          E_LIMIT  more than 2^24 centres, or a matrix does not fit the device or the budget
 *          E_NOMEM  no memory
 * Owner    the caller, who passes it to glnn_kmeans_destroy before the context goes.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_kmeans_create(glnn_context *ctx, const glnn_kmeans_desc *desc,
                                        glnn_kmeans **out);

/* Destroys k-means. NULL does nothing. Thread: the context's own. Since 0.1 */
GLNN_API void glnn_kmeans_destroy(glnn_kmeans *kmeans);

/* The description that it was made from, defaults filled in; NULL for NULL.
 * Owner: `kmeans`. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_kmeans_desc *glnn_kmeans_get_desc(const glnn_kmeans *kmeans);

/* How many centres there are: those of all classes. 0 for NULL. Since 0.1 */
GLNN_API int glnn_kmeans_get_count(const glnn_kmeans *kmeans);

/* Draws the centres by desc.init, and forgets those that were there. Where a class has fewer
 * different samples than centres, some centres are equal, and all but one of equal centres stay
 * without samples; where it has fewer samples than centres, the log has a warning.
 *
 * Numbers  seeded: equal bits for equal data, seed, device and device profile (glnn/context.h).
 * Passes   PLUS_PLUS two a centre (of a class), each time followed by a wait: the CPU draws. One
 *          wait more reads the centres, to find their offset (glnn_kmeans_set_centres).
 * Errors   E_ARG a null argument, a data set of another context; E_SHAPE other features or classes,
 *          fewer samples than centres without classes, or a class without samples: the sentence
 *          has the numbers; E_STATE classes, but a data set without labels; E_NOMEM, E_LIMIT, E_GL
 *          as the operations
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_kmeans_initialise(glnn_kmeans *kmeans, const glnn_dataset *data);

/* Trains on a data set, after glnn_kmeans_initialise where there are no centres yet.
 *
 * Formula  desc.batch 0 or negative: Lloyd's iteration. At the end of an epoch each centre becomes
 *          the mean of the samples that were nearest to it.
 *          desc.batch > 0: mini-batches. Sample x moves its centre by (x - centre) / n, n being the
 *          samples that have moved this centre so far, x included; all samples of a batch find
 *          their centres before any of them moves. (Sculley 2010)
 *          After an epoch in which a centre had no samples, the next looks for the sample that is
 *          farthest from its centre (of the same class; ties: the first to come). If it is not on
 *          its centre, it becomes the new place of that centre, whose size starts from 0. Several
 *          such centres go to the farthest samples in turn.
 * Reports  epochs 0: 100. The loss is the error of the samples as they met the centres, so Lloyd's
 *          first loss is that of the centres it starts from; the accuracy is the share of samples
 *          whose nearest centre is of their class, 0 without classes. The kind of schedule is not
 *          used, and a rate is refused.
 * Numbers  the same seeds, data, layout, device and device profile give the same centres, bit for
 *          bit.
 * Passes   an offset takes one more for each list of passes; in a step no wait, texture or program
 *          after the first; an epoch's end waits once, and
 *          a search for far samples waits once for each list of passes.
 * Errors   as glnn_kmeans_initialise; E_ARG a number of `desc` out of range; E_DIVERGED a squared
 *          distance overflows
 * Owner    `desc` NULL stands for the defaults; `result` may be NULL.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_kmeans_train(glnn_kmeans *kmeans, const glnn_dataset *data,
                                       const glnn_train_desc *desc, glnn_train_result *result);

/* Creates a trainer, which makes the steps of glnn_kmeans_train by a loop of the program's own
 * (glnn/trainer.h). Centres are initialised here if there are none yet.
 * Errors: as glnn_kmeans_train before its first step; E_ARG `out` is null; E_STATE another trainer
 * trains the centres. Owner: the caller, who passes *out to glnn_trainer_destroy before the data
 * sets and the context go; on failure *out is null. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_kmeans_trainer_create(glnn_kmeans *kmeans, const glnn_dataset *data,
                                                const glnn_train_desc *desc, glnn_trainer **out);

/* Measures the centres on a data set without changing them.
 *
 * Formula  the loss is the mean squared distance to the nearest centre (with classes and labels: of
 *          the sample's class), the accuracy the share of samples whose nearest centre is of their
 *          class (0 without classes or labels). confusion[label * classes + predicted] counts
 *          samples.
 * Errors   E_ARG a null `kmeans` or data set, or one of another context; E_SHAPE other features or
 *          classes; E_STATE no centres yet, or `confusion` without classes or labels; E_DIVERGED a
 *          squared distance overflows
 * Owner    metrics and confusion (classes x classes) are the caller's; each may be NULL.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_kmeans_evaluate(glnn_kmeans *kmeans, const glnn_dataset *data,
                                          glnn_metrics *metrics, int64_t *confusion);

/* The outputs of a sample: the classes, or the centres without classes. 0 for NULL. Since 0.2 */
GLNN_API int glnn_kmeans_get_outputs(const glnn_kmeans *kmeans);

/* Predicts samples.
 *
 * Formula  outputs: with classes, minus the squared distance to the nearest centre of each class;
 *          without, minus the squared distance to each centre. classes: the class of the nearest
 *          centre, or without classes its number (ties: the lowest number); -1 for a sample so far
 *          away that no distance is finite.
 * Shapes   inputs: samples x features, outputs: samples x glnn_kmeans_get_outputs, classes:
 *          samples; row-major, dense.
 * Numbers  as glnn_lvq_predict.
 * Errors   E_ARG a null `kmeans` or null inputs, outputs and classes both null, samples < 1, an
 *          input that is not finite: the sentence names sample and feature; E_STATE no centres yet;
 *          E_DIVERGED a squared distance that an output needs is not finite: the sentence names the
 *          sample; E_NOMEM, E_LIMIT, E_GL
 * Owner    the arrays are the caller's; outputs or classes may be NULL.
 * Thread   the context's own.   Since 0.2 */
GLNN_API glnn_status glnn_kmeans_predict(glnn_kmeans *kmeans, int64_t samples, const float *inputs,
                                         float *outputs, int *classes);

/* Finds the k nearest centres of each sample, nearest first (ties: the lowest number first), and
 * the squared distances to them.
 *
 * Shapes   inputs: samples x features; centres and distances: samples x k; row-major, dense.
 * Numbers  the nearest by inner products: another centre is named only where its distance is within
 *          (features + 8) 2^-23 (|x| + |centre|)^2 of the least, both less the offset where there
 *          is one (glnn_kmeans_set_centres). Distances are summed from differences: |error| <=
 *          (features + 4) 2^-24 distance. With k = 1, a sample so far away that no distance is
 *          finite has centre -1 and an infinite distance.
 * Passes   as glnn_lvq_find_nearest.
 * Errors   as glnn_kmeans_predict; E_ARG centres and distances both null, or k outside 1 ..
 *          glnn_kmeans_get_count; E_DIVERGED k > 1 and a distance is not finite: the sentence names
 *          the sample
 * Owner    the arrays are the caller's; centres or distances may be NULL.
 * Thread   the context's own.   Since 0.2 */
GLNN_API glnn_status glnn_kmeans_find_nearest(glnn_kmeans *kmeans, int64_t samples,
                                              const float *inputs, int k, int *centres,
                                              float *distances);

/* Reads or sets the centres (glnn_kmeans_get_count x features, row-major, dense). Setting them
 * initialises
 * them, and lets mini-batches count from 0.
 *
 * Where the centres lie far from 0 against the distances between them, an offset is taken from
 * samples and centres before they are compared, as glnn_lvq_set_prototypes describes: it is found
 * when centres are set or initialised. All functions take and give the caller's coordinates.
 *
 * Errors: E_ARG a null argument, a coordinate that is no finite number; E_STATE reading without
 * centres; E_GL. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_kmeans_get_centres(const glnn_kmeans *kmeans, float *centres);
GLNN_API glnn_status glnn_kmeans_set_centres(glnn_kmeans *kmeans, const float *centres);

/* Reads or sets how many samples each centre stands for (glnn_kmeans_get_count): those of the
 * latest
 * epoch with Lloyd's iteration, those of all so far with mini-batches, which go on from there.
 * Errors: E_ARG a null argument, a count that is negative or not finite; E_STATE no centres yet;
 * E_GL. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_kmeans_get_sizes(const glnn_kmeans *kmeans, float *sizes);
GLNN_API glnn_status glnn_kmeans_set_sizes(glnn_kmeans *kmeans, const float *sizes);

/* Sets how raw samples are prepared: a copy is kept, and saved with the learner. NULL or an empty
 * preparation removes it. Results do not depend on it. Errors: E_ARG a null `kmeans`; as
 * glnn_preparation_copy; E_SHAPE it makes another count of inputs than k-means has features, names
 * another count of classes, or has targets. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_kmeans_set_preparation(glnn_kmeans *kmeans,
                                                 const glnn_preparation *preparation);

/* The preparation that was set, or loaded with the learner; NULL: there is none.
 * Owner: the learner, until another one is set. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_preparation *glnn_kmeans_get_preparation(const glnn_kmeans *kmeans);

/* Writes "centres" (count x features) and "sizes" (count) as safetensors, and the description but
 * for initialisation, search and tolerance; the preparation follows, as glnn/preparation.h says.
 * Errors: as glnn_safetensors_write and glnn_kmeans_get_centres. Thread: the context's own.
 * Since 0.1 */
GLNN_API glnn_status glnn_kmeans_save(const glnn_kmeans *kmeans, const char *path);

/* Creates k-means from a file that glnn_kmeans_save wrote.
 * `desc` NULL means the defaults.
 * Errors: as glnn_safetensors_read and glnn_kmeans_create; E_FORMAT the file holds no k-means or
 * one that cannot be, an array is missing or holds what cannot be; E_SHAPE an array has other sizes
 * than the description says.
 * Owner: the caller, who passes *out to glnn_kmeans_destroy; on failure *out is null.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_kmeans_load(glnn_context *ctx, const char *path,
                                      const glnn_load_desc *desc, glnn_kmeans **out);

/* Reads centres and sizes from a file into a k-means that exists, which keeps the other
 * numbers of its description and its preparation. Nothing is changed unless all of it fits.
 * Errors: as glnn_kmeans_load; E_SHAPE the file has other centres, features or classes:
 * the sentence has both. Thread: the context's own. Since 0.2 */
GLNN_API glnn_status glnn_kmeans_load_parameters(glnn_kmeans *kmeans, const char *path);

#ifdef __cplusplus
}
#endif
#endif
