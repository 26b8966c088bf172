/* K-means and mixtures of Gaussians in double precision, by the formulas of glnn/kmeans.h and
 * glnn/gmm.h, and what their tests share. */
#ifndef TESTS_CLUSTERS_H
#define TESTS_CLUSTERS_H

#include "learning.h"

#include <glnn/gmm.h>
#include <glnn/kmeans.h>

/* Both live until release_learning(). */
glnn_learner *kmeans_of(const glnn_kmeans_desc *desc);
glnn_learner *gmm_of(const glnn_gmm_desc *desc);

/* Sample i lies within `spread` of place i mod clusters, in every feature; places are random in
 * [-4, 4]. With classes, that of sample i is (i mod clusters) mod classes; without, it has none. */
samples samples_clustered(int count, int features, int clusters, double spread, int classes);

array centres_of(const glnn_learner *kmeans);
array sizes_of(const glnn_learner *kmeans);
void set_centres(glnn_learner *kmeans, array centres);

/* Centres in double; `per_class` of each class, or 0 where labels are not looked at. */
typedef struct kmeans_reference {
    array centres, sizes; /* count x features, count x 1 */
    int per_class;
} kmeans_reference;

kmeans_reference kmeans_reference_of(const glnn_learner *kmeans);

/* The nearest centre of each sample (of its class where there are any and `uses_labels`): count x
 * 2, the centre and the squared distance. Fails where another is so near that float32 may
 * differ. */
array kmeans_reference_assign(const kmeans_reference *of, samples batch, bool uses_labels);

/* One iteration of Lloyd's, or one mini-batch; returns the mean squared distance before it. */
double kmeans_reference_lloyd(kmeans_reference *of, samples all);
double kmeans_reference_batch(kmeans_reference *of, samples batch);

/* A mixture in double: weights count x 1, means count x features, covariances count x size. */
typedef struct gmm_reference {
    glnn_gmm_desc desc;
    int count;
    array weights, means, covariances;
} gmm_reference;

gmm_reference gmm_reference_of(const glnn_learner *gmm);

/* log w_j N(x_i; m_j, S_j), samples x count, with a bound on what float32 makes of the terms that
 * glnn/gmm.h has it sum: eps (features + 8) times the sum of their absolute values. */
expected gmm_reference_densities(const gmm_reference *of, array inputs);

/* The logarithm of the sum of a row's exponentials, from `first` on. */
double log_sum(array densities, int row, int first, int count);

/* One iteration over samples, with the description's shrinkage; returns the mean log-likelihood
 * before it. No floor. */
double gmm_reference_iterate(gmm_reference *of, samples all);

#endif
