#include <glnn/lvq.h>

#include "base/status.h"
#include "data/description.h"
#include "data/number.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The description's numbers, each in [0, limit). */
typedef struct described_number {
    const char *key;
    size_t offset;
    float limit;
} described_number;

static const described_number numbers[] = {
    {"xi", offsetof(glnn_lvq_desc, xi), INFINITY},
    {"xi_growth", offsetof(glnn_lvq_desc, xi_growth), INFINITY},
    {"window", offsetof(glnn_lvq_desc, window), 1},
    {"epsilon", offsetof(glnn_lvq_desc, epsilon), INFINITY},
    {"sigma", offsetof(glnn_lvq_desc, sigma), INFINITY},
    {"scale", offsetof(glnn_lvq_desc, scale), INFINITY},
    {"metric_rate", offsetof(glnn_lvq_desc, metric_rate), INFINITY},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* What a file keeps beside the arrays. */
typedef struct lvq_description {
    glnn_lvq_desc desc;
    int count;
    double epochs;
} lvq_description;

static void describe(const lvq_description *description, glnn__texts *texts)
{
    const glnn_lvq_desc *desc = &description->desc;
    glnn__texts_add(texts, "format", "glnn-lvq");
    glnn__texts_add(texts, "version", "1");
    glnn__texts_add(texts, "kind", "%s", glnn_lvq_kind_name(desc->kind));
    glnn__texts_add(texts, "features", "%d", desc->features);
    glnn__texts_add(texts, "classes", "%d", desc->classes);
    glnn__texts_add(texts, "prototypes", "%d", description->count);
    glnn__texts_add(texts, "rank", "%d", desc->rank);
    for (int i = 0; i < NUMBERS; ++i) {
        float value;
        memcpy(&value, (const char *)desc + numbers[i].offset, sizeof value);
        glnn__texts_add(texts, numbers[i].key, "%.9g", (double)value);
    }
    glnn__texts_add(texts, "epochs", "%.17g", description->epochs);
    glnn__texts_add(texts, "seed", "%" PRIu64, desc->seed);
}

static glnn_status read_texts(const glnn__reading *in, lvq_description *out)
{
    const char *kinds[GLNN_LVQ_KIND_COUNT];
    int kind;
    for (int k = 0; k < GLNN_LVQ_KIND_COUNT; ++k)
        kinds[k] = glnn_lvq_kind_name((glnn_lvq_kind)k);
    GLNN__TRY(glnn__read_expect(in, "format", "glnn-lvq"));
    GLNN__TRY(glnn__read_expect(in, "version", "1"));
    GLNN__TRY(glnn__read_choice(in, "kind", kinds, GLNN_LVQ_KIND_COUNT, &kind));
    out->desc.kind = (glnn_lvq_kind)kind;
    GLNN__TRY(glnn__read_int(in, "features", 1, &out->desc.features));
    GLNN__TRY(glnn__read_int(in, "classes", 1, &out->desc.classes));
    GLNN__TRY(glnn__read_int(in, "prototypes", 1, &out->count));
    GLNN__TRY(glnn__read_int(in, "rank", 1, &out->desc.rank));
    for (int i = 0; i < NUMBERS; ++i) {
        float value;
        GLNN__TRY(glnn__read_float(in, numbers[i].key, numbers[i].limit, &value));
        memcpy((char *)&out->desc + numbers[i].offset, &value, sizeof value);
    }
    GLNN__TRY(glnn__read_double(in, "epochs", &out->epochs));
    return glnn__read_count(in, "seed", &out->desc.seed);
}

/* The arrays that are learnt beside prototypes and classes; each kind has one of them or none. */
typedef struct extra_array {
    const char *name; /* NULL: none */
    int dimensions;
    size_t rows, columns;
    glnn_status (*get)(const glnn_lvq *lvq, float *values);
    glnn_status (*set)(glnn_lvq *lvq, const float *values);
} extra_array;

static extra_array extra_of(const lvq_description *of)
{
    const size_t features = (size_t)of->desc.features;
    switch (of->desc.kind) {
    case GLNN_LVQ_GRLVQ:
        return (extra_array){"relevances",           1, features, 1, glnn_lvq_get_relevances,
                             glnn_lvq_set_relevances};
    case GLNN_LVQ_GMLVQ:
        return (extra_array){
            "omega", 2, (size_t)of->desc.rank, features, glnn_lvq_get_omega, glnn_lvq_set_omega};
    case GLNN_LVQ_OLVQ1:
        return (extra_array){"rates",           1, (size_t)of->count, 1, glnn_lvq_get_rates,
                             glnn_lvq_set_rates};
    default:
        return (extra_array){0};
    }
}

/* A classifier on its way to or from a file. */
typedef struct arrays {
    float *prototypes, *classes, *extra;
    int *class_numbers;
} arrays;

static void free_arrays(arrays *of)
{
    free(of->prototypes);
    free(of->classes);
    free(of->extra);
    free(of->class_numbers);
}

static glnn_status make_room(const lvq_description *of, const extra_array *extra, arrays *out)
{
    const size_t count = (size_t)of->count, size = count * (size_t)of->desc.features;
    const size_t extra_size = extra->name ? extra->rows * extra->columns : 1;
    *out = (arrays){
        .prototypes = malloc(size * sizeof(float)),
        .classes = malloc(count * sizeof(float)),
        .extra = malloc(extra_size * sizeof(float)),
        .class_numbers = malloc(count * sizeof(int)),
    };
    if (!out->prototypes || !out->classes || !out->extra || !out->class_numbers)
        return glnn__fail(GLNN_E_NOMEM, "no memory to save %zu values", size + extra_size);
    return GLNN_OK;
}

static glnn_status collect(const glnn_lvq *lvq, const lvq_description *of, const extra_array *extra,
                           arrays *out)
{
    GLNN__TRY(glnn_lvq_get_prototypes(lvq, out->prototypes, out->class_numbers));
    for (int p = 0; p < of->count; ++p)
        out->classes[p] = (float)out->class_numbers[p];
    if (extra->name)
        GLNN__TRY(extra->get(lvq, out->extra));
    if (!glnn__all_finite(out->prototypes, (size_t)of->count * (size_t)of->desc.features) ||
        (extra->name && !glnn__all_finite(out->extra, extra->rows * extra->columns)))
        return glnn__fail(GLNN_E_DIVERGED,
                          "the classifier has numbers that are not finite; they are not saved");
    return GLNN_OK;
}

static glnn_status write(const char *path, const lvq_description *of, const extra_array *extra,
                         const arrays *from)
{
    const size_t count = (size_t)of->count;
    const glnn_tensor tensors[] = {
        {"prototypes", 2, {count, (size_t)of->desc.features}, from->prototypes},
        {"classes", 1, {count}, from->classes},
        {extra->name, extra->dimensions, {extra->rows, extra->columns}, from->extra},
    };
    glnn__texts texts = {.count = 0};
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    describe(of, &texts);
    glnn__c_locale_leave(&locale);
    return glnn_safetensors_write(path, tensors, extra->name ? 3 : 2, texts.entries, texts.count);
}

glnn_status glnn_lvq_save(const glnn_lvq *lvq, const char *path)
{
    if (!lvq || !path)
        return glnn__fail(GLNN_E_ARG, "glnn_lvq_save: %s is null", lvq ? "path" : "lvq");
    const lvq_description of = {
        .desc = *glnn_lvq_get_desc(lvq),
        .count = glnn_lvq_count(lvq),
        .epochs = glnn_lvq_get_epochs(lvq),
    };
    const extra_array extra = extra_of(&of);
    arrays out;
    glnn_status status = make_room(&of, &extra, &out);
    if (!status)
        status = collect(lvq, &of, &extra, &out);
    if (!status)
        status = write(path, &of, &extra, &out);
    free_arrays(&out);
    return status;
}

/* A file with a classifier in it. */
typedef struct model {
    glnn_safetensors *file;
    glnn__reading reading;
    lvq_description description;
    const float *prototypes, *extra;
    int *class_numbers; /* of prototypes          */
    int *counts;        /* prototypes of each class */
} model;

static void close_model(model *in)
{
    glnn_safetensors_close(in->file);
    free(in->class_numbers);
    free(in->counts);
}

static glnn_status read_classes(model *in)
{
    const lvq_description *of = &in->description;
    const float *classes;
    GLNN__TRY(glnn__read_array(&in->reading, "classes", 1, (size_t)of->count, 1, &classes));
    in->class_numbers = malloc((size_t)of->count * sizeof *in->class_numbers);
    in->counts = calloc((size_t)of->desc.classes, sizeof *in->counts);
    if (!in->class_numbers || !in->counts)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d classes and %d prototypes",
                          in->reading.path, of->desc.classes, of->count);
    for (int p = 0; p < of->count; ++p) {
        if (!(classes[p] >= 0 && classes[p] < (float)of->desc.classes) ||
            classes[p] != floorf(classes[p]))
            return glnn__fail(GLNN_E_FORMAT, "%s: prototype %d has the class %g; there are %d",
                              in->reading.path, p, (double)classes[p], of->desc.classes);
        in->class_numbers[p] = (int)classes[p];
        in->counts[in->class_numbers[p]]++;
    }
    return GLNN_OK;
}

