#include "prototypes/use.h"

#include "base/status.h"
#include "prototypes/moves.h"

#include <math.h>
#include <stdlib.h>

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
