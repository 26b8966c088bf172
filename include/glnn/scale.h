/** @file
 *  @ingroup glnn_io
 *  @brief Scales: features brought to a common range, in main memory.
 *
 *  A scale maps each feature x_j of a sample to (x_j - offset[j]) * factor[j]. It is fitted to the
 *  training samples and then applied to all samples. */
#ifndef GLNN_SCALE_H
#define GLNN_SCALE_H

#include <glnn/base.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** The range of the scaled features. */
typedef enum glnn_scale_kind {
    GLNN_SCALE_STANDARD = 0, /**< mean 0 and standard deviation 1 (of the population)   */
    GLNN_SCALE_RANGE,        /**< the least value becomes 0 and the greatest 1          */
    GLNN_SCALE_COUNT
} glnn_scale_kind;

/** The name of a kind: "standard", "range". @since 0.2 */
GLNN_API const char *glnn_scale_kind_name(glnn_scale_kind kind);

/** The kind with a name. @since 0.2 */
GLNN_API glnn_status glnn_scale_kind_from_name(const char *name, glnn_scale_kind *out);

/** A scale. Its arrays are allocated with malloc. The structure is a part of glnn_preparation and
 * will not change, so it has no member `size`. */
typedef struct glnn_scale {
    int features;  /**< the number of features; 0: an empty scale       */
    float *offset; /**< subtracted from each feature                    */
    float *factor; /**< by which the difference is multiplied           */
} glnn_scale;

/** Fits a scale to samples.
 *
 *     STANDARD: offset = mean,   factor = 1 / standard deviation
 *     RANGE:    offset = least,  factor = 1 / (greatest - least)
 *
 * A feature that is constant, or whose spread is too small for a float to represent its inverse,
 * gets the factor 1.
 *
 * @shapes  samples is rows x features, row after row.
 * @numbers Sums are computed in double precision.
 * @errors
 *   - GLNN_E_ARG: samples or out is null; there are no rows or no features; the kind is unknown.
 *   - GLNN_E_FORMAT: a value is not finite; the sentence names row and feature.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_scale_free. After a failure *out is empty.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_scale_fit(glnn_scale_kind kind, int64_t rows, int features,
                                    const float *samples, glnn_scale *out);

/** Scales samples in place.
 *
 *     x_j = (x_j - offset[j]) * factor[j]
 *
 * @shapes  samples is rows x features, row after row.
 * @numbers Computed in double precision and rounded once.
 * @errors
 *   - GLNN_E_ARG: scale or samples is null; the scale is empty; there are no rows.
 *   - GLNN_E_SHAPE: `features` is not the number of features of the scale.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_scale_apply(const glnn_scale *scale, int64_t rows, int features,
                                      float *samples);

/** Scales samples back in place.
 *
 *     x_j = x_j / factor[j] + offset[j]
 *
 * @shapes  as glnn_scale_apply.
 * @numbers as glnn_scale_apply.
 * @errors  as glnn_scale_apply.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_scale_undo(const glnn_scale *scale, int64_t rows, int features,
                                     float *samples);

/** Frees the arrays of a scale and empties it. NULL does nothing. @thread any. @since 0.1 */
GLNN_API void glnn_scale_free(glnn_scale *scale);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
