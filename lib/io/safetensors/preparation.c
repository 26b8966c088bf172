#include "io/safetensors/preparation.h"

#include "base/status.h"
#include "base/string.h"
#include "io/preparation.h"
#include "io/table/names.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY(name) "glnn.preparation." name

#define COUNT(key, member)                                                                         \
    {                                                                                              \
        KEY(key), .offset = offsetof(glnn_preparation, member), .kept = GLNN__IN_FILES             \
    }
static const glnn__field count_list[] = {
    {KEY("features"), .offset = offsetof(glnn_preparation, columns.features),
     .kept = GLNN__IN_FILES, .least = 1},
    COUNT("targets", columns.targets),
    COUNT("dropped", columns.dropped),
    COUNT("components", components),
    COUNT("classes", columns.classes),
};

static const glnn__fields counts = GLNN__FIELDS(count_list);

static void add_names(glnn__texts *texts, const char *key, char *const *names, int count)
{
    if (names && count > 0)
        glnn__texts_take(texts, key, glnn__names_join(names, count));
}

static size_t count_places(const glnn_csv_columns *of)
{
    return 1 + (size_t)of->targets + (size_t)of->dropped;
}

/* The positions, each followed by a blank; NULL if memory ran out. */
static char *join_places(const glnn_csv_columns *of)
{
    enum { LONGEST = sizeof "-2147483648 " };
    const size_t size = count_places(of) * LONGEST;
    char *text = malloc(size);
    size_t used = 0;
    for (size_t i = 0; text && i < count_places(of); ++i)
        used += (size_t)snprintf(text + used, size - used, "%d ", of->places[i]);
    return text;
}

/* "28x28"; NULL if memory ran out. */
static char *print_sides(const glnn_shape *of)
{
    char text[32];
    snprintf(text, sizeof text, "%dx%d", of->height, of->width);
    return glnn__string_copy(text);
}

void glnn__preparation_describe(const glnn_preparation *of, glnn__texts *texts)
{
    if (!of)
        return;
    const glnn_csv_columns *columns = &of->columns;
    glnn__texts_add_fields(texts, &counts, GLNN__IN_FILES, of);
    add_names(texts, KEY("feature_names"), columns->feature_names, columns->features);
    add_names(texts, KEY("target_names"), columns->target_names, columns->targets);
    add_names(texts, KEY("dropped_names"), columns->dropped_names, columns->dropped);
    add_names(texts, KEY("label_name"), &columns->label_name, columns->label_name != NULL);
    if (columns->places)
        glnn__texts_take(texts, KEY("places"), join_places(columns));
    add_names(texts, KEY("class_names"), columns->class_names, columns->classes);
    if (of->gradients.width > 0)
        glnn__texts_take(texts, KEY("gradients"), print_sides(&of->gradients));
}

/* An array of a preparation, and the field for its values. */
typedef struct part {
    glnn_tensor tensor;
    float **values;
} part;

static part part_of(const char *name, int dimensions, size_t rows, size_t columns, float **values)
{
    return (part){{name, dimensions, {rows, columns}, *values}, values};
}

enum { PARTS = 8 };

/* Lists the arrays of a preparation with these counts, and returns their number. */
static int list_parts(glnn_preparation *of, bool has_means, part parts[PARTS])
{
    const size_t features = (size_t)glnn__preparation_features(of);
    const size_t components = (size_t)of->components;
    const size_t targets = (size_t)of->columns.targets;
    glnn_scale *scale = &of->scale, *target_scale = &of->target_scale;
    int count = 0;
    if (has_means)
        parts[count++] =
            part_of(KEY("means"), 1, (size_t)of->columns.features, 0, &of->columns.means);
    if (scale->features > 0) {
        parts[count++] = part_of(KEY("offset"), 1, features, 0, &scale->offset);
        parts[count++] = part_of(KEY("factor"), 1, features, 0, &scale->factor);
    }
    if (components > 0) {
        parts[count++] = part_of(KEY("mean"), 1, features, 0, &of->mean);
        parts[count++] = part_of(KEY("directions"), 2, components, features, &of->directions);
        parts[count++] = part_of(KEY("eigenvalues"), 1, components, 0, &of->eigenvalues);
    }
    if (target_scale->features > 0) {
        parts[count++] = part_of(KEY("target_offset"), 1, targets, 0, &target_scale->offset);
        parts[count++] = part_of(KEY("target_factor"), 1, targets, 0, &target_scale->factor);
    }
    return count;
}

