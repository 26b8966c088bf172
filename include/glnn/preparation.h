/* glnn/preparation.h - the way from raw samples to a learner's inputs, and from its outputs back
 *
 * A learner computes with scaled features, numbers of classes and scaled targets. A preparation
 * records how these were made: columns and scale of the features, a projection of the scaled
 * features, names of the classes, scale of the targets. A learner keeps a copy of it
 * (glnn_network_set_preparation and its counterparts) and writes it into its file, so that one file
 * is enough to use the learner on raw samples:
 *
 *   glnn_network_load, glnn_network_get_preparation   the learner and its preparation
 *   glnn_preparation_apply                    raw samples to inputs
 *   glnn_network_predict                          inputs to outputs
 *   glnn_scale_undo                           scaled targets to their own units
 *
 * Learners' files have counts and names as metadata and numbers as arrays, under names that begin
 * with "preparation."; lists of names have a line feed between two names and backslashes before
 * what a name cannot hold as it is.
 *
 * Learners do not apply a preparation by themselves: data sets and prediction take prepared
 * inputs. */
#ifndef GLNN_PREPARATION_H
#define GLNN_PREPARATION_H

#include <glnn/csv.h>
#include <glnn/projection.h>
#include <glnn/scale.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How samples are prepared. Zeros mean an empty one, which says nothing.
 *
 * Formula  x' = (x - scale.offset) * scale.factor, or x without a scale; then the learner's input
 *          is directions (x' - mean), or x' without a projection. A target t is learnt as
 *          (t - target_scale.offset) * target_scale.factor, or t without a scale. */
typedef struct glnn_preparation {
    glnn_csv_columns columns; /* of raw samples: `features` >= 1, or 0 where the preparation is
                                 empty; `targets` 0 where none are learnt; names and means may be
                                 null. glnn_csv_read takes them as `like`                      */
    glnn_scale scale;         /* of the features; scale.features 0: not scaled                 */

    int components;    /* of the projection, its outputs; 0: none                             */
    float *mean;       /* columns.features                                                    */
    float *directions; /* components x columns.features, row-major                            */
    float
        *eigenvalues; /* components, as glnn_projection_get_eigenvalues has them                 */

    int classes;        /* 0: not known                                                        */
    char **class_names; /* `classes` texts, that of class 0 first; NULL: none                  */

    glnn_scale target_scale; /* of the targets; target_scale.features 0: not scaled            */
} glnn_preparation;

/* Copies a preparation with all that it points to.
 * Errors: E_ARG a null argument, or a preparation that cannot be: a negative count, parts without
 * the counts that they need, a scale of another count, an array or a name that is null, a number
 * that is not finite, a factor of 0: the sentence names the part; E_NOMEM.
 * Owner: the caller, who passes *out to glnn_preparation_free; on failure *out is empty.
 * Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_preparation_copy(const glnn_preparation *preparation,
                                           glnn_preparation *out);

/* Frees all that glnn_preparation_copy allocated, and empties *preparation. All of it came from
 * malloc, so a program may exchange a part, with free and malloc. NULL does nothing.
 * Thread: any. Since 0.1 */
GLNN_API void glnn_preparation_free(glnn_preparation *preparation);

/* How many inputs a learner gets for a sample: the components of the projection, else the features;
 * 0 for NULL. Thread: any. Since 0.1 */
GLNN_API int glnn_preparation_get_inputs(const glnn_preparation *preparation);

/* Lets a projection follow the scale, in place of one that is there; NULL: none. The preparation
 * takes copies of its arrays, which glnn_preparation_free frees.
 * Errors: E_ARG a null preparation; E_SHAPE a projection of another count of features; E_NOMEM.
 * On failure the preparation stays as it is. Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_preparation_set_projection(glnn_preparation *preparation,
                                                     const glnn_projection *projection);

/* Makes a learner's inputs of raw samples, by scale and projection.
 *
 * Shapes   samples: rows x features, out: rows x glnn_preparation_get_inputs, row-major, dense.
 *          Without
 *          a projection out may be samples.
 * Numbers  as glnn_scale_apply and glnn_projection_apply.
 * Passes   those of glnn_projection_apply; none without a projection.
 * Errors   E_ARG a null argument, an empty preparation, rows < 1; else as glnn_projection_apply
 * Owner    the arrays are the caller's.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_preparation_apply(glnn_context *ctx, const glnn_preparation *preparation,
                                            int64_t rows, const float *samples, float *out);

#ifdef __cplusplus
}
#endif
#endif
