/* The C file of k-means. */
#include "prototypes/kmeans/kmeans.h"

#include "base/status.h"
#include "prototypes/export.h"

#include <stdio.h>

glnn_status glnn__kmeans_export_c(const void *self, const char *path, const char *name)
{
    const glnn__kmeans *kmeans = self;
    char what[64];
    GLNN__TRY(glnn__learner_check_set(&kmeans->prototypes.learner));
    snprintf(what, sizeof what, "%d centres of k-means", kmeans->prototypes.desc.count);
    return glnn__prototypes_export(&kmeans->prototypes, 0, what, path, name);
}
