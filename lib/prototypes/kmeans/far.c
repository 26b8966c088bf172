#include "prototypes/kmeans/far.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

glnn_status glnn__far_create(glnn__far *far, int classes, int features, const int *wanted)
{
    *far = (glnn__far){.is_wanted = true, .features = features, .classes = classes};
    far->first = calloc((size_t)classes + 1, sizeof *far->first);
    for (int c = 0; c < classes && far->first; ++c)
        far->first[c + 1] = far->first[c] + wanted[c];
    if (far->first) {
        const size_t places = (size_t)far->first[classes];
        far->distances = calloc(places + 1, sizeof *far->distances);
        far->samples = malloc((places + 1) * (size_t)features * sizeof *far->samples);
    }
    if (far->distances && far->samples)
        return GLNN_OK;
    glnn__far_destroy(far);
    return glnn__fail(GLNN_E_NOMEM, "no memory for samples far from their centres");
}

void glnn__far_destroy(glnn__far *far)
{
    free(far->first);
    free(far->distances);
    free(far->samples);
    *far = (glnn__far){0};
}

void glnn__far_offer(glnn__far *far, int class, float distance, const float *sample)
{
    const size_t size = (size_t)far->features;
    size_t at = (size_t)far->first[class];
    const size_t end = (size_t)far->first[class + 1];
    if (at == end || !(distance > far->distances[end - 1]))
        return;
    while (!(distance > far->distances[at]))
        ++at;
    float *distances = far->distances + at, *samples = far->samples + at * size;
    memmove(distances + 1, distances, (end - at - 1) * sizeof *distances);
    memmove(samples + size, samples, (end - at - 1) * size * sizeof *samples);
    *distances = distance;
    memcpy(samples, sample, size * sizeof *samples);
}
