/* Whether prototypes stay within reach of the samples: the repulsion of LVQ1, OLVQ1, LVQ2.1 and LVQ3
 * grows with the distance, so that at too high a rate they may leave the data for good. */
#include "prototypes/lvq.h"
#include "prototypes/samples.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* How many times as far as the samples a prototype may be from their mean. */
#define MOST_TIMES 1000

/* The prototype that is farthest from the mean of the samples. */
typedef struct farthest {
    int index;
    double distance;
} farthest;

static double distance_of(const float *prototype, const double *mean, int features)
{
    double sum = 0;
    for (int j = 0; j < features; ++j) {
        const double difference = (double)prototype[j] - mean[j];
        sum += difference * difference;
    }
    return sqrt(sum);
}

static glnn_status find_farthest(glnn_lvq *lvq, farthest *out)
{
    const size_t features = (size_t)lvq->desc.features;
    const int count = lvq->prototypes.desc.count;
    float *prototypes = malloc((size_t)count * features * sizeof *prototypes);
    if (!prototypes)
        return glnn__fail(GLNN_E_NOMEM, "no memory to look at %d prototypes", count);
    const glnn_status status = glnn_lvq_get_prototypes(lvq, prototypes, NULL);
    *out = (farthest){0, -1};
    for (int p = 0; p < count && !status; ++p) {
        const double distance =
            distance_of(prototypes + (size_t)p * features, lvq->reach.mean, lvq->desc.features);
        if (!(distance <= out->distance))
            *out = (farthest){p, distance};
        if (isnan(distance))
            break;
    }
    free(prototypes);
    return status;
}

glnn_status glnn__lvq_find_reach(glnn_lvq *lvq, const glnn_dataset *data)
{
    glnn__lvq_reach *reach = &lvq->reach;
    double scale;
    farthest start;
    if (!reach->mean)
        reach->mean = malloc((size_t)lvq->desc.features * sizeof *reach->mean);
    if (!reach->mean)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a mean of %d features", lvq->desc.features);
    GLNN__TRY(glnn__find_spread(&lvq->prototypes, data, reach->mean, &scale));
    GLNN__TRY(find_farthest(lvq, &start));
    reach->samples = sqrt(fmax(scale, 0));
    reach->limit = MOST_TIMES * fmax(reach->samples, start.distance);
    reach->epochs = 0;
    return GLNN_OK;
}

glnn_status glnn__lvq_check_reach(glnn_lvq *lvq)
{
    glnn__lvq_reach *reach = &lvq->reach;
    farthest now;
    reach->epochs++;
    GLNN__TRY(find_farthest(lvq, &now));
    if (now.distance <= reach->limit)
        return GLNN_OK;
    return glnn__fail(
        GLNN_E_DIVERGED,
        "training: after epoch %d prototype %d, of class %d, is at a distance of %.3g "
        "from the mean of the samples, whose own is %.3g; the limit is %.3g; a lower "
        "rate may help",
        reach->epochs, now.index, lvq->prototypes.class_numbers[now.index], now.distance,
        reach->samples, reach->limit);
}
