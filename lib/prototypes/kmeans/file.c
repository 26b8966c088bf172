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

static glnn__tensor_place place(const void *self, int number)
{
    const glnn__prototypes *p = self;
    return (glnn__tensor_place){GLNN__ROLE_PARAMETER, 0, number == CENTRES ? p->values : p->learnt};
}

static glnn_status read(const void *self, int number, float *values)
{
    const glnn__prototypes *p = self;
    GLNN__TRY(glnn__learner_check_set(self));
    return number == CENTRES ? glnn__prototypes_download(p, values)
                             : glnn_matrix_download(p->ctx, p->learnt, NULL, values, 0);
}

static glnn_status check(const void *self, int number, const float *values)
{
    const glnn__prototypes *p = self;
    for (int c = 0; number == SIZES && c < p->desc.count; ++c)
        if (values[c] < 0)
            return glnn__fail(
                GLNN_E_ARG, "has a size of %g for centre %d; it has to be finite and not negative",
                (double)values[c], c);
    return GLNN_OK;
}

static glnn_status write(void *self, int number, const float *values)
{
    const glnn__prototypes *p = self;
    if (number == CENTRES)
        return glnn__kmeans_start_from(self, values);
    GLNN__TRY(glnn__learner_check_set(self));
    return glnn_matrix_upload(p->ctx, p->learnt, NULL, values, 0);
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
    .place = place,
    .read = read,
    .check = check,
    .write = write,
};
