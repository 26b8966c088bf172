/* glnn/projection.h - principal components and linear discriminants of samples
 *
 * A projection maps a sample x to y = W (x - mean), with fewer numbers in y than in x. It is fitted
 * to samples in main memory: their scatter is summed by matrix products on the GPU, and what
 * follows is done in double on the CPU by LAPACK. Features that differ much in scale are better
 * scaled first (glnn/scale.h), since the largest ones decide. */
#ifndef GLNN_PROJECTION_H
#define GLNN_PROJECTION_H

#include <glnn/matrix.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glnn_projection glnn_projection;

/* How to fit principal components. Zeros mean the defaults. */
typedef struct glnn_pca_desc {
    int components; /* rows of W; 0: as many as there are                                   */
    bool whiten;    /* divide each row of W by the square root of its eigenvalue, so that y
                       has variance 1; otherwise the rows have length 1                     */
} glnn_pca_desc;

/* Principal components: the directions of the greatest variance, one orthogonal to the other
 *
 *   C = 1/rows sum (x - mean) (x - mean)',  C w = eigenvalue w,  greatest eigenvalue first
 *
 * A direction counts as one while its eigenvalue is more than 2^-20 of their sum: less is rounding.
 * There are so at most min(features, rows - 1), and none for a constant feature. Of each row of W
 * the element of the greatest magnitude is positive, the first one where several are.
 *
 * Shapes   samples is rows x features, row-major and dense; `desc` NULL: all defaults.
 * Numbers  an element of C is off by at most 1028 * 2^-24 / rows sum |x_i - m_i| |x_j - m_j|:
 *          products are summed in float32 over 1024 samples, and those sums in double. In practice
 *          eigenvalues are off by less than 2^-24 of their sum. Equal bits in every run on one
 *          device and LAPACK.
 * Errors   E_ARG     a null argument, rows < 2, features < 1, components < 0
 *          E_FORMAT  a value that is not finite (the sentence names row and feature), samples that
 *                    are all the same, or so large that a float32 holds no eigenvalue
 *          E_LIMIT   more components than there are; more features than main memory has room for,
 *                    at 20 bytes for a pair of them; or the textures do not fit the device
 *          E_DIVERGED  LAPACK found no eigenvectors
 *          E_UNSUPPORTED  the library was built without LAPACK
 *          E_NOMEM   no memory
 * Owner    the caller, who passes it to glnn_projection_destroy before the context goes.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_pca_fit(glnn_context *ctx, const glnn_pca_desc *desc, int64_t rows,
                                  int features, const float *samples, glnn_projection **out);

/* How to fit linear discriminants. Zeros mean the defaults. */
typedef struct glnn_lda_desc {
    int components;  /* rows of W; 0: as many as there are                                  */
    float shrinkage; /* s below, in (0, 1]; 0: 0.001                                        */
    bool whiten;     /* make the scatter within classes the identity: w' S w = 1; otherwise
                        the rows have length 1                                              */
} glnn_lda_desc;

/* Linear discriminants: the directions in which classes lie far apart against their own spread
 *
 *   S = (1 - s) S_w + s trace(S_w) / features I,  S_b w = eigenvalue S w,  greatest first
 *
 * with S_w the mean of (x - m_c) (x - m_c)' over all samples, m_c the mean of the sample's class,
 * and S_b the mean of (m_c - m) (m_c - m)'. The shrinkage s keeps S invertible where features are
 * constant or outnumber the samples. There are at most classes - 1 directions, classes without
 * samples not counted, and fewer where the means lie in a smaller space: an eigenvalue of less than
 * 2^-40 of the greatest counts as none. Signs are as in glnn_pca_fit.
 *
 * Shapes   samples is rows x features, row-major and dense, labels has a class in [0, classes) for
 *          each row; `desc` NULL: all defaults.
 * Numbers  S_w as C of glnn_pca_fit; S_b in double.
 * Errors   E_ARG     a null argument, a count < 1, components < 0, a shrinkage outside [0, 1]
 *          E_FORMAT  a value that is not finite or a label outside [0, classes) (the sentence names
 *                    row and feature), samples of one class only, class means that are all the
 *                    same, classes without any spread, S singular for too small a shrinkage,
 *                    samples so large or so small that a float32 does not hold W
 *          E_LIMIT   more components than there are; more features than main memory has room for,
 *                    at 20 bytes for a pair of them; or the textures do not fit the device
 *          E_DIVERGED  LAPACK found no singular vectors
 *          E_UNSUPPORTED  the library was built without LAPACK
 *          E_NOMEM   no memory
 * Owner    the caller, who passes it to glnn_projection_destroy before the context goes.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_lda_fit(glnn_context *ctx, const glnn_lda_desc *desc, int64_t rows,
                                  int features, const float *samples, const int *labels,
                                  int classes, glnn_projection **out);

/* Destroys a projection. NULL does nothing. Thread: the context's own. Since 0.1 */
GLNN_API void glnn_projection_destroy(glnn_projection *projection);

/* The lengths of x and of y; 0 for NULL. Thread: any. Since 0.1 */
GLNN_API int glnn_projection_get_features(const glnn_projection *projection);
GLNN_API int glnn_projection_get_components(const glnn_projection *projection);

/* The mean (features), the rows of W (components x features, row-major) and the eigenvalues
 * (components, descending); NULL for NULL. Owner: the projection. Thread: any. Since 0.1 */
GLNN_API const float *glnn_projection_get_mean(const glnn_projection *projection);
GLNN_API const float *glnn_projection_get_directions(const glnn_projection *projection);
GLNN_API const float *glnn_projection_get_eigenvalues(const glnn_projection *projection);

/* y = W (x - mean) for samples in main memory
 *
 * Shapes   samples is rows x features, out rows x components, both row-major and dense.
 * Numbers  float32 sums in a fixed order; per element
 *          |error| <= 2^-24 ((features + 3) sum |w| |x - m| + sum |w| |m|).
 * Passes   two for each 1024 samples, which are uploaded, and downloaded when they are done.
 * Errors   E_ARG a null argument, rows < 1; E_LIMIT the textures do not fit the device or the
 *          budget; E_NOMEM; E_GL OpenGL reported an error
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_projection_apply(const glnn_projection *projection, int64_t rows,
                                           const float *samples, float *out);

/* The same for samples that are on the GPU, in any layout, without a readback.
 *
 * Shapes   samples is rows x features, out rows x components; out may be samples.
 * Passes   two, or four for each 1024 samples where there are more.
 * Errors   E_ARG a null argument, a matrix of another context, a PAGED out; E_SHAPE other columns
 *          or rows; E_LIMIT, E_NOMEM and E_GL as glnn_projection_apply
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_projection_apply_matrix(const glnn_projection *projection,
                                                  const glnn_matrix *samples, glnn_matrix *out);

/* Writes a projection as safetensors: the arrays "mean", "directions" and "eigenvalues".
 * Errors: E_ARG a null argument; else as glnn_safetensors_write. Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_projection_save(const glnn_projection *projection, const char *path);

/* Creates a projection from a file that glnn_projection_save wrote.
 * Errors: E_ARG a null argument; E_FORMAT the file holds no projection, an array is missing or
 * holds a number that is not finite; E_SHAPE the arrays' sizes contradict each other; else as
 * glnn_safetensors_read and glnn_matrix_create.
 * Owner: the caller, who passes *out to glnn_projection_destroy; on failure *out is null.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_projection_load(glnn_context *ctx, const char *path,
                                          glnn_projection **out);

#ifdef __cplusplus
}
#endif
#endif
