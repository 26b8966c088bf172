#include "io/safetensors/preparation.h"

#include "base/status.h"
#include "io/table/names.h"

#include <stdlib.h>
#include <string.h>

#define KEY(name) "preparation." name

void glnn__name_lists_free(glnn__name_lists *lists)
{
    free(lists->features);
    free(lists->targets);
    free(lists->dropped);
    free(lists->label);
    free(lists->classes);
    *lists = (glnn__name_lists){0};
}

/* Adds a list of names, where there are any, as a text of any length. */
static glnn_status add_names(const char *key, char *const *names, int count, glnn__texts *texts,
                             char **list)
{
    if (!names || count == 0)
        return GLNN_OK;
    *list = glnn__names_join(names, count);
    if (!*list)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d names", count);
    texts->entries[texts->count++] = (glnn_metadata){key, *list};
    return GLNN_OK;
}

static glnn_status add_all_names(const glnn_preparation *of, glnn__texts *texts,
                                 glnn__name_lists *lists)
{
    const glnn_csv_columns *columns = &of->columns;
    GLNN__TRY(add_names(KEY("feature_names"), columns->feature_names, columns->features, texts,
                        &lists->features));
    GLNN__TRY(add_names(KEY("target_names"), columns->target_names, columns->targets, texts,
                        &lists->targets));
    GLNN__TRY(add_names(KEY("dropped_names"), columns->dropped_names, columns->dropped, texts,
                        &lists->dropped));
    GLNN__TRY(add_names(KEY("label_name"), &columns->label_name, columns->label_name ? 1 : 0, texts,
                        &lists->label));
    return add_names(KEY("class_names"), of->class_names, of->classes, texts, &lists->classes);
}

static const glnn__field counts[] = {
    {KEY("features"), .offset = offsetof(glnn_preparation, columns.features), .least = 1},
    {KEY("targets"), .offset = offsetof(glnn_preparation, columns.targets)},
    {KEY("dropped"), .offset = offsetof(glnn_preparation, columns.dropped)},
    {KEY("components"), .offset = offsetof(glnn_preparation, components)},
    {KEY("classes"), .offset = offsetof(glnn_preparation, classes)},
};

enum { COUNTS = sizeof counts / sizeof *counts };

glnn_status glnn__preparation_describe(const glnn_preparation *preparation, glnn__texts *texts,
                                       glnn__name_lists *lists)
{
    *lists = (glnn__name_lists){0};
    if (!preparation)
        return GLNN_OK;
    glnn__texts_add_fields(texts, counts, COUNTS, preparation);
    glnn_status status = add_all_names(preparation, texts, lists);
    if (status)
        glnn__name_lists_free(lists);
    return status;
}

/* One array of a preparation, and where it stands. */
typedef struct part {
    const char *name;
    int dimensions;
    size_t size[2];
    float **values;
} part;

enum { PARTS = 8 };

/* The optional arrays of a preparation. */
typedef struct options {
    bool means, scale, target_scale;
} options;

static options options_of(const glnn_preparation *of)
{
    return (options){of->columns.means != NULL, of->scale.features > 0,
                     of->target_scale.features > 0};
}

/* The arrays of a preparation with such counts; returns how many there are. */
static int list_parts(glnn_preparation *of, options has, part parts[PARTS])
{
    const size_t features = (size_t)of->columns.features, components = (size_t)of->components;
    const size_t targets = (size_t)of->columns.targets;
    int count = 0;
    if (has.means)
        parts[count++] = (part){KEY("means"), 1, {features}, &of->columns.means};
    if (has.scale) {
        parts[count++] = (part){KEY("offset"), 1, {features}, &of->scale.offset};
        parts[count++] = (part){KEY("factor"), 1, {features}, &of->scale.factor};
    }
    if (components > 0) {
        parts[count++] = (part){KEY("mean"), 1, {features}, &of->mean};
        parts[count++] = (part){KEY("directions"), 2, {components, features}, &of->directions};
        parts[count++] = (part){KEY("eigenvalues"), 1, {components}, &of->eigenvalues};
    }
    if (has.target_scale) {
        parts[count++] = (part){KEY("target_offset"), 1, {targets}, &of->target_scale.offset};
        parts[count++] = (part){KEY("target_factor"), 1, {targets}, &of->target_scale.factor};
    }
    return count;
}

