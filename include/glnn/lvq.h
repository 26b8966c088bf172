/* glnn/lvq.h - learning vector quantisation: classifiers made of labelled prototypes
 *
 * A sample x belongs to the class of the prototype m that is nearest to it; d(x, m) is the squared
 * distance. Every kind draws prototypes towards samples of their class and pushes them away from
 * others. Everything that a step needs stays on the GPU.
 *
 * Below, y is the class of x; c the nearest prototype of that class and r the nearest of any other;
 * d_c and d_r their distances; rate the learning rate of the schedule; V the `scale`, which makes
 * rates free of the data's units: they mean the same for every data set.
 *
 *   GLVQ    Descends l = 1 / (1 + exp(-xi f)) with f = (d_c - d_r) / (d_c + d_r):
 *             m_c += rate V 4 xi l (1 - l) d_r / (d_c + d_r)^2 (x - m_c)
 *             m_r -= rate V 4 xi l (1 - l) d_c / (d_c + d_r)^2 (x - m_r)
 *           where d_c + d_r = 0, nothing moves and l = 1/2. (Sato, Yamada 1996)
 *   GRLVQ   The same with d = sum_j w_j (x_j - m_j)^2. Prototypes move by w_j times what is above,
 *             w_j -= rate metric_rate / D dl/dw_j             (D features)
 *           after which negative relevances become 0 and their sum 1. (Hammer, Villmann 2002)
 *   GMLVQ   The same with d = |Omega (x - m)|^2. Prototypes move by Omega' Omega times what is
 *             above, Omega -= rate metric_rate / sqrt(D) dl/dOmega
 *           after which Omega is scaled to trace(Omega' Omega) = 1. (Schneider, Biehl, Hammer 2009)
 *   RSLVQ   Ascends log p(x, y) / p(x) of a mixture of Gaussians of variance sigma^2, one a
 *           prototype and all of the same weight. P_p is prototype p's share of p(x), Q_p its share
 *           of p(x, y), which is 0 for other classes:
 *             m_p += rate (Q_p - P_p) (x - m_p)         (Seo, Obermayer 2003)
 *   LVQ1    The nearest prototype moves by rate (x - m) if its class is y, by -rate (x - m) if not.
 *   OLVQ1   LVQ1 with a rate a_p of each prototype's own, which starts at the schedule's rate. A
 *           sample that p wins first changes it, a_p = a_p / (1 + s a_p), s = 1 if p's class is y,
 *           -1 if not, but never beyond the schedule's rate; then p moves by s a_p (x - m). A
 *           prototype that wins as many wrong samples as right ones keeps the rate of the start,
 *           which therefore has to suit LVQ1, too.
 *   LVQ2.1  Of the two nearest prototypes one is of class y and the other is not, and x lies in the
 *           window, d_1 / d_2 > ((1 - window) / (1 + window))^2: the first moves by rate (x - m),
 *           the other by -rate (x - m).
 *   LVQ3    LVQ2.1, and where both are of class y, both move by epsilon rate (x - m).
 *           (LVQ1 to LVQ3: Kohonen, Self-Organizing Maps)
 *
 * The loss is the mean of l for GLVQ, GRLVQ and GMLVQ, of -log p(x, y) / p(x) for RSLVQ, and the
 * share of samples classified wrong for the others.
 *
 * Batches. All samples of a batch meet the prototypes as they were before it, and what they add to
 * a prototype is summed in the order of the samples, not averaged: a batch does what its samples
 * would do one after another, as long as prototypes move little. Let A be the sum of the absolute
 * factors in front of the (x - m). If A is more than 1, the move is divided by it, so that a large
 * batch cannot carry a prototype beyond the samples that draw it. The changes of relevances and
 * Omega are summed too, and multiplied by 128 / B in a batch of B > 128 samples.
 *
 * Repulsion. Let P be the sum of a prototype's positive factors in a batch and u the mean of their
 * samples, weighted by them; N and v the same of the negative factors, as absolute values. Without
 * a limit the move is
 *   P (u - m) - N (v - m)  =  P (u - v) + (N - P) (m - v).
 * The first term does not depend on m and is shorter than the data are wide. The second, where N >
 * P, grows with the distance between prototype and samples, and so does the prototype's next move.
 * One sample after another, a prototype that is pushed away soon wins none of these samples; in a
 * batch it cannot lose them. LVQ1, OLVQ1, LVQ2.1 and LVQ3 therefore reduce N in a batch to P + rate
 * where it is more, before the division by A, so that N - P <= rate: all samples of a batch
 * together push a prototype out by no more than one of them would. A batch of one sample is never
 * limited. It follows that a move is no longer than the greater of |u - m| and |v - m|, and than |u
 * - v| / 2 + rate |v - m| where N >= P. The other kinds need no such limit: their repulsion fades
 * with the distance. */
