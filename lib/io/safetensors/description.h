/* The description of a learner as metadata of a safetensors file. The caller enters the C locale
 * (io/table/number.h) for writing and reading. */
#ifndef GLNN__IO_SAFETENSORS_DESCRIPTION_H
#define GLNN__IO_SAFETENSORS_DESCRIPTION_H

#include "io/fields.h"

#include <glnn/safetensors.h>

#define GLNN__MAX_TEXTS   512
#define GLNN__TEXT_LENGTH 1024

/* Texts to be written, with keys and values of their own. */
typedef struct glnn__texts {
    glnn_metadata entries[GLNN__MAX_TEXTS];
    int count;
    bool is_cut; /* memory or entries ran out, so a text is missing */
} glnn__texts;

/* Adds a short text. */
__attribute__((format(printf, 3, 4))) void glnn__texts_add(glnn__texts *texts, const char *key,
                                                           const char *format, ...);

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

/* Adds the texts of the fields that are kept in files, or in checkpoints. */
void glnn__texts_add_fields(glnn__texts *texts, const glnn__fields *fields, glnn__keeping kept,
                            const void *from);

/* Reads the fields that are kept in files. */
glnn_status glnn__read_fields(const glnn__described_file *in, const glnn__fields *fields,
                              void *into);

#endif
