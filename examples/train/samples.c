#include "samples.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "common/check.h"
#include "common/failure.h"
#include "handwriting.h"
#include "holdout.h"
#include "images.h"
#include "pictures.h"
#include "stored.h"

static void free_parts(samples *of)
{
    part_free(&of->train);
    part_free(&of->test);
    part_free(&of->known);
}

void samples_free(samples *of)
{
    free_parts(of);
    classes_free(&of->classes);
    glnn_csv_columns_free(&of->columns);
    glnn_scale_free(&of->scale);
    free(of->counts);
    *of = (samples){0};
}

/* The treatment of a class that has no name in samples.classes. */
typedef enum unnamed { UNNAMED_ADDED, UNNAMED_REFUSED, UNNAMED_UNKNOWN } unnamed;

static void note_unknown(const char *name, samples *out)
{
    const size_t used = strlen(out->unknown_names), room = UNKNOWN_NAMES - used;
    if (strlen(name) + 16 < room)
        snprintf(out->unknown_names + used, room, "%s'%s'", used > 0 ? ", " : "", name);
    else if (room > 8 && (used < 5 || strcmp(out->unknown_names + used - 5, ", ...") != 0))
        snprintf(out->unknown_names + used, room, ", ...");
}

/* The class in out->classes with this name; -1: unknown; -2: a failure, because it is unknown. */
static int find_class(const char *path, const char *name, unnamed way, samples *out)
{
    int found =
        way == UNNAMED_ADDED ? classes_add(&out->classes, name) : classes_find(&out->classes, name);
    if (found >= 0)
        return found;
    if (way == UNNAMED_REFUSED)
        refuse("%s: there are samples of class '%s', which the model does not have", path, name);
    if (way != UNNAMED_UNKNOWN)
        return -2;
    note_unknown(name, out);
    return -1;
}

/* Replaces labels, which are places in `names`, by places in out->classes. Names without samples do
 * not matter. */
static bool renumber(const char *path, const class_names *names, unnamed way, samples_part *part,
                     samples *out)
{
    enum { UNUSED = -4, USED = -3 };
    int *classes = malloc(((size_t)names->count + 1) * sizeof *classes);
    bool done = classes != NULL || refuse("no memory for %d classes", names->count);
    for (int i = 0; done && i < names->count; ++i)
        classes[i] = UNUSED;
    for (int i = 0; done && part->labels && i < part->samples; ++i)
        classes[part->labels[i]] = USED;
    for (int i = 0; done && i < names->count; ++i)
        if (classes[i] == USED) {
            classes[i] = find_class(path, names->names[i], way, out);
            done = classes[i] >= -1;
        }
    for (int i = 0; done && part->labels && i < part->samples; ++i)
        part->labels[i] = classes[part->labels[i]];
    free(classes);
    return done;
}

static unnamed way_to_train(const samples *out)
{
    return out->classes.count == 0 ? UNNAMED_ADDED : UNNAMED_REFUSED;
}

/* Moves the samples of images into a part. */
static bool take_images(const char *path, images_part *from, const class_names *numbers,
                        unnamed way, samples *out, samples_part *part)
{
    *part = (samples_part){
        .samples = from->samples, .inputs = from->inputs, .labels = from->labels, .of = out};
    *from = (images_part){0};
    return renumber(path, numbers, way, part, out);
}

static bool check_size(const images *of, samples *out)
{
    out->shape = (glnn_shape){1, of->height, of->width};
    out->has_unit_range = true;
    out->features = of->width * of->height;
    if (out->columns.features == 0)
        out->columns.features = out->features;
    return out->columns.features == out->features ||
           refuse("%s: images of %d x %d pixels are samples of %d features, but there should be %d",
                  of->folder, of->width, of->height, out->features, out->columns.features);
}

