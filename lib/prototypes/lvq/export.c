/* The C file of a classifier. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "prototypes/export.h"

#include <glnn/export.h>

#include <stdio.h>

static glnn_status export(const glnn_lvq *lvq, const char *path, const char *name)
{
    char what[64];
    double precision_half;
    GLNN__TRY(glnn__lvq_check_set(lvq));
    GLNN__TRY(glnn__lvq_find_precision(lvq, &precision_half));
    snprintf(what, sizeof what, "%d prototypes of %s", lvq->prototypes.desc.count,
             glnn_lvq_kind_name(lvq->desc.kind));
    return glnn__prototypes_export(&lvq->prototypes, precision_half, what, path, name);
}

glnn_status glnn_lvq_export_c(const glnn_lvq *lvq, const char *path, const char *name)
{
    GLNN__HELD(lvq);
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(name);
    return glnn__fail_in(__func__, export(lvq, path, name));
}
