#include "prototypes/offset.h"

#include "base/status.h"
#include "ops/map.h"

#include <stdlib.h>
#include <string.h>

/* The squared mean of the rows, by their mean squared distance from it, beyond which the offset is
 * used: scores then lose more than 10 of their 24 binary digits. */
#define MOST_RATIO 1024

/* The same ratio for one feature, by its variance: subtracting is exact between half and twice the
 * offset. */
#define LEAST_FEATURE_RATIO 16

glnn_status glnn__offset_create(int features, glnn__offset *out)
{
    *out = (glnn__offset){
        .features = features,
        .values = calloc((size_t)features, sizeof *out->values),
        .snapshot = calloc((size_t)features, sizeof *out->snapshot),
    };
    if (out->values && out->snapshot)
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "no memory for an offset of %d features", features);
}

void glnn__offset_destroy(glnn__offset *offset)
{
    free(offset->values);
    free(offset->snapshot);
    glnn_matrix_destroy(offset->row);
    *offset = (glnn__offset){0};
}

/* Mean and variance of a feature over all rows. */
typedef struct moments {
    double mean, variance;
} moments;

static moments moments_of(const float *rows, int count, int features, int feature)
{
    moments found = {0};
    const float *values = rows + feature;
    const size_t stride = (size_t)features;
    for (size_t i = 0; i < (size_t)count; ++i)
        found.mean += (double)values[i * stride] / count;
    for (size_t i = 0; i < (size_t)count; ++i) {
        const double apart = (double)values[i * stride] - found.mean;
        found.variance += apart * apart / count;
    }
    return found;
}

/* The offset of the rows, and whether to use it. Rows that are all equal have no distances to lose. */
static bool find(const float *rows, int count, int features, float *out)
{
    double square = 0, spread = 0;
    for (int j = 0; j < features; ++j) {
        const moments of = moments_of(rows, count, features, j);
        const double mean_square = of.mean * of.mean;
        out[j] = mean_square >= LEAST_FEATURE_RATIO * of.variance ? (float)of.mean : 0.0f;
        square += mean_square;
        spread += of.variance;
    }
    return spread > 0 && square > MOST_RATIO * spread;
}

/* to = from + sign times the values, for `count` rows. */
static void add(const float *values, int features, float sign, int count, const float *from,
                float *to)
{
    const size_t size = (size_t)features;
    for (size_t i = 0; i < (size_t)count; ++i)
        for (size_t j = 0; j < size; ++j)
            to[i * size + j] = from[i * size + j] + sign * values[j];
}

static glnn_status create_row(glnn_context *ctx, glnn__offset *offset)
{
    if (offset->row)
        return GLNN_OK;
    return glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1, offset->features, "offset",
                                       &offset->row);
}

/* Uses the values as the offset, or none. */
static glnn_status use(glnn_context *ctx, glnn__offset *offset, bool is_used, const float *values)
{
    if (is_used) {
        GLNN__TRY(create_row(ctx, offset));
        GLNN__TRY(glnn_matrix_upload(ctx, offset->row, NULL, values, 0));
    }
    memcpy(offset->values, values, (size_t)offset->features * sizeof *values);
    offset->is_used = is_used;
    return GLNN_OK;
}

glnn_status glnn__offset_upload(glnn_context *ctx, glnn__offset *offset, const float *rows,
                                glnn_matrix *to)
{
    const size_t features = (size_t)offset->features, size = (size_t)to->rows * features;
    float *values = malloc((features + size) * sizeof *values);
    if (!values)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d rows of %s", to->rows, to->name);
    float *shifted = values + features;
    const bool is_used = find(rows, to->rows, offset->features, values);
    glnn_status status = use(ctx, offset, is_used, values);
    if (!status && is_used)
        add(values, offset->features, -1, to->rows, rows, shifted);
    if (!status)
        status = glnn_matrix_upload(ctx, to, NULL, is_used ? shifted : rows, 0);
    free(values);
    return status;
}

glnn_status glnn__offset_download(glnn_context *ctx, const glnn__offset *offset,
                                  const glnn_matrix *from, float *rows)
{
    GLNN__TRY(glnn_matrix_download(ctx, from, NULL, rows, 0));
    if (offset->is_used)
        add(offset->values, offset->features, 1, from->rows, rows, rows);
    return GLNN_OK;
}

glnn_status glnn__offset_shift(glnn_context *ctx, const glnn__offset *offset, glnn_matrix *samples)
{
    return offset->is_used ? glnn__subtract_row(ctx, offset->row, samples) : GLNN_OK;
}

void glnn__offset_snapshot(glnn__offset *offset)
{
    offset->snapshot_is_used = offset->is_used;
    memcpy(offset->snapshot, offset->values, (size_t)offset->features * sizeof *offset->snapshot);
}

glnn_status glnn__offset_restore(glnn_context *ctx, glnn__offset *offset)
{
    return use(ctx, offset, offset->snapshot_is_used, offset->snapshot);
}
