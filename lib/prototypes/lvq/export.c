/* The C file of a classifier. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "prototypes/export.h"

#include <stdio.h>

glnn_status glnn__lvq_export_c(const void *self, const char *path, const char *name)
{
    const glnn__lvq *lvq = self;
    char what[64];
    double precision_half;
    GLNN__TRY(glnn__learner_check_set(&lvq->prototypes.learner));
    GLNN__TRY(glnn__lvq_find_precision(lvq, &precision_half));
    snprintf(what, sizeof what, "%d prototypes of %s", lvq->prototypes.desc.count,
             glnn_lvq_kind_name(lvq->desc.kind));
    return glnn__prototypes_export(&lvq->prototypes, precision_half, what, path, name);
}
