/* The C file of k-means. */
#include "prototypes/kmeans/kmeans.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "prototypes/export.h"

#include <glnn/export.h>

#include <stdio.h>

static glnn_status export(const glnn_kmeans *kmeans, const char *path, const char *name)
{
    char what[64];
    GLNN__TRY(glnn__kmeans_check_set(kmeans));
    snprintf(what, sizeof what, "%d centres of k-means", kmeans->prototypes.desc.count);
    return glnn__prototypes_export(&kmeans->prototypes, 0, what, path, name);
}

glnn_status glnn_kmeans_export_c(const glnn_kmeans *kmeans, const char *path, const char *name)
{
    GLNN__HELD(kmeans);
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(name);
    return glnn__fail_in(__func__, export(kmeans, path, name));
}