/* The names in the file classes.txt of the folder, or numbers without one. */
static bool name_classes(const images *of, class_names *names)
{
    char path[PATH_CAPACITY], name[256];
    FILE *file = path_join(path, of->folder, "classes.txt") ? fopen(path, "r") : NULL;
    if (file == NULL)
        return classes_number(names, of->classes);
    bool done = true;
    while (done && fgets(name, sizeof name, file)) {
        name[strcspn(name, "\r\n")] = '\0';
        done = classes_find(names, name) < 0 ? classes_add(names, name) >= 0
                                             : refuse("%s: has '%s' twice", path, name);
    }
    fclose(file);
    if (done && names->count < of->classes)
        return refuse("%s: has %d names, but the labels go from 0 to %d", path, names->count,
                      of->classes - 1);
    return done;
}

static bool load_images(const samples_source *from, samples *out)
{
    const unnamed way = way_to_train(out);
    class_names numbers = {0};
    images loaded;
    if (!images_load(from->data, &loaded))
        return false;
    snprintf(out->from, sizeof out->from, "%s", loaded.folder);
    bool done = check_size(&loaded, out) && name_classes(&loaded, &numbers);
    if (done && !from->test_only)
        done = take_images(out->from, &loaded.train, &numbers, way, out, &out->train);
    done = done && take_images(out->from, &loaded.test, &numbers, UNNAMED_UNKNOWN, out, &out->test);
    classes_free(&numbers);
    images_free(&loaded);
    return done;
}

/* The shape of the samples is that of their file, or else that which the user gave. */
static bool take_shape(const char *path, glnn_shape own, glnn_shape given, samples *out)
{
    const glnn_shape shape = own.width > 0 ? own : given, *known = &out->shape;
    if (shape.width == 0)
        return true;
    if (known->width > 0 && (known->channels != shape.channels || known->height != shape.height ||
                             known->width != shape.width))
        return refuse("%s: images of %d x %d with %d channels, but those for training have %d x %d "
                      "with %d",
                      path, shape.height, shape.width, shape.channels, known->height, known->width,
                      known->channels);
    out->shape = shape;
    return true;
}

static bool check_shape(const samples *of)
{
    const glnn_shape *shape = &of->shape;
    const int64_t numbers = (int64_t)shape->channels * shape->height * shape->width;
    return numbers == 0 || numbers == of->features ||
           refuse("%s: --shape %dx%dx%d is a shape of %" PRId64 " numbers, but the samples have %d "
                  "features",
                  of->from, shape->height, shape->width, shape->channels, numbers, of->features);
}

/* The samples of a stored part are all rows of its file. */
static bool number_rows(samples_part *part)
{
    if (part->file == NULL)
        return true;
    part->rows = malloc((size_t)part->samples * sizeof *part->rows);
    for (int i = 0; part->rows && i < part->samples; ++i)
        part->rows[i] = i;
    return part->rows != NULL || refuse("no memory for %d samples", part->samples);
}

/* Moves a table's samples into a part, and its columns where there are none yet. */
static bool take(const char *path, table *from, glnn_shape given, unnamed way, samples *out,
                 samples_part *part)
{
    /* A model of arrays or images has no columns, so the numbers of a table are its features. */
    const bool has_columns = out->columns.features == 0 || out->columns.count > 0;
    const bool is_raw = from->columns.count > 0 && has_columns;
    if (!is_raw)
        out->features =
            from->columns.count > 0 ? from->columns.feature_columns : from->columns.features;
    out->dropped_rows += from->dropped_rows;
    *part = (samples_part){.samples = from->rows,
                           .inputs = from->inputs,
                           .is_raw = is_raw,
                           .labels = from->labels,
                           .targets = from->targets,
                           .sample_weights = from->weights,
                           .file = from->file,
                           .of = out};
    from->inputs = from->targets = from->weights = NULL;
    from->labels = NULL;
    from->file = NULL;
    if (out->columns.features == 0 && out->columns.count == 0) {
        out->columns = from->columns;
        from->columns = (glnn_csv_columns){0};
    }
    return number_rows(part) && take_shape(path, from->shape, given, out) &&
           renumber(path, &from->classes, way, part, out);
}

