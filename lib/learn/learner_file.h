/* Learners in files: a file has texts that describe a learner, and arrays whose sizes follow from
 * them. Each kind of learner says which; saving and loading are the same for all. */
#ifndef GLNN__LEARN_LEARNER_FILE_H
#define GLNN__LEARN_LEARNER_FILE_H

#include "io/safetensors/preparation.h"
#include "learn/learner.h"

/* A file while it is read; not to be copied. */
typedef struct glnn__file {
    glnn__described_file reading;
    glnn__arrays arrays;
    glnn_preparation preparation; /* empty: there is none                */
    void *description;            /* of the kind's own type, from malloc */
} glnn__file;

/* Where a learner has a tensor. */
typedef struct glnn__tensor_place {
    glnn__role role;
    int layer;                 /* of a network; 0: of another learner          */
    const glnn_matrix *matrix; /* that has the numbers, perhaps among others or in another form;
                                  NULL: main memory has them                   */
} glnn__tensor_place;

/* A kind of learner in files, by a description of the kind's own type. It begins with the
 * description of the public interface, and its texts are written and read in the C locale. */
typedef struct glnn__file_form {
    size_t size;                /* of a description         */
    size_t layout, capacity;    /* in it: the places of the choices of a program that loads */
    const glnn__fields *fields; /* of it */

    /* Texts that are not fields, and what follows from all texts. NULL: there are none. */
    void (*add_texts)(const void *description, glnn__texts *texts);
    glnn_status (*read_texts)(const glnn__described_file *in, void *description);

    /* Fills in the description of a learner, which is zeros. */
    void (*describe)(const void *self, void *description);

    /* Undoes in that description what a training changes, for checkpoints. NULL: nothing. */
    void (*forget)(const void *self, void *description);

    /* As `describe`, for a file of another program that has the arrays of such a learner but no
     * description. NULL: such files are refused. */
    glnn_status (*describe_foreign)(const glnn__described_file *in, const void *self,
                                    void *description);

    /* Prints what a file must have in common with a learner to be loaded into it. */
    void (*print_shape)(const void *description, char *text, size_t size);

    /* Lists the tensors as files and programs have them. The functions below take their numbers in
     * this list. */
    void (*add_arrays)(const void *description, glnn__arrays *arrays);

    glnn__tensor_place (*place)(const void *self, int number);
    glnn_status (*read)(const void *self, int number, float *values);

    /* Checks finite numbers; the sentence continues "`name`", such as "has no number above 0".
     * NULL: any are valid. */
    glnn_status (*check)(const void *self, int number, const float *values);

    /* Writes numbers that were checked. NULL: zeros, for the state of an optimizer. The learner
     * hears of the change afterwards. */
    glnn_status (*write)(void *self, int number, const float *values);

    /* Takes from a description all that is not in the tensors, before these are written. If it
     * fails, the learner is as before. NULL: there is nothing else. */
    glnn_status (*accept)(const glnn__described_file *in, const void *description, void *self);

    /* Frees what a description points to. NULL: nothing. */
    void (*clear)(void *description);
} glnn__file_form;

/* Lists the tensors of a learner. */
glnn_status glnn__list_tensors(const glnn_learner *learner, glnn__arrays *out);

/* As glnn_learner_save, after the checks of its arguments. */
glnn_status glnn__file_save(const glnn_learner *learner, const char *path);

/* Adds the texts by which a checkpoint recognises a learner. */
glnn_status glnn__file_identify(const glnn_learner *learner, glnn__texts *texts);

/* Makes a learner of a file that has one of these kinds. `function` is the public one. */
glnn_status glnn__file_load(const char *function, glnn_context *ctx, const char *path,
                            const glnn_load_desc *desc, const glnn__learner_type *const *types,
                            size_t count, glnn_learner **out);

#endif
