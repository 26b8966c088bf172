#include "learn/learner_file.h"

#include "base/locale.h"
#include "base/sized.h"
#include "base/status.h"
#include "io/safetensors/safetensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text under "format" begins with this. */
#define FORMAT "glnn-"

typedef struct format_name {
    char text[32];
} format_name;

static format_name format_of(const glnn__learner_type *type)
{
    format_name format;
    snprintf(format.text, sizeof format.text, FORMAT "%s", glnn_learner_kind_name(type->kind));
    return format;
}

static glnn_status make_description(const glnn__learner_type *type, void **out)
{
    *out = calloc(1, type->file->size);
    return *out ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory to describe a %s", type->name);
}

static void free_description(const glnn__learner_type *type, void *description)
{
    if (description && type->file->clear)
        type->file->clear(description);
    free(description);
}

glnn_status glnn__list_tensors(const glnn_learner *learner, glnn__arrays *out)
{
    void *description;
    GLNN__TRY(make_description(learner->type, &description));
    learner->type->file->describe(learner, description);
    out->count = 0;
    learner->type->file->add_arrays(description, out);
    free(description);
    return GLNN_OK;
}

/* ---- Saving */

static void add_texts(const glnn__file_form *form, glnn__keeping kept, const void *description,
                      glnn__texts *texts)
{
    glnn__texts_add_fields(texts, form->fields, kept, description);
    if (form->add_texts)
        form->add_texts(description, texts);
}

glnn_status glnn__file_identify(const glnn_learner *learner, glnn__texts *texts)
{
    const glnn__file_form *form = learner->type->file;
    void *description;
    GLNN__TRY(make_description(learner->type, &description));
    form->describe(learner, description);
    if (form->forget)
        form->forget(learner, description);
    add_texts(form, GLNN__IN_CHECKPOINTS, description, texts);
    free(description);
    return GLNN_OK;
}

static glnn_status write(const glnn_learner *learner, const char *path, const void *description,
                         const glnn__arrays *arrays)
{
    const glnn__file_form *form = learner->type->file;
    glnn__c_locale locale;
    glnn__texts texts = {.count = 0};
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn__texts_add(&texts, "format", "%s", format_of(learner->type).text);
    glnn__texts_add(&texts, "version", "1");
    add_texts(form, GLNN__IN_FILES, description, &texts);
    glnn__c_locale_leave(&locale);
    glnn__preparation_describe(glnn_learner_get_preparation(learner), &texts);
    const glnn_status status =
        texts.is_cut
            ? glnn__fail(GLNN_E_NOMEM, "%s: no memory for the names of its preparation", path)
            : glnn__safetensors_write(path, arrays->tensors, (size_t)arrays->count, texts.entries,
                                      (size_t)texts.count);
    glnn__texts_free(&texts);
    return status;
}

/* The name of the first of some arrays with a number that is not finite; NULL: there is none. */
static const char *find_odd(const glnn__arrays *arrays, int count)
{
    for (int i = 0; i < count; ++i)
        if (!glnn__arrays_finite(arrays, i, 1))
            return arrays->names[i];
    return NULL;
}

static glnn_status save(const glnn_learner *learner, const char *path, const void *description)
{
    const glnn__file_form *form = learner->type->file;
    glnn__arrays arrays = {.count = 0};
    form->add_arrays(description, &arrays);
    const int own = arrays.count;
    glnn__preparation_add_arrays(glnn_learner_get_preparation(learner), &arrays);
    GLNN__TRY(glnn__arrays_make_room(&arrays));
    glnn_status status = GLNN_OK;
    for (int i = 0; i < own && !status; ++i)
        status = form->read(learner, i, arrays.values[i]);
    const char *odd = status ? NULL : find_odd(&arrays, own);
    if (odd)
        status = glnn__fail(GLNN_E_DIVERGED,
                            "`%s` of the %s has numbers that are not finite; they are not saved",
                            odd, learner->type->name);
    if (!status)
        status = write(learner, path, description, &arrays);
    glnn__arrays_free(&arrays);
    return status;
}

glnn_status glnn__file_save(const glnn_learner *learner, const char *path)
{
    const glnn__learner_type *type = learner->type;
    void *description;
    GLNN__TRY(glnn__learner_check_set(learner));
    GLNN__TRY(make_description(type, &description));
    type->file->describe(learner, description);
    const glnn_status status = save(learner, path, description);
    free(description);
    return status;
}

glnn_status glnn_learner_save(const glnn_learner *learner, const char *path)
{
    GLNN__HELD(learner);
    GLNN__NOT_NULL(path);
    return glnn__fail_in(__func__, glnn__file_save(learner, path));
}

/* ---- Loading */