/* The names of a model's targets, separated by commas; NULL: no names, or names with commas. */
static char *list_targets(const glnn_csv_columns *of)
{
    const glnn_csv_column *targets = glnn_csv_columns_find(of, GLNN_CSV_ROLE_TARGET);
    size_t size = 1;
    for (int i = 0; targets && i < of->targets; ++i) {
        if (targets[i].name == NULL || strchr(targets[i].name, ',') != NULL)
            return NULL;
        size += strlen(targets[i].name) + 1;
    }
    char *list = targets ? calloc(size, 1) : NULL;
    for (int i = 0; list && i < of->targets; ++i) {
        strcat(list, i > 0 ? "," : "");
        strcat(list, targets[i].name);
    }
    return list;
}

enum { POSITION_TEXT = 16 };

/* The column of a model's labels. A position there says nothing about a header, so it is better
 * than the name, unless a column has it as its name. NULL: the column is not known. */
static const char *find_label(const glnn_csv_columns *of, char position[POSITION_TEXT])
{
    const glnn_csv_column *label = glnn_csv_columns_find(of, GLNN_CSV_ROLE_LABEL);
    if (label == NULL)
        return NULL;
    if (label->position == of->count)
        strcpy(position, "last");
    else
        snprintf(position, POSITION_TEXT, "%d", label->position);
    bool is_name = label->position == 0;
    for (int i = 0; i < of->count && !is_name; ++i)
        is_name = of->of[i].name && strcmp(of->of[i].name, position) == 0;
    return is_name ? label->name : position;
}

static bool read_table(const samples_source *from, const char *path, const char *labels,
                       const samples *known, table *rows)
{
    const glnn_csv_columns *like =
        known->columns.features > 0 || known->columns.count > 0 ? &known->columns : NULL;
    table_format format = from->format;
    const bool has_label = format.label != NULL && strcmp(format.label, "none") != 0;
    char *targets = NULL, position[POSITION_TEXT];
    format.stays = known->stays;
    format.is_for_model = known->are_for_model;
    /* The label or the targets are those of the columns, which the file need not have. */
    if (like && like->targets > 0 && format.targets == NULL) {
        if (has_label)
            return refuse("%s: --label %s: the model has targets, not classes", path, format.label);
        if (format.label == NULL)
            format.targets = targets = list_targets(like);
        format.label = "none";
    } else if (like && format.label == NULL && format.targets == NULL) {
        format.label = find_label(like, position);
    }
    bool done = table_read(path, labels, &format, like, rows);
    free(targets);
    return done;
}

static bool load_part(const samples_source *from, const char *path, const char *labels, unnamed way,
                      samples *out, samples_part *part)
{
    table rows = {0};
    if (path_is_npy(path) && from->labels != NULL && labels == NULL)
        return refuse("%s: its labels are missing; use --test-labels", path);
    bool done = path_is_pictures(path)
                    ? pictures_load(path, from->gray, from->format.shape, out, &rows)
                : path_is_handwriting(path) ? handwriting_load(path, from->format.shape, out, &rows)
                                            : read_table(from, path, labels, out, &rows);
    done = done && take(path, &rows, from->format.shape, way, out, part);
    table_free(&rows);
    return done;
}

/* Loads tables or pictures. */
static bool load_parts(const samples_source *from, samples *out)
{
    const unnamed way = way_to_train(out);
    if (from->test_only && from->test == NULL)
        return load_part(from, from->data, from->labels, UNNAMED_UNKNOWN, out, &out->test);
    if (!from->test_only && !load_part(from, from->data, from->labels, way, out, &out->train))
        return false;
    if (!from->test_only && out->train.labels == NULL && out->train.targets == NULL)
        return refuse("%s: the samples have no labels to train with%s", from->data,
                      path_is_npy(from->data) ? "; use --labels to name a file of them" : "");
    if (from->test)
        return load_part(from, from->test, from->test_labels, UNNAMED_UNKNOWN, out, &out->test);
    return hold_out(from, out);
}

static bool load_all(const samples_source *from, samples *out)
{
    char train[PATH_CAPACITY], test[PATH_CAPACITY];
    samples_source split = *from;
    snprintf(out->from, sizeof out->from, "%s", from->data ? from->data : from->test);
    if (samples_have_test(from)) {
        if (!path_join(train, from->data, "train") || !path_join(test, from->data, "test"))
            return false;
        split.data = train;
        split.test = test;
    }
    return load_parts(&split, out);
}

