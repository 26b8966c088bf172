/* A classifier in files, and the texts by which checkpoints recognise it. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "learn/learner_file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct lvq_description {
    glnn_lvq_desc desc;
    int count;
    double epochs;
    int *counts; /* prototypes of each class in a file; NULL: of a learner */
} lvq_description;

static const glnn__field fields[] = {
    {"desc", .nested = &glnn__lvq_fields},
    {"prototypes", .offset = offsetof(lvq_description, count), .kept = GLNN__IN_FILES, .least = 1},
    {"epochs", GLNN_FIELD_DOUBLE, .offset = offsetof(lvq_description, epochs),
     .kept = GLNN__IN_FILES},
};

static const glnn__fields all_fields = GLNN__FIELDS(fields);

static void describe(const void *self, void *description)
{
    const glnn__lvq *lvq = self;
    *(lvq_description *)description = (lvq_description){
        .desc = lvq->desc, .count = lvq->prototypes.desc.count, .epochs = lvq->epochs};
}

static void forget(const void *self, void *description)
{
    const glnn__lvq *lvq = self;
    lvq_description *of = description;
    of->epochs = 0;
    of->desc.scale = lvq->finds_scale ? 0 : of->desc.scale;
    of->desc.sigma = lvq->finds_sigma ? 0 : of->desc.sigma;
}

static void print_shape(const void *description, char *text, size_t size)
{
    const lvq_description *of = description;
    snprintf(text, size, "%s of %d features, %d classes, %d prototypes, rank %d",
             glnn_lvq_kind_name(of->desc.kind), of->desc.features, of->desc.classes, of->count,
             of->desc.rank);
}

static void add_arrays(const void *description, glnn__arrays *out)
{
    const lvq_description *of = description;
    const size_t count = (size_t)of->count, features = (size_t)of->desc.features;
    glnn__arrays_add(out, 2, (const size_t[]){count, features}, "prototypes");
    glnn__arrays_add(out, 1, &count, "classes");
    if (of->desc.kind == GLNN_LVQ_GRLVQ)
        glnn__arrays_add(out, 1, &features, "relevances");
    if (of->desc.kind == GLNN_LVQ_GMLVQ)
        glnn__arrays_add(out, 2, (const size_t[]){(size_t)of->desc.rank, features}, "omega");
    if (of->desc.kind == GLNN_LVQ_OLVQ1)
        glnn__arrays_add(out, 1, &count, "rates");
    if (of->desc.two_parts)
        glnn__arrays_add(out, 2, (const size_t[]){count, features}, "low");
}

/* How many prototypes of a file each class has, and of how many parts they are. */
static glnn_status read_texts(const glnn__described_file *in, void *description)
{
    lvq_description *of = description;
    glnn_tensor classes = {.name = "classes", .dimensions = 1, .shape = {(size_t)of->count}};
    GLNN__TRY(glnn__array_read(in, &classes));
    if (glnn__lvq_check_classes(of->desc.classes, of->count, classes.data))
        return glnn__fail(GLNN_E_FORMAT, "%s: `classes` %s", in->path, glnn__last_sentence());
    of->counts = calloc((size_t)of->desc.classes, sizeof *of->counts);
    if (!of->counts)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d classes", in->path, of->desc.classes);
    for (int p = 0; p < of->count; ++p)
        of->counts[(int)classes.data[p]]++;
    of->desc.prototypes_of = of->counts;
    of->desc.two_parts = glnn_safetensors_find_tensor(in->file, "low") != NULL;
    return GLNN_OK;
}

static glnn_status accept(const glnn__described_file *in, const void *description, void *self)
{
    (void)in;
    return glnn_lvq_set_epochs(self, ((const lvq_description *)description)->epochs);
}

static void clear(void *description)
{
    free(((lvq_description *)description)->counts);
}

const glnn__file_form glnn__lvq_file = {
    .size = sizeof(lvq_description),
    .layout = offsetof(lvq_description, desc.layout),
    .capacity = offsetof(lvq_description, desc.capacity),
    .fields = &all_fields,
    .read_texts = read_texts,
    .describe = describe,
    .forget = forget,
    .print_shape = print_shape,
    .add_arrays = add_arrays,
    .place = glnn__lvq_place,
    .read = glnn__lvq_read,
    .check = glnn__lvq_check,
    .write = glnn__lvq_write,
    .accept = accept,
    .clear = clear,
};