#ifndef GLNN_LVQ_H
#define GLNN_LVQ_H

#include <glnn/nearest.h>
#include <glnn/preparation.h>
#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glnn_lvq glnn_lvq;

typedef enum glnn_lvq_kind {
    GLNN_LVQ_GLVQ = 0,
    GLNN_LVQ_GRLVQ,
    GLNN_LVQ_GMLVQ,
    GLNN_LVQ_RSLVQ,
    GLNN_LVQ_LVQ1,
    GLNN_LVQ_OLVQ1,
    GLNN_LVQ_LVQ21,
    GLNN_LVQ_LVQ3,
    GLNN_LVQ_KIND_COUNT
} glnn_lvq_kind;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_lvq_kind_name(glnn_lvq_kind value);
GLNN_API glnn_status glnn_lvq_kind_from_name(const char *name, glnn_lvq_kind *out);

/* Where glnn_lvq_initialise puts the prototypes of a class. */
typedef enum glnn_lvq_init {
    GLNN_LVQ_INIT_AUTO =
        0,                /* MEANS for classes of one prototype, KMEANS for the others           */
    GLNN_LVQ_INIT_MEANS,  /* the mean of the class, plus a small random part where it has several */
    GLNN_LVQ_INIT_KMEANS, /* k-means within the class, from random samples of it                 */
    GLNN_LVQ_INIT_SAMPLES, /* random samples of the class                                         */
    GLNN_LVQ_INIT_COUNT
} glnn_lvq_init;

/* The name of an enumerator in lower case, as files and command lines spell it; "unknown" for
 * another number. And the enumerator of a name: E_ARG a null argument or an unknown name, where the
 * sentence lists all. Owner: the library, static. Thread: any. Since 0.2 */
GLNN_API const char *glnn_lvq_init_name(glnn_lvq_init value);
GLNN_API glnn_status glnn_lvq_init_from_name(const char *name, glnn_lvq_init *out);

/* Describes a classifier. Zeros mean the defaults, but features and classes have none. */
typedef struct glnn_lvq_desc {
    glnn_lvq_kind kind;
    int features;             /* >= 1                                                         */
    int classes;              /* >= 1                                                         */
    int prototypes;           /* of each class; 0: 1                                          */
    const int *prototypes_of; /* of class i, >= 0, for classes that differ; NULL: as above.
                                 glnn_lvq_create copies it                                    */
    glnn_lvq_init init;
    int kmeans_steps;   /* of INIT_KMEANS, at most 1000; 0: 5                           */
    float xi;           /* GLVQ, GRLVQ, GMLVQ: steepness of the loss, > 0; 0: 20        */
    float xi_growth;    /* added to xi per epoch, a little with each step; 0: none      */
    float window;       /* LVQ2.1, LVQ3: in (0, 1); 0: 0.3                              */
    float epsilon;      /* LVQ3: in (0, 1]; 0: 0.2                                      */
    float sigma;        /* RSLVQ: > 0; 0: found from the data, see glnn_lvq_initialise  */
    float scale;        /* V above, > 0; 1: plain gradients; 0: found from the data     */
    int rank;           /* GMLVQ: rows of Omega, 1 .. features; 0: features             */
    float metric_rate;  /* GRLVQ, GMLVQ: see above, > 0; 0: 1 with GRLVQ, 0.05 with GMLVQ */
    glnn_search search; /* how the nearest are found                                    */
    glnn_layout layout; /* of prototypes and batches; 0: AUTO                           */
    int capacity;       /* most samples in one list of passes: larger batches are
                                summed over several; 0: 1024                                 */
    uint64_t seed;      /* of the initial prototypes and of a random Omega              */
} glnn_lvq_desc;

/* Creates a classifier without prototypes: training initialises them. Relevances start equal; Omega
 * starts as the identity where its rank is full, else with seeded normal numbers, and is scaled.
 *
 * Errors   E_ARG    a null argument, a count out of range, no prototype at all, an unknown choice,
 *                   a number out of its range
 *          E_LIMIT  more than 2^24 prototypes, or a matrix does not fit the device or the budget
 *          E_NOMEM  no memory
 * Owner    the caller, who passes it to glnn_lvq_destroy before the context goes.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_lvq_create(glnn_context *ctx, const glnn_lvq_desc *desc, glnn_lvq **out);

/* Destroys a classifier. NULL does nothing. Thread: the context's own. Since 0.1 */
GLNN_API void glnn_lvq_destroy(glnn_lvq *lvq);

