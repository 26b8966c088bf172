/* Saving and loading for all learners: a file has texts that describe a learner, and arrays whose
 * sizes follow from them. */
#ifndef GLNN__LEARNER_LEARNER_FILE_H
#define GLNN__LEARNER_LEARNER_FILE_H

#include "io/safetensors/preparation.h"

#include <glnn/train.h>

/* A kind of learner in files. Each kind has its own type of description, whose texts are written
 * and read in the C locale. */
typedef struct glnn__file_kind {
    const char *name;          /* of the format: "network"                                 */
    const char *what;          /* a file should hold, for error sentences: "network"        */
    const glnn__field *fields; /* of the description    */
    size_t field_count;
    /* Texts that are not fields, and checks of what was read. NULL: there are none. */
    void (*describe)(const void *description, glnn__texts *texts);
    glnn_status (*undescribe)(const glnn__described_file *in, void *description);
    void (*add_arrays)(const void *description, glnn__arrays *arrays);
    /* Downloads the learner's numbers into allocated arrays. */
    glnn_status (*collect)(const void *learner, const glnn__arrays *arrays);
} glnn__file_kind;

/* A file while it is read; not to be copied. */
typedef struct glnn__file {
    glnn__described_file reading;
    glnn__arrays arrays;
    glnn_preparation preparation; /* empty: there is none */
} glnn__file;

/* Checks and copies a description of how to load; NULL stands for the defaults. E_ARG sentences
 * begin with `function`. */
glnn_status glnn__load_desc_check(const char *function, const glnn_load_desc *desc,
                                  glnn_load_desc *out);

/* `preparation` is the learner's; NULL: it has none. */
glnn_status glnn__file_save(const glnn__file_kind *kind, const char *path, const void *description,
                            const void *learner, const glnn_preparation *preparation);

/* Opens a file of this kind, and reads it. The caller closes the file after success. */
glnn_status glnn__file_open(const glnn__file_kind *kind, const char *path, void *description,
                            glnn__file *out);

/* Opens a file of any program, which the caller closes after success. */
glnn_status glnn__file_open_any(const glnn__file_kind *kind, const char *path, glnn__file *out);

/* Whether this library wrote the file, so that a description is in it. */
bool glnn__file_is_described(const glnn__file *in);

/* Reads the description of this kind, the arrays that follow from it and the preparation. */
glnn_status glnn__file_read_all(const glnn__file_kind *kind, void *description, glnn__file *in);

/* Reads the arrays that follow from a description. */
glnn_status glnn__file_read_arrays(const glnn__file_kind *kind, const void *description,
                                   glnn__file *in);

/* Closes the file and returns `status`. E_ARG becomes E_FORMAT, because the caller's own arguments
 * were checked before, so the file is wrong. */
glnn_status glnn__file_close(glnn__file *in, glnn_status status);

#endif
