/** @file
 *  @ingroup glnn_learners
 *  @brief Learning vector quantisation: classifiers made of labelled prototypes.
 *
 *  A *prototype* is a point in the space of the samples, and it has a class. A sample belongs to
 *  the class of the nearest prototype. Training moves prototypes towards samples of their own class
 *  and away from samples of other classes.
 *
 *  The functions that all learners have stand in glnn/learner.h and glnn/train.h.
 *
 *  ### Notation
 *
 *  x is a sample and y its class. m is a prototype, and d(x, m) the squared distance between the
 *  two. c is the nearest prototype of class y, and r is the nearest prototype of any other class.
 *  Their distances are d_c and d_r. D is the number of features. *rate* is the learning rate of the
 *  schedule. V is glnn_lvq_desc::scale; it makes rates independent of the units of the data. The
 *  other names in formulas (xi, sigma, window, epsilon, metric_rate) are fields of ::glnn_lvq_desc.
 *
 *  ### Kinds that descend a margin
 *
 *  The relative difference f = (d_c - d_r) / (d_c + d_r) is negative if x is classified right. The
 *  loss l = 1 / (1 + exp(-xi f)) grows with it from 0 to 1, more steeply for a larger xi. If d_c
 *  and d_r are both 0, then l = 1/2 and nothing moves.
 *
 *  *GLVQ* (Sato, Yamada 1996) descends the gradient of l:
 *
 *      m_c += rate V 4 xi l (1 - l) d_r / (d_c + d_r)^2 (x - m_c)
 *      m_r -= rate V 4 xi l (1 - l) d_c / (d_c + d_r)^2 (x - m_r)
 *
 *  *GRLVQ* (Hammer, Villmann 2002) also learns a relevance w_j for each feature. The distance is
 *  d = sum_j w_j (x_j - m_j)^2, and prototypes move by w_j times the terms above. After each step
 *  negative relevances become 0, and the others are scaled to the sum 1:
 *
 *      w_j -= rate metric_rate / D dl/dw_j
 *
 *  *GMLVQ* (Schneider, Biehl, Hammer 2009) learns a matrix Omega with the distance
 *  d = |Omega (x - m)|^2. Prototypes move by Omega' Omega times the terms above. After each step
 *  Omega is scaled to trace(Omega' Omega) = 1:
 *
 *      Omega -= rate metric_rate / sqrt(D) dl/dOmega
 *
 *  ### The kind that ascends a likelihood
 *
 *  *RSLVQ* (Seo, Obermayer 2003) puts a Gaussian of variance sigma^2 at each prototype, all with
 *  the same weight. They sum to the density p(x), and those of class y to p(x, y). P_p is the share
 *  of prototype p in p(x). Q_p is its share in p(x, y), which is 0 for prototypes of other classes.
 *  The step ascends log(p(x, y) / p(x)):
 *
 *      m_p += rate (Q_p - P_p) (x - m_p)
 *
 *  ### Kinds that follow rules (Kohonen, Self-Organizing Maps)
 *
 *  *LVQ1* moves the nearest prototype by rate (x - m) if its class is y, and by -rate (x - m)
 *  otherwise.
 *
 *  *OLVQ1* gives each prototype a rate a_p of its own, which starts at the rate of the schedule and
 *  never exceeds it. Let s = 1 if the nearest prototype p has class y, and s = -1 otherwise. First
 *  a_p becomes a_p / (1 + s a_p), then p moves by s a_p (x - m). A prototype that is right as often
 *  as wrong keeps the first rate. Choose a rate that would also suit LVQ1; it must be below 1.
 *
 *  *LVQ2.1* looks at the two nearest prototypes, of the distances d_1 <= d_2. It moves them if
 *  exactly one of them has class y, and x lies in the window between them,
 *  d_1 / d_2 > ((1 - window) / (1 + window))^2. The prototype of class y then moves by
 *  rate (x - m), and the other by -rate (x - m).
 *
 *  *LVQ3* does the same. If both prototypes have class y, both move by epsilon rate (x - m).
 *
 *  ### The loss
 *
 *  It is the mean of l for GLVQ, GRLVQ and GMLVQ, and the mean of -log(p(x, y) / p(x)) for RSLVQ.
 *  For the other kinds it is the share of samples classified wrong.
 *
 *  ### Batches
 *
 *  All samples of a batch see the prototypes as they were before it. Their moves are summed, not
 *  averaged. A batch therefore does the same as its samples one after another, as long as the
 *  prototypes move little. Let A be the sum of the absolute factors before (x - m) of one
 *  prototype. If A is more than 1, the move is divided by A. Without this, a large batch would
 *  carry the prototype beyond the samples that attract it. Changes of relevances and Omega are
 *  summed too. In a batch of B > 128 samples they are multiplied by 128 / B.
 *
 *  Several processes (glnn/exchange.h) sum moves and changes over all samples of a batch before the
 *  prototypes move. With OLVQ1 they first tell one another which prototype each sample moves, since
 *  rates follow the samples in their order. A step of OLVQ1 is then one batch of at most `capacity`
 *  samples; training refuses larger ones with GLNN_E_ARG.
 *
 *  ### Repulsion
 *
 *  LVQ1, OLVQ1, LVQ2.1 and LVQ3 need a limit in batches. Consider one prototype m. Let P be the sum
 *  of its positive factors in a batch, and u the mean of their samples, weighted by the factors.
 *  Let N and v be the same for the negative factors, with N positive. Without a limit the move is
 *
 *      P (u - m) - N (v - m)  =  P (u - v) + (N - P) (m - v).
 *
 *  The first term on the right does not depend on m, and the data bound its length. The second term
 *  is an outward push if N > P. It grows with the distance of m from the samples, so that each move
 *  makes the next one longer. One sample after another this ends by itself, because a prototype
 *  that is pushed away soon is no longer the nearest one. Within a batch it stays the nearest one.
 *
 *  Therefore these kinds reduce N to P + rate if it is more, before the division by A. Then N - P
 *  is at most the rate: a batch pushes a prototype outwards no more than one of its samples would.
 *  A move is no longer than the greater of |u - m| and |v - m|. If N >= P, it is also no longer
 *  than |u - v| / 2 + rate |v - m|. A batch of one sample is never limited. The other kinds need no
 *  limit, because their repulsion decreases with the distance.
 *
 *  ### Start and training
 *
 *  glnn_learner_initialise() places the prototypes by the samples of their classes, as
 *  glnn_lvq_desc::init says. Relevances, Omega, the rates of OLVQ1 and the count of epochs start
 *  again. A scale of 0 becomes the mean squared distance of samples from their mean, over at most
 *  4096 samples. A sigma of 0 then becomes sqrt(scale) / 8. A class with fewer samples than
 *  prototypes uses samples several times, and a class without samples uses the mean of all samples,
 *  each time with a small random part. The library logs a warning in both cases. K-means uses at
 *  most 32 samples per prototype. If there are no prototypes, training does this by itself with all
 *  samples, also those of a validation split.
 *
 *  The default rate is 0.01 for RSLVQ and OLVQ1, and 0.005 for the other kinds. A rate that falls
 *  to 0 (GLNN_SCHEDULE_LINEAR) gives better results than a constant one, and can start higher.
 *  OLVQ1 refuses a rate of 1 or more with GLNN_E_ARG. LVQ1 to LVQ3 can become worse than their
 *  start if classes overlap; glnn_train_desc::restore_best keeps the best epoch. Training of LVQ1,
 *  OLVQ1, LVQ2.1 and LVQ3 fails with GLNN_E_DIVERGED if a prototype left the data at the end of an
 *  epoch. Its distance from the mean of the samples is then more than 1000 times as large as that
 *  of the samples (root mean square), and as that of any prototype before the training.
 *
 *  In the tier FULL (::glnn_tier), a step of one sample takes 2 passes, or 3 from 513 prototypes
 *  on; with GRLVQ it takes 12, with GMLVQ 18, with RSLVQ 8, with OLVQ1 7. A step of 2 or 3 samples
 *  takes 5 with the other kinds, and one of 4 to 15 samples takes 6. From 16 samples on there is
 *  one more for norms. Except with RSLVQ, more than 16 samples take two more, and more than 64 a
 *  third.
 *  Many prototypes or features and an offset add passes. The end of an epoch waits once, and with
 *  LVQ1 to LVQ3 once more.
 *
 *  ### Outputs and classes
 *
 *  The output of a class is minus the squared distance to its nearest prototype, in the learnt
 *  metric, and minus infinity without prototypes. With RSLVQ it is the posterior probability of the
 *  class. The class of a sample is that of the nearest prototype, and of equally near ones that
 *  with the lowest number. It is -1 if the sample is so far away that no distance is finite. The
 *  distances among the outputs of such a sample overflow, so predicting these outputs fails with
 *  GLNN_E_DIVERGED. Posteriors can still be finite. The accuracy is the share of samples of the
 *  right class. An evaluation finds the sigma of RSLVQ, or the scale of another kind, from its data
 *  set if it is not known yet. Outputs follow from inner products:
 *  |error| <= (D + 8) 2^-22 (|x| + |m|)^2. The norms are Euclidean, of x and m relative to the
 *  offset if there is one.
 *
 *  ### Tensors
 *
 *      tensor       kinds    shape              role
 *      prototypes   all      count x features   parameter
 *      classes      all      count              parameter
 *      relevances   GRLVQ    features           parameter
 *      omega        GMLVQ    rank x features    parameter
 *      rates        OLVQ1    count              parameter
 *      low          all      count x features   state; only with glnn_lvq_desc::two_parts
 *
 *  There are no prototypes before glnn_learner_initialise(), training, or
 *  glnn_learner_set_tensor(); reading prototypes and classes then fails with GLNN_E_STATE.
 *  glnn_lvq_desc::prototypes_of counts those of each class. They are ordered by class, from class 0
 *  on, unless `classes` was set. Its numbers must be whole and below glnn_lvq_desc::classes. With
 *  RSLVQ each class must keep a prototype. Set the prototypes first: finding them by samples orders
 *  the classes anew. The next training or evaluation after prototypes were set finds the scale, or
 *  with RSLVQ the sigma, that is not known yet.
 *
 *  Relevances may not be negative, and one must be above 0. They are scaled to the sum 1 if it is
 *  off by more than 1e-4, and the squares of `omega` are too. The relevance of a feature for GMLVQ
 *  is the sum of the squares of its column of Omega. A rate is in [0, 1); 0 means that the
 *  prototype was never the nearest.
 *
 *  The matrices (glnn_learner_get_tensor_matrix()) have the same shapes, those of vectors with one
 *  row. That of `prototypes` is relative to the offset, and that of `relevances` has square roots.
 *
 *  @anchor lvq_offset
 *  ### Offset
 *
 *  If all features lie far from 0, float32 would lose the differences between distances. Therefore
 *  the library subtracts an *offset* from samples and prototypes before it compares them. The
 *  offset is the mean of the prototypes. It is used if its square is more than 1024 times the mean
 *  squared distance of the prototypes from it. A feature is left out if the square of its mean is
 *  less than 16 times its variance. All functions still take and return the caller's coordinates.
 *  The offset is found whenever prototypes are set, initialised or loaded; training does not change
 *  it. Prototypes whose features are all between half and twice the offset keep their bits.
 *
 *  ### Files
 *
 *  A file has the tensors. The description is in the metadata, without `init`, `kmeans_steps` and
 *  `search`. glnn_learner_load_parameters() loads the tensors and the epochs; the file must have
 *  the same kind, features, classes, number of prototypes and rank. */