static glnn_status open_file(const char *path, const char *what, glnn__file *out)
{
    glnn_safetensors *file;
    GLNN__TRY(glnn__safetensors_read(path, &file));
    out->reading = (glnn__described_file){path, what, file};
    out->preparation = (glnn_preparation){.columns = {0}};
    out->description = NULL;
    return GLNN_OK;
}

/* Closes the file and returns `status`. E_ARG becomes E_FORMAT, because the caller's own arguments
 * were checked before, so the file is wrong. */
static glnn_status close_file(const glnn__learner_type *type, glnn__file *in, glnn_status status)
{
    if (status == GLNN_E_ARG)
        status = glnn__fail(GLNN_E_FORMAT, "%s: the description of the %s is not valid: %s",
                            in->reading.path, type ? type->name : "learner", glnn__last_sentence());
    if (type)
        free_description(type, in->description);
    glnn_preparation_free(&in->preparation);
    glnn_safetensors_free(in->reading.file);
    return status;
}

/* The name of the kind that a file is of; NULL if this library did not write the file. */
static const char *kind_in(const glnn__file *in)
{
    const char *format = glnn_safetensors_get_metadata(in->reading.file, "format");
    return format && strncmp(format, FORMAT, strlen(FORMAT)) == 0 ? format + strlen(FORMAT) : NULL;
}

static glnn_status read_texts(const glnn__learner_type *type, glnn__file *in)
{
    const glnn__file_form *form = type->file;
    glnn__c_locale locale;
    GLNN__TRY(glnn__read_expect(&in->reading, "format", format_of(type).text));
    GLNN__TRY(glnn__read_expect(&in->reading, "version", "1"));
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn_status status = glnn__read_fields(&in->reading, form->fields, in->description);
    if (!status && form->read_texts)
        status = form->read_texts(&in->reading, in->description);
    glnn__c_locale_leave(&locale);
    return status;
}

static glnn_status read_arrays(const glnn__learner_type *type, glnn__file *in)
{
    in->arrays.count = 0;
    type->file->add_arrays(in->description, &in->arrays);
    GLNN__TRY(glnn__arrays_read(&in->reading, &in->arrays));
    const char *odd = find_odd(&in->arrays, in->arrays.count);
    if (odd)
        return glnn__fail(GLNN_E_FORMAT, "%s: `%s` has numbers that are not finite",
                          in->reading.path, odd);
    return GLNN_OK;
}

static glnn_status read_all(const glnn__learner_type *type, glnn__file *in)
{
    GLNN__TRY(make_description(type, &in->description));
    GLNN__TRY(read_texts(type, in));
    GLNN__TRY(read_arrays(type, in));
    return glnn__preparation_read(&in->reading, &in->preparation);
}

/* The numbers of a tensor; NULL: the file has none, which only states of an optimizer may lack. */
static const float *find_array(const glnn__file *in, const char *name)
{
    for (int i = 0; i < in->arrays.count; ++i)
        if (strcmp(in->arrays.names[i], name) == 0)
            return in->arrays.tensors[i].data;
    return NULL;
}

static glnn_status check_tensor(const glnn__file *in, const glnn_learner *learner, int number,
                                const char *name)
{
    const glnn__file_form *form = learner->type->file;
    const float *values = find_array(in, name);
    const glnn_status status =
        values && form->check ? form->check(learner, number, values) : GLNN_OK;
    return status == GLNN_E_ARG ? glnn__fail(GLNN_E_FORMAT, "%s: `%s` %s", in->reading.path, name,
                                             glnn__last_sentence())
                                : status;
}

/* Brings the numbers of a file into a learner of the same shape. If a number is not valid, the
 * learner is as before. */
static glnn_status apply(const glnn__file *in, glnn_learner *learner)
{
    const glnn__file_form *form = learner->type->file;
    glnn__arrays own;
    GLNN__TRY(glnn__list_tensors(learner, &own));
    for (int i = 0; i < own.count; ++i)
        GLNN__TRY(check_tensor(in, learner, i, own.names[i]));
    if (form->accept)
        GLNN__TRY(form->accept(&in->reading, in->description, learner));
    for (int i = 0; i < own.count; ++i)
        GLNN__TRY(form->write(learner, i, find_array(in, own.names[i])));
    glnn__learner_changed(learner);
    return GLNN_OK;
}

/* Makes a learner of the file's description and numbers, with its preparation. */
static glnn_status make(const char *function, glnn_context *ctx, const glnn__learner_type *type,
                        const glnn_load_desc *how, glnn__file *in, glnn_learner **out)
{
    GLNN__TRY(read_all(type, in));
    memcpy((char *)in->description + type->file->layout, &how->layout, sizeof how->layout);
    memcpy((char *)in->description + type->file->capacity, &how->capacity, sizeof how->capacity);
    GLNN__TRY(glnn__learner_create(function, ctx, type, in->description, out));
    GLNN__TRY(apply(in, *out));
    return glnn_learner_set_preparation(*out, &in->preparation);
}

