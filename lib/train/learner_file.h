/* What saving, loading and restoring share among all learners: a file of texts that describe a
 * learner, and of arrays whose sizes they tell. */
#ifndef GLNN__TRAIN_LEARNER_FILE_H
#define GLNN__TRAIN_LEARNER_FILE_H

#include "io/safetensors/preparation.h"

/* A kind of learner in files. A description is whatever a learner has for one; its texts are written
 * and read in the C locale. */
typedef struct glnn__file_kind {
    const char *name; /* of its functions and its handle, and of the format: "network" */
    const char *what; /* a file should hold, for error sentences: "network"        */
    void (*describe)(const void *description, glnn__texts *texts);
    glnn_status (*undescribe)(const glnn__described_file *in, void *description);
    void (*add_arrays)(const void *description, glnn__arrays *arrays);
    /* Brings the learner's numbers into arrays that have room. */
    glnn_status (*collect)(const void *learner, const glnn__arrays *arrays);
} glnn__file_kind;

/* A file while it is read; not to be copied. */
typedef struct glnn__file {
    glnn__described_file reading;
    glnn__arrays arrays;
    glnn_preparation preparation; /* empty: there is none */
} glnn__file;

/* E_ARG for arguments of "save" or "restore", and of loading, that are null or make no sense. */
glnn_status glnn__file_check(const glnn__file_kind *kind, const char *function, const void *learner,
                             const char *path);
glnn_status glnn__file_check_load(const glnn__file_kind *kind, const glnn_context *ctx,
                                  const char *path, glnn_layout layout, int capacity,
                                  const void *out);

/* `preparation` is the learner's; NULL: it has none. */
glnn_status glnn__file_save(const glnn__file_kind *kind, const char *path, const void *description,
                            const void *learner, const glnn_preparation *preparation);

/* Opens a file of this kind, and reads the description, the arrays that follow from it and the
 * preparation; to be closed where that succeeds. */
glnn_status glnn__file_open(const glnn__file_kind *kind, const char *path, void *description,
                            glnn__file *out);

/* Reads the arrays anew, for a description that has changed. */
glnn_status glnn__file_read_arrays(const glnn__file_kind *kind, const void *description,
                                   glnn__file *in);

/* Ends reading and returns the status of what was done with it. E_ARG becomes E_FORMAT: the caller's
 * own arguments were checked before, so it is the file that asks for nonsense. */
glnn_status glnn__file_close(glnn__file *in, glnn_status status);

#endif
