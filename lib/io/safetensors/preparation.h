/* Preparations in learners' files: counts and names as texts, numbers as arrays, all under names
 * that begin with "glnn.preparation.". */
#ifndef GLNN__IO_SAFETENSORS_PREPARATION_H
#define GLNN__IO_SAFETENSORS_PREPARATION_H

#include "io/safetensors/arrays.h"

#include <glnn/preparation.h>

/* Adds the texts and the arrays of a preparation, which it still owns; NULL adds none. */
void glnn__preparation_describe(const glnn_preparation *preparation, glnn__texts *texts);
void glnn__preparation_add_arrays(const glnn_preparation *preparation, glnn__arrays *arrays);

/* Reads the preparation of a file, for glnn_preparation_free; it is empty if there is none. */
glnn_status glnn__preparation_read(const glnn__described_file *in, glnn_preparation *out);

#endif
