/* The arrays and texts of a safetensors header while it is parsed. The functions below return false
 * where the header is refused; `status` says why, and parsing ends. */
#ifndef GLNN__IO_SAFETENSORS_FIELDS_H
#define GLNN__IO_SAFETENSORS_FIELDS_H

#include "io/safetensors/safetensors.h"

/* The fields of an array. */
typedef enum glnn__field {
    GLNN__FIELD_DTYPE,
    GLNN__FIELD_SHAPE,
    GLNN__FIELD_OFFSETS,
    GLNN__FIELD_OTHER
} glnn__field;

typedef struct glnn__dtype {
    const char *name;
    size_t bits;
} glnn__dtype;

typedef enum glnn__value_kind {
    GLNN__VALUE_STRING,
    GLNN__VALUE_NUMBER,
    GLNN__VALUE_LIST,
    GLNN__VALUE_OBJECT,
    GLNN__VALUE_OTHER
} glnn__value_kind;

/* A value of JSON. That of a string or number has a text, which does not end in a zero byte. */
typedef struct glnn__value {
    glnn__value_kind kind;
    const char *text;
    size_t length;
} glnn__value;

/* Starts as zeros but for path, data_size and out. */
typedef struct glnn__fields {
    const char *path;
    size_t data_size; /* bytes after the header */
    glnn__header *out;
    glnn_status status;
    size_t strings_used, array_capacity, text_capacity;
    const char *key; /* of the metadata's next text */

    /* Of the array that is being read, the last one. */
    glnn__field field;
    bool has[GLNN__FIELD_OTHER];
    const glnn__dtype *type;
    size_t dimensions, elements, offsets;
} glnn__fields;

/* Keeps the status; returns false. */
bool glnn__fields_refuse(glnn__fields *in, glnn_status status);

bool glnn__fields_start_array(glnn__fields *in, const char *name, size_t length);
void glnn__fields_choose(glnn__fields *in, const char *field, size_t length);
bool glnn__fields_take(glnn__fields *in, const glnn__value *value);
bool glnn__fields_take_size(glnn__fields *in, const glnn__value *value);
bool glnn__fields_take_offset(glnn__fields *in, const glnn__value *value);

/* Checks an array once all of its fields are read. */
bool glnn__fields_end_array(glnn__fields *in);

bool glnn__fields_take_key(glnn__fields *in, const char *key, size_t length);
bool glnn__fields_take_text(glnn__fields *in, const glnn__value *value);

/* True where a text of that length is `wanted`. */
bool glnn__text_equals(const char *text, size_t length, const char *wanted);

#endif