static glnn_status read_model(model *in)
{
    const lvq_description *of = &in->description;
    const size_t count = (size_t)of->count, features = (size_t)of->desc.features;
    const extra_array extra = extra_of(of);
    GLNN__TRY(glnn__read_array(&in->reading, "prototypes", 2, count, features, &in->prototypes));
    GLNN__TRY(read_classes(in));
    if (!glnn__all_finite(in->prototypes, count * features))
        return glnn__fail(GLNN_E_FORMAT, "%s: prototypes have numbers that are not finite",
                          in->reading.path);
    if (!extra.name)
        return GLNN_OK;
    GLNN__TRY(glnn__read_array(&in->reading, extra.name, extra.dimensions, extra.rows,
                               extra.columns, &in->extra));
    if (!glnn__all_finite(in->extra, extra.rows * extra.columns))
        return glnn__fail(GLNN_E_FORMAT, "%s: %s have numbers that are not finite",
                          in->reading.path, extra.name);
    return GLNN_OK;
}

static glnn_status open_model(const char *path, model *out)
{
    glnn__c_locale locale;
    *out = (model){0};
    GLNN__TRY(glnn_safetensors_open(path, &out->file));
    out->reading = (glnn__reading){path, "classifier of prototypes", out->file};
    glnn_status status = glnn__c_locale_enter(&locale);
    if (!status) {
        status = read_texts(&out->reading, &out->description);
        glnn__c_locale_leave(&locale);
    }
    if (!status)
        status = read_model(out);
    if (status)
        close_model(out);
    return status;
}

