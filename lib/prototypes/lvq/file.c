#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "learner/learner_file.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The description of a classifier in a file, without its arrays. */
typedef struct lvq_description {
    glnn_lvq_desc desc;
    int count;
    double epochs;
} lvq_description;

static lvq_description description_of(const glnn_lvq *lvq)
{
    return (lvq_description){.desc = *glnn_lvq_get_desc(lvq),
                             .count = glnn_lvq_get_count(lvq),
                             .epochs = glnn_lvq_get_epochs(lvq)};
}

static const char *kind_name(int kind)
{
    return glnn_lvq_kind_name((glnn_lvq_kind)kind);
}

static const glnn__field fields[] = {
    {"kind", GLNN__FIELD_CHOICE, .offset = offsetof(lvq_description, desc.kind), .name = kind_name,
     .choices = GLNN_LVQ_KIND_COUNT},
    {"features", .offset = offsetof(lvq_description, desc.features), .least = 1},
    {"classes", .offset = offsetof(lvq_description, desc.classes), .least = 1},
    {"prototypes", .offset = offsetof(lvq_description, count), .least = 1},
    {"rank", .offset = offsetof(lvq_description, desc.rank), .least = 1},
    {"xi", GLNN__FIELD_FLOAT, .offset = offsetof(lvq_description, desc.xi)},
    {"xi_growth", GLNN__FIELD_FLOAT, .offset = offsetof(lvq_description, desc.xi_growth)},
    {"window", GLNN__FIELD_FLOAT, .offset = offsetof(lvq_description, desc.window), .limit = 1},
    {"epsilon", GLNN__FIELD_FLOAT, .offset = offsetof(lvq_description, desc.epsilon)},
    {"sigma", GLNN__FIELD_FLOAT, .offset = offsetof(lvq_description, desc.sigma)},
    {"scale", GLNN__FIELD_FLOAT, .offset = offsetof(lvq_description, desc.scale)},
    {"metric_rate", GLNN__FIELD_FLOAT, .offset = offsetof(lvq_description, desc.metric_rate)},
    {"epochs", GLNN__FIELD_DOUBLE, .offset = offsetof(lvq_description, epochs)},
    {"seed", GLNN__FIELD_COUNT, .offset = offsetof(lvq_description, desc.seed)},
};

/* Parameters other than prototypes and classes; each kind of classifier has one of them or none. */
typedef struct extra_array {
    const char *name; /* NULL: none */
    int dimensions;
    size_t size[2];
    glnn_status (*get)(const glnn_lvq *lvq, float *values);
    glnn_status (*set)(glnn_lvq *lvq, const float *values);
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

static glnn_status collect(const void *learner, const glnn__arrays *out)
{
    const glnn_lvq *lvq = learner;
    const lvq_description of = description_of(lvq);
    const extra_array extra = extra_of(&of);
    GLNN__TRY(glnn_lvq_get_prototypes(lvq, out->values[PROTOTYPES], NULL));
    for (int p = 0; p < of.count; ++p)
        out->values[CLASSES][p] = (float)lvq->prototypes.class_numbers[p];
    if (extra.name)
        GLNN__TRY(extra.get(lvq, out->values[EXTRA]));
    if (!glnn__arrays_finite(out, 0, out->count))
        return glnn__fail(GLNN_E_DIVERGED,
                          "the classifier has numbers that are not finite; they are not saved");
    return GLNN_OK;
}

static const glnn__file_kind kind = {
    .name = "lvq",
    .what = "classifier of prototypes",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .add_arrays = add_arrays,
    .collect = collect,
};

void glnn__lvq_identify(const void *self, glnn__texts *texts)
{
    const glnn_lvq *lvq = self;
    lvq_description of = description_of(lvq);
    of.epochs = 0;
    of.desc.scale = lvq->finds_scale ? 0 : of.desc.scale;
    of.desc.sigma = lvq->finds_sigma ? 0 : of.desc.sigma;
    glnn__texts_add_fields(texts, fields, sizeof fields / sizeof *fields, &of);
}

glnn_status glnn_lvq_save(const glnn_lvq *lvq, const char *path)
{
    GLNN__HELD(lvq);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__fail_in(__func__, glnn__lvq_check_set(lvq)));
    const lvq_description of = description_of(lvq);
    return glnn__fail_in(__func__,
                         glnn__file_save(&kind, path, &of, lvq, glnn_lvq_get_preparation(lvq)));
}

/* A file with a classifier in it. */
typedef struct model {
    glnn__file file;
    lvq_description description;
    int *class_numbers; /* of prototypes            */
    int *counts;        /* prototypes of each class */
} model;