static void show_unknown_classes(const samples *of)
{
    if (of->unknown > 0)
        printf("note: %d of %d test samples are of a class that training has not seen, %s; they "
               "count as wrong, and have no loss\n",
               of->unknown, of->test.samples, of->unknown_names);
}

static void show_notes(const samples *of)
{
    if (of->dropped_rows > 0)
        printf("note: %" PRId64 " row%s with missing values %s left out\n", of->dropped_rows,
               of->dropped_rows == 1 ? "" : "s", of->dropped_rows == 1 ? "was" : "were");
    columns_note_others(&of->columns);
    if (of->counts) {
        columns_note_missing(&of->columns, of->counts);
        columns_note_unknown(&of->columns, of->counts);
        columns_note_useless(&of->columns, of->counts);
    }
    show_unknown_classes(of);
}

/* The samples for training. Of folds, each one is for training too. */
static int count_class(const samples *of, int class)
{
    int count = 0;
    for (int i = 0; i < of->train.samples; ++i)
        count += of->train.labels[i] == class;
    for (int i = 0; i < of->test.samples && of->folds > 0; ++i)
        count += of->test.labels[i] == class;
    return count;
}

/* The share of a class that is kept apart is rounded down. */
static void show_single_samples(const samples *of)
{
    enum { SHOWN = 5 };
    int found = 0;
    for (int c = 0; c < of->classes.count; ++c)
        if (count_class(of, c) == 1 && ++found <= SHOWN)
            printf("%s'%.30s'",
                   found > 1 ? ", " : "note: only one sample for training has the class ",
                   of->classes.names[c]);
    if (found > SHOWN)
        printf(" and %d more", found - SHOWN);
    if (found > 0)
        printf("; a model learns no class from one\n");
}

/* The classes of a table and their samples for training, so that rare classes are seen. */
static void show_classes(const samples *of)
{
    enum { SHOWN = 10 };
    for (int c = 0; c < of->classes.count && c < SHOWN; ++c)
        printf("%s%.30s %d", c > 0 ? ", " : "classes    ", of->classes.names[c],
               count_class(of, c));
    if (of->classes.count > SHOWN)
        printf(" and %d more", of->classes.count - SHOWN);
    printf(of->folds > 0 ? "\n" : " for training\n");
    show_single_samples(of);
}

void samples_show(const samples *of)
{
    if (of->folds > 0)
        printf("data       %s: %d samples in %d folds, ", of->from,
               of->train.samples + of->test.samples, of->folds);
    else
        printf("data       %s: %d sample%s for training, %d for the test, ", of->from,
               of->train.samples, of->train.samples == 1 ? "" : "s", of->test.samples);
    if (of->shape.width > 0 && (of->shape.channels == 1 || of->shape.channels == 3))
        printf("%d x %d pixels%s, ", of->shape.height, of->shape.width,
               of->shape.channels == 3 ? " in colour" : "");
    else if (of->shape.width > 0)
        printf("%d x %d pixels with %d channels, ", of->shape.height, of->shape.width,
               of->shape.channels);
    else
        printf("%d feature%s, ", of->features, of->features == 1 ? "" : "s");
    if (of->columns.targets > 0)
        printf("%d target%s\n", of->columns.targets, of->columns.targets == 1 ? "" : "s");
    else
        printf("%d class%s\n", of->classes.count, of->classes.count == 1 ? "" : "es");
    const glnn_csv_column *label = glnn_csv_columns_find(&of->columns, GLNN_CSV_ROLE_LABEL);
    const glnn_csv_column *targets = glnn_csv_columns_find(&of->columns, GLNN_CSV_ROLE_TARGET);
    if (label && label->name && (of->train.labels || of->test.labels))
        printf("label      column '%s'\n", label->name);
    for (int i = 0; targets && targets->name && i < of->columns.targets; ++i)
        printf("target     column '%s'\n", targets[i].name);
    columns_show(&of->columns, of->train.samples + of->test.samples, !of->are_for_model);
    if (label && of->train.labels)
        show_classes(of);
    show_notes(of);
}

