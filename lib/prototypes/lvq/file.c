/* A classifier in files, and the texts by which checkpoints recognise it. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "learn/learner_file.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct lvq_description {
    glnn_lvq_desc desc;
    int count;
    double epochs;
    int *class_numbers; /* of the prototypes of a file; NULL: of a learner */
    int *counts;        /* prototypes of each class, the same              */
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

/* Parameters other than prototypes and classes; each kind of classifier has one of them or none. */
typedef struct extra_array {
    const char *name; /* NULL: none */
    int dimensions;
    size_t size[2];
    glnn_status (*get)(const glnn_learner *learner, float *values);
    glnn_status (*set)(glnn_learner *learner, const float *values);
} extra_array;

static extra_array extra_of(const lvq_description *of)
{
    const size_t features = (size_t)of->desc.features;
    switch (of->desc.kind) {
    case GLNN_LVQ_GRLVQ:
        return (extra_array){
            "relevances", 1, {features}, glnn_lvq_get_relevances, glnn_lvq_set_relevances};
    case GLNN_LVQ_GMLVQ:
        return (extra_array){
            "omega", 2, {(size_t)of->desc.rank, features}, glnn_lvq_get_omega, glnn_lvq_set_omega};
    case GLNN_LVQ_OLVQ1:
        return (extra_array){
            "rates", 1, {(size_t)of->count}, glnn_lvq_get_rates, glnn_lvq_set_rates};
    default:
        return (extra_array){0};
    }
}

enum { PROTOTYPES, CLASSES, EXTRA };

static void add_arrays(const void *description, glnn__arrays *out)
{
    const lvq_description *of = description;
    const size_t size[] = {(size_t)of->count, (size_t)of->desc.features};
    const extra_array extra = extra_of(of);
    glnn__arrays_add(out, 2, size, "prototypes");
    glnn__arrays_add(out, 1, size, "classes");
    if (extra.name)
        glnn__arrays_add(out, extra.dimensions, extra.size, "%s", extra.name);
}

static glnn_status collect(const void *self, const glnn__arrays *out)
{
    const glnn__lvq *lvq = self;
    lvq_description of;
    describe(self, &of);
    const extra_array extra = extra_of(&of);
    GLNN__TRY(glnn__prototypes_download(&lvq->prototypes, out->values[PROTOTYPES]));
    for (int p = 0; p < of.count; ++p)
        out->values[CLASSES][p] = (float)lvq->prototypes.class_numbers[p];
    return extra.name ? extra.get(self, out->values[EXTRA]) : GLNN_OK;
}

/* The classes of the prototypes, and how many each class has. */
static glnn_status check(const glnn__file *in)
{
    lvq_description *of = in->description;
    const float *classes = in->arrays.tensors[CLASSES].data;
    of->class_numbers = malloc((size_t)of->count * sizeof *of->class_numbers);
    of->counts = calloc((size_t)of->desc.classes, sizeof *of->counts);
    if (!of->class_numbers || !of->counts)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d classes and %d prototypes",
                          in->reading.path, of->desc.classes, of->count);
    for (int p = 0; p < of->count; ++p) {
        if (!(classes[p] >= 0 && classes[p] < (float)of->desc.classes) ||
            classes[p] != floorf(classes[p]))
            return glnn__fail(GLNN_E_FORMAT, "%s: prototype %d has the class %g; there are %d",
                              in->reading.path, p, (double)classes[p], of->desc.classes);
        of->class_numbers[p] = (int)classes[p];
        of->counts[of->class_numbers[p]]++;
    }
    of->desc.prototypes_of = of->counts;
    return GLNN_OK;
}

/* The numbers that may be refused come first. */
static glnn_status apply(const glnn__file *in, void *self)
{
    const lvq_description *of = in->description;
    const extra_array extra = extra_of(of);
    const glnn_tensor *from = in->arrays.tensors;
    if (extra.name)
        GLNN__TRY(extra.set(self, from[EXTRA].data));
    GLNN__TRY(glnn_lvq_set_prototypes(self, from[PROTOTYPES].data, of->class_numbers));
    return glnn_lvq_set_epochs(self, of->epochs);
}

static void clear(void *description)
{
    lvq_description *of = description;
    free(of->class_numbers);
    free(of->counts);
}

const glnn__file_form glnn__lvq_file = {
    .size = sizeof(lvq_description),
    .layout = offsetof(lvq_description, desc.layout),
    .capacity = offsetof(lvq_description, desc.capacity),
    .fields = &all_fields,
    .describe = describe,
    .forget = forget,
    .print_shape = print_shape,
    .add_arrays = add_arrays,
    .collect = collect,
    .check = check,
    .apply = apply,
    .clear = clear,
};
