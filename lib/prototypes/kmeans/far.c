#include "prototypes/kmeans/far.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

glnn_status glnn__far_create(glnn__far *far, int classes, int features, const int *wanted)
{
    *far = (glnn__far){.is_wanted = true, .features = features, .classes = classes};
    far->first = malloc(((size_t)classes + 1) * sizeof *far->first);
    far->found = calloc((size_t)classes, sizeof *far->found);
    if (far->first && far->found) {
        far->first[0] = 0;
        for (int c = 0; c < classes; ++c)
            far->first[c + 1] = far->first[c] + wanted[c];
        const size_t places = (size_t)far->first[classes];
        far->distances = malloc((places + 1) * sizeof *far->distances);
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
    free(far->found);
    free(far->distances);
    free(far->samples);
    *far = (glnn__far){0};
}

bool glnn__far_accepts(const glnn__far *far, int class, float distance)
{
    const int places = far->first[class + 1] - far->first[class], found = far->found[class];
    if (places == 0 || !(distance > 0))
        return false;
    return found < places || distance > far->distances[far->first[class] + found - 1];
}

void glnn__far_insert(glnn__far *far, int class, float distance, const float *sample)
{
    const size_t size = (size_t)far->features;
    const int first = far->first[class], places = far->first[class + 1] - first;
    int at = far->found[class] < places ? far->found[class]++ : places - 1;
    for (; at > 0 && distance > far->distances[first + at - 1]; --at) {
        const size_t to = (size_t)(first + at), from = to - 1;
        far->distances[to] = far->distances[from];
        memcpy(far->samples + to * size, far->samples + from * size, size * sizeof(float));
    }
    far->distances[first + at] = distance;
    memcpy(far->samples + (size_t)(first + at) * size, sample, size * sizeof(float));
}