#ifndef GLNN_LVQ_H
#define GLNN_LVQ_H

#include <glnn/nearest.h>
#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** The rule by which prototypes move; the head of glnn/lvq.h has the formulas. */
typedef enum glnn_lvq_kind {
    GLNN_LVQ_GLVQ = 0, /**< descends a margin                         */
    GLNN_LVQ_GRLVQ,    /**< GLVQ with a relevance for each feature    */
    GLNN_LVQ_GMLVQ,    /**< GLVQ with a matrix as metric              */
    GLNN_LVQ_RSLVQ,    /**< ascends a likelihood                      */
    GLNN_LVQ_LVQ1,     /**< moves the nearest prototype               */
    GLNN_LVQ_OLVQ1,    /**< LVQ1 with a rate for each prototype       */
    GLNN_LVQ_LVQ21,    /**< moves the two nearest, within a window    */
    GLNN_LVQ_LVQ3,     /**< LVQ2.1, and moves two of the same class   */
    GLNN_LVQ_KIND_COUNT
} glnn_lvq_kind;

/** The name of a kind: "glvq", "grlvq", "gmlvq", "rslvq", "lvq1", "olvq1", "lvq2.1", "lvq3".
 * @since 0.1 */
GLNN_API const char *glnn_lvq_kind_name(glnn_lvq_kind kind);

