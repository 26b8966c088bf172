/* The description of a learner as texts of a safetensors file. They are written and read in the C
 * locale (io/table/number.h), which the caller enters. */
#ifndef GLNN__IO_SAFETENSORS_DESCRIPTION_H
#define GLNN__IO_SAFETENSORS_DESCRIPTION_H

#include <glnn/safetensors.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GLNN__MAX_TEXTS   32
#define GLNN__TEXT_LENGTH 512

/* Texts on their way to a file; the entries point into `values` and to `taken`, and keys are the
 * caller's. */
typedef struct glnn__texts {
    glnn_metadata entries[GLNN__MAX_TEXTS];
    char values[GLNN__MAX_TEXTS][GLNN__TEXT_LENGTH];
    char *taken[GLNN__MAX_TEXTS];
    int count;
    bool is_cut; /* a text is missing, for lack of memory */
} glnn__texts;

__attribute__((format(printf, 3, 4))) void glnn__texts_add(glnn__texts *texts, const char *key,
                                                           const char *format, ...);

/* Adds a text of any length from malloc, until glnn__texts_free; NULL: there was no memory for it. */
void glnn__texts_take(glnn__texts *texts, const char *key, char *text);
void glnn__texts_free(glnn__texts *texts);

/* A file while it is read. */
typedef struct glnn__described_file {
    const char *path;
    const char *what; /* it should hold, for error sentences: "network" */
    glnn_safetensors *file;
} glnn__described_file;

/* E_FORMAT for a text that is missing, or that should be `wanted`. */
glnn_status glnn__read_fail(const glnn__described_file *in, const char *key, const char *wanted);

/* E_FORMAT where the text under a key is missing or another one. */
glnn_status glnn__read_expect(const glnn__described_file *in, const char *key, const char *wanted);

/* A decimal number without a sign, of at most `limit`. */
bool glnn__parse_count(const char *text, uint64_t limit, uint64_t *value);

typedef enum glnn__field_kind {
    GLNN__FIELD_INT,      /* from 0 on                       */
    GLNN__FIELD_POSITIVE, /* an int from 1 on                */
    GLNN__FIELD_COUNT,    /* a uint64_t                      */
    GLNN__FIELD_FLOAT,    /* from 0 on                       */
    GLNN__FIELD_SHARE,    /* a float in [0, 1)               */
    GLNN__FIELD_DOUBLE,   /* from 0 on, with all its digits  */
    GLNN__FIELD_CHOICE    /* an enumerator, told by its name */
} glnn__field_kind;

/* A member of a struct that has a text of its own. */
typedef struct glnn__field {
    const char *key;
    glnn__field_kind kind;
    size_t offset;
    const char *(*name)(int choice); /* of the choices 0, 1, ... */
    int choices;
} glnn__field;

#define GLNN__FIELD(KIND, key, type, member)                                                       \
    {                                                                                              \
        key, GLNN__FIELD_##KIND, offsetof(type, member), NULL, 0                                   \
    }
#define GLNN__FIELD_OF_CHOICES(key, type, member, name, choices)                                   \
    {                                                                                              \
        key, GLNN__FIELD_CHOICE, offsetof(type, member), name, choices                             \
    }

/* The texts of all fields. Reading fails with E_FORMAT where one is missing or something else. */
void glnn__texts_add_fields(glnn__texts *texts, const glnn__field *fields, int count,
                            const void *from);
glnn_status glnn__read_fields(const glnn__described_file *in, const glnn__field *fields, int count,
                              void *into);

#endif