void glnn__preparation_add_arrays(const glnn_preparation *preparation, glnn__arrays *arrays)
{
    part parts[PARTS];
    glnn_preparation of = preparation ? *preparation : (glnn_preparation){0};
    const int count = list_parts(&of, of.columns.means != NULL, parts);
    for (int i = 0; i < count; ++i)
        arrays->tensors[arrays->count++] = parts[i].tensor;
}

static glnn_status read_names(const glnn__described_file *in, const char *key, int count,
                              char ***out)
{
    const char *text = glnn_safetensors_get_metadata(in->file, key);
    if (!text || count == 0)
        return GLNN_OK;
    glnn_status status = glnn__names_split(text, count, out);
    return status == GLNN_E_FORMAT
               ? glnn__fail(status, "%s: metadata '%s': %s", in->path, key, glnn_last_error())
               : status;
}

static glnn_status read_array(const glnn__described_file *in, part *of)
{
    GLNN__TRY(glnn__array_read(in, &of->tensor));
    const size_t size = glnn__array_length(&of->tensor) * sizeof **of->values;
    *of->values = malloc(size);
    if (!*of->values)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", in->path, size);
    memcpy(*of->values, of->tensor.data, size);
    return GLNN_OK;
}

static glnn_status read_arrays(const glnn__described_file *in, glnn_preparation *out)
{
    part parts[PARTS];
    if (glnn_safetensors_find_tensor(in->file, KEY("offset")))
        out->scale.features = glnn__preparation_features(out);
    if (glnn_safetensors_find_tensor(in->file, KEY("target_offset")))
        out->target_scale.features = out->columns.targets;
    const int count = list_parts(out, glnn_safetensors_find_tensor(in->file, KEY("means")), parts);
    for (int i = 0; i < count; ++i)
        GLNN__TRY(read_array(in, &parts[i]));
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

static glnn_status fail_places(const glnn__described_file *in, size_t count)
{
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: metadata '" KEY("places") "' does not have the positions of %zu columns",
                      in->path, count);
}

static glnn_status read_places(const glnn__described_file *in, glnn_csv_columns *out)
{
    const char *text = glnn_safetensors_get_metadata(in->file, KEY("places"));
    const size_t count = count_places(out);
    if (!text)
        return GLNN_OK;
    /* Each has at least a digit and a blank, so a wrong count allocates no memory. */
    if (strlen(text) < 2 * count)
        return fail_places(in, count);
    out->places = calloc(count, sizeof *out->places);
    if (!out->places)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu positions", in->path, count);
    for (size_t i = 0; i < count; ++i) {
        char *end;
        const long place = strtol(text, &end, 10);
        if (end == text || *end != ' ' || place < 0 || place > INT_MAX)
            return fail_places(in, count);
        out->places[i] = (int)place;
        text = end + 1;
    }
    return *text == 0 ? GLNN_OK : fail_places(in, count);
}

static glnn_status read_gradients(const glnn__described_file *in, glnn_preparation *out)
{
    const char *text = glnn_safetensors_get_metadata(in->file, KEY("gradients"));
    glnn_shape *of = &out->gradients;
    int used = 0;
    if (!text)
        return GLNN_OK;
    of->channels = 1;
    if (sscanf(text, "%5dx%5d%n", &of->height, &of->width, &used) == 2 && text[used] == 0 &&
        of->height > 0 && of->width > 0)
        return GLNN_OK;
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: metadata '" KEY("gradients") "' is '%.40s', not height x width as in "
                                                        "'28x28'",
                      in->path, text);
}

static glnn_status read_all(const glnn__described_file *in, glnn_preparation *out)
{
    glnn_csv_columns *columns = &out->columns;
    GLNN__TRY(glnn__read_fields(in, &counts, out));
    GLNN__TRY(read_names(in, KEY("feature_names"), columns->features, &columns->feature_names));
    GLNN__TRY(read_names(in, KEY("target_names"), columns->targets, &columns->target_names));
    GLNN__TRY(read_names(in, KEY("dropped_names"), columns->dropped, &columns->dropped_names));
    GLNN__TRY(read_names(in, KEY("class_names"), columns->classes, &columns->class_names));
    GLNN__TRY(read_label(in, columns));
    GLNN__TRY(read_places(in, columns));
    GLNN__TRY(read_gradients(in, out));
    return read_arrays(in, out);
}

glnn_status glnn__preparation_read(const glnn__described_file *in, glnn_preparation *out)
{
    bool is_there = false;
    for (int i = 0; i < counts.count; ++i)
        is_there = is_there || glnn_safetensors_get_metadata(in->file, counts.list[i].name);
    *out = (glnn_preparation){0};
    if (!is_there)
        return GLNN_OK;
    glnn_status status = read_all(in, out);
    if (status)
        glnn_preparation_free(out);
    return status;
}