static size_t length_of(const part *of)
{
    return of->dimensions == 2 ? of->size[0] * of->size[1] : of->size[0];
}

void glnn__preparation_add_arrays(const glnn_preparation *preparation, glnn__arrays *arrays)
{
    part parts[PARTS];
    glnn_preparation of = preparation ? *preparation : (glnn_preparation){0};
    const int count = list_parts(&of, options_of(&of), parts);
    for (int i = 0; i < count; ++i)
        glnn__arrays_add(arrays, parts[i].dimensions, parts[i].size, "%s", parts[i].name);
}

void glnn__preparation_collect(const glnn_preparation *preparation, int first,
                               const glnn__arrays *arrays)
{
    part parts[PARTS];
    glnn_preparation of = preparation ? *preparation : (glnn_preparation){0};
    const int count = list_parts(&of, options_of(&of), parts);
    for (int i = 0; i < count; ++i)
        memcpy(arrays->values[first + i], *parts[i].values, length_of(&parts[i]) * sizeof(float));
}

static glnn_status read_names(const glnn__described_file *in, const char *key, int count,
                              char ***out)
{
    const char *text = glnn_safetensors_metadata(in->file, key);
    if (!text || count == 0)
        return GLNN_OK;
    glnn_status status = glnn__names_split(text, count, out);
    return status == GLNN_E_FORMAT
               ? glnn__fail(status, "%s: metadata '%s': %s", in->path, key, glnn_last_error())
               : status;
}

static glnn_status read_array(const glnn__described_file *in, const part *of)
{
    glnn__arrays arrays = {.count = 0};
    glnn__arrays_add(&arrays, of->dimensions, of->size, "%s", of->name);
    GLNN__TRY(glnn__arrays_read(in, &arrays));
    const size_t length = length_of(of);
    *of->values = malloc(length * sizeof **of->values);
    if (!*of->values)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu values", in->path, length);
    memcpy(*of->values, arrays.tensors[0].data, length * sizeof **of->values);
    return GLNN_OK;
}

static glnn_status read_arrays(const glnn__described_file *in, glnn_preparation *out)
{
    part parts[PARTS];
    const options has = {glnn_safetensors_find(in->file, KEY("means")) != NULL,
                         glnn_safetensors_find(in->file, KEY("offset")) != NULL,
                         glnn_safetensors_find(in->file, KEY("target_offset")) != NULL};
    const int count = list_parts(out, has, parts);
    for (int i = 0; i < count; ++i)
        GLNN__TRY(read_array(in, &parts[i]));
    out->scale.features = has.scale ? out->columns.features : 0;
    out->target_scale.features = has.target_scale ? out->columns.targets : 0;
    return GLNN_OK;
}

static glnn_status read_label(const glnn__described_file *in, glnn_csv_columns *out)
{
    char **names = NULL;
    GLNN__TRY(read_names(in, KEY("label_name"), 1, &names));
    out->label_name = names ? names[0] : NULL;
    free(names);
    return GLNN_OK;
}

static glnn_status read_columns(const glnn__described_file *in, glnn_csv_columns *out)
{
    GLNN__TRY(read_names(in, KEY("feature_names"), out->features, &out->feature_names));
    GLNN__TRY(read_names(in, KEY("target_names"), out->targets, &out->target_names));
    GLNN__TRY(read_names(in, KEY("dropped_names"), out->dropped, &out->dropped_names));
    return read_label(in, out);
}

static glnn_status read_all(const glnn__described_file *in, glnn_preparation *out)
{
    GLNN__TRY(glnn__read_fields(in, counts, COUNTS, out));
    GLNN__TRY(read_columns(in, &out->columns));
    GLNN__TRY(read_names(in, KEY("class_names"), out->classes, &out->class_names));
    return read_arrays(in, out);
}

glnn_status glnn__preparation_read(const glnn__described_file *in, glnn_preparation *out)
{
    bool is_there = false;
    for (int i = 0; i < COUNTS; ++i)
        is_there = is_there || glnn_safetensors_metadata(in->file, counts[i].key);
    *out = (glnn_preparation){0};
    if (!is_there)
        return GLNN_OK;
    glnn_status status = read_all(in, out);
    if (status)
        glnn_preparation_free(out);
    return status;
}