static glnn_status find_type(const glnn__file *in, const glnn__learner_type *const *types,
                             size_t count, const glnn__learner_type **out)
{
    const char *kind = kind_in(in);
    *out = NULL;
    for (size_t i = 0; i < count && kind; ++i)
        if (strcmp(kind, glnn_learner_kind_name(types[i]->kind)) == 0)
            *out = types[i];
    if (*out)
        return GLNN_OK;
    if (kind && strcmp(kind, "checkpoint") == 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: is a checkpoint of a training; glnn_trainer_load_checkpoint() and "
                          "glnn_train_desc::resume take it",
                          in->reading.path);
    if (kind)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: its metadata 'format' is '%.80s', which is not a kind of "
                          "learner that this library knows",
                          in->reading.path, kind);
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: its metadata has no 'format' of a learner, so that it does not describe "
                      "one; glnn_learner_load_parameters() reads the parameters of other programs "
                      "into a network",
                      in->reading.path);
}

static glnn_status check_load_desc(const glnn_load_desc *desc)
{
    GLNN__TRY(GLNN__RESERVED_CHECK(glnn_load_desc, desc));
    if ((unsigned)desc->layout >= GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "a learner cannot have layout %s (%d)",
                          glnn_layout_name(desc->layout), (int)desc->layout);
    if (desc->capacity < 0)
        return glnn__fail(GLNN_E_ARG, "a capacity of %d samples; it cannot be negative",
                          desc->capacity);
    return GLNN_OK;
}

glnn_status glnn__file_load(const char *function, glnn_context *ctx, const char *path,
                            const glnn_load_desc *desc, const glnn__learner_type *const *types,
                            size_t count, glnn_learner **out)
{
    const glnn_load_desc how = desc ? *desc : (glnn_load_desc){0};
    const glnn__learner_type *type;
    glnn_learner *learner = NULL;
    glnn__file in;
    GLNN__TRY(glnn__fail_in(function, check_load_desc(&how)));
    GLNN__TRY(glnn__fail_in(function, open_file(path, "learner", &in)));
    glnn_status status = find_type(&in, types, count, &type);
    if (!status)
        status = make(function, ctx, type, &how, &in, &learner);
    status = glnn__fail_in(function, close_file(type, &in, status));
    if (status)
        glnn_learner_destroy(learner);
    else
        *out = learner;
    return status;
}

static glnn_status check_fits(const glnn_learner *learner, const glnn__file *in)
{
    const glnn__file_form *form = learner->type->file;
    enum { ROOM = 16384 };
    char *texts = malloc((size_t)2 * ROOM), *own = texts ? texts + ROOM : NULL;
    void *description = NULL;
    glnn_status status = texts ? make_description(learner->type, &description)
                               : glnn__fail(GLNN_E_NOMEM, "no memory to compare descriptions");
    if (!status) {
        form->describe(learner, description);
        form->print_shape(description, own, ROOM);
        form->print_shape(in->description, texts, ROOM);
        if (strcmp(texts, own) != 0)
            status = glnn__fail(GLNN_E_SHAPE,
                                "%s: the %s of the file is (%s), but the one to load into is (%s)",
                                in->reading.path, learner->type->name, texts, own);
    }
    free(description);
    free(texts);
    return status;
}

/* A file of another program describes no learner, so its arrays must be those of this one. */
static glnn_status load_parameters(glnn_learner *learner, glnn__file *in)
{
    const glnn__learner_type *type = learner->type;
    const char *kind = kind_in(in), *own = glnn_learner_kind_name(type->kind);
    if (kind && strcmp(kind, own) != 0)
        return glnn__fail(
            GLNN_E_FORMAT,
            "%s: by its metadata 'format' it has a learner of kind %.80s; the one to load "
            "into is of kind %s",
            in->reading.path, kind, own);
    if (kind || !type->file->describe_foreign) {
        GLNN__TRY(read_all(type, in));
        GLNN__TRY(check_fits(learner, in));
    } else {
        GLNN__TRY(make_description(type, &in->description));
        GLNN__TRY(type->file->describe_foreign(&in->reading, learner, in->description));
        GLNN__TRY(read_arrays(type, in));
    }
    return apply(in, learner);
}

glnn_status glnn_learner_load_parameters(glnn_learner *learner, const char *path)
{
    glnn__file in;
    GLNN__HELD(learner);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__fail_in(__func__, open_file(path, learner->type->name, &in)));
    const glnn_status status = load_parameters(learner, &in);
    return glnn__fail_in(__func__, close_file(learner->type, &in, status));
}
