/* k-means in files, and the texts by which checkpoints recognise it. */
#include "prototypes/kmeans/kmeans.h"

#include "base/status.h"
#include "learn/learner_file.h"

#include <stddef.h>
#include <stdio.h>

static void describe(const void *self, void *description)
{
    *(glnn_kmeans_desc *)description = ((const glnn__kmeans *)self)->desc;
}

static glnn_status read_texts(const glnn__described_file *in, void *description)
{
    const glnn_kmeans_desc *desc = description;
    if (desc->classes > 0 && desc->centres > GLNN__MAX_PROTOTYPES / desc->classes)
        return glnn__fail(GLNN_E_FORMAT, "%s: describes %d centres for each of %d classes",
                          in->path, desc->centres, desc->classes);
    return GLNN_OK;
}

static void print_shape(const void *description, char *text, size_t size)
{
    const glnn_kmeans_desc *desc = description;
    snprintf(text, size, "%d centres, %d features and %d classes", desc->centres, desc->features,
             desc->classes);
}

enum { CENTRES, SIZES };

static void add_arrays(const void *description, glnn__arrays *out)
{
    const glnn_kmeans_desc *desc = description;
    const int count = desc->centres * (desc->classes > 0 ? desc->classes : 1);
    const size_t size[] = {(size_t)count, (size_t)desc->features};
    glnn__arrays_add(out, 2, size, "centres");
    glnn__arrays_add(out, 1, size, "sizes");
}

static glnn_status collect(const void *self, const glnn__arrays *out)
{
    GLNN__TRY(glnn_kmeans_get_centres(self, out->values[CENTRES]));
    return glnn_kmeans_get_sizes(self, out->values[SIZES]);
}

/* The sizes of centres are checked first, because setting the centres discards those that were
 * there. */
static glnn_status apply(const glnn__file *in, void *self)
{
    const glnn_tensor *from = in->arrays.tensors;
    GLNN__TRY(glnn__kmeans_check_sizes(self, in->reading.path, from[SIZES].data));
    GLNN__TRY(glnn_kmeans_set_centres(self, from[CENTRES].data));
    return glnn_kmeans_set_sizes(self, from[SIZES].data);
}

const glnn__file_form glnn__kmeans_file = {
    .size = sizeof(glnn_kmeans_desc),
    .layout = offsetof(glnn_kmeans_desc, layout),
    .capacity = offsetof(glnn_kmeans_desc, capacity),
    .fields = &glnn__kmeans_fields,
    .read_texts = read_texts,
    .describe = describe,
    .print_shape = print_shape,
    .add_arrays = add_arrays,
    .collect = collect,
    .apply = apply,
};
