#include "learner/learner_file.h"

#include "base/status.h"
#include "io/safetensors/safetensors.h"
#include "io/table/number.h"

#include <stdio.h>
#include <string.h>

/* The text under "format" begins with this. */
#define FORMAT "glnn-"

typedef struct format_name {
    char text[32];
} format_name;

static format_name format_of(const glnn__file_kind *kind)
{
    format_name format;
    snprintf(format.text, sizeof format.text, FORMAT "%s", kind->name);
    return format;
}

glnn_status glnn__load_desc_check(const char *function, const glnn_load_desc *desc,
                                  glnn_load_desc *out)
{
    *out = desc ? *desc : (glnn_load_desc){0};
    if ((unsigned)out->layout >= GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "%s: a learner cannot have layout %s (%d)", function,
                          glnn_layout_name(out->layout), (int)out->layout);
    if (out->capacity < 0)
        return glnn__fail(GLNN_E_ARG, "%s: a capacity of %d samples; it cannot be negative",
                          function, out->capacity);
    return GLNN_OK;
}

static glnn_status write(const glnn__file_kind *kind, const char *path, const void *description,
                         const glnn__arrays *arrays, const glnn_preparation *preparation)
{
    glnn__c_locale locale;
    glnn__texts texts = {.count = 0};
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn__texts_add(&texts, "format", "%s", format_of(kind).text);
    glnn__texts_add(&texts, "version", "1");
    glnn__texts_add_fields(&texts, kind->fields, kind->field_count, description);
    if (kind->describe)
        kind->describe(description, &texts);
    glnn__c_locale_leave(&locale);
    glnn__preparation_describe(preparation, &texts);
    const glnn_status status =
        texts.is_cut
            ? glnn__fail(GLNN_E_NOMEM, "%s: no memory for the names of its preparation", path)
            : glnn__safetensors_write(path, arrays->tensors, (size_t)arrays->count, texts.entries,
                                      (size_t)texts.count);
    glnn__texts_free(&texts);
    return status;
}

glnn_status glnn__file_save(const glnn__file_kind *kind, const char *path, const void *description,
                            const void *learner, const glnn_preparation *preparation)
{
    glnn__arrays arrays = {.count = 0};
    kind->add_arrays(description, &arrays);
    glnn__preparation_add_arrays(preparation, &arrays);
    GLNN__TRY(glnn__arrays_make_room(&arrays));
    glnn_status status = kind->collect(learner, &arrays);
    if (!status)
        status = write(kind, path, description, &arrays, preparation);
    glnn__arrays_free(&arrays);
    return status;
}

static glnn_status read_texts(const glnn__file_kind *kind, const glnn__described_file *in,
                              void *description)
{
    glnn__c_locale locale;
    GLNN__TRY(glnn__read_expect(in, "format", format_of(kind).text));
    GLNN__TRY(glnn__read_expect(in, "version", "1"));
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn_status status = glnn__read_fields(in, kind->fields, kind->field_count, description);
    if (!status && kind->undescribe)
        status = kind->undescribe(in, description);
    glnn__c_locale_leave(&locale);
    return status;
}

glnn_status glnn__file_read_arrays(const glnn__file_kind *kind, const void *description,
                                   glnn__file *in)
{
    in->arrays.count = 0;
    kind->add_arrays(description, &in->arrays);
    return glnn__arrays_read(&in->reading, &in->arrays);
}

glnn_status glnn__file_open_any(const glnn__file_kind *kind, const char *path, glnn__file *out)
{
    glnn_safetensors *file;
    GLNN__TRY(glnn__safetensors_read(path, &file));
    out->reading = (glnn__described_file){path, kind->what, file};
    out->preparation = (glnn_preparation){.columns = {0}};
    return GLNN_OK;
}

bool glnn__file_is_described(const glnn__file *in)
{
    const char *format = glnn_safetensors_get_metadata(in->reading.file, "format");
    return format && strncmp(format, FORMAT, strlen(FORMAT)) == 0;
}

glnn_status glnn__file_read_all(const glnn__file_kind *kind, void *description, glnn__file *in)
{
    GLNN__TRY(read_texts(kind, &in->reading, description));
    GLNN__TRY(glnn__file_read_arrays(kind, description, in));
    return glnn__preparation_read(&in->reading, &in->preparation);
}

glnn_status glnn__file_open(const glnn__file_kind *kind, const char *path, void *description,
                            glnn__file *out)
{
    GLNN__TRY(glnn__file_open_any(kind, path, out));
    const glnn_status status = glnn__file_read_all(kind, description, out);
    if (status)
        glnn_safetensors_free(out->reading.file);
    return status;
}

glnn_status glnn__file_close(glnn__file *in, glnn_status status)
{
    if (status == GLNN_E_ARG)
        status = glnn__fail(GLNN_E_FORMAT, "%s: the description of the %s is not valid: %s",
                            in->reading.path, in->reading.what, glnn_last_error());
    glnn_preparation_free(&in->preparation);
    glnn_safetensors_free(in->reading.file);
    return status;
}
