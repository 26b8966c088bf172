#include "prototypes/samples.h"

#include "base/integers.h"
#include "base/status.h"
#include "learn/evaluate.h"
#include "prototypes/prototypes.h"

#include <stdlib.h>
#include <string.h>

/* Samples that the spread of the data is estimated from. */
#define SPREAD_SAMPLES 4096

/* A visit under way. */
typedef struct visiting {
    glnn__visit visit;
    void *user;
    int first;
} visiting;

static glnn_status visit_part(glnn_learner *learner, const glnn__batch *part, void *user)
{
    const glnn__prototypes *p = (const glnn__prototypes *)learner;
    visiting *of = user;
    float *rows = NULL;
    GLNN__TRY(glnn__batch_gather(part, p->input));
    const glnn_status status = glnn__take_rows(p->ctx, p->input, part->count, &rows);
    if (!status)
        of->visit(of->user, of->first, part->count, rows);
    of->first += part->count;
    free(rows);
    return status;
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

glnn_status glnn__visit_samples(glnn_learner *learner, const glnn_dataset *data, const int *samples,
                                int count, glnn__visit visit, void *user)
{
    glnn__order order = {0};
    visiting of = {visit, user, 0};
    if (samples)
        GLNN__TRY(glnn__order_of(learner->ctx, samples, count, &order));
    const glnn_status status =
        glnn__take_range(learner,
                         &(glnn__range){.data = data,
                                        .order = samples ? &order : NULL,
                                        .count = count,
                                        .rows = glnn__part_rows(learner, count)},
                         visit_part, &of);
    glnn__order_destroy(&order);
    return status;
}

/* Where copies go. */
typedef struct copying {
    float *rows;
    size_t features;
} copying;

static void copy_rows(void *user, int first, int count, const float *rows)
{
    const copying *to = user;
    memcpy(to->rows + (size_t)first * to->features, rows,
           (size_t)count * to->features * sizeof *rows);
}

glnn_status glnn__copy_samples(glnn_learner *learner, const glnn_dataset *data, const int *samples,
                               int count, float *rows)
{
    copying to = {rows, (size_t)learner->features};
    return glnn__visit_samples(learner, data, samples, count, copy_rows, &to);
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

glnn_status glnn__find_spread(glnn_learner *learner, const glnn_dataset *data, double *mean,
                              double *scale)
{
    const int count = glnn__least(data->samples, SPREAD_SAMPLES), features = learner->features;
    spread to = {.features = features, .sums = mean};
    int samples[SPREAD_SAMPLES];
    memset(mean, 0, (size_t)features * sizeof *mean);
    for (int i = 0; i < count; ++i)
        samples[i] = (int)((int64_t)i * data->samples / count);
    GLNN__TRY(glnn__visit_samples(learner, data, samples, count, add_to_spread, &to));
    *scale = to.squares / count;
    for (int j = 0; j < features; ++j) {
        mean[j] /= count;
        *scale -= mean[j] * mean[j];
    }
    return GLNN_OK;
}
