#include "prototypes/use.h"

#include "base/status.h"
#include "prototypes/moves.h"

#include <math.h>
#include <stdlib.h>

/* The index and the squared distance, in slices, of each winner. */
static void unpack_winners(const glnn__prototypes *p, int count, const float *winners,
                           const float *slices, glnn__winners *out)
{
    const int columns = p->distances->columns;
    for (int i = 0; i < count; ++i) {
        const int index = (int)winners[4 * i];
        float distance = index >= 0 ? 0 : INFINITY;
        for (int s = 0; s < columns; s += 4)
            distance += slices[(size_t)i * (size_t)columns + (size_t)s];
        if (out->indices)
            out->indices[i] = index;
        if (out->classes)
            out->classes[i] = index >= 0 ? glnn__prototypes_class_of(p, index) : -1;
        if (out->distances)
            out->distances[i] = distance;
        out->missing += index < 0;
    }
}

glnn_status glnn__prototypes_take_winners(const glnn__prototypes *p, int count, glnn__winners *out)
{
    float *winners = NULL, *slices = NULL;
    glnn_status status = glnn__take_rows(p->ctx, p->winners, count, &winners);
    if (!status)
        status = glnn__take_rows(p->ctx, p->distances, count, &slices);
    if (!status)
        unpack_winners(p, count, winners, slices, out);
    free(winners);
    free(slices);
    return status;
}

glnn_status glnn__prototypes_classify(void *self, const glnn__batch *part, int *classes)
{
    GLNN__TRY(glnn__prototypes_gather(self, part));
    GLNN__TRY(glnn__prototypes_search(self, part->count));
    return glnn__prototypes_take_winners(self, part->count, &(glnn__winners){.classes = classes});
}

glnn__learner glnn__prototypes_learner(const glnn__learner_type *type, glnn__prototypes *p)
{
    return (glnn__learner){
        .type = type,
        .ctx = p->ctx,
        .self = p,
        .trained = &p->trained,
        .features = p->desc.features,
        .outputs = p->desc.classes,
        .predicted = glnn__prototypes_outputs(p),
        .stores_classes = true,
        .capacity = p->desc.capacity,
        .layout = p->desc.layout,
        .exchanges = true,
    };
}
