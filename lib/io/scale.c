#include <glnn/scale.h>

#include "base/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static const char *const kind_names[] = {
    [GLNN_SCALE_STANDARD] = "standard", [GLNN_SCALE_RANGE] = "range"};

GLNN__DEFINE_NAMES(glnn_scale_kind, kind_names)

/* The values of one feature. */
typedef struct statistics {
    double sum;
    double squares; /* of the deviations from the mean */
    float least, greatest;
} statistics;

static glnn_status check_fit(glnn_scale_kind kind, int64_t rows, int features)
{
    if (rows < 1 || features < 1)
        return glnn__fail(
            GLNN_E_ARG, "glnn_scale_fit: %" PRId64 " rows of %d features; both must be at least 1",
            rows, features);
    if ((unsigned)kind >= GLNN_SCALE_COUNT)
        return glnn__fail(GLNN_E_ARG, "glnn_scale_fit: `kind` is %d; it must be below %d",
                          (int)kind, (int)GLNN_SCALE_COUNT);
    return GLNN_OK;
}

static glnn_status gather_sums(int64_t rows, int features, const float *x, statistics *of)
{
    for (int j = 0; j < features; ++j)
        of[j].least = of[j].greatest = x[j];
    for (int64_t i = 0; i < rows; ++i) {
        for (int j = 0; j < features; ++j) {
            float value = *x++;
            if (!isfinite(value))
                return glnn__fail(GLNN_E_FORMAT,
                                  "glnn_scale_fit: row %" PRId64
                                  ", feature %d is %g; it must be finite",
                                  i, j, (double)value);
            of[j].sum += (double)value;
            of[j].least = value < of[j].least ? value : of[j].least;
            of[j].greatest = value > of[j].greatest ? value : of[j].greatest;
        }
    }
    return GLNN_OK;
}

/* Sums the squares in a second sweep: the difference of two large sums would lose the digits. */
static void gather_squares(int64_t rows, int features, const float *x, statistics *of)
{
    for (int64_t i = 0; i < rows; ++i) {
        for (int j = 0; j < features; ++j) {
            double deviation = (double)*x++ - of[j].sum / (double)rows;
            of[j].squares += deviation * deviation;
        }
    }
}

static void set_feature(glnn_scale_kind kind, int64_t rows, const statistics *of, float *offset,
                        float *factor)
{
    bool standard = kind == GLNN_SCALE_STANDARD;
    bool constant = of->least >= of->greatest;
    double spread =
        standard ? sqrt(of->squares / (double)rows) : (double)of->greatest - (double)of->least;
    *offset = standard && !constant ? (float)(of->sum / (double)rows) : of->least;
    *factor = (float)(1 / spread);
    if (constant || !isfinite(*factor))
        *factor = 1;
}

glnn_status glnn_scale_fit(glnn_scale_kind kind, int64_t rows, int features, const float *samples,
                           glnn_scale *out)
{
    GLNN__NOT_NULL(out);
    *out = (glnn_scale){0};
    GLNN__NOT_NULL(samples);
    GLNN__TRY(check_fit(kind, rows, features));
    size_t count = (size_t)features;
    statistics *of = calloc(count, sizeof *of);
    glnn_scale scale = {features, calloc(count, sizeof(float)), calloc(count, sizeof(float))};
    glnn_status status = GLNN_OK;
    if (!of || !scale.offset || !scale.factor)
        status = glnn__fail(GLNN_E_NOMEM, "glnn_scale_fit: no memory for %d features", features);
    if (!status)
        status = gather_sums(rows, features, samples, of);
    if (!status) {
        gather_squares(rows, features, samples, of);
        for (int j = 0; j < features; ++j)
            set_feature(kind, rows, &of[j], &scale.offset[j], &scale.factor[j]);
        *out = scale;
    } else {
        glnn_scale_free(&scale);
    }
    free(of);
    return status;
}

static glnn_status check_use(const char *function, const glnn_scale *scale, int64_t rows,
                             int features)
{
    if (!scale->offset || !scale->factor)
        return glnn__fail(GLNN_E_ARG, "%s: `scale` is empty", function);
    if (rows < 1)
        return glnn__fail(GLNN_E_ARG, "%s: `rows` is %" PRId64 "; it must be at least 1", function,
                          rows);
    if (features != scale->features)
        return glnn__fail(GLNN_E_SHAPE, "%s: the samples have %d features, the scaling has %d",
                          function, features, scale->features);
    return GLNN_OK;
}

glnn_status glnn_scale_apply(const glnn_scale *scale, int64_t rows, int features, float *samples)
{
    GLNN__NOT_NULL(scale);
    GLNN__NOT_NULL(samples);
    GLNN__TRY(check_use(__func__, scale, rows, features));
    for (int64_t i = 0; i < rows; ++i) {
        for (int j = 0; j < features; ++j, ++samples)
            *samples =
                (float)(((double)*samples - (double)scale->offset[j]) * (double)scale->factor[j]);
    }
    return GLNN_OK;
}

glnn_status glnn_scale_undo(const glnn_scale *scale, int64_t rows, int features, float *samples)
{
    GLNN__NOT_NULL(scale);
    GLNN__NOT_NULL(samples);
    GLNN__TRY(check_use(__func__, scale, rows, features));
    for (int64_t i = 0; i < rows; ++i) {
        for (int j = 0; j < features; ++j, ++samples)
            *samples =
                (float)((double)*samples / (double)scale->factor[j] + (double)scale->offset[j]);
    }
    return GLNN_OK;
}

void glnn_scale_free(glnn_scale *scale)
{
    if (!scale)
        return;
    free(scale->offset);
    free(scale->factor);
    *scale = (glnn_scale){0};
}