/** The kind with a name. @since 0.2 */
GLNN_API glnn_status glnn_lvq_kind_from_name(const char *name, glnn_lvq_kind *out);

/** Where the prototypes of a class start. */
typedef enum glnn_lvq_init {
    GLNN_LVQ_INIT_AUTO = 0, /**< MEANS if each class has one prototype at most, otherwise KMEANS */
    GLNN_LVQ_INIT_MEANS,    /**< the mean of the class; several get a small random part each     */
    GLNN_LVQ_INIT_KMEANS,   /**< k-means within the class, from random samples of it             */
    GLNN_LVQ_INIT_SAMPLES,  /**< random samples of the class                                     */
    GLNN_LVQ_INIT_COUNT
} glnn_lvq_init;

/** The name of a start: "auto", "means", "kmeans", "samples". @since 0.2 */
GLNN_API const char *glnn_lvq_init_name(glnn_lvq_init init);

/** The start with a name. @since 0.2 */
GLNN_API glnn_status glnn_lvq_init_from_name(const char *name, glnn_lvq_init *out);

/** Describes a classifier. Zeros are defaults, except in `features` and `classes`. Some fields name
 * the kinds or starts that use them; with others they have no effect, but must be in range. */
typedef struct glnn_lvq_desc {
    glnn_lvq_kind kind;       /**< 0: GLVQ                                                       */
    int features;             /**< of a sample, at least 1                                       */
    int classes;              /**< at least 1                                                    */
    int prototypes;           /**< of each class, if `prototypes_of` is NULL; 0: 1               */
    const int *prototypes_of; /**< `classes` numbers, one for each class, at least 0, with RSLVQ at
                                   least 1; NULL: `prototypes`. The library copies them          */
    glnn_lvq_init init;       /**< 0: AUTO                                                       */
    int kmeans_steps;         /**< KMEANS: iterations, at most 1000; 0: 5                        */
    float xi;                 /**< GLVQ, GRLVQ, GMLVQ: steepness of the loss, above 0; 0: 20     */
    float xi_growth;          /**< GLVQ, GRLVQ, GMLVQ: at least 0; added to xi in each epoch, a part
                                   of it with each step                                          */
    float window;             /**< LVQ2.1, LVQ3: in (0, 1); 0: 0.3                               */
    float epsilon;            /**< LVQ3: in (0, 1]; 0: 0.2                                       */
    float sigma;              /**< RSLVQ: above 0; 0: found from the data                        */
    float scale;              /**< GLVQ, GRLVQ, GMLVQ: V, above 0; 1: plain gradients; 0: found
                                   from the data. RSLVQ: gives a sigma of 0 its value            */
    int rank;                 /**< GMLVQ: rows of Omega, 1 to features; 0: features              */
    float metric_rate;        /**< GRLVQ, GMLVQ: above 0; 0: 1 with GRLVQ, 0.05 with GMLVQ       */
    bool two_parts;           /**< keep each number of a prototype as the sum of two, as
                                   glnn_optimizer::two_parts does: the tensors `prototypes`, which
                                   alone is compared with samples, and `low`. Setting `prototypes`
                                   sets `low` to zeros. Relevances, Omega and rates stay in one
                                   part. A step takes up to six more passes. @since 0.2          */
    glnn_search search;       /**< how the nearest prototypes are found; 0: AUTO                 */
    glnn_layout layout;       /**< of prototypes and batches; 0: AUTO                            */
    int capacity;             /**< most samples in one list of passes; larger batches take several
                                   lists. 0: 1024                                                */
    uint64_t seed;            /**< of the first prototypes and of a random Omega                 */
    uint64_t reserved[4];     /**< zeros; room for later versions */
} glnn_lvq_desc;