void samples_show_no_test(const samples *of)
{
    if (of->test.samples == 0)
        printf("there are no test samples, so nothing was measured\n");
    else
        printf("the test samples have no %s, so nothing was measured\n",
               of->columns.targets > 0 ? "targets" : "labels");
}

/* The first names in quotes, and how many more there are. */
static void list_known(const class_names *of, char *text, size_t size)
{
    enum { SHOWN = 10 };
    size_t used = 0;
    for (int i = 0; i < of->count && i < SHOWN; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s'%.30s'", i > 0 ? ", " : "",
                                 of->names[i]);
    if (of->count > SHOWN)
        snprintf(text + used, size - used, " and %d more", of->count - SHOWN);
}

/* If no label is known, the wrong column was probably taken for the label. */
static bool check_known(const samples_source *from, samples *out)
{
    for (int i = 0; out->test.labels && i < out->test.samples; ++i)
        out->unknown += out->test.labels[i] < 0;
    if (out->unknown == 0 || out->unknown < out->test.samples)
        return true;
    char known[512];
    list_known(&out->classes, known, sizeof known);
    return refuse("%s: no sample has a label that the model knows: these have %s, and it knows %s; "
                  "use --label COLUMN, or --label none if there are no labels",
                  from->test ? from->test : out->from, out->unknown_names, known);
}

double samples_known_share(const samples *of)
{
    return of->unknown > 0 ? 1.0 - (double)of->unknown / of->test.samples : 1.0;
}

bool samples_are_idx(const samples_source *from)
{
    return from->test == NULL && (from->data == NULL || path_is_folder(from->data)) &&
           !path_is_pictures(from->data) && !path_is_handwriting(from->data);
}

bool samples_have_test(const samples_source *from)
{
    return samples_are_idx(from) || (from->test == NULL && pictures_are_split(from->data));
}

/* Arrays and images may have labels, which a model of targets cannot use. */
static bool check_kind(const samples *of)
{
    return of->columns.targets == 0 || (of->train.labels == NULL && of->test.labels == NULL) ||
           refuse("%s: the samples have labels, but the model has targets", of->from);
}

/* Columns that are being fitted. */
typedef struct fitting {
    samples *of;
    glnn_csv_fit_desc how;
    int64_t features; /* of the columns that were fitted */
} fitting;

static bool count_columns(void *user, const samples_part *part, int first, int count,
                          const float *values)
{
    samples *of = user;
    const column_range range = {first, count, part->samples, values};
    columns_count(&of->columns, part == &of->test, &range, of->counts);
    return true;
}

static bool fit_columns(void *user, const samples_part *part, int first, int count,
                        const float *values)
{
    fitting *with = user;
    glnn_csv_columns some = {
        .count = count, .feature_columns = count, .of = with->of->columns.of + first};
    const bool done = glnn_csv_columns_fit(&some, &with->how, part->samples, values) == GLNN_OK ||
                      refuse("%s: %s", with->of->from, glnn_last_error());
    with->features += some.features;
    return done && count_columns(with->of, part, first, count, values);
}

/* Fits the columns to a part, and counts its values. */
static bool fit(const samples_source *from, const samples_part *part, samples *out)
{
    fitting with = {.of = out,
                    .how = {.missing = from->format.missing,
                            .rare = from->format.rare > 0 ? from->format.rare : FLT_MIN}};
    if (!part_visit(part, fit_columns, &with))
        return false;
    out->columns.features = (int)with.features;
    return with.features <= INT_MAX ||
           refuse("%s: %" PRId64 " features are too many", out->from, with.features);
}

/* Replaces raw values by features: in their place if these are as many. */
static bool encode_part(const samples *of, samples_part *part)
{
    const glnn_csv_columns *columns = &of->columns;
    const bool in_place = columns->features == columns->feature_columns;
    const size_t numbers = ((size_t)part->samples + 1) * (size_t)columns->features;
    float *made = part->inputs;
    part->is_encoded = part->is_raw && part->file;
    if (!part->is_raw || part->file) {
        part->is_raw = false;
        return true;
    }
    if (!in_place && (made = malloc(numbers * sizeof *made)) == NULL)
        return refuse("%s: no memory for %d samples", of->from, part->samples);
    const bool done =
        part->samples == 0 ||
        glnn_csv_columns_encode(columns, part->samples, part->inputs, made, NULL) == GLNN_OK ||
        refuse("%s: %s", of->from, glnn_last_error());
    if (!in_place)
        free(part->inputs);
    part->inputs = made;
    part->is_raw = false;
    return done;
}

