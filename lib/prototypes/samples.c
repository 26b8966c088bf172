#include "prototypes/samples.h"

#include "base/integers.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Samples that the spread of the data is estimated from. */
#define SPREAD_SAMPLES 4096

static glnn_status visit_batches(glnn__prototypes *p, glnn__batch_iterator *batches, float *rows,
                                 glnn__visit visit, void *user)
{
    for (int first = 0; glnn__batch_iterator_left(batches) > 0;) {
        glnn__batch batch;
        GLNN__TRY(glnn__batch_iterator_next(batches, p->rows, &batch));
        for (int offset = 0; offset < batch.count; offset += p->rows) {
            const glnn__batch part = glnn__batch_part(&batch, offset, p->rows);
            const glnn_rect used = {0, 0, part.count, p->desc.features};
            GLNN__TRY(glnn__batch_gather(&part, p->input));
            GLNN__TRY(glnn_matrix_download(p->ctx, p->input, &used, rows, 0));
            visit(user, first, part.count, rows);
            first += part.count;
        }
    }
    return GLNN_OK;
}

glnn_status glnn__order_of(glnn_context *ctx, const int *samples, int count, glnn__order *out)
{
    GLNN__TRY(glnn__order_create(count, 0, out));
    memcpy(out->entries, samples, (size_t)count * sizeof *samples);
    glnn_status status = glnn__order_upload(ctx, out);
    if (status)
        glnn__order_destroy(out);
    return status;
}

glnn_status glnn__visit_samples(glnn__prototypes *p, const glnn_dataset *data, const int *samples,
                                int count, glnn__visit visit, void *user)
{
    glnn__order order = {0};
    glnn__batch_iterator batches;
    GLNN__TRY(glnn__prototypes_prepare(p, glnn__least(count, p->desc.capacity)));
    float *rows = malloc((size_t)p->rows * (size_t)p->desc.features * sizeof *rows);
    glnn_status status =
        rows ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d samples", p->rows);
    if (!status && samples)
        status = glnn__order_of(p->ctx, samples, count, &order);
    if (!status) {
        status =
            glnn__batch_iterator_begin(data, samples ? &order : NULL, 0, count, p->rows, &batches);
        if (!status)
            status = visit_batches(p, &batches, rows, visit, user);
        glnn__batch_iterator_end(&batches);
    }
    glnn__order_destroy(&order);
    free(rows);
    return status;
}

/* Sums of samples and of their squares. */
typedef struct spread {
    int features;
    double *sums; /* of each feature; the mean in the end */
    double squares;
} spread;

static void add_to_spread(void *user, int first, int count, const float *rows)
{
    spread *to = user;
    (void)first;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < to->features; ++j) {
            const double x = (double)rows[(size_t)i * (size_t)to->features + (size_t)j];
            to->sums[j] += x;
            to->squares += x * x;
        }
}

glnn_status glnn__find_spread(glnn__prototypes *p, const glnn_dataset *data, double *mean,
                              double *scale)
{
    const int count = glnn__least(data->samples, SPREAD_SAMPLES), features = p->desc.features;
    spread to = {.features = features, .sums = mean};
    int samples[SPREAD_SAMPLES];
    memset(mean, 0, (size_t)features * sizeof *mean);
    for (int i = 0; i < count; ++i)
        samples[i] = (int)((int64_t)i * data->samples / count);
    GLNN__TRY(glnn__visit_samples(p, data, samples, count, add_to_spread, &to));
    *scale = to.squares / count;
    for (int j = 0; j < features; ++j) {
        mean[j] /= count;
        *scale -= mean[j] * mean[j];
    }
    return GLNN_OK;
}
