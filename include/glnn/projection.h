/** @file
 *  @ingroup glnn_projection
 *  @brief Principal components and linear discriminants of samples.
 *
 *  A projection maps a sample x to y = W (x - mean), where y usually has fewer numbers than x. The
 *  rows of W are called *directions*, and the numbers of y *components*. The library fits a
 *  projection to samples in main memory. Matrix products on the GPU compute their *scatter*, the
 *  sums of the products of two features. From it, LAPACK finds the directions on the CPU in double
 *  precision.
 *
 *  Features with a large variance dominate principal components. Features in different units should
 *  therefore be scaled first (glnn/scale.h). */
#ifndef GLNN_PROJECTION_H
#define GLNN_PROJECTION_H

#include <glnn/matrix.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_projection
 *  @{ */

/** A projection. */
typedef struct glnn_projection glnn_projection;

/** How to fit principal components. Zeros mean the defaults. */
typedef struct glnn_pca_desc {
    int components; /**< rows of W; 0: all directions that count (glnn_pca_fit)                  */
    bool whiten;    /**< divide each row of W by the square root of its eigenvalue, so that each
                         number of y has variance 1; otherwise the rows have length 1            */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_pca_desc;

/** Fits principal components: orthogonal directions in order of decreasing variance.
 *
 *     C = 1 / rows  sum (x - mean) (x - mean)',    C w = eigenvalue w
 *
 * The directions are the eigenvectors w, greatest eigenvalue first. A direction counts only if its
 * eigenvalue is more than 2^-20 of the sum of all eigenvalues, because smaller ones are rounding
 * errors. At most min(features, rows - 1) directions count. In each direction the element of the
 * greatest magnitude is positive; if there are several, the first of them.
 *
 * @shapes  samples is rows x features, row after row. `desc` NULL means the defaults.
 * @numbers |error| of C_ij <= 1028 * 2^-24 / rows  sum |x_i - mean_i| |x_j - mean_j|. Products are
 *          summed in float32 over 1024 samples at a time, and these sums in double precision. All
 *          runs on one device and with one LAPACK give the same bits.
 * @errors
 *   - GLNN_E_ARG: ctx, samples or out is null; there are less than 2 rows or no features;
 *     `components` is negative.
 *   - GLNN_E_FORMAT: a value is not finite; all samples are the same; the samples are so large that
 *     a float32 cannot hold an eigenvalue.
 *   - GLNN_E_LIMIT: fewer directions count than `components`. Main memory is too small for the
 *     scatter, which takes 20 bytes for each pair of features. The textures do not fit the device
 *     or the texture budget.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 *   - GLNN_E_DIVERGED: LAPACK found no eigenvectors.
 *   - GLNN_E_UNSUPPORTED: the library was built without LAPACK.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes it to glnn_projection_destroy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_pca_fit(glnn_context *ctx, const glnn_pca_desc *desc, int64_t rows,
                                  int features, const float *samples, glnn_projection **out);

/** How to fit linear discriminants. Zeros mean the defaults. */
typedef struct glnn_lda_desc {
    int components;  /**< rows of W; 0: all directions that count (glnn_lda_fit)                 */
    float shrinkage; /**< s in the formula of glnn_lda_fit, at most 1; 0: 0.001                  */
    bool whiten;     /**< scale each row of W so that w' S w = 1; otherwise the rows have
                          length 1                                                               */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_lda_desc;

/** Fits linear discriminants: directions in which the means of the classes are far apart, compared
 * with the spread of the samples of each class.
 *
 *     S = (1 - s) S_w + s trace(S_w) / features I,    S_b w = eigenvalue S w
 *
 * m is the mean of all samples and m_c the mean of the samples of class c. S_w is the mean of
 * (x - m_c) (x - m_c)' over all samples, and S_b the mean of (m_c - m) (m_c - m)'. The shrinkage s
 * keeps S invertible if a feature is constant or there are more features than samples.
 *
 * The directions are the vectors w, greatest eigenvalue first. A direction counts only if its
 * eigenvalue is more than 2^-40 of the greatest. Fewer directions count than there are classes with
 * samples. Signs are as in glnn_pca_fit.
 *
 * @shapes  samples is rows x features, row after row. labels has the class of each row,
 *          0 to classes - 1. `desc` NULL means the defaults.
 * @numbers S_w as C of glnn_pca_fit; S_b in double precision.
 * @errors
 *   - GLNN_E_ARG: ctx, samples, labels or out is null; a count is less than 1; `components` is
 *     negative; `shrinkage` is not in 0 .. 1.
 *   - GLNN_E_FORMAT: a value is not finite, or a label is not in 0 .. classes - 1. Only one class
 *     has samples. All classes have the same mean, or none has any spread. S is singular because
 *     the shrinkage is too small. The samples are so large or small that a float32 cannot hold
 *     W.
 *   - GLNN_E_LIMIT, GLNN_E_STATE, GLNN_E_UNSUPPORTED, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: as
 *     glnn_pca_fit.
 *   - GLNN_E_DIVERGED: LAPACK found no singular vectors.
 * @owner   the caller, who passes it to glnn_projection_destroy.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_lda_fit(glnn_context *ctx, const glnn_lda_desc *desc, int64_t rows,
                                  int features, const float *samples, const int *labels,
                                  int classes, glnn_projection **out);

/** Destroys a projection. NULL does nothing. @thread the context's own. @since 0.1 */
GLNN_API void glnn_projection_destroy(glnn_projection *projection);

/** The number of features, the length of x; 0 for NULL. @thread any. @since 0.1 */
GLNN_API int glnn_projection_get_features(const glnn_projection *projection);

/** The number of components, the length of y; 0 for NULL. @thread any. @since 0.1 */
GLNN_API int glnn_projection_get_components(const glnn_projection *projection);

/** The mean, one number per feature; NULL for NULL.
 *
 * @owner   the projection.
 * @thread  any.
 * @since   0.1 */
GLNN_API const float *glnn_projection_get_mean(const glnn_projection *projection);

/** The matrix W, components x features, row after row; NULL for NULL.
 *
 * @owner   the projection.
 * @thread  any.
 * @since   0.1 */
GLNN_API const float *glnn_projection_get_directions(const glnn_projection *projection);

/** The eigenvalues, one number per component in descending order; NULL for NULL.
 *
 * @owner   the projection.
 * @thread  any.
 * @since   0.1 */
GLNN_API const float *glnn_projection_get_eigenvalues(const glnn_projection *projection);

/** Projects samples in main memory: y = W (x - mean).
 *
 * @shapes  samples is rows x features, out is rows x components, both row after row.
 * @numbers Sums are float32 in a fixed order, with
 *          |error| <= 2^-24 ((features + 3) sum |w| |x - mean| + sum |w| |mean|).
 * @passes  Two for every 1024 samples, which are uploaded before and downloaded after.
 * @errors
 *   - GLNN_E_ARG: projection, samples or out is null, or there are no rows.
 *   - GLNN_E_LIMIT: the textures do not fit the device or the budget.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_projection_apply(const glnn_projection *projection, int64_t rows,
                                           const float *samples, float *out);

/** Projects samples in a matrix, without a readback.
 *
 * @shapes  samples is rows x features, out is rows x components. out may be samples.
 * @numbers as glnn_projection_apply.
 * @passes  Two; four for every 1024 samples if there are more.
 * @errors
 *   - GLNN_E_ARG: an argument is null; a matrix belongs to another context; out is PAGED.
 *   - GLNN_E_SHAPE: a matrix has other rows or columns.
 *   - GLNN_E_LIMIT, GLNN_E_STATE, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: as
 *     glnn_projection_apply.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_projection_apply_matrix(const glnn_projection *projection,
                                                  const glnn_matrix *samples, glnn_matrix *out);

/** Saves a projection as safetensors, with the arrays "mean", "directions" and "eigenvalues".
 *
 * @errors
 *   - GLNN_E_ARG: projection or path is null.
 *   - Others: as glnn_safetensors_write.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_projection_save(const glnn_projection *projection, const char *path);

/** Loads a projection from a file that glnn_projection_save wrote.
 *
 * @errors
 *   - GLNN_E_ARG: ctx, path or out is null.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_FORMAT: the file holds no projection; an array is missing, or has a number that is not
 *     finite.
 *   - GLNN_E_SHAPE: the sizes of the arrays contradict each other.
 *   - Others: as glnn_safetensors_read and glnn_matrix_create.
 * @owner   the caller, who passes *out to glnn_projection_destroy. After a failure *out is NULL.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_projection_load(glnn_context *ctx, const char *path,
                                          glnn_projection **out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