/** Creates a classifier without prototypes.
 *
 * Relevances start equal. Omega starts as the identity if its rank is full, otherwise with random
 * numbers.
 *
 * @errors @ref learner_errors "as all learners"; also
 *   - GLNN_E_ARG: no class has a prototype; with RSLVQ, a class has none.
 *   - GLNN_E_LIMIT: there are more than 2^24 prototypes.
 * @owner  the caller, who passes it to glnn_learner_destroy().
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_lvq_create(glnn_context *ctx, const glnn_lvq_desc *desc,
                                     glnn_learner **out);

/** The description with the defaults filled in; NULL for NULL.
 *
 * A scale or sigma that is found from the data is 0 until then. `prototypes_of` is never NULL; it
 * counts the prototypes of each class as they are now.
 *
 * @owner  the learner, also of `prototypes_of`.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_lvq_desc *glnn_lvq_get_desc(const glnn_learner *learner);

/** The epochs trained so far, including a part of the current one, which determine xi; 0 for NULL.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API double glnn_lvq_get_epochs(const glnn_learner *learner);

/** Sets the epochs trained so far.
 *
 * @errors
 *   - GLNN_E_ARG: `learner` is null, or of another kind, or `epochs` is negative or not finite.
 *   - GLNN_E_STATE: the context was destroyed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_lvq_set_epochs(glnn_learner *learner, double epochs);

/** @name Open ends
 *
 *  These functions let a program train prototypes together with what comes before them, such as a
 *  network whose outputs they classify. Samples, classes and gradients are matrices, and only
 *  glnn_lvq_take_metrics() reads anything back.
 *
 *      glnn_network_forward(network, images, true, points);
 *      glnn_lvq_backward(lvq, points, classes, gradient); // of the mean loss, by the points
 *      glnn_network_backward(network, gradient, NULL);
 *      glnn_network_update(network, 0.001f);
 *      glnn_lvq_update(lvq, 0.005f);
 *
 *  The kinds GLVQ, GRLVQ, GMLVQ and RSLVQ have a gradient. For the others the functions fail with
 *  GLNN_E_UNSUPPORTED. They fail with GLNN_E_STATE while a trainer exists for the classifier. From
 *  the second time on, calls with the same matrices allocate, compile and wait for nothing.
 *  Prototypes have to be set before, and the scale or sigma known: glnn_learner_initialise() does
 *  both, by a data set of the first outputs of the network
 *  (glnn_dataset_create_from_matrices()). */
