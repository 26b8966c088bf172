#include "companions.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "failure.h"

typedef struct companions {
    char classes[PATH_CAPACITY], projection[PATH_CAPACITY];
} companions;

static companions companions_of(const char *path)
{
    companions out;
    snprintf(out.classes, sizeof out.classes, "%s.classes", path);
    snprintf(out.projection, sizeof out.projection, "%s.projection", path);
    return out;
}

void companions_save(const classifier *model, const glnn_projection *projection,
                     const class_names *classes, const char *path)
{
    const companions beside = companions_of(path);
    classifier_save(model, path);
    REQUIRE(classes_write(classes, beside.classes));
    if (projection)
        CHECK(glnn_projection_save(projection, beside.projection));
    /* One of an earlier classifier would be taken for this one's. */
    else
        REQUIRE(unlink(beside.projection) == 0 || errno == ENOENT ||
                refuse("cannot remove %s: %s", beside.projection, strerror(errno)));
    printf("saved      %s\n", path);
}

glnn_projection *companions_load(glnn_context *ctx, const char *path, glnn_layout layout,
                                 classifier *model, class_names *classes)
{
    const companions beside = companions_of(path);
    glnn_projection *projection = NULL;
    *model = classifier_load(ctx, path, layout);
    const int count = classifier_classes(model);
    REQUIRE(access(beside.classes, F_OK) == 0 ? classes_read(classes, beside.classes)
                                              : classes_number(classes, count));
    REQUIRE(classes->count == count || refuse("%s has %d classes, but the classifier %d",
                                              beside.classes, classes->count, count));
    if (access(beside.projection, F_OK) == 0)
        CHECK(glnn_projection_load(ctx, beside.projection, &projection));
    return projection;
}

void companions_read_codebook(const char *path, glnn_codebook *out, class_names *classes)
{
    CHECK(glnn_codebook_read(path, out));
    REQUIRE(out->labels != NULL || refuse("%s: its vectors have no labels", path));
    for (int i = 0; i < out->classes; ++i)
        REQUIRE(classes_add(classes, out->class_names[i]) == i);
}
