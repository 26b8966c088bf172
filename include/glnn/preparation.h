/** @file
 *  @ingroup glnn_io
 *  @brief Preparations: how raw samples become the inputs of a learner.
 *
 *  A learner computes with scaled features, class numbers and scaled targets. A *preparation*
 *  records how they were made: the columns and classes of the table, gradients of images, the scale
 *  of the features, a projection, and the scale of the targets. A *raw sample* is the features that
 *  the columns of a table make of a row (glnn/csv.h), an image, or a row of an array.
 *
 *  A learner keeps a copy of its preparation (glnn_learner_set_preparation()) and saves it in its
 *  file. So the file is enough to use the learner on raw samples. In this example, the targets have
 *  a scale, and `targets` is their number:
 *
 *      glnn_learner_load(ctx, path, NULL, &network);
 *      const glnn_preparation *preparation = glnn_learner_get_preparation(network);
 *      glnn_preparation_apply(ctx, preparation, rows, raw, inputs);
 *      glnn_learner_predict(network, rows, inputs, outputs, NULL);
 *      glnn_scale_undo(&preparation->target_scale, rows, targets, outputs);
 *
 *  The learner itself does not apply it: data sets and `predict` take prepared inputs.
 *
 *  If the learner was trained on a table, a program can also begin with the texts of a row.
 *  `fields` has one for each feature column, and the features become `raw` above:
 *
 *      glnn_csv_columns_parse(&preparation->columns, fields, values);
 *      glnn_csv_columns_encode(&preparation->columns, 1, values, raw, NULL);
 *
 *  In the file (glnn/safetensors.h), counts, columns and names are metadata, and other numbers are
 *  arrays. Their keys begin with "glnn.preparation.". In a list of names a line feed separates two
 *  names. In a name, a backslash is written as two, a line feed as a backslash and n, and a byte
 *  that is not UTF-8 as a backslash, x and two hexadecimal digits. Each member of the columns is a
 *  list with a word for each column, such as "column_types", and a blank after each word. "decimal"
 *  is a comma if that was the decimal mark of the table. The names of categories are one list for
 *  all columns. It has only those that were kept, because others are treated as unknown ones
 *  are. */
#ifndef GLNN_PREPARATION_H
#define GLNN_PREPARATION_H

#include <glnn/csv.h>
#include <glnn/distortion.h>
#include <glnn/projection.h>
#include <glnn/scale.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** How samples are prepared. Zeros are an empty preparation.
 *
 * With `gradients`, the features x are the glnn_image_gradients() of a raw sample; without, they
 * are the raw sample. With a scale, x' = (x - scale.offset) * scale.factor; without one, x' = x.
 * With a projection, the input of the learner is directions (x' - mean); without one, it is x'.
 * With a target scale, the learner learns (t - target_scale.offset) * target_scale.factor for a
 * target t; without one, t.
 *
 * The structure has no member `size`; it changes only with the minor version of the library. */
typedef struct glnn_preparation {
    /** The columns that make raw samples, and the classes, which glnn_csv_read takes as `like`.
     * `features` is 0 in an empty preparation, and `targets` is 0 if there are none. Samples that
     * do not come from a table have no columns: `count` is 0. */
    glnn_csv_columns columns;
    glnn_shape gradients; /**< of raw samples that are images; zeros: the features are the raw
                               samples. There are #GLNN_IMAGE_GRADIENTS features of each image,
                               else columns.features                                          */
    glnn_scale scale;     /**< of the features; scale.features 0: none                          */
    int components;       /**< numbers that the projection makes of a sample; 0: no projection  */
    float *mean;          /**< of each feature                                                  */
    float *directions;    /**< components x features, row after row                             */
    float *eigenvalues;   /**< components, as glnn_projection_get_eigenvalues returns them      */
    glnn_scale target_scale; /**< of the targets; target_scale.features 0: none               */
} glnn_preparation;

/** Copies a preparation with all its arrays and texts.
 *
 * @errors
 *   - GLNN_E_ARG: preparation or out is null, or they are the same; the preparation contradicts
 *     itself: a count is negative, a part has other counts than the columns or features, an array
 *     or a name is null, a number is not finite, a factor is 0, or glnn_image_gradients() refuses
 *     the shape. The sentence names the field.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_preparation_free. After a failure *out is empty.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_preparation_copy(const glnn_preparation *preparation,
                                           glnn_preparation *out);

/** Frees the memory of a preparation and empties it. All of it was allocated with malloc, so a
 * program may replace a part with free and malloc. NULL does nothing. @thread any. @since 0.1 */
GLNN_API void glnn_preparation_free(glnn_preparation *preparation);

/** The number of inputs that a learner gets for a sample: the components of the projection, or else
 * the features, which are #GLNN_IMAGE_GRADIENTS for images with `gradients`. 0 for NULL.
 * @thread any. @since 0.1 */
GLNN_API int glnn_preparation_get_inputs(const glnn_preparation *preparation);

/** Sets or replaces the projection; NULL removes it. The preparation gets copies of its arrays.
 *
 * @errors
 *   - GLNN_E_ARG: preparation is null.
 *   - GLNN_E_SHAPE: the projection has another number of features.
 *   - GLNN_E_NOMEM: main memory ran out. The preparation has not changed.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_preparation_set_projection(glnn_preparation *preparation,
                                                     const glnn_projection *projection);

/** Makes the inputs of a learner from raw samples.
 *
 * @shapes  samples is rows x columns.features, out is rows x glnn_preparation_get_inputs, both row
 *          after row. Without gradients and projection, out may be samples.
 * @numbers as glnn_image_gradients, glnn_scale_apply and glnn_projection_apply.
 * @passes  those of glnn_image_gradients and glnn_projection_apply; none without both.
 * @errors
 *   - GLNN_E_ARG: an argument is null, the preparation is empty, or there are no rows.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - Others: as glnn_image_gradients and glnn_projection_apply.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_preparation_apply(glnn_context *ctx, const glnn_preparation *preparation,
                                            int64_t rows, const float *samples, float *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
