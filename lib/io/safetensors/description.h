/* The description of a learner as metadata of a safetensors file. The caller enters the C locale
 * (io/table/number.h) for writing and reading. */
#ifndef GLNN__IO_SAFETENSORS_DESCRIPTION_H
#define GLNN__IO_SAFETENSORS_DESCRIPTION_H

#include <glnn/safetensors.h>

#include <stdbool.h>
#include <stdint.h>

#define GLNN__MAX_TEXTS   64
#define GLNN__TEXT_LENGTH 1024

/* Texts to be written. The entries point into `values` or to `taken`; keys are the caller's. */
typedef struct glnn__texts {
    glnn_metadata entries[GLNN__MAX_TEXTS];
    char values[GLNN__MAX_TEXTS][GLNN__TEXT_LENGTH];
    char *taken[GLNN__MAX_TEXTS];
    int count;
    bool is_cut; /* memory ran out, so a text is missing */
} glnn__texts;

__attribute__((format(printf, 3, 4))) void glnn__texts_add(glnn__texts *texts, const char *key,
                                                           const char *format, ...);
void glnn__texts_add_float(glnn__texts *texts, const char *key, float value);

/* Adds a text of any length from malloc, which glnn__texts_free frees; NULL: memory ran out. */
void glnn__texts_take(glnn__texts *texts, const char *key, char *text);
void glnn__texts_free(glnn__texts *texts);

/* A file that is being read. */
typedef struct glnn__described_file {
    const char *path;
    const char *what; /* the expected content, for error sentences: "network" */
    glnn_safetensors *file;
} glnn__described_file;

/* Fails with E_FORMAT because a text is missing or is not `wanted`. */
glnn_status glnn__read_fail(const glnn__described_file *in, const char *key, const char *wanted);

/* Fails with E_FORMAT if the text with a key is missing or is not `wanted`. */
glnn_status glnn__read_expect(const glnn__described_file *in, const char *key, const char *wanted);

typedef enum glnn__field_kind {
    GLNN__FIELD_INT,    /* from `least` on                       */
    GLNN__FIELD_CHOICE, /* an enumerator, by its name            */
    GLNN__FIELD_FLOAT,  /* in [0, limit); limit 0: infinity      */
    GLNN__FIELD_DOUBLE, /* in [0, infinity), with all its digits */
    GLNN__FIELD_COUNT,  /* a uint64_t                            */
    GLNN__FIELD_BOOL    /* a bool, "true" or "false"             */
} glnn__field_kind;

/* A field of a struct, and the key of its text. */
typedef struct glnn__field {
    const char *key;
    glnn__field_kind kind;
    size_t offset;
    const char *(*name)(int choice);
    int choices, least;
    float limit;
} glnn__field;

/* Writes the field of a struct into room for a text, and returns its length. */
size_t glnn__field_print(const glnn__field *field, const void *from, char *text, size_t room);

/* Sets the field of a struct. Returns false if the text is not a value of the field, which is then
 * undefined. */
bool glnn__field_parse(const glnn__field *field, const char *text, void *into);

void glnn__texts_add_fields(glnn__texts *texts, const glnn__field *fields, size_t count,
                            const void *from);
glnn_status glnn__read_fields(const glnn__described_file *in, const glnn__field *fields,
                              size_t count, void *into);

#endif
