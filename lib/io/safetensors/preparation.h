/* Preparations in learners' files: counts and names as texts, numbers as arrays, all under names that
 * begin with "preparation.". */
#ifndef GLNN__IO_SAFETENSORS_PREPARATION_H
#define GLNN__IO_SAFETENSORS_PREPARATION_H

#include "io/safetensors/arrays.h"

#include <glnn/preparation.h>

/* Lists of names as they stand in a file, to be freed once it is written. */
typedef struct glnn__name_lists {
    char *features, *targets, *dropped, *label, *classes;
} glnn__name_lists;

/* Adds counts and names to the texts, which point into *lists; NULL: there is no preparation. On
 * failure *lists is empty. */
glnn_status glnn__preparation_describe(const glnn_preparation *preparation, glnn__texts *texts,
                                       glnn__name_lists *lists);
void glnn__name_lists_free(glnn__name_lists *lists);

/* Adds the arrays of a preparation to others; copies the numbers once there is room. */
void glnn__preparation_add_arrays(const glnn_preparation *preparation, glnn__arrays *arrays);
void glnn__preparation_collect(const glnn_preparation *preparation, int first,
                               const glnn__arrays *arrays);

/* The preparation in a file, for glnn_preparation_free; empty where there is none. */
glnn_status glnn__preparation_read(const glnn__described_file *in, glnn_preparation *out);

#endif