/* The description that the classifier was made from, defaults filled in, with the scale and sigma
 * that were found once they are; NULL for NULL.
 * Owner: the classifier, prototypes_of included. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_lvq_desc *glnn_lvq_get_desc(const glnn_lvq *lvq);

/* How many prototypes there are in all; 0 for NULL. Thread: the context's own. Since 0.1 */
GLNN_API int glnn_lvq_get_count(const glnn_lvq *lvq);

/* Places the prototypes by the samples of their classes, as desc.init says, and starts relevances,
 * Omega, OLVQ1's rates and the count of epochs afresh. A desc.scale of 0 becomes the mean squared
 * distance of samples from the mean of all, taken over at most 4096 samples spread evenly; a
 * desc.sigma of 0 then becomes sqrt(scale) / 8. A class with fewer samples than prototypes gets
 * repeated samples, and a class without samples the mean of all samples, each with a small random
 * part added, and the log has a warning.
 *
 * Numbers  seeded: equal bits for equal data, seed, layout, device and device profile
 *          (glnn/context.h). K-means looks at no more than 32 samples a prototype of a class.
 * Errors   E_ARG a null argument, a data set of another context; E_SHAPE other features or classes
 *          than the classifier; E_STATE a data set without labels; E_NOMEM, E_LIMIT, E_GL
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_lvq_initialise(glnn_lvq *lvq, const glnn_dataset *data);

/* Trains on a data set with labels. It starts from the prototypes as they
 * are; where there are none yet, as glnn_lvq_initialise places them.
 *
 * Rate     a schedule's rate of 0 stands for 0.01 with RSLVQ and OLVQ1, else 0.005. A rate that
 *          falls to 0 (GLNN_SCHEDULE_LINEAR) ends better than a constant one, and may start higher.
 * Start    LVQ1 to LVQ3 can end below their start where classes overlap: glnn_lvq_evaluate tells
 *          the accuracy before training, and desc->restore_best keeps the best epoch.
 * Numbers  the same seed, data, layout, device and device profile give the same prototypes, bit for
 *          bit.
 * Offset   where glnn_lvq_set_prototypes has found one, samples are taken relative to it.
 * Passes   a step of one sample takes 6, with few classes and features; 13 with GRLVQ, 19 with
 *          GMLVQ, 8 with RSLVQ and OLVQ1. From 16 samples on norms take one more, more than 16 take
 *          two more to link those of a prototype, and more than 64 a third, but none of these with
 *          RSLVQ. Many prototypes or a long inner dimension take one or two more each, an offset
 *          takes one more. A batch larger than the capacity takes a list for each part of it. No
 *          wait, texture or program in a step after the first. The end of an epoch waits once; with
 *          LVQ1, OLVQ1, LVQ2.1 and LVQ3 once more, to read the prototypes.
 * Errors   E_ARG       a null argument, a number out of range, a data set of another context
 *          E_SHAPE     features or classes of a data set are not the classifier's
 *          E_STATE     a data set without labels
 *          E_DIVERGED  the loss is not finite, as in glnn_network_train; or a prototype of LVQ1,
 *                      OLVQ1, LVQ2.1 or LVQ3 has left the data by the end of an epoch: it is more
 *                      than 1000 times as far from the mean of the samples as these are (root mean
 *                      square over at most 4096 of them) and as any prototype was at the start. The
 *                      sentence names epoch, prototype, distances and limit
 *          E_LIMIT, E_NOMEM, E_GL  as the operations
 * Owner    `desc` NULL stands for the defaults; `result` may be NULL.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_lvq_train(glnn_lvq *lvq, const glnn_dataset *data,
                                    const glnn_train_desc *desc, glnn_train_result *result);

/* Creates a trainer, which makes the steps of glnn_lvq_train by a loop of the program's own
 * (glnn/trainer.h).
 * Errors: as glnn_lvq_train before its first step; E_ARG `out` is null; E_STATE another trainer
 * trains the classifier. Owner: the caller, who passes *out to glnn_trainer_destroy before the data
 * sets and the context go; on failure *out is null. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_lvq_trainer_create(glnn_lvq *lvq, const glnn_dataset *data,
                                             const glnn_train_desc *desc, glnn_trainer **out);

/* Measures the classifier on a data set without changing it.
 *
 * Formula  the loss is the mean loss, the accuracy the share of samples whose nearest prototype has
 *          their class (ties: the prototype of the lowest index). confusion[label * classes +
 *          predicted] counts samples.
 * Errors   as glnn_lvq_train; E_DIVERGED the loss is not finite, whether it is asked for or not
 * Owner    metrics and confusion (classes x classes) are the caller's; each may be NULL.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_lvq_evaluate(glnn_lvq *lvq, const glnn_dataset *data,
                                       glnn_metrics *metrics, int64_t *confusion);

/* The outputs of a sample: the classes. 0 for NULL. Since 0.2 */
GLNN_API int glnn_lvq_get_outputs(const glnn_lvq *lvq);