/* The columns are those of a model, or else they are fitted to the samples that are left for
 * training: the others must not have a part in them. Without a training, they are fitted to the
 * samples that are measured. */
static bool fit_and_count(const samples_source *from, samples *out)
{
    samples_part *const parts[] = {&out->train, &out->test};
    const samples_part *fitted = out->columns.features > 0 ? NULL
                                 : out->train.samples > 0  ? &out->train
                                                           : &out->test;
    out->counts = calloc((size_t)out->columns.feature_columns + 1, sizeof *out->counts);
    if (out->counts == NULL)
        return refuse("no memory to count values of %d columns", out->columns.feature_columns);
    if (fitted && !fit(from, fitted, out))
        return false;
    for (int i = 0; i < 2; ++i)
        if (parts[i] != fitted && parts[i]->is_raw && parts[i]->samples > 0 &&
            !part_visit(parts[i], count_columns, out))
            return false;
    return true;
}

static bool encode(const samples_source *from, samples *out)
{
    const bool is_raw = out->train.is_raw || out->test.is_raw;
    if (is_raw && !fit_and_count(from, out))
        return false;
    if (is_raw)
        out->features = out->columns.features;
    return encode_part(out, &out->train) && encode_part(out, &out->test);
}

bool samples_load(const samples_source *from, samples *out)
{
    *out = (samples){.classes = out->classes,
                     .columns = out->columns,
                     .stays = out->stays,
                     .silent = out->silent,
                     .are_for_model = out->are_for_model,
                     .folds = from->split.folds,
                     .budget = (size_t)from->budget << 20};
    bool done = samples_are_idx(from) ? load_images(from, out) : load_all(from, out);
    done = done && check_kind(out) && split_training(from, out) && check_known(from, out) &&
           draw_samples(from, out) && encode(from, out) && check_shape(out);
    if (!done)
        free_parts(out);
    return done;
}

static glnn_dataset *upload(glnn_context *ctx, const samples *of, const samples_part *part,
                            glnn_storage storage, const char *name)
{
    const float *targets = part->targets;
    const int *labels = targets ? NULL : part->labels;
    glnn_dataset *data;
    CHECK(glnn_dataset_create(ctx,
                              &(glnn_dataset_desc){.samples = part->samples,
                                                   .features = of->features,
                                                   .inputs = part->inputs,
                                                   .read = part->file ? part_read : NULL,
                                                   .user = (samples_part *)part,
                                                   .texture_budget = of->budget,
                                                   .labels = labels,
                                                   .classes = labels ? of->classes.count : 0,
                                                   .targets = targets,
                                                   .outputs = targets ? of->columns.targets : 0,
                                                   .sample_weights = part->sample_weights,
                                                   .class_weights = part->class_weights,
                                                   .storage = storage,
                                                   .name = name},
                              &data));
    return data;
}

glnn_dataset *samples_upload(glnn_context *ctx, samples *of, const samples_part *part,
                             glnn_storage storage, const char *name)
{
    const int unknown = part == &of->test ? of->unknown : 0;
    if (part->samples == unknown || (part->labels == NULL && part->targets == NULL))
        return NULL;
    if (unknown == 0)
        return upload(ctx, of, part, storage, name);
    bool *flags = calloc((size_t)part->samples, sizeof *flags);
    REQUIRE(flags != NULL || refuse("no memory for %d samples", part->samples));
    for (int i = 0; i < part->samples; ++i)
        flags[i] = part->labels[i] >= 0;
    REQUIRE(part_copy(part, of, flags, true, part->samples - unknown, &of->known));
    free(flags);
    return upload(ctx, of, &of->known, storage, name);
}
