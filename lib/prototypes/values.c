/* The values of prototypes, relative to an offset. */
#include "prototypes/moves.h"

#include "base/status.h"
#include "ops/map.h"

#include <glnn/map.h>

#include <stdlib.h>

/* The squared mean of the rows, by their mean squared distance from it, beyond which the offset is
 * used: scores then lose more than 10 of their 24 binary digits. */
#define MOST_RATIO 1024

/* The same ratio for one feature, by its variance: subtracting is exact between half and twice the
 * offset. */
#define LEAST_FEATURE_RATIO 16

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

/* The offset of the rows, and whether to use it. Rows that are all equal have no distances to
 * lose. */
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

glnn_status glnn__take_rows(glnn_context *ctx, const glnn_matrix *matrix, int count, float **out)
{
    const glnn_rect rect = {0, 0, count, matrix->columns};
    *out = malloc((size_t)count * (size_t)matrix->columns * sizeof **out);
    if (!*out)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d rows of %s", count, matrix->name);
    return glnn_matrix_download(ctx, matrix, &rect, *out, 0);
}

glnn_status glnn__prototypes_upload(glnn__prototypes *p, const float *values)
{
    const int count = p->desc.count, features = p->desc.features;
    const size_t size = (size_t)count * (size_t)features;
    float *offset = malloc(((size_t)features + size) * sizeof *offset);
    if (!offset)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d prototypes", count);
    float *shifted = offset + features;
    const bool is_used = find(values, count, features, offset);
    glnn_status status = is_used ? glnn_matrix_upload(p->ctx, p->offset, NULL, offset, 0) : GLNN_OK;
    if (!status && is_used)
        add(offset, features, -1, count, values, shifted);
    if (!status)
        status = glnn_matrix_upload(p->ctx, p->values, NULL, is_used ? shifted : values, 0);
    if (!status && p->low)
        status = glnn_fill(p->ctx, 0, p->low);
    free(offset);
    p->uses_offset = is_used;
    p->is_set = p->is_set || !status;
    glnn__prototypes_changed(p);
    return status;
}

glnn_status glnn__prototypes_download(const glnn__prototypes *p, float *values)
{
    float *offset = NULL;
    GLNN__TRY(glnn_matrix_download(p->ctx, p->values, NULL, values, 0));
    if (!p->uses_offset)
        return GLNN_OK;
    const glnn_status status = glnn__take_rows(p->ctx, p->offset, 1, &offset);
    if (!status)
        add(offset, p->desc.features, 1, p->desc.count, values, values);
    free(offset);
    return status;
}

glnn_status glnn__prototypes_shift(const glnn__prototypes *p, glnn_matrix *samples)
{
    return p->uses_offset ? glnn__subtract_row(p->ctx, p->offset, samples) : GLNN_OK;
}

void glnn__prototypes_visit(void *self, glnn__visitor *visitor)
{
    glnn__prototypes *p = self;
    glnn__visit_matrix(visitor, GLNN__ROLE_PARAMETER, 0, p->values, NULL, "prototypes");
    glnn__visit_matrix(visitor, GLNN__ROLE_ATTACHED, 0, p->low, NULL, "low");
    glnn__visit_matrix(visitor, GLNN__ROLE_PARAMETER, 1, p->learnt, NULL, "learnt");
    glnn__visit_flag(visitor, GLNN__ROLE_ATTACHED, &p->uses_offset, "uses_offset");
    if (p->uses_offset)
        glnn__visit_matrix(visitor, GLNN__ROLE_ATTACHED, 0, p->offset, NULL, "offset");
}

void glnn__prototypes_follow_change(void *self)
{
    glnn__prototypes_changed(self);
}

/* Passes but for the scores: the samples, the search, its distances, the moves of samples and those
 * of prototypes. */
#define STEP_PASSES 5

/* The metric takes products too, of samples, of prototypes and for its gradient. */
void glnn__prototypes_describe_step(const void *self, int samples, glnn__task_work *out)
{
    const glnn__prototypes *p = self;
    const int count = p->desc.count, features = p->desc.features, rank = p->desc.learnt.rows;
    const bool has_images = p->desc.metric == GLNN__METRIC_OMEGA;
    out->passes = STEP_PASSES - glnn__prototypes_know_distances(p, samples);
    out->products[out->product_count++] = (glnn__layout_use){
        .rows = samples, .columns = count, .inner = has_images ? rank : features};
    if (!has_images)
        return;
    out->products[out->product_count++] =
        (glnn__layout_use){.rows = samples, .columns = rank, .inner = features};
    out->products[out->product_count++] =
        (glnn__layout_use){.rows = count, .columns = rank, .inner = features};
    out->products[out->product_count++] =
        (glnn__layout_use){.rows = rank, .columns = features, .inner = 2 * samples};
}