/* Predicts samples.
 *
 * Formula  outputs: a score of each class, minus the squared distance to the nearest prototype of
 *          the class in the learnt metric (minus infinity without prototypes), or with RSLVQ the
 *          posterior probability of the class. classes: the class of the nearest prototype (ties:
 *          the prototype of the lowest number); -1 for a sample so far away that no distance is
 *          finite.
 * Shapes   inputs: samples x features, outputs: samples x classes, classes: samples; row-major,
 *          dense.
 * Numbers  outputs are found from inner products: |error| <= (D + 8) 2^-22 (|x| + |m|)^2, D being
 *          the features and |x| and |m| Euclidean norms, less the offset where there is one
 *          (glnn_lvq_set_prototypes).
 * Errors   E_ARG a null classifier or null inputs, outputs and classes both null, samples < 1, an
 *          input that is not finite: the sentence names sample and feature; E_STATE no
 *          prototypes yet, or outputs of RSLVQ before its sigma is known; E_DIVERGED a score of a
 *          class that has prototypes is not finite: the sentence names class and sample; or a
 *          prototype or the metric holds a number that is not finite: the sentence names it;
 *          E_NOMEM, E_LIMIT, E_GL
 * Owner    the arrays are the caller's; outputs or classes may be NULL.
 * Thread   the context's own.   Since 0.2 */
GLNN_API glnn_status glnn_lvq_predict(glnn_lvq *lvq, int64_t samples, const float *inputs,
                                      float *outputs, int *classes);

/* Finds the k nearest prototypes of each sample, nearest first (ties: the lowest number first), and
 * the squared distances to them in the learnt metric.
 *
 * Shapes   inputs: samples x features; prototypes and distances: samples x k; row-major, dense.
 * Numbers  distances are found from the differences of sample and prototype (GMLVQ: of their images
 *          under Omega): |error| <= (D / 4 + 6) 2^-24 distance. Which prototypes are listed is
 *          found from inner products, as in glnn_lvq_predict. With k = 1, a sample so far away that
 *          no distance is finite has prototype -1 and an infinite distance.
 * Passes   k = 1: a search. Else a search for every two, after which the CPU waits.
 * Errors   as glnn_lvq_predict; E_ARG prototypes and distances both null, or k outside 1 ..
 *          glnn_lvq_get_count; E_DIVERGED k > 1 and a distance is not finite: the sentence names
 *          the sample
 * Owner    the arrays are the caller's; prototypes or distances may be NULL.
 * Thread   the context's own.   Since 0.2 */
GLNN_API glnn_status glnn_lvq_find_nearest(glnn_lvq *lvq, int64_t samples, const float *inputs,
                                           int k, int *prototypes, float *distances);