/** @{ */

/** Computes the gradient of the loss for given samples. Adds that of the prototypes, and of the
 * relevances or Omega, to that which the next update takes.
 *
 * `input_gradient` is the derivative of the mean loss of these samples by the samples. With L = I,
 * with L = diag(w) of GRLVQ or L = Omega' Omega of GMLVQ, sample x of n has the row
 *
 *      4 xi l (1 - l) / (n (d_c + d_r)^2) L (d_r (x - m_c) - d_c (x - m_r)),
 *
 * and with RSLVQ the sum of (P_p - Q_p) m_p / (n sigma^2) over all prototypes. The update moves
 * prototypes by the sum over all samples, as in training. Its gradient adds up until then, and is
 * dropped if prototypes are set or trained in between. xi grows with the epochs, which
 * glnn_lvq_set_epochs() sets.
 *
 * @param inputs         samples x features, in any layout; at most as many samples as the capacity.
 *                       A preparation of the learner is not applied. Numbers are not checked.
 * @param classes        samples x 1, in any layout: the class of each sample as a number from 0. A
 *                       number of no class is one without prototypes. RSLVQ has an infinite
 *                       loss for it.
 * @param input_gradient samples x features; it can be `inputs`. NULL: it is not wanted.
 * @numbers  Let a be the factor of x - m above, or with RSLVQ (Q_p - P_p) / (n sigma^2). It has the
 *   errors of the distances. Apart from these, |error| <= (D + 8) 2^-22 times the sum of
 *   |L| |a| (|x| + |m|); with RSLVQ and k prototypes, (k + 8) 2^-22 times the sum of |a| |m|. All
 *   are relative to the @ref lvq_offset "offset".
 * @passes  those of a step of training up to the sums, and 1 for `input_gradient`, or 2 with GRLVQ
 *   and GMLVQ.
 * @errors
 *   - GLNN_E_ARG: `learner`, `inputs` or `classes` is null, or of another kind or context;
 *     `input_gradient` is PAGED.
 *   - GLNN_E_SHAPE: a matrix has another shape.
 *   - GLNN_E_LIMIT: there are more samples than the capacity.
 *   - GLNN_E_UNSUPPORTED: the kind of classifier has no gradient.
 *   - GLNN_E_STATE: there are no prototypes, the scale or sigma is not known yet, or the classifier
 *     is being trained.
 *   - GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_lvq_backward(glnn_learner *learner, const glnn_matrix *inputs,
                                       const glnn_matrix *classes, glnn_matrix *input_gradient);

/** Moves the prototypes, and the relevances or Omega, by the gradient that glnn_lvq_backward() has
 * added up: as a step of a training with a batch of all these samples does, up to rounding. The
 * epochs stay as they are.
 *
 * @numbers The moves differ from those of a step by at most 2^-21 times the sums of |a x| and
 *   |a m|, where a are the factors of the samples.
 * @param rate the learning rate, above 0; 0: the default.
 * @errors
 *   - GLNN_E_ARG: `learner` is null, or of another kind; the rate is negative or not finite.
 *   - GLNN_E_UNSUPPORTED: the kind of classifier has no gradient.
 *   - GLNN_E_STATE: no gradient was added up since the last update or training, or since
 *     prototypes were set; the classifier is being trained.
 *   - GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_lvq_update(glnn_learner *learner, float rate);

/** Reads loss and accuracy of all samples of glnn_lvq_backward() since the last call, or since the
 * last training. They were added up on the GPU. Waits for it.
 *
 * @errors
 *   - GLNN_E_ARG: `learner` is null, or of another kind; `out` is null.
 *   - GLNN_E_UNSUPPORTED: the kind of classifier has no gradient.
 *   - GLNN_E_STATE: no sample has been run backward since then; the classifier is being trained.
 *   - GLNN_E_NOMEM, GLNN_E_GL: see glnn/base.h.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_lvq_take_metrics(glnn_learner *learner, glnn_metrics *out);

/** @} */

/** @} */

#ifdef __cplusplus
}
#endif
#endif
