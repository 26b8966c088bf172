/* glnn/scale.h - per-feature normalisation of samples in main memory */
#ifndef GLNN_SCALE_H
#define GLNN_SCALE_H

#include <glnn/base.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum glnn_scale_kind {
    GLNN_SCALE_STANDARD = 0, /* to mean 0 and standard deviation 1 (of the population)   */
    GLNN_SCALE_RANGE,        /* so that the least becomes 0 and the greatest 1           */
    GLNN_SCALE_COUNT
} glnn_scale_kind;

GLNN_API const char *glnn_scale_kind_name(glnn_scale_kind kind);
GLNN_API glnn_status glnn_scale_kind_from_name(const char *name, glnn_scale_kind *out);

/* x' = (x - offset[j]) * factor[j] for feature j */
typedef struct glnn_scale {
    int features;
    float *offset;
    float *factor;
} glnn_scale;

/* Fits a scaling to rows x features samples, row-major and dense, with sums in double. A feature
 * that is constant, or whose spread is too small for a float to hold its inverse, gets factor 1.
 * Errors: E_ARG a null argument, a count < 1, an unknown kind; E_FORMAT a value that is not finite:
 * the sentence names row and feature; E_NOMEM. Owner: the caller, who passes *out to
 * glnn_scale_free; on failure *out is empty. Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_scale_fit(glnn_scale_kind kind, int64_t rows, int features,
                                    const float *samples, glnn_scale *out);

/* Applies a scaling in place. Errors: E_ARG a null argument, rows < 1; E_SHAPE another count of
 * features. Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_scale_apply(const glnn_scale *scale, int64_t rows, int features,
                                      float *samples);

/* Undoes a scaling in place: x = x' / factor[j] + offset[j]. Errors: as glnn_scale_apply.
 * Thread: any. Since 0.1 */
GLNN_API glnn_status glnn_scale_undo(const glnn_scale *scale, int64_t rows, int features,
                                     float *samples);

/* Frees what glnn_scale_fit allocated and empties *scale. NULL does nothing. Since 0.1 */
GLNN_API void glnn_scale_free(glnn_scale *scale);

#ifdef __cplusplus
}
#endif
#endif