/* Brings all of a file into a classifier that it fits. */
static glnn_status apply(const model *in, glnn_lvq *lvq)
{
    const extra_array extra = extra_of(&in->description);
    if (extra.name) {
        glnn_status status = extra.set(lvq, in->extra);
        if (status == GLNN_E_ARG)
            status = glnn__fail(GLNN_E_FORMAT, "%s: %s that cannot be: %s", in->reading.path,
                                extra.name, glnn_last_error());
        GLNN__TRY(status);
    }
    GLNN__TRY(glnn_lvq_set_prototypes(lvq, in->prototypes, in->class_numbers));
    return glnn_lvq_set_epochs(lvq, in->description.epochs);
}

static glnn_status make_classifier(const model *in, glnn_context *ctx, glnn_lvq **out)
{
    glnn_lvq *lvq;
    glnn_status status = glnn_lvq_create(ctx, &in->description.desc, &lvq);
    /* The caller's own arguments were checked before, so it is the file that asks for nonsense. */
    if (status == GLNN_E_ARG)
        status = glnn__fail(GLNN_E_FORMAT, "%s: describes no classifier that can be: %s",
                            in->reading.path, glnn_last_error());
    GLNN__TRY(status);
    status = apply(in, lvq);
    if (status)
        glnn_lvq_destroy(lvq);
    else
        *out = lvq;
    return status;
}

glnn_status glnn_lvq_load(glnn_context *ctx, const char *path, glnn_layout layout, int capacity,
                          glnn_lvq **out)
{
    if (out)
        *out = NULL;
    if (!ctx || !path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_lvq_load: %s is null",
                          !ctx    ? "ctx"
                          : !path ? "path"
                                  : "out");
    if ((unsigned)layout >= GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "glnn_lvq_load: a classifier cannot have the layout %d",
                          (int)layout);
    if (capacity < 0)
        return glnn__fail(GLNN_E_ARG, "glnn_lvq_load: a capacity of %d samples", capacity);
    model in;
    GLNN__TRY(open_model(path, &in));
    in.description.desc.layout = layout;
    in.description.desc.capacity = capacity;
    in.description.desc.prototypes_of = in.counts;
    glnn_status status = make_classifier(&in, ctx, out);
    close_model(&in);
    return status;
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

glnn_status glnn_lvq_restore(glnn_lvq *lvq, const char *path)
{
    if (!lvq || !path)
        return glnn__fail(GLNN_E_ARG, "glnn_lvq_restore: %s is null", lvq ? "path" : "lvq");
    model in;
    GLNN__TRY(open_model(path, &in));
    const shape_text file = shape_of(&in.description.desc, in.description.count);
    const shape_text own = shape_of(glnn_lvq_get_desc(lvq), glnn_lvq_count(lvq));
    glnn_status status =
        strcmp(file.text, own.text) == 0
            ? apply(&in, lvq)
            : glnn__fail(GLNN_E_SHAPE, "%s: the file's classifier is %s, the one to restore %s",
                         path, file.text, own.text);
    close_model(&in);
    return status;
}