/* Reads the prototypes (glnn_lvq_get_count x features, row-major, dense) and their classes
 * (glnn_lvq_get_count); a null pointer leaves that part out. As initialised, the prototypes of
 * class 0
 * come first, then those of class 1, and so on.
 * Errors: E_ARG a null classifier; E_STATE no prototypes yet; E_GL.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_lvq_get_prototypes(const glnn_lvq *lvq, float *prototypes, int *classes);

/* Sets the prototypes, which also stands for glnn_lvq_initialise: what that would have found from
 * the data (scale, sigma) the first training does. `classes` NULL keeps the classes as they are.
 *
 * Features that all lie far from 0 would cost float32 the differences between distances. So where
 * the squared mean of the prototypes is more than 1024 times their mean squared distance from it,
 * it becomes an offset, which is taken from samples and prototypes before they are compared; a
 * feature whose own squared mean is less than 16 times its variance is left out. All functions take
 * and give the caller's coordinates. The offset is found again each time that prototypes are set,
 * which glnn_lvq_initialise and glnn_lvq_load do too, and training does not change it. Prototypes
 * of which no feature is below half or above twice the offset come back as they were set.
 *
 * Errors: E_ARG a null classifier or null prototypes, a class outside [0, classes), a prototype
 * with a coordinate that is no finite number; E_GL. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_lvq_set_prototypes(glnn_lvq *lvq, const float *prototypes,
                                             const int *classes);

/* Reads or writes the relevances (features): GRLVQ's w, and read only for the other kinds, the
 * diagonal of Omega' Omega with GMLVQ, else ones. What is written is scaled
 * to a sum of 1 where that is off by more than 1e-4.
 * Errors: E_ARG a null argument; writing: another kind than GRLVQ, a relevance that is negative or
 * no number, or none above 0; E_GL. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_lvq_get_relevances(const glnn_lvq *lvq, float *relevances);
GLNN_API glnn_status glnn_lvq_set_relevances(glnn_lvq *lvq, const float *relevances);

/* Reads or writes GMLVQ's Omega (rank x features, row-major, dense). What is written is scaled to
 * trace(Omega' Omega) = 1 where that is off by more than 1e-4.
 * Errors: E_ARG a null argument, another kind than GMLVQ; writing: an element that is no finite
 * number, or all zero; E_GL. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_lvq_get_omega(const glnn_lvq *lvq, float *omega);
GLNN_API glnn_status glnn_lvq_set_omega(glnn_lvq *lvq, const float *omega);

/* Reads or writes the rates of OLVQ1's prototypes (glnn_lvq_get_count); 0 stands for one that has
 * not
 * won yet. Errors: E_ARG a null argument, another kind than OLVQ1; writing: a rate outside [0, 1);
 * E_GL. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_lvq_get_rates(const glnn_lvq *lvq, float *rates);
GLNN_API glnn_status glnn_lvq_set_rates(glnn_lvq *lvq, const float *rates);

/* The epochs trained so far, with the part of one under way, by which xi has grown. 0 for NULL.
 * Errors: E_ARG a null classifier, epochs negative or not finite. Since 0.1 */
GLNN_API double glnn_lvq_get_epochs(const glnn_lvq *lvq);
GLNN_API glnn_status glnn_lvq_set_epochs(glnn_lvq *lvq, double epochs);

/* Sets how raw samples are prepared: a copy is kept, and saved with the learner. NULL or an empty
 * preparation removes it. Results do not depend on it. Errors: E_ARG a null classifier; as
 * glnn_preparation_copy; E_SHAPE it makes another count of inputs than the classifier has
 * features, names another count of classes, or has targets. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_lvq_set_preparation(glnn_lvq *lvq, const glnn_preparation *preparation);

/* The preparation that was set, or loaded with the learner; NULL: there is none.
 * Owner: the learner, until another one is set. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_preparation *glnn_lvq_get_preparation(const glnn_lvq *lvq);

/* Writes a classifier as safetensors: "prototypes" (count x features), "classes" (count), with
 * GRLVQ "relevances", with GMLVQ "omega", with OLVQ1 "rates", and the description in the metadata,
 * but for how the prototypes were initialised; the preparation follows, as glnn/preparation.h says.
 * Errors: as glnn_safetensors_write and glnn_lvq_get_prototypes; E_DIVERGED a number that is not
 * finite, and nothing is written. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_lvq_save(const glnn_lvq *lvq, const char *path);

/* Creates a classifier from a file that glnn_lvq_save wrote.
 * `desc` NULL means the defaults.
 * Errors: as glnn_safetensors_read and glnn_lvq_create; E_FORMAT the file holds no classifier or
 * one that cannot be, or an array is missing or holds what cannot be; E_SHAPE an array has other
 * sizes than the description says.
 * Owner: the caller, who passes *out to glnn_lvq_destroy; on failure *out is null.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_lvq_load(glnn_context *ctx, const char *path, const glnn_load_desc *desc,
                                   glnn_lvq **out);

/* Reads prototypes with their classes, metric, rates and epochs from a file into a classifier that
 * exists, which keeps the numbers of its description and its preparation. Nothing is changed unless
 * all of it fits.
 * Errors: as glnn_lvq_load; E_SHAPE the file's classifier is of another kind or has other counts of
 * features, classes, prototypes or rank: the sentence has both. Thread: the context's own.
 * Since 0.1 */
GLNN_API glnn_status glnn_lvq_load_parameters(glnn_lvq *lvq, const char *path);

#ifdef __cplusplus
}
#endif
#endif
