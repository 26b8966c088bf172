#include "prototypes/use.h"

#include "base/status.h"
#include "prototypes/moves.h"
#include "train/snapshot.h"

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

glnn_status glnn__prototypes_predict(void *self, const glnn__piece *piece)
{
    glnn__winners *all = piece->user;
    glnn__winners here = {.indices = all->indices ? all->indices + piece->first : NULL,
                          .classes = all->classes ? all->classes + piece->first : NULL,
                          .distances = all->distances ? all->distances + piece->first : NULL};
    GLNN__TRY(glnn__prototypes_search(self, piece->count));
    GLNN__TRY(glnn__prototypes_take_winners(self, piece->count, &here));
    all->missing += here.missing;
    return GLNN_OK;
}

glnn_status glnn__prototypes_classify(void *self, const glnn__batch *part, int *classes)
{
    GLNN__TRY(glnn__prototypes_gather(self, part));
    GLNN__TRY(glnn__prototypes_search(self, part->count));
    return glnn__prototypes_take_winners(self, part->count, &(glnn__winners){.classes = classes});
}

bool glnn__prototypes_learnt(const void *self, int number, const glnn_matrix **out)
{
    const glnn__prototypes *p = self;
    if (number < 2)
        *out = number == 0 ? p->values : p->learnt;
    return number < 2;
}

glnn_status glnn__prototypes_snapshot(void *self)
{
    glnn__prototypes *p = self;
    glnn__offset_snapshot(&p->offset);
    GLNN__TRY(glnn__snapshot_take(p->values, &p->values_snapshot));
    return glnn__snapshot_take(p->learnt, &p->learnt_snapshot);
}

glnn_status glnn__prototypes_restore(void *self)
{
    glnn__prototypes *p = self;
    GLNN__TRY(glnn__snapshot_restore(p->values_snapshot, p->values));
    GLNN__TRY(glnn__snapshot_restore(p->learnt_snapshot, p->learnt));
    glnn__prototypes_changed(p);
    return glnn__offset_restore(p->ctx, &p->offset);
}