static glnn_status close_model(model *in, glnn_status status)
{
    status = glnn__file_close(&in->file, status);
    free(in->class_numbers);
    free(in->counts);
    return status;
}

static glnn_status read_classes(model *in)
{
    const lvq_description *of = &in->description;
    const char *path = in->file.reading.path;
    const float *classes = in->file.arrays.tensors[CLASSES].data;
    in->class_numbers = malloc((size_t)of->count * sizeof *in->class_numbers);
    in->counts = calloc((size_t)of->desc.classes, sizeof *in->counts);
    if (!in->class_numbers || !in->counts)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d classes and %d prototypes", path,
                          of->desc.classes, of->count);
    for (int p = 0; p < of->count; ++p) {
        if (!(classes[p] >= 0 && classes[p] < (float)of->desc.classes) ||
            classes[p] != floorf(classes[p]))
            return glnn__fail(GLNN_E_FORMAT, "%s: prototype %d has the class %g; there are %d",
                              path, p, (double)classes[p], of->desc.classes);
        in->class_numbers[p] = (int)classes[p];
        in->counts[in->class_numbers[p]]++;
    }
    in->description.desc.prototypes_of = in->counts;
    return GLNN_OK;
}

static glnn_status check_numbers(const glnn__file *in)
{
    for (int i = 0; i < in->arrays.count; ++i) {
        if (!glnn__arrays_finite(&in->arrays, i, 1))
            return glnn__fail(GLNN_E_FORMAT, "%s: %s have numbers that are not finite",
                              in->reading.path, in->arrays.names[i]);
    }
    return GLNN_OK;
}

static glnn_status open_model(const char *path, model *out)
{
    out->class_numbers = out->counts = NULL;
    out->description = (lvq_description){.count = 0};
    GLNN__TRY(glnn__file_open(&kind, path, &out->description, &out->file));
    glnn_status status = read_classes(out);
    if (!status)
        status = check_numbers(&out->file);
    return status ? close_model(out, status) : GLNN_OK;
}

/* Brings all of a file into a classifier that it fits. The checks come first. */
static glnn_status apply(const model *in, glnn_lvq *lvq)
{
    const extra_array extra = extra_of(&in->description);
    const glnn_tensor *from = in->file.arrays.tensors;
    if (extra.name)
        GLNN__TRY(extra.set(lvq, from[EXTRA].data));
    GLNN__TRY(glnn_lvq_set_prototypes(lvq, from[PROTOTYPES].data, in->class_numbers));
    return glnn_lvq_set_epochs(lvq, in->description.epochs);
}

glnn_status glnn_lvq_load(glnn_context *ctx, const char *path, const glnn_load_desc *desc,
                          glnn_lvq **out)
{
    glnn_lvq *lvq = NULL;
    glnn_load_desc how;
    model in;
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__load_desc_check(__func__, desc, &how));
    GLNN__TRY(glnn__fail_in(__func__, open_model(path, &in)));
    in.description.desc.layout = how.layout;
    in.description.desc.capacity = how.capacity;
    glnn_status status = glnn_lvq_create(ctx, &in.description.desc, &lvq);
    if (!status)
        status = apply(&in, lvq);
    if (!status)
        status = glnn_lvq_set_preparation(lvq, &in.file.preparation);
    status = close_model(&in, status);
    if (status)
        glnn_lvq_destroy(lvq);
    else
        *out = lvq;
    return glnn__fail_in(__func__, status);
}

/* A shape for an error's sentence. */
typedef struct shape_text {
    char text[128];
} shape_text;

static shape_text shape_of(const glnn_lvq_desc *desc, int count)
{
    shape_text shape;
    snprintf(shape.text, sizeof shape.text, "%s of %d features, %d classes, %d prototypes, rank %d",
             glnn_lvq_kind_name(desc->kind), desc->features, desc->classes, count, desc->rank);
    return shape;
}

glnn_status glnn_lvq_load_parameters(glnn_lvq *lvq, const char *path)
{
    model in;
    GLNN__HELD(lvq);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__fail_in(__func__, open_model(path, &in)));
    const shape_text file = shape_of(&in.description.desc, in.description.count);
    const shape_text own = shape_of(glnn_lvq_get_desc(lvq), glnn_lvq_get_count(lvq));
    glnn_status status =
        strcmp(file.text, own.text) == 0
            ? apply(&in, lvq)
            : glnn__fail(GLNN_E_SHAPE, "%s: the file's classifier is %s, the one to load into %s",
                         path, file.text, own.text);
    return glnn__fail_in(__func__, close_model(&in, status));
}
