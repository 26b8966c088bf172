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
 *  ### Start and training
 *
 *  glnn_learner_initialise() draws the centres from a data set, as glnn_kmeans_desc::init says, and
 *  sets their sizes to 0. It fails with GLNN_E_SHAPE if there are fewer samples than centres
 *  without classes, or if a class has no samples. If a class has fewer different samples than
 *  centres, some centres are equal, and all but one of the equal ones stay without samples. If it
 *  has fewer samples than centres, the library also logs a warning. PLUS_PLUS takes two passes for
 *  each centre (of a class), and a wait after them, because the CPU draws. The passes compare all
 *  candidates with all samples that centres are drawn from, so the time is proportional to the
 *  number of candidates.
 *
 *  With the full batch, which is the default, training is Lloyd's iteration: at the end of an epoch
 *  each centre becomes the mean of the samples that were nearest to it. With smaller batches
 *  (Sculley 2010), a sample x moves its centre m by (x - m) / n, where n counts the samples that
 *  have moved this centre so far, x included. All samples of a batch find their centres before any
 *  centre moves. Further runs (glnn_kmeans_desc::restarts) draw centres anew.
 *
 *  After an epoch in which a centre had no samples, the next epoch looks for the sample that is
 *  farthest from its centre, within the same class. Unless its distance is 0, the empty centre
 *  moves there, and its size becomes 0. Several empty centres take the farthest samples in turn.
 *  Training fails with GLNN_E_DIVERGED if a squared distance overflows.
 *
 *  A step neither waits nor makes textures. The end of an epoch waits once. A search for far
 *  samples waits once for each list of passes.
 *
 *  ### Loss, outputs and classes
 *
 *  The loss is the mean squared distance to the nearest centre, of the class of the sample if there
 *  are classes and labels; that of a report is the error before the centres moved. The accuracy is
 *  the share of samples whose nearest centre is of their class, 0 without classes or labels.
 *
 *  With classes, the output of a class is minus the squared distance to its nearest centre. Without
 *  classes, each centre has an output. The class of a sample is that of the nearest centre, or
 *  without classes the number of that centre. Of equally near centres the lowest number counts. The
 *  class is -1 if the sample is so far away that no distance is finite. Predicting the outputs of
 *  such a sample fails with GLNN_E_DIVERGED. Outputs are as exact as those of LVQ (glnn/lvq.h).
 *
 *  ### Tensors
 *
 *      tensor    shape              role
 *      centres   count x features   parameter
 *      sizes     count              parameter
 *
 *  There are none before glnn_learner_initialise(), training, or glnn_learner_set_tensor() of the
 *  centres; reading them, or setting sizes, then fails with GLNN_E_STATE. The size of a centre is
 *  how many samples belonged to it in the latest epoch of Lloyd's iteration, or in all mini-batches
 *  so far. Mini-batches continue from the sizes, which may not be negative. Setting centres sets
 *  the sizes to 0.
 *
 *  If the centres lie far from 0, the library uses an @ref lvq_offset "offset". The matrix of the
 *  centres (glnn_learner_get_tensor_matrix()) is relative to it. That of the sizes is count x 1.
 *
 *  ### Files
 *
 *  A file has the tensors. The description is in the metadata, without `init`, `init_samples`,
 *  `restarts`, `tolerance`, `search` and `seed`. glnn_learner_load_parameters() loads centres and
 *  sizes; the file must have the same features, centres and classes.
 *
 *  The functions that all learners have stand in glnn/learner.h and glnn/train.h. */
#ifndef GLNN_KMEANS_H
#define GLNN_KMEANS_H

#include <glnn/nearest.h>
#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

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
     * counts epochs of all runs. At most 1000000; 0: none. @since 0.2 */
    int restarts;

    /** Training ends with an epoch whose error is less than this share below that of the epoch
     * before. 0: 1e-4. Negative: never. */
    float tolerance;
    glnn_search search; /**< how the nearest centres are found; 0: AUTO                          */
    glnn_layout layout; /**< of centres and batches; 0: AUTO                                     */
    int capacity;       /**< most samples in one list of passes; 0: 1024                         */
    uint64_t seed;      /**< of the first centres                                                */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_kmeans_desc;

/** Creates k-means without centres.
 *
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_LIMIT: there are more than 2^24 centres.
 * @owner  the caller, who passes it to glnn_learner_destroy().
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_kmeans_create(glnn_context *ctx, const glnn_kmeans_desc *desc,
                                        glnn_learner **out);

/** The description with the defaults filled in; NULL for NULL.
 *
 * @owner  the learner.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_kmeans_desc *glnn_kmeans_get_desc(const glnn_learner *learner);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
